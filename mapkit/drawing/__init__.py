"""Tools for drawings: SVG, fitted text, colours, themes, words. It may import geography too."""
