"""What a card game's figures mean for its players: returns, earnings, the length of a game, the worth of investors."""
