"""Reading `variants/<name>.toml`: text to a variant, with the line of each operation."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from mapkit.errors import VariantError, WorkspaceError, did_you_mean
from mapkit.model.variant import Operation, Variant
from mapkit.sources.files import read_text, sha256
from mapkit.variants.apply import MAX_PROBLEMS, Placed

MAX_BYTES = 8 * 2**20
"""A larger file is no variant: 100,000 operations take less."""
TABLE = "operations"


def read_variant(path: Path, *, name: str | None = None) -> Placed:
    """Read a variant's file.

    Args:
        path: The file; its stem is the variant's name.
        name: What to call it in messages and provenance; `variants/<file>` by default.

    Raises:
        VariantError: It is too large, no TOML, or says what no variant can say; every problem is listed with its line.
        SourceError: It is empty or no text.
        WorkspaceError: It is missing or may not be read.
    """
    label = name or f"variants/{path.name}"
    try:
        size = path.stat().st_size
    except OSError as error:
        raise WorkspaceError(f"{label}: cannot be read from {path}: {error.strerror or error}") from error
    if size > MAX_BYTES:
        raise VariantError(f"{label}: {size} bytes is more than the limit of {MAX_BYTES}; split the variant")
    text = read_text(path, name=label)
    placed = replace(parse_variant(text, file=label), folder=path.parent, sha256=sha256(text))
    if placed.name != path.stem:
        raise VariantError(
            f"{label}:{_line_of(text, 'name')}: the name is {placed.name!r}, but the "
            f"file is {path.name}; make them the same, so that no two variants have one name"
        )
    return placed


def parse_variant(text: str, *, file: str) -> Placed:
    """Parse the text of a variant's file.

    Raises:
        VariantError: As for `read_variant`.
    """
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise VariantError(f"{file}: not valid TOML: {error}") from error
    except (RecursionError, ValueError) as error:  # deep nesting; a number of thousands of digits
        raise VariantError(f"{file}: nested too deep, or a number too long: {error}") from error
    rows = tuple(_rows(text))
    try:
        variant = Variant.model_validate(data)
    except ValidationError as error:
        problems = [_problem(text, file, rows, data, item) for item in error.errors()[: MAX_PROBLEMS + 1]]
        raise VariantError(list(dict.fromkeys(problems))) from error
    if len(rows) != len(variant.operations):  # an inline array: no lines of their own
        rows = (_line_of(text, TABLE),) * len(variant.operations)
    return Placed(variant, file, rows)


def _rows(text: str) -> list[int]:
    """Return the lines of the headers `[[operations]]`, those inside texts of several lines left out."""
    out: list[int] = []
    inside = ""
    for number, line in enumerate(text.split("\n"), start=1):
        if not inside and line.lstrip().startswith("[["):
            if line.split("#")[0].strip().strip("[]").strip().strip("\"'") == TABLE:
                out.append(number)
            continue
        if '"""' in line or "'''" in line:
            inside = _after(line, inside)
    return out


def _after(line: str, inside: str) -> str:
    """Return the quotes of the text of several lines that is open after a line."""
    at = 0
    while at < len(line):
        if inside:
            end = line.find(inside, at)
            if end < 0:
                return inside
            at, inside = end + 3, ""
        elif line[at] == "#":
            return ""
        elif line.startswith(('"""', "'''"), at):
            inside, at = line[at : at + 3], at + 3
        elif line[at] in "\"'":
            end = line.find(line[at], at + 1)
            if end < 0:
                return ""
            at = end + 1
        else:
            at += 1
    return inside


def _line_of(text: str, key: str) -> int:
    """Return the line on which a key of the head stands, or 1."""
    for number, line in enumerate(text.split("\n"), start=1):
        if line.split("=")[0].strip().strip("\"'[] ") == key:
            return number
    return 1


@cache
def operation_models() -> Mapping[str, type[BaseModel]]:
    """Return the model of each operation by its `op`."""
    union = get_args(Operation)[0]
    models: tuple[type[BaseModel], ...] = get_args(union)
    return {model.model_fields["op"].default: model for model in models}


def _problem(text: str, file: str, rows: Sequence[int], data: Mapping[str, Any], item: ErrorDetails) -> str:
    loc = list(item["loc"])
    if loc[:1] != [TABLE] or len(loc) == 1:
        where = f"{file}:{_line_of(text, str(loc[0]) if loc else '')}"
        return f"{where}: {_said(Variant, loc, item)}"
    number = int(loc[1])
    row = rows[number] if number < len(rows) else 1
    known = operation_models()
    given = data[TABLE][number] if isinstance(data.get(TABLE), list) else None
    op = given.get("op") if isinstance(given, dict) else None
    if item["type"] == "union_tag_not_found":
        return f"{file}:{row}: operation {number + 1} has no `op`; add one of {', '.join(known)}"
    if item["type"] == "union_tag_invalid":
        hint = did_you_mean(str(op), known) or f"; there are {', '.join(known)}"
        return f"{file}:{row}: operation {number + 1}: unknown operation {op!r}{hint}"
    keys = loc[3:] if len(loc) > 2 and loc[2] == op else loc[2:]  # noqa: PLR2004 - the tag stands in the place
    model = known.get(str(op))
    return f"{file}:{_line_in(text, row, keys)}: operation {number + 1} ({op}): {_said(model, keys, item)}"


def _line_in(text: str, row: int, keys: Sequence[int | str]) -> int:
    """Return the line of a key of the operation that begins at a row, or the row."""
    if not keys:
        return row
    for offset, line in enumerate(text.split("\n")[row:], start=row + 1):
        if line.lstrip().startswith("[["):
            break
        if line.split("=")[0].strip().strip("\"' ") == str(keys[0]):
            return offset
    return row


def _said(model: type[BaseModel] | None, keys: Sequence[int | str], item: ErrorDetails) -> str:
    dotted = ".".join(map(str, keys))
    if item["type"] == "extra_forbidden":
        below = model if len(keys) == 1 else _model_at(model, keys[:-1])
        known = sorted(below.model_fields) if below is not None else []
        hint = did_you_mean(str(keys[-1]), known) or (f"; known keys are {', '.join(known)}" if known else "")
        return f"unknown key {dotted!r}{hint}"
    if item["type"] == "missing":
        return f"key {dotted!r} is missing; add it"
    message = item["msg"].removeprefix("Value error, ")
    if not dotted:
        return message
    shown = repr(item["input"])
    return f"{dotted} is {shown if len(shown) < 100 else shown[:97] + '...'}: {message[:1].lower()}{message[1:]}"  # noqa: PLR2004


def _model_at(model: type[BaseModel] | None, keys: Sequence[int | str]) -> type[BaseModel] | None:
    for key in keys:
        if model is None or not isinstance(key, str) or key not in model.model_fields:
            return None
        annotation = model.model_fields[key].annotation
        found = [a for a in (annotation, *get_args(annotation)) if isinstance(a, type) and issubclass(a, BaseModel)]
        model = found[0] if found else None
    return model
