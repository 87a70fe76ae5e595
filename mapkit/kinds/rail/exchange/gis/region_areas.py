"""Ground of each region in degrees, as the drawn board tints it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from mapkit.core import heavy
from mapkit.geography.backdrop import load_backdrop
from mapkit.geography.own_layers import OwnLayers
from mapkit.geography.projection import Projection
from mapkit.kinds.rail.model.board import Board, City, Milepost, Page, Region
from mapkit.kinds.rail.render.ground.region_ground import region_tints
from mapkit.kinds.rail.render.page_areas import divide_page

Ring = tuple[tuple[float, float], ...]
Polygons = tuple[tuple[Ring, ...], ...]
"""Polygons, each its outer ring (against the clock) and its holes (with it), closed: `(lon, lat)` in degrees."""

_DECIMALS: Final = 4
_GRID_DEG: Final = 10.0**-_DECIMALS
_MIN_AREA_DEG2: Final = 1e-4


@dataclass(frozen=True)
class _AreaInputs:
    """Inputs that determine the ground of regions, used as cache key by the formats of one export."""

    projection: Projection
    page: Page
    regions: tuple[Region, ...]
    mileposts: tuple[Milepost, ...]
    cities: tuple[City, ...]
    layers: tuple[object, ...]
    board: Board = field(compare=False)


def region_areas(board: Board) -> Mapping[str, Polygons]:
    """Return the polygons of each region (id) in degrees (EPSG:4326), to four decimals; none without cities.

    They follow from the cities and the base map, so no format reads them back.
    """
    own_layers = _hashable_layers(board.layers)
    return _compute_areas(
        _AreaInputs(board.projection, board.page, board.regions, board.mileposts, board.cities, own_layers, board)
    )


def _hashable_layers(layers: OwnLayers | None) -> tuple[object, ...]:
    return () if layers is None else (layers.land, layers.lakes, layers.borders, tuple((layers.regions or {}).items()))


@lru_cache(maxsize=2)
def _compute_areas(sites: _AreaInputs) -> Mapping[str, Polygons]:
    board = sites.board
    page_area, _ = divide_page(board)
    region_shapes = region_tints(board, load_backdrop(board.projection, page_area, own=board.layers))
    transformer = heavy.pyproj.Transformer.from_crs("EPSG:4326", board.projection.crs, always_xy=True)
    board_projection = board.projection

    def to_degrees(xy: NDArray[np.float64]) -> NDArray[np.float64]:
        east, north = (
            (xy[:, 0] - board_projection.offset_x_mm) / board_projection.scale_mm_per_m,
            (board_projection.offset_y_mm - xy[:, 1]) / board_projection.scale_mm_per_m,
        )
        lon, lat = transformer.transform(east, north, direction="INVERSE")
        return np.column_stack((lon, lat))

    return {
        region.id: _clean_polygons(shapely.transform(region_shapes[region.id], to_degrees)) for region in board.regions
    }


def _clean_polygons(shape: BaseGeometry) -> Polygons:
    """Return the valid polygons of a shape on a grid, without specks, in a fixed order."""
    if shape.is_empty or not np.isfinite(shapely.get_coordinates(shape)).all():
        return ()
    gridded_shape = shapely.set_precision(shapely.make_valid(shape), _GRID_DEG)
    large_polygons = [
        q for q in shapely.get_parts(gridded_shape) if q.geom_type == "Polygon" and q.area >= _MIN_AREA_DEG2
    ]
    sorted_polygons = [shapely.normalize(q) for q in large_polygons]
    sorted_polygons.sort(key=lambda q: (-q.area, q.bounds))
    return tuple(
        (_orient_ring(q.exterior, ccw=True), *(_orient_ring(hole, ccw=False) for hole in q.interiors))
        for q in sorted_polygons
    )


def _orient_ring(ring: shapely.LinearRing, *, ccw: bool) -> Ring:
    ring_points = [(round(x, _DECIMALS), round(y, _DECIMALS)) for x, y in ring.coords]
    return tuple(ring_points if ring.is_ccw == ccw else ring_points[::-1])
