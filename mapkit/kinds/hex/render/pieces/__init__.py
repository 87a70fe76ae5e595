"""Pieces and cards of boards of hexagons: each drawn alone, and on sheets to cut out."""
