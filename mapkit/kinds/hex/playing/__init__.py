"""Rules of hexagon boards carried out, computer players, studies and logs."""
