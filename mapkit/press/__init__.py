"""Printing: SVG to PNG and PDF without a browser, tiles, cards on pages, fonts."""
