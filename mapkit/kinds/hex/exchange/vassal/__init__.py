"""A board of hexagons as a module of VASSAL."""
