"""Destination charts in files and in text."""
