"""Saves of Tabletop Simulator: the frame of a save, and objects on its table."""
