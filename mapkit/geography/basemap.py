"""The shipped base map: land, lakes, main rivers, country borders and the states of the United States.

Coordinates are geographic longitude and latitude in degrees (OGC:CRS84: WGS 84, longitude first, east and
north positive) on a grid of 1/1000 degree. `layers/PROVENANCE.md` names the source of each layer;
`tools/layers/derive.py` writes them.

Land includes the ground under lakes, so draw `land`, then `lakes` over it. The states leave the lakes out and
share their outer edge with land, lakes and the border lines of `countries`.

Land covers the whole world, cut at longitude 180 and closed along the south pole: clip it to the map's window
in degrees before projecting, or a far continent may cover the map.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import accumulate, pairwise
from typing import Any, Final

from shapely import MultiLineString, MultiPolygon
from shapely import Polygon as Area

from mapkit.core.errors import UnknownNameError, did_you_mean

LAYERS: Final = ("countries", "lakes", "land", "rivers", "us-states")
"""The names that `load_layer` knows."""

Point = tuple[float, float]
"""Longitude and latitude in degrees."""

Line = tuple[Point, ...]
"""Two points or more; a ring is a line whose last point is its first."""

Polygon = tuple[Line, ...]
"""An outer ring, counter-clockwise, then its holes, clockwise."""


@dataclass(frozen=True, slots=True)
class Feature:
    """One thing of a layer, in degrees of longitude and latitude.

    Attributes:
        name: A state's name, a lake's (only large lakes have one), or two countries' joined by ` / `.
        code: A state's two letters, or two ISO 3166-1 numeric codes joined by `-` (`000` for a country
            that has none); empty otherwise.
        polygons: The areas; empty in `countries`.
        lines: The border lines or rivers; empty in every layer but `countries` and `rivers`.
        over_water: The lines run over a lake of the layer `lakes`.
    """

    name: str
    code: str
    polygons: tuple[Polygon, ...] = ()
    lines: tuple[Line, ...] = ()
    over_water: bool = False

    def to_multipolygon(self) -> MultiPolygon:
        """Return the areas as a shapely geometry in degrees."""
        return MultiPolygon([Area(outer, holes) for outer, *holes in self.polygons])

    def to_multilinestring(self) -> MultiLineString:
        """Return the border lines as a shapely geometry in degrees."""
        return MultiLineString(self.lines)


@cache
def load_layer(name: str) -> tuple[Feature, ...]:
    """Return the features of a shipped layer, sorted by name and code.

    Args:
        name: One of `LAYERS`.

    Raises:
        UnknownNameError: There is no layer of that name.
    """
    if name not in LAYERS:
        raise UnknownNameError(
            f"no base-map layer is named {name!r}{did_you_mean(name, LAYERS)}; there are: {', '.join(LAYERS)}"
        )
    source = files("mapkit.geography") / "layers" / f"{name}.json"
    data: dict[str, Any] = json.loads(source.read_text(encoding="utf-8"))
    per_degree: int = data["per_degree"]
    return tuple(_feature(entry, per_degree) for entry in data["features"])


def shared_borders(features: Iterable[Feature]) -> tuple[Line, ...]:
    """Return the lines, in degrees, along which two features' areas meet: no coasts, no lake shores.

    The areas must share every vertex of their common border, as those of `us-states` do.
    """
    uses: dict[tuple[Point, Point], int] = {}
    for feature in features:
        for polygon in feature.polygons:
            for ring in polygon:
                for start, end in pairwise(ring):
                    edge = (start, end) if start < end else (end, start)
                    uses[edge] = uses.get(edge, 0) + 1
    return _chains(sorted(edge for edge, count in uses.items() if count > 1))


def _feature(entry: dict[str, Any], per_degree: int) -> Feature:
    """Decode one feature of a layer file."""
    return Feature(
        name=entry["name"],
        code=entry["code"],
        polygons=tuple(
            tuple(_line(ring, per_degree, closed=True) for ring in polygon) for polygon in entry.get("polygons", ())
        ),
        lines=tuple(_line(line, per_degree, closed=False) for line in entry.get("lines", ())),
        over_water=entry.get("over_water", False),
    )


def _line(deltas: Sequence[int], per_degree: int, *, closed: bool) -> Line:
    """Decode x, y, dx, dy, dx, dy ... in 1/`per_degree` degree to points in degrees."""
    east, north = accumulate(deltas[::2]), accumulate(deltas[1::2])
    points = [(x / per_degree, y / per_degree) for x, y in zip(east, north, strict=True)]
    if closed:
        points.append(points[0])
    return tuple(points)


def _chains(edges: Sequence[tuple[Point, Point]]) -> tuple[Line, ...]:
    """Join edges end to end into lines that stop where three or more meet."""
    neighbours: dict[Point, list[Point]] = {}
    for start, end in edges:
        neighbours.setdefault(start, []).append(end)
        neighbours.setdefault(end, []).append(start)
    through = 2
    junctions_first = sorted(neighbours, key=lambda point: (len(neighbours[point]) == through, point))
    walked: set[tuple[Point, Point]] = set()
    chains: list[Line] = []
    for origin in junctions_first:
        for step in neighbours[origin]:
            if (origin, step) in walked:
                continue
            chain = [origin, step]
            walked |= {(origin, step), (step, origin)}
            while len(neighbours[chain[-1]]) == through and chain[-1] != origin:
                onward = next(p for p in neighbours[chain[-1]] if p != chain[-2])
                walked |= {(chain[-1], onward), (onward, chain[-1])}
                chain.append(onward)
            chains.append(tuple(chain))
    return tuple(chains)
