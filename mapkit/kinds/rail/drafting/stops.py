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
from mapkit.geography.basemap import load_layer
from mapkit.geography.gazetteer_table import PER_DEGREE, GazetteerPlace, shipped_table
from mapkit.geography.region import NamedRegion
from mapkit.geography.relief import ruggedness
from mapkit.kinds.rail.drafting.plane import Flags, Floats, Ints, Plane

# Grid of the ground that lines are laid on: land, water, ruggedness and country.

CELLS: Final = 420
"""Along the longer side."""
_MARGIN_SHARE: Final = 0.08
"""What of the longer side is shown around the places."""
_SHORE_CELLS: Final = 1.6
"""Cells around a place that are land: coasts of the base map are coarser than where towns lie."""
_RUGGED_COST: Final = 0.09
"""What a step of relief adds to the cost of a mile."""
_ABROAD_COST: Final = 4.0
"""What land of other countries adds to it: lines stay at home if they can."""
_SAMPLE_STEP: Final = 0.7
"""Cells from sample to sample along a way."""


@dataclass(frozen=True)
class Ground:
    """Grid of square cells on a plane, miles.

    Attributes:
        plane: The plane.
        left: Of the first column.
        bottom: Of the first row.
        cell: The side of a cell.
        dry: Which cells are land, rows from south to north.
        cost: What a mile costs in each cell, 1 or more.
    """

    plane: Plane
    left: float
    bottom: float
    cell: float
    dry: Flags
    cost: Floats

    def cells_of(self, points: Floats) -> tuple[Ints, Ints]:
        """Return row and column of points, shape (n, 2)."""
        column = np.floor((points[:, 0] - self.left) / self.cell).astype(np.int64)
        row = np.floor((points[:, 1] - self.bottom) / self.cell).astype(np.int64)
        return np.clip(row, 0, self.dry.shape[0] - 1), np.clip(column, 0, self.dry.shape[1] - 1)

    def centres(self) -> Floats:
        """Return the centres of all cells, shape (n, 2), row by row."""
        rows, columns = self.dry.shape
        x = self.left + (np.arange(columns) + 0.5) * self.cell
        y = self.bottom + (np.arange(rows) + 0.5) * self.cell
        return np.column_stack((np.tile(x, rows), np.repeat(y, columns)))

    def is_dry(self, point: tuple[float, float]) -> bool:
        """Return whether a point is land."""
        row, column = self.cells_of(np.array([point]))
        return bool(self.dry[row[0], column[0]])

    def along(self, one: Floats, other: Floats) -> tuple[Floats, Floats, Floats]:
        """Return the miles of straight ways, their miles on water, and their mean cost of a mile."""
        miles = np.hypot(*(other - one).T)
        sample_counts = np.maximum(np.ceil(miles / (self.cell * _SAMPLE_STEP)).astype(np.int64), 2)
        way_of_sample = np.repeat(np.arange(len(miles)), sample_counts)
        first_samples = np.cumsum(sample_counts) - sample_counts
        sample_shares = (np.arange(int(sample_counts.sum())) - first_samples[way_of_sample] + 0.5) / sample_counts[
            way_of_sample
        ]
        sample_points = one[way_of_sample] + sample_shares[:, None] * (other - one)[way_of_sample]
        row, column = self.cells_of(sample_points)
        wet_shares = np.add.reduceat((~self.dry[row, column]).astype(np.float64), first_samples) / sample_counts
        cost = np.add.reduceat(self.cost[row, column], first_samples) / sample_counts
        return miles, wet_shares * miles, cost


def lay_ground(plane: Plane, region: NamedRegion, places: Sequence[GazetteerPlace]) -> Ground:
    """Return the ground around places.

    Args:
        plane: The plane.
        region: Whose land is home; all land is if it names no countries.
        places: All of its places.
    """
    degrees = np.array([(place.lon, place.lat) for place in places])
    points = plane.to_plane(degrees)
    low_corner, high_corner = points.min(axis=0), points.max(axis=0)
    margin_mi = max(float((high_corner - low_corner).max()) * _MARGIN_SHARE, 4.0)
    low_corner, high_corner = low_corner - margin_mi, high_corner + margin_mi
    cell_mi = float((high_corner - low_corner).max()) / CELLS
    columns, rows = (int(np.ceil(side / cell_mi)) for side in high_corner - low_corner)
    bare_ground = Ground(
        plane,
        float(low_corner[0]),
        float(low_corner[1]),
        cell_mi,
        np.ones((rows, columns), np.bool_),
        np.ones((rows, columns)),
    )
    centres = bare_ground.centres()
    centre_degrees = plane.to_degrees(centres)
    centre_lons = plane.turned(centre_degrees[:, 0])
    window = (
        float(centre_lons.min()) - 0.2,
        float(centre_degrees[:, 1].min()) - 0.2,
        float(centre_lons.max()) + 0.2,
        float(centre_degrees[:, 1].max()) + 0.2,
    )
    land, lakes = (plane.shapes_in(load_layer(layer).parts, window) for layer in ("land", "lakes"))
    shapely.prepare(land)
    shapely.prepare(lakes)
    dry_cells = shapely.contains_xy(land, centres[:, 0], centres[:, 1]) & ~shapely.contains_xy(
        lakes, centres[:, 0], centres[:, 1]
    )
    dry_cells = _add_shores(dry_cells.reshape(rows, columns), bare_ground, points)
    rugged_cells = ruggedness(centre_degrees[:, 0], centre_degrees[:, 1]).reshape(rows, columns).astype(np.float64)
    cost = 1.0 + _RUGGED_COST * rugged_cells
    if region.countries and region.area is None:
        cost += _ABROAD_COST * _is_nearest_abroad(plane, region, window, centres).reshape(rows, columns)
    return Ground(plane, bare_ground.left, bare_ground.bottom, cell_mi, dry_cells, cost)


def _add_shores(dry: Flags, ground: Ground, points: Floats) -> Flags:
    """Return land with the cells around places added."""
    dry_cells = dry.copy()
    reach_cells = int(np.ceil(_SHORE_CELLS))
    row, column = ground.cells_of(points)
    for row_offset in range(-reach_cells, reach_cells + 1):
        for column_offset in range(-reach_cells, reach_cells + 1):
            if np.hypot(row_offset, column_offset) <= _SHORE_CELLS:
                shore_cells = (
                    np.clip(row + row_offset, 0, dry.shape[0] - 1),
                    np.clip(column + column_offset, 0, dry.shape[1] - 1),
                )
                dry_cells[shore_cells] = True
    return dry_cells


def _is_nearest_abroad(
    plane: Plane, region: NamedRegion, window: tuple[float, float, float, float], centres: Floats
) -> Flags:
    """Return whether the nearest place of each cell is in another country."""
    table = shipped_table()
    lon, lat, _ = (np.asarray(column) for column in table.columns())
    lon, lat = plane.turned(lon / PER_DEGREE), lat / PER_DEGREE
    west, south, east, north = window
    rows_inside = np.flatnonzero((lon >= west) & (lon <= east) & (lat >= south) & (lat <= north))
    is_home = np.zeros(len(lon), np.bool_)
    for code in region.countries:
        country_rows = table.rows(code)
        is_home[country_rows.start : country_rows.stop] = True
        for row in country_rows if code in region.parts else ():
            is_home[row] = table.division(row) in region.parts[code]
    if not len(rows_inside) or is_home[rows_inside].all():
        return np.zeros(len(centres), np.bool_)
    place_points = plane.to_plane(np.column_stack((lon[rows_inside], lat[rows_inside])))
    tree = shapely.STRtree(np.array(shapely.points(place_points), dtype=object))
    nearest_places = tree.nearest(shapely.points(centres))
    return np.asarray(~is_home[rows_inside][nearest_places], dtype=np.bool_)


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
