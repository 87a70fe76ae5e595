"""Values of settings in plain words."""

from collections.abc import Mapping

from pydantic import BaseModel

from mapkit.kinds.rail.rules import book
from mapkit.kinds.rail.rules.money import PlayersTable

PLAYERS = ("two", "three", "four", "five", "six")


def amount(value: int, symbol: str = "") -> str:
    """Return an amount of money in whole currency units: `20,000`, `$20,000`."""
    return f"{symbol}{value:,}"


def value_words(path: str, value: object, *, symbol: str = "") -> str:
    """Return the value of a setting in plain words; `path` is without the cells of tables by players."""
    if value is None:
        return "not given"
    if isinstance(value, PlayersTable):
        return _table(value, symbol)
    if isinstance(value, (list, tuple)):
        return "; ".join(_item_words(item, symbol) for item in value) or "none"
    if isinstance(value, int) and not isinstance(value, bool):
        return _number(path, value, symbol)
    return book.wording()[path].of(value)


def _item_words(item: object, symbol: str) -> str:
    """Return a merged group or a house rule in words, as a model or as plain data, which may be wrong yet."""
    data = item.model_dump() if isinstance(item, BaseModel) else item
    if not isinstance(data, Mapping):
        return str(item)
    if isinstance(price := data.get("price"), int):
        return f"{data.get('name')} {amount(price, symbol)}"
    return ": ".join(str(data[key]) for key in ("title", "name", "text") if key in data)


def _number(path: str, value: int, symbol: str) -> str:
    unit = book.wording()[path].unit
    if unit == "percent":
        return "half of the list price" if value == 50 else f"{value} % of the list price"  # noqa: PLR2004 - a half
    if path.endswith("_percent"):
        return f"{value} %"
    if unit != "money":
        return f"{value:,}"
    return "none" if value == 0 else amount(value, symbol)


def _table(table: PlayersTable, symbol: str) -> str:
    """Return the cells of a table by players, and from how many players it goes."""
    cells = [(n, table.at(n)) for n in range(2, 2 + len(PLAYERS))]
    return ", ".join(f"{n}: {cell_words(v, symbol)}" for n, v in cells)


def cell_words(value: int | None, symbol: str = "") -> str:
    """Return a cell of a table by players in words."""
    return "not given" if value is None else amount(value, symbol)
