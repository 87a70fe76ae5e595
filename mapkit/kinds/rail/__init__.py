"""Boards of railroads. It may import core, formats, console, document, variants, and of kinds what a kind is."""
