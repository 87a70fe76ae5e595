"""Card games in formats of other programs."""
