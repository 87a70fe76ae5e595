"""Modules of VASSAL for boards of hexagons."""
