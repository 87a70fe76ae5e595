"""Texts printed on cards: one table a language."""

from mapkit.kinds.cards.render.words.language import card_words

__all__ = ["card_words"]
