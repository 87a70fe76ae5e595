"""Characters forbidden in all texts of a board: those invalid in XML, control characters, and invisible characters.

Reading a text that contains one raises an error with file, row and character; printing a text escapes them.
"""

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Final

from mapkit.core.errors import SourceError

_FORBIDDEN_CLASS: Final = (
    "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"  # control characters except tab, line feed and carriage return
    "\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f\ufeff"  # directional marks, line separators, byte order mark
    "\ufdd0-\ufdef\ufffe\uffff\ud800-\udfff"  # noncharacters, halves of surrogate pairs
) + "".join(chr(plane << 16 | last) for plane in range(1, 17) for last in (0xFFFE, 0xFFFF))
_FORBIDDEN_CHARACTER: Final = re.compile(f"[{_FORBIDDEN_CLASS}]")
_UNPRINTED_CHARACTER: Final = re.compile(f"[{_FORBIDDEN_CLASS}]|\r(?!\n)")
_ESCAPE_PATTERN: Final = re.compile(r"\\(?:([bfe])|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|.)", re.DOTALL)
"""Escape sequence of JSON or TOML; a short one for an allowed character matches no group."""
_SHORT_ESCAPES: Final = {"b": "\b", "f": "\f", "e": "\x1b"}
NAME_KEYS: Final = frozenset({"name", "short", "title", "place", "city", "line"})
"""Columns, keys and fields with names, which have one line."""
_BREAK_CHARACTERS: Final = frozenset("\t\n\r")
_WORD_START: Final = re.compile(r"[^\t\n\r,;|\"]*")
_MAX_CONTEXT: Final = 40
_NULL_BYTE: Final = b"\x00"


def find_character(text: str) -> str | None:
    """Return the first forbidden character of a text."""
    if text.isprintable():  # none is printable, and this is twenty times as fast
        return None
    forbidden = _FORBIDDEN_CHARACTER.search(text)
    return forbidden[0] if forbidden else None


def describe_character(character: str) -> str:
    """Return the kind and number of a forbidden character: `the control character U+000B`."""
    category = unicodedata.category(character)
    if category == "Cs":
        kind_text = "half of a surrogate pair"
    elif category == "Cc":
        kind_text = "the control character"
    else:
        kind_text = f"the invisible character {unicodedata.name(character, 'noncharacter').lower()}"
    return f"{kind_text} U+{ord(character):04X}"


def broken_name_message(where: str, name: str) -> str | None:
    """Return an error message for a name with a tab or a line break; None for any other."""
    if _BREAK_CHARACTERS.isdisjoint(name):
        return None
    return f"{where} is {name!r}, which holds a tab or a line break; replace it by a space"


def refuse_characters(text: str, *, file: str) -> None:
    """Raise an error if the text of a file holds forbidden characters.

    Raises:
        SourceError: The text has such characters; the error lists the first one of each row.
    """
    problems: dict[int, str] = {}
    row, counted_to, line_start = 1, 0, 0
    for forbidden in _FORBIDDEN_CHARACTER.finditer(text):
        row += text.count("\n", counted_to, forbidden.start())
        counted_to = forbidden.start()
        if row not in problems:
            line_start = text.rfind("\n", 0, forbidden.start()) + 1
            problems[row] = (
                f"{file}:{row}: character {forbidden.start() - line_start + 1} is "
                f"{describe_character(forbidden[0])}, in {_word_around(text, forbidden.start())}; delete it"
            )
    if problems:
        raise SourceError(list(problems.values()))


def refuse_escapes(text: str, *, file: str, data: object = None) -> None:
    r"""Refuse a text of JSON or TOML that writes a forbidden character as an escape such as `\u001b`.

    Args:
        text: The text.
        file: The name of the file in messages.
        data: The values parsed from TOML, to ignore the backslashes in its literal strings; None for JSON.

    Raises:
        SourceError: The text has such escapes; the error names the first.
    """
    for character, at in _find_escaped(text):
        if data is None or any(character in value for value in _all_texts(data)):
            row = text.count("\n", 0, at) + 1
            raise SourceError(
                f"{file}:{row}: {describe_character(character)} is written as an escape, in "
                f"{_word_around(text, at)}; delete it"
            )


def refuse_bytes(data: bytes, *, file: str) -> None:
    """Raise an error if the bytes of a file, such as damaged XML, contain forbidden characters.

    Raises:
        SourceError: As for `refuse_characters`; ignores invalid UTF-8, and files with null bytes (UTF-16).
    """
    if _NULL_BYTE not in data:
        refuse_characters(data.decode("utf-8-sig", "replace"), file=file)


def find_in_data(data: object) -> tuple[str, str] | None:
    """Return the first text with a forbidden character in plain data or models, and that character."""
    with suppress(TypeError):  # models; as one text, plain data is searched ten times as fast
        json_text = json.dumps(data, ensure_ascii=False)
        if "\\" not in json_text and find_character(json_text) is None:
            return None
    return next(((text, found) for text in _all_texts(data) if (found := find_character(text)) is not None), None)


def escape_characters(text: str) -> str:
    r"""Return a text with forbidden characters, and carriage returns inside lines, as escapes such as `\u001b`."""
    return _UNPRINTED_CHARACTER.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _find_escaped(text: str) -> Iterator[tuple[str, int]]:
    """Yield forbidden characters written as escapes, with their positions."""
    if "\\" not in text:
        return
    pair_end = -1
    for escape in _ESCAPE_PATTERN.finditer(text):
        digits = escape[2] or escape[3]
        if escape.start() == pair_end or not (digits or escape[1]):
            continue
        code_point = int(digits, 16) if digits else ord(_SHORT_ESCAPES[escape[1]])
        is_high_half = 0xD800 <= code_point <= 0xDBFF  # noqa: PLR2004 - high surrogates
        if is_high_half and re.match(r"\\u[dD][c-fC-F][0-9A-Fa-f]{2}", text[escape.end() : escape.end() + 6]):
            pair_end = escape.end()
        elif code_point > 0x10FFFF or find_character(chr(code_point)):  # noqa: PLR2004 - last code point of Unicode
            yield chr(min(code_point, 0x10FFFF)), escape.start()


def _all_texts(data: object) -> Iterator[str]:
    if isinstance(data, str):
        yield data
    elif hasattr(data, "model_fields_set"):  # a pydantic model, recognised without the slow import of pydantic
        yield from _all_texts(vars(data))
    elif isinstance(data, Mapping):
        for key, value in data.items():
            yield from _all_texts(key)
            yield from _all_texts(value)
    elif isinstance(data, Sequence) and not isinstance(data, bytes):
        for value in data:
            yield from _all_texts(value)


def _word_around(text: str, at: int) -> str:
    """Return the cell or word around a character, in quotes."""
    word_start = at - len(_leading_word(text[max(0, at - _MAX_CONTEXT) : at][::-1]))
    return repr(text[word_start:at] + _leading_word(text[at : at + _MAX_CONTEXT]))


def _leading_word(text: str) -> str:
    word_match = _WORD_START.match(text)
    return word_match[0] if word_match else ""
