"""The ground of each region in degrees, as the drawn board tints it."""

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
from mapkit.kinds.rail.render.ground.tints import region_tints
from mapkit.kinds.rail.render.page_areas import page_areas

Ring = tuple[tuple[float, float], ...]
Polygons = tuple[tuple[Ring, ...], ...]
"""Polygons, each its outer ring (against the clock) and its holes (with it), closed: `(lon, lat)` in degrees."""

_DECIMALS: Final = 4
_GRID: Final = 10.0**-_DECIMALS
_LEAST_DEG2: Final = 1e-4


@dataclass(frozen=True)
class _Sites:
    """What the ground depends on; the formats of one export share what was calculated for it."""

    projection: Projection
    page: Page
    regions: tuple[Region, ...]
    mileposts: tuple[Milepost, ...]
    cities: tuple[City, ...]
    layers: tuple[object, ...]
    board: Board = field(compare=False)


def region_areas(board: Board) -> Mapping[str, Polygons]:
    """Return region id -> polygons in degrees (EPSG:4326), to four decimals; none for a region without cities.

    They follow from the cities and the base map, so no format reads them back.
    """
    own = _hashable(board.layers)
    return _areas(_Sites(board.projection, board.page, board.regions, board.mileposts, board.cities, own, board))


def _hashable(layers: OwnLayers | None) -> tuple[object, ...]:
    return () if layers is None else (layers.land, layers.lakes, layers.borders, tuple((layers.regions or {}).items()))


@lru_cache(maxsize=2)
def _areas(sites: _Sites) -> Mapping[str, Polygons]:
    board = sites.board
    area, _ = page_areas(board)
    tints = region_tints(board, load_backdrop(board.projection, area, own=board.layers))
    transformer = heavy.pyproj.Transformer.from_crs("EPSG:4326", board.projection.crs, always_xy=True)
    p = board.projection

    def to_degrees(xy: NDArray[np.float64]) -> NDArray[np.float64]:
        east, north = (xy[:, 0] - p.offset_x_mm) / p.scale_mm_per_m, (p.offset_y_mm - xy[:, 1]) / p.scale_mm_per_m
        lon, lat = transformer.transform(east, north, direction="INVERSE")
        return np.column_stack((lon, lat))

    return {region.id: _polygons(shapely.transform(tints[region.id], to_degrees)) for region in board.regions}


def _polygons(shape: BaseGeometry) -> Polygons:
    """Return the polygons of a shape, valid, on a grid, without specks, in a fixed order."""
    if shape.is_empty or not np.isfinite(shapely.get_coordinates(shape)).all():
        return ()
    gridded = shapely.set_precision(shapely.make_valid(shape), _GRID)
    parts = [q for q in shapely.get_parts(gridded) if q.geom_type == "Polygon" and q.area >= _LEAST_DEG2]
    ordered = [shapely.normalize(q) for q in parts]
    ordered.sort(key=lambda q: (-q.area, q.bounds))
    return tuple((_ring(q.exterior, ccw=True), *(_ring(hole, ccw=False) for hole in q.interiors)) for q in ordered)


def _ring(ring: shapely.LinearRing, *, ccw: bool) -> Ring:
    points = [(round(x, _DECIMALS), round(y, _DECIMALS)) for x, y in ring.coords]
    return tuple(points if ring.is_ccw == ccw else points[::-1])
