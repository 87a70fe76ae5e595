"""Land of countries from the shipped outlines, with their places."""

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
from mapkit.geography.region import parse_countries

_MAX_GAP_DEG: Final = 2.5
"""Degrees from the main land beyond which an island belongs to another map."""
_WINDOW_MARGIN: Final = 4.0


@dataclass(frozen=True)
class LandRegion:
    """A region of one or more countries, in degrees.

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
    countries = parse_countries(text)
    own_places = [place for place in load_gazetteer(tuple(sorted(countries))).places() if _is_inside(place, bounds)]
    if not own_places:
        raise UnknownNameError(
            f"--region: no place of {', '.join(countries.values())} is inside the bounds; widen them"
        )
    main_places = _main_places(own_places)
    region_box = _bounding_box(main_places) if bounds is None else shapely.box(*bounds)
    land_window = region_box.buffer(_WINDOW_MARGIN).intersection(shapely.box(-180, -90, 180, 90))
    land = _clip_layer("land", land_window)
    border_lines = shapely.union_all(load_layer("countries").shapes)
    all_edges = shapely.union_all([land.boundary, border_lines.intersection(land_window)])
    land_faces = shapely.get_parts(shapely.polygonize([all_edges]))
    land_parts = [face for face in land_faces if land.contains(face.representative_point())]
    own_land, foreign_land = _split_by_country(land_parts, main_places, land_window, set(countries))
    clip_area = land_window if bounds is None else region_box
    own_land = own_land.intersection(clip_area)
    if bounds is None:
        own_land = _drop_far_islands(own_land)
    return LandRegion(
        names=tuple(countries.values()),
        land=own_land,
        other=shapely.union_all([foreign_land, own_land.difference(clip_area)]),
        lakes=_clip_layer("lakes", land_window),
        rivers=_clip_rivers(land_window),
        places=tuple(sorted(main_places, key=lambda place: (-place.population, place.full_name))),
    )


def _is_inside(place: GazetteerPlace, bounds: Area | None) -> bool:
    if bounds is None:
        return True
    west, south, east, north = bounds
    return west <= place.lon <= east and south <= place.lat <= north


def _main_places(places: list[GazetteerPlace]) -> list[GazetteerPlace]:
    """Return the places connected to the largest one by short distances, without those of far islands."""
    place_points = shapely.points([(place.lon, place.lat) for place in places])
    largest_place = max(range(len(places)), key=lambda number: places[number].population)
    is_reached = np.zeros(len(places), dtype=bool)
    frontier = np.array([largest_place])
    while len(frontier):
        is_reached[frontier] = True
        unreached = np.flatnonzero(~is_reached)
        # one neighbour each is enough: all pairs within the distance are millions
        near_indices = STRtree(place_points[frontier]).query_nearest(
            place_points[unreached], max_distance=_MAX_GAP_DEG, all_matches=False
        )[0]
        frontier = unreached[near_indices]
    return [places[number] for number in np.flatnonzero(is_reached)]


def _bounding_box(places: list[GazetteerPlace]) -> BaseGeometry:
    lons, lats = [place.lon for place in places], [place.lat for place in places]
    return shapely.box(min(lons), min(lats), max(lons), max(lats))


def _clip_layer(name: str, window: BaseGeometry) -> BaseGeometry:
    near_shapes = [shapely.make_valid(shape) for shape in load_layer(name).shapes if shape.intersects(window)]
    return shapely.union_all(near_shapes).intersection(window)


def _clip_rivers(window: BaseGeometry) -> BaseGeometry:
    near_lines = [line for line in load_layer("rivers").shapes if line.intersects(window)]
    return shapely.union_all(near_lines).intersection(window)


def _split_by_country(
    parts: list[BaseGeometry], places: list[GazetteerPlace], window: BaseGeometry, countries: set[str]
) -> tuple[BaseGeometry, BaseGeometry]:
    """Return the land of the given countries, and that of others."""
    west, south, east, north = window.bounds
    foreign_places = [
        place
        for code in sorted(shipped_table().countries)
        if code not in countries
        for place in _places_between(code, south, north)
        if west <= place.lon <= east
    ]
    own_counts = _count_places(parts, places)
    foreign_counts = _count_places(parts, foreign_places)
    own_parts = [
        part
        for part, own_count, foreign_count in zip(parts, own_counts, foreign_counts, strict=True)
        if own_count and own_count >= foreign_count
    ]
    foreign_parts = [
        part
        for part, own_count, foreign_count in zip(parts, own_counts, foreign_counts, strict=True)
        if not (own_count and own_count >= foreign_count)
    ]
    return shapely.union_all(own_parts), shapely.union_all(foreign_parts)


def _places_between(code: str, south: float, north: float) -> list[GazetteerPlace]:
    table = shipped_table()
    return [table.place(row) for row in table.between(code, south, north)]


def _count_places(parts: list[BaseGeometry], places: list[GazetteerPlace]) -> list[int]:
    if not places:
        return [0] * len(parts)
    place_tree = STRtree(shapely.points([(place.lon, place.lat) for place in places]))
    hit_parts = place_tree.query(parts, predicate="intersects")[0]
    return [int(count) for count in np.bincount(hit_parts, minlength=len(parts))]


def _drop_far_islands(land: BaseGeometry) -> BaseGeometry:
    land_parts = list(shapely.get_parts(land))
    largest_part = max(land_parts, key=lambda part: float(part.area))
    return shapely.union_all([land_part for land_part in land_parts if land_part.distance(largest_part) < _MAX_GAP_DEG])
