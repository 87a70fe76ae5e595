"""RB3 as text: bytes to lines and sections, lines to fields, and numbers as a BASIC program writes them."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from mapkit.core.characters import refuse_characters
from mapkit.core.errors import ExportError, SourceError, WorkspaceError

MAX_BYTES: Final = 16 * 2**20
MAX_LINE: Final = 64 * 2**10
MAX_PROBLEMS: Final = 20

_HEAD = re.compile(r"\s*'?\s*\[([A-Za-z][A-Za-z0-9_]{0,30})\]\s*")
_REGION_HEAD = re.compile(r"re0*([0-9]{1,3})")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_CONTROL_BYTES = bytes({*range(32), 127} - {*b"\t\n\r"})
_DIGITS = 9
_INTEGER = re.compile(r"[+-]?[0-9]{1,9}")
_NUMBER = re.compile(r"[+-]?(?:[0-9]{1,9}(?:\.[0-9]{0,6})?|\.[0-9]{1,6})")
_SPACES = re.compile(r"\s*")

Line = tuple[int, str]
"""Number in the file, from 1, and text."""


class RB3Section(NamedTuple):
    """A section: name, number of its head's line, and the lines below it as they stand."""

    name: str
    row: int
    lines: list[str]

    def data(self) -> Iterator[Line]:
        """Yield the lines that are neither blank nor comments."""
        for row, line in enumerate(self.lines, self.row + 1):
            text = line.strip()
            if text and text[0] != "'":
                yield row, text


class RB3Problems:
    """Problems of one file, up to a limit, each `file:row: what, what to do`."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.found: list[str] = []

    def add(self, row: int | None, text: str) -> None:
        """Note a problem; with too many, raise them at once."""
        self.found.append(f"{self.file}{'' if row is None else f':{row}'}: {text}")
        if len(self.found) >= MAX_PROBLEMS:
            self.raise_if_any()

    def raise_if_any(self) -> None:
        """Raise what was found.

        Raises:
            SourceError: There is a problem.
        """
        if self.found:
            raise SourceError(self.found)

    def stop(self, row: int | None, text: str) -> SourceError:
        """Return the error for a problem that reading cannot go on from, with those before it."""
        self.found.append(f"{self.file}{'' if row is None else f':{row}'}: {text}")
        return SourceError(self.found)


def read_bytes(path: Path) -> bytes:
    """Return a file's bytes.

    Raises:
        SourceError: It is too large.
        WorkspaceError: It is missing or may not be read.
    """
    try:
        with path.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise WorkspaceError(f"{path.name}: cannot be read from {path}: {error.strerror or error}") from error
    return data


def looks_like_rb3(data: bytes) -> bool:
    """Return whether the first line with text is a section head."""
    for line in data[:4096].removeprefix(b"\xef\xbb\xbf").replace(b"\r", b"\n").split(b"\n"):
        if line.strip():
            return _HEAD.fullmatch(line.decode("latin-1")) is not None
    return False


def decode(data: bytes, *, file: str) -> str:
    """Return the text, with LF line ends: strict UTF-8, or else Windows-1252.

    Raises:
        SourceError: It is too large, empty, or no text of these encodings.
    """
    if len(data) > MAX_BYTES:
        raise SourceError(f"{file}: more than {MAX_BYTES >> 20} MB; no map is that large, give an RB3 file")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        try:
            text = data.decode("cp1252")
        except UnicodeDecodeError as error:
            row = data.count(b"\n", 0, error.start) + 1
            raise SourceError(
                f"{file}:{row}: byte {data[error.start]:#04x} is neither UTF-8 nor Windows-1252; save it as either"
            ) from error
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not text.strip():
        raise SourceError(f"{file}:1: the file is empty; give an RB3 file")
    bad = _CONTROL.search(text) if len(data.translate(None, _CONTROL_BYTES)) != len(data) else None
    if bad is not None:
        row = text.count("\n", 0, bad.start()) + 1
        raise SourceError(
            f"{file}:{row}: control character {ord(bad[0]):#04x}; this is not an RB3 file, or it is damaged"
        )
    refuse_characters(text, file=file)
    return text


def sections(text: str, *, file: str) -> list[RB3Section]:
    """Cut a text at its section heads.

    Raises:
        SourceError: A line is too long, or text stands before the first head.
    """
    lines = text.split("\n")
    longest = max(map(len, lines))
    if longest > MAX_LINE:
        row = next(row for row, line in enumerate(lines, 1) if len(line) == longest)
        raise SourceError(
            f"{file}:{row}: a line of {longest} characters is more than the limit of {MAX_LINE}; the file is damaged"
        )
    heads = [(row, head[1]) for row, line in enumerate(lines, 1) if "[" in line and (head := _HEAD.fullmatch(line))]
    first = heads[0][0] if heads else len(lines) + 1
    for row, line in enumerate(lines[: first - 1], 1):
        if line.strip() and line.lstrip()[0] != "'":
            raise SourceError(f"{file}:{row}: text before the first section; an RB3 file begins with '[header]")
    if not heads:
        raise SourceError(f"{file}: no sections; an RB3 file begins with '[header]")
    ends = [row - 1 for row, _ in heads[1:]] + [len(lines)]
    return [RB3Section(section_name(name), row, lines[row:end]) for (row, name), end in zip(heads, ends, strict=True)]


def section_name(name: str) -> str:
    """Return a section's name in small letters, `re01` as `re1`."""
    low = name.lower()
    region = _REGION_HEAD.fullmatch(low)
    return f"re{int(region[1])}" if region else low


def is_head(line: str) -> bool:
    """Return whether a line would be read as a section head."""
    return _HEAD.fullmatch(line) is not None


def fields(line: str) -> tuple[list[str], str | None, str | None]:
    """Cut a data line at its commas.

    Returns:
        Fields, stripped; the comment that an apostrophe in front of a field starts, if there is one; and what is wrong
        with the line, or None.
    """
    data, apostrophe, hint = line.partition("'")
    if '"' not in line and (not apostrophe or data.rstrip()[-1:] == ","):
        cells = data.rstrip()[:-1] if apostrophe else data
        return list(map(str.strip, cells.split(","))), hint.strip() if apostrophe else None, None
    out: list[str] = []
    at, size = 0, len(line)
    while True:
        at = _spaces_end(line, at)
        first = line[at : at + 1]
        if first == "'":
            return out, line[at + 1 :].strip(), None
        if first == '"':
            end = line.find('"', at + 1)
            if end < 0:
                return out, None, "a double quote is not closed"
            out.append(line[at + 1 : end].strip())
            at = _spaces_end(line, end + 1)
            if at < size and line[at] == "'":
                return out, line[at + 1 :].strip(), None
            if at < size and line[at] != ",":
                return out, None, "text after a closing double quote"
            comma = at if at < size else -1
        else:
            comma = line.find(",", at)
            out.append(line[at : size if comma < 0 else comma].rstrip())
        if comma < 0:
            return out, None, None
        at = comma + 1


def _spaces_end(line: str, at: int) -> int:
    found = _SPACES.match(line, at)
    return found.end() if found else at


def integer(text: str) -> int | None:
    """Return a whole number, or None."""
    short = len(text) <= _DIGITS and text.isdecimal() and text.isascii()
    return int(text) if short or _INTEGER.fullmatch(text) else None


def number(text: str) -> float | None:
    """Return a number of at most 9 digits and 6 decimals, or None."""
    return float(text) if _NUMBER.fullmatch(text) else None


def number_text(value: float) -> str:
    """Return a number as `number` reads it, without zeros at its end."""
    text = f"{value:.6f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def name_field(text: str, *, empty: bool = False) -> str:
    """Return a name as a field.

    Raises:
        ExportError: RB3 cannot hold it.
    """
    if (not text and not empty) or text != text.strip():
        raise ExportError(f"RB3: the name {text!r} is empty or has spaces around it; correct it")
    if '"' in text or text.startswith("'") or not text.isprintable():
        raise ExportError(
            f"RB3 cannot hold the name {text!r}, with a double quote, a control character or an apostrophe in front; "
            "change the name"
        )
    return f'"{text}"' if "," in text else text
