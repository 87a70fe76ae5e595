"""Settings of `board.toml`, read key by key, so that one mistake does not hide the others."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from pydantic import BaseModel, Field, ValidationError

from mapkit.core.base import Frozen
from mapkit.core.errors import did_you_mean
from mapkit.core.invalid import invalid_value_message
from mapkit.core.problems import Problem
from mapkit.document.document import Document
from mapkit.document.toml_file import CONFIG_FILE, settings_data
from mapkit.kinds.hex.grid.earth import GridEarth
from mapkit.kinds.hex.grid.grid import MOST_HEXES, HexGrid, Orientation
from mapkit.kinds.hex.rules.reading import read_rules
from mapkit.kinds.hex.rules.settings import HexRules

M = TypeVar("M", bound=BaseModel)
_TABLE_NAMES: Final = ("grid", "earth", "rules", "extensions")


class _Head(Frozen):
    """Keys of `board.toml` outside its tables."""

    kind: str = "hex"
    title: str = Field(default="", max_length=200)
    description: str = Field(default="", max_length=5000)
    credits: tuple[str, ...] = Field(default=(), max_length=100)
    license: str = Field(default="", max_length=2000)
    example_track: bool = Field(default=False, description="Whether track.csv is mapkit's example")


class _GridKeys(HexGrid):
    """`[grid]`: the grid, and further keys of the file."""

    orientation_given: Orientation | None = Field(default=None, alias="orientation")
    terrain: str = Field(default="plains", max_length=100)


@dataclass(frozen=True)
class Config:
    """Settings of `board.toml`.

    Args:
        title: The title; empty if there is none.
        terrain: Of hexagons that have no row.
        example_track: Whether the track is mapkit's example.
    """

    title: str = ""
    description: str = ""
    credits: tuple[str, ...] = ()
    license: str = ""
    example_track: bool = False
    grid: HexGrid = field(default_factory=HexGrid)
    terrain: str = "plains"
    earth: GridEarth | None = None
    rules: HexRules = field(default_factory=HexRules)
    options: tuple[str, ...] = ()


def read_config(document: Document) -> tuple[Config, tuple[Problem, ...]]:
    """Read the settings of a document, and their problems; an invalid key gets its default."""
    settings_by_key = settings_data(document)
    problems: list[Problem] = []
    head_keys = _read_model(
        _Head, {key: value for key, value in settings_by_key.items() if key not in _TABLE_NAMES}, "", problems
    )
    grid_keys = _read_model(_GridKeys, _get_table(settings_by_key, "grid", problems), "grid.", problems)
    grid = HexGrid(**{name: getattr(grid_keys, name) for name in HexGrid.model_fields})
    if grid.count > MOST_HEXES:
        message = f"{grid.columns:,} by {grid.rows:,} are {grid.count:,} hexagons; have at most {MOST_HEXES:,}"
        problems.append(_problem("grid.columns", message))
        grid = grid.model_copy(update={"columns": 12, "rows": 10})
    if grid_keys.orientation_given not in (None, grid.orientation):
        right_offsets = "odd-q or even-q" if grid_keys.orientation_given == "flat" else "odd-r or even-r"
        problems.append(
            _problem(
                "grid.orientation",
                f"grid.orientation is {grid_keys.orientation_given!r}, "
                f"but rows of the offset {grid.offset!r} belong to "
                f"{grid.orientation} hexagons; write {right_offsets} as grid.offset, or leave the orientation out",
            )
        )
    rules, options, rule_problems = read_rules(_get_table(settings_by_key, "rules", problems))
    problems += [_problem(f"rules.{key}", f"rules.{message}") for key, message in rule_problems]
    config = Config(
        title=head_keys.title,
        description=head_keys.description,
        credits=head_keys.credits,
        license=head_keys.license,
        example_track=head_keys.example_track,
        grid=grid,
        terrain=grid_keys.terrain,
        earth=_read_earth(settings_by_key, problems),
        rules=rules,
        options=options,
    )
    return config, tuple(problems)


def _read_earth(data: Mapping[str, Any], problems: list[Problem]) -> GridEarth | None:
    earth_table = _get_table(data, "earth", problems)
    if not earth_table:
        return None
    try:
        return GridEarth.model_validate(earth_table)
    except ValidationError as error:
        for item in error.errors():
            key = ".".join(str(part) for part in item["loc"])
            problems.append(_problem(f"earth.{key}", f"earth.{invalid_value_message(item)}"))
        return None


def _get_table(data: Mapping[str, Any], name: str, problems: list[Problem]) -> dict[str, Any]:
    table_value = data.get(name, {})
    if isinstance(table_value, dict):
        return table_value
    problems.append(_problem(name, f"{name} is {table_value!r}; write it as a table, [{name}]"))
    return {}


def _read_model(model: type[M], given: Mapping[str, Any], above: str, problems: list[Problem]) -> M:
    """Return a model of values, without the invalid ones."""
    valid_values = dict(given)
    while True:
        try:
            return model.model_validate(valid_values)
        except ValidationError as error:
            for item in error.errors():
                key = str(item["loc"][0])
                field_names = [field.alias or name for name, field in model.model_fields.items()]
                hint = did_you_mean(key, field_names) if item["type"] == "extra_forbidden" else ""
                problems.append(_problem(f"{above}{key}", f"{above}{invalid_value_message(item)}{hint}"))
                valid_values.pop(key, None)


def _problem(key: str, message: str) -> Problem:
    return Problem("settings", key, message, file=CONFIG_FILE)
