"""Simulation of the game: state, legal moves, their effects, and computer players."""
