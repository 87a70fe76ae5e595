"""Text of RB3 files: bytes to lines and sections, lines to fields, and numbers in the style of BASIC programs."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from mapkit.core.characters import refuse_characters
from mapkit.core.errors import ExportError, SourceError

MAX_BYTES: Final = 16 * 2**20
MAX_LINE: Final = 64 * 2**10
MAX_PROBLEMS: Final = 20

_HEAD_LINE = re.compile(r"\s*'?\s*\[([A-Za-z][A-Za-z0-9_]{0,30})\]\s*")
_REGION_HEAD = re.compile(r"re0*([0-9]{1,3})")
_CONTROL_CHARACTER = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_CONTROL_BYTES = bytes({*range(32), 127} - {*b"\t\n\r"})
_MAX_DIGITS = 9
_INTEGER = re.compile(r"[+-]?[0-9]{1,9}")
_NUMBER = re.compile(r"[+-]?(?:[0-9]{1,9}(?:\.[0-9]{0,6})?|\.[0-9]{1,6})")
_SPACES = re.compile(r"\s*")

Line = tuple[int, str]
"""Number in the file, from 1, and text."""


class RB3Section(NamedTuple):
    """Section: name, number of the line of its head, and the lines below it unchanged."""

    name: str
    row: int
    lines: list[str]

    def data(self) -> Iterator[Line]:
        """Yield the lines that are neither blank nor comments."""
        for row, line in enumerate(self.lines, self.row + 1):
            line_text = line.strip()
            if line_text and line_text[0] != "'":
                yield row, line_text


class RB3Problems:
    """Problems of one file, up to a limit, each `file:row: problem, cure`."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.found: list[str] = []

    def add(self, row: int | None, text: str) -> None:
        """Add a problem; raise all of them if there are too many."""
        self.found.append(f"{self.file}{'' if row is None else f':{row}'}: {text}")
        if len(self.found) >= MAX_PROBLEMS:
            self.raise_if_any()

    def raise_if_any(self) -> None:
        """Raise the collected problems.

        Raises:
            SourceError: There is a problem.
        """
        if self.found:
            raise SourceError(self.found)

    def stop(self, row: int | None, text: str) -> SourceError:
        """Return the error for a fatal problem, with the problems before it."""
        self.found.append(f"{self.file}{'' if row is None else f':{row}'}: {text}")
        return SourceError(self.found)


def looks_like_rb3(data: bytes) -> bool:
    """Return whether the first line with text is a section head."""
    for line in data[:4096].removeprefix(b"\xef\xbb\xbf").replace(b"\r", b"\n").split(b"\n"):
        if line.strip():
            return _HEAD_LINE.fullmatch(line.decode("latin-1")) is not None
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
    control_match = _CONTROL_CHARACTER.search(text) if len(data.translate(None, _CONTROL_BYTES)) != len(data) else None
    if control_match is not None:
        row = text.count("\n", 0, control_match.start()) + 1
        raise SourceError(
            f"{file}:{row}: control character {ord(control_match[0]):#04x}; this is not an RB3 file, or it is damaged"
        )
    refuse_characters(text, file=file)
    return text


def split_sections(text: str, *, file: str) -> list[RB3Section]:
    """Split a text at its section heads.

    Raises:
        SourceError: A line is too long, or text stands before the first head.
    """
    text_lines = text.split("\n")
    longest_line = max(map(len, text_lines))
    if longest_line > MAX_LINE:
        row = next(row for row, line in enumerate(text_lines, 1) if len(line) == longest_line)
        raise SourceError(
            f"{file}:{row}: a line of {longest_line} characters is more than the limit of {MAX_LINE}; "
            "the file is damaged"
        )
    section_heads = [
        (row, head_match[1])
        for row, line in enumerate(text_lines, 1)
        if "[" in line and (head_match := _HEAD_LINE.fullmatch(line))
    ]
    first_row = section_heads[0][0] if section_heads else len(text_lines) + 1
    for row, line in enumerate(text_lines[: first_row - 1], 1):
        if line.strip() and line.lstrip()[0] != "'":
            raise SourceError(f"{file}:{row}: text before the first section; an RB3 file begins with '[header]")
    if not section_heads:
        raise SourceError(f"{file}: no sections; an RB3 file begins with '[header]")
    end_rows = [row - 1 for row, _ in section_heads[1:]] + [len(text_lines)]
    return [
        RB3Section(section_name(head_name), row, text_lines[row:end_row])
        for (row, head_name), end_row in zip(section_heads, end_rows, strict=True)
    ]


def section_name(name: str) -> str:
    """Return a section's name in lower case, `re01` as `re1`."""
    lower_name = name.lower()
    region_match = _REGION_HEAD.fullmatch(lower_name)
    return f"re{int(region_match[1])}" if region_match else lower_name


def is_head(line: str) -> bool:
    """Return whether a reader would take a line for a section head."""
    return _HEAD_LINE.fullmatch(line) is not None


def split_fields(line: str) -> tuple[list[str], str | None, str | None]:
    """Split a data line at its commas.

    Returns:
        Fields, stripped; the comment after an apostrophe in front of a field, or None; and the problem of the line, or
        None.
    """
    field_text, apostrophe_sign, label_hint = line.partition("'")
    if '"' not in line and (not apostrophe_sign or field_text.rstrip()[-1:] == ","):
        cell_text = field_text.rstrip()[:-1] if apostrophe_sign else field_text
        return list(map(str.strip, cell_text.split(","))), label_hint.strip() if apostrophe_sign else None, None
    field_list: list[str] = []
    position, line_length = 0, len(line)
    while True:
        position = _skip_spaces(line, position)
        first_character = line[position : position + 1]
        if first_character == "'":
            return field_list, line[position + 1 :].strip(), None
        if first_character == '"':
            closing_quote = line.find('"', position + 1)
            if closing_quote < 0:
                return field_list, None, "a double quote is not closed"
            field_list.append(line[position + 1 : closing_quote].strip())
            position = _skip_spaces(line, closing_quote + 1)
            if position < line_length and line[position] == "'":
                return field_list, line[position + 1 :].strip(), None
            if position < line_length and line[position] != ",":
                return field_list, None, "text after a closing double quote"
            next_comma = position if position < line_length else -1
        else:
            next_comma = line.find(",", position)
            field_list.append(line[position : line_length if next_comma < 0 else next_comma].rstrip())
        if next_comma < 0:
            return field_list, None, None
        position = next_comma + 1


def _skip_spaces(line: str, position: int) -> int:
    spaces_match = _SPACES.match(line, position)
    return spaces_match.end() if spaces_match else position


def parse_integer(text: str) -> int | None:
    """Return a whole number, or None."""
    is_short = len(text) <= _MAX_DIGITS and text.isdecimal() and text.isascii()
    return int(text) if is_short or _INTEGER.fullmatch(text) else None


def parse_number(text: str) -> float | None:
    """Return a number of at most 9 digits and 6 decimals, or None."""
    return float(text) if _NUMBER.fullmatch(text) else None


def number_text(value: float) -> str:
    """Return a number in the form that `number` reads, without trailing zeros."""
    fixed_text = f"{value:.6f}".rstrip("0").rstrip(".")
    return "0" if fixed_text == "-0" else fixed_text


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
