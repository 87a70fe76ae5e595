"""Stops that lines may run through: thinned places of the gazetteer, and points where there are none."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final
from unicodedata import combining, normalize

import numpy as np
import shapely

from mapkit.core.names import undrawn_script
from mapkit.core.neighbours import find_pairs_among
from mapkit.drawing.text_width import missing_characters
from mapkit.geography.gazetteer_table import GazetteerPlace
from mapkit.kinds.rail.drafting.ground import Ground
from mapkit.kinds.rail.drafting.plane import Flags, Floats, Ints, Plane

APART_MI: Final = 250.0
"""Places farther than this from all others are of another map, if few people live there."""
_FEW_PEOPLE_SHARE: Final = 0.05
"""What share of the people few are."""
_MOST_PLACES: Final = 24_000
"""Places that are looked at, the most people first."""
_SQUARES: Final = 2_400
"""Squares, as wide as stops are apart, that the land has, whatever the size of the region; half as many get a stop."""
_BARE_DISTANCE: Final = 1.5
"""Distances between stops from the nearest one at which a point without a place is a stop too."""


@dataclass(frozen=True)
class Stops:
    """Points that lines may run through.

    Attributes:
        at: Where, miles on the plane.
        places: The place at each; None at a point without one.
        apart: How far stops are apart at the least, miles.
    """

    at: Floats
    places: tuple[GazetteerPlace | None, ...]
    apart: float

    def __len__(self) -> int:
        """Return the number of stops."""
        return len(self.places)


def filter_usable_places(places: Sequence[GazetteerPlace]) -> list[GazetteerPlace]:
    """Return the places with names that fit on a board, spelled in letters of the shipped font."""
    drawable_places = [
        place if place.name == (drawable_name := make_drawable(place.name)) else replace(place, name=drawable_name)
        for place in places
    ]
    return [place for place in drawable_places if place.name and not any(letter.isdigit() for letter in place.name)]


def make_drawable(name: str) -> str:
    """Return a name in letters of the shipped font, without other accents; empty if it is in another script."""
    if undrawn_script(name):
        return ""
    drawn_name = normalize("NFC", name)
    for letter in missing_characters(drawn_name):
        bare_letter = "".join(character for character in normalize("NFKD", letter) if not combining(character))
        drawn_name = drawn_name.replace(letter, "" if missing_characters(bare_letter) else bare_letter)
    return drawn_name[:1].upper() + drawn_name[1:]


def split_far_places(places: Sequence[GazetteerPlace]) -> tuple[list[GazetteerPlace], list[GazetteerPlace]]:
    """Return the places of one map, and those far from it, each the most people first."""
    lon, lat = (np.radians([getattr(place, axis) for place in places]) for axis in ("lon", "lat"))
    unit_miles = 3958.8 * np.column_stack((np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)))
    cells, cell_of_point = np.unique(
        np.floor(unit_miles / (APART_MI / 2)).astype(np.int64), axis=0, return_inverse=True
    )
    cell_of_point = cell_of_point.reshape(-1)
    group_of_cell = np.full(len(cells), -1, dtype=np.int64)
    for start in range(len(cells)):
        if group_of_cell[start] >= 0:
            continue
        group_of_cell[start] = start
        cell_stack = [start]
        while cell_stack:
            cell = cell_stack.pop()
            near_cells = np.flatnonzero((np.abs(cells - cells[cell]).max(axis=1) <= 2) & (group_of_cell < 0))  # noqa: PLR2004 - half cells
            group_of_cell[near_cells] = start
            cell_stack += near_cells.tolist()
    group_of_place: Ints = group_of_cell[cell_of_point]
    people_by_group = np.bincount(group_of_place, weights=[place.population for place in places])
    is_kept = people_by_group >= max(_FEW_PEOPLE_SHARE * people_by_group.sum(), 1.0)
    is_kept[int(people_by_group.argmax())] = True
    near_places = [place for place, group_number in zip(places, group_of_place, strict=True) if is_kept[group_number]]
    far_places = [
        place for place, group_number in zip(places, group_of_place, strict=True) if not is_kept[group_number]
    ]
    return near_places, far_places


def lay_stops(plane: Plane, ground: Ground, places: Sequence[GazetteerPlace]) -> Stops:
    """Return the stops of a region.

    Args:
        plane: The plane.
        ground: The ground.
        places: Its places, the most people first.
    """
    chosen_places = list(places[:_MOST_PLACES])
    points = plane.to_plane(np.array([(place.lon, place.lat) for place in chosen_places]))
    hull = shapely.buffer(shapely.convex_hull(shapely.multipoints(points)), ground.cell * 3)
    shapely.prepare(hull)
    centres = ground.centres()
    is_inside = shapely.contains_xy(hull, centres[:, 0], centres[:, 1]) & ground.dry.reshape(-1)
    apart_mi = float(np.sqrt((max(float(is_inside.sum()), 1.0) * ground.cell**2) / _SQUARES))
    largest_indices = np.sort(
        np.unique(np.floor(points / (apart_mi / 2)), axis=0, return_index=True)[1]
    )  # of each half cell
    kept_indices = largest_indices[thin_points(points[largest_indices], apart_mi)]
    stop_points = points[kept_indices]
    bare_points = _find_bare_points(ground, stop_points, apart_mi * _BARE_DISTANCE)
    return Stops(
        np.vstack((stop_points, bare_points)),
        (*(chosen_places[int(index)] for index in kept_indices), *(None for _ in bare_points)),
        apart_mi,
    )


def thin_points(points: Floats, apart: float) -> Ints:
    """Return the points that are apart from all kept points before them, in order."""
    first_points, second_points = find_pairs_among(points, apart)
    later_neighbours: dict[int, list[int]] = {}
    for a, b in zip(first_points.tolist(), second_points.tolist(), strict=True):
        later_neighbours.setdefault(min(a, b), []).append(max(a, b))
    is_kept: Flags = np.ones(len(points), np.bool_)
    for number in range(len(points)):
        if is_kept[number] and number in later_neighbours:
            is_kept[later_neighbours[number]] = False
    return np.flatnonzero(is_kept)


def _find_bare_points(ground: Ground, at: Floats, apart: float) -> Floats:
    """Return points of land that are far from all stops and from each other."""
    centres = ground.centres()[ground.dry.reshape(-1)]
    step = max(int(apart / ground.cell / 3), 1)
    row, column = ground.cells_of(centres)
    centres = centres[(row % step == 0) & (column % step == 0)]
    hull = shapely.buffer(shapely.convex_hull(shapely.multipoints(at)), apart)
    shapely.prepare(hull)
    centres = centres[shapely.contains_xy(hull, centres[:, 0], centres[:, 1])]
    if not len(centres):
        return np.zeros((0, 2))
    tree = shapely.STRtree(np.array(shapely.points(at), dtype=object))
    near_indices = tree.query(shapely.points(centres), predicate="dwithin", distance=apart)[0]
    far_indices = np.setdiff1d(np.arange(len(centres)), near_indices)
    centres = centres[far_indices]
    thinned_points: Floats = centres[thin_points(centres, apart)]
    return thinned_points
