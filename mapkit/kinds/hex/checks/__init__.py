"""Checks of boards of hexagons, one module a topic."""
