"""`drawings/mapping.csv`: which railroad the lines of an imported file belong to.

```
file,by,key,railroad
east.gpkg,column:OPERATOR,Pennsylvania RR,prr
east.gpkg,column:OPERATOR,Amtrak,
scan.svg,layer,*,nyc
```
"""

from dataclasses import dataclass, replace

from mapkit.core.errors import SourceError, did_you_mean
from mapkit.core.names import fold
from mapkit.core.plurals import counted
from mapkit.formats.lines.features import ImportOptions
from mapkit.formats.tables import Problems, Row, read_table
from mapkit.formats.traced import TracedLayer

HEADER = ("file", "by", "key", "railroad")
BY = ("layer", "group", "id", "own", "class", "auto", "column")
REST = "*"

_COLUMN = "column:"


@dataclass(frozen=True)
class FileMapping:
    """What the mapping says of one file.

    Attributes:
        by: `"column"`, or what else gives the key.
        column: The column, if by column.
        railroads: Railroad ids by key; None for keys whose lines are left out; `"*"` is every other key.
        where: The first row that speaks of it, for messages.
    """

    by: str
    column: str | None
    railroads: dict[str, str | None]
    where: str


def read_mapping(text: str, *, file: str = "drawings/mapping.csv") -> dict[str, FileMapping]:
    """Return the mapping of each file that the table names.

    Columns: `file` (as the author names it, below `drawings/`), `by` (`layer`, `column:NAME`; in an SVG also `group`,
    `id`, `own`, `class` or `auto`, as `read_svg` has them), `key` (`*` for every other one), `railroad` (its id; empty
    to leave the lines out).

    Raises:
        SourceError: A row is incomplete, a key appears twice, or a file is mapped in two ways.
    """
    rows: dict[str, list[Row]] = {}
    problems = Problems()
    for row in read_table(text, file=file, required=HEADER):
        by = row.cells["by"]
        if not row.cells["file"] or not row.cells["key"]:
            problems.add(row.at("file and key may not be empty; fill them in"))
        elif by not in BY[:-1] and not (by.startswith(_COLUMN) and by.removeprefix(_COLUMN).strip()):
            problems.add(row.at(f"by is {by!r}; write layer, group, id, own, class, auto or column:NAME"))
        else:
            rows.setdefault(row.cells["file"], []).append(row)
    out: dict[str, FileMapping] = {}
    for name, found in rows.items():
        by = found[0].cells["by"]
        railroads: dict[str, str | None] = {}
        for row in found:
            key = row.cells["key"]
            if row.cells["by"] != by:
                problems.add(row.at(f"{name} is mapped by {by} above; map a file in one way"))
            elif key in railroads:
                problems.add(row.at(f"key {key!r} of {name} appears twice; remove one"))
            railroads[key] = row.cells["railroad"] or None
        kind, _, column = by.partition(":")
        out[name] = FileMapping(kind, column.strip() or None, railroads, found[0].at("")[:-2])
    problems.raise_if_any()
    return out


def mapped_options(options: ImportOptions, mapping: FileMapping | None) -> ImportOptions:
    """Return the options with which a file must be read so that its keys are those of the mapping."""
    match mapping:
        case FileMapping(by="column"):
            return replace(options, column=mapping.column)
        case FileMapping(by="layer" | "group" | "id" | "own" | "class" | "auto" as by):
            return replace(options, column="" if by == "layer" else options.column, key_from=by)
    return options


def line_railroads(
    layer: TracedLayer, known: dict[str, str], mapping: FileMapping | None = None
) -> tuple[str | None, ...]:
    """Return the railroad of each line, None for one that the mapping leaves out.

    With a mapping each key must stand in it (or `*`). Without one a key is the id or the name of a railroad, whatever
    its case and punctuation.

    Args:
        layer: The lines, with their keys.
        known: Names of the board's railroads by id.
        mapping: What the author says of this file.

    Raises:
        SourceError: A key has no railroad, or one that the board does not have; each is named with its first line.
    """
    problems = Problems()
    by_key: dict[str, str | None] = {}
    counts: dict[str, list[str]] = {}
    for key, feature in zip(layer.line_keys, layer.line_features, strict=True):
        counts.setdefault(key, []).append(feature)
    folded = _by_fold(known)
    for key, features in counts.items():
        try:
            by_key[key] = _railroad(key, known, folded, mapping)
        except SourceError as error:
            problems.add(f"{features[0]}: {error} ({counted(len(features), 'line')})")
    problems.raise_if_any()
    return tuple(by_key[key] for key in layer.line_keys)


def point_railroads(
    layer: TracedLayer, known: dict[str, str], mapping: FileMapping | None = None
) -> tuple[tuple[str, ...] | None, ...]:
    """Return which railroads stop at each point: their ids, none for all that pass; None for a point left out.

    A point's own words count before its layer. A layer counts if it is a railroad's; `*` of a mapping only if it stands
    for the whole file.

    Raises:
        SourceError: A point names something that is not a railroad.
    """
    problems = Problems()
    folded = _by_fold(known)
    out: list[tuple[str, ...] | None] = []
    for feature, owners, within in zip(layer.point_features, layer.owners, layer.layers, strict=True):
        try:
            found = [_railroad(key, known, folded, mapping) for key in owners] or _of_layer(
                within, known, folded, mapping
            )
        except SourceError as error:
            problems.add(f"{feature}: {error}")
            continue
        kept = tuple(sorted({ident for ident in found if ident}))
        out.append(None if found and not kept else kept)
    problems.raise_if_any()
    return tuple(out)


def _of_layer(
    key: str, known: dict[str, str], folded: dict[str, set[str]], mapping: FileMapping | None
) -> list[str | None]:
    if mapping is not None and key not in mapping.railroads:
        return list(mapping.railroads.values()) if set(mapping.railroads) == {REST} else []
    try:
        return [_railroad(key, known, folded, mapping)] if key else []
    except SourceError:
        return []


def _by_fold(known: dict[str, str]) -> dict[str, set[str]]:
    out: dict[str, set[str]] = {}
    for ident, name in known.items():
        out.setdefault(fold(ident), set()).add(ident)
        out.setdefault(fold(name), set()).add(ident)
    return out


def _railroad(key: str, known: dict[str, str], folded: dict[str, set[str]], mapping: FileMapping | None) -> str | None:
    if mapping is not None:
        if key not in mapping.railroads and REST not in mapping.railroads:
            hint = did_you_mean(key, mapping.railroads)
            raise SourceError(f"the mapping has no row for key {key!r}{hint}; add one, or one for '*'")
        ident = mapping.railroads.get(key, mapping.railroads.get(REST))
        if ident is not None and ident not in known:
            hint = did_you_mean(ident, known)
            raise SourceError(f"{mapping.where}: no railroad {ident!r} for key {key!r}{hint}")
        return ident
    if key in known:
        return key
    found = folded.get(fold(key), set()) if key else set()
    if len(found) == 1:
        return next(iter(found))
    hint = did_you_mean(key, [*known, *known.values()])
    which = f"fits {', '.join(sorted(found))}" if found else "is not a railroad of the board"
    raise SourceError(f"key {key!r} {which}{hint}; add it to railroads.csv or to drawings/mapping.csv")
