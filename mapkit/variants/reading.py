"""Reading `variants/<name>.toml`: text to a variant, with the line of each operation."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from mapkit.core.errors import SourceError, VariantError, WorkspaceError, did_you_mean
from mapkit.core.invalid import invalid
from mapkit.document.command import Command, Commands
from mapkit.formats.files import read_text, sha256
from mapkit.formats.toml_reading import parse_toml
from mapkit.variants.applying import MAX_PROBLEMS, PlacedVariant
from mapkit.variants.variant import MAX_OPERATIONS, Variant, command_data

MAX_BYTES = 8 * 2**20
"""A larger file is not a variant: 100,000 operations take less."""
TABLE = "operations"


def read_variant(path: Path, *, model: type[Variant], name: str | None = None) -> PlacedVariant:
    """Read a variant's file.

    Args:
        path: The file; its stem is the variant's name.
        model: The variants of a kind of board.
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
    placed = replace(parse_variant(text, file=label, model=model), folder=path.parent, sha256=sha256(text))
    if placed.name != path.stem:
        raise VariantError(
            f"{label}:{_line_of(text, 'name')}: the name is {placed.name!r}, but the "
            f"file is {path.name}; make them the same, so that no two variants have one name"
        )
    return placed


def parse_variant(text: str, *, file: str, model: type[Variant]) -> PlacedVariant:
    """Parse the text of a variant's file.

    Raises:
        VariantError: As for `read_variant`.
    """
    try:
        data = parse_toml(text, file=file)
    except SourceError as error:
        raise VariantError(error.problems) from error
    rows = tuple(_rows(text))
    given = data.get(TABLE)
    operations = given if isinstance(given, list) and len(given) <= MAX_OPERATIONS else []
    problems: list[str] = []
    commands: list[Command] = []
    for number, one in enumerate(operations):
        row = rows[number] if number < len(rows) else 1
        found = _operation(_Place(text, file, row, number + 1), model.commands, one)
        if isinstance(found, Command):
            commands.append(found)
        else:
            problems.extend(found)
    head = {key: value for key, value in data.items() if key != TABLE or value is not operations}
    try:
        variant = model.model_validate({**head, TABLE: commands} if operations else head)
    except ValidationError as error:
        problems = [_head_problem(model, text, file, item) for item in error.errors()] + problems
    if problems:
        raise VariantError(list(dict.fromkeys(problems))[: MAX_PROBLEMS + 1])
    if len(rows) != len(variant.operations):  # an inline array: no lines of their own
        rows = (_line_of(text, TABLE),) * len(variant.operations)
    return PlacedVariant(variant, file, rows)


@dataclass(frozen=True)
class _Place:
    """Where an operation stands: the text, its file, its line, its number."""

    text: str
    file: str
    row: int
    number: int


def _operation(at: _Place, commands: Commands, given: object) -> Command | list[str]:
    """Return an operation, or what is wrong with it."""
    where = f"{at.file}:{at.row}: operation {at.number}"
    if not isinstance(given, dict) or "op" not in given:
        return [f"{where} has no `op`; add one of those that mapkit list commands lists"]
    op = given["op"]
    data = command_data(commands, given)
    model = commands.get(data["kind"])
    if model is None:
        hint = did_you_mean(str(op), commands) or "; mapkit list commands lists them"
        return [f"{where}: unknown operation {op!r}{hint}"]
    problems: list[tuple[Sequence[int | str], ErrorDetails | None]] = []
    try:
        made = model.model_validate(data)
        if made.reason:
            return made
    except ValidationError as error:
        problems += [(item["loc"], item) for item in error.errors()]
    if not given.get("reason") and not any(loc[:1] == ("reason",) for loc, _ in problems):
        problems.append((("reason",), None))
    return [
        f"{at.file}:{_line_in(at.text, at.row, loc)}: operation {at.number} ({op}): {_said(model, loc, item)}"
        for loc, item in problems
    ]


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


def _head_problem(model: type[Variant], text: str, file: str, item: ErrorDetails) -> str:
    loc = list(item["loc"])
    return f"{file}:{_line_of(text, str(loc[0]) if loc else '')}: {_said(model, loc, item)}"


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


def _said(model: type[BaseModel] | None, keys: Sequence[int | str], item: ErrorDetails | None) -> str:
    dotted = ".".join(map(str, keys))
    if item is not None and item["type"] == "extra_forbidden":
        below = model if len(keys) == 1 else _model_at(model, keys[:-1])
        known = sorted(below.model_fields.keys() - {"kind"}) if below is not None else []
        hint = did_you_mean(str(keys[-1]), known) or (f"; known keys are {', '.join(known)}" if known else "")
        return f"unknown key {dotted!r}{hint}"
    if item is None or item["type"] == "missing":
        return f"key {dotted!r} is missing; add it"
    return invalid(item, where=dotted) if dotted else item["msg"].removeprefix("Value error, ")


def _model_at(model: type[BaseModel] | None, keys: Sequence[int | str]) -> type[BaseModel] | None:
    for key in keys:
        if model is None or not isinstance(key, str) or key not in model.model_fields:
            return None
        annotation = model.model_fields[key].annotation
        found = [a for a in (annotation, *get_args(annotation)) if isinstance(a, type) and issubclass(a, BaseModel)]
        model = found[0] if found else None
    return model
