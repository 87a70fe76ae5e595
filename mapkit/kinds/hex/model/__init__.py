"""Frozen models of a board of hexagons."""
