"""TOML of user files: every error becomes a message with the file and a cure."""

import math
import re
import tomllib
from collections.abc import Iterator, Sequence
from typing import Any, Final

from mapkit.core.characters import NAME_KEYS, broken_name_message, refuse_characters, refuse_escapes
from mapkit.core.errors import SourceError

_LEAST_TOO_LARGE: Final = 2**63


def parse_toml(text: str, *, file: str) -> dict[str, Any]:
    """Return the data of a TOML text.

    Args:
        text: The file's.
        file: Its name in messages.

    Raises:
        SourceError: It is not TOML, is nested too deeply, or holds a number of thousands of digits, a character that
            no text may hold, or a name of several lines.
    """
    refuse_characters(text, file=file)
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SourceError(_explain_toml_error(error, text, file)) from error
    except RecursionError as error:
        raise SourceError(f"{file}: nested too deeply; flatten it") from error
    except ValueError as error:  # Python's own conversion of numbers fails
        raise SourceError(f"{file}: a number in it has thousands of digits; shorten it") from error
    refuse_escapes(text, file=file, data=data)
    for path, value in _walk_values(data, ()):
        if isinstance(value, str) and path[-1] in NAME_KEYS and (message := broken_name_message(".".join(path), value)):
            raise SourceError(f"{_place_of(path, text, file, value.split()[:1])}: {message}")
    return data


def refuse_unbounded_numbers(data: dict[str, Any], text: str, *, file: str) -> None:
    """Raise an error for infinity, for what is not a number, and for integers of more than 64 bits, in any table."""
    for path, value in _walk_values(data, ()):
        is_finite = not isinstance(value, float) or math.isfinite(value)
        if is_finite and not (isinstance(value, int) and abs(value) >= _LEAST_TOO_LARGE):
            continue
        shown = value if isinstance(value, float) else "too large"
        where = _place_of(path, text, file)
        raise SourceError(f"{where}: {'.'.join(path)} is {shown}; give a number that a board can hold")


def _place_of(path: tuple[str, ...], text: str, file: str, words: Sequence[str] = ()) -> str:
    """Return the file and the first row of a key whose line has these words."""
    pattern = re.compile(rf"\W*{re.escape(path[-1])}\W*=")
    rows = (
        number
        for number, line in enumerate(text.splitlines(), 1)
        if pattern.match(line) and all(word in line for word in words)
    )
    row = next(rows, None)
    return file if row is None else f"{file}:{row}"


def _walk_values(data: object, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], object]]:
    if isinstance(data, dict):
        for key, value in data.items():
            yield from _walk_values(value, (*path, str(key)))
    elif isinstance(data, list):
        for value in data:
            yield from _walk_values(value, path)
    else:
        yield path, data


def _explain_toml_error(error: tomllib.TOMLDecodeError, text: str, file: str) -> str:
    problem_text = str(error)
    place_match = re.search(r" \(at line (\d+), column (\d+)\)$", problem_text)
    row = place_match[1] if place_match else text.rstrip().count("\n") + 1
    problem_text = (
        f"{problem_text[: place_match.start()]} at column {place_match[2]}"
        if place_match
        else problem_text.replace("(at end of document)", "at the end")
    )
    return f"{file}:{row}: not valid TOML: {problem_text[:1].lower()}{problem_text[1:]}; correct it"
