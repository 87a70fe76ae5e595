"""Noding: lines that somebody drew are joined where they meet."""
