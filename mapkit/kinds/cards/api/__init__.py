"""Operations on card games, as functions."""
