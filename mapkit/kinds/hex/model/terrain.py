"""Kinds of terrain on every board, defined in `terrains.toml`; a board may add its own."""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Final, Literal

from pydantic import Field

from mapkit.core.base import Colour, Frozen, Slug
from mapkit.core.package_data import read_table
from mapkit.kinds.hex.rules.settings import TrackRules

PLAINS: Final = "plains"
WATER: Final = "water"
MOUNTAIN: Final = "mountain"
BLOCKED: Final = "blocked"
SEA: Final = "sea"


class Terrain(Frozen):
    """A kind of terrain."""

    id: str
    name: str
    cost: int | None = Field(description="Dollars for a tile; null if none may be laid")
    colour: Colour
    wet: bool


class Tints(Frozen):
    """Colours of a terrain in themes of light ground, of dark ground, and of ink alone."""

    light: Colour
    dark: Colour
    ink: Colour


class KnownTerrain(Frozen):
    """Row of `terrains.toml`: a terrain of every board."""

    id: Slug
    names: Mapping[str, str] = Field(description="Language -> its name in a legend")
    where: Mapping[str, str] = Field(default={}, description="Language -> where a tile lies, in the rules")
    colour: Colour
    cost: int | str | None = Field(default=None, description="Dollars for a tile, or the rule that sets them")
    wet: bool = False
    ground: bool = Field(default=False, description="Whether the picture shows land and sea there, without a tint")
    tints: Tints | None = Field(default=None, description="In place of its colour")
    marks: Literal["", "peaks", "drops"] = Field(default="", description="What is drawn in a hexagon")
    called: tuple[str, ...] = Field(default=(), description="What other programs call it")
    art: tuple[str, ...] = Field(default=(), description="Words of the column art that show it")
    games: str = Field(default="", description="What games of the 18xx family call it, where tiles cost more")

    def cost_by(self, track: TrackRules) -> int | None:
        """Return the cost of a tile under the rules of a board; None if none may be laid."""
        if isinstance(self.cost, str):
            cost: int = getattr(track, self.cost.removeprefix("track."))
            return cost
        return self.cost


class _TerrainTable(Frozen):
    terrains: tuple[KnownTerrain, ...]


@cache
def known_terrains() -> Mapping[str, KnownTerrain]:
    """Return the terrains of every board by id, in order; a board's own terrain has none of these ids (RW-C03)."""
    return MappingProxyType({row.id: row for row in read_table(__package__, "terrains", _TerrainTable).terrains})


@cache
def terrain_words() -> Mapping[str, str]:
    """Return the names of terrain in other programs -> its id."""
    return {word: row.id for row in known_terrains().values() for word in row.called}


def built_in_terrains(track: TrackRules) -> tuple[Terrain, ...]:
    """Return the terrains of every board, at the costs of the rules."""
    return tuple(
        Terrain(id=row.id, name=row.id, cost=row.cost_by(track), colour=row.colour, wet=row.wet)
        for row in known_terrains().values()
    )
