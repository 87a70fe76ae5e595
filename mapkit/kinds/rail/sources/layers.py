"""The author's own layers: GeoJSON files of the package that are drawn in place of the base map's."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, Literal, TypeVar

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from mapkit.core import heavy
from mapkit.core.errors import SourceError, did_you_mean
from mapkit.core.names import fold
from mapkit.formats.degrees import LAST_LAT, LAST_LON
from mapkit.formats.lines.features import FeatureLayer, ImportOptions
from mapkit.formats.lines.geojson import read_geojson
from mapkit.formats.tables import Problems
from mapkit.geography.own_layers import Polygon, Polyline

LayerName = Literal["land", "lakes", "rivers", "borders", "regions"]

REGION: Final = "region"
"""The attribute that names the region of an area."""
MAX_BYTES: Final = 16 * 2**20
MAX_POINTS: Final = 300_000
"""Of one file. The board file carries all of them, so it would grow beyond what other programs load."""
T = TypeVar("T")

_DECIMALS: Final = 5
_WGS84: Final = "OGC:CRS84"


def read_areas(data: bytes, *, file: str) -> tuple[Polygon, ...]:
    """Return the areas of a layer, degrees (EPSG:4326), to five decimals.

    Args:
        data: The file's bytes.
        file: Its name, for messages.

    Raises:
        SourceError: It is too large, not GeoJSON in degrees, or a feature is not an area; each is named.
    """
    layer = _read(data, file, ImportOptions(plain=True))
    return tuple(polygon for _, found in _shapes(layer, _polygons, "an area") for polygon in found)


def read_polylines(data: bytes, *, file: str) -> tuple[Polyline, ...]:
    """Return the lines of a layer, and the outlines of its areas; as `read_areas`."""
    layer = _read(data, file, ImportOptions(plain=True))
    return tuple(line for _, found in _shapes(layer, _polylines, "a line or area") for line in found)


def read_region_areas(data: bytes, regions: Mapping[str, str], *, file: str) -> dict[str, tuple[Polygon, ...]]:
    """Return the areas of regions by id; as `read_areas`.

    Args:
        data: The file's bytes.
        regions: Region id -> its name; the attribute `region` of a feature is one of both.
        file: The file's name, for messages.

    Raises:
        SourceError: As for `read_areas`, or a feature names no region of the board.
    """
    layer = _read(data, file, ImportOptions(column=REGION))
    if REGION not in layer.values:
        raise SourceError(f"{file}: no feature has the property {REGION!r}; give each the id or name of its region")
    known = {fold(text): ident for ident, name in regions.items() for text in (name, ident)}
    problems = Problems()
    out: dict[str, list[Polygon]] = {}
    for at, found in _shapes(layer, _polygons, "an area"):
        value = layer.values[REGION][at]
        ident = known.get(fold(value)) if isinstance(value, str) else None
        if ident is None:
            hint = did_you_mean(str(value), (*regions, *regions.values()))
            hint = hint or f"; the regions are {', '.join(regions)}"
            problems.add(f"{layer.labels[at]}: region is {str(value)[:80]!r}, which board.toml does not have{hint}")
        else:
            out.setdefault(ident, []).extend(found)
    problems.raise_if_any()
    return {ident: tuple(out[ident]) for ident in regions if ident in out}


def _read(data: bytes, file: str, options: ImportOptions) -> FeatureLayer:
    if len(data) > MAX_BYTES:
        raise SourceError(f"{file}: {len(data)} bytes, the limit of a layer is {MAX_BYTES}; simplify it")
    layer, notes = read_geojson(data, file=file, stem=file, options=options)
    if notes:
        raise SourceError(notes)
    if layer.crs is None or not _in_degrees(layer.crs):
        raise SourceError(
            f"{file}: its CRS is {layer.crs or 'unknown'}; export it in longitude and latitude (EPSG:4326)"
        )
    count = int(shapely.get_num_coordinates(layer.geometries).sum())
    if count > MAX_POINTS:
        raise SourceError(f"{file}: {count} points, the limit of a layer is {MAX_POINTS}; simplify its lines")
    return layer


def _in_degrees(crs: str) -> bool:
    try:
        found = heavy.pyproj.CRS.from_user_input(crs)
    except heavy.pyproj.exceptions.CRSError:
        return False
    return found.equals(_WGS84, ignore_axis_order=True)


def _shapes(
    layer: FeatureLayer, take: Callable[[BaseGeometry], Sequence[T] | None], what: str
) -> Iterator[tuple[int, Sequence[T]]]:
    """Yield the number of each feature that has a geometry, and its shapes.

    Raises:
        SourceError: Features have another shape, or lie beyond the world; each is named.
    """
    problems = Problems()
    out = []
    for at, shape in enumerate(layer.geometries):
        if shape is None or shape.is_empty:
            continue
        west, south, east, north = shape.bounds
        found = take(shape)
        if max(-west, east) > LAST_LON or max(-south, north) > LAST_LAT:
            problems.add(
                f"{layer.labels[at]}: reaches to lon {west:g} to {east:g}, lat {south:g} to {north:g}, which is not on "
                "earth; write degrees, longitude first"
            )
        elif found is None:
            problems.add(f"{layer.labels[at]}: a {shape.geom_type}, where {what} should be; take it out")
        else:
            out.append((at, found))
    problems.raise_if_any()
    yield from out


def _parts(shape: BaseGeometry) -> list[Any]:
    """Return the parts of a geometry, and of a collection's parts."""
    return list(shapely.get_parts(shapely.get_parts(shapely.get_parts(shape))))


def _polygons(shape: BaseGeometry) -> Sequence[Polygon] | None:
    parts = _parts(shape)
    if any(part.geom_type != "Polygon" for part in parts):
        return None
    rings = [[part.exterior, *part.interiors] for part in parts]
    return [tuple(_points(ring) for ring in of) for of in rings]


def _polylines(shape: BaseGeometry) -> Sequence[Polyline] | None:
    out: list[Polyline] = []
    for part in _parts(shape):
        if part.geom_type == "Polygon":
            out += [_points(ring) for ring in (part.exterior, *part.interiors)]
        elif part.geom_type == "LineString":
            out.append(_points(part))
        else:
            return None
    return out


def _points(line: BaseGeometry) -> Polyline:
    """Return the points of a line, to five decimals (about a metre)."""
    return tuple((x, y) for x, y in np.round(shapely.get_coordinates(line), _DECIMALS).tolist())


Layer = tuple[Polygon, ...] | tuple[Polyline, ...] | dict[str, tuple[Polygon, ...]]


@lru_cache(maxsize=16)
def read_layer(name: LayerName, data: bytes, file: str, regions: tuple[tuple[str, str], ...]) -> Layer:
    """Return a layer by its name in `[layers]`; remembered, for a board is compiled again after each edit.

    Raises:
        SourceError: The file is wrong; every feature that is wrong is named.
    """
    if name == "regions":
        return read_region_areas(data, dict(regions), file=file)
    return read_polylines(data, file=file) if name in ("rivers", "borders") else read_areas(data, file=file)
