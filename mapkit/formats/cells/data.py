"""Nested data in files: JSON, and literals in source code."""

from pathlib import Path
from typing import Final

from mapkit.formats.cells.json_files import Plain, parse_json
from mapkit.formats.cells.literals import SUFFIXES, looks_like_code, parse_literals

DATA_KINDS: Final = ("json", "code")


def infer_data_kind(text: str, path: Path) -> str | None:
    """Return `json` or `code` if a text is one of them; only code is also recognised by the suffix of its file."""
    if path.suffix.casefold() in SUFFIXES:
        return "code"
    if text.lstrip()[:1] in ("{", "["):
        return "json"
    return "code" if looks_like_code(text) else None


def parse_data(text: str, kind: str, *, file: str) -> Plain:
    """Return the data of a text of one of the two kinds, numbers as `Digits`.

    Raises:
        SourceError: It holds none, or nests too deep.
    """
    return parse_json(text, file=file) if kind == "json" else parse_literals(text, file=file)
