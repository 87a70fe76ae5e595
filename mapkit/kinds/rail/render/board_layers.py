"""Layers of a drawn board."""

from typing import Final

LAYERS: Final = (
    "water",
    "land",
    "regions",
    "lakes",
    "borders",
    "lines",
    "junctions",
    "mileposts",
    "cities",
    "labels",
    "legend",
)
"""The layers of a drawn board, from the bottom up; each is a group with the id `layer-<name>`."""
