"""JSON with limits: every number keeps its text, doubled keys are refused, and so is what nests too deep."""

import json
import re
from collections.abc import Sequence
from contextlib import suppress

from mapkit.core.errors import SourceError
from mapkit.formats.json_reading import not_json

MAX_DEPTH = 32
_STRING = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)', re.DOTALL)
"""A string, or one that is never closed: it is read once, however many quotes stand in it."""
_BRACKET = re.compile(r"[\[\]{}]")
_FOR_MESSAGES = 80


class Digits(str):
    """A number as it stands in the file."""

    __slots__ = ()


Plain = dict[str, "Plain"] | list["Plain"] | str | bool | None


def parse_json(text: str, *, file: str) -> Plain:
    """Return the data of a JSON text, numbers as `Digits`; of JSON lines, a list of what is in each.

    Raises:
        SourceError: The text is not JSON, nests deeper than 32 levels, or an object has a key twice.
    """
    depth = deepest = 0
    for found in _BRACKET.finditer(_STRING.sub('""', text)):
        depth += 1 if found[0] in "[{" else -1
        deepest = max(deepest, depth)
    if deepest > MAX_DEPTH:
        raise SourceError(f"{file}: nests {deepest} levels deep, the limit is {MAX_DEPTH}; flatten it")

    def pairs(items: list[tuple[str, Plain]]) -> Plain:
        refuse_doubled_keys([name for name, _ in items], file=file)
        return dict(items)

    def load(part: str) -> Plain:
        found: Plain = json.loads(
            part, parse_float=Digits, parse_int=Digits, parse_constant=Digits, object_pairs_hook=pairs
        )
        return found

    try:
        return load(text)
    except json.JSONDecodeError as error:
        lines = [line for line in text.split("\n") if line.strip()]
        if len(lines) > 1 and all(line.lstrip()[:1] in ("{", "[") for line in lines):
            with suppress(json.JSONDecodeError):
                return [load(line) for line in lines]
        raise SourceError(not_json(error, file=file)) from error


def refuse_doubled_keys(keys: Sequence[str], *, file: str) -> None:
    """Raise an error if an object has a key twice.

    Raises:
        SourceError: It has.
    """
    if len(set(keys)) == len(keys):
        return
    seen: set[str] = set()
    for key in keys:
        if key in seen:
            raise SourceError(f"{file}: key {key[:_FOR_MESSAGES]!r} appears twice in one object; remove one")
        seen.add(key)
