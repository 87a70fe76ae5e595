"""Themes: sizes and colours, files of them, and steps of brightness and contrast."""
