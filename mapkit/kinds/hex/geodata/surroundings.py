"""What the shipped map has under the hexagons of a board that lies on the earth."""

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

_BORDER: Final = 24
"""So many points of each side of the grid bound its window in degrees."""
_SLACK: Final = 0.2


@dataclass(frozen=True)
class Surroundings:
    """The map around a grid; geometries in millimetres of the grid.

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
        """How long main rivers are in each hexagon of the grid, in hexagons from side to side."""
        return [float(length) for length in river_lengths(self.grid, self.rivers)]

    @cached_property
    def _land_shares(self) -> dict[Cube, float]:
        return {}

    def land_share(self, hexagon: Cube) -> float:
        """Return how much of a hexagon is land, 0 to 1."""
        known = self._land_shares
        if hexagon not in known:
            cell = shapely.Polygon(self.grid.corners(hexagon))
            known[hexagon] = float(cell.intersection(self.land).area / cell.area)
        return known[hexagon]


def river_lengths(grid: HexGrid, rivers: BaseGeometry) -> NDArray[np.float64]:
    """Return how long rivers, in millimetres of the grid, are in each hexagon, in hexagons from side to side."""
    cells = np.array([shapely.Polygon(grid.corners(cube)) for cube in grid.cubes])
    shapely.prepare(rivers)
    lengths = np.zeros(len(cells))
    hit = shapely.intersects(rivers, cells)
    lengths[hit] = shapely.length(shapely.intersection(cells[hit], rivers))
    return np.asarray(lengths / grid.size_mm)


@lru_cache(maxsize=4)
def surroundings(grid: HexGrid, earth: GridEarth, least: int) -> Surroundings:
    """Return the map around a grid.

    Args:
        grid: The grid.
        earth: Where it lies.
        least: Smaller places are left out.
    """
    window = _window(grid, earth)
    return Surroundings(
        grid,
        land=_on_grid(_areas("land", window), earth).difference(_on_grid(_areas("lakes", window), earth)),
        rivers=_on_grid(_lines(window), earth),
        places=_places(grid, earth, window, least),
    )


def _window(grid: HexGrid, earth: GridEarth) -> BaseGeometry:
    """Return the box around a grid, in degrees."""
    width, height = grid.extent_mm
    shares = [number / _BORDER for number in range(_BORDER + 1)]
    rim = [(width * share, y) for share in shares for y in (0.0, height)]
    rim += [(x, height * share) for share in shares for x in (0.0, width)]
    lons, lats = zip(*earth.to_degrees(rim), strict=True)
    box: BaseGeometry = shapely.box(min(lons) - _SLACK, min(lats) - _SLACK, max(lons) + _SLACK, max(lats) + _SLACK)
    return box


def _areas(layer: str, window: BaseGeometry) -> BaseGeometry:
    near = [shapely.make_valid(shape) for shape in load_layer(layer).shapes if _meets(shape, window)]
    whole: BaseGeometry = shapely.union_all([shapely.clip_by_rect(shape, *window.bounds) for shape in near])
    return whole


def _lines(window: BaseGeometry) -> BaseGeometry:
    lines = load_layer("rivers").shapes
    whole: BaseGeometry = shapely.union_all([line.intersection(window) for line in lines if _meets(line, window)])
    return whole


def _meets(shape: BaseGeometry, window: BaseGeometry) -> bool:
    west, south, east, north = window.bounds
    left, low, right, high = shape.bounds
    return bool(left <= east and right >= west and low <= north and high >= south)


def _on_grid(shape: BaseGeometry, earth: GridEarth) -> BaseGeometry:
    if shape.is_empty:
        return shape
    moved: BaseGeometry = shapely.transform(shape, lambda points: np.array(earth.to_grid(points.tolist())))
    whole: BaseGeometry = shapely.make_valid(moved)
    return whole


def _places(grid: HexGrid, earth: GridEarth, window: BaseGeometry, least: int) -> dict[str, tuple[GazetteerPlace, ...]]:
    table = shipped_table()
    lon, lat, population = (np.asarray(column) for column in table.columns())
    west, south, east, north = (value * PER_DEGREE for value in window.bounds)
    rows = np.flatnonzero((lon >= west) & (lon <= east) & (lat >= south) & (lat <= north) & (population >= least))
    places = sorted((table.place(int(row)) for row in rows), key=lambda place: (-place.population, place.full_name))
    found: dict[str, list[GazetteerPlace]] = {}
    for place, at in zip(places, earth.to_grid([(place.lon, place.lat) for place in places]), strict=True):
        cube = grid.hex_at(at)
        if cube in grid:
            found.setdefault(grid.hex_id(cube), []).append(place)
    return {name: tuple(here) for name, here in found.items()}
