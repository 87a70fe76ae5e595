"""Values of settings in plain words."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from pydantic import BaseModel

from mapkit.kinds.rail.rules import book
from mapkit.kinds.rail.rules.money import PlayersTable

PLAYERS = ("two", "three", "four", "five", "six")


def amount_text(value: int, symbol: str = "") -> str:
    """Return an amount of money in whole currency units: `20,000`, `$20,000`."""
    return f"{symbol}{value:,}"


@dataclass(frozen=True)
class Terms:
    """Words of a language for values."""

    of: Callable[[str, object], str]
    """A choice or a flag, by path of the setting."""
    number: Callable[[int], str]
    amount: Callable[[str, int], str]
    """An amount with a currency sign, which may be empty."""
    percent: Callable[[int], str]
    of_list_price: Callable[[str], str]
    half: str
    none: str
    not_given: str


ENGLISH = Terms(
    of=lambda path, value: book.wording()[path].of(value),
    number=lambda value: f"{value:,}",
    amount=lambda symbol, value: amount_text(value, symbol),
    percent=lambda value: f"{value} %",
    of_list_price=lambda share: f"{share} of the list price",
    half="half",
    none="none",
    not_given="not given",
)


def value_words(path: str, value: object, *, symbol: str = "", terms: Terms = ENGLISH) -> str:
    """Return the value of a setting in plain words; `path` is without the cells of tables by players."""
    if value is None:
        return terms.not_given
    if isinstance(value, PlayersTable):
        amounts_by_players = [(n, value.at(n)) for n in range(2, 2 + len(PLAYERS))]
        return ", ".join(f"{n}: {cell_words(v, symbol, terms)}" for n, v in amounts_by_players)
    if isinstance(value, (list, tuple)):
        return "; ".join(_item_words(item, symbol, terms) for item in value) or terms.none
    if isinstance(value, int) and not isinstance(value, bool):
        return _number_words(path, value, symbol, terms)
    return terms.of(path, value)


def _item_words(item: object, symbol: str, terms: Terms) -> str:
    """Return a merged group or a house rule in words, from a model or from plain data that may be invalid."""
    data = item.model_dump() if isinstance(item, BaseModel) else item
    if not isinstance(data, Mapping):
        return str(item)
    if isinstance(price := data.get("price"), int):
        return f"{data.get('name')} {terms.amount(symbol, price)}"
    return ": ".join(str(data[key]) for key in ("title", "name", "text") if key in data)


def _number_words(path: str, value: int, symbol: str, terms: Terms) -> str:
    unit = book.wording()[path].unit
    if unit == "percent":
        return terms.of_list_price(terms.half if value == 50 else terms.percent(value))  # noqa: PLR2004 - a half
    if path.endswith("_percent"):
        return terms.percent(value)
    if unit != "money":
        return terms.number(value)
    return terms.none if value == 0 else terms.amount(symbol, value)


def cell_words(value: int | None, symbol: str = "", terms: Terms = ENGLISH) -> str:
    """Return a cell of a table by players in words."""
    return terms.not_given if value is None else terms.amount(symbol, value)
