"""Grid of the ground that lines are laid on: land, water, ruggedness and country."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import shapely

from mapkit.geography.basemap import load_layer
from mapkit.geography.gazetteer_table import PER_DEGREE, GazetteerPlace, shipped_table
from mapkit.geography.region import NamedRegion
from mapkit.geography.relief import ruggedness
from mapkit.kinds.rail.drafting.plane import Flags, Floats, Ints, Plane

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
