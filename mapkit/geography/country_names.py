"""Names and codes of countries and of their first-level divisions."""

from functools import cache
from typing import Final

from mapkit.core.base import Frozen
from mapkit.core.errors import did_you_mean
from mapkit.core.names import fold
from mapkit.core.package_data import read_table
from mapkit.geography.gazetteer_table import shipped_table
from mapkit.geography.states import STATES

_SHORTEST_STATE: Final = len("Iowa")


class _RegionNames(Frozen):
    """Names of countries and divisions by their codes, `region_names.toml`; several codes are divided by spaces."""

    names: dict[str, tuple[str, ...]]


@cache
def other_names() -> dict[str, tuple[str, ...]]:
    """Return names of countries and divisions that the gazetteer does not use, with their codes."""
    shipped = read_table("mapkit.geography", "region_names", _RegionNames)
    return {name: tuple(codes.split()) for codes, names in shipped.names.items() for name in names}


@cache
def codes_by_name() -> dict[str, tuple[str, ...]]:
    """Return folded name of a country or division -> codes, such as `PT` or `GB-SCT`; countries come before states."""
    table = shipped_table()
    us_divisions = {division.lower() for division in table.divisions("US")}
    states = {
        name: (f"{'US' if code in us_divisions else 'CA'}-{code.upper()}",)
        for name, code in STATES.items()
        if len(name) >= _SHORTEST_STATE
    }
    countries = {
        fold(word): (code,)
        for code, country in table.countries.items()
        for word in (country.name, country.name.removeprefix("The "), country.iso3, code)
    }
    return states | {fold(name): codes for name, codes in other_names().items()} | countries


def country_code(text: str) -> str:
    """Return the ISO 3166 alpha-2 code of a country, given by a name, a code or a part of it (`Texas`, `GB-SCT`).

    A text that names no country is returned unchanged; `country_problem` says what is wrong with it.
    """
    countries = shipped_table().countries
    if text in countries:
        return text
    codes = codes_by_name().get(fold(text)) or codes_by_name().get(fold(text.partition("-")[0])) or (text,)
    return codes[0].partition("-")[0]


def country_problem(text: str) -> str | None:
    """Return a message about an unknown country, with the nearest name; None for a known one."""
    table = shipped_table().countries
    if country_code(text) in table:
        return None
    hint = did_you_mean(text, [*(country.name for country in table.values()), *other_names()])
    return f"no country is called {text!r}{hint}; write its name or its code, such as 'US'"
