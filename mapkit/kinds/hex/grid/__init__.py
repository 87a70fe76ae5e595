"""Grids of hexagons: coordinates, edges and corners, layout on paper, labels, the map to the earth."""
