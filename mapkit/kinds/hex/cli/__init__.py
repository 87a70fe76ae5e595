"""Commands of the command line for boards of hexagons."""
