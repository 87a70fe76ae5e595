"""The rules of card games as settings, and what their effects may be."""
