"""Drawings of a board: SVG, sheets and pages."""
