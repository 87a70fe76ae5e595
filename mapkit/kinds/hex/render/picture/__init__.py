"""Layers of the picture of a board, one module each."""
