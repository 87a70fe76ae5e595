"""Analysis of card games for players: returns, earnings, the length of a game, the worth of investors."""
