"""Colours: spaces and distances, simulation of colour vision deficiency, contrast."""
