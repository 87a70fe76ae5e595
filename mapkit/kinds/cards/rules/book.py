"""Rows of the rules with their places, read from `rows.toml` on first use and cached."""

from functools import cache
from typing import Annotated

from pydantic import Field

from mapkit.core.base import Frozen
from mapkit.core.package_data import read_table


class PlacedCardRow(Frozen):
    """Rule of the game, and its places, each as `kind:name`."""

    id: Annotated[str, Field(pattern=r"^BA-[A-Z]\d\d$")]
    title: str = Field(min_length=1)
    places: tuple[
        Annotated[str, Field(pattern=r"^(setting|table|column|check|play|sentence|outside):[a-zA-Z0-9_.]+$")], ...
    ] = Field(min_length=1)


class PlacedCardRows(Frozen):
    """`rows.toml`."""

    topics: dict[str, str]
    rows: tuple[PlacedCardRow, ...]


@cache
def card_rows() -> PlacedCardRows:
    """Return every row of the rules."""
    return read_table(__package__, "rows", PlacedCardRows)
