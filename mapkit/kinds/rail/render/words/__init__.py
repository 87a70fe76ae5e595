"""What is printed on boards, sheets and reports, in the language of the board: one table a language."""

from mapkit.kinds.rail.render.words.language import OWN, Words, in_language, known_language, words_in, words_of

__all__ = ["OWN", "Words", "in_language", "known_language", "words_in", "words_of"]
