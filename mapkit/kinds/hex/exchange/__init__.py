"""Boards of hexagons in formats of other programs, one module or folder each."""
