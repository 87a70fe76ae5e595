"""Text spans of JSON values, by path."""

import json
import re

from mapkit.core.errors import SourceError
from mapkit.formats.cells.json_values import path_to

_TOKEN_PATTERN = re.compile(r'[\s:]*("(?:[^"\\]|\\.)*"|[^\s"{}\[\],:]+|[{}\[\],])')

Span = tuple[int, int]


def find_json_spans(text: str, *, file: str) -> dict[str, Span]:
    """Return the span (first and last offset) of each number, text and word of a JSON text, by path.

    Paths are those of `path_to`; a value of an object also has the path `path['key']`.

    Raises:
        SourceError: The text is not JSON, or a path stands there twice.
    """
    try:
        json.loads(text)
    except (ValueError, RecursionError) as error:
        raise SourceError(f"{file}: not plain JSON, so its cells cannot be corrected one by one") from error
    spans: dict[str, Span] = {}
    open_containers: list[tuple[str, int | None]] = []  # path of each, and the next index in a list
    value_paths = ["$"]  # path of the next value, and its other spellings
    expects_key = False
    for token_match in _TOKEN_PATTERN.finditer(text):
        mark, token_span = token_match[1], token_match.span(1)
        if mark in "{[":
            open_containers.append((value_paths[0], 0 if mark == "[" else None))
            expects_key = mark == "{"
            value_paths = [f"{value_paths[0]}[0]"]
        elif mark in "}]":
            open_containers.pop()
            expects_key = False
        elif mark == ",":
            container_path, item_index = open_containers[-1]
            expects_key = item_index is None
            if item_index is not None:
                open_containers[-1] = container_path, item_index + 1
                value_paths = [f"{container_path}[{item_index + 1}]"]
        elif expects_key:
            expects_key = False
            key_text = json.loads(mark)
            value_paths = [path_to(open_containers[-1][0], key_text), f"{open_containers[-1][0]}[{key_text!r}]"]
        else:
            for value_path in dict.fromkeys(value_paths):
                if value_path in spans:
                    raise SourceError(f"{file}:{value_path}: the same value appears twice; keep one")
                spans[value_path] = token_span
    return spans
