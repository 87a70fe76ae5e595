"""A region sampled onto a grid: terrain of each hexagon, ridges, rivers, cities with what could not be placed."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from mapkit.core.errors import ChoiceError
from mapkit.core.names import slug
from mapkit.geography.gazetteer_table import GazetteerPlace
from mapkit.geography.land_region import LandRegion
from mapkit.geography.page_map import transformer
from mapkit.kinds.hex.geodata.relief import MOUNTAIN_SHARE, mountains, ridges, rugged_hexes, ruggedness_needed
from mapkit.kinds.hex.geodata.rivers import crossed_edges, river_edges
from mapkit.kinds.hex.geodata.surroundings import river_lengths
from mapkit.kinds.hex.grid.cubes import Cube, Edge, distance, within
from mapkit.kinds.hex.grid.earth import GridEarth
from mapkit.kinds.hex.grid.grid import MOST_HEXES, HexGrid, Offset
from mapkit.kinds.hex.model.terrain import BLOCKED, MOUNTAIN, PLAINS, SEA, WATER
from mapkit.kinds.hex.tables import EdgeKind

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


Rivers = Literal["cells", "edges", "none"]
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
        mountains: At most so many per cent of the land are mountains; a quarter if None.
        rivers: `cells`: a hexagon with much of a main river is water; `edges`: rivers run along edges, without a cost;
            `none`: they are left out.
    """

    hex_km: float | None = None
    columns: int | None = None
    offset: Offset = "odd-q"
    size_mm: float = 22.0
    cities: int | None = None
    mountains: float | None = None
    rivers: Rivers = "cells"


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
        edges: What lies on edges: the names of their kinds, each a tuple in the order of `edges.csv`.
        cities: The cities, the largest first.
        notes: What was changed or left out, with what to do.
    """

    grid: HexGrid
    earth: GridEarth
    terrain: dict[str, str]
    edges: dict[str, tuple[EdgeKind, ...]]
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
    rivers = _placed(_projected(region.rivers, crs), earth)
    wet = river_lengths(grid, rivers) if wanted.rivers == "cells" else np.zeros(len(cells))
    ground = np.array([_terrain(*values) for values in zip(shares, other, lakes, wet, strict=True)], dtype=object)
    inland = np.isin(ground, (PLAINS, WATER))
    rugged = rugged_hexes(grid, earth)
    needed = ruggedness_needed(grid, rugged, inland)
    share = MOUNTAIN_SHARE if wanted.mountains is None else wanted.mountains / 100
    ground[mountains(rugged, needed, inland, share)] = MOUNTAIN
    terrain = {grid.hex_id(cube): str(kind) for cube, kind in zip(grid.cubes, ground, strict=True)}
    cities, notes = _cities(region, grid, earth, terrain, wanted)
    return Sampled(grid, earth, terrain, _edges(grid, earth, needed, terrain, rivers, wanted), cities, notes)


def _edges(
    grid: HexGrid,
    earth: GridEarth,
    needed: NDArray[np.float64],
    terrain: dict[str, str],
    rivers: BaseGeometry,
    wanted: Wanted,
) -> dict[str, tuple[EdgeKind, ...]]:
    """Return edge -> what lies on it: ridges between land, rivers where they are wanted there."""
    shut = (SEA, BLOCKED)
    sides = {edge: [terrain[grid.hex_id(cube)] in shut for cube in edge.hexes] for edge in grid.edges}
    inland = [edge for edge, ends in sides.items() if not any(ends)]
    found: dict[str, tuple[EdgeKind, ...]] = {}
    along: frozenset[Edge] = frozenset()
    if wanted.rivers == "edges":
        along = river_edges(grid, rivers, (edge for edge, ends in sides.items() if not all(ends)))
        found.update((grid.edge_id(edge), ("river",)) for edge in along)
    dry = [edge for edge in inland if edge not in along]
    crests = ridges(grid, earth, needed, dry, crossed_edges(grid, rivers))
    found.update((grid.edge_id(edge), ("ridge",)) for edge in crests)
    return dict(sorted(found.items()))


def _terrain(land: float, other: float, lake: float, river: float) -> str:
    if lake >= _LAND:
        return SEA
    if land >= _LAND or (land > other and land + other >= _LAND):
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


def _placed(lines: BaseGeometry, earth: GridEarth) -> BaseGeometry:
    """Return lines of the projection's plane in millimetres of the grid."""
    return shapely.transform(lines, lambda points: np.array([earth.placed(*point) for point in points]).reshape(-1, 2))


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
    """Return half of the cities by size, the others where there is none nearby; there the largest place counts too."""
    homes: dict[Cube, list[_Spot]] = {}
    for spot in spots:
        homes.setdefault(spot[1], []).append(spot)
    chosen: list[_Spot] = []
    for count, apart in ((most * _BY_SIZE, _APART), (most, 2 * _APART + 1), (most, 2 * _APART), (most, _APART)):
        for place, cube in spots:
            if len(chosen) >= count:
                break
            if _free(cube, chosen, apart):
                beside = [homes[one][0] for one in within(cube, 1) if one in homes and _free(one, chosen, _APART + 1)]
                chosen.append(max(((place, cube), *beside), key=lambda spot: spot[0].population))
    return chosen


def _free(cube: Cube, chosen: Sequence[_Spot], apart: int) -> bool:
    return all(distance(cube, other) >= apart for _, other in chosen)


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
