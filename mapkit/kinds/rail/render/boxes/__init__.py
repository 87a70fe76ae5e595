"""Boxes of the page: their places, their contents, and what is wrong with them."""
