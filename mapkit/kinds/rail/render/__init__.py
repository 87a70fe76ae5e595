"""Drawing: the board as SVG."""
