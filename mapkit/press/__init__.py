"""From SVG to paper: PNG and PDF without a browser, tiles, cards on pages, fonts."""
