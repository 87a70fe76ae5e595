"""The base map on the page: the shipped layers projected to millimetres and clipped to the map's area."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any, Final

import numpy as np
import pyproj
import shapely
from numpy.typing import NDArray
from shapely import MultiLineString, MultiPolygon
from shapely.geometry.base import BaseGeometry

from mapkit.model.board import Projection
from mapkit.render.basemap import Feature, load_layer, shared_borders

Area = tuple[float, float, float, float]
"""Left, top, right, bottom in millimetres."""

_LONGEST_EDGE_DEG: Final = 1.0
_SIMPLIFY_MM: Final = 0.06
_SMALLEST_LAKE_MM2: Final = 0.3
_WORLD: Final = (-180.0, -90.0, 180.0, 90.0)
_HALF_TURN: Final = 180.0
_AREA: Final = 2
_LATITUDE: Final = itemgetter(1)


@dataclass(frozen=True)
class State:
    """An administrative area that the regions may follow, in page millimetres."""

    code: str
    name: str
    shape: BaseGeometry


@dataclass(frozen=True)
class Backdrop:
    """Everything below the railroads, in page millimetres, clipped to `area`; borders over lakes are not drawn."""

    area: Area
    land: BaseGeometry
    lakes: tuple[BaseGeometry, ...]
    states: tuple[State, ...]
    country_borders: BaseGeometry
    state_borders: BaseGeometry
    borders_over_water: BaseGeometry = field(default_factory=shapely.MultiLineString)
    rivers: BaseGeometry = field(default_factory=shapely.MultiLineString)
    """Main rivers; draw lakes over them."""


Warp = Callable[[NDArray[np.float64]], NDArray[np.float64]]
"""Points of the page as projected, shape (n, 2) -> where they are drawn."""


def load_backdrop(projection: Projection, area: Area, warp: Warp | None = None) -> Backdrop:
    """Project the shipped layers, move them by `warp` and clip them to `area`."""
    sheet = _Sheet(projection, area, warp)
    land = sheet.place([sheet.near(f) for f in load_layer("land")])
    lakes = sheet.place([lake for f in load_layer("lakes") if not (lake := sheet.near(f)).is_empty])
    features = load_layer("us-states")
    states = sheet.place([sheet.near(f) for f in features])
    inner = shapely.MultiLineString(shared_borders(features))
    borders = {
        wet: sheet.place([f.to_multilinestring() for f in load_layer("countries") if f.over_water == wet])
        for wet in (False, True)
    }
    rivers = sheet.place([f.to_multilinestring() for f in load_layer("rivers")])
    big_lakes = [lake for lake in lakes if lake.area >= _SMALLEST_LAKE_MM2]
    return Backdrop(
        area=area,
        land=shapely.union_all(land) if len(land) > 1 else land[0],
        lakes=tuple(big_lakes),
        states=tuple(
            State(f.code, f.name, shape)
            for f, shape in sorted(zip(features, states, strict=True), key=lambda pair: pair[0].code)
            if not shape.is_empty
        ),
        country_borders=shapely.GeometryCollection(list(borders[False])),
        state_borders=sheet.place([inner])[0],
        borders_over_water=shapely.GeometryCollection(list(borders[True])),
        rivers=shapely.GeometryCollection(list(rivers)),
    )


class _Sheet:
    """Takes geometries in degrees to the page."""

    def __init__(self, projection: Projection, area: Area, warp: Warp | None) -> None:
        self._warp = warp
        self._projection = projection
        self._area = area
        self._transformer = pyproj.Transformer.from_crs("EPSG:4326", projection.crs, always_xy=True)
        self._window = self._degrees_seen()

    def near(self, feature: Feature) -> BaseGeometry:
        """Return the polygons of a feature that may be seen, in degrees; building them all would take long."""
        west, south, east, north = self._window
        seen = [
            shapely.Polygon(outer, holes)
            for outer, *holes in feature.polygons
            if max(outer)[0] >= west
            and min(outer)[0] <= east
            and max(map(_LATITUDE, outer)) >= south
            and min(map(_LATITUDE, outer)) <= north
        ]
        return shapely.MultiPolygon(seen)

    def place(self, geometries: Sequence[BaseGeometry]) -> NDArray[Any]:
        """Return the geometries on the page, clipped and slightly simplified; some may be empty."""
        rough = np.array([_clip(g, self._window) for g in geometries], dtype=object)
        fine = shapely.segmentize(rough, _LONGEST_EDGE_DEG)
        page = shapely.transform(fine, self._to_page)
        page = shapely.simplify(page, _SIMPLIFY_MM, preserve_topology=True)
        return np.array([_clip(g, self._area) for g in _valid(page)], dtype=object)

    def _to_page(self, degrees: NDArray[np.float64]) -> NDArray[np.float64]:
        east, north = self._transformer.transform(degrees[:, 0], degrees[:, 1])
        p = self._projection
        x = p.offset_x_mm + p.scale_mm_per_m * np.asarray(east)
        y = p.offset_y_mm - p.scale_mm_per_m * np.asarray(north)
        page = np.column_stack((x, y)).clip(-1e5, 1e5)
        return page if self._warp is None else self._warp(page)

    def _degrees_seen(self) -> Area:
        """Return the window of longitude and latitude that the area shows, with a margin."""
        left, top, right, bottom = self._area
        xs, ys = np.meshgrid(np.linspace(left, right, 13), np.linspace(top, bottom, 13))
        p = self._projection
        east, north = (xs - p.offset_x_mm) / p.scale_mm_per_m, (p.offset_y_mm - ys) / p.scale_mm_per_m
        lon, lat = self._transformer.transform(east.ravel(), north.ravel(), direction="INVERSE")
        lon, lat = np.asarray(lon), np.asarray(lat)
        if not np.isfinite(lon).all() or float(np.ptp(lon)) > _HALF_TURN:
            return _WORLD
        margin = 0.5
        return (
            max(float(lon.min()) - margin, -180.0),
            max(float(lat.min()) - margin, -90.0),
            min(float(lon.max()) + margin, 180.0),
            min(float(lat.max()) + margin, 90.0),
        )


def _valid(geometries: NDArray[Any]) -> NDArray[Any]:
    bad = ~shapely.is_valid(geometries)
    if bad.any():
        geometries = geometries.copy()
        geometries[bad] = shapely.buffer(geometries[bad], 0)
    return geometries


def _clip(geometry: BaseGeometry, window: Area) -> BaseGeometry:
    """Return the part of a geometry inside a window, of the same dimension."""
    parts = shapely.get_parts(geometry)
    window_box = shapely.box(*window)
    left, top, right, bottom = shapely.bounds(parts).T if len(parts) else np.empty((4, 0))
    seen = (left <= window[2]) & (right >= window[0]) & (top <= window[3]) & (bottom >= window[1])
    whole = (left >= window[0]) & (right <= window[2]) & (top >= window[1]) & (bottom <= window[3])
    cut = shapely.get_parts(shapely.intersection(parts[seen & ~whole], window_box))
    dimension = shapely.get_dimensions(geometry)
    cut = cut[(shapely.get_dimensions(cut) == dimension) & ~shapely.is_empty(cut)]
    kept = np.concatenate((parts[whole], cut))
    return MultiPolygon(list(kept)) if dimension == _AREA else MultiLineString(list(kept))
