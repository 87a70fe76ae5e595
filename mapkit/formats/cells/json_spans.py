"""Where each value of a JSON text stands, by its path."""

import json
import re

from mapkit.core.errors import SourceError
from mapkit.formats.cells.json_values import path_to

_TOKEN = re.compile(r'[\s:]*("(?:[^"\\]|\\.)*"|[^\s"{}\[\],:]+|[{}\[\],])')

Span = tuple[int, int]


def json_spans(text: str, *, file: str) -> dict[str, Span]:
    """Return the first and last place of each number, text and word of a JSON text: path -> span.

    Paths are those of `path_to`; a value of an object also has the path `path['key']`.

    Raises:
        SourceError: The text is not JSON, or a path stands there twice.
    """
    try:
        json.loads(text)
    except (ValueError, RecursionError) as error:
        raise SourceError(f"{file}: not plain JSON, so its cells cannot be corrected one by one") from error
    spans: dict[str, Span] = {}
    stack: list[tuple[str, int | None]] = []  # of each open list or object its path, and in a list the next index
    paths = ["$"]  # of the value that comes next, and what else it is called
    key = False
    for found in _TOKEN.finditer(text):
        sign, span = found[1], found.span(1)
        if sign in "{[":
            stack.append((paths[0], 0 if sign == "[" else None))
            key = sign == "{"
            paths = [f"{paths[0]}[0]"]
        elif sign in "}]":
            stack.pop()
            key = False
        elif sign == ",":
            path, index = stack[-1]
            key = index is None
            if index is not None:
                stack[-1] = path, index + 1
                paths = [f"{path}[{index + 1}]"]
        elif key:
            key = False
            name = json.loads(sign)
            paths = [path_to(stack[-1][0], name), f"{stack[-1][0]}[{name!r}]"]
        else:
            for path in dict.fromkeys(paths):
                if path in spans:
                    raise SourceError(f"{file}:{path}: this stands there twice; keep one")
                spans[path] = span
    return spans
