"""Names and codes of countries and of their first-level divisions."""

import re
from functools import cache
from typing import Final

from mapkit.core.base import Frozen
from mapkit.core.errors import did_you_mean
from mapkit.core.names import edit_distance, fold
from mapkit.core.package_data import read_table
from mapkit.geography.gazetteer_table import shipped_table
from mapkit.geography.states import STATES

_SHORTEST_STATE: Final = len("Iowa")
_LEFT_OUT: Final = re.compile(r"^the\s|&|\sand\s")


class _RegionNames(Frozen):
    """Names of countries and divisions by their codes, `region_names.toml`; several codes are divided by spaces."""

    names: dict[str, tuple[str, ...]]


@cache
def other_names() -> dict[str, tuple[str, ...]]:
    """Return names of countries and divisions that the gazetteer does not use, with their codes."""
    shipped = read_table("mapkit.geography", "region_names", _RegionNames)
    return {name: tuple(codes.split()) for codes, names in shipped.names.items() for name in names}


def fold_region(text: str) -> str:
    """Return a name of a region without case, accents, punctuation, `The` in front, and `and`; `St.` is `Saint`."""
    return fold(re.sub(r"\bst\b", "saint", _LEFT_OUT.sub(" ", text.strip().lower())))


@cache
def codes_by_name() -> dict[str, tuple[str, ...]]:
    """Return folded name of a country or division -> codes, such as `PT` or `GB-SCT`; countries come before states."""
    table = shipped_table()
    us_divisions = {division.lower() for division in table.divisions("US")}
    states = {
        word: (f"{'US' if code in us_divisions else 'CA'}-{code.upper()}",)
        for name, code in STATES.items()
        for word in {name if len(name) >= _SHORTEST_STATE else code, code}
    }
    codes = {
        fold_region(word): (code,)
        for code, country in table.countries.items()
        for word in (country.name.partition(" and ")[0], country.name, country.iso3, code)
    }
    return states | {fold_region(name): codes for name, codes in other_names().items()} | codes


def country_code(text: str) -> str:
    """Return the ISO 3166 alpha-2 code of a country, given by a name, a code or a part of it (`Texas`, `GB-SCT`).

    A text that names no country, or several, is returned unchanged; `country_problem` says what is wrong with it.
    """
    if text in shipped_table().countries:
        return text
    codes = codes_by_name().get(fold_region(text)) or codes_by_name().get(fold(text.partition("-")[0])) or (text,)
    countries = {code.partition("-")[0] for code in codes}
    return countries.pop() if len(countries) == 1 else text


def country_problem(text: str) -> str | None:
    """Return a message about an unknown country, with the nearest name; None for a known one."""
    if country_code(text) in shipped_table().countries:
        return None
    return f"no country is called {text!r}{hint_region(text)}; write its name or its code, such as 'US'"


def hint_region(text: str) -> str:
    """Return ` (did you mean 'x'?)` for a name that differs in a quarter of its letters at most, or an empty string."""
    names = [*(country.name for country in shipped_table().countries.values()), *other_names()]
    most_edits = max(1, len(text) // 4)
    return did_you_mean(text, [name for name in names if edit_distance(fold(name), fold(text)) <= most_edits])
