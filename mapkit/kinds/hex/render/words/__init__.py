"""Texts printed on boards of hexagons and their pieces: one table a language."""

from mapkit.kinds.hex.render.words.language import hex_words

__all__ = ["hex_words"]
