"""The settings of `board.toml`: read key by key, so that one mistake does not hide the others."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from pydantic import BaseModel, Field, ValidationError

from mapkit.core.base import Frozen
from mapkit.core.errors import did_you_mean
from mapkit.core.invalid import invalid
from mapkit.core.problems import Problem
from mapkit.document.document import Document
from mapkit.document.toml_file import CONFIG_FILE, settings_data
from mapkit.kinds.hex.grid.earth import GridEarth
from mapkit.kinds.hex.grid.grid import MOST_HEXES, HexGrid, Orientation
from mapkit.kinds.hex.rules.reading import read_rules
from mapkit.kinds.hex.rules.settings import HexRules

M = TypeVar("M", bound=BaseModel)
_TABLES: Final = ("grid", "earth", "rules", "extensions")


class _Head(Frozen):
    """The keys of `board.toml` outside its tables."""

    kind: str = "hex"
    title: str = Field(default="", max_length=200)
    description: str = Field(default="", max_length=5000)
    credits: tuple[str, ...] = Field(default=(), max_length=100)
    license: str = Field(default="", max_length=2000)
    example_track: bool = Field(default=False, description="Whether track.csv is mapkit's example")


class _GridKeys(HexGrid):
    """`[grid]`: the grid, and what only the file says of it."""

    orientation_given: Orientation | None = Field(default=None, alias="orientation")
    terrain: str = Field(default="plains", max_length=100)


@dataclass(frozen=True)
class Config:
    """What `board.toml` says.

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
    """Return the settings of a document, and what is wrong with them; a wrong key has its default."""
    data = settings_data(document)
    problems: list[Problem] = []
    head = _read(_Head, {key: value for key, value in data.items() if key not in _TABLES}, "", problems)
    keys = _read(_GridKeys, _table(data, "grid", problems), "grid.", problems)
    grid = HexGrid(**{name: getattr(keys, name) for name in HexGrid.model_fields})
    if grid.count > MOST_HEXES:
        message = f"{grid.columns:,} by {grid.rows:,} are {grid.count:,} hexagons; have at most {MOST_HEXES:,}"
        problems.append(_problem("grid.columns", message))
        grid = grid.model_copy(update={"columns": 12, "rows": 10})
    if keys.orientation_given not in (None, grid.orientation):
        right = "odd-q or even-q" if keys.orientation_given == "flat" else "odd-r or even-r"
        problems.append(
            _problem(
                "grid.orientation",
                f"grid.orientation is {keys.orientation_given!r}, but rows of the offset {grid.offset!r} belong to "
                f"{grid.orientation} hexagons; write {right} as grid.offset, or leave the orientation out",
            )
        )
    rules, options, wrong = read_rules(_table(data, "rules", problems))
    problems += [_problem(f"rules.{key}", f"rules.{message}") for key, message in wrong]
    config = Config(
        title=head.title,
        description=head.description,
        credits=head.credits,
        license=head.license,
        example_track=head.example_track,
        grid=grid,
        terrain=keys.terrain,
        earth=_earth(data, problems),
        rules=rules,
        options=options,
    )
    return config, tuple(problems)


def _earth(data: Mapping[str, Any], problems: list[Problem]) -> GridEarth | None:
    given = _table(data, "earth", problems)
    if not given:
        return None
    try:
        return GridEarth.model_validate(given)
    except ValidationError as error:
        for item in error.errors():
            key = ".".join(str(part) for part in item["loc"])
            problems.append(_problem(f"earth.{key}", f"earth.{invalid(item)}"))
        return None


def _table(data: Mapping[str, Any], name: str, problems: list[Problem]) -> dict[str, Any]:
    found = data.get(name, {})
    if isinstance(found, dict):
        return found
    problems.append(_problem(name, f"{name} is {found!r}; write it as a table, [{name}]"))
    return {}


def _read(model: type[M], given: Mapping[str, Any], above: str, problems: list[Problem]) -> M:
    """Return a model of values, those that are wrong left out."""
    data = dict(given)
    while True:
        try:
            return model.model_validate(data)
        except ValidationError as error:
            for item in error.errors():
                key = str(item["loc"][0])
                names = [field.alias or name for name, field in model.model_fields.items()]
                hint = did_you_mean(key, names) if item["type"] == "extra_forbidden" else ""
                problems.append(_problem(f"{above}{key}", f"{above}{invalid(item)}{hint}"))
                data.pop(key, None)


def _problem(key: str, message: str) -> Problem:
    return Problem("settings", key, message, file=CONFIG_FILE)
