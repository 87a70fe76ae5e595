"""The difference of two boards, drawn."""
