"""JSON with limits: numbers keep their text; duplicate keys and deep nesting are refused."""

import json
import re
from collections.abc import Sequence
from contextlib import suppress

from mapkit.core.characters import refuse_escapes
from mapkit.core.errors import SourceError
from mapkit.formats.json_reading import json_error_message

MAX_DEPTH = 32
_STRING_PATTERN = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)', re.DOTALL)
"""A string, or one that is never closed: it is read once, however many quotes stand in it."""
_BRACKET_PATTERN = re.compile(r"[\[\]{}]")
_MAX_SHOWN_KEY = 80


class Digits(str):
    """A number as written in the file."""

    __slots__ = ()


Plain = dict[str, "Plain"] | list["Plain"] | str | bool | None


def parse_json(text: str, *, file: str) -> Plain:
    """Return the data of a JSON text, numbers as `Digits`; for JSON lines, a list with one item a line.

    Raises:
        SourceError: The text is not JSON, nests deeper than 32 levels, or an object has a key twice.
    """
    depth = deepest = 0
    for bracket in _BRACKET_PATTERN.finditer(_STRING_PATTERN.sub('""', text)):
        depth += 1 if bracket[0] in "[{" else -1
        deepest = max(deepest, depth)
    if deepest > MAX_DEPTH:
        raise SourceError(f"{file}: nests {deepest} levels deep, the limit is {MAX_DEPTH}; flatten it")

    def pairs(items: list[tuple[str, Plain]]) -> Plain:
        refuse_duplicate_keys([name for name, _ in items], file=file)
        return dict(items)

    def load(part: str) -> Plain:
        parsed_data: Plain = json.loads(
            part, parse_float=Digits, parse_int=Digits, parse_constant=Digits, object_pairs_hook=pairs
        )
        refuse_escapes(part, file=file)
        return parsed_data

    try:
        return load(text)
    except json.JSONDecodeError as error:
        filled_lines = [line for line in text.split("\n") if line.strip()]
        if len(filled_lines) > 1 and all(line.lstrip()[:1] in ("{", "[") for line in filled_lines):
            with suppress(json.JSONDecodeError):
                return [load(line) for line in filled_lines]
        raise SourceError(json_error_message(error, file=file)) from error


def refuse_duplicate_keys(keys: Sequence[str], *, file: str) -> None:
    """Raise an error if an object has a key twice.

    Raises:
        SourceError: It has.
    """
    if len(set(keys)) == len(keys):
        return
    seen_keys: set[str] = set()
    for key in keys:
        if key in seen_keys:
            raise SourceError(f"{file}: key {key[:_MAX_SHOWN_KEY]!r} appears twice in one object; remove one")
        seen_keys.add(key)
