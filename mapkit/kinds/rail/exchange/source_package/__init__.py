"""Conversion of a board of any format to a source package."""
