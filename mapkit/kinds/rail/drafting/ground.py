"""The ground that lines are laid on, as cells: land, water, how rugged it is, and whose land it is."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import shapely

from mapkit.geography.basemap import load_layer
from mapkit.geography.gazetteer_table import PER_DEGREE, GazetteerPlace, shipped_table
from mapkit.geography.region import NamedRegion
from mapkit.geography.relief import ruggedness
from mapkit.kinds.rail.drafting.plane import Flags, Floats, Ints, Plane, Shapes

CELLS: Final = 420
"""Along the longer side."""
_AROUND: Final = 0.08
"""What of the longer side is shown around the places."""
_SHORE: Final = 1.6
"""Cells around a place that are land: coasts of the base map are coarser than where towns lie."""
_RUGGED: Final = 0.09
"""What a step of relief adds to the cost of a mile."""
_ABROAD: Final = 4.0
"""What land of other countries adds to it: lines stay at home if they can."""
_SAMPLES: Final = 0.7
"""Cells from sample to sample along a way."""


@dataclass(frozen=True)
class Ground:
    """Cells of a plane, miles.

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
        """Return the middles of all cells, shape (n, 2), row by row."""
        rows, columns = self.dry.shape
        x = self.left + (np.arange(columns) + 0.5) * self.cell
        y = self.bottom + (np.arange(rows) + 0.5) * self.cell
        return np.column_stack((np.tile(x, rows), np.repeat(y, columns)))

    def is_dry(self, point: tuple[float, float]) -> bool:
        """Return whether a point is land."""
        row, column = self.cells_of(np.array([point]))
        return bool(self.dry[row[0], column[0]])

    def along(self, one: Floats, other: Floats) -> tuple[Floats, Floats, Floats]:
        """Return of straight ways their miles, the miles of them on water, and what a mile costs on average."""
        miles = np.hypot(*(other - one).T)
        count = np.maximum(np.ceil(miles / (self.cell * _SAMPLES)).astype(np.int64), 2)
        way = np.repeat(np.arange(len(miles)), count)
        first = np.cumsum(count) - count
        share = (np.arange(int(count.sum())) - first[way] + 0.5) / count[way]
        at = one[way] + share[:, None] * (other - one)[way]
        row, column = self.cells_of(at)
        wet = np.add.reduceat((~self.dry[row, column]).astype(np.float64), first) / count
        cost = np.add.reduceat(self.cost[row, column], first) / count
        return miles, wet * miles, cost


def lay_ground(plane: Plane, region: NamedRegion, places: Sequence[GazetteerPlace]) -> Ground:
    """Return the ground around places.

    Args:
        plane: The plane.
        region: Whose land is home; all land is if it names no countries.
        places: All of its places.
    """
    degrees = np.array([(place.lon, place.lat) for place in places])
    points = plane.to_plane(degrees)
    low, high = points.min(axis=0), points.max(axis=0)
    margin = max(float((high - low).max()) * _AROUND, 4.0)
    low, high = low - margin, high + margin
    cell = float((high - low).max()) / CELLS
    columns, rows = (int(np.ceil(side / cell)) for side in high - low)
    bare = Ground(
        plane, float(low[0]), float(low[1]), cell, np.ones((rows, columns), np.bool_), np.ones((rows, columns))
    )
    centres = bare.centres()
    back = plane.to_degrees(centres)
    turned = plane.turned(back[:, 0])
    window = (
        float(turned.min()) - 0.2,
        float(back[:, 1].min()) - 0.2,
        float(turned.max()) + 0.2,
        float(back[:, 1].max()) + 0.2,
    )
    land, lakes = (plane.shapes_in(_areas(layer), window) for layer in ("land", "lakes"))
    shapely.prepare(land)
    shapely.prepare(lakes)
    dry = shapely.contains_xy(land, centres[:, 0], centres[:, 1]) & ~shapely.contains_xy(
        lakes, centres[:, 0], centres[:, 1]
    )
    dry = _with_shores(dry.reshape(rows, columns), bare, points)
    rugged = ruggedness(back[:, 0], back[:, 1]).reshape(rows, columns).astype(np.float64)
    cost = 1.0 + _RUGGED * rugged
    if region.countries and region.area is None:
        cost += _ABROAD * _abroad(plane, region, window, centres).reshape(rows, columns)
    return Ground(plane, bare.left, bare.bottom, cell, dry, cost)


def _areas(layer: str) -> Shapes:
    return load_layer(layer).parts


def _with_shores(dry: Flags, ground: Ground, points: Floats) -> Flags:
    """Return land with the cells around places."""
    out = dry.copy()
    reach = int(np.ceil(_SHORE))
    row, column = ground.cells_of(points)
    for down in range(-reach, reach + 1):
        for right in range(-reach, reach + 1):
            if np.hypot(down, right) <= _SHORE:
                at = np.clip(row + down, 0, dry.shape[0] - 1), np.clip(column + right, 0, dry.shape[1] - 1)
                out[at] = True
    return out


def _abroad(plane: Plane, region: NamedRegion, window: tuple[float, float, float, float], centres: Floats) -> Flags:
    """Return which cells are nearest to a place of another country."""
    table = shipped_table()
    lon, lat, _ = (np.asarray(column) for column in table.columns())
    lon, lat = plane.turned(lon / PER_DEGREE), lat / PER_DEGREE
    west, south, east, north = window
    rows = np.flatnonzero((lon >= west) & (lon <= east) & (lat >= south) & (lat <= north))
    home = np.zeros(len(lon), np.bool_)
    for code in region.countries:
        own = table.rows(code)
        home[own.start : own.stop] = True
        for row in own if code in region.parts else ():
            home[row] = table.division(row) in region.parts[code]
    if not len(rows) or home[rows].all():
        return np.zeros(len(centres), np.bool_)
    at = plane.to_plane(np.column_stack((lon[rows], lat[rows])))
    tree = shapely.STRtree(np.array(shapely.points(at), dtype=object))
    nearest = tree.nearest(shapely.points(centres))
    return np.asarray(~home[rows][nearest], dtype=np.bool_)
