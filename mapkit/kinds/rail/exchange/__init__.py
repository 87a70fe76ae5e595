"""Formats of other programs, one module each, found by name or suffix."""
