"""Where drawings lie in a source package: in `drawings/` once they are placed, beside the lists that they gave.

```
drawings/portugal.svg   what was drawn
drawings/mapping.csv    whose lines its layers are, where their names do not say
drawings/notes.csv      what placing had to say: repairs, doubts, what was left out
```

In a package of an earlier mapkit they lie in `lines/`, and were traced at each build.
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
    """Return whether a path is that of an imported drawing."""
    return _lies_in(path, FOLDER) and _is_readable(path)


def is_old_drawing(path: str) -> bool:
    """Return whether a path is that of a drawing of a package of an earlier mapkit."""
    return _lies_in(path, OLD_FOLDER) and _is_readable(path)


def _lies_in(path: str, folder: str) -> bool:
    return PurePosixPath(path).parent.as_posix() == folder


def _is_readable(path: str) -> bool:
    return PurePosixPath(path).suffix.lower() in LINE_SUFFIXES


def moved(path: str) -> str:
    """Return where a file of `lines/` lies once it is imported."""
    return f"{FOLDER}/{PurePosixPath(path).name}"


def goes_along(path: str) -> bool:
    """Return whether a file of `lines/` is a drawing or belongs to one."""
    beside = _lies_in(path, OLD_FOLDER) and PurePosixPath(path).suffix.lower() in BESIDE
    return is_old_drawing(path) or path == OLD_MAPPING or beside


def drawings_of(document: RailDocument) -> tuple[str, ...]:
    """Return the imported drawings of a document, sorted."""
    return tuple(sorted(path for path in document.files if is_drawing(path)))


def drawing_of(line: Line) -> str:
    """Return the drawing that a line came from, or nothing."""
    return line.feature.partition("#")[0]


def file_row(data: bytes) -> File:
    """Return a file that a document carries."""
    return File(sha256=hashlib.sha256(data).hexdigest(), content=base64.b64encode(data).decode("ascii"))


def notes_text(notes: Sequence[TraceNote]) -> str:
    """Return `drawings/notes.csv`."""
    rows = [
        (n.kind, n.what, n.message, n.feature, *("" if at is None else f"{at:.5f}" for at in (n.lon, n.lat)))
        for n in notes
    ]
    return csv_text([_NOTE_HEADER, *rows])


def read_notes(text: str) -> tuple[TraceNote, ...]:
    """Read `drawings/notes.csv`.

    Raises:
        SourceError: A row is not one that placing writes.
    """
    out: list[TraceNote] = []
    for row in read_table(text, file=NOTES, required=_NOTE_HEADER):
        lon, lat = ((float(row.cells[key]) if row.cells[key] else None) for key in ("lon", "lat"))
        values = {key: row.cells[key] for key in ("kind", "what", "message", "feature")}
        try:
            out.append(TraceNote.model_validate({**values, "lon": lon, "lat": lat}))
        except ValidationError as error:
            raise SourceError(row.at("no note that placing writes; place the drawings again")) from error
    return tuple(out)


def notes_of(files: Collection[tuple[str, File]]) -> tuple[TraceNote, ...]:
    """Return the notes on files of lines: those of placing, files that nothing reads, mapped files that are not there.

    Args:
        files: The table `files` of a document.

    Raises:
        SourceError: `drawings/notes.csv` cannot be read.
    """
    out: list[TraceNote] = []
    for path, file in sorted(files):
        if path == NOTES:
            out += _notes_in(file.content)
        if path == MAPPING:
            there = {PurePosixPath(other).name for other, _ in files if is_drawing(other)}
            out += [_absent(name, row) for name, row in _mapped_files(file.content) if name not in there]
    return (*unread_notes(path for path, _ in sorted(files)), *out)


def unread_notes(paths: Iterable[str]) -> Iterator[TraceNote]:
    """Yield a note for each file in `lines/` that is neither a table nor a drawing nor belongs to one."""
    for path in sorted(paths):
        if _lies_in(path, OLD_FOLDER) and PurePosixPath(path).suffix.lower() not in {*LINE_SUFFIXES, *BESIDE, ".csv"}:
            yield unknown_format(path)


def unknown_format(path: str) -> TraceNote:
    """Return the note of a file of lines that mapkit does not read."""
    text = f"{path}: not a format that mapkit reads; passed over; it reads {', '.join(LINE_SUFFIXES)}"
    return TraceNote(kind="left out", what="unknown format", message=text, feature=path)


def _absent(name: str, row: int) -> TraceNote:
    """Return the note of a row of `drawings/mapping.csv` for a file that is not there."""
    message = f"row {row} is for {name!r}, which is not in {FOLDER}/; correct the name, or delete the row"
    return TraceNote(kind="left out", what="absent file", message=message, feature=f"{MAPPING}#{row}")


@lru_cache(maxsize=8)
def _mapped_files(content: str) -> tuple[tuple[str, int], ...]:
    """Return the files that `drawings/mapping.csv` names, each with its first row; none where it cannot be read."""
    text = base64.b64decode(content).decode("utf-8-sig", errors="replace")
    out: dict[str, int] = {}
    try:
        for row in read_table(text, file=MAPPING, required=("file",), optional=("by", "key", "railroad")):
            out.setdefault(row.cells["file"], row.number)
    except SourceError:
        return ()  # importing says what is wrong with it
    return tuple(out.items())


@lru_cache(maxsize=8)
def _notes_in(content: str) -> tuple[TraceNote, ...]:
    return read_notes(base64.b64decode(content).decode("utf-8", errors="replace"))
