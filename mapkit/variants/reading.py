"""Reader of `variants/<name>.toml`: text to a variant, with the line of each operation."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from mapkit.core.errors import SourceError, VariantError, did_you_mean
from mapkit.core.invalid import invalid_value_message
from mapkit.core.plurals import join_some
from mapkit.document.command import Command, Commands
from mapkit.formats.files import decode_text, read_bytes, sha256
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
        VariantError: It is not TOML, or says what no variant can say; every problem is listed with its line.
        SourceError: It is too large, empty or no text.
        WorkspaceError: It is missing or not readable.
    """
    label = name or f"variants/{path.name}"
    text = decode_text(read_bytes(path, name=label, limit=MAX_BYTES, cure="split the variant"), name=label)
    placed_variant = replace(parse_variant(text, file=label, model=model), folder=path.parent, sha256=sha256(text))
    if placed_variant.name != path.stem:
        raise VariantError(
            f"{label}:{_line_of(text, 'name')}: the name is {placed_variant.name!r}, but the "
            f"file is {path.name}; make them the same, so that no two variants have one name"
        )
    return placed_variant


def parse_variant(text: str, *, file: str, model: type[Variant]) -> PlacedVariant:
    """Parse the text of a variant's file.

    Raises:
        VariantError: As for `read_variant`.
    """
    try:
        data = parse_toml(text, file=file)
    except SourceError as error:
        raise VariantError(error.problems) from error
    header_rows = tuple(_header_lines(text))
    raw_operations = data.get(TABLE)
    operations = raw_operations if isinstance(raw_operations, list) and len(raw_operations) <= MAX_OPERATIONS else []
    problems: list[str] = []
    commands: list[Command] = []
    for number, operation_data in enumerate(operations):
        row = header_rows[number] if number < len(header_rows) else 1
        parsed = _parse_operation(_OperationPlace(text, file, row, number + 1), model.commands, operation_data)
        if isinstance(parsed, Command):
            commands.append(parsed)
        else:
            problems.extend(parsed)
    head_data = {key: value for key, value in data.items() if key != TABLE or value is not operations}
    try:
        variant = model.model_validate({**head_data, TABLE: commands} if operations else head_data)
    except ValidationError as error:
        problems = [_head_problem(model, text, file, item) for item in error.errors()] + problems
    if problems:
        raise VariantError(list(dict.fromkeys(problems))[: MAX_PROBLEMS + 1])
    if len(header_rows) != len(variant.operations):  # an inline array: no lines of their own
        header_rows = (_line_of(text, TABLE),) * len(variant.operations)
    return PlacedVariant(variant, file, header_rows)


@dataclass(frozen=True)
class _OperationPlace:
    """Location of an operation: text, file, line, number."""

    text: str
    file: str
    row: int
    number: int


def _parse_operation(at: _OperationPlace, commands: Commands, given: object) -> Command | list[str]:
    """Return an operation, or its problems."""
    operation_place = f"{at.file}:{at.row}: operation {at.number}"
    if not isinstance(given, dict) or "op" not in given:
        return [f"{operation_place} has no `op`; add one of those that mapkit list commands lists"]
    operation_name = given["op"]
    command_json = command_data(commands, given)
    model = commands.get(command_json["kind"])
    if model is None:
        hint = did_you_mean(str(operation_name), commands) or "; mapkit list commands lists them"
        return [f"{operation_place}: unknown operation {operation_name!r}{hint}"]
    problems: list[tuple[Sequence[int | str], ErrorDetails | None]] = []
    try:
        command = model.model_validate(command_json)
        if command.reason:
            return command
    except ValidationError as error:
        problems += [(item["loc"], item) for item in error.errors()]
    if not given.get("reason") and not any(loc[:1] == ("reason",) for loc, _ in problems):
        problems.append((("reason",), None))
    return [
        f"{at.file}:{_line_in_operation(at.text, at.row, loc)}: operation {at.number} ({operation_name}): "
        f"{_describe_problem(model, loc, item)}"
        for loc, item in problems
    ]


def _header_lines(text: str) -> list[int]:
    """Return the lines of the headers `[[operations]]`, except inside multi-line strings."""
    header_lines: list[int] = []
    open_quotes = ""
    for number, line in enumerate(text.split("\n"), start=1):
        if not open_quotes and line.lstrip().startswith("[["):
            if line.split("#")[0].strip().strip("[]").strip().strip("\"'") == TABLE:
                header_lines.append(number)
            continue
        if '"""' in line or "'''" in line:
            open_quotes = _open_quotes_after(line, open_quotes)
    return header_lines


def _open_quotes_after(line: str, inside: str) -> str:
    """Return the quotes of the multi-line string that is open after a line."""
    at = 0
    while at < len(line):
        if inside:
            closing_index = line.find(inside, at)
            if closing_index < 0:
                return inside
            at, inside = closing_index + 3, ""
        elif line[at] == "#":
            return ""
        elif line.startswith(('"""', "'''"), at):
            inside, at = line[at : at + 3], at + 3
        elif line[at] in "\"'":
            closing_index = line.find(line[at], at + 1)
            if closing_index < 0:
                return ""
            at = closing_index + 1
        else:
            at += 1
    return inside


def _line_of(text: str, key: str) -> int:
    """Return the line of a key of the head, or 1."""
    for number, line in enumerate(text.split("\n"), start=1):
        if line.split("=")[0].strip().strip("\"'[] ") == key:
            return number
    return 1


def _head_problem(model: type[Variant], text: str, file: str, item: ErrorDetails) -> str:
    loc = list(item["loc"])
    return f"{file}:{_line_of(text, str(loc[0]) if loc else '')}: {_describe_problem(model, loc, item)}"


def _line_in_operation(text: str, row: int, keys: Sequence[int | str]) -> int:
    """Return the line of a key of the operation that begins at a row, or the row."""
    if not keys:
        return row
    for offset, line in enumerate(text.split("\n")[row:], start=row + 1):
        if line.lstrip().startswith("[["):
            break
        if line.split("=")[0].strip().strip("\"' ") == str(keys[0]):
            return offset
    return row


def _describe_problem(model: type[BaseModel] | None, keys: Sequence[int | str], item: ErrorDetails | None) -> str:
    dotted_key = ".".join(map(str, keys))
    if item is not None and item["type"] == "extra_forbidden":
        parent_model = model if len(keys) == 1 else _model_at(model, keys[:-1])
        known_keys = sorted(parent_model.model_fields.keys() - {"kind"}) if parent_model is not None else []
        hint = did_you_mean(str(keys[-1]), known_keys) or (
            f"; known keys are {join_some(known_keys)}" if known_keys else ""
        )
        return f"unknown key {dotted_key!r}{hint}"
    if item is None or item["type"] == "missing":
        return f"key {dotted_key!r} is missing; add it"
    return invalid_value_message(item, where=dotted_key) if dotted_key else item["msg"].removeprefix("Value error, ")


def _model_at(model: type[BaseModel] | None, keys: Sequence[int | str]) -> type[BaseModel] | None:
    for key in keys:
        if model is None or not isinstance(key, str) or key not in model.model_fields:
            return None
        annotation = model.model_fields[key].annotation
        nested_models = [
            a for a in (annotation, *get_args(annotation)) if isinstance(a, type) and issubclass(a, BaseModel)
        ]
        model = nested_models[0] if nested_models else None
    return model
