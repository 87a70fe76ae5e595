"""Reader of `board.toml`."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Final, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from mapkit.core.errors import SourceError, did_you_mean
from mapkit.core.invalid import invalid_value_message, value_cure
from mapkit.core.plurals import join_some
from mapkit.formats.files import read_text
from mapkit.formats.toml_reading import parse_toml
from mapkit.formats.toml_rows import find_row
from mapkit.geography.country_names import country_problem
from mapkit.kinds.rail.model.drawing import NOT_ON_PLANE
from mapkit.kinds.rail.model.source import BoardConfig, RegionConfig
from mapkit.kinds.rail.rules.options import shown_value
from mapkit.kinds.rail.rules.paths import setting_paths, unknown_setting
from mapkit.kinds.rail.rules.rules import Rules

# Rules as TOML, in a file of their own or in the table `[rules]` of `board.toml`, with their problems.

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


FILE = "board.toml"


Settings = dict[str, Any]
"""`board.toml` as plain data."""

LEAST: Final[Mapping[str, Any]] = {
    "title": "Untitled",
    "licence": "unknown",
    "projection": {"name": "plate-carree"},
    "page": {"width": 420, "height": 297},
    "gazetteer": {"countries": ["US"]},
    "regions": [{"id": "none", "name": "No region", "short": "-", "colour": "#dddddd"}],
}
"""Defaults of the settings that a board cannot be shown without."""


@dataclass(frozen=True)
class ReadConfig:
    """Usable part of `board.toml`, with its problems.

    Args:
        data: The usable settings.
        config: The same as a model, with defaults from `LEAST`.
        problems: Problems: the top key, and `file:row: problem, cure`.
        regions: Its regions; None if it cannot be read at all.
    """

    data: Settings
    config: BoardConfig
    problems: tuple[tuple[str, str], ...]
    regions: tuple[RegionConfig, ...] | None


@cache
def default_config() -> ReadConfig:
    """Return the defaults for a file that cannot be read at all."""
    return ReadConfig({}, BoardConfig.model_validate(LEAST), (), None)


def parse_config(text: str) -> BoardConfig:
    """Parse the text of `board.toml`.

    Raises:
        SourceError: It is not TOML, a key is unknown (the message has the nearest), missing, or its value wrong.
    """
    read = read_config(text)
    if read.problems:
        raise SourceError([problem for _, problem in read.problems])
    return read.config


def read_config(text: str) -> ReadConfig:
    """Read `board.toml`; report invalid parts and leave them out.

    Raises:
        SourceError: It is a board of another kind.
    """
    syntax_problem = ""
    data: Settings = {}
    try:
        data = parse_toml(text, file=FILE)
    except SourceError as error:
        syntax_problem = str(error)
    board_kind = data.get("kind", "rail")
    if board_kind != "rail":
        raise SourceError(
            f"{FILE}: kind is {board_kind!r}, but this command is for boards of railroads; give a board of kind 'rail'"
        )
    if syntax_problem:
        return replace(default_config(), problems=(("", syntax_problem),))
    data, config, errors = usable_settings(data)
    problem_list = [(str(item["loc"][0]), problem) for item in errors for problem in _describe_errors(text, item)]
    region_ids = [region.id for region in config.regions]
    problem_list += [
        ("regions", f"{FILE}: two regions have the id {region!r}; rename one")
        for region in dict.fromkeys(region_ids)
        if region_ids.count(region) > 1
    ]
    problem_list += [
        (
            "spacing",
            (
                f"{FILE}:{find_row(text, ['spacing', 'regions', region])}: spacing.regions names {region!r}, "
                "which is not a "
                f"region{did_you_mean(region, region_ids) or '; the regions are ' + ', '.join(region_ids)}"
            ),
        )
        for region in config.spacing.regions
        if region not in region_ids
    ]
    countries_row = find_row(text, ["gazetteer", "countries"])
    country_problems = [
        code_problem for code in config.gazetteer.countries if (code_problem := country_problem(code)) is not None
    ]
    problem_list += [
        ("gazetteer", f"{FILE}:{countries_row}: gazetteer.countries: {code_problem}")
        for code_problem in country_problems
    ]
    if config.projection.land_plane is not None and config.gazetteer.countries:
        no_gazetteer = "an invented land (projection plane) has no gazetteer; take countries out"
        problem_list.append(("gazetteer", f"{FILE}:{countries_row}: {no_gazetteer}"))
    if config.projection.land_plane is not None:
        problem_list += [
            ("drawing", f"{FILE}:{find_row(text, ['drawing', name])}: drawing.{name}: {NOT_ON_PLANE}; take it out")
            for name in config.drawing.earth_settings
        ]
    return ReadConfig(data, config, tuple(problem_list), config.regions if data.get("regions") else ())


def usable_settings(data: Settings) -> tuple[Settings, BoardConfig, list[ErrorDetails]]:
    """Return the usable part of `board.toml`, its configuration, and the errors of the rest.

    A region with an invalid name, mark or colour gets a default, so that its cities have a region; other errors remove
    the whole table or top key.
    """
    used_defaults: Settings = {}
    all_errors: list[ErrorDetails] = []
    while True:
        try:
            return data, BoardConfig.model_validate(data | used_defaults), all_errors
        except ValidationError as error:
            # do not report a list as empty just because all of its rows are wrong
            new_errors = [item for item in error.errors() if item["type"] != "too_short" or not item["input"]]
            all_errors += new_errors
            corrected_regions, unusable_keys = _correct_regions(data.get("regions"), new_errors)
            data = {key: value for key, value in data.items() if key not in unusable_keys}
            data |= {"regions": corrected_regions} if corrected_regions and "regions" in data else {}
            used_defaults |= {key: LEAST[key] for key in unusable_keys if key in LEAST}


def _correct_regions(regions: object, errors: Sequence[ErrorDetails]) -> tuple[list[Settings], set[str]]:
    """Return the valid regions, corrected, and the top keys that cannot be used."""
    region_rows = (
        [dict(region_row) if isinstance(region_row, dict) else {} for region_row in regions]
        if isinstance(regions, list)
        else []
    )
    unusable_keys: set[str] = set()
    for error_item in errors:
        top_key, *inner_path = error_item["loc"]
        if (
            top_key != "regions"
            or not inner_path
            or not isinstance(inner_path[0], int)
            or inner_path[0] >= len(region_rows)
        ):
            unusable_keys.add(str(top_key))
            continue
        region_row, field_name = region_rows[inner_path[0]], str(inner_path[1]) if len(inner_path) > 1 else "id"
        region_row.pop(field_name, None)
        region_name = region_row.get("name") or region_row.get("id")
        if field_name in _CORRECTIONS and isinstance(region_name, str):
            region_row[field_name] = _CORRECTIONS[field_name](region_name)
    region_rows = [region_row for region_row in region_rows if "id" in region_row]
    return region_rows, unusable_keys if region_rows or not regions else {*unusable_keys, "regions"}


_CORRECTIONS: Final[Mapping[str, Callable[[str], str]]] = {
    "name": lambda name: name,
    "short": lambda name: name[:6],
    "colour": lambda _: "#dddddd",
}


def railroad_problems(config: BoardConfig, text: str, known: Collection[str]) -> list[str]:
    """List problems of spacing settings for unknown railroads, with the nearest name.

    Args:
        config: The configuration.
        text: The text that it was parsed from.
        known: The ids of the board's railroads.
    """
    return [
        f"{FILE}:{find_row(text, ['spacing', 'railroads', railroad])}: spacing.railroads names {railroad!r}, "
        f"which is not in railroads.csv{did_you_mean(railroad, known) or '; add it there'}"
        for railroad in config.spacing.railroads
        if railroad not in known
    ]


def _describe_errors(text: str, item: ErrorDetails) -> list[str]:
    if item["loc"][:1] == ("rules",):
        return describe_rules_error(item, text=text, file=FILE, outer_tables=["rules"])
    return [_describe_error(text, item)]


def _describe_error(text: str, item: ErrorDetails) -> str:
    key_path = [str(part) for part in item["loc"]]
    dotted_key = ".".join(key_path)
    where = f"{FILE}:{find_row(text, key_path)}"
    if item["type"] == "extra_forbidden":
        known_names = _known_keys(BoardConfig, item["loc"][:-1])
        hint = did_you_mean(key_path[-1], known_names) or f"; known keys are {join_some(known_names)}"
        return f"{where}: unknown key {dotted_key!r}{hint}"
    if item["type"] == "missing":
        return f"{where}: key {dotted_key!r} is missing; add it"
    return f"{where}: {invalid_value_message(item)}"


def _known_keys(model: type[BaseModel], loc: tuple[int | str, ...]) -> list[str]:
    current_model: Any = model
    for path_part in loc:
        if path_part not in current_model.model_fields:  # the number of a row, or the name of a table
            continue
        annotation = current_model.model_fields[path_part].annotation
        current_model = next(
            (
                arg
                for arg in (annotation, *get_args(annotation))
                if (isinstance(arg, type) and issubclass(arg, BaseModel))
            ),
            None,
        )
        if current_model is None:
            return []
    model_fields: Mapping[str, Any] = current_model.model_fields
    return sorted(model_fields)
