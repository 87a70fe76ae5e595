"""Map of Tiled, with the data that boards of hexagons need, independent of XML or JSON."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from mapkit.core.base import Point
from mapkit.core.errors import SourceError
from mapkit.kinds.hex.grid.grid import Offset

FLIPS: Final = 0x0FFFFFFF
"""Bits of a tile's number without those that flip or turn it."""
STAGGERED: Final[Mapping[tuple[str, str], Offset]] = {
    ("x", "odd"): "odd-q",
    ("x", "even"): "even-q",
    ("y", "odd"): "odd-r",
    ("y", "even"): "even-r",
}


@dataclass(frozen=True)
class TiledTile:
    """Name and properties of a tile in a tile set."""

    name: str = ""
    properties: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class TiledObject:
    """Object of an object layer.

    Args:
        ident: Its number in the map.
        name: Its name.
        at: Where it is, in pixels.
        points: Of a polyline or polygon, relative to `at`.
        properties: Its own.
    """

    ident: int
    name: str
    at: Point
    points: tuple[Point, ...] = ()
    properties: Mapping[str, Any] = field(default_factory=dict)

    @property
    def middle(self) -> Point:
        """Return the mean of its points."""
        points = self.points or ((0.0, 0.0),)
        x = sum(point[0] for point in points) / len(points)
        y = sum(point[1] for point in points) / len(points)
        return self.at[0] + x, self.at[1] + y


@dataclass(frozen=True)
class TiledMap:
    """Map of Tiled.

    Args:
        columns: Of tiles.
        rows: Of tiles.
        tile: Width and height of a tile, and the length of its side, pixels.
        offset: Which lines are staggered.
        layers: Tile layers: name, and a tile's number for each place, row by row; 0 is empty.
        objects: Object layer -> its objects.
        tiles: Number -> tile.
        properties: Of the map.
    """

    columns: int
    rows: int
    tile: tuple[int, int, int]
    offset: Offset
    layers: tuple[tuple[str, tuple[int, ...]], ...]
    objects: Mapping[str, tuple[TiledObject, ...]]
    tiles: Mapping[int, TiledTile]
    properties: Mapping[str, Any]


def offset_of(orientation: object, axis: object, index: object, infinite: object, file: str) -> Offset:
    """Return the offset type from a map's stagger settings.

    Raises:
        SourceError: It is not a map of hexagons, or it is infinite.
    """
    if orientation != "hexagonal":
        raise SourceError(f"{file}: orientation is {orientation!r}; mapkit reads hexagonal maps")
    if infinite in (True, "1", 1):
        raise SourceError(f"{file}: the map is infinite; give it a size in Tiled (Map > Map Properties), and save it")
    offset = STAGGERED.get((str(axis), str(index)))
    if offset is None:
        raise SourceError(f"{file}: stagger axis {axis!r} and index {index!r}; choose x or y, and odd or even")
    return offset
