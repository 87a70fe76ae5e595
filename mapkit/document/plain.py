"""Tables in the plainest files: `board.toml` for settings, and a CSV file a table, its columns named as the fields."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import ValidationError

from mapkit.core.csvtext import csv_text
from mapkit.core.errors import SourceError
from mapkit.core.invalid import invalid
from mapkit.core.problems import Problem, problem_of
from mapkit.document.document import Accepted, D, Document, Row, RowOrigin, document_of_rows, ordered
from mapkit.document.toml_file import CONFIG_FILE, accepted_data, settings_data, settings_of, toml_text
from mapkit.formats.tables import raw_rows, read_table
from mapkit.formats.toml_reading import parse_toml

_Files = Mapping[str, str | bytes]
_PATH = re.compile(r"[/\\]|^\.")
"""What an id must not have: names of files are made of ids."""
_OWN = ("settings", "accepted")
"""Tables that stand in `board.toml`."""


def read_plain(of: type[D], files: _Files) -> tuple[D, tuple[Problem, ...]]:
    """Return the document of files, and what of them could not be read into it.

    Raises:
        SourceError: `board.toml` is not a TOML.
    """
    data = parse_toml(_text(files, CONFIG_FILE), file=CONFIG_FILE)
    problems: list[Problem] = []
    tables: dict[str, list[tuple[str, Row]]] = {"settings": [*settings_of(data)]}
    accepted = data.get("accepted", {})
    if isinstance(accepted, dict):
        tables["accepted"] = [(key, Accepted(reason=str(reason))) for key, reason in accepted.items()]
    origins: dict[tuple[str, str], RowOrigin] = {}
    for name, model in of.schema.tables.items():
        if name in _OWN or f"{name}.csv" not in files:
            continue
        rows = tables.setdefault(name, [])
        for key, row, number in _rows(name, model, _text(files, f"{name}.csv"), problems):
            rows.append((key, row))
            origins[name, key] = RowOrigin(f"{name}.csv", number)
    return document_of_rows(of, tables, origins), tuple(problems)


def _text(files: _Files, name: str) -> str:
    text = files.get(name, "")
    return text if isinstance(text, str) else ""


def _fields(model: type[Row]) -> list[str]:
    return [name for name in model.model_fields if name != "rank"]


def _rows(table: str, model: type[Row], text: str, problems: list[Problem]) -> Iterator[tuple[str, Row, int]]:
    file = f"{table}.csv"
    needed = [name for name in _fields(model) if model.model_fields[name].is_required()]
    optional = [name for name in _fields(model) if name not in needed]
    seen: dict[str, int] = {}
    try:
        if sum(1 for _ in raw_rows(text, file=file)) < 2:  # noqa: PLR2004 - a header alone is a table without rows
            return
        found = read_table(text, file=file, required=["id", *needed], optional=optional)
    except SourceError as error:
        problems += [problem_of(one, table=table) for one in error.problems]
        return
    for row in found:
        key = row.cells.pop("id")
        if not key or key in seen:
            what = f"id {key!r} is already in row {seen[key]}; rename one" if key else "id is empty; give one"
            problems.append(Problem(table, f"{file}:{row.number}", what, file=file, row=row.number))
            continue
        if _PATH.search(key):
            what = f"id is {key[:80]!r}: an id is not a path; write small letters and digits, joined by hyphens"
            problems.append(Problem(table, f"{file}:{row.number}", what, file=file, row=row.number))
            continue
        seen[key] = row.number
        try:
            yield key, model.model_validate({name: cell for name, cell in row.cells.items() if cell}), row.number
        except ValidationError as error:
            for item in error.errors():
                empty = item["type"] == "missing"
                message = f"{item['loc'][0]} is empty; fill it in" if empty else invalid(item)
                problems.append(Problem(table, key, message, file=file, row=row.number))


def plain_files(
    document: Document, before: Document, present: _Files
) -> tuple[dict[str, str | bytes], tuple[str, ...]]:
    """Return the files to write so that they hold a document, and those to remove.

    Args:
        document: What they should hold.
        before: What they hold.
        present: The files as they are.
    """
    write: dict[str, str | bytes] = {}
    gone: list[str] = []
    if CONFIG_FILE not in present or any(_differ(name, document, before) for name in _OWN):
        data = settings_data(document) | accepted_data(document)
        write[CONFIG_FILE] = toml_text(data, _text(present, CONFIG_FILE))
    for name, model in document.schema.tables.items():
        file = f"{name}.csv"
        if name in _OWN or (file in present and not _differ(name, document, before)):
            continue
        rows = ordered(document.table(name))
        if rows:
            columns = _fields(model)
            cells = [[key, *(_cell(getattr(row, column)) for column in columns)] for key, row in rows]
            write[file] = csv_text([["id", *columns], *cells])
        elif file in present:
            gone.append(file)
    return {name: data for name, data in write.items() if data != present.get(name)}, tuple(gone)


def _differ(table: str, one: Document, other: Document) -> bool:
    return one.table(table) != other.table(table)


def _cell(value: Any) -> str:  # noqa: ANN401 - any field of a row
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):  # a field of the type `Listed`
        return " ".join(map(str, value))
    return repr(value).removesuffix(".0") if isinstance(value, float) else str(value)
