"""Conversion of features of any imported format into traced lines and pinned mileposts in EPSG:4326.

Readers of single formats return layers unchanged; this module does everything that all formats share: reprojection,
parts and collections, third dimensions, missing geometry, polygons, the antimeridian.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Final, NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray

from mapkit.core import heavy
from mapkit.core.errors import ChoiceError, SourceError, did_you_mean
from mapkit.core.plurals import count_noun
from mapkit.formats.degrees import LAST_BOARD_LAT, LAST_LON, judge_place
from mapkit.formats.drawn_page import DrawnPage
from mapkit.formats.lines.bends import find_bends
from mapkit.formats.lines.crs_candidates import LAT_LON, PIXELS, infer_crs
from mapkit.formats.lines.filters import Condition, intersect_box, match_conditions
from mapkit.formats.lines.seam import wrap_vertices
from mapkit.formats.tables import Problems
from mapkit.formats.traced import KeyFrom, TracedLayer
from mapkit.operations.options import Flag, Hidden

MAX_FEATURES = 1_000_000
MAX_VERTICES = 50_000_000
MAX_LAYERS = 1000
NAME_COLUMNS = ("name", "label", "title", "station", "milepost")
KEY_COLUMN = "railroad"
LEVEL_COLUMN = "level"
OWNERS_COLUMN = "railroads"
KIND_COLUMN = "kind"
NO_MILEPOSTS = frozenset({"junction", "end", "via"})
"""Values of `KIND_COLUMN` for points that are no mileposts."""
MAX_LEVEL = 99
_WGS84 = "EPSG:4326"
_FILTERS: Final = "mapkit.formats.lines.filters"
_MOST_BEND_DEGREES = 0.001  # about 100 m: how far a straight line of another CRS may be off in degrees

_MAX_LISTED = 20  # features named one by one in notes of one kind
_POINT, _LINE, _RING, _POLYGON = 0, 1, 2, 3
_MULTI_TYPES = (4, 5, 6, 7)
_AREA_TYPES = frozenset({3, 6, 7})

Geometries = NDArray[np.object_]
_AddNote = Callable[[NDArray[np.int64], str], None]


@dataclass(frozen=True, kw_only=True)
class ImportOptions:
    """Options of an import.

    Attributes:
        column: The attribute with the railroad; 'railroad' by default. Without it each layer is one railroad, as with
            an empty name.
        name_column: The attribute with the mileposts' names; the first of `NAME_COLUMNS` there is by default, whatever
            its case.
        crs: The CRS of files that state none; 'latlon' for degrees with the latitude first, 'pixels' for those of a
            picture, whatever the file states.
        layers: Read this layer only; may be repeated.
        encoding: Encoding of a Shapefile's attributes, such as cp1252.
        key_from: Where an SVG names the railroad of a line.
        bbox: Take only what reaches into this box, in degrees; geodata only.
        where: Take only features with this attribute, or without it (!=); geodata only; may be repeated.
        rings: Take the rings of polygons as lines; otherwise polygons are left out.
        centre_lines: The file holds outlines of lines: take the lines along their middle. Polygons are outlines then.
        plain: Lines and points only: no column says anything.
        map_layers: The layers of an SVG named land, lakes, rivers, mountains, regions and labels are the base map of
            an invented land, and hold no track.
        key_column: The column that is used if `column` is None and there is no `KEY_COLUMN`; set by the format.
        find_places: Returns cities of the board in degrees, by which the CRS of a file is inferred for a message.
    """

    column: Annotated[str | None, Flag("-c", "NAME", "The attribute with the railroad; 'railroad' by default.")] = None
    name_column: Annotated[str | None, Flag("", "NAME", "The attribute with the mileposts' names.")] = None
    crs: Annotated[
        str | None,
        Flag(
            "",
            "EPSG:n",
            "The CRS of files that state none; 'latlon' for degrees with the latitude first, 'pixels' for those of a "
            "picture.",
        ),
    ] = None
    layers: Annotated[Sequence[str], Flag("--layer -l", "NAME")] = ()
    encoding: Annotated[str | None, Flag("", "NAME")] = None
    key_from: Annotated[KeyFrom, Flag("", "auto|own|group|layer|id|class")] = "auto"
    bbox: Annotated[tuple[float, float, float, float] | None, Flag("", "W,S,E,N", parse=f"{_FILTERS}:parse_bbox")] = (
        None
    )
    where: Annotated[
        Sequence[Condition], Flag("", "COLUMN=VALUE", reading="settings", parse=f"{_FILTERS}:parse_conditions")
    ] = ()
    rings: Annotated[bool, Flag(help="Take the rings of polygons as lines.")] = False
    centre_lines: Annotated[bool, Flag(help="The file holds outlines of lines: take the lines along their middle.")] = (
        False
    )
    plain: Annotated[bool, Hidden] = False
    map_layers: Annotated[bool, Hidden] = False
    key_column: Annotated[str, Hidden] = ""
    find_places: Annotated[Callable[[], Sequence[tuple[float, float]]], Hidden] = tuple


def chosen_flag(options: ImportOptions, field_name: str) -> str:
    """Return the command-line flag of an option that differs from its default; else an empty text."""
    if getattr(options, field_name) == getattr(ImportOptions(), field_name):
        return ""
    return "--layer" if field_name == "layers" else f"--{field_name.replace('_', '-')}"


class NoCrsError(SourceError):
    """The user must name the CRS: the file states none, or one that its lines contradict.

    Args:
        problems: As of any error in a source.
        suggested_crs: What to offer the user, in the form that `--crs` takes.
    """

    def __init__(self, problems: str | Sequence[str], *, suggested_crs: str = "EPSG:4326") -> None:
        super().__init__(problems)
        self.suggested_crs = suggested_crs


@dataclass(frozen=True, kw_only=True)
class FeatureLayer:
    """A layer as stored in a file.

    Attributes:
        name: The layer, which is the railroad key unless a column is mapped.
        crs: What the file says, anything that pyproj reads; None if it says nothing.
        alternates: Other names of each feature that may be a railroad's, the nearest first; empty if there are none.
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
    alternates: Sequence[tuple[str, ...]] = ()


class WantedColumns(NamedTuple):
    """Names of the meaningful columns; None for a missing or unwanted one."""

    key: str | None
    name: str | None
    level: str | None
    owners: str | None
    kind: str | None


def wanted_columns(columns: Sequence[str], options: ImportOptions) -> WantedColumns:
    """Return the columns of the railroad key, of point names, of a line's level, and of a point's railroads and kind.

    The railroads that stop at a point are in `OWNERS_COLUMN`, or else in the column of the railroad key, unless the
    format chooses that one, such as the layer of a DXF.
    """
    if options.plain:
        return WantedColumns(None, None, None, None, None)
    # GDAL writes other attributes than GPX has with this prefix
    column_by_folded_name = {name.casefold().removeprefix("ogr_"): name for name in reversed(columns)}
    default_key = column_by_folded_name.get(KEY_COLUMN) or column_by_folded_name.get(options.key_column.casefold())
    key = default_key if options.column is None else _match_column(columns, options.column)
    name = (
        _match_column(columns, options.name_column)
        if options.name_column
        else next((column_by_folded_name[name] for name in NAME_COLUMNS if name in column_by_folded_name), None)
    )
    is_chosen = bool(options.column) or KEY_COLUMN in column_by_folded_name
    return WantedColumns(
        key,
        name,
        column_by_folded_name.get(LEVEL_COLUMN),
        column_by_folded_name.get(OWNERS_COLUMN, key if is_chosen else None),
        column_by_folded_name.get(KIND_COLUMN),
    )


def read_columns(columns: Sequence[str], options: ImportOptions) -> list[str]:
    """Return the columns to read: the meaningful ones, and those of conditions."""
    conditions = [_match_column(columns, condition.column) for condition in options.where]
    return [column for column in dict.fromkeys((*wanted_columns(columns, options), *conditions)) if column]


def choose_layers(names: Sequence[str], options: ImportOptions, *, file: str) -> list[str]:
    """Return the layers to read, in the order of the file.

    Raises:
        SourceError: There are too many.
        ChoiceError: One that was asked for is not there.
    """
    for name in options.layers:
        if name not in names:
            hint = did_you_mean(name, names) or f"; it has {', '.join(names[:_MAX_LISTED]) or 'none'}"
            raise ChoiceError(f"{file}: no layer {name!r}{hint}")
    chosen_layers = [name for name in names if not options.layers or name in options.layers]
    if len(chosen_layers) > MAX_LAYERS:
        raise SourceError(f"{file}: {len(chosen_layers)} layers, the limit is {MAX_LAYERS}; name the ones to read")
    return chosen_layers


def describe_features(labels: Sequence[str], what: str) -> list[str]:
    """Return a note for each feature; after the first twenty, one for all others."""
    notes = [f"{label}: {what}" for label in labels[:_MAX_LISTED]]
    more_count = len(labels) - _MAX_LISTED
    return [*notes, f"and {count_noun(more_count, 'more feature')}: {what}"] if more_count > 0 else notes


def to_traced(
    layers: Sequence[FeatureLayer], options: ImportOptions, *, file: str, notes: Sequence[str] = ()
) -> TracedLayer:
    """Return the lines and points of all layers in EPSG:4326, in the order of the file.

    Args:
        layers: What the file holds.
        options: The author's options.
        file: The file's name, for messages.
        notes: What the reader noted already.

    Raises:
        SourceError: A CRS is missing or unknown, a column is missing, a feature lies outside the world, there is too
            much, or no line and no point at all.
    """
    feature_count = sum(len(layer.labels) for layer in layers)
    if feature_count > MAX_FEATURES:
        raise SourceError(f"{file}: {feature_count} features, the limit is {MAX_FEATURES}; split the file")
    converted_layers = [_convert_layer(layer, options, file) for layer in layers]
    lines = np.concatenate([part.lines for part in converted_layers] or [_empty_geometries()])
    points = np.concatenate([part.points for part in converted_layers] or [_empty_geometries()])
    is_picture = options.crs == PIXELS
    all_notes = (*notes, *(note for part in converted_layers for note in part.notes))
    all_notes += tuple(_describe_unused_options(layers, options, file, line_count=len(lines), point_count=len(points)))
    if not len(lines) and not len(points):
        reasons = "".join(f"\n  {note}" for note in all_notes[:_MAX_LISTED])
        raise SourceError(f"{file}: no line and no point in it; check what was exported{reasons}")
    return TracedLayer(
        file=file,
        crs=None if is_picture else _WGS84,
        lines=lines,
        line_keys=tuple(key for part in converted_layers for key in part.line_keys),
        line_features=tuple(label for part in converted_layers for label in part.line_features),
        points=points,
        point_names=tuple(name for part in converted_layers for name in part.point_names),
        point_features=tuple(label for part in converted_layers for label in part.point_features),
        notes=all_notes,
        line_levels=tuple(level for part in converted_layers for level in part.levels),
        point_owners=tuple(owners for part in converted_layers for owners in part.owners),
        point_layers=tuple(key for part in converted_layers for key in part.layers),
        line_alternates=tuple(names for part in converted_layers for names in part.alternates),
        columns=tuple(dict.fromkeys(column for layer in layers for column in layer.columns)),
        page=_guess_page([*lines, *points]) if is_picture else None,
    )


def _describe_unused_options(
    layers: Sequence[FeatureLayer], options: ImportOptions, file: str, *, line_count: int, point_count: int
) -> Iterator[str]:
    """Yield a note for each option without a shape in the file that it could have an effect on."""
    geometry_types = {int(kind) for layer in layers for kind in np.unique(shapely.get_type_id(layer.geometries))}
    for flag, is_unused, shape in (
        ("--column", bool(options.column) and not line_count, "line"),
        ("--name-column", bool(options.name_column) and not point_count, "point"),
        ("--rings", options.rings and not options.plain and geometry_types.isdisjoint(_AREA_TYPES), "polygon"),
    ):
        if is_unused:
            yield f"{file}: {flag} has no effect, because no {shape} is in it"


def _guess_page(shapes: Sequence[shapely.Geometry]) -> DrawnPage | None:
    """Return the page of a picture of unknown size: from its corner to the farthest shape."""
    left, top, right, bottom = shapely.total_bounds(shapes).tolist()
    return DrawnPage(x=0, y=0, width=right, height=bottom) if min(left, top) >= 0 else None


def _empty_geometries() -> Geometries:
    return np.empty(0, dtype=object)


def _match_column(columns: Sequence[str], name: str) -> str | None:
    """Return the column of this name; another case matches if only one column fits (dBase writes capitals)."""
    if name in columns:
        return name
    similar_columns = [column for column in columns if column.casefold() == name.casefold()]
    return similar_columns[0] if len(similar_columns) == 1 else None


def _convert_layer(layer: FeatureLayer, options: ImportOptions, file: str) -> TracedLayer:
    """Convert one layer; its lines and points may be empty."""
    notes: list[str] = []
    if options.where:
        layer = _filter_features(layer, options.where, file, notes)
    parts, index = _clean(layer, options, notes)
    parts = _reproject_parts(parts, index, layer, options, file, notes)
    if options.bbox is not None:
        is_inside = intersect_box(parts, options.bbox)
        notes += _describe_left_out(file, len(parts) - int(is_inside.sum()), len(parts), "lie outside the box")
        parts, index = parts[is_inside], index[is_inside]
    kinds = shapely.get_type_id(parts)
    is_point = kinds == _POINT
    key, name, level, owners, kind = wanted_columns(layer.columns, options)
    layer_place = f"{file}: layer {layer.name!r}"
    if options.column and key is None and not is_point.all():
        raise ChoiceError(_missing_column(layer_place, options.column, layer.columns))
    if options.name_column and name is None and is_point.any():
        raise ChoiceError(_missing_column(layer_place, options.name_column, layer.columns))
    line_indices = index[~is_point].tolist()
    is_stop = is_point
    if kind is not None:
        kind_texts = [_attribute_text(layer.values[kind][i]).lower() for i in index]
        is_stop = is_point & np.array([text not in NO_MILEPOSTS for text in kind_texts], dtype=np.bool_)
    point_indices = index[is_stop].tolist()
    line_keys = tuple(_attribute_text(layer.values[key][i]) if key else layer.name for i in line_indices)
    keyless_features = sorted({i for i, text in zip(line_indices, line_keys, strict=True) if not text})
    notes += describe_features(
        [layer.labels[i] for i in keyless_features], f"column {key!r} is empty, so it has no railroad"
    )
    return TracedLayer(
        file=file,
        crs="EPSG:4326",
        lines=parts[~is_point],
        line_keys=line_keys,
        line_features=tuple(layer.labels[i] for i in line_indices),
        points=parts[is_stop],
        point_names=tuple(_attribute_text(layer.values[name][i]) if name else "" for i in point_indices),
        point_features=tuple(layer.labels[i] for i in point_indices),
        notes=tuple(notes),
        line_levels=_read_levels(layer, level, line_indices),
        point_owners=tuple(
            split_keys(_attribute_text(layer.values[owners][i])) if owners else () for i in point_indices
        ),
        point_layers=("" if key else layer.name,) * len(point_indices),
        line_alternates=tuple(
            ()
            if options.column is not None
            else (*(layer.alternates[i] if layer.alternates else ()), layer.name, Path(file).stem)
            for i in line_indices
        ),
    )


def _filter_features(layer: FeatureLayer, conditions: Sequence[Condition], file: str, notes: list[str]) -> FeatureLayer:
    """Return a layer with only the features that meet the conditions.

    Raises:
        SourceError: It has no such column.
    """
    texts_by_column: dict[str, list[str]] = {}
    for condition in conditions:
        column = _match_column(layer.columns, condition.column)
        if column is None:
            raise ChoiceError(_missing_column(f"{file}: layer {layer.name!r}", condition.column, layer.columns))
        texts_by_column[condition.column] = [_attribute_text(value) for value in layer.values[column]]
    kept_indices = np.flatnonzero(match_conditions(texts_by_column, conditions, len(layer.labels))).tolist()
    notes += _describe_left_out(
        file, len(layer.labels) - len(kept_indices), len(layer.labels), "do not meet the conditions"
    )
    return replace(
        layer,
        labels=[layer.labels[i] for i in kept_indices],
        geometries=layer.geometries[kept_indices],
        values={column: [values[i] for i in kept_indices] for column, values in layer.values.items()},
        alternates=[layer.alternates[i] for i in kept_indices] if layer.alternates else (),
    )


def _describe_left_out(file: str, count: int, total: int, reason: str) -> list[str]:
    return [f"{file}: {count:,} of {total:,} features {reason}"] if count else []


def split_keys(text: str) -> tuple[str, ...]:
    """Return the keys of a text such as `SP; ATSF`."""
    return tuple(key_text.strip() for key_text in text.split(";") if key_text.strip())


def parse_level(text: str) -> int | None:
    """Return the level in a text, 0 for an empty one, None for an invalid one."""
    if not text:
        return 0
    digits = text.removeprefix("+").removeprefix("-")
    level = int(text) if digits.isascii() and digits.isdigit() and len(digits) <= len(str(MAX_LEVEL)) else MAX_LEVEL + 1
    return level if abs(level) <= MAX_LEVEL else None


def level_error_message(text: str) -> str:
    """Return a message about an invalid level."""
    return f"level is {text[:40]!r}; write a whole number from -{MAX_LEVEL} to {MAX_LEVEL}, or nothing"


def _read_levels(layer: FeatureLayer, column: str | None, lines: Sequence[int]) -> tuple[int, ...]:
    if column is None:
        return (0,) * len(lines)
    level_texts = [_attribute_text(layer.values[column][i]) for i in lines]
    problems = Problems()
    levels = [parse_level(text) for text in level_texts]
    for i, text, level in zip(lines, level_texts, levels, strict=True):
        if level is None:
            problems.add(f"{layer.labels[i]}: {level_error_message(text)}")
    problems.raise_if_any()
    return tuple(level or 0 for level in levels)


def _missing_column(where: str, name: str, columns: Sequence[str]) -> str:
    hint = did_you_mean(name, columns) or f"; it has {', '.join(columns[:_MAX_LISTED]) or 'none'}"
    return f"{where}: no column {name!r}{hint}"


def _attribute_text(value: object) -> str:
    """Return an attribute as text: empty if missing, whole numbers without decimals, lists joined."""
    if isinstance(value, np.ndarray):  # GDAL's lists
        return "; ".join(map(_attribute_text, value.tolist()))
    if value is None or value != value:  # noqa: PLR0124 - NaN stands for a missing number
        return ""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return str(value).strip()


def _clean(layer: FeatureLayer, options: ImportOptions, notes: list[str]) -> tuple[Geometries, NDArray[np.int64]]:
    """Return finite two-dimensional lines and points, and the feature index of each."""

    def note(which: NDArray[np.int64], what: str) -> None:
        notes.extend(describe_features([layer.labels[i] for i in sorted(set(which.tolist()))], what))

    is_missing = shapely.is_missing(layer.geometries)
    note(np.flatnonzero(is_missing), "no geometry; left out")
    index = np.flatnonzero(~is_missing).astype(np.int64)
    parts, index = _split_collections(layer.geometries[index], index, note)
    has_extra_dimensions = shapely.has_z(parts) | shapely.has_m(parts)
    if has_extra_dimensions.any():
        heights, index_of_vertex = shapely.get_coordinates(parts, include_z=True, return_index=True)
        has_extra_dimensions &= np.isin(np.arange(len(parts)), index_of_vertex[np.nan_to_num(heights[:, 2]) != 0])
        note(index[has_extra_dimensions], "has heights or measures; dropped")
        parts = np.asarray(shapely.force_2d(parts), dtype=object)
    vertices, part_of_vertex = shapely.get_coordinates(parts, return_index=True)
    if len(vertices) > MAX_VERTICES:
        file_name = layer.labels[0].rpartition("#")[0]
        raise SourceError(f"{file_name}: {len(vertices)} vertices, the limit is {MAX_VERTICES}; split or simplify it")
    is_finite = np.ones(len(parts), dtype=bool)
    is_finite[part_of_vertex[~np.isfinite(vertices).all(axis=1)]] = False
    note(index[~is_finite], "a coordinate is not a finite number; left out")
    parts, index = parts[is_finite], index[is_finite]
    return _open_rings(parts, index, options, note)


def _split_collections(
    parts: Geometries, index: NDArray[np.int64], add_note: _AddNote
) -> tuple[Geometries, NDArray[np.int64]]:
    """Return the single parts of collections, however nested, without empty ones."""
    while True:
        is_empty = shapely.is_empty(parts)
        add_note(index[is_empty], "an empty geometry; left out")
        parts, index = parts[~is_empty], index[~is_empty]
        if not np.isin(shapely.get_type_id(parts), _MULTI_TYPES).any():
            return parts, index
        parts, collection_indices = shapely.get_parts(parts, return_index=True)
        index = index[collection_indices]


def _open_rings(
    parts: Geometries, index: NDArray[np.int64], options: ImportOptions, add_note: _AddNote
) -> tuple[Geometries, NDArray[np.int64]]:
    """Return polygons and rings as lines, or without the polygons."""
    geometry_types = shapely.get_type_id(parts)
    is_polygon = geometry_types == _POLYGON
    if not (options.rings or options.centre_lines):
        cure = "draw lines, or take its rings (--rings) or the lines along its middle (--centre-lines)"
        add_note(index[is_polygon], f"a polygon, left out; {cure}")
        parts, index, geometry_types, is_polygon = (
            array[~is_polygon] for array in (parts, index, geometry_types, is_polygon)
        )
    if not options.centre_lines:
        add_note(index[is_polygon], "a polygon; its rings are taken as lines")
    opened_parts = parts.copy()
    opened_parts[is_polygon] = shapely.boundary(parts[is_polygon])
    for ring_index in np.flatnonzero(geometry_types == _RING):
        opened_parts[ring_index] = shapely.LineString(opened_parts[ring_index].coords)
    return _split_collections(opened_parts, index, add_note) if is_polygon.any() else (opened_parts, index)


def parse_crs(text: str, *, where: str) -> "heavy.pyproj.CRS":
    """Return the CRS that a text of a file or a user names.

    Raises:
        SourceError: It is unknown.
    """
    try:
        return heavy.pyproj.CRS.from_user_input(text)
    except heavy.pyproj.exceptions.CRSError as error:
        raise SourceError(f"{where}: unknown CRS {text[:80]!r}; give one like EPSG:4326") from error


def _choose_crs(
    layer: FeatureLayer, vertices: NDArray[np.float64], options: ImportOptions, where: str, notes: list[str]
) -> "heavy.pyproj.CRS":
    """Return the CRS of a layer: the one in the file, else the user's, never a guess."""
    stated_crs = parse_crs(layer.crs, where=where) if layer.crs else None
    if stated_crs is not None and stated_crs.name.lower().startswith("undefined"):
        stated_crs = None  # written by GeoPackages without a CRS
    user_crs = parse_crs(options.crs, where="--crs, or tracing.crs in board.toml") if options.crs else None
    if stated_crs is None and user_crs is None:
        candidate = infer_crs(vertices, options.find_places())
        example = candidate.option if candidate else "EPSG:4326"
        hint = f" ({candidate.describe()})" if candidate else ""
        raise NoCrsError(
            f"{where}: it does not state its CRS; name it by --crs, such as --crs {example}, or as "
            f'crs = "{example}" under [tracing] in board.toml{hint}',
            suggested_crs=example,
        )
    if stated_crs is not None and user_crs is not None and not stated_crs.equals(user_crs, ignore_axis_order=True):
        notes.append(f"{where}: states the CRS {stated_crs.name}, which is used, and not {options.crs}, as asked for")
    chosen_crs = stated_crs if stated_crs is not None else user_crs
    assert chosen_crs is not None  # noqa: S101 - one of the two is there
    return chosen_crs.to_2d()


def _reproject_parts(
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
    layer_place = f"{file}: layer {layer.name!r}"
    vertices, part_of_vertex = shapely.get_coordinates(parts, return_index=True)
    if options.crs == PIXELS:  # programs that draw over pictures without a CRS count rows downward from 0
        is_upward = bool((vertices[:, 1] <= 0).all())
        return np.asarray(shapely.set_coordinates(parts.copy(), vertices * (1, -1 if is_upward else 1)), dtype=object)
    if options.crs == LAT_LON:
        vertices, options = vertices[:, ::-1].copy(), replace(options, crs=_WGS84)
        layer, parts = replace(layer, crs=None), shapely.set_coordinates(parts.copy(), vertices)
    elif layer.is_crs_assumed and options.crs is None and _is_outside(wrap_vertices(vertices)).any():
        candidate = infer_crs(vertices, options.find_places())
        if candidate is not None and candidate.option != _WGS84:
            is_outside = _is_outside(wrap_vertices(vertices))
            vertex_index, label = _first_bad_vertices(is_outside, part_of_vertex, index, layer)[0]
            lon, lat = vertices[vertex_index]
            cure = f"{candidate.describe()}; if it is, add --crs {candidate.option}"
            raise SourceError(f"{label}: {judge_place(lon, lat, cure=cure)}")
    crs = _choose_crs(layer, vertices, options, layer_place, notes)
    if not crs.equals(_WGS84, ignore_axis_order=True):
        try:
            transformer = heavy.pyproj.Transformer.from_crs(crs, _WGS84, always_xy=True)
            bends, insert_indices = find_bends(
                vertices,
                part_of_vertex,
                to_degrees=lambda xy: np.column_stack(transformer.transform(xy[:, 0], xy[:, 1])),
                to_plane=None,
                most=_MOST_BEND_DEGREES,
            )
            vertices = np.column_stack(transformer.transform(vertices[:, 0], vertices[:, 1]))
        except heavy.pyproj.exceptions.ProjError as error:
            message = f"{layer_place}: its CRS {crs.name!r} has no place on Earth; name the right one by --crs"
            raise SourceError(message) from error
        vertices, part_of_vertex = (
            np.insert(vertices, insert_indices, bends, axis=0),
            np.insert(part_of_vertex, insert_indices, part_of_vertex[insert_indices]),
        )
        parts = _with_vertices(parts, vertices, part_of_vertex)
    wrapped_vertices = wrap_vertices(vertices)
    if not np.array_equal(wrapped_vertices, vertices):
        parts = shapely.set_coordinates(parts.copy(), wrapped_vertices)
    vertices = wrapped_vertices
    problems = Problems()
    for vertex_index, label in _first_bad_vertices(_is_outside(vertices), part_of_vertex, index, layer):
        lon, lat = vertices[vertex_index]
        cure = (
            "the file states no CRS; name it by --crs, or import it with --into a board with cities, which tell the CRS"
            if layer.is_crs_assumed and options.crs is None
            else f"it is wrong, or not in {crs.name}, the CRS of the file; correct either"
        )
        problems.add(f"{label}: {judge_place(lon, lat, cure=cure)}")
    problems.raise_if_any()
    return parts


def _is_outside(vertices: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return for each vertex in degrees whether it lies outside the world, or too near a pole."""
    is_inside: NDArray[np.bool_] = (np.abs(vertices[:, 0]) <= LAST_LON) & (np.abs(vertices[:, 1]) <= LAST_BOARD_LAT)
    return ~is_inside


def _with_vertices(parts: Geometries, vertices: NDArray[np.float64], part_of_vertex: NDArray[np.int64]) -> Geometries:
    """Return lines and points with other vertices, possibly more of them."""
    moved_parts = parts.copy()
    is_line = shapely.get_type_id(parts) == _LINE
    is_line_vertex = is_line[part_of_vertex]
    moved_parts[is_line] = shapely.linestrings(
        vertices[is_line_vertex], indices=np.cumsum(is_line)[part_of_vertex[is_line_vertex]] - 1
    )
    moved_parts[~is_line] = shapely.points(vertices[~is_line_vertex])
    return moved_parts


def _first_bad_vertices(
    is_bad: NDArray[np.bool_], part_of_vertex: NDArray[np.int64], index: NDArray[np.int64], layer: FeatureLayer
) -> list[tuple[int, str]]:
    """Return the first bad vertex of each feature, with the feature's label."""
    first_by_feature: dict[int, int] = {}
    for vertex_index in np.flatnonzero(is_bad).tolist():
        first_by_feature.setdefault(int(index[part_of_vertex[vertex_index]]), vertex_index)
    return [(vertex_index, layer.labels[feature]) for feature, vertex_index in sorted(first_by_feature.items())]
