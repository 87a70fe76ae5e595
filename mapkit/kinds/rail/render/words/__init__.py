"""Texts of railroad boards, sheets and reports, in the language of the board: one table for each language."""

from mapkit.kinds.rail.render.words.language import in_language, words_in, words_of

__all__ = ["in_language", "words_in", "words_of"]
