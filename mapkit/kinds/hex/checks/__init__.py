"""What can be wrong with a board of hexagons, one module a topic."""
