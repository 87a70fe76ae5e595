"""Places of drawings in a source package: the folder `drawings/`, beside the station lists made from them.

```
drawings/portugal.svg   the drawing
drawings/mapping.csv    railroads of its layers, if their names do not identify them
drawings/notes.csv      notes of placing: repairs, doubts, omissions
```

In packages of an earlier mapkit they are in `lines/`, and were traced at each build.
"""

import base64
import hashlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Final

from pydantic import ValidationError

from mapkit.core.csvtext import csv_text
from mapkit.core.errors import SourceError
from mapkit.document.document import File
from mapkit.formats.files import LINE_SUFFIXES
from mapkit.formats.tables import read_table
from mapkit.kinds.rail.model.network import TraceNote
from mapkit.kinds.rail.tables import Line, RailDocument

FOLDER: Final = "drawings"
MAPPING: Final = f"{FOLDER}/mapping.csv"
NOTES: Final = f"{FOLDER}/notes.csv"
OLD_FOLDER: Final = "lines"
OLD_MAPPING: Final = f"{OLD_FOLDER}/mapping.csv"
BESIDE: Final = frozenset({".shx", ".dbf", ".prj", ".cpg", ".md", ".txt"})
"""Parts of a Shapefile, and notes of the author."""

_NOTE_HEADER: Final = ("kind", "what", "message", "feature", "lon", "lat")


def is_drawing(path: str) -> bool:
    """Return whether a path is an imported drawing."""
    return _is_in_folder(path, FOLDER) and _has_line_suffix(path)


def is_old_drawing(path: str) -> bool:
    """Return whether a path is a drawing of a package of an earlier mapkit."""
    return _is_in_folder(path, OLD_FOLDER) and _has_line_suffix(path)


def _is_in_folder(path: str, folder: str) -> bool:
    return PurePosixPath(path).parent.as_posix() == folder


def _has_line_suffix(path: str) -> bool:
    return PurePosixPath(path).suffix.lower() in LINE_SUFFIXES


def moved_path(path: str) -> str:
    """Return the path of a file of `lines/` after its import."""
    return f"{FOLDER}/{PurePosixPath(path).name}"


def belongs_to_drawing(path: str) -> bool:
    """Return whether a file of `lines/` is a drawing or belongs to one."""
    is_companion = _is_in_folder(path, OLD_FOLDER) and PurePosixPath(path).suffix.lower() in BESIDE
    return is_old_drawing(path) or path == OLD_MAPPING or is_companion


def drawings_of(document: RailDocument) -> tuple[str, ...]:
    """Return the imported drawings of a document, sorted."""
    return tuple(sorted(path for path in document.files if is_drawing(path)))


def drawing_of(line: Line) -> str:
    """Return the drawing of origin of a line, or an empty text."""
    return line.feature.partition("#")[0]


def file_row(data: bytes) -> File:
    """Return the row of a file within a document."""
    return File(sha256=hashlib.sha256(data).hexdigest(), content=base64.b64encode(data).decode("ascii"))


def notes_text(notes: Sequence[TraceNote]) -> str:
    """Return `drawings/notes.csv`."""
    note_rows = [
        (
            n.kind,
            n.what,
            n.message,
            n.feature,
            *("" if coordinate is None else f"{coordinate:.5f}" for coordinate in (n.lon, n.lat)),
        )
        for n in notes
    ]
    return csv_text([_NOTE_HEADER, *note_rows])


def read_notes(text: str) -> tuple[TraceNote, ...]:
    """Read `drawings/notes.csv`.

    Raises:
        SourceError: A row is not a valid note.
    """
    trace_notes: list[TraceNote] = []
    for row in read_table(text, file=NOTES, required=_NOTE_HEADER):
        lon, lat = (
            (float(row.cells[column_name]) if row.cells[column_name] else None) for column_name in ("lon", "lat")
        )
        text_values = {column_name: row.cells[column_name] for column_name in ("kind", "what", "message", "feature")}
        try:
            trace_notes.append(TraceNote.model_validate({**text_values, "lon": lon, "lat": lat}))
        except ValidationError as error:
            raise SourceError(row.at("no note that placing writes; place the drawings again")) from error
    return tuple(trace_notes)


def list_notes(files: Collection[tuple[str, File]]) -> tuple[TraceNote, ...]:
    """Return the notes on files of lines: of placing, on unreadable files, and on missing mapped files.

    Args:
        files: The table `files` of a document.

    Raises:
        SourceError: `drawings/notes.csv` cannot be read.
    """
    trace_notes: list[TraceNote] = []
    for path, file in sorted(files):
        if path == NOTES:
            trace_notes += _cached_notes(file.content)
        if path == MAPPING:
            drawing_names = {PurePosixPath(other_path).name for other_path, _ in files if is_drawing(other_path)}
            trace_notes += [
                _absent_file_note(name, row) for name, row in _mapped_files(file.content) if name not in drawing_names
            ]
    return (*unread_notes(path for path, _ in sorted(files)), *trace_notes)


def unread_notes(paths: Iterable[str]) -> Iterator[TraceNote]:
    """Yield a note for each file in `lines/` that is neither a table nor a drawing nor a part of one."""
    for path in sorted(paths):
        if _is_in_folder(path, OLD_FOLDER) and PurePosixPath(path).suffix.lower() not in {
            *LINE_SUFFIXES,
            *BESIDE,
            ".csv",
        }:
            yield unknown_format(path)


def unknown_format(path: str) -> TraceNote:
    """Return the note on a file of lines in an unknown format."""
    message = f"{path}: not a format that mapkit reads; passed over; it reads {', '.join(LINE_SUFFIXES)}"
    return TraceNote(kind="left out", what="unknown format", message=message, feature=path)


def _absent_file_note(name: str, row: int) -> TraceNote:
    """Return the note on a row of `drawings/mapping.csv` for a missing file."""
    message = f"row {row} is for {name!r}, which is not in {FOLDER}/; correct the name, or delete the row"
    return TraceNote(kind="left out", what="absent file", message=message, feature=f"{MAPPING}#{row}")


@lru_cache(maxsize=8)
def _mapped_files(content: str) -> tuple[tuple[str, int], ...]:
    """Return the files in `drawings/mapping.csv`, each with its first row; none if it cannot be read."""
    mapping_text = base64.b64decode(content).decode("utf-8-sig", errors="replace")
    first_rows: dict[str, int] = {}
    try:
        for row in read_table(mapping_text, file=MAPPING, required=("file",), optional=("by", "key", "railroad")):
            first_rows.setdefault(row.cells["file"], row.number)
    except SourceError:
        return ()  # the import reports its problems
    return tuple(first_rows.items())


@lru_cache(maxsize=8)
def _cached_notes(content: str) -> tuple[TraceNote, ...]:
    return read_notes(base64.b64decode(content).decode("utf-8", errors="replace"))
