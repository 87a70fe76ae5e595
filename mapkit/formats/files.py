"""Text files of a source package: limits, encodings, hashes."""

import hashlib
import re
from pathlib import Path

from mapkit.core.characters import refuse_characters
from mapkit.core.errors import SourceError, WorkspaceError

LINE_SUFFIXES = (".fgb", ".geojson", ".gml", ".gpkg", ".json", ".kml", ".kmz", ".shp", ".svg", ".svgz", ".zip")
"""Files of lines that are read."""

MAX_BYTES = 64 * 2**20
ZIP = b"PK\x03\x04"
"""How archives begin, and with them workbooks."""
_START_BYTES = 1024
_UNSUPPORTED_FORMATS = (
    (re.compile(rb"\xd0\xcf\x11\xe0"), "an old or encrypted Excel file; save it as XLSX or CSV"),
    (re.compile(rb"GIF8"), "a GIF; save it as PNG"),
    (re.compile(rb"BM.{4}\0{4}", re.DOTALL), "a bitmap; save it as PNG"),
    (re.compile(rb"\x1f\x8b"), "a compressed file; unpack it"),
)


def read_text(path: Path, *, name: str, in_pages: bool = False) -> str:
    """Read a UTF-8 text file; a byte order mark and CRLF line ends (spreadsheets, Windows) are dropped.

    Args:
        path: The file.
        name: What to call it in messages, relative to the source package.
        in_pages: Whether form feeds end the lines of pages, as in text copied from a PDF.

    Raises:
        SourceError: It is empty, larger than 64 MiB, not UTF-8, or holds a character that no text may hold.
        WorkspaceError: It is missing or not readable.
    """
    try:
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise SourceError(f"{name}: {size} bytes is more than the limit of {MAX_BYTES}; split the file")
        data = path.read_bytes()
    except OSError as error:
        raise WorkspaceError(f"{name}: cannot be read from {path}: {error.strerror or error}") from error
    return decoded(data.replace(b"\f", b"\n") if in_pages else data, name=name)


def start_of(path: Path, name: str) -> bytes:
    """Return the first bytes of a file, up to 1 KiB, for inferring its kind.

    Raises:
        SourceError: It is larger than 64 MiB, or of a kind that people have tables in and mapkit does not read.
        WorkspaceError: It is missing or not readable.
    """
    try:
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise SourceError(f"{name}: {size} bytes is more than the limit of {MAX_BYTES}; split the file")
        with path.open("rb") as stream:
            start = stream.read(_START_BYTES)
    except OSError as error:
        raise WorkspaceError(f"{name}: cannot be read from {path}: {error.strerror or error}") from error
    for pattern, format_name in _UNSUPPORTED_FORMATS:
        if pattern.match(start):
            raise SourceError(f"{name}: this is {format_name}")
    return start


def decoded(data: bytes, *, name: str) -> str:
    """Return the text of a UTF-8 file or pipe, as `read_text` does; likewise raises SourceError."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        row = data.count(b"\n", 0, error.start) + 1
        raise SourceError(
            f"{name}:{row}: byte {data[error.start]:#04x} is not UTF-8; save the file as UTF-8"
        ) from error
    if not text.strip():
        raise SourceError(f"{name}:1: the file is empty; fill it in or remove it")
    if "\x00" in text:
        row = text.count("\n", 0, text.index("\x00")) + 1
        raise SourceError(f"{name}:{row}: a NUL byte; this is not a text file")
    unix_text = plain_text(text)
    refuse_characters(unix_text, file=name)
    return unix_text


def plain_text(text: str) -> str:
    """Return a text with the line ends of Unix."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def sha256(text: str) -> str:
    """Return the SHA-256 of a text after decoding, so that line ends and a byte order mark do not matter."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
