"""Tables of the rules: options, rows and gaps, read from TOML files on first use and cached."""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Annotated, Self

from pydantic import Field, model_validator

from mapkit.core.base import Frozen, Slug
from mapkit.core.package_data import read_table

HexRowId = Annotated[str, Field(pattern=r"^RW-[A-Z]\d\d$")]
Words = Annotated[str, Field(min_length=1)]


class RuleOption(Frozen):
    """Named option that can be switched on."""

    id: Slug
    title: Words
    rows: tuple[Annotated[str, Field(pattern=r"^(RW-[A-Z]|D|G)\d\d$")], ...] = Field(min_length=1)
    settings: dict[str, bool | int | str]


class RuleOptions(Frozen):
    """`options.toml`."""

    options: tuple[RuleOption, ...]


class PlacedRow(Frozen):
    """Rule of the game, and its places, each as `kind:name`."""

    id: HexRowId
    title: Words
    places: tuple[Annotated[str, Field(pattern=r"^[a-z]+:[a-zA-Z0-9_.-]+$")], ...] = Field(min_length=1)


class PlacedRows(Frozen):
    """`rows.toml`."""

    topics: dict[str, Words]
    kinds: dict[str, Words]
    disagreements: dict[str, Words]
    gaps: dict[str, Words]
    procedures: dict[str, Words]
    rows: tuple[PlacedRow, ...]

    @model_validator(mode="after")
    def _refer(self) -> Self:
        seen_ids: set[str] = set()
        for row in self.rows:
            if row.id in seen_ids:
                raise ValueError(f"row {row.id!r} is there twice")
            seen_ids.add(row.id)
            if row.id[3] not in self.topics:
                raise ValueError(f"row {row.id!r}: there is no topic {row.id[3]!r}")
            for place in row.places:
                kind, _, name = place.partition(":")
                if kind not in self.kinds or (kind == "procedure" and name not in self.procedures):
                    raise ValueError(f"row {row.id!r}: there is no place {place!r}")
        return self


@cache
def options() -> Mapping[str, RuleOption]:
    """Return every option by id."""
    return MappingProxyType({option.id: option for option in read_table(__package__, "options", RuleOptions).options})


@cache
def rows() -> PlacedRows:
    """Return every row of the rules, and the meaning of its places."""
    return read_table(__package__, "rows", PlacedRows)
