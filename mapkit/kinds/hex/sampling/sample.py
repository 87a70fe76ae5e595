"""A region sampled onto a grid: terrain of each hexagon, cities with what could not be placed."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from mapkit.core.errors import ChoiceError
from mapkit.core.names import slug
from mapkit.geography.gazetteer_table import GazetteerPlace
from mapkit.geography.page_map import transformer
from mapkit.kinds.hex.grid.cubes import Cube, distance
from mapkit.kinds.hex.grid.earth import GridEarth
from mapkit.kinds.hex.grid.grid import MOST_HEXES, HexGrid, Offset
from mapkit.kinds.hex.model.terrain import BLOCKED, MOUNTAIN, PLAINS, SEA, WATER
from mapkit.kinds.hex.sampling.region import LandRegion

_LAND: Final = 0.45
"""The share of a hexagon that must be land for it to be land."""
_LAKE: Final = 0.2
_RIVER: Final = 0.45
"""The length of main rivers in a hexagon that makes it water, in hexagons from side to side."""
_HEXES_A_CITY: Final = 12
_APART: Final = 2
_BY_SIZE: Final = 0.5
_SAID: Final = 8
_LARGE: Final = 0.25
_DENSE_M: Final = 20_000.0


_Spot = tuple[GazetteerPlace, Cube]


@dataclass(frozen=True)
class Wanted:
    """How to sample.

    Args:
        hex_km: From one flat side of a hexagon to the other; or `columns`.
        columns: How many columns the grid has.
        offset: Of the grid.
        size_mm: Of a hexagon on paper.
        cities: How many; by the land if None.
        mountains: Areas in degrees where hexagons are mountains.
        ridges: Lines in degrees; an edge is a ridge if one passes between its two hexagons.
    """

    hex_km: float | None = None
    columns: int | None = None
    offset: Offset = "odd-q"
    size_mm: float = 22.0
    cities: int | None = None
    mountains: Sequence[BaseGeometry] = ()
    ridges: Sequence[BaseGeometry] = ()


@dataclass(frozen=True)
class SampledCity:
    """A city, in its hexagon."""

    id: str
    name: str
    hex: str
    cubes: int
    port: bool


@dataclass(frozen=True)
class Sampled:
    """What became of a region.

    Args:
        grid: The grid.
        earth: Where it lies.
        terrain: Hexagon -> terrain.
        ridges: Edges that are ridges.
        cities: The cities, the largest first.
        notes: What was changed or left out, with what to do.
    """

    grid: HexGrid
    earth: GridEarth
    terrain: dict[str, str]
    ridges: tuple[str, ...]
    cities: tuple[SampledCity, ...]
    notes: tuple[str, ...]


def sample(region: LandRegion, wanted: Wanted) -> Sampled:
    """Return a region on a grid.

    Raises:
        ChoiceError: Neither or both sizes are given, or the grid would be too large.
    """
    crs = _crs(region.land)
    land = _projected(region.land, crs)
    grid, earth = _grid(land, crs, wanted)
    cells = [_cell(grid, earth, cube) for cube in grid.cubes]
    shares = _shares(cells, land)
    other = _shares(cells, _projected(region.other, crs))
    lakes = _shares(cells, _projected(region.lakes, crs))
    rivers = _lengths(cells, _projected(region.rivers, crs)) / (wanted.size_mm * earth.metres_per_mm)
    high = _shares(cells, shapely.union_all([_projected(one, crs) for one in wanted.mountains]))
    names = [grid.hex_id(cube) for cube in grid.cubes]
    terrain = {name: _terrain(*values) for name, *values in zip(names, shares, other, lakes, rivers, high, strict=True)}
    cities, notes = _cities(region, grid, earth, terrain, wanted)
    ridges = _ridges(grid, earth, terrain, shapely.union_all([_projected(one, crs) for one in wanted.ridges]))
    return Sampled(grid, earth, terrain, ridges, cities, notes)


def _ridges(grid: HexGrid, earth: GridEarth, terrain: dict[str, str], crests: BaseGeometry) -> tuple[str, ...]:
    """Return the edges between two hexagons of land that a crest passes between."""
    found = []
    for edge in grid.edges:
        if all(terrain[grid.hex_id(cube)] not in (SEA, BLOCKED) for cube in edge.hexes):
            step = shapely.LineString([earth.metres(grid.centre(cube)) for cube in edge.hexes])
            if step.intersects(crests):
                found.append(grid.edge_id(edge))
    return tuple(sorted(found))


def _terrain(land: float, other: float, lake: float, river: float, high: float) -> str:
    if lake >= _LAND:
        return SEA
    if land >= _LAND or (land > other and land + other >= _LAND):
        if high >= 0.5:  # noqa: PLR2004 - half of it
            return MOUNTAIN
        return WATER if lake >= _LAKE or river >= _RIVER else PLAINS
    return BLOCKED if other >= _LAND else SEA


def _crs(land: BaseGeometry) -> str:
    west, south, east, north = land.bounds
    return f"+proj=laea +lat_0={(south + north) / 2:.2f} +lon_0={(west + east) / 2:.2f} +datum=WGS84 +units=m"


def _projected(shape: BaseGeometry, crs: str) -> BaseGeometry:
    def move(points: NDArray[np.float64]) -> NDArray[np.float64]:
        east, north = transformer(crs).transform(points[:, 0], points[:, 1])
        return np.column_stack([east, north])

    dense = shapely.segmentize(shape, _DENSE_M / 111_000)
    return shapely.make_valid(shapely.transform(dense, move)) if not dense.is_empty else dense


def _grid(land: BaseGeometry, crs: str, wanted: Wanted) -> tuple[HexGrid, GridEarth]:
    """Return the smallest grid with a margin around the land."""
    if (wanted.hex_km is None) == (wanted.columns is None):
        raise ChoiceError("give either --hex-km or --columns")
    west, south, east, north = land.bounds
    flat = wanted.offset.endswith("q")
    lean = math.sqrt(3) / 2
    if wanted.hex_km is not None:
        size = wanted.hex_km * 1000
    else:
        inner = max(1, (wanted.columns or 0) - 2)
        size = (east - west) / (inner * (lean if flat else 1.0))
    across, down = (lean * size, size) if flat else (size, lean * size)
    columns = wanted.columns or math.ceil((east - west) / across) + 2
    rows = math.ceil((north - south) / down) + 2
    if columns * rows > MOST_HEXES:
        raise ChoiceError(f"{columns:,} by {rows:,} hexagons are more than {MOST_HEXES:,}; choose larger ones")
    grid = HexGrid(offset=wanted.offset, columns=columns, rows=rows, size_mm=wanted.size_mm, labels="A1")
    scale = size / wanted.size_mm
    width, height = grid.extent_mm
    left = (west + east) / 2 - width * scale / 2
    top = (south + north) / 2 + height * scale / 2
    earth = GridEarth(crs=crs, metres_per_mm=round(scale, 4), left=round(left, 1), top=round(top, 1))
    return grid, earth


def _cell(grid: HexGrid, earth: GridEarth, cube: Cube) -> BaseGeometry:
    return shapely.Polygon([earth.metres(corner) for corner in grid.corners(cube)])


def _shares(cells: Sequence[BaseGeometry], shape: BaseGeometry) -> NDArray[np.float64]:
    """Return how much of each hexagon an area covers, 0 to 1."""
    shapely.prepare(shape)
    whole = np.array([cell.area for cell in cells])
    return np.asarray(shapely.area(shapely.intersection(np.array(cells), shape)) / whole)


def _lengths(cells: Sequence[BaseGeometry], shape: BaseGeometry) -> NDArray[np.float64]:
    return np.asarray(shapely.length(shapely.intersection(np.array(cells), shape)))


def _cities(
    region: LandRegion, grid: HexGrid, earth: GridEarth, terrain: dict[str, str], wanted: Wanted
) -> tuple[tuple[SampledCity, ...], tuple[str, ...]]:
    """Choose cities: half of them the largest places, the others where there is none nearby; say what was left out."""
    ground = sum(kind in (PLAINS, WATER, MOUNTAIN) for kind in terrain.values())
    most = wanted.cities or max(2, ground // _HEXES_A_CITY)
    where = earth.to_grid([(place.lon, place.lat) for place in region.places])
    spots = [(place, grid.hex_at(at)) for place, at in zip(region.places, where, strict=True)]
    spots = [(place, cube) for place, cube in spots if cube in grid]
    chosen = _chosen(spots, most)
    notes = _left_out(spots, chosen, grid)
    cities: list[SampledCity] = []
    ids: set[str] = set()
    for number, (place, cube) in enumerate(sorted(chosen, key=lambda one: -one[0].population)):
        name = grid.hex_id(cube)
        if terrain[name] in (SEA, BLOCKED):
            notes.append(
                f"{place.name} lies in hexagon {name}, which is mostly {_said(terrain[name])}; the hexagon was made "
                "plains: move the city or paint the hexagon if that is wrong"
            )
            terrain[name] = PLAINS
        ident = slug(place.name) or "city"
        ident = ident if ident not in ids else f"{ident}-{name}"
        ids.add(ident)
        wet = any(terrain.get(grid.hex_id(other)) == SEA for other in cube.neighbours())
        cities.append(SampledCity(ident, place.name, name, 3 if number < most * _LARGE else 2, wet))
    return tuple(cities), tuple(notes)


def _chosen(spots: Sequence[_Spot], most: int) -> list[_Spot]:
    chosen: list[_Spot] = []
    for count, apart in ((most * _BY_SIZE, _APART), (most, 2 * _APART + 1), (most, 2 * _APART), (most, _APART)):
        for place, cube in spots:
            if len(chosen) >= count:
                break
            if all(distance(cube, other) >= apart for _, other in chosen):
                chosen.append((place, cube))
    return chosen


def _left_out(spots: Sequence[_Spot], chosen: Sequence[_Spot], grid: HexGrid) -> list[str]:
    """Name large places that share a hexagon with a city."""
    homes = {cube: place for place, cube in chosen}
    least = min((place.population for place, _ in chosen), default=0)
    lost = [
        (place, cube)
        for place, cube in spots
        if cube in homes and homes[cube] != place and place.population > max(least, homes[cube].population * _LARGE)
    ]
    said = [
        f"{place.name} lies in hexagon {grid.hex_id(cube)} with {homes[cube].name} and was left out; "
        "put it into a hexagon beside with add-city, or use smaller hexagons"
        for place, cube in lost[:_SAID]
    ]
    if len(lost) > _SAID:
        said.append(f"{len(lost) - _SAID} more places lie in the hexagon of a city and were left out")
    return said


def _said(terrain: str) -> str:
    return "sea" if terrain == SEA else "another country"
