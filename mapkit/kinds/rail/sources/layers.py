"""Author's own layers: GeoJSON files of the package that replace layers of the base map."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, TypeVar

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from mapkit.core import heavy
from mapkit.core.base import Point
from mapkit.core.errors import SourceError, did_you_mean
from mapkit.core.names import fold
from mapkit.core.plurals import join_some
from mapkit.formats.degrees import LAST_LAT, LAST_LON
from mapkit.formats.lines.features import FeatureLayer, ImportOptions
from mapkit.formats.lines.geojson import read_geojson
from mapkit.formats.tables import Problems
from mapkit.geography.own_layers import Layer, Polygon, Polyline

NAME: Final = "name"
"""Attribute with the text of a label."""
REGION: Final = "region"
"""Attribute with the region of an area."""
MAX_BYTES: Final = 16 * 2**20
MAX_POINTS: Final = 300_000
"""Limit for one file; the board file contains all points, and would become too large for other programs."""
T = TypeVar("T")

_DEGREE_DECIMALS: Final = 5
_WGS84: Final = "OGC:CRS84"


def read_areas(data: bytes, *, file: str) -> tuple[Polygon, ...]:
    """Return the areas of a layer, degrees (EPSG:4326), to five decimals.

    Args:
        data: The file's bytes.
        file: Its name, for messages.

    Raises:
        SourceError: It is too large, not GeoJSON in degrees, or a feature is not an area; each is named.
    """
    feature_layer = _read_features(data, file, ImportOptions(plain=True))
    return tuple(
        polygon
        for _, feature_polygons in _iterate_shapes(feature_layer, _to_polygons, "an area")
        for polygon in feature_polygons
    )


def read_polylines(data: bytes, *, file: str) -> tuple[Polyline, ...]:
    """Return the lines of a layer, and the outlines of its areas, as in `read_areas`."""
    feature_layer = _read_features(data, file, ImportOptions(plain=True))
    return tuple(
        line
        for _, feature_lines in _iterate_shapes(feature_layer, _to_polylines, "a line or area")
        for line in feature_lines
    )


def read_region_areas(data: bytes, regions: Mapping[str, str], *, file: str) -> dict[str, tuple[Polygon, ...]]:
    """Return the areas of regions by id, as in `read_areas`.

    Args:
        data: The file's bytes.
        regions: Region id -> its name; the attribute `region` of a feature is one of both.
        file: The file's name, for messages.

    Raises:
        SourceError: As for `read_areas`, or a feature names no region of the board.
    """
    feature_layer = _read_features(data, file, ImportOptions(column=REGION))
    if REGION not in feature_layer.values:
        raise SourceError(f"{file}: no feature has the property {REGION!r}; give each the id or name of its region")
    region_by_name = {
        fold(region_text): region_id for region_id, name in regions.items() for region_text in (name, region_id)
    }
    problems = Problems()
    polygons_by_region: dict[str, list[Polygon]] = {}
    for feature_index, feature_polygons in _iterate_shapes(feature_layer, _to_polygons, "an area"):
        region_value = feature_layer.values[REGION][feature_index]
        region_id = region_by_name.get(fold(region_value)) if isinstance(region_value, str) else None
        if region_id is None:
            hint = did_you_mean(str(region_value), (*regions, *regions.values()))
            hint = hint or f"; the regions are {join_some(regions)}"
            problems.add(
                f"{feature_layer.labels[feature_index]}: region is {str(region_value)[:80]!r}, "
                f"which board.toml does not have{hint}"
            )
        else:
            polygons_by_region.setdefault(region_id, []).extend(feature_polygons)
    problems.raise_if_any()
    return {region_id: tuple(polygons_by_region[region_id]) for region_id in regions if region_id in polygons_by_region}


def read_labels(data: bytes, *, file: str) -> dict[str, tuple[Point, ...]]:
    """Return the points of labels by the attribute `name`, sorted by name, as in `read_areas`."""
    feature_layer = _read_features(data, file, ImportOptions(column=NAME))
    points_by_name: dict[str, list[Point]] = {}
    for feature_index, points in _iterate_shapes(feature_layer, _to_points, "a point"):
        points_by_name.setdefault(str(feature_layer.values[NAME][feature_index]), []).extend(points)
    return {name: tuple(points) for name, points in sorted(points_by_name.items())}


def _read_features(data: bytes, file: str, options: ImportOptions) -> FeatureLayer:
    if len(data) > MAX_BYTES:
        raise SourceError(f"{file}: {len(data)} bytes, the limit of a layer is {MAX_BYTES}; simplify it")
    feature_layer, notes = read_geojson(data, file=file, stem=file, options=options)
    if notes:
        raise SourceError(notes)
    if feature_layer.crs is None or not _is_in_degrees(feature_layer.crs):
        raise SourceError(
            f"{file}: its CRS is {feature_layer.crs or 'unknown'}; export it in longitude and latitude (EPSG:4326)"
        )
    point_count = int(shapely.get_num_coordinates(feature_layer.geometries).sum())
    if point_count > MAX_POINTS:
        raise SourceError(f"{file}: {point_count} points, the limit of a layer is {MAX_POINTS}; simplify its lines")
    return feature_layer


def _is_in_degrees(crs: str) -> bool:
    try:
        layer_crs = heavy.pyproj.CRS.from_user_input(crs)
    except heavy.pyproj.exceptions.CRSError:
        return False
    return layer_crs.equals(_WGS84, ignore_axis_order=True)


def _iterate_shapes(
    layer: FeatureLayer, take: Callable[[BaseGeometry], Sequence[T] | None], what: str
) -> Iterator[tuple[int, Sequence[T]]]:
    """Yield the number and the shapes of each feature with a geometry.

    Raises:
        SourceError: Features have another shape, or lie beyond the world; each is named.
    """
    problems = Problems()
    feature_shapes = []
    for feature_index, shape in enumerate(layer.geometries):
        if shape is None or shape.is_empty:
            continue
        west, south, east, north = shape.bounds
        taken_shapes = take(shape)
        if max(-west, east) > LAST_LON or max(-south, north) > LAST_LAT:
            problems.add(
                f"{layer.labels[feature_index]}: reaches to lon {west:g} to {east:g}, "
                f"lat {south:g} to {north:g}, which is not on "
                "earth; write degrees, longitude first"
            )
        elif taken_shapes is None:
            problems.add(f"{layer.labels[feature_index]}: a {shape.geom_type}, where {what} should be; remove it")
        else:
            feature_shapes.append((feature_index, taken_shapes))
    problems.raise_if_any()
    yield from feature_shapes


def _split_parts(shape: BaseGeometry) -> list[Any]:
    """Return the parts of a geometry, and of a collection's parts."""
    return list(shapely.get_parts(shapely.get_parts(shapely.get_parts(shape))))


def _to_polygons(shape: BaseGeometry) -> Sequence[Polygon] | None:
    polygon_parts = _split_parts(shape)
    if any(part.geom_type != "Polygon" for part in polygon_parts):
        return None
    rings_by_part = [[part.exterior, *part.interiors] for part in polygon_parts]
    return [tuple(_round_points(ring) for ring in part_rings) for part_rings in rings_by_part]


def _to_points(shape: BaseGeometry) -> Sequence[Point] | None:
    return list(_round_points(shape)) if shape.geom_type in ("Point", "MultiPoint") else None


def _to_polylines(shape: BaseGeometry) -> Sequence[Polyline] | None:
    polyline_list: list[Polyline] = []
    for part in _split_parts(shape):
        if part.geom_type == "Polygon":
            polyline_list += [_round_points(ring) for ring in (part.exterior, *part.interiors)]
        elif part.geom_type == "LineString":
            polyline_list.append(_round_points(part))
        else:
            return None
    return polyline_list


def _round_points(line: BaseGeometry) -> Polyline:
    """Return the points of a line, to five decimals (about a metre)."""
    return tuple((x, y) for x, y in np.round(shapely.get_coordinates(line), _DEGREE_DECIMALS).tolist())


@lru_cache(maxsize=16)
def read_layer(name: str, data: bytes, file: str, regions: tuple[tuple[str, str], ...]) -> Layer:
    """Return a layer by its name in `[layers]`; cached, because a board is compiled again after each edit.

    Raises:
        SourceError: The file is wrong; the error names every wrong feature.
    """
    if name == "regions":
        return read_region_areas(data, dict(regions), file=file)
    if name == "labels":
        return read_labels(data, file=file)
    return read_areas(data, file=file) if name in ("land", "lakes") else read_polylines(data, file=file)
