"""Features of any imported format become traced lines and pinned mileposts in EPSG:4326.

Readers of a format hand over layers as they stand in the file; what all formats share happens here: reprojection,
parts and collections, third dimensions, missing geometry, polygons, the antimeridian.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray

from mapkit.core import heavy
from mapkit.core.errors import SourceError, did_you_mean
from mapkit.core.plurals import counted
from mapkit.formats.degrees import LAST_LAT, LAST_LON, outside_world, wrap_vertices
from mapkit.formats.lines.bends import find_bends
from mapkit.formats.lines.filters import Condition, matching, reaching
from mapkit.formats.tables import Problems
from mapkit.formats.traced import KeyFrom, TracedLayer

MAX_FEATURES = 1_000_000
MAX_VERTICES = 50_000_000
MAX_LAYERS = 1000
NAME_COLUMNS = ("name", "label", "title", "station", "milepost")
KEY_COLUMN = "railroad"
LEVEL_COLUMN = "level"
OWNERS_COLUMN = "railroads"
KIND_COLUMN = "kind"
NO_MILEPOSTS = frozenset({"junction", "end", "via"})
"""What points say in `KIND_COLUMN` that are no mileposts."""
MAX_LEVEL = 99
_WGS84 = "EPSG:4326"
_LEAST_METRES, _LAST_METRES = 1e4, 20_037_508.35  # coordinates of Web Mercator
_MOST_BEND_DEGREES = 0.001  # about 100 m: how far a straight line of another CRS may be off in degrees

_SHOWN = 20  # features named one by one in notes of one kind
_POINT, _LINE, _RING, _POLYGON = 0, 1, 2, 3
_MULTI = (4, 5, 6, 7)

Geometries = NDArray[np.object_]
_Note = Callable[[NDArray[np.int64], str], None]


@dataclass(frozen=True, kw_only=True)
class ImportOptions:
    """What an author may say about a file.

    Attributes:
        column: The column that names the railroad of a line; None means `KEY_COLUMN` if there is one, else that each
            layer is one railroad; empty means that each layer is.
        name_column: The column with the names of point features; None means the first of `NAME_COLUMNS` there is,
            whatever its case.
        crs: The CRS of layers that state none (`EPSG:3763`).
        layers: The layers to read; empty means all.
        encoding: The encoding of a Shapefile's attributes (`cp1252`); None means what the file says.
        key_from: What names the railroad of a line in an SVG, as `read_svg` has it.
        rings: Take the rings of polygons as lines; otherwise polygons are left out.
        centre_lines: Turn the outlines of lines into the lines along their middle; otherwise a file of outlines gives
            no lines. Polygons are outlines then.
        plain: Lines and points only: no column says anything.
        bbox: Take only what lies in this box or reaches into it: west, south, east, north in degrees. Not for drawings.
        where: Take only features whose attributes meet these conditions. Not for drawings.
    """

    column: str | None = None
    name_column: str | None = None
    crs: str | None = None
    layers: tuple[str, ...] = ()
    encoding: str | None = None
    key_from: KeyFrom = "auto"
    rings: bool = False
    centre_lines: bool = False
    plain: bool = False
    bbox: tuple[float, float, float, float] | None = None
    where: tuple[Condition, ...] = ()


class NoCrsError(SourceError):
    """A file that does not state its CRS, and nobody else did."""


@dataclass(frozen=True, kw_only=True)
class FeatureLayer:
    """A layer as it stands in a file.

    Attributes:
        name: The layer, which is the railroad key unless a column is mapped.
        crs: What the file says, anything that pyproj reads; None if it says nothing.
        is_crs_assumed: Whether the format has a CRS for files that say nothing, which the author may replace.
        labels: What to call each feature (`lines.gpkg:santa_fe#12`).
        geometries: shapely geometries of any type, None where a feature has none.
        columns: All attribute columns.
        values: The columns that `wanted_columns` chose, by name, one value a feature.
    """

    name: str
    crs: str | None
    labels: Sequence[str]
    geometries: Geometries
    columns: tuple[str, ...] = ()
    values: Mapping[str, Sequence[object]] = field(default_factory=dict)
    is_crs_assumed: bool = False


class WantedColumns(NamedTuple):
    """The columns that say something, None for one that is not there or not asked for."""

    key: str | None
    name: str | None
    level: str | None
    owners: str | None
    kind: str | None


def wanted_columns(columns: Sequence[str], options: ImportOptions) -> WantedColumns:
    """Return the columns of the railroad key, of point names, of a line's level, and of a point's railroads and kind.

    A point says in `OWNERS_COLUMN`, else in the column of the railroad key, which railroads stop at it.
    """
    if options.plain:
        return WantedColumns(None, None, None, None, None)
    folded = {name.casefold(): name for name in reversed(columns)}
    key = folded.get(KEY_COLUMN) if options.column is None else _column(columns, options.column)
    name = (
        _column(columns, options.name_column)
        if options.name_column
        else next((folded[name] for name in NAME_COLUMNS if name in folded), None)
    )
    return WantedColumns(key, name, folded.get(LEVEL_COLUMN), folded.get(OWNERS_COLUMN, key), folded.get(KIND_COLUMN))


def read_columns(columns: Sequence[str], options: ImportOptions) -> list[str]:
    """Return the columns that must be read: those that say something, and those of conditions."""
    conditions = [_column(columns, condition.column) for condition in options.where]
    return [column for column in dict.fromkeys((*wanted_columns(columns, options), *conditions)) if column]


def choose_layers(names: Sequence[str], options: ImportOptions, *, file: str) -> list[str]:
    """Return the layers to read, in the order of the file.

    Raises:
        SourceError: There are too many, or one that was asked for is not there.
    """
    for name in options.layers:
        if name not in names:
            hint = did_you_mean(name, names) or f"; it has {', '.join(names[:_SHOWN]) or 'none'}"
            raise SourceError(f"{file}: no layer {name!r}{hint}")
    chosen = [name for name in names if not options.layers or name in options.layers]
    if len(chosen) > MAX_LAYERS:
        raise SourceError(f"{file}: {len(chosen)} layers, the limit is {MAX_LAYERS}; name the ones to read")
    return chosen


def describe(labels: Sequence[str], what: str) -> list[str]:
    """Return a note for each feature; after the first twenty, one for all others."""
    notes = [f"{label}: {what}" for label in labels[:_SHOWN]]
    more = len(labels) - _SHOWN
    return [*notes, f"and {counted(more, 'more feature')}: {what}"] if more > 0 else notes


def to_traced(
    layers: Sequence[FeatureLayer], options: ImportOptions, *, file: str, notes: Sequence[str] = ()
) -> TracedLayer:
    """Return the lines and points of all layers in EPSG:4326, in the order of the file.

    Args:
        layers: What the file holds.
        options: What the author said about it.
        file: The file's name, for messages.
        notes: What the reader noted already.

    Raises:
        SourceError: A CRS is missing or unknown, a column is missing, a feature lies outside the world, there is too
            much, or no line and no point at all.
    """
    count = sum(len(layer.labels) for layer in layers)
    if count > MAX_FEATURES:
        raise SourceError(f"{file}: {count} features, the limit is {MAX_FEATURES}; split the file")
    placed = [_place(layer, options, file) for layer in layers]
    lines = np.concatenate([part.lines for part in placed] or [_none()])
    points = np.concatenate([part.points for part in placed] or [_none()])
    all_notes = (*notes, *(note for part in placed for note in part.notes))
    if not len(lines) and not len(points):
        reasons = "".join(f"\n  {note}" for note in all_notes[:_SHOWN])
        raise SourceError(f"{file}: no line and no point in it; check what was exported{reasons}")
    return TracedLayer(
        file=file,
        crs="EPSG:4326",
        lines=lines,
        line_keys=tuple(key for part in placed for key in part.line_keys),
        line_features=tuple(label for part in placed for label in part.line_features),
        points=points,
        point_names=tuple(name for part in placed for name in part.point_names),
        point_features=tuple(label for part in placed for label in part.point_features),
        notes=all_notes,
        line_levels=tuple(level for part in placed for level in part.levels),
        point_owners=tuple(owners for part in placed for owners in part.owners),
        point_layers=tuple(key for part in placed for key in part.layers),
        columns=tuple(dict.fromkeys(column for layer in layers for column in layer.columns)),
    )


def _none() -> Geometries:
    return np.empty(0, dtype=object)


def _column(columns: Sequence[str], name: str) -> str | None:
    """Return the column of this name; another case will do if only one column fits (dBase writes capitals)."""
    if name in columns:
        return name
    like = [column for column in columns if column.casefold() == name.casefold()]
    return like[0] if len(like) == 1 else None


def _place(layer: FeatureLayer, options: ImportOptions, file: str) -> TracedLayer:
    """Return one layer, whose lines and points may be empty."""
    notes: list[str] = []
    if options.where:
        layer = _only_matching(layer, options.where, file, notes)
    parts, index = _clean(layer, options, notes)
    parts = _to_world(parts, index, layer, options, file, notes)
    if options.bbox is not None:
        inside = reaching(parts, options.bbox)
        notes += _left_out(file, len(parts) - int(inside.sum()), len(parts), "lie outside the box")
        parts, index = parts[inside], index[inside]
    kinds = shapely.get_type_id(parts)
    is_point = kinds == _POINT
    key, name, level, owners, kind = wanted_columns(layer.columns, options)
    where = f"{file}: layer {layer.name!r}"
    if options.column and key is None and not is_point.all():
        raise SourceError(_no_column(where, options.column, layer.columns))
    if options.name_column and name is None and is_point.any():
        raise SourceError(_no_column(where, options.name_column, layer.columns))
    line_at = index[~is_point].tolist()
    stops = is_point
    if kind is not None:
        said = [_text(layer.values[kind][i]).lower() for i in index]
        stops = is_point & np.array([text not in NO_MILEPOSTS for text in said], dtype=np.bool_)
    point_at = index[stops].tolist()
    line_keys = tuple(_text(layer.values[key][i]) if key else layer.name for i in line_at)
    keyless = sorted({i for i, text in zip(line_at, line_keys, strict=True) if not text})
    notes += describe([layer.labels[i] for i in keyless], f"column {key!r} is empty, so it has no railroad")
    return TracedLayer(
        file=file,
        crs="EPSG:4326",
        lines=parts[~is_point],
        line_keys=line_keys,
        line_features=tuple(layer.labels[i] for i in line_at),
        points=parts[stops],
        point_names=tuple(_text(layer.values[name][i]) if name else "" for i in point_at),
        point_features=tuple(layer.labels[i] for i in point_at),
        notes=tuple(notes),
        line_levels=_levels(layer, level, line_at),
        point_owners=tuple(split_keys(_text(layer.values[owners][i])) if owners else () for i in point_at),
        point_layers=("" if key else layer.name,) * len(point_at),
    )


def _only_matching(layer: FeatureLayer, conditions: Sequence[Condition], file: str, notes: list[str]) -> FeatureLayer:
    """Return a layer with the features that meet conditions.

    Raises:
        SourceError: It has no such column.
    """
    texts: dict[str, list[str]] = {}
    for condition in conditions:
        column = _column(layer.columns, condition.column)
        if column is None:
            raise SourceError(_no_column(f"{file}: layer {layer.name!r}", condition.column, layer.columns))
        texts[condition.column] = [_text(value) for value in layer.values[column]]
    kept = np.flatnonzero(matching(texts, conditions, len(layer.labels))).tolist()
    notes += _left_out(file, len(layer.labels) - len(kept), len(layer.labels), "do not meet the conditions")
    return replace(
        layer,
        labels=[layer.labels[i] for i in kept],
        geometries=layer.geometries[kept],
        values={column: [values[i] for i in kept] for column, values in layer.values.items()},
    )


def _left_out(file: str, count: int, whole: int, why: str) -> list[str]:
    return [f"{file}: {count:,} of {whole:,} features {why}"] if count else []


def split_keys(text: str) -> tuple[str, ...]:
    """Return the keys of a text such as `SP; ATSF`."""
    return tuple(part.strip() for part in text.split(";") if part.strip())


def parse_level(text: str) -> int | None:
    """Return the level that a text says, 0 for an empty one, None if it says none."""
    if not text:
        return 0
    plain = text.removeprefix("+").removeprefix("-")
    level = int(text) if plain.isascii() and plain.isdigit() and len(plain) <= len(str(MAX_LEVEL)) else MAX_LEVEL + 1
    return level if abs(level) <= MAX_LEVEL else None


def bad_level(text: str) -> str:
    """Return what is wrong with a level."""
    return f"level is {text[:40]!r}; write a whole number from -{MAX_LEVEL} to {MAX_LEVEL}, or nothing"


def _levels(layer: FeatureLayer, column: str | None, lines: Sequence[int]) -> tuple[int, ...]:
    if column is None:
        return (0,) * len(lines)
    texts = [_text(layer.values[column][i]) for i in lines]
    problems = Problems()
    levels = [parse_level(text) for text in texts]
    for i, text, level in zip(lines, texts, levels, strict=True):
        if level is None:
            problems.add(f"{layer.labels[i]}: {bad_level(text)}")
    problems.raise_if_any()
    return tuple(level or 0 for level in levels)


def _no_column(where: str, name: str, columns: Sequence[str]) -> str:
    hint = did_you_mean(name, columns) or f"; it has {', '.join(columns[:_SHOWN]) or 'none'}"
    return f"{where}: no column {name!r}{hint}"


def _text(value: object) -> str:
    """Return an attribute as text; a missing one is empty, a whole number has no decimals, a list is joined."""
    if isinstance(value, np.ndarray):  # GDAL's lists
        return "; ".join(map(_text, value.tolist()))
    if value is None or value != value:  # noqa: PLR0124 - NaN stands for a missing number
        return ""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return str(value).strip()


def _clean(layer: FeatureLayer, options: ImportOptions, notes: list[str]) -> tuple[Geometries, NDArray[np.int64]]:
    """Return finite two-dimensional lines and points, and the feature that each one is of."""

    def note(which: NDArray[np.int64], what: str) -> None:
        notes.extend(describe([layer.labels[i] for i in sorted(set(which.tolist()))], what))

    missing = shapely.is_missing(layer.geometries)
    note(np.flatnonzero(missing), "no geometry; left out")
    index = np.flatnonzero(~missing).astype(np.int64)
    parts, index = _explode(layer.geometries[index], index, note)
    raised = shapely.has_z(parts) | shapely.has_m(parts)
    note(index[raised], "has heights or measures; dropped")
    parts = np.asarray(shapely.force_2d(parts), dtype=object)
    vertices, of = shapely.get_coordinates(parts, return_index=True)
    if len(vertices) > MAX_VERTICES:
        where = layer.labels[0].rpartition("#")[0]
        raise SourceError(f"{where}: {len(vertices)} vertices, the limit is {MAX_VERTICES}; split or simplify it")
    finite = np.ones(len(parts), dtype=bool)
    finite[of[~np.isfinite(vertices).all(axis=1)]] = False
    note(index[~finite], "a coordinate is not a finite number; left out")
    parts, index = parts[finite], index[finite]
    return _open_rings(parts, index, options, note)


def _explode(parts: Geometries, index: NDArray[np.int64], note: _Note) -> tuple[Geometries, NDArray[np.int64]]:
    """Return the single parts of collections, however nested, without empty ones."""
    while True:
        empty = shapely.is_empty(parts)
        note(index[empty], "an empty geometry; left out")
        parts, index = parts[~empty], index[~empty]
        if not np.isin(shapely.get_type_id(parts), _MULTI).any():
            return parts, index
        parts, of = shapely.get_parts(parts, return_index=True)
        index = index[of]


def _open_rings(
    parts: Geometries, index: NDArray[np.int64], options: ImportOptions, note: _Note
) -> tuple[Geometries, NDArray[np.int64]]:
    """Return polygons and rings as lines, or without the polygons."""
    kinds = shapely.get_type_id(parts)
    polygons = kinds == _POLYGON
    if not (options.rings or options.centre_lines):
        what = "draw lines, or take its rings (--rings) or the lines along its middle (--centre-lines)"
        note(index[polygons], f"a polygon, left out; {what}")
        parts, index, kinds, polygons = (of[~polygons] for of in (parts, index, kinds, polygons))
    if not options.centre_lines:
        note(index[polygons], "a polygon; its rings are taken as lines")
    out = parts.copy()
    out[polygons] = shapely.boundary(parts[polygons])
    for at in np.flatnonzero(kinds == _RING):
        out[at] = shapely.LineString(out[at].coords)
    return _explode(out, index, note) if polygons.any() else (out, index)


def crs_of_text(text: str, *, where: str) -> "heavy.pyproj.CRS":
    """Return the CRS that a file or an author names.

    Raises:
        SourceError: It is unknown.
    """
    try:
        return heavy.pyproj.CRS.from_user_input(text)
    except heavy.pyproj.exceptions.CRSError as error:
        raise SourceError(f"{where}: unknown CRS {text[:80]!r}; give one like EPSG:4326") from error


def _stated_crs(layer: FeatureLayer, options: ImportOptions, where: str, notes: list[str]) -> "heavy.pyproj.CRS":
    """Return the CRS of a layer: what the file says, else what the author says, never a guess."""
    stated = crs_of_text(layer.crs, where=where) if layer.crs else None
    if stated is not None and stated.name.lower().startswith("undefined"):
        stated = None  # what a GeoPackage writes for no CRS
    said = crs_of_text(options.crs, where="--crs, or tracing.crs in board.toml") if options.crs else None
    if stated is None and said is None:
        raise NoCrsError(
            f"{where}: it does not state its CRS; say which one it is, as --crs EPSG:4326, or as "
            'crs = "EPSG:4326" under [tracing] in board.toml'
        )
    if stated is not None and said is not None and not stated.equals(said, ignore_axis_order=True):
        notes.append(f"{where}: states the CRS {stated.name}, which is used, and not {options.crs}, as asked for")
    crs = stated if stated is not None else said
    assert crs is not None  # noqa: S101 - one of the two is there
    return crs.to_2d()


def _to_world(
    parts: Geometries,
    index: NDArray[np.int64],
    layer: FeatureLayer,
    options: ImportOptions,
    file: str,
    notes: list[str],
) -> Geometries:
    """Return the parts in EPSG:4326; an edge across longitude 180 jumps from one side to the other.

    Raises:
        SourceError: The CRS is missing or cannot be used, or a part does not lie on the world's map.
    """
    if not len(parts):
        return parts
    where = f"{file}: layer {layer.name!r}"
    crs = _stated_crs(layer, options, where, notes)
    vertices, of = shapely.get_coordinates(parts, return_index=True)
    if not crs.equals(_WGS84, ignore_axis_order=True):
        try:
            change = heavy.pyproj.Transformer.from_crs(crs, _WGS84, always_xy=True)
            bends, before = find_bends(
                vertices,
                of,
                to_degrees=lambda xy: np.column_stack(change.transform(xy[:, 0], xy[:, 1])),
                to_plane=None,
                most=_MOST_BEND_DEGREES,
            )
            vertices = np.column_stack(change.transform(vertices[:, 0], vertices[:, 1]))
        except heavy.pyproj.exceptions.ProjError as error:
            message = f"{where}: its CRS {crs.name!r} has no place on Earth; say which one it is (--crs)"
            raise SourceError(message) from error
        vertices, of = np.insert(vertices, before, bends, axis=0), np.insert(of, before, of[before])
        parts = _with_vertices(parts, vertices, of)
    vertices = wrap_vertices(vertices)
    parts = shapely.set_coordinates(parts.copy(), vertices)
    outside = ~((np.abs(vertices[:, 0]) <= LAST_LON) & (np.abs(vertices[:, 1]) <= LAST_LAT))
    problems = Problems()
    for at, label in _firsts(outside, of, index, layer):
        lon, lat = vertices[at]
        cure = f"it is wrong, or not in {crs.name}, the CRS of the file; correct either"
        if layer.is_crs_assumed and _LEAST_METRES < np.abs(vertices).max() <= _LAST_METRES:
            cure = "this looks like EPSG:3857 (Web Mercator); if it is, add --crs EPSG:3857"
        problems.add(f"{label}: {outside_world(lon, lat, cure=cure)}")
    problems.raise_if_any()
    return parts


def _with_vertices(parts: Geometries, vertices: NDArray[np.float64], of: NDArray[np.int64]) -> Geometries:
    """Return lines and points with other vertices, which may be more."""
    out = parts.copy()
    lines = shapely.get_type_id(parts) == _LINE
    of_line = lines[of]
    out[lines] = shapely.linestrings(vertices[of_line], indices=np.cumsum(lines)[of[of_line]] - 1)
    out[~lines] = shapely.points(vertices[~of_line])
    return out


def _firsts(
    bad: NDArray[np.bool_], of: NDArray[np.int64], index: NDArray[np.int64], layer: FeatureLayer
) -> list[tuple[int, str]]:
    """Return the first bad vertex of each feature and the feature's label."""
    seen: dict[int, int] = {}
    for at in np.flatnonzero(bad).tolist():
        seen.setdefault(int(index[of[at]]), at)
    return [(at, layer.labels[feature]) for feature, at in sorted(seen.items())]
