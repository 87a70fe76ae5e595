"""Base map on the page: shipped layers projected to millimetres and clipped to the map's area."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import MultiLineString, MultiPolygon
from shapely.geometry.base import BaseGeometry

from mapkit.core import heavy
from mapkit.core.base import Area, Point
from mapkit.geography.basemap import AREAS, Geometries, Level, gather_parts, level_for, load_layer
from mapkit.geography.own_layers import OwnLayers, Polygon
from mapkit.geography.projection import Projection

_LONGEST_EDGE_DEG: Final = 1.0
_SIMPLIFY_MM: Final = 0.06
_SMALLEST_LAKE_MM2: Final = 0.3
_WORLD: Final = (-180.0, -90.0, 180.0, 90.0)
_HALF_TURN: Final = 180.0
_SEAM_MM: Final = 0.02
"""Parts of land nearer to each other than twice this across longitude 180 are one."""


Warp = Callable[[NDArray[np.float64]], NDArray[np.float64]]
"""Points of the page as projected, shape (n, 2) -> where they are drawn."""


@dataclass(frozen=True)
class AdminArea:
    """An administrative area that regions may follow, in page millimetres."""

    code: str
    name: str
    shape: BaseGeometry


@dataclass(frozen=True)
class Backdrop:
    """Everything below the railroads, in page millimetres, clipped to `area`; borders over lakes are not drawn."""

    area: Area
    land: BaseGeometry
    lakes: tuple[BaseGeometry, ...]
    states: tuple[AdminArea, ...]
    country_borders: BaseGeometry
    state_borders: BaseGeometry
    borders_over_water: BaseGeometry = field(default_factory=shapely.MultiLineString)
    rivers: BaseGeometry = field(default_factory=shapely.MultiLineString)
    """Main rivers; draw lakes over them."""
    regions: Mapping[str, BaseGeometry] = field(default_factory=dict)
    """Region (id) -> its areas, where the author gives them."""
    mountains: tuple[BaseGeometry, ...] = ()
    """Ridges, and closed outlines of mountains."""
    labels: tuple[tuple[str, Point], ...] = ()
    """Names of seas, bays and ranges, with their middles."""
    warp: Warp | None = None
    """What moved all of it from where it is projected to; none once the ground is laid, for it is large."""


def load_backdrop(
    projection: Projection,
    area: Area,
    warp: Warp | None = None,
    own: OwnLayers | None = None,
    level: Level | None = None,
) -> Backdrop:
    """Project layers, move them by `warp` and clip them to `area`.

    Args:
        projection: That of the page.
        area: Of the page, millimetres.
        warp: Moves the points of the page.
        own: The author's own layers, each in place of a shipped one.
        level: How fine the shipped layers are; as the scale of the page needs by default.
    """
    own = own or OwnLayers()
    level = level or level_for(projection.scale_mm_per_m)
    projector = _PageProjector(projection, area, warp, level)
    land_shapes = projector.place(projector.near("land") if own.land is None else [_merge_polygons(own.land)])
    lake_shapes = projector.place(
        [lake for lake in projector.near("lakes") if not lake.is_empty]
        if own.lakes is None
        else [_keep_areas(_valid_polygon(polygon)) for polygon in own.lakes]
    )
    admin_areas, state_shapes = load_layer("us-states", level), projector.place(projector.near("us-states"))
    country_lines, is_over_water = projector.near("countries"), load_layer("countries", level).over_water
    borders_by_water = {
        over_water: projector.place(country_lines[is_over_water == over_water]) for over_water in (False, True)
    }
    state_borders = projector.place(projector.near("us-state-borders"))[0]
    if own.borders is not None:
        borders_by_water = {
            False: projector.place([MultiLineString(own.borders)]),
            True: projector.place([MultiLineString()]),
        }
        state_borders = MultiLineString()
    river_lines = projector.place(projector.near("rivers") if own.rivers is None else [MultiLineString(own.rivers)])
    own_regions = own.regions or {}
    big_lakes = [lake for lake in lake_shapes if lake.area >= _SMALLEST_LAKE_MM2]
    return Backdrop(
        area=area,
        land=shapely.union_all(land_shapes) if len(land_shapes) > 1 else land_shapes[0],
        lakes=tuple(big_lakes),
        states=tuple(
            AdminArea(code, name, shape)
            for code, name, shape in sorted(
                zip(admin_areas.codes, admin_areas.names, state_shapes, strict=True), key=lambda one: one[0]
            )
            if not shape.is_empty
        ),
        country_borders=shapely.GeometryCollection(list(borders_by_water[False])),
        state_borders=state_borders,
        borders_over_water=shapely.GeometryCollection(list(borders_by_water[True])),
        rivers=shapely.GeometryCollection(list(river_lines)),
        regions=dict(
            zip(
                own_regions,
                projector.place([_merge_polygons(polygons) for polygons in own_regions.values()]),
                strict=True,
            )
        )
        if own_regions
        else {},
        mountains=tuple(
            part
            for shape in (projector.place([MultiLineString(own.mountains)]) if own.mountains else ())
            for part in shapely.get_parts(shape)
        ),
        labels=tuple(
            (name, point) for name, points in (own.labels or {}).items() for point in projector.place_points(points)
        ),
        warp=warp,
    )


def _merge_polygons(polygons: Sequence[Polygon]) -> BaseGeometry:
    """Return the union of polygons, touching or overlapping; crossing rings are repaired."""
    return _keep_areas(shapely.union_all([_valid_polygon(polygon) for polygon in polygons]))


def _valid_polygon(polygon: Polygon) -> BaseGeometry:
    return shapely.make_valid(shapely.Polygon(polygon[0], polygon[1:]))


def _keep_areas(shape: BaseGeometry) -> BaseGeometry:
    """Return the areas of a shape, without lines and points."""
    simple_parts = (part for sub_shape in shapely.get_parts(shape) for part in shapely.get_parts(sub_shape))
    return MultiPolygon([part for part in simple_parts if part.geom_type == "Polygon"])


def place_lines(
    lines: Sequence[BaseGeometry] | Geometries, projection: Projection, area: Area, warp: Warp | None = None
) -> Geometries:
    """Return lines on the page, processed like the base map: projected, slightly simplified, clipped to `area`.

    Args:
        lines: Lines in degrees (EPSG:4326).
        projection: That of the page.
        area: Of the page, millimetres.
        warp: Moves the points of the page.

    Returns:
        One MultiLineString in page millimetres for each line, empty where none of it is in `area`.
    """
    return _PageProjector(projection, area, warp).place(lines)


class _PageProjector:
    """Conversion of geometries in degrees to the page."""

    def __init__(self, projection: Projection, area: Area, warp: Warp | None, level: Level = "50m") -> None:
        self._warp = warp
        self._level = level
        self._projection = projection
        self._area = area
        self._transformer = heavy.pyproj.Transformer.from_crs("EPSG:4326", projection.crs, always_xy=True)
        self._windows = self._visible_windows()

    def near(self, layer: str) -> Geometries:
        """Return the possibly visible parts of each feature, in degrees."""
        return load_layer(layer, self._level).near(self._windows[0] if len(self._windows) == 1 else _WORLD)

    def _clip_to_windows(self, geometries: Sequence[BaseGeometry] | Geometries) -> Geometries:
        clipped = [_clip_geometries(geometries, window) for window in self._windows]
        if len(clipped) == 1:
            return clipped[0]
        parts, owner = shapely.get_parts(np.concatenate(clipped), return_index=True)
        dimension = int(shapely.get_dimensions(np.asarray(geometries, dtype=object)).max(initial=0))
        return gather_parts(parts, owner % len(geometries), len(geometries), dimension)

    def place(self, geometries: Sequence[BaseGeometry] | Geometries) -> Geometries:
        """Return the geometries on the page, clipped and slightly simplified; some may be empty."""
        dense_lines = shapely.segmentize(self._clip_to_windows(geometries), _LONGEST_EDGE_DEG)
        page_shapes = shapely.transform(dense_lines, self._to_page)
        if len(self._windows) > 1 or self._windows == (_WORLD,):
            joined_shapes = np.array(page_shapes, dtype=object)
            west, _, east, _ = shapely.bounds(dense_lines).reshape(-1, 4).T
            reaches_seam = (west <= -_HALF_TURN) & (east >= _HALF_TURN) & (shapely.get_dimensions(dense_lines) == AREAS)
            for index in np.flatnonzero(reaches_seam):
                degree_parts, page_parts = shapely.get_parts(dense_lines[index]), shapely.get_parts(page_shapes[index])
                part_west, _, part_east, _ = shapely.bounds(degree_parts).reshape(-1, 4).T
                is_cut = (part_west <= -_HALF_TURN) | (part_east >= _HALF_TURN)
                is_cut &= shapely.intersects(shapely.box(*self._area), shapely.envelope(page_parts))
                if is_cut.any():
                    widened_parts = shapely.buffer(page_parts[is_cut], _SEAM_MM, join_style="mitre")
                    whole_area = shapely.buffer(shapely.union_all(widened_parts), -_SEAM_MM, join_style="mitre")
                    joined_shapes[index] = MultiPolygon([*page_parts[~is_cut], *shapely.get_parts(whole_area)])
            page_shapes = joined_shapes
        page_shapes = shapely.simplify(page_shapes, _SIMPLIFY_MM, preserve_topology=True)
        return _clip_geometries(_repair_geometries(page_shapes), self._area)

    def place_points(self, points: Sequence[Point]) -> list[Point]:
        """Return the points on the page that lie in the area."""
        left, top, right, bottom = self._area
        page_points = self._to_page(np.array(points, dtype=np.float64)).tolist()
        return [(x, y) for x, y in page_points if left <= x <= right and top <= y <= bottom]

    def _to_page(self, degrees: NDArray[np.float64]) -> NDArray[np.float64]:
        east, north = self._transformer.transform(degrees[:, 0], degrees[:, 1])
        p = self._projection
        x = p.offset_x_mm + p.scale_mm_per_m * np.asarray(east)
        y = p.offset_y_mm - p.scale_mm_per_m * np.asarray(north)
        page_points = np.column_stack((x, y)).clip(-1e5, 1e5)
        return page_points if self._warp is None else self._warp(page_points)

    def _visible_windows(self) -> tuple[Area, ...]:
        """Return the window of longitude and latitude that the area shows, with a margin; two across longitude 180."""
        left, top, right, bottom = self._area
        xs, ys = np.meshgrid(np.linspace(left, right, 13), np.linspace(top, bottom, 13))
        p = self._projection
        east_m, north_m = (xs - p.offset_x_mm) / p.scale_mm_per_m, (p.offset_y_mm - ys) / p.scale_mm_per_m
        lon, lat = self._transformer.transform(east_m.ravel(), north_m.ravel(), direction="INVERSE")
        lon, lat = np.asarray(lon), np.asarray(lat)
        if not np.isfinite(lon).all():
            return (_WORLD,)
        margin_deg = 0.5
        south, north = max(float(lat.min()) - margin_deg, -90.0), min(float(lat.max()) + margin_deg, 90.0)
        if float(np.ptp(lon)) > _HALF_TURN:
            lon = lon % (2 * _HALF_TURN)
            if float(np.ptp(lon)) > _HALF_TURN:
                return (_WORLD,)
            west, east = float(lon.min()) - margin_deg, float(lon.max()) + margin_deg - 2 * _HALF_TURN
            return (west, south, _HALF_TURN, north), (-_HALF_TURN, south, east, north)
        west, east = max(float(lon.min()) - margin_deg, -_HALF_TURN), min(float(lon.max()) + margin_deg, _HALF_TURN)
        return ((west, south, east, north),)


def _repair_geometries(geometries: NDArray[Any]) -> NDArray[Any]:
    """Return areas without crossing rings, and lines without those shrunk to a point."""
    is_invalid = ~shapely.is_valid(geometries)
    if is_invalid.any():
        geometries = geometries.copy()
        is_area = shapely.get_dimensions(geometries) == AREAS
        geometries[is_invalid & is_area] = shapely.buffer(geometries[is_invalid & is_area], 0)
        geometries[is_invalid & ~is_area] = MultiLineString()
    return geometries


def _clip_geometries(geometries: Sequence[BaseGeometry] | Geometries, window: Area) -> Geometries:
    """Return the parts of geometries of equal dimension inside a window."""
    whole_geometries = np.asarray(geometries, dtype=object)
    parts, part_owners = shapely.get_parts(whole_geometries, return_index=True)
    left, top, right, bottom = shapely.bounds(parts).reshape(-1, 4).T
    is_visible = (left <= window[2]) & (right >= window[0]) & (top <= window[3]) & (bottom >= window[1])
    is_inside = (left >= window[0]) & (right <= window[2]) & (top >= window[1]) & (bottom <= window[3])
    is_crossing = is_visible & ~is_inside
    cut_parts, crossing_indices = shapely.get_parts(
        shapely.intersection(parts[is_crossing], shapely.box(*window)), return_index=True
    )
    dimension = int(shapely.get_dimensions(whole_geometries).max(initial=0))
    is_same_dimension = (shapely.get_dimensions(cut_parts) == dimension) & ~shapely.is_empty(cut_parts)
    return gather_parts(
        np.concatenate((parts[is_inside], cut_parts[is_same_dimension])),
        np.concatenate((part_owners[is_inside], part_owners[is_crossing][crossing_indices[is_same_dimension]])),
        len(whole_geometries),
        dimension,
    )
