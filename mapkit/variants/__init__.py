"""Variants: operations on a board, and what two boards differ in."""
