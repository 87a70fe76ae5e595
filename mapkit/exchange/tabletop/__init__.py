"""Saves of Tabletop Simulator: frame of a save, and objects on its table."""
