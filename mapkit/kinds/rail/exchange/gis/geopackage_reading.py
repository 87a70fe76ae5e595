"""Reader of a board's GeoPackage, edited in a GIS or not, by SQLite in read-only mode.

It does not use the reader of geopandas: GDAL runs views, and drops a damaged shape without naming its row. This
reader runs no code of a file: triggers fire only on writing, and views are refused.
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
from mapkit.core.errors import SourceError, read_failure
from mapkit.formats.files import check_file, peek_bytes
from mapkit.formats.library_errors import translate_error
from mapkit.kinds.rail.exchange.gis.frames import REST, read_frames
from mapkit.kinds.rail.exchange.gis.layers import KINDS
from mapkit.kinds.rail.model.board import Board

MAX_BYTES: Final = 512 * 2**20
MAX_ROWS: Final = 200_000

_MAGIC = b"SQLite format 3\0"
_DEGREES = 4326
_ENVELOPES = {0: 0, 1: 32, 2: 48, 3: 48, 4: 64}
_STEPS_PER_CALL = 1000
_MAX_CALLS = 200_000  # of a thousand; a board needs a few hundred


def read_geopackage(path: Path, base: Board | None = None) -> Board:
    """Return the board of a GeoPackage.

    Args:
        path: The file.
        base: Board that it was exported from, which completes it.

    Raises:
        SourceError: It is not a GeoPackage of a board, is damaged or in use, or a feature is wrong; layer and
            row are named.
        WorkspaceError: It is missing or may not be read.
    """
    file = path.name
    _refuse_file(path, file)
    try:
        with _open_read_only(path) as database:
            type_by_name = dict(database.execute("SELECT name, type FROM sqlite_master"))
            has_shapes = _is_table(type_by_name, "gpkg_geometry_columns", file)
            if base is not None and not has_shapes:
                raise SourceError(f"{file}: no layers in it; save it as a GeoPackage")
            if base is None and not (has_shapes and _is_table(type_by_name, REST, file)):
                raise SourceError(
                    f"{file}: not a board: the table {REST!r} is missing; give a file that mapkit export --to gpkg "
                    "wrote, or import its lines into a source package with mapkit import"
                )
            frame_by_layer = {
                layer_name: _read_frame(database, layer_name, file)
                for layer_name in (*KINDS, REST)
                if _is_table(type_by_name, layer_name, file)
            }
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise SourceError(f"{file}: {translate_error(error)}; export the board again") from error
    return read_frames(frame_by_layer, base=base, file=file)


def _refuse_file(path: Path, file: str) -> None:
    try:
        check_file(path, name=file, limit=MAX_BYTES)
    except OSError as error:
        raise read_failure(file, path, error) from error
    if peek_bytes(path, len(_MAGIC)) != _MAGIC:
        raise SourceError(f"{file}: not a GeoPackage; give a file that mapkit export --to gpkg wrote")
    for journal_suffix in ("-wal", "-journal"):
        journal_path = path.with_name(path.name + journal_suffix)
        if journal_path.exists() and journal_path.stat().st_size:
            raise SourceError(
                f"{file}: {journal_path.name} beside it holds changes; close the program that has it open"
            )


@contextmanager
def _open_read_only(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a database read-only, and stop statements that take absurdly long."""
    with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)) as database:
        database.execute("PRAGMA query_only = ON")
        database.execute("PRAGMA trusted_schema = OFF")
        call_count = 0

        def count() -> int:
            nonlocal call_count
            call_count += 1
            return int(call_count > _MAX_CALLS)

        database.set_progress_handler(count, _STEPS_PER_CALL)
        yield database


def _is_table(kinds: dict[str, str], name: str, file: str) -> bool:
    if name in kinds and kinds[name] != "table":
        raise SourceError(f"{file}: {name} is a {kinds[name]}, not a table; export the board again")
    return name in kinds


def _read_rows(base: sqlite3.Connection, table: str, file: str) -> tuple[list[str], list[tuple[Any, ...]]]:
    """Return the columns and rows of a table, in the order of its rows."""
    cursor = base.execute(f'SELECT * FROM "{table}" ORDER BY rowid LIMIT {MAX_ROWS + 1}')  # noqa: S608 - own names
    table_rows = cursor.fetchall()
    if len(table_rows) > MAX_ROWS:
        raise SourceError(f"{file}: more than {MAX_ROWS} rows in {table}; this is not a board")
    return [column[0] for column in cursor.description], table_rows


def _read_frame(base: sqlite3.Connection, name: str, file: str) -> "heavy.pandas.DataFrame":
    """Return a table of the file, with shapes and CRS if it is a layer of lines or points."""
    column_names, table_rows = _read_rows(base, name, file)
    frame = heavy.pandas.DataFrame(table_rows, columns=column_names, dtype=object)
    geometry_row = base.execute(
        "SELECT column_name, srs_id FROM gpkg_geometry_columns WHERE table_name = ?", (name,)
    ).fetchone()
    if geometry_row is None or KINDS.get(name) not in ("Point", "LineString"):
        return frame
    shape_column, crs_number = geometry_row
    if shape_column not in column_names:
        raise SourceError(f"{file}: {name} has no column {str(shape_column)[:80]!r}; export the board again")
    shapes: list[Any] = [
        _parse_shape(blob, f"{file}: {name} row {row_number}")
        for row_number, blob in enumerate(frame[shape_column], start=1)
    ]
    return heavy.geopandas.GeoDataFrame(
        frame.drop(columns=shape_column), geometry=shapes, crs=_read_crs(base, crs_number, name, file)
    )


def _read_crs(base: sqlite3.Connection, number: object, name: str, file: str) -> "heavy.pyproj.CRS":
    if number == _DEGREES:
        return heavy.pyproj.CRS.from_epsg(_DEGREES)
    crs_row = base.execute("SELECT definition FROM gpkg_spatial_ref_sys WHERE srs_id = ?", (number,)).fetchone()
    try:
        return heavy.pyproj.CRS.from_wkt(str(crs_row[0]))
    except (TypeError, heavy.pyproj.exceptions.CRSError) as error:
        raise SourceError(
            f"{file}: {name} is in the CRS {str(number)[:20]}, which the file does not define; "
            f"save it in EPSG:{_DEGREES}"
        ) from error


def _parse_shape(blob: object, where: str) -> BaseGeometry | None:
    """Return the shape of a GeoPackage geometry; None for a missing one."""
    if blob is None:
        return None
    if not isinstance(blob, bytes) or len(blob) < 8 or blob[:2] != b"GP":  # noqa: PLR2004 - the header
        raise SourceError(f"{where}: its geometry is damaged; draw it again")
    wkb_start = 8 + _ENVELOPES.get(blob[3] >> 1 & 7, 0)
    try:
        with np.errstate(invalid="ignore"):  # NaN, which is refused later
            return shapely.from_wkb(blob[wkb_start:])
    except (shapely.errors.GEOSException, struct.error, ValueError) as error:
        raise SourceError(f"{where}: its geometry is damaged; draw it again") from error
