"""Pictures of boards of hexagons."""
