"""Text files of a source package: limits, encodings, hashes."""

import atexit
import hashlib
import re
import shutil
import stat
import sys
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Final

from mapkit.core.characters import refuse_characters
from mapkit.core.errors import SourceError, read_failure

LINE_SUFFIXES = (".fgb", ".geojson", ".gml", ".gpkg", ".json", ".kml", ".kmz", ".shp", ".svg", ".svgz", ".zip")
"""Files of lines that are read."""

STDIN: Final = "-"
"""Name of standard input among the files of a command."""
MAX_BYTES = 64 * 2**20
ZIP = b"PK\x03\x04"
"""How archives begin, and with them workbooks."""
_SHELL_PIPES = ("/dev/fd/", "/dev/stdin", "/proc/")
_START_BYTES = 1024
_MOST_NULS = 0.8
"""Share of NULs among every second byte; only UTF-16 has more."""
_UNSUPPORTED_FORMATS = (
    (re.compile(rb"\xd0\xcf\x11\xe0"), "an old or encrypted Excel file; save it as XLSX or CSV"),
    (re.compile(rb"GIF8"), "a GIF; save it as PNG"),
    (re.compile(rb"BM.{4}\0{4}", re.DOTALL), "a bitmap; save it as PNG"),
    (re.compile(rb"\x1f\x8b"), "a compressed file; unpack it"),
    (re.compile(rb"\{\\rtf"), "a text document (RTF); save its table as CSV"),
    (re.compile(rb"SQLite format 3\0"), "a SQLite database; save its table as CSV"),
    (re.compile(rb"PAR1"), "a Parquet file; save it as CSV"),
    (re.compile(rb"\s*\\(?:documentclass|begin\b)"), "a LaTeX document; save its table as CSV"),
    (re.compile(rb"<\?xml[^>]*>\s*<(?!!DOCTYPE|html)", re.IGNORECASE), "an XML file; save its table as CSV"),
)


def local_path(given: str | Path) -> Path:
    """Return the path of a file that a user names; `-` is a copy of standard input, since files are read twice."""
    return _copy_stdin() if str(given) == STDIN else Path(given)


@cache
def _copy_stdin() -> Path:
    folder = mkdtemp(prefix="mapkit-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    path = Path(folder, "standard-input")
    path.write_bytes(sys.stdin.buffer.read(MAX_BYTES + 1))
    return path


def check_file(path: Path, *, name: str, limit: int = MAX_BYTES, cure: str = "split the file") -> None:
    """Refuse large files, named pipes, devices and sockets; a pipe that the shell passes (`/dev/fd/63`) may be read.

    Args:
        path: The file.
        name: What to call it in messages.
        limit: Its most bytes.
        cure: What to do about a larger one.

    Raises:
        SourceError: It is larger; or reading it may never end.
        OSError: It is missing.
    """
    status = path.stat()
    if status.st_size > limit:
        raise SourceError(f"{name}: {status.st_size} bytes is more than the limit of {limit}; {cure}")
    is_plain = stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)  # reading a folder says that it is one
    if not is_plain and not (stat.S_ISFIFO(status.st_mode) and path.as_posix().startswith(_SHELL_PIPES)):
        raise SourceError(f"{name}: this is a pipe or a device, not a file; put a file there")


def read_bytes(path: Path, *, name: str, limit: int = MAX_BYTES, cure: str = "split the file") -> bytes:
    """Return the content of a file; arguments as for `check_file`.

    Raises:
        SourceError: It is too large, or a special file.
        WorkspaceError: It is missing or not readable.
    """
    try:
        check_file(path, name=name, limit=limit, cure=cure)
        return path.read_bytes()
    except OSError as error:
        raise read_failure(name, path, error) from error


def peek_bytes(path: Path, count: int) -> bytes:
    """Return the first bytes of a regular file, to recognise its kind; none of any other."""
    try:
        if path.is_file():  # opening a pipe may never end
            with path.open("rb") as stream:
                return stream.read(count)
    except OSError:
        pass  # the reader reports it
    return b""


def read_text(path: Path, *, name: str, in_pages: bool = False) -> str:
    """Read a UTF-8 or UTF-16 text file; a byte order mark and CRLF line ends (spreadsheets, Windows) are dropped.

    Args:
        path: The file.
        name: What to call it in messages, relative to the source package.
        in_pages: Whether form feeds end the lines of pages, as in text copied from a PDF.

    Raises:
        SourceError: It is empty, larger than 64 MiB, a special file, not UTF-8, or holds a character that no text may
            hold.
        WorkspaceError: It is missing or not readable.
    """
    data = _to_utf8(read_bytes(path, name=name))
    return decode_text(data.replace(b"\f", b"\n") if in_pages else data, name=name)


def _to_utf8(data: bytes) -> bytes:
    """Return a UTF-16 text, with a byte order mark or with NUL as every second byte, as UTF-8; other data unchanged."""
    start = data[:_START_BYTES]
    code = next(
        (
            code
            for code, mark, nuls in (("utf-16-le", b"\xff\xfe", start[1::2]), ("utf-16-be", b"\xfe\xff", start[::2]))
            if start.startswith(mark) or nuls.count(0) > _MOST_NULS * len(nuls) > 1
        ),
        None,
    )
    try:
        return data.decode(code).removeprefix("\ufeff").encode() if code else data
    except UnicodeError:
        return data


def read_start(path: Path, name: str) -> bytes:
    """Return the first bytes of a file, up to 1 KiB, for inferring its kind.

    Raises:
        SourceError: It is larger than 64 MiB, or of a kind that people have tables in and mapkit does not read.
        WorkspaceError: It is missing or not readable.
    """
    try:
        check_file(path, name=name)
        with path.open("rb") as stream:
            start = stream.read(_START_BYTES)
    except OSError as error:
        raise read_failure(name, path, error) from error
    for pattern, format_name in _UNSUPPORTED_FORMATS:
        if pattern.match(start):
            raise SourceError(f"{name}: this is {format_name}")
    return start


def decode_text(data: bytes, *, name: str) -> str:
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
