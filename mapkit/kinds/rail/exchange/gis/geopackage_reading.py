"""Reading a board's GeoPackage, edited in a GIS or not, as GeoDataFrames, with SQLite itself and read only.

geopandas' own reader is not used: GDAL runs views, and drops a damaged shape without saying in which row it was. Here
nothing in a file can run: triggers fire only when something is written, and views are refused.
"""

import sqlite3
import struct
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from mapkit.core import heavy
from mapkit.core.errors import SourceError, WorkspaceError
from mapkit.formats.library_errors import translate_error
from mapkit.kinds.rail.exchange.gis.frames import REST, read_frames
from mapkit.kinds.rail.exchange.gis.layers import KINDS
from mapkit.kinds.rail.model.board import Board

MAX_BYTES: Final = 512 * 2**20
MAX_ROWS: Final = 200_000

_MAGIC = b"SQLite format 3\0"
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
        SourceError: It is not a GeoPackage of a board, is damaged or in use, or a feature is wrong; layer and
            row are named.
        WorkspaceError: It is missing or may not be read.
    """
    file = path.name
    _refuse(path, file)
    try:
        with _opened(path) as database:
            kinds = dict(database.execute("SELECT name, type FROM sqlite_master"))
            shaped = _is_table(kinds, "gpkg_geometry_columns", file)
            if base is not None and not shaped:
                raise SourceError(f"{file}: no layers in it; save it as a GeoPackage")
            if base is None and not (shaped and _is_table(kinds, REST, file)):
                raise SourceError(
                    f"{file}: not a board: the table {REST!r} is missing; give a file that mapkit export --to gpkg "
                    "wrote, or import its lines into a source package with mapkit import"
                )
            frames = {name: _frame(database, name, file) for name in (*KINDS, REST) if _is_table(kinds, name, file)}
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise SourceError(f"{file}: {translate_error(error)}; export the board again") from error
    return read_frames(frames, base=base, file=file)


def _refuse(path: Path, file: str) -> None:
    try:
        size = path.stat().st_size
        with path.open("rb") as stream:
            head = stream.read(len(_MAGIC))
    except OSError as error:
        raise WorkspaceError(f"{file}: cannot be read from {path}: {error.strerror or error}") from error
    if head != _MAGIC:
        raise SourceError(f"{file}: not a GeoPackage; give a file that mapkit export --to gpkg wrote")
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
        raise SourceError(f"{file}: more than {MAX_ROWS} rows in {table}; this is not a board")
    return [column[0] for column in cursor.description], rows


def _frame(base: sqlite3.Connection, name: str, file: str) -> "heavy.pandas.DataFrame":
    """Return a table as it stands in the file; of a layer with lines or points, with its shapes and its CRS."""
    columns, rows = _rows(base, name, file)
    frame = heavy.pandas.DataFrame(rows, columns=columns, dtype=object)
    found = base.execute(
        "SELECT column_name, srs_id FROM gpkg_geometry_columns WHERE table_name = ?", (name,)
    ).fetchone()
    if found is None or KINDS.get(name) not in ("Point", "LineString"):
        return frame
    column, crs = found
    if column not in columns:
        raise SourceError(f"{file}: {name} has no column {str(column)[:80]!r}; export the board again")
    shapes: list[Any] = [
        _shape(blob, f"{file}: {name} row {number}") for number, blob in enumerate(frame[column], start=1)
    ]
    return heavy.geopandas.GeoDataFrame(frame.drop(columns=column), geometry=shapes, crs=_crs(base, crs, name, file))


def _crs(base: sqlite3.Connection, number: object, name: str, file: str) -> "heavy.pyproj.CRS":
    if number == _DEGREES:
        return heavy.pyproj.CRS.from_epsg(_DEGREES)
    known = base.execute("SELECT definition FROM gpkg_spatial_ref_sys WHERE srs_id = ?", (number,)).fetchone()
    try:
        return heavy.pyproj.CRS.from_wkt(str(known[0]))
    except (TypeError, heavy.pyproj.exceptions.CRSError) as error:
        raise SourceError(
            f"{file}: {name} is in the CRS {str(number)[:20]}, which the file does not define; "
            f"save it in EPSG:{_DEGREES}"
        ) from error


def _shape(blob: object, where: str) -> BaseGeometry | None:
    """Return the shape of a GeoPackage geometry; None if there is none."""
    if blob is None:
        return None
    if not isinstance(blob, bytes) or len(blob) < 8 or blob[:2] != b"GP":  # noqa: PLR2004 - the header
        raise SourceError(f"{where}: its geometry is damaged; draw it again")
    start = 8 + _ENVELOPES.get(blob[3] >> 1 & 7, 0)
    try:
        with np.errstate(invalid="ignore"):  # NaN, which is refused later
            return shapely.from_wkb(blob[start:])
    except (shapely.errors.GEOSException, struct.error, ValueError) as error:
        raise SourceError(f"{where}: its geometry is damaged; draw it again") from error
