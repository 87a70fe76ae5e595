"""What the commands of hexagon boards do, as functions."""
