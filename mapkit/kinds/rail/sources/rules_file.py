"""Rules as TOML, in a file of their own or in the table `[rules]` of `board.toml`, with their problems."""

from pathlib import Path

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from mapkit.core.errors import SourceError, did_you_mean
from mapkit.core.invalid import invalid_value_message, value_cure
from mapkit.formats.files import read_text
from mapkit.formats.toml_reading import parse_toml
from mapkit.formats.toml_rows import find_row
from mapkit.kinds.rail.rules.options import shown_value
from mapkit.kinds.rail.rules.paths import setting_paths, unknown_setting
from mapkit.kinds.rail.rules.rules import Rules

MAX_BYTES = 2**20
"""Limit of rules files, a thousand times the size of all settings."""


def read_rules(path: Path, *, name: str) -> Rules:
    """Read a rules file: `preset`, `options`, and settings by group, optionally in a table `[rules]`.

    Args:
        path: The file.
        name: Name of the file in messages.

    Raises:
        SourceError: It is not TOML, too large, a key is unknown (the message has the nearest), a value is wrong, or the
            combination is contradictory.
        WorkspaceError: It is missing or may not be read.
    """
    text = read_text(path, name=name)
    if len(text) > MAX_BYTES:
        raise SourceError(f"{name}: more than {MAX_BYTES:,} characters; rules need a few thousand at most")
    toml_data = parse_toml(text, file=name)
    has_rules_table = isinstance(toml_data.get("rules"), dict)
    try:
        return Rules.model_validate(toml_data["rules"] if has_rules_table else toml_data)
    except ValidationError as error:
        outer_tables = ["rules"] if has_rules_table else []
        raise SourceError(
            [
                problem
                for item in error.errors()
                for problem in describe_rules_error(item, text=text, file=name, outer_tables=outer_tables)
            ]
        ) from error


def describe_rules_error(item: ErrorDetails, *, text: str, file: str, outer_tables: list[str]) -> list[str]:
    """Return the messages of one validation error, as `file:row: problem, cure`.

    Args:
        item: The error; its place is below the rules or starts with `outer_tables`.
        text: The file's text.
        file: Its name.
        outer_tables: The tables around the rules, `["rules"]` or none.
    """
    key_path = [str(part) for part in item["loc"]]
    inner_path = key_path[len(outer_tables) :] if key_path[: len(outer_tables)] == outer_tables else key_path
    setting_path = ".".join(inner_path)
    where = f"{file}:{find_row(text, [*outer_tables, *inner_path])}"
    if item["type"] == "extra_forbidden":
        return [f"{where}: {unknown_setting(setting_path, (*setting_paths(Rules), 'options'))}"]
    if item["type"] == "value_error":
        lines = str(item.get("ctx", {}).get("error", item["msg"])).splitlines()
        return [f"{where}: {line}" for line in lines]
    hint = ""
    if item["type"] == "literal_error" and isinstance(item["input"], str):
        expected = str(item.get("ctx", {}).get("expected", ""))
        hint = did_you_mean(item["input"], expected.replace(" or ", ", ").replace("'", "").split(", "))
    subject = setting_path or "the rules"
    if item["type"] == "missing":
        return [f"{where}: {invalid_value_message(item, where=subject)}"]
    return [f"{where}: {subject} is {shown_value(item['input'])}: {value_cure(item)}{hint}"]
