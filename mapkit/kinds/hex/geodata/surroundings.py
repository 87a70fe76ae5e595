"""Shipped map data under the hexagons of a board that lies on the earth."""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from mapkit.geography.basemap import load_layer
from mapkit.geography.gazetteer_table import PER_DEGREE, GazetteerPlace, shipped_table
from mapkit.kinds.hex.grid.cubes import Cube
from mapkit.kinds.hex.grid.earth import GridEarth
from mapkit.kinds.hex.grid.grid import HexGrid

_SIDE_POINTS: Final = 24
"""So many points of each side of the grid bound its window in degrees."""
_MARGIN_DEG: Final = 0.2


@dataclass(frozen=True)
class Surroundings:
    """Map around a grid; geometries in millimetres of the grid.

    Args:
        grid: The grid.
        land: Land without lakes.
        rivers: Main rivers.
        places: Hexagon -> places of the gazetteer there, the largest first.
    """

    grid: HexGrid
    land: BaseGeometry
    rivers: BaseGeometry
    places: dict[str, tuple[GazetteerPlace, ...]]

    @cached_property
    def river_lengths(self) -> list[float]:
        """Return the length of main rivers in each hexagon of the grid, in hexagons from side to side."""
        return [float(length) for length in river_lengths(self.grid, self.rivers)]

    @cached_property
    def _land_shares(self) -> dict[Cube, float]:
        return {}

    def land_share(self, hexagon: Cube) -> float:
        """Return the share of a hexagon that is land, 0 to 1."""
        share_by_cube = self._land_shares
        if hexagon not in share_by_cube:
            cell = shapely.Polygon(self.grid.corners(hexagon))
            share_by_cube[hexagon] = float(cell.intersection(self.land).area / cell.area)
        return share_by_cube[hexagon]


def river_lengths(grid: HexGrid, rivers: BaseGeometry) -> NDArray[np.float64]:
    """Return the length of rivers, in millimetres of the grid, in each hexagon, in hexagons from side to side."""
    cells = np.array([shapely.Polygon(grid.corners(cube)) for cube in grid.cubes])
    shapely.prepare(rivers)
    lengths = np.zeros(len(cells))
    is_crossed = shapely.intersects(rivers, cells)
    lengths[is_crossed] = shapely.length(shapely.intersection(cells[is_crossed], rivers))
    return np.asarray(lengths / grid.size_mm)


@lru_cache(maxsize=4)
def load_surroundings(grid: HexGrid, earth: GridEarth, least: int) -> Surroundings:
    """Return the map around a grid.

    Args:
        grid: The grid.
        earth: Where it lies.
        least: Smaller places are left out.
    """
    width, height = grid.extent_mm
    shares = [number / _SIDE_POINTS for number in range(_SIDE_POINTS + 1)]
    rim_points = [(width * share, y) for share in shares for y in (0.0, height)]
    rim_points += [(x, height * share) for share in shares for x in (0.0, width)]
    lons, lats = zip(*earth.to_degrees(rim_points), strict=True)
    window: BaseGeometry = shapely.box(
        min(lons) - _MARGIN_DEG, min(lats) - _MARGIN_DEG, max(lons) + _MARGIN_DEG, max(lats) + _MARGIN_DEG
    )
    lines = load_layer("rivers").shapes
    merged_rivers: BaseGeometry = shapely.union_all(
        [line.intersection(window) for line in lines if _bounds_overlap(line, window)]
    )
    return Surroundings(
        grid,
        land=_project_to_grid(_load_areas("land", window), earth).difference(
            _project_to_grid(_load_areas("lakes", window), earth)
        ),
        rivers=_project_to_grid(merged_rivers, earth),
        places=_find_places(grid, earth, window, least),
    )


def _load_areas(layer: str, window: BaseGeometry) -> BaseGeometry:
    near_shapes = [shapely.make_valid(shape) for shape in load_layer(layer).shapes if _bounds_overlap(shape, window)]
    merged_area: BaseGeometry = shapely.union_all(
        [shapely.clip_by_rect(shape, *window.bounds) for shape in near_shapes]
    )
    return merged_area


def _bounds_overlap(shape: BaseGeometry, window: BaseGeometry) -> bool:
    west, south, east, north = window.bounds
    left, low, right, high = shape.bounds
    return bool(left <= east and right >= west and low <= north and high >= south)


def _project_to_grid(shape: BaseGeometry, earth: GridEarth) -> BaseGeometry:
    if shape.is_empty:
        return shape
    moved_shape: BaseGeometry = shapely.transform(shape, lambda points: np.array(earth.to_grid(points.tolist())))
    valid_shape: BaseGeometry = shapely.make_valid(moved_shape)
    return valid_shape


def _find_places(
    grid: HexGrid, earth: GridEarth, window: BaseGeometry, least: int
) -> dict[str, tuple[GazetteerPlace, ...]]:
    table = shipped_table()
    lon, lat, population = (np.asarray(column) for column in table.columns())
    west, south, east, north = (value * PER_DEGREE for value in window.bounds)
    place_rows = np.flatnonzero((lon >= west) & (lon <= east) & (lat >= south) & (lat <= north) & (population >= least))
    places = sorted(
        (table.place(int(row)) for row in place_rows), key=lambda place: (-place.population, place.full_name)
    )
    places_by_hex: dict[str, list[GazetteerPlace]] = {}
    for place, grid_point in zip(places, earth.to_grid([(place.lon, place.lat) for place in places]), strict=True):
        cube = grid.hex_at(grid_point)
        if cube in grid:
            places_by_hex.setdefault(grid.hex_id(cube), []).append(place)
    return {hex_id: tuple(hex_places) for hex_id, hex_places in places_by_hex.items()}
