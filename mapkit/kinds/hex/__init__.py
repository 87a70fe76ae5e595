"""Boards of hexagons, of the family of Railways of the World."""
