"""Characters that no text of a board may hold: those that XML forbids, and those that steer terminals and readers.

They are refused where text is read, with file, row and character, and escaped where text is printed.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from mapkit.core.errors import SourceError

_CLASS: Final = (
    "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"  # controls but tab, line feed and carriage return
    "\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f\ufeff"  # directions, line separators, byte order mark
    "\ufdd0-\ufdef\ufffe\uffff\ud800-\udfff"  # noncharacters, halves of surrogate pairs
) + "".join(chr(plane << 16 | last) for plane in range(1, 17) for last in (0xFFFE, 0xFFFF))
_FORBIDDEN: Final = re.compile(f"[{_CLASS}]")
_UNPRINTED: Final = re.compile(f"[{_CLASS}]|\r(?!\n)")
_ESCAPE: Final = re.compile(r"\\(?:([bfe])|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|.)", re.DOTALL)
"""An escape of JSON or TOML; one of another character has no group."""
_SHORT: Final = {"b": "\b", "f": "\f", "e": "\x1b"}
_AROUND: Final = re.compile(r"[^\t\n\r,;|\"]*")
_SHOWN: Final = 40
_NULL: Final = b"\x00"


def find_character(text: str) -> str | None:
    """Return the first character of a text that no text may hold."""
    found = _FORBIDDEN.search(text)
    return found[0] if found else None


def describe_character(character: str) -> str:
    """Return the kind and number of a forbidden character: `the control character U+000B`."""
    kind = unicodedata.category(character)
    if kind == "Cs":
        name = "half of a surrogate pair"
    elif kind == "Cc":
        name = "the control character"
    else:
        name = f"the invisible character {unicodedata.name(character, 'noncharacter').lower()}"
    return f"{name} U+{ord(character):04X}"


def refuse_characters(text: str, *, file: str) -> None:
    """Refuse the text of a file that holds forbidden characters as they are.

    Raises:
        SourceError: There are some; each row is named once, with its first.
    """
    problems: dict[int, str] = {}
    row, counted, start = 1, 0, 0
    for found in _FORBIDDEN.finditer(text):
        row += text.count("\n", counted, found.start())
        counted = found.start()
        if row not in problems:
            start = text.rfind("\n", 0, found.start()) + 1
            problems[row] = (
                f"{file}:{row}: character {found.start() - start + 1} is {describe_character(found[0])}, in "
                f"{_word_around(text, found.start())}; delete it"
            )
    if problems:
        raise SourceError(list(problems.values()))


def refuse_escapes(text: str, *, file: str, data: object = None) -> None:
    r"""Refuse a text of JSON or TOML that writes a forbidden character as an escape such as `\u001b`.

    Args:
        text: The text.
        file: What messages call it.
        data: What was read of TOML, whose literal strings have backslashes that do not escape.

    Raises:
        SourceError: It does; the first is named.
    """
    for character, at in _escaped(text):
        if data is None or any(character in value for value in _texts(data)):
            row = text.count("\n", 0, at) + 1
            raise SourceError(
                f"{file}:{row}: {describe_character(character)} is written as an escape, in "
                f"{_word_around(text, at)}; delete it"
            )


def refuse_bytes(data: bytes, *, file: str) -> None:
    """Refuse a file, such as one of damaged XML, that holds forbidden characters as they are.

    Raises:
        SourceError: As for `refuse_characters`; of a file that is not UTF-8 nothing is said.
    """
    if _NULL not in data:
        refuse_characters(data.decode("utf-8-sig", "replace"), file=file)


def find_in_data(data: object) -> tuple[str, str] | None:
    """Return the first text in plain data or models that holds a forbidden character, and that character."""
    return next(((text, found) for text in _texts(data) if (found := find_character(text)) is not None), None)


def escape_characters(text: str) -> str:
    r"""Return a text with forbidden characters, and carriage returns inside lines, as escapes such as `\u001b`."""
    return _UNPRINTED.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _escaped(text: str) -> Iterator[tuple[str, int]]:
    """Yield forbidden characters that are written as escapes, with their places."""
    if "\\" not in text:
        return
    pair_end = -1
    for found in _ESCAPE.finditer(text):
        digits = found[2] or found[3]
        if found.start() == pair_end or not (digits or found[1]):
            continue
        code = int(digits, 16) if digits else ord(_SHORT[found[1]])
        if 0xD800 <= code <= 0xDBFF and re.match(r"\\u[dD][c-fC-F][0-9A-Fa-f]{2}", text[found.end() : found.end() + 6]):  # noqa: PLR2004 - the high halves of surrogate pairs
            pair_end = found.end()
        elif code > 0x10FFFF or find_character(chr(code)):  # noqa: PLR2004 - the last character
            yield chr(min(code, 0x10FFFF)), found.start()


def _texts(data: object) -> Iterator[str]:
    if isinstance(data, str):
        yield data
    elif hasattr(data, "model_fields_set"):  # a model; pydantic takes long to load, and the program starts without it
        yield from _texts(vars(data))
    elif isinstance(data, Mapping):
        for key, value in data.items():
            yield from _texts(key)
            yield from _texts(value)
    elif isinstance(data, Sequence) and not isinstance(data, bytes):
        for value in data:
            yield from _texts(value)


def _word_around(text: str, at: int) -> str:
    """Return the cell or word in which a character stands, in quotes."""
    start = at - len(_leading_word(text[max(0, at - _SHOWN) : at][::-1]))
    return repr(text[start:at] + _leading_word(text[at : at + _SHOWN]))


def _leading_word(text: str) -> str:
    found = _AROUND.match(text)
    return found[0] if found else ""
