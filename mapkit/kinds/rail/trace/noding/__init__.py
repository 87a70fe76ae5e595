"""Noding: drawn lines are joined where they meet."""
