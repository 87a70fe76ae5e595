"""Small map of the world for choosing the region of a draft, as fine as it is shown."""

from typing import Final

import numpy as np
import shapely

from mapkit.core.base import Frozen
from mapkit.geography.basemap import Geometries, Level, load_layer
from mapkit.kinds.queries import QueryError

_SEEN: Final = 1000
"""Points across the map that can be told apart."""
_LEVELS: Final[tuple[tuple[float, Level], ...]] = ((150.0, "110m"), (40.0, "50m"), (0.0, "10m"))
"""Degrees across from which a level is fine enough."""
_AROUND: Final = 0.5
"""Of the width, more on each side, so that the map can be moved before the rest of it is there."""
_SPECK: Final = 6.0
"""Square points of land that are left out."""


class SmallMap(Frozen):
    """A part of the world as paths of an SVG: degrees, y downward."""

    land: str
    lakes: str
    borders: str


def small_map(west: float, north: float, width: float, height: float) -> SmallMap:
    """Return the map of a part of the world, and of some land around it.

    Args:
        west: Its left side, degrees.
        north: Its upper side, degrees.
        width: How much it shows, degrees of longitude.
        height: The same, degrees of latitude.
    """
    level = next(level for least, level in _LEVELS if width >= least)
    window = (
        west - _AROUND * width,
        north - height * (1 + _AROUND),
        west + width * (1 + _AROUND),
        north + _AROUND * height,
    )
    point = width / _SEEN
    borders = load_layer("countries", level)
    return SmallMap(
        land=_areas(load_layer("land", level).near(window), window, point),
        lakes=_areas(load_layer("lakes", level).near(window), window, point),
        borders=_path(_clipped(borders.near(window)[~borders.over_water], window), point, end=""),
    )


def asked_map(asked: dict[str, str]) -> SmallMap:
    """Return the map that a page asks for.

    Args:
        asked: The parameters of its address: those of `small_map`.

    Raises:
        QueryError: They are no part of the world.
    """
    try:
        west, north, width, height = (float(asked[name][:30]) for name in ("west", "north", "width", "height"))
    except (KeyError, ValueError) as error:
        raise QueryError("a map takes west, north, width and height in degrees") from error
    if not (0 < width <= 360 and 0 < height <= 180 and abs(west) <= 180 and abs(north) <= 90):  # noqa: PLR2004 - the earth
        raise QueryError("a map takes west, north, width and height in degrees, of a part of the world")
    return small_map(west, north, width, height)


def _areas(shapes: Geometries, window: tuple[float, float, float, float], point: float) -> str:
    parts = shapely.get_parts(_clipped(shapes, window))
    parts = parts[shapely.area(parts) >= _SPECK * point**2]
    rings = [ring for part in parts for ring in (part.exterior, *part.interiors)]
    return _path(np.array(rings, dtype=object), point, end="Z")


def _clipped(shapes: Geometries, window: tuple[float, float, float, float]) -> Geometries:
    clipped: Geometries = shapely.clip_by_rect(shapes, *window)
    return clipped


def _path(lines: Geometries, point: float, *, end: str) -> str:
    """Return lines as a path, to a point of the map."""
    places = max(0, int(np.ceil(-np.log10(point))))
    drawn = []
    for line in shapely.get_parts(shapely.simplify(lines, point)):
        if line.is_empty:
            continue
        points = np.round(shapely.get_coordinates(line) * (1, -1), places)
        drawn.append("M" + "L".join(f"{x:g},{y:g}" for x, y in points.tolist()) + end)
    return "".join(drawn)
