"""Sampling of a region onto a grid: terrain, ridges, rivers and cities, with notes on places left out."""

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
from mapkit.kinds.hex.geodata.relief import MOUNTAIN_SHARE, find_mountains, find_ridges, rugged_hexes, ruggedness_needed
from mapkit.kinds.hex.geodata.rivers import crossed_edges, river_edges
from mapkit.kinds.hex.geodata.surroundings import river_lengths
from mapkit.kinds.hex.grid.cubes import Cube, Edge, hex_distance, hexes_within
from mapkit.kinds.hex.grid.earth import GridEarth
from mapkit.kinds.hex.grid.grid import MOST_HEXES, HexGrid, Offset
from mapkit.kinds.hex.model.terrain import BLOCKED, MOUNTAIN, PLAINS, SEA, WATER
from mapkit.kinds.hex.tables import EdgeKind

_LEAST_LAND_SHARE: Final = 0.45
"""The share of a hexagon that must be land for it to be land."""
_LEAST_LAKE_SHARE: Final = 0.2
_LEAST_RIVER_LENGTH: Final = 0.45
"""The length of main rivers in a hexagon that makes it water, in hexagons from side to side."""
_HEXES_A_CITY: Final = 12
_LEAST_DISTANCE: Final = 2
_SIZE_SHARE: Final = 0.5
_MOST_NOTES: Final = 8
_LARGE_SHARE: Final = 0.25
_VERTEX_DISTANCE_M: Final = 20_000.0


Rivers = Literal["cells", "edges", "none"]
_PlacedPlace = tuple[GazetteerPlace, Cube]


@dataclass(frozen=True)
class SamplingOptions:
    """Options of sampling.

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
    """City in its hexagon."""

    id: str
    name: str
    hex: str
    cubes: int
    port: bool


@dataclass(frozen=True)
class SampledRegion:
    """Sampled region.

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


def sample_region(region: LandRegion, wanted: SamplingOptions) -> SampledRegion:
    """Sample a region onto a grid.

    Raises:
        ChoiceError: Neither or both sizes are given, or the grid would be too large.
    """
    west, south, east, north = region.land.bounds
    crs = f"+proj=laea +lat_0={(south + north) / 2:.2f} +lon_0={(west + east) / 2:.2f} +datum=WGS84 +units=m"
    land = _project_shape(region.land, crs)
    grid, earth = _make_grid(land, crs, wanted)
    cells = [shapely.Polygon([earth.metres(corner) for corner in grid.corners(cube)]) for cube in grid.cubes]
    land_shares = _covered_shares(cells, land)
    other_shares = _covered_shares(cells, _project_shape(region.other, crs))
    lake_shares = _covered_shares(cells, _project_shape(region.lakes, crs))
    rivers = shapely.transform(
        _project_shape(region.rivers, crs),
        lambda points: np.array([earth.placed(*point) for point in points]).reshape(-1, 2),
    )
    river_lengths_by_hex = river_lengths(grid, rivers) if wanted.rivers == "cells" else np.zeros(len(cells))
    terrain_of_hexes = np.array(
        [
            _classify_terrain(*values)
            for values in zip(land_shares, other_shares, lake_shares, river_lengths_by_hex, strict=True)
        ],
        dtype=object,
    )
    is_land = np.isin(terrain_of_hexes, (PLAINS, WATER))
    ruggedness_of_hexes = rugged_hexes(grid, earth)
    needed_steps = ruggedness_needed(grid, ruggedness_of_hexes, is_land)
    mountain_share = MOUNTAIN_SHARE if wanted.mountains is None else wanted.mountains / 100
    terrain_of_hexes[find_mountains(ruggedness_of_hexes, needed_steps, is_land, mountain_share)] = MOUNTAIN
    terrain = {grid.hex_id(cube): str(kind) for cube, kind in zip(grid.cubes, terrain_of_hexes, strict=True)}
    cities, notes = _choose_cities(region, grid, earth, terrain, wanted)
    return SampledRegion(
        grid, earth, terrain, _sample_edges(grid, earth, needed_steps, terrain, rivers, wanted), cities, notes
    )


def _sample_edges(
    grid: HexGrid,
    earth: GridEarth,
    needed: NDArray[np.float64],
    terrain: dict[str, str],
    rivers: BaseGeometry,
    wanted: SamplingOptions,
) -> dict[str, tuple[EdgeKind, ...]]:
    """Return edge -> its features: ridges between land, and rivers if they run along edges."""
    closed_terrains = (SEA, BLOCKED)
    is_closed_by_edge = {
        edge: [terrain[grid.hex_id(cube)] in closed_terrains for cube in edge.hexes] for edge in grid.edges
    }
    land_edges = [edge for edge, ends in is_closed_by_edge.items() if not any(ends)]
    kinds_by_edge: dict[str, tuple[EdgeKind, ...]] = {}
    river_course: frozenset[Edge] = frozenset()
    if wanted.rivers == "edges":
        river_course = river_edges(grid, rivers, (edge for edge, ends in is_closed_by_edge.items() if not all(ends)))
        kinds_by_edge.update((grid.edge_id(edge), ("river",)) for edge in river_course)
    dry_edges = [edge for edge in land_edges if edge not in river_course]
    ridge_edges = find_ridges(grid, earth, needed, dry_edges, crossed_edges(grid, rivers))
    kinds_by_edge.update((grid.edge_id(edge), ("ridge",)) for edge in ridge_edges)
    return dict(sorted(kinds_by_edge.items()))


def _classify_terrain(land: float, other: float, lake: float, river: float) -> str:
    if lake >= _LEAST_LAND_SHARE:
        return SEA
    if land >= _LEAST_LAND_SHARE or (land > other and land + other >= _LEAST_LAND_SHARE):
        return WATER if lake >= _LEAST_LAKE_SHARE or river >= _LEAST_RIVER_LENGTH else PLAINS
    return BLOCKED if other >= _LEAST_LAND_SHARE else SEA


def _project_shape(shape: BaseGeometry, crs: str) -> BaseGeometry:
    def move(points: NDArray[np.float64]) -> NDArray[np.float64]:
        east, north = transformer(crs).transform(points[:, 0], points[:, 1])
        return np.column_stack([east, north])

    dense_shape = shapely.segmentize(shape, _VERTEX_DISTANCE_M / 111_000)
    return shapely.make_valid(shapely.transform(dense_shape, move)) if not dense_shape.is_empty else dense_shape


def _make_grid(land: BaseGeometry, crs: str, wanted: SamplingOptions) -> tuple[HexGrid, GridEarth]:
    """Return the smallest grid with a margin around the land."""
    if (wanted.hex_km is None) == (wanted.columns is None):
        raise ChoiceError("give either --hex-km or --columns")
    west, south, east, north = land.bounds
    flat = wanted.offset.endswith("q")
    row_ratio = math.sqrt(3) / 2
    if wanted.hex_km is not None:
        size_m = wanted.hex_km * 1000
    else:
        inner_columns = max(1, (wanted.columns or 0) - 2)
        size_m = (east - west) / (inner_columns * (row_ratio if flat else 1.0))
    column_step_m, row_step_m = (row_ratio * size_m, size_m) if flat else (size_m, row_ratio * size_m)
    columns = wanted.columns or math.ceil((east - west) / column_step_m) + 2
    rows = math.ceil((north - south) / row_step_m) + 2
    if columns * rows > MOST_HEXES:
        raise ChoiceError(f"{columns:,} by {rows:,} hexagons are more than {MOST_HEXES:,}; choose larger ones")
    grid = HexGrid(offset=wanted.offset, columns=columns, rows=rows, size_mm=wanted.size_mm, labels="A1")
    metres_a_mm = size_m / wanted.size_mm
    width, height = grid.extent_mm
    left = (west + east) / 2 - width * metres_a_mm / 2
    top = (south + north) / 2 + height * metres_a_mm / 2
    earth = GridEarth(crs=crs, metres_per_mm=round(metres_a_mm, 4), left=round(left, 1), top=round(top, 1))
    return grid, earth


def _covered_shares(cells: Sequence[BaseGeometry], shape: BaseGeometry) -> NDArray[np.float64]:
    """Return the share of each hexagon that an area covers, 0 to 1."""
    shapely.prepare(shape)
    hex_areas = np.array([cell.area for cell in cells])
    return np.asarray(shapely.area(shapely.intersection(np.array(cells), shape)) / hex_areas)


def _choose_cities(
    region: LandRegion, grid: HexGrid, earth: GridEarth, terrain: dict[str, str], wanted: SamplingOptions
) -> tuple[tuple[SampledCity, ...], tuple[str, ...]]:
    """Choose cities: half of them the largest places, the others far from all cities; note places left out."""
    land_count = sum(kind in (PLAINS, WATER, MOUNTAIN) for kind in terrain.values())
    city_count = wanted.cities or max(2, land_count // _HEXES_A_CITY)
    grid_points = earth.to_grid([(place.lon, place.lat) for place in region.places])
    placed_places = [(place, grid.hex_at(at)) for place, at in zip(region.places, grid_points, strict=True)]
    placed_places = [(place, cube) for place, cube in placed_places if cube in grid]
    chosen = _choose_places(placed_places, city_count)
    notes = _note_left_out(placed_places, chosen, grid)
    cities: list[SampledCity] = []
    used_ids: set[str] = set()
    for number, (place, cube) in enumerate(sorted(chosen, key=lambda one: -one[0].population)):
        hex_id = grid.hex_id(cube)
        if terrain[hex_id] in (SEA, BLOCKED):
            terrain_text = "sea" if terrain[hex_id] == SEA else "another country"
            notes.append(
                f"{place.name} lies in hexagon {hex_id}, which is mostly {terrain_text}; "
                "the hexagon was made "
                "plains: move the city or paint the hexagon if that is wrong"
            )
            terrain[hex_id] = PLAINS
        city_id = slug(place.name) or "city"
        city_id = city_id if city_id not in used_ids else f"{city_id}-{hex_id}"
        used_ids.add(city_id)
        is_port = any(terrain.get(grid.hex_id(neighbour)) == SEA for neighbour in cube.neighbours())
        cities.append(SampledCity(city_id, place.name, hex_id, 3 if number < city_count * _LARGE_SHARE else 2, is_port))
    return tuple(cities), tuple(notes)


def _choose_places(spots: Sequence[_PlacedPlace], most: int) -> list[_PlacedPlace]:
    """Choose half of the cities by size, the others far from cities already chosen."""
    places_by_cube: dict[Cube, list[_PlacedPlace]] = {}
    for placed_place in spots:
        places_by_cube.setdefault(placed_place[1], []).append(placed_place)
    chosen: list[_PlacedPlace] = []
    for count, apart in (
        (most * _SIZE_SHARE, _LEAST_DISTANCE),
        (most, 2 * _LEAST_DISTANCE + 1),
        (most, 2 * _LEAST_DISTANCE),
        (most, _LEAST_DISTANCE),
    ):
        for place, cube in spots:
            if len(chosen) >= count:
                break
            if _is_far_enough(cube, chosen, apart):
                nearby_places = [
                    places_by_cube[nearby_cube][0]
                    for nearby_cube in hexes_within(cube, 1)
                    if nearby_cube in places_by_cube and _is_far_enough(nearby_cube, chosen, _LEAST_DISTANCE + 1)
                ]
                chosen.append(max(((place, cube), *nearby_places), key=lambda spot: spot[0].population))
    return chosen


def _is_far_enough(cube: Cube, chosen: Sequence[_PlacedPlace], apart: int) -> bool:
    return all(hex_distance(cube, other) >= apart for _, other in chosen)


def _note_left_out(spots: Sequence[_PlacedPlace], chosen: Sequence[_PlacedPlace], grid: HexGrid) -> list[str]:
    """Return notes on large places that share a hexagon with a city."""
    city_by_cube = {cube: place for place, cube in chosen}
    least_population = min((place.population for place, _ in chosen), default=0)
    lost_places = [
        (place, cube)
        for place, cube in spots
        if cube in city_by_cube
        and city_by_cube[cube] != place
        and place.population > max(least_population, city_by_cube[cube].population * _LARGE_SHARE)
    ]
    notes = [
        f"{place.name} lies in hexagon {grid.hex_id(cube)} with {city_by_cube[cube].name} and was left out; "
        "put it into a hexagon beside with add-city, or use smaller hexagons"
        for place, cube in lost_places[:_MOST_NOTES]
    ]
    if len(lost_places) > _MOST_NOTES:
        notes.append(f"{len(lost_places) - _MOST_NOTES} more places lie in the hexagon of a city and were left out")
    return notes
