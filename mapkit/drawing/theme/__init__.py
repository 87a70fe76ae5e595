"""Themes: colours and sizes of drawings."""
