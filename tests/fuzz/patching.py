"""Small inputs that stand for large files: what is fuzzed is a few changes to a file that is right.

A board in any format takes tens of kilobytes, most of them rules and charts that random bytes would only break. So an
input says which parts of the good file are replaced by what: a part a time, `number (2 bytes), length (1 byte), text`.
The number counts from the front, modulo the parts that there are. An input whose first byte is 0 is the file itself.
"""

import io
import re
import zipfile
from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory

from tiny import tiny_board

from mapkit.core.errors import MapkitError
from mapkit.core.findings import CheckReport
from mapkit.kinds.rail.exchange.format import EditedFormat, ExportOptions, Format, ReadingFormat
from mapkit.kinds.rail.exchange.registry import get_format
from mapkit.kinds.rail.model.board import Board

RAW = 0
_PARTS = re.compile(rb'"[^"<>]*"|[-+.\w]+|[^\w"]', re.DOTALL)
_HEAD = 3


@cache
def good_file(name: str) -> bytes:
    """Return the small board of the tests in a format, as the file that the format reads."""
    form = get_format(name)
    files = form.export(tiny_board(), ExportOptions(checks=CheckReport(findings=(), checks={}))).files
    [content] = [c for path, c in files.items() if path.endswith(form.suffixes[0]) and ".schema" not in path]
    return content.encode() if isinstance(content, str) else content


def changes(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield what an input replaces: the number of a part, and the text for it."""
    at = 0
    while len(data) - at >= _HEAD:
        size = data[at + 2]
        yield int.from_bytes(data[at : at + 2], "big"), data[at + _HEAD : at + _HEAD + size]
        at += _HEAD + size


@cache
def _parts(good: bytes) -> tuple[bytes, ...]:
    return tuple(_PARTS.findall(good))


def patched_text(good: bytes, data: bytes) -> bytes:
    """Return a text with parts replaced: names, numbers, quoted texts, signs."""
    if data[:1] == bytes([RAW]):
        return data[1:]
    parts = list(_parts(good))
    for number, text in changes(data):
        parts[number % len(parts)] = text
    return b"".join(parts)


def patched_binary(good: bytes, data: bytes) -> bytes:
    """Return bytes with others written over them, at places that are as many apart as numbers reach."""
    if data[:1] == bytes([RAW]):
        return data[1:]
    out = bytearray(good)
    step = len(out) // 65536 + 1
    for number, text in changes(data):
        at = number * step % len(out)
        out[at : at + len(text)] = text
    return bytes(out)


def patched_zip(good: bytes, data: bytes) -> bytes:
    """Return an archive whose members are patched as texts; the first byte of an input says which."""
    if data[:1] == bytes([RAW]):
        return data[1:]
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(good)) as archive, zipfile.ZipFile(out, "w") as made:
        names = archive.namelist()
        chosen = names[data[0] % len(names)] if data else ""
        for name in names:
            content = archive.read(name)
            made.writestr(zipfile.ZipInfo(name), patched_text(content, data[1:]) if name == chosen else content)
    return out.getvalue()


def reads_back(name: str, path: Path) -> None:
    """Read a board in the ways that its format is read; what is accepted is exported and read back the same.

    Raises:
        MapkitError: The file is refused, or the format cannot hold what another said.
    """
    form = get_format(name)
    assert isinstance(form, EditedFormat)
    refusals: list[MapkitError] = []
    for read in (form.read if isinstance(form, ReadingFormat) else None, partial(form.read_edited, base=tiny_board())):
        try:
            if read is not None:
                _again(get_format("geojson") if name == "gpkg" else form, read(path), path)  # GDAL writes slowly
        except MapkitError as error:
            refusals.append(error)
    if refusals:
        raise refusals[0]


def _again(form: Format, board: Board, path: Path) -> None:
    assert isinstance(form, EditedFormat)
    files = form.export(board, ExportOptions(checks=CheckReport(findings=(), checks={}))).files
    [content] = [c for file, c in files.items() if file.endswith(form.suffixes[0]) and ".schema" not in file]
    with TemporaryDirectory(prefix="mapkit-fuzz-") as folder:
        again = Path(folder) / path.name
        again.write_bytes(content.encode() if isinstance(content, str) else content)
        if isinstance(form, ReadingFormat):
            assert form.read(again) == board
        assert form.read_edited(again, board) == board
