"""Commands of an author on a board of hexagons, one module a topic."""

from mapkit.kinds.hex.commands import cities, links, shape, terrain
from mapkit.kinds.hex.commands.command import COMMANDS

__all__ = ["COMMANDS", "cities", "links", "shape", "terrain"]
