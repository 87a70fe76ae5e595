"""Rules of card games as settings, and the vocabulary of effects."""
