"""Mapping of the lines of imported files to railroads, `drawings/mapping.csv`.

```
file,by,key,railroad
east.gpkg,column:OPERATOR,Pennsylvania RR,prr
east.gpkg,column:OPERATOR,Amtrak,
scan.svg,layer,*,nyc
```
"""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from mapkit.core.errors import SourceError, did_you_mean
from mapkit.core.names import fold
from mapkit.core.plurals import count_noun
from mapkit.formats.lines.features import ImportOptions, split_keys
from mapkit.formats.tables import Problems, Row, read_table
from mapkit.formats.traced import TracedLayer
from mapkit.kinds.rail.tables import Railroad

HEADER = ("file", "by", "key", "railroad")
BY = ("layer", "group", "id", "own", "class", "auto", "column")
REST = "*"

_COLUMN_PREFIX = "column:"
_OWNER_MARKS = re.compile(r"[;/,&+|]")
_LAYER_PREFIX = re.compile(r"(?i)^(?:layer|group|ebene|calque)[-_. ]+")
_NUMBER_SUFFIX = re.compile(r"[-_. ]?[0-9]+$")


@dataclass(frozen=True)
class FileMapping:
    """Mapping of the keys of one file to railroads.

    Attributes:
        by: `"column"`, or another source of the key.
        column: The column, if by column.
        railroads: Railroad ids by key; None for keys whose lines are left out; `"*"` is every other key.
        where: Its first row, for messages.
    """

    by: str
    column: str | None
    railroads: dict[str, str | None]
    where: str


def read_mapping(text: str, *, file: str = "drawings/mapping.csv") -> dict[str, FileMapping]:
    """Return the mapping of each file in the table.

    Columns: `file` (its name in `drawings/`), `by` (`layer`, `column:NAME`; in an SVG also `group`, `id`, `own`,
    `class` or `auto`, as in `read_svg`), `key` (`*` for all other keys, empty for lines without one), `railroad` (its
    id; empty to leave the lines out).

    Raises:
        SourceError: A row is incomplete, a key appears twice, or a file is mapped in two ways.
    """
    rows_by_file: dict[str, list[Row]] = {}
    problems = Problems()
    for row in read_table(text, file=file, required=HEADER):
        key_source = row.cells["by"]
        if not row.cells["file"]:
            problems.add(row.at("file may not be empty; fill it in"))
        elif key_source not in BY[:-1] and not (
            key_source.startswith(_COLUMN_PREFIX) and key_source.removeprefix(_COLUMN_PREFIX).strip()
        ):
            problems.add(row.at(f"by is {key_source!r}; write layer, group, id, own, class, auto or column:NAME"))
        else:
            rows_by_file.setdefault(row.cells["file"], []).append(row)
    mapping_by_file: dict[str, FileMapping] = {}
    for file_name, file_rows in rows_by_file.items():
        key_source = file_rows[0].cells["by"]
        railroad_by_key: dict[str, str | None] = {}
        for row in file_rows:
            key = row.cells["key"]
            if row.cells["by"] != key_source:
                problems.add(row.at(f"{file_name} is mapped by {key_source} above; map a file in one way"))
            elif key in railroad_by_key:
                problems.add(row.at(f"key {key!r} of {file_name} appears twice; remove one"))
            railroad_by_key[key] = row.cells["railroad"] or None
        source_kind, _, column_name = key_source.partition(":")
        mapping_by_file[file_name] = FileMapping(
            source_kind, column_name.strip() or None, railroad_by_key, file_rows[0].at("")[:-2]
        )
    problems.raise_if_any()
    return mapping_by_file


def mapped_options(options: ImportOptions, mapping: FileMapping | None) -> ImportOptions:
    """Return the options for reading a file with the keys of its mapping."""
    match mapping:
        case FileMapping(by="column"):
            return replace(options, column=mapping.column)
        case FileMapping(by="layer" | "group" | "id" | "own" | "class" | "auto" as by):
            return replace(options, column="" if by == "layer" else options.column, key_from=by)
    return options


def choose_keys(layer: TracedLayer, railroads: Mapping[str, Railroad], *, mapped: Collection[str] = ()) -> TracedLayer:
    """Return a layer where each line has the nearest key that names a railroad, and one line for each of its owners.

    A key of several railroads (`RR; BL`) gives the line to each; with `/`, `,`, `&` or `+` only if all are known.

    Args:
        layer: A layer as read.
        railroads: Railroads of the board.
        mapped: Keys that the author maps.
    """
    folded_names = {fold(text) for key, railroad in railroads.items() for text in (key, railroad.name)}
    marks = {railroad.short for railroad in railroads.values()}

    def is_known(key: str) -> bool:
        return key in mapped or key in marks or (bool(fold(key)) and fold(key) in folded_names)

    owners_by_names: dict[tuple[str, ...], tuple[str, ...]] = {}
    rows: list[tuple[int, str]] = []
    for index, (key, alternates) in enumerate(zip(layer.line_keys, layer.alternates, strict=True)):
        names = (key, *alternates)
        if names not in owners_by_names:
            owners_by_names[names] = _owners(names, is_known)
        rows += [(index, owner) for owner in owners_by_names[names]]
    indices = [index for index, _ in rows]
    return replace(
        layer,
        lines=layer.lines[indices],
        line_keys=tuple(owner for _, owner in rows),
        line_features=tuple(layer.line_features[index] for index in indices),
        line_levels=tuple(layer.levels[index] for index in indices),
        line_alternates=(),
    )


def _owners(names: Sequence[str], is_known: Callable[[str], bool]) -> tuple[str, ...]:
    """Return the railroads of a line by its names, the nearest first; its own key if none names one."""
    for name in names:
        for text in dict.fromkeys((name, _LAYER_PREFIX.sub("", name), _NUMBER_SUFFIX.sub("", name))):
            owners = [part.strip() for part in _OWNER_MARKS.split(text) if part.strip()]
            if is_known(text):
                return (text,)
            if len(owners) > 1 and all(map(is_known, owners)):
                return tuple(dict.fromkeys(owners))
    return split_keys(names[0]) if ";" in names[0] else (names[0],)


def line_railroads(
    layer: TracedLayer, known: dict[str, str], mapping: FileMapping | None = None
) -> tuple[str | None, ...]:
    """Return the railroad of each line; None for a line that the mapping leaves out.

    With a mapping, it must contain each key (or `*`). Without one, a key is the id or the name of a railroad,
    regardless of case and punctuation.

    Args:
        layer: The lines, with their keys.
        known: Names of the board's railroads by id.
        mapping: The author's mapping of this file.

    Raises:
        SourceError: A key has no railroad, or an unknown one; the error lists each with its first line.
    """
    problems = Problems()
    railroad_by_key: dict[str, str | None] = {}
    features_by_key: dict[str, list[str]] = {}
    for key, feature in zip(layer.line_keys, layer.line_features, strict=True):
        features_by_key.setdefault(key, []).append(feature)
    ids_by_fold = _ids_by_fold(known)
    for key, features in features_by_key.items():
        try:
            railroad_by_key[key] = _find_railroad(key, known, ids_by_fold, mapping)
        except SourceError as error:
            problems.add(f"{features[0]}: {error} ({count_noun(len(features), 'line')})")
    problems.raise_if_any()
    return tuple(railroad_by_key[key] for key in layer.line_keys)


def point_railroads(
    layer: TracedLayer, known: dict[str, str], mapping: FileMapping | None = None
) -> tuple[tuple[str, ...] | None, ...]:
    """Return the railroads that stop at each point: ids, none for all railroads there; None for an omitted point.

    A point's own railroads take precedence over its layer. A layer counts if it is that of a railroad; `*` of a mapping
    counts only if it is the only key of the file.

    Raises:
        SourceError: A point has an unknown railroad.
    """
    problems = Problems()
    ids_by_fold = _ids_by_fold(known)
    point_railroad_list: list[tuple[str, ...] | None] = []
    for feature, owners, layer_name in zip(layer.point_features, layer.owners, layer.layers, strict=True):
        try:
            point_ids = [_find_railroad(key, known, ids_by_fold, mapping) for key in owners] or _railroads_of_layer(
                layer_name, known, ids_by_fold, mapping
            )
        except SourceError as error:
            problems.add(f"{feature}: {error}")
            continue
        known_ids = tuple(sorted({railroad_id for railroad_id in point_ids if railroad_id}))
        point_railroad_list.append(None if point_ids and not known_ids else known_ids)
    problems.raise_if_any()
    return tuple(point_railroad_list)


def _railroads_of_layer(
    key: str, railroad_names: dict[str, str], ids_by_fold: dict[str, set[str]], mapping: FileMapping | None
) -> list[str | None]:
    if mapping is not None and key not in mapping.railroads:
        return list(mapping.railroads.values()) if set(mapping.railroads) == {REST} else []
    try:
        return [_find_railroad(key, railroad_names, ids_by_fold, mapping)] if key else []
    except SourceError:
        return []


def _ids_by_fold(railroad_names: dict[str, str]) -> dict[str, set[str]]:
    ids_by_fold: dict[str, set[str]] = {}
    for railroad_id, name in railroad_names.items():
        ids_by_fold.setdefault(fold(railroad_id), set()).add(railroad_id)
        ids_by_fold.setdefault(fold(name), set()).add(railroad_id)
    return ids_by_fold


def _find_railroad(
    key: str, railroad_names: dict[str, str], ids_by_fold: dict[str, set[str]], mapping: FileMapping | None
) -> str | None:
    if mapping is not None:
        if key not in mapping.railroads and REST not in mapping.railroads:
            hint = did_you_mean(key, mapping.railroads)
            raise SourceError(f"the mapping has no row for key {key!r}{hint}; add one, or one for '*'")
        railroad_id = mapping.railroads.get(key, mapping.railroads.get(REST))
        if railroad_id is not None and railroad_id not in railroad_names:
            hint = did_you_mean(railroad_id, railroad_names)
            raise SourceError(f"{mapping.where}: no railroad {railroad_id!r} for key {key!r}{hint}")
        return railroad_id
    if key in railroad_names:
        return key
    matched_ids = ids_by_fold.get(fold(key), set()) if key else set()
    if len(matched_ids) == 1:
        return next(iter(matched_ids))
    if not key:
        raise SourceError("a line without a railroad; name the railroad of such lines with --map =RAILROAD")
    hint = did_you_mean(key, [*railroad_names, *railroad_names.values()])
    problem = f"fits {', '.join(sorted(matched_ids))}" if matched_ids else "is not a railroad of the board"
    raise SourceError(f"key {key!r} {problem}{hint}; add it to railroads.csv or to drawings/mapping.csv")
