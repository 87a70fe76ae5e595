"""Shipped base map: land, lakes, main rivers, borders of countries and the states of the United States.

Coordinates are geographic longitude and latitude in degrees (OGC:CRS84: WGS 84, longitude first, east and
north positive) on a grid of 1/1000 degree. Every layer comes at three levels of detail, named after the scale that
its data was drawn for. `layers/PROVENANCE.md` names the source of each; `tools/layers/derive.py` writes them.

Land includes the ground under lakes, so draw `land`, then `lakes` over it. The states leave the lakes out and
share their outer edge with land, lakes and the border lines of `countries` of the same level.

Land covers the whole world, cut at longitude 180 and closed along the south pole: clip it to the map's window
in degrees before projecting, or a far continent may cover the map.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from types import MappingProxyType
from typing import Final, Literal

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import MultiLineString, MultiPolygon

from mapkit.core.base import Area
from mapkit.core.errors import UnknownNameError, did_you_mean

LAYERS: Final = ("countries", "lakes", "land", "rivers", "us-state-borders", "us-states")
"""The names that `load_layer` knows."""

Level = Literal["110m", "50m", "10m"]
"""How fine a layer is: 1:110 million, 1:50 million or 1:10 million."""

LEVELS: Final[tuple[Level, ...]] = ("110m", "50m", "10m")
"""The levels, the coarsest first."""

Geometries = NDArray[np.object_]
"""An array of shapely geometries."""

AREAS: Final = 2
"""The dimension of areas; lines have 1."""

_LAYERS_OF_AREAS: Final = frozenset({"lakes", "land", "us-states"})
_SUBSTITUTE_LEVELS: Final[Mapping[tuple[str, Level], Level]] = MappingProxyType({("rivers", "10m"): "50m"})
"""Levels that a layer does not have, and the one that stands for it."""
_MAX_FINE_SCALE: Final = 4_000_000
_MAX_MEDIUM_SCALE: Final = 40_000_000
"""Scales (1 to so many) up to which a level is taken. There the next coarser one has corners 1 mm apart or more."""


@dataclass(frozen=True, eq=False)
class BaseLayer:
    """A layer in degrees of longitude and latitude, one feature after the other, sorted by name and code.

    Attributes:
        names: By feature: a state's name, a lake's (only large lakes have one), or two countries' joined by ` / `.
        codes: By feature: a state's two letters, or two ISO 3166-1 numeric codes joined by `-` (`000` for a country
            that has none); empty otherwise.
        over_water: By feature: its lines run over a lake of the layer `lakes`.
        parts: Polygons, or the lines of borders and rivers.
        owner: By part: the feature that it belongs to; ascending.
        dimension: 2 for areas, 1 for lines.
    """

    names: tuple[str, ...]
    codes: tuple[str, ...]
    over_water: NDArray[np.bool_]
    parts: Geometries
    owner: NDArray[np.int64]
    dimension: int

    @cached_property
    def shapes(self) -> Geometries:
        """Whole features, as multipolygons or multilines."""
        return gather_parts(self.parts, self.owner, len(self.names), self.dimension)

    def near(self, window: Area) -> Geometries:
        """Return the parts of each feature with bounds that intersect a window, as multipolygons or multilines, uncut.

        Args:
            window: West, south, east, north in degrees.
        """
        west, south, east, north = window
        left, bottom, right, top = shapely.bounds(self.parts).reshape(-1, 4).T
        is_near = (right >= west) & (left <= east) & (top >= south) & (bottom <= north)
        return gather_parts(self.parts[is_near], self.owner[is_near], len(self.names), self.dimension)


def level_for(mm_per_m: float) -> Level:
    """Return the coarsest level of detail without visible corners on a page of a scale.

    Args:
        mm_per_m: Millimetres of the page for each metre of the earth.
    """
    if mm_per_m * _MAX_FINE_SCALE >= 1000:  # noqa: PLR2004 - millimetres of a metre
        return "10m"
    return "50m" if mm_per_m * _MAX_MEDIUM_SCALE >= 1000 else "110m"  # noqa: PLR2004 - as above


@cache
def load_layer(name: str, level: Level = "50m") -> BaseLayer:
    """Return a shipped layer.

    Args:
        name: One of `LAYERS`.
        level: How fine. There are no rivers at 1:10 million; those at 1:50 million stand for them.

    Raises:
        UnknownNameError: There is no layer of that name.
    """
    if name not in LAYERS:
        raise UnknownNameError(
            f"no base-map layer is named {name!r}{did_you_mean(name, LAYERS)}; there are: {', '.join(LAYERS)}"
        )
    layer_file = files("mapkit.geography") / "layers" / _SUBSTITUTE_LEVELS.get((name, level), level) / f"{name}.npz"
    has_areas = name in _LAYERS_OF_AREAS
    with layer_file.open("rb") as file, np.load(file, allow_pickle=False) as data:
        ring_points = data["steps"].cumsum(axis=0, dtype=np.int64) / int(data["per_degree"])
        line_indices = np.repeat(np.arange(len(data["lengths"])), data["lengths"])
        if has_areas:
            polygon_rings = np.asarray(shapely.linearrings(ring_points, indices=line_indices), dtype=object)
            polygon_indices = np.repeat(np.arange(len(data["rings"])), data["rings"])
            layer_parts = np.asarray(shapely.polygons(polygon_rings, indices=polygon_indices), dtype=object)
        else:
            layer_parts = np.asarray(shapely.linestrings(ring_points, indices=line_indices), dtype=object)
        return BaseLayer(
            names=tuple(data["names"].tolist()),
            codes=tuple(data["codes"].tolist()),
            over_water=data["over_water"],
            parts=layer_parts,
            owner=np.repeat(np.arange(len(data["names"])), data["parts"]),
            dimension=AREAS if has_areas else 1,
        )


def gather_parts(parts: Geometries, owner: NDArray[np.int64], count: int, dimension: int) -> Geometries:
    """Return `count` multipolygons or multilines from their parts, in order; some may be empty.

    Args:
        parts: Polygons, or lines.
        owner: By part: which of the results it belongs to.
        count: How many results.
        dimension: 2 for polygons, 1 for lines.
    """
    geometries = np.full(count, MultiPolygon() if dimension == AREAS else MultiLineString(), dtype=object)
    owner_order = np.argsort(owner, kind="stable")
    join_parts = shapely.multipolygons if dimension == AREAS else shapely.multilinestrings
    if len(parts):
        join_parts(parts[owner_order], indices=owner[owner_order], out=geometries)
    return geometries
