"""Displacement of crowded mileposts, and of the page with them."""
