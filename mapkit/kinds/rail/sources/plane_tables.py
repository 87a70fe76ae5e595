"""Tables of an invented land: in files, positions are x and y of the drawing; in a document, degrees."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from mapkit.document.plain_tables import SavedTable, TableReader
from mapkit.formats.tables import RawRows, parse_decimal
from mapkit.geography.land_plane import LAST_MI, LandPlane
from mapkit.kinds.rail.sources.table_files import CITIES, JUNCTIONS, MILEPOSTS, PLACES, TRACK

_PLACED_FILES: Final = frozenset({CITIES, PLACES, MILEPOSTS, JUNCTIONS})
_POINT: Final = re.compile(r"@([^,]+),([^,]+)")
_BEND: Final = re.compile(r"(\S+) (\S+)")


class PlaneTableReader(TableReader):
    """Reader of the tables of any board; positions on the plane of an invented land are read as degrees.

    Args:
        files: The files by name.
        plane: The plane of an invented land; None for a map of the earth.
    """

    def __init__(self, files: Mapping[str, str | bytes], plane: LandPlane | None = None) -> None:
        super().__init__(files)
        self.plane = plane

    def parsed(self, table: str, file: str) -> RawRows:
        """Return the rows of a file, its header first, with positions in degrees."""
        rows = super().parsed(table, file)
        return rows if self.plane is None else rows_to_degrees(self.plane, file, rows)

    def raise_if_any(self, *, empty: bool = False) -> None:
        """Raise all problems as one error, in the words of the land; see `TableReader`."""
        if self.plane is not None:
            self.problems = [replace(each, message=self.plane.describe(each.message)) for each in self.problems]
        super().raise_if_any(empty=empty)


def rows_to_degrees(plane: LandPlane, file: str, rows: RawRows) -> RawRows:
    """Return the rows of a file, its header first, with positions in degrees."""
    if not rows:
        return rows
    (header_number, header), *data_rows = rows
    convert = partial(_to_degrees, plane)
    if file in _PLACED_FILES and {"x", "y"} <= set(header):
        x_column, y_column = header.index("x"), header.index("y")
        renamed = [{"x": "lon", "y": "lat"}.get(column, column) for column in header]
        return [
            (header_number, renamed),
            *((number, [*_convert_pair(cells, x_column, y_column, convert)]) for number, cells in data_rows),
        ]
    if file.startswith("lines/") or file == TRACK:
        return [
            (header_number, header),
            *((number, [_convert_texts(file, cell, convert) for cell in cells]) for number, cells in data_rows),
        ]
    return rows


def table_to_plane(plane: LandPlane, table: SavedTable) -> SavedTable:
    """Return a table in the form of files, with positions on the plane."""
    convert = partial(_to_plane, plane)
    if {"lon", "lat"} <= set(table.header) and "x" not in table.header:
        lon_column, lat_column = table.header.index("lon"), table.header.index("lat")
        return replace(
            table,
            header=tuple({"lon": "x", "lat": "y"}.get(column, column) for column in table.header),
            rows=[replace(row, cells=_convert_pair(row.cells, lon_column, lat_column, convert)) for row in table.rows],
        )
    file = TRACK if "bends" in table.header else "lines/"
    if "bends" in table.header or "seq" in table.header:
        return replace(
            table,
            rows=[
                replace(row, cells=tuple(_convert_texts(file, cell, convert) for cell in row.cells))
                for row in table.rows
            ],
        )
    return table


_Convert = Callable[[str, str], tuple[str, str]]


def _convert_pair(cells: Sequence[str], first: int, second: int, convert: _Convert) -> tuple[str, ...]:
    converted = list(cells)
    if max(first, second) < len(converted) and converted[first].strip() and converted[second].strip():
        converted[first], converted[second] = convert(converted[first], converted[second])
    return tuple(converted)


def _convert_texts(file: str, cell: str, convert: _Convert) -> str:
    """Return a cell with its points `@x,y`, or its bends `x y; x y`, converted."""
    if file == TRACK:
        parts = [part.strip() for part in cell.split(";")]
        matches = [_BEND.fullmatch(part) for part in parts]
        numbers = [parse_decimal(text) for match in matches if match for text in match.groups()]
        if not all(matches) or None in numbers:
            return cell
        return "; ".join(" ".join(convert(*match.groups())) for match in matches if match)
    point_match = _POINT.fullmatch(cell.strip())
    return cell if point_match is None else f"@{','.join(convert(point_match[1], point_match[2]))}"


def _to_degrees(plane: LandPlane, x: str, y: str) -> tuple[str, str]:
    """Return texts of `(lon, lat)`; texts that are no place are returned as they are, for their reader to refuse."""
    x_mi, y_mi = parse_decimal(x), parse_decimal(y)
    if x_mi is None or y_mi is None:
        return x, y
    point = plane.position(x_mi, y_mi)
    if point is None:
        return f"{x} (more than {LAST_MI:g} miles from the middle)", y
    return f"{point[0]:.5f}", f"{point[1]:.5f}"


def _to_plane(plane: LandPlane, lon: str, lat: str) -> tuple[str, str]:
    lon_deg, lat_deg = parse_decimal(lon), parse_decimal(lat)
    return (lon, lat) if lon_deg is None or lat_deg is None else plane.cells(lon_deg, lat_deg)
