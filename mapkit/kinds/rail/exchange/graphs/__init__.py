"""Formats of graph programs."""
