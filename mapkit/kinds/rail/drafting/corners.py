"""Polygons written as corners: `lon,lat lon,lat lon,lat`, degrees."""

import re
from typing import Final

import shapely
from shapely.affinity import translate
from shapely.geometry.base import BaseGeometry

from mapkit.core.errors import ChoiceError

_CORNER: Final = re.compile(r"([-+]?\d+(?:\.\d+)?),([-+]?\d+(?:\.\d+)?)")
_FEWEST_CORNERS: Final = 3
_MOST_CORNERS: Final = 200
_HALF_TURN: Final = 180.0
_POLE: Final = 90.0


def is_corner_list(text: str) -> bool:
    """Return whether a text lists corners, rather than the path of a file."""
    return bool(text.split()) and all(_CORNER.fullmatch(word) for word in text.split())


def parse_polygon(text: str) -> BaseGeometry:
    """Return the polygon of a list of corners, degrees; sides take the shorter way, also across longitude 180.

    Args:
        text: As `are_corners` takes it.

    Raises:
        ChoiceError: There are too few or too many, they are not on the earth, or there is no area between them.
    """
    corners = [(float(lon), float(lat)) for lon, lat in (word.split(",") for word in text.split())]
    if not _FEWEST_CORNERS <= len(corners) <= _MOST_CORNERS:
        raise ChoiceError(
            f"--polygon: {len(corners)} corners; a polygon has {_FEWEST_CORNERS} to {_MOST_CORNERS}: "
            "lon,lat lon,lat lon,lat"
        )
    for lon, lat in corners:
        if abs(lon) > _HALF_TURN or abs(lat) > _POLE:
            raise ChoiceError(
                f"--polygon: {lon:g},{lat:g} is not on the earth; write longitude, then latitude, in degrees"
            )
    unwrapped_corners = [corners[0]]
    for lon, lat in corners[1:]:
        previous_lon = unwrapped_corners[-1][0]
        unwrapped_corners.append(
            (previous_lon + (lon - previous_lon + _HALF_TURN) % (2 * _HALF_TURN) - _HALF_TURN, lat)
        )
    unwrapped_polygon = shapely.make_valid(shapely.Polygon(unwrapped_corners))
    earth = shapely.box(-_HALF_TURN, -_POLE, _HALF_TURN, _POLE)
    shifted_polygons = [translate(unwrapped_polygon, turn * 2 * _HALF_TURN) for turn in (-1, 0, 1)]
    area = shapely.union_all([shapely.intersection(shifted_polygon, earth) for shifted_polygon in shifted_polygons])
    if area.area == 0:
        raise ChoiceError("--polygon: there is no area between the corners; they lie on one line")
    return area
