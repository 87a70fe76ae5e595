"""Mileposts, junctions and track pieces from their files, element by element."""

from collections.abc import Mapping
from math import inf

from mapkit.core.base import Point
from mapkit.core.errors import SourceError
from mapkit.document.plain_tables import TableReader
from mapkit.formats.degrees import LAST_LAT, LAST_LON
from mapkit.formats.tables import Row, parse_coordinates
from mapkit.kinds.rail.sources.table_files import FORMS
from mapkit.kinds.rail.tables import Junction, Milepost, Track


def read_track(reader: TableReader) -> dict[str, Mapping[str, Milepost | Junction | Track]]:
    """Return the tables of mileposts, junctions and track pieces, by name."""
    return {
        "mileposts": reader.rows("mileposts", Milepost, FORMS["mileposts"], _placed),
        "junctions": reader.rows("junctions", Junction, FORMS["junctions"], _placed),
        "track": reader.rows("track", Track, FORMS["track"], _piece),
    }


def _placed(row: Row) -> Mapping[str, object]:
    lon, lat = parse_coordinates(row)
    return {column: cell for column, cell in row.cells.items() if cell} | {"lon": lon, "lat": lat}


def _piece(row: Row) -> Mapping[str, object]:
    bends = [_bend(row, part.strip()) for part in row.cells.get("bends", "").split(";") if part.strip()]
    return {column: cell for column, cell in row.cells.items() if cell} | {"bends": bends}


def _bend(row: Row, text: str) -> Point:
    try:
        lon, lat = map(float, text.split())
    except ValueError:
        lon = lat = inf
    if not (abs(lon) <= LAST_LON and abs(lat) <= LAST_LAT):
        said = "write lon lat in degrees, bends parted by semicolons, such as -87.3 41.2; -87.1 41.4"
        raise SourceError(row.at(f"bends has {text[:80]!r}; {said}"))
    return lon, lat
