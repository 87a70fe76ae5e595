"""The tables of the rules, read from their TOML files when first asked for, then kept."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from mapkit.core.errors import RulesError, did_you_mean
from mapkit.core.invalid import fault
from mapkit.kinds.rail.rules.tables import (
    Assumed,
    AssumedProcedure,
    GapTable,
    NotGiven,
    Option,
    OptionTable,
    PresetTable,
    Relation,
    RelationTable,
    RowTable,
    RuleRow,
    Value,
    Wording,
    WordTable,
)

TABLES: Mapping[str, type[BaseModel]] = MappingProxyType(
    {
        "options": OptionTable,
        "relations": RelationTable,
        "presets": PresetTable,
        "gaps": GapTable,
        "words": WordTable,
        "rows": RowTable,
    }
)
"""The files `NAME.toml`, and what each holds."""

Table = TypeVar("Table", bound=BaseModel)


def parse(name: str, text: str, model: type[Table]) -> Table:
    """Return the table `name` from the text of its file.

    Raises:
        RulesError: It is not valid TOML, or a key is unknown or a value wrong; with file and key.
    """
    file = f"{name}.toml"
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise RulesError(f"{file}: not valid TOML: {error}") from error
    try:
        return model.model_validate(data)
    except ValidationError as error:
        raise RulesError([_problem(file, data, item, model) for item in error.errors()]) from error


@cache
def options() -> Mapping[str, Option]:
    """Return every option by id; those that the rule books offer as options first, then sides of disagreements."""
    return MappingProxyType({option.id: option for option in _read("options", OptionTable).options})


@cache
def relations() -> tuple[Relation, ...]:
    """Return what must hold between settings; anything else contradicts itself."""
    return _read("relations", RelationTable).relations


@cache
def preset_titles() -> Mapping[str, str]:
    """Return the name of each preset, the default first."""
    return MappingProxyType({row.id: row.title for row in _read_presets().presets})


@cache
def preset_settings() -> Mapping[str, Mapping[str, Value]]:
    """Return for each preset dotted path of a setting -> its value where that is not the default."""
    return MappingProxyType({row.id: MappingProxyType(dict(row.settings)) for row in _read_presets().presets})


@cache
def assumed() -> Mapping[str, Mapping[str, Assumed]]:
    """Return for each preset dotted path of a setting that its texts leave open -> why it has its value."""
    rows = _read_gaps().assumed
    return MappingProxyType(
        {
            preset: MappingProxyType({row.setting: row for row in rows if preset in row.presets})
            for preset in preset_titles()
        }
    )


@cache
def assumed_procedures() -> Mapping[str, Mapping[str, AssumedProcedure]]:
    """Return for each preset the row of a procedure that its texts do not state -> why it is played so."""
    rows = _read_gaps().procedures
    return MappingProxyType(
        {
            preset: MappingProxyType({row.row: row for row in rows if preset in row.presets})
            for preset in preset_titles()
        }
    )


@cache
def not_given() -> Mapping[str, NotGiven]:
    """Return dotted path of each setting that may have no value -> why."""
    return MappingProxyType({row.setting: row for row in _read_gaps().not_given})


@cache
def wording() -> Mapping[str, Wording]:
    """Return every setting in words, by dotted path, in the order of the models."""
    return MappingProxyType({row.path: row for row in _read("words", WordTable).settings})


@cache
def rows() -> tuple[RuleRow, ...]:
    """Return every row of the rules."""
    return _read_rows().rows


def place_kinds() -> Mapping[str, str]:
    """Return the kinds of places where rows live -> what each is."""
    return _read_rows().kinds


def procedures() -> Mapping[str, str]:
    """Return the procedures of play -> what each does."""
    return _read_rows().procedures


def topics() -> Mapping[str, str]:
    """Return the letter of rows -> their topic."""
    return _read_rows().topics


def disagreements() -> Mapping[str, str]:
    """Return the number of each disagreement of the rule sets (D01) -> its matter."""
    return _read_rows().disagreements


def open_matters() -> Mapping[str, str]:
    """Return the number of each matter that no source settles (G01) -> the matter."""
    return _read_rows().gaps


@cache
def _read_presets() -> PresetTable:
    return _read("presets", PresetTable)


@cache
def _read_gaps() -> GapTable:
    return _read("gaps", GapTable)


@cache
def _read_rows() -> RowTable:
    return _read("rows", RowTable)


def _read(name: str, model: type[Table]) -> Table:
    return parse(name, files(__package__).joinpath(f"{name}.toml").read_text(encoding="utf-8"), model)


def _problem(file: str, data: object, item: ErrorDetails, model: type[BaseModel]) -> str:
    """Return one mistake in words: the file, the key, and what is wrong with it."""
    where = _where(data, item["loc"])
    if item["type"] == "extra_forbidden":
        return f"{file}: {where}: unknown key{did_you_mean(str(item['loc'][-1]), _keys(model))}"
    if item["type"] == "value_error":
        said = str(item.get("ctx", {}).get("error", item["msg"]))
        return f"{file}: {where}: {said}" if where else f"{file}: {said}"
    return f"{file}: {where}: {fault(item)}"


def _where(data: object, loc: tuple[int | str, ...]) -> str:
    """Return where in a file something is: `options 3 (rich-start).titel`."""
    out = ""
    for key in loc:
        if isinstance(key, int) and isinstance(data, list):
            data = data[key]
            out += f" {key + 1}{_named(data)}"
        else:
            data = data.get(key) if isinstance(data, dict) else None
            out += f".{key}" if out else str(key)
    return out


def _named(item: object) -> str:
    """Return by what a reader knows an item of a list."""
    names = [item[key] for key in ("id", "path", "setting") if key in item] if isinstance(item, dict) else []
    return f" ({names[0]})" if names else ""


def _keys(model: type[BaseModel]) -> set[str]:
    """Return the keys that a file may have, at any depth."""
    out = set(model.model_fields)
    for field in model.model_fields.values():
        for kind in (field.annotation, *getattr(field.annotation, "__args__", ())):
            if isinstance(kind, type) and issubclass(kind, BaseModel):
                out |= _keys(kind)
    return out
