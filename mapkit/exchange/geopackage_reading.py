"""Reading a board's GeoPackage, edited in a GIS or not, with SQLite itself and read only.

Nothing in a file can run: triggers fire only when something is written, and views are refused.
"""

import sqlite3
import struct
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final

import numpy as np
import shapely

from mapkit.errors import SourceError, WorkspaceError
from mapkit.exchange.completing import completed
from mapkit.exchange.json_reading import parse_json
from mapkit.exchange.layer_reading import Feature, board_of
from mapkit.exchange.layers import KINDS
from mapkit.exchange.parts import Line
from mapkit.model.board import Board

MAX_BYTES: Final = 512 * 2**20
MAX_ROWS: Final = 200_000

_MAGIC = b"SQLite format 3\0"
_REST = "board"
_DEGREES = 4326
_ENVELOPES = {0: 0, 1: 32, 2: 48, 3: 48, 4: 64}
_STEPS = 1000
_MOST_STEPS = 200_000  # of a thousand; a board needs a few hundred


def read_geopackage(path: Path, base: Board | None = None) -> Board:
    """Return the board of a GeoPackage.

    Args:
        path: The file.
        base: What it was exported from, which completes it.

    Raises:
        SourceError: It is no GeoPackage of a board, is damaged or open elsewhere, or a feature is wrong; layer and
            row are named.
        WorkspaceError: It is missing or may not be read.
    """
    file = path.name
    _refuse(path, file)
    try:
        with _opened(path) as database:
            kinds = dict(database.execute("SELECT name, type FROM sqlite_master"))
            if base is None or _REST in kinds:
                rest = _rest(database, kinds, file)
            elif _is_table(kinds, "gpkg_geometry_columns", file):
                rest = {}
            else:
                raise SourceError(f"{file}: no layers in it; save it as a GeoPackage")
            layers = {name: _features(database, name, file) for name in KINDS if _is_table(kinds, name, file)}
    except sqlite3.Error as error:
        raise SourceError(f"{file}: SQLite cannot read it: {error}; export the board again") from error
    except UnicodeDecodeError as error:
        raise SourceError(f"{file}: a text in it is not UTF-8; export the board again") from error
    return board_of(*completed(layers, rest, base), file=file)


def _refuse(path: Path, file: str) -> None:
    try:
        size = path.stat().st_size
        with path.open("rb") as stream:
            head = stream.read(len(_MAGIC))
    except OSError as error:
        raise WorkspaceError(f"{file}: cannot be read from {path}: {error.strerror or error}") from error
    if head != _MAGIC:
        raise SourceError(f"{file}: no GeoPackage; give a file that mapkit export --to gpkg wrote")
    if size > MAX_BYTES:
        raise SourceError(f"{file}: {size} bytes, the limit is {MAX_BYTES}; split it")
    for ending in ("-wal", "-journal"):
        beside = path.with_name(path.name + ending)
        if beside.exists() and beside.stat().st_size:
            raise SourceError(f"{file}: {beside.name} beside it holds changes; close the program that has it open")


@contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a database that nobody can write to, and stop what takes absurdly long."""
    with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)) as base:
        base.execute("PRAGMA query_only = ON")
        base.execute("PRAGMA trusted_schema = OFF")
        steps = 0

        def count() -> int:
            nonlocal steps
            steps += 1
            return int(steps > _MOST_STEPS)

        base.set_progress_handler(count, _STEPS)
        yield base


def _is_table(kinds: dict[str, str], name: str, file: str) -> bool:
    if name in kinds and kinds[name] != "table":
        raise SourceError(f"{file}: {name} is a {kinds[name]}, not a table; export the board again")
    return name in kinds


def _rows(base: sqlite3.Connection, table: str, file: str) -> tuple[list[str], list[tuple[Any, ...]]]:
    """Return the columns and rows of a table, in the order of its rows."""
    cursor = base.execute(f'SELECT * FROM "{table}" ORDER BY rowid LIMIT {MAX_ROWS + 1}')  # noqa: S608 - own names
    rows = cursor.fetchall()
    if len(rows) > MAX_ROWS:
        raise SourceError(f"{file}: more than {MAX_ROWS} rows in {table}; this is no board")
    return [column[0] for column in cursor.description], rows


def _rest(base: sqlite3.Connection, kinds: dict[str, str], file: str) -> dict[str, Any]:
    if not _is_table(kinds, _REST, file) or not _is_table(kinds, "gpkg_geometry_columns", file):
        raise SourceError(
            f"{file}: no board: the table {_REST!r} is missing; give a file that mapkit export --to gpkg wrote, or "
            "take its lines into a source package with mapkit import"
        )
    columns, rows = _rows(base, _REST, file)
    if not {"key", "value"} <= set(columns):
        raise SourceError(f"{file}: the table {_REST!r} has no key and value; export the board again")
    key, value = columns.index("key"), columns.index("value")
    return {str(row[key]): parse_json(str(row[value]), file=f"{file}: {_REST}: {row[key]}") for row in rows}


def _features(base: sqlite3.Connection, name: str, file: str) -> list[Feature]:
    columns, rows = _rows(base, name, file)
    found = base.execute(
        "SELECT column_name, srs_id FROM gpkg_geometry_columns WHERE table_name = ?", (name,)
    ).fetchone()
    shape_column = None
    if found is not None and KINDS[name] in ("Point", "LineString"):
        if found[1] != _DEGREES:
            raise SourceError(f"{file}: {name} is in the CRS {found[1]}; save it in EPSG:{_DEGREES}")
        if found[0] not in columns:
            raise SourceError(f"{file}: {name} has no column {found[0]!r}; export the board again")
        shape_column = columns.index(found[0])
    out = []
    for number, values in enumerate(rows, start=1):
        where = f"{name} row {number}"
        row = dict(zip(columns, values, strict=True))
        for flag in {"used", "public"} & set(row):
            row[flag] = bool(row[flag])
        line = None if shape_column is None else _line(values[shape_column], f"{file}: {where}")
        out.append(Feature(where, row, line))
    return out


def _line(blob: object, where: str) -> Line | None:
    """Return the points of a GeoPackage geometry; None if it is empty."""
    if blob is None:
        return None
    if not isinstance(blob, bytes) or len(blob) < 8 or blob[:2] != b"GP":  # noqa: PLR2004 - the header
        raise SourceError(f"{where}: its geometry is damaged; draw it again")
    start = 8 + _ENVELOPES.get(blob[3] >> 1 & 7, 0)
    try:
        with np.errstate(invalid="ignore"):  # NaN, which is refused below
            shape = shapely.force_2d(shapely.from_wkb(blob[start:]))
    except (shapely.errors.GEOSException, struct.error, ValueError) as error:
        raise SourceError(f"{where}: its geometry is damaged ({error}); draw it again") from error
    if shape is None or shape.is_empty:
        return None
    parts = shapely.get_parts(shape)
    shape = parts[0] if len(parts) == 1 else shape
    if shape.geom_type not in ("Point", "LineString"):
        raise SourceError(f"{where}: geometry {shape.geom_type}; points and single lines belong here")
    line = _points(shapely.get_coordinates(shape).tolist())
    if not all(abs(lon) <= 360 and abs(lat) <= 90 for lon, lat in line):  # noqa: PLR2004 - degrees
        raise SourceError(f"{where}: a coordinate is no degree; save the layer in EPSG:{_DEGREES}")
    return line


def _points(pairs: Sequence[Sequence[float]]) -> Line:
    return tuple((float(lon), float(lat)) for lon, lat in pairs)
