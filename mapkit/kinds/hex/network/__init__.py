"""Figures of a board: cheapest links, deliveries, the length of a game."""
