"""Files of lines to show under the board, such as public rail lines; stored beside it in degrees."""

import threading
from pathlib import Path

import numpy as np
import shapely
from numpy.typing import NDArray

from mapkit.core.errors import MissingError, SourceError
from mapkit.document.shelf import Shelf, ShelfEntry, digest_of, plain_name
from mapkit.formats.lines.features import ImportOptions, NoCrsError
from mapkit.formats.lines.vector import read_vector
from mapkit.formats.lines.vector_kinds import infer_kind

MAX_BYTES = 100 * 2**20
"""Largest accepted file, in bytes."""
MAX_VERTICES = 500_000
MAX_FILES = 20
_ONE_AT_A_TIME = threading.Lock()
_LISTED = 3  # problems of a file in an error
_NOTES = 20

Lines = NDArray[np.object_]
"""shapely LineStrings."""


class LineFileError(MissingError):
    """Failure to read a file of lines; nothing of it was stored."""


class KeptLines(ShelfEntry):
    """Stored file of lines: its numbers of lines and vertices, and notes of the reader."""

    lines: int
    vertices: int
    notes: tuple[str, ...]


class LineFiles:
    """The files of lines of a board.

    Args:
        folder: Folder of the stored files; created with the first one.
    """

    def __init__(self, folder: Path) -> None:
        called = ("file of lines", "files of lines")
        self._shelf = Shelf(folder, KeptLines, called=called, most=MAX_FILES, error=LineFileError)

    @classmethod
    def of_board(cls, folder: Path) -> "LineFiles":
        """Return the files stored beside a source package."""
        return cls(folder.with_name(f"{folder.name}.editor") / "lines")

    def listed(self) -> tuple[KeptLines, ...]:
        """Return all files, by name."""
        return self._shelf.listed()

    def add(self, file: Path, name: str, crs: str = "") -> KeptLines:
        """Store the lines of a file and return its entry; a file stored before is not read again.

        Args:
            file: GeoJSON, GeoPackage, zipped Shapefile, KML, KMZ, GML or FlatGeobuf, recognised by content.
            name: Name to display.
            crs: Coordinate system of a file that does not state one (`EPSG:3763`).

        Raises:
            NoCrsError: The file does not state its coordinate system, and `crs` is empty.
            LineFileError: The file cannot be read or has no line, or there are too many vertices or files.
            OutputError: The lines cannot be written.
        """
        ident = digest_of(file, crs) if crs else digest_of(file)
        there = self._shelf.about(ident)
        if there is not None:
            return there
        shown = plain_name(name, "lines")

        def fill(folder: Path) -> KeptLines:
            with _ONE_AT_A_TIME:
                lines, notes = _read(file, shown, crs)
                joined = join_lines(lines)
            if not len(joined):
                raise LineFileError(f"{shown}: its lines have no length; add a file with other lines")
            points, owner = shapely.get_coordinates(joined, return_index=True)
            np.save(folder / "degrees.npy", points, allow_pickle=False)
            np.save(folder / "owner.npy", owner, allow_pickle=False)
            vertices = int(shapely.get_num_coordinates(lines).sum())
            kept = tuple(notes[:_NOTES])
            return KeptLines(id=ident, name=shown, lines=len(lines), vertices=vertices, notes=kept)

        return self._shelf.put(ident, fill)

    def remove(self, ident: str) -> None:
        """Remove a file.

        Raises:
            LineFileError: There is no file with this id.
        """
        self._shelf.remove(ident)

    def folder_of(self, ident: str) -> Path:
        """Return the folder of a stored file, for `load_lines`; its contents never change.

        Raises:
            LineFileError: There is no file with this id.
        """
        return self._shelf.of(ident)


def load_lines(folder: Path) -> Lines:
    """Load the lines of a stored file, in degrees (EPSG:4326).

    Raises:
        LineFileError: The stored data is damaged.
    """
    try:
        points, owner = (np.load(folder / f"{part}.npy", allow_pickle=False) for part in ("degrees", "owner"))
        return np.asarray(shapely.linestrings(points, indices=owner), dtype=object)
    except (OSError, ValueError, TypeError, EOFError, shapely.errors.GEOSException) as error:
        text = "what was kept of a file of lines is damaged; remove it and add it again"
        raise LineFileError(f"{folder}: {text}") from error


def join_lines(lines: Lines) -> Lines:
    """Join lines where two of them meet, cut them where more do, and remove duplicate stretches.

    A line in many short pieces, as in OpenStreetMap, is then simplified as one, and lines that meet at a point still
    meet there afterwards.

    Args:
        lines: Any number of LineStrings.
    """
    points, of = shapely.get_coordinates(lines, return_index=True)
    places, number = np.unique(points[:, 0] + 1j * points[:, 1], return_inverse=True)
    ends = np.column_stack((number[:-1], number[1:]))[of[:-1] == of[1:]]
    ends = np.unique(np.sort(ends[ends[:, 0] != ends[:, 1]], axis=1), axis=0)
    if not len(ends):
        return np.empty(0, dtype=object)
    at = places[ends.ravel()]
    stretches = np.asarray(shapely.linestrings(np.column_stack((at.real, at.imag)).reshape(-1, 2, 2)))
    merged: Lines = shapely.get_parts(shapely.line_merge(shapely.multilinestrings(stretches)))
    return merged


def _read(file: Path, name: str, crs: str) -> tuple[Lines, tuple[str, ...]]:
    """Return the lines of a file in degrees, with notes on repairs and omissions."""
    try:
        if infer_kind(file, name=name) == "shp":
            raise LineFileError(f"{name}: a Shapefile is several files; pack its .shp, .shx, .dbf and .prj into a zip")
        found = read_vector(file, name=name, options=ImportOptions(crs=crs or None, rings=True, plain=True))
    except NoCrsError:
        raise
    except SourceError as error:
        kept, more = error.problems[:_LISTED], len(error.problems) - _LISTED
        raise LineFileError("\n".join((*kept, *([f"and {more} more"] if more > 0 else [])))) from error
    if not len(found.lines):
        raise LineFileError(f"{name}: it has points but no lines; add a file of lines")
    vertices = int(shapely.get_num_coordinates(found.lines).sum())
    if vertices > MAX_VERTICES:
        raise LineFileError(
            f"{name}: {vertices} vertices, the limit is {MAX_VERTICES}; simplify it, or cut out the part that you need"
        )
    return found.lines, found.notes
