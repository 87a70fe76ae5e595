"""Mileposts by rule."""
