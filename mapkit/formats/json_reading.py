"""JSON of foreign files, with limits on size and depth."""

import json
import re
from pathlib import Path
from typing import Any

from mapkit.core.characters import describe_character, find_character, refuse_characters, refuse_escapes
from mapkit.core.errors import SourceError
from mapkit.formats.files import read_text

MAX_DEPTH = 64
_STRING_PATTERN = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)', re.DOTALL)
_BRACKET_PATTERN = re.compile(r"[\[\]{}]")


def read_json(path: Path) -> Any:  # noqa: ANN401 - any JSON
    """Return the data of a JSON file.

    Raises:
        SourceError: It is not JSON, holds NaN or infinite numbers, nests deeper than 64 levels, or is larger than
            64 MiB.
        WorkspaceError: It is missing or not readable.
    """
    return parse_json(read_text(path, name=path.name), file=path.name)


def parse_json(text: str, *, file: str) -> Any:  # noqa: ANN401 - any JSON
    """Return the data of a JSON text; raises as `read_json`."""
    refuse_characters(text, file=file)
    depth = 0
    for bracket in _BRACKET_PATTERN.finditer(_STRING_PATTERN.sub('""', text)):
        depth += 1 if bracket[0] in "[{" else -1
        if depth > MAX_DEPTH:
            raise SourceError(f"{file}: nests deeper than {MAX_DEPTH} levels; this is not a board")

    def refuse(word: str) -> float:
        raise SourceError(f"{file}: holds {word}, which is not a JSON number; export the board again")

    try:
        data = json.loads(text, parse_constant=refuse)
    except ValueError as error:
        raise SourceError(json_error_message(error, file=file, cure="export the board again")) from error
    refuse_escapes(text, file=file)
    return data


def json_error_message(error: Exception, *, file: str, cure: str = "correct it", row: int = 1) -> str:
    """Return a message about an invalid JSON text, with the file, the row and a cure.

    Args:
        error: What Python's reader of JSON raised: a ValueError or a RecursionError.
        file: Name of the file in messages.
        cure: What to do about it.
        row: The row of the file in which the text begins.
    """
    match error:
        case json.JSONDecodeError() if (character := find_character(error.doc[error.pos : error.pos + 1])) is not None:
            problem_text = f"character {error.colno} is {describe_character(character)}; delete it"
            return f"{file}:{row + error.lineno - 1}: {problem_text}"
        case json.JSONDecodeError():
            problem_text = error.msg.removesuffix(" starting at").removesuffix(" at")
            problem_text = f"{problem_text[:1].lower()}{problem_text[1:]} at column {error.colno}"
            return f"{file}:{row + error.lineno - 1}: not valid JSON: {problem_text}; {cure}"
        case RecursionError():
            return f"{file}:{row}: nested too deep; {cure}"
        case _:  # Python's own conversion of numbers fails
            return f"{file}:{row}: a number in it has thousands of digits; {cure}"
