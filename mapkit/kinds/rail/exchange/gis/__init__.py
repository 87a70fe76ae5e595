"""Formats of geographic information systems: a board as layers of features."""
