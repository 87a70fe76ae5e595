"""Rules in words, for the players at the table."""
