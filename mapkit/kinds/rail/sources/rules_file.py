"""Rules as TOML: a file of their own, or the table `[rules]` of `board.toml`; mistakes are reported in either."""

from pathlib import Path

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from mapkit.core.errors import SourceError, did_you_mean
from mapkit.core.invalid import fault, invalid
from mapkit.formats.files import read_text
from mapkit.formats.toml_reading import parse_toml
from mapkit.formats.toml_rows import row_of
from mapkit.kinds.rail.rules.options import shown_value
from mapkit.kinds.rail.rules.paths import setting_paths, unknown_setting
from mapkit.kinds.rail.rules.rules import Rules

MAX_BYTES = 2**20
"""The largest rules file; a thousand times what all settings need."""


def read_rules(path: Path, *, name: str) -> Rules:
    """Read a rules file: `preset`, `options`, and settings by group; a table `[rules]` around them is fine too.

    Args:
        path: The file.
        name: What to call it in messages.

    Raises:
        SourceError: It is not TOML, too large, a key is unknown (the nearest is offered), a value is wrong, or the
            combination contradicts itself.
        WorkspaceError: It is missing or may not be read.
    """
    text = read_text(path, name=name)
    if len(text) > MAX_BYTES:
        raise SourceError(f"{name}: more than {MAX_BYTES:,} characters; rules need a few thousand at most")
    data = parse_toml(text, file=name)
    inside = isinstance(data.get("rules"), dict)
    try:
        return Rules.model_validate(data["rules"] if inside else data)
    except ValidationError as error:
        before = ["rules"] if inside else []
        raise SourceError(
            [
                problem
                for item in error.errors()
                for problem in rules_problems(item, text=text, file=name, before=before)
            ]
        ) from error


def rules_problems(item: ErrorDetails, *, text: str, file: str, before: list[str]) -> list[str]:
    """Return what one error of validation means, as `file:row: what, what to do`.

    Args:
        item: The error; its place is below the rules or starts with `before`.
        text: The file's text.
        file: Its name.
        before: The tables that the rules stand in, `["rules"]` or none.
    """
    keys = [str(part) for part in item["loc"]]
    inner = keys[len(before) :] if keys[: len(before)] == before else keys
    path = ".".join(inner)
    where = f"{file}:{row_of(text, [*before, *inner])}"
    if item["type"] == "extra_forbidden":
        return [f"{where}: {unknown_setting(path, (*setting_paths(Rules), 'options'))}"]
    if item["type"] == "value_error":
        lines = str(item.get("ctx", {}).get("error", item["msg"])).splitlines()
        return [f"{where}: {line}" for line in lines]
    hint = ""
    if item["type"] == "literal_error" and isinstance(item["input"], str):
        expected = str(item.get("ctx", {}).get("expected", ""))
        hint = did_you_mean(item["input"], expected.replace(" or ", ", ").replace("'", "").split(", "))
    what = path or "the rules"
    if item["type"] == "missing":
        return [f"{where}: {invalid(item, where=what)}"]
    return [f"{where}: {what} is {shown_value(item['input'])}: {fault(item)}{hint}"]
