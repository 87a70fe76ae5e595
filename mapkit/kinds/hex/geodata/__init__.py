"""What lies on the earth under a grid: land, rivers, relief, places."""
