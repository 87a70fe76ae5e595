"""Scans of boards: the inks of railroads, dots and squares, and the lines that join them."""
