"""Kinds of terrain that every board knows; a board may add its own."""

from typing import Final

from pydantic import Field

from mapkit.core.base import Colour, Frozen
from mapkit.kinds.hex.rules.settings import TrackRules

PLAINS: Final = "plains"
WATER: Final = "water"
MOUNTAIN: Final = "mountain"
BLOCKED: Final = "blocked"
SEA: Final = "sea"
BUILT_IN: Final = (PLAINS, WATER, MOUNTAIN, BLOCKED, SEA)
"""Ids that no terrain of a board's own may have (RW-C03). No tile is laid on `blocked` and `sea`."""


class Terrain(Frozen):
    """A kind of terrain."""

    id: str
    name: str
    cost: int | None = Field(description="Dollars for a tile; null if none may be laid")
    colour: Colour
    wet: bool


def built_in(track: TrackRules) -> tuple[Terrain, ...]:
    """Return the terrain that every board knows, at the costs of the rules."""
    return (
        Terrain(id=PLAINS, name="plains", cost=track.plains, colour="#e6e3c4", wet=False),
        Terrain(id=WATER, name="water", cost=track.water, colour="#cfe0cf", wet=False),
        Terrain(id=MOUNTAIN, name="mountain", cost=track.mountain, colour="#d8c9a6", wet=False),
        Terrain(id=BLOCKED, name="blocked", cost=None, colour="#c9c9c4", wet=False),
        Terrain(id=SEA, name="sea", cost=None, colour="#b9d3e4", wet=True),
    )
