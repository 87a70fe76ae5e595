"""Tables of the rules, read from TOML files on first use and cached."""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from pydantic import BaseModel

from mapkit.core.package_data import read_table
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


@cache
def options() -> Mapping[str, Option]:
    """Return every option by id: options of the rule books first, then sides of disagreements."""
    return MappingProxyType({option.id: option for option in read_table(__package__, "options", OptionTable).options})


@cache
def relations() -> tuple[Relation, ...]:
    """Return the required relations between settings; violations are contradictions."""
    return read_table(__package__, "relations", RelationTable).relations


@cache
def preset_titles() -> Mapping[str, str]:
    """Return the name of each preset, the default first."""
    return MappingProxyType({row.id: row.title for row in _read_presets().presets})


@cache
def preset_settings() -> Mapping[str, Mapping[str, Value]]:
    """Return for each preset the settings that differ from the default: dotted path -> value."""
    return MappingProxyType({row.id: MappingProxyType(dict(row.settings)) for row in _read_presets().presets})


@cache
def assumed() -> Mapping[str, Mapping[str, Assumed]]:
    """Return for each preset the settings that its texts leave open: dotted path -> reason for the value."""
    assumed_rows = _read_gaps().assumed
    return MappingProxyType(
        {
            preset: MappingProxyType({row.setting: row for row in assumed_rows if preset in row.presets})
            for preset in preset_titles()
        }
    )


@cache
def assumed_procedures() -> Mapping[str, Mapping[str, AssumedProcedure]]:
    """Return for each preset the procedures that its texts do not state: row -> reason for the procedure."""
    procedure_rows = _read_gaps().procedures
    return MappingProxyType(
        {
            preset: MappingProxyType({row.row: row for row in procedure_rows if preset in row.presets})
            for preset in preset_titles()
        }
    )


@cache
def not_given() -> Mapping[str, NotGiven]:
    """Return the settings that may have no value: dotted path -> reason."""
    return MappingProxyType({row.setting: row for row in _read_gaps().not_given})


@cache
def wording() -> Mapping[str, Wording]:
    """Return every setting in words, by dotted path, in the order of the models."""
    return MappingProxyType({row.path: row for row in read_table(__package__, "words", WordTable).settings})


@cache
def rows() -> tuple[RuleRow, ...]:
    """Return every row of the rules."""
    return _read_rows().rows


def place_kinds() -> Mapping[str, str]:
    """Return the kinds of places of rows -> description."""
    return _read_rows().kinds


def procedures() -> Mapping[str, str]:
    """Return the procedures of play -> description."""
    return _read_rows().procedures


def topics() -> Mapping[str, str]:
    """Return the letters of rows -> their topic."""
    return _read_rows().topics


def disagreements() -> Mapping[str, str]:
    """Return the numbers of disagreements of the rule sets (D01) -> subject."""
    return _read_rows().disagreements


def open_matters() -> Mapping[str, str]:
    """Return the numbers of matters that no source settles (G01) -> subject."""
    return _read_rows().gaps


@cache
def _read_presets() -> PresetTable:
    return read_table(__package__, "presets", PresetTable)


@cache
def _read_gaps() -> GapTable:
    return read_table(__package__, "gaps", GapTable)


@cache
def _read_rows() -> RowTable:
    return read_table(__package__, "rows", RowTable)
