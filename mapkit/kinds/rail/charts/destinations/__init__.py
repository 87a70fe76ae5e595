"""Destination charts: solved from weights, and compared."""
