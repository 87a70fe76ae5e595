"""Layers below the railroads: the base map, and the ground of regions."""
