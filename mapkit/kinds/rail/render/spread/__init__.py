"""Crowded mileposts moved apart, and the page with them."""
