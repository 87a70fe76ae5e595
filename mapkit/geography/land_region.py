"""The land of countries, from the shipped outlines, with their places."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry
from shapely.strtree import STRtree

from mapkit.core.base import Area
from mapkit.core.errors import UnknownNameError
from mapkit.geography.basemap import load_layer
from mapkit.geography.gazetteer import load_gazetteer
from mapkit.geography.gazetteer_table import GazetteerPlace, shipped_table
from mapkit.geography.region import countries_of

_SEPARATE: Final = 2.5
"""Degrees from the main land beyond which an island belongs to another map."""
_WINDOW: Final = 4.0


@dataclass(frozen=True)
class LandRegion:
    """A region, in degrees.

    Args:
        names: The names of its countries.
        land: Its own land.
        other: Land of others in its window.
        lakes: Lakes in its window.
        rivers: Main rivers.
        places: Its places, the largest first.
    """

    names: tuple[str, ...]
    land: BaseGeometry
    other: BaseGeometry
    lakes: BaseGeometry
    rivers: BaseGeometry
    places: tuple[GazetteerPlace, ...]


def load_region(text: str, bounds: Area | None = None) -> LandRegion:
    """Return a region.

    The shipped outlines have no areas of countries, only land and the lines between them. Land is cut along those
    lines, and each part belongs to the country of most of its places.

    Args:
        text: Countries, by name or code, separated by commas.
        bounds: West, south, east, north in degrees: only this part.

    Raises:
        UnknownNameError: There is no such country, or no land of it there.
    """
    countries = countries_of(text)
    own = [place for place in load_gazetteer(tuple(sorted(countries))).places() if _inside(place, bounds)]
    if not own:
        raise UnknownNameError(
            f"--region: no place of {', '.join(countries.values())} is inside the bounds; widen them"
        )
    main = _main(own)
    box = _box(main) if bounds is None else shapely.box(*bounds)
    window = box.buffer(_WINDOW).intersection(shapely.box(-180, -90, 180, 90))
    parts = _parts(window)
    land, other = _of_countries(parts, main, window, set(countries))
    cut = window if bounds is None else box
    land = land.intersection(cut)
    if bounds is None:
        land = _without_far_islands(land)
    return LandRegion(
        names=tuple(countries.values()),
        land=land,
        other=shapely.union_all([other, land.difference(cut)]),
        lakes=_layer("lakes", window),
        rivers=_lines(window),
        places=tuple(sorted(main, key=lambda place: (-place.population, place.full_name))),
    )


def _inside(place: GazetteerPlace, bounds: Area | None) -> bool:
    if bounds is None:
        return True
    west, south, east, north = bounds
    return west <= place.lon <= east and south <= place.lat <= north


def _main(places: list[GazetteerPlace]) -> list[GazetteerPlace]:
    """Return the places near each other, beginning with the largest one, without those of far islands."""
    points = shapely.points([(place.lon, place.lat) for place in places])
    tree = STRtree(points)
    start = max(range(len(places)), key=lambda number: places[number].population)
    seen, waiting = {start}, [start]
    while waiting:
        near = tree.query(points[waiting], predicate="dwithin", distance=_SEPARATE)[1]
        waiting = [int(one) for one in np.unique(near) if int(one) not in seen]
        seen.update(waiting)
    return [places[number] for number in sorted(seen)]


def _box(places: list[GazetteerPlace]) -> BaseGeometry:
    lons, lats = [place.lon for place in places], [place.lat for place in places]
    return shapely.box(min(lons), min(lats), max(lons), max(lats))


def _layer(name: str, window: BaseGeometry) -> BaseGeometry:
    near = [shapely.make_valid(shape) for shape in load_layer(name).shapes if shape.intersects(window)]
    return shapely.union_all(near).intersection(window)


def _lines(window: BaseGeometry) -> BaseGeometry:
    lines = [line for line in load_layer("rivers").shapes if line.intersects(window)]
    return shapely.union_all(lines).intersection(window)


def _parts(window: BaseGeometry) -> list[BaseGeometry]:
    """Return the land of a window cut along the borders of countries."""
    land = _layer("land", window)
    borders = shapely.union_all(load_layer("countries").shapes)
    edges = shapely.union_all([land.boundary, borders.intersection(window)])
    faces = shapely.get_parts(shapely.polygonize([edges]))
    return [face for face in faces if land.contains(face.representative_point())]


def _of_countries(
    parts: list[BaseGeometry], places: list[GazetteerPlace], window: BaseGeometry, countries: set[str]
) -> tuple[BaseGeometry, BaseGeometry]:
    """Return the land of countries, and that of others."""
    west, south, east, north = window.bounds
    strangers = [
        place
        for code in sorted(shipped_table().countries)
        if code not in countries
        for place in _between(code, south, north)
        if west <= place.lon <= east
    ]
    own = _counted(parts, places)
    theirs = _counted(parts, strangers)
    ours = [part for part, one, other in zip(parts, own, theirs, strict=True) if one and one >= other]
    rest = [part for part, one, other in zip(parts, own, theirs, strict=True) if not (one and one >= other)]
    return shapely.union_all(ours), shapely.union_all(rest)


def _between(code: str, south: float, north: float) -> list[GazetteerPlace]:
    table = shipped_table()
    return [table.place(row) for row in table.between(code, south, north)]


def _counted(parts: list[BaseGeometry], places: list[GazetteerPlace]) -> list[int]:
    if not places:
        return [0] * len(parts)
    tree = STRtree(shapely.points([(place.lon, place.lat) for place in places]))
    found = tree.query(parts, predicate="intersects")[0]
    return [int(count) for count in np.bincount(found, minlength=len(parts))]


def _without_far_islands(land: BaseGeometry) -> BaseGeometry:
    parts = list(shapely.get_parts(land))
    main = max(parts, key=lambda part: float(part.area))
    return shapely.union_all([part for part in parts if part.distance(main) < _SEPARATE])
