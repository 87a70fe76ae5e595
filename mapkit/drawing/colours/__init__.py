"""Colours: spaces and distances, what people with other sight see, contrast."""
