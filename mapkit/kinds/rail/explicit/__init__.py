"""Boards without sources: as documents with all track in tables, and compiled from them again."""
