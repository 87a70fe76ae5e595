"""JSON of foreign files, read with limits on size and depth."""

import json
import re
from pathlib import Path
from typing import Any

from mapkit.core.errors import SourceError
from mapkit.formats.files import read_text

MAX_DEPTH = 64
_STRING = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)', re.DOTALL)
_BRACKET = re.compile(r"[\[\]{}]")


def read_json(path: Path) -> Any:  # noqa: ANN401 - whatever the file holds
    """Return the data of a JSON file.

    Raises:
        SourceError: It is not JSON, holds NaN or infinite numbers, nests deeper than 64 levels, or is larger than
            64 MiB.
        WorkspaceError: It is missing or may not be read.
    """
    return parse_json(read_text(path, name=path.name), file=path.name)


def parse_json(text: str, *, file: str) -> Any:  # noqa: ANN401 - whatever the text holds
    """Return the data of a JSON text; raises as `read_json`."""
    depth = 0
    for found in _BRACKET.finditer(_STRING.sub('""', text)):
        depth += 1 if found[0] in "[{" else -1
        if depth > MAX_DEPTH:
            raise SourceError(f"{file}: nests deeper than {MAX_DEPTH} levels; this is not a board")

    def refuse(word: str) -> float:
        raise SourceError(f"{file}: holds {word}, which is not a JSON number; export the board again")

    try:
        return json.loads(text, parse_constant=refuse)
    except json.JSONDecodeError as error:
        raise SourceError(
            f"{file}:{error.lineno}:{error.colno}: no JSON: {error.msg}; export the board again"
        ) from error
    except ValueError as error:  # a number of thousands of digits
        raise SourceError(f"{file}: no JSON: {error}; export the board again") from error
