"""Boards of railroads. The room may import core, formats, console, document, variants, and `kinds.kind`."""
