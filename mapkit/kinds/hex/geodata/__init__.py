"""Geodata under a grid: land, rivers, relief, places."""
