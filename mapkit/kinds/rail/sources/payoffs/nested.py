"""Payoff charts in nested data of any shape: which two of the names around an amount are its cities.

Every amount has names: the keys on the way to it, and the texts beside it and above. Those at the same place of the
structure are a *slot*, such as "the key of the first level" or "what stands at `from`". Of all pairs of slots, the two
with the most names of cities are the chart's rows and columns.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from typing import Final

from mapkit.core.errors import SourceError
from mapkit.core.names import fold
from mapkit.formats.cells.json_files import Digits, Plain
from mapkit.formats.cells.json_values import JsonValue, list_values
from mapkit.formats.cells.table import MAX_TEXT, Cell, Table, guarded, shown
from mapkit.formats.marks import is_mark, looks_like_amount
from mapkit.kinds.rail.sources.payoffs.grid import PAYS, AmountBlock

Known = Callable[[str], bool]
"""Says whether a text is the name of a city."""

_NO_CITIES: Final = frozenset({"id", "row", "no", "nr", "number", "index", "total", "sum", "lon", "lat", "x", "y"})
_MOST_SHOWN: Final = 5
_ENOUGH: Final = 0.5


def nested_cell(value: Plain, where: str) -> Cell:
    """Return a value of nested data as a cell."""
    if value is None:
        return Cell("", where)
    if isinstance(value, Digits):
        try:
            return Cell(str(value), where, number=float(value))
        except (ValueError, OverflowError):
            return Cell(str(value), where, problem="not a number")
    if isinstance(value, str):
        return Cell(value.strip(), where)
    return Cell(str(value)[:MAX_TEXT], where, problem="an object, a list or a truth value, not an amount")


def nested_chart(data: Plain, *, file: str, known: Known | None) -> tuple[AmountBlock | Table, list[str]]:
    """Find the payoff chart in data of any shape, and return it with notes on what was left out.

    Raises:
        SourceError: There is none, or several amounts are those of the same two cities.
    """
    groups: dict[str, list[JsonValue]] = defaultdict(list)
    for leaf in list_values(data, file=file):
        groups[leaf.kinds].append(leaf)
    options = [
        (score, kinds, pair)
        for kinds, leaves in groups.items()
        if (amounts := [leaf for leaf in leaves if _is_amount(leaf.value)])
        for score, pair in [_best_slots(amounts, known)]
        if pair is not None
    ]
    if not options:
        raise SourceError(
            f"{file}: no payoff chart in this data; two cities must name each amount, as in lists of pairs, objects of "
            "cities in an object of cities, or a matrix with its cities (docs/how-to/charts.md shows each)"
        )
    _, kinds, pair = max(options, key=lambda option: (option[0], len(groups[option[1]])))
    leaves, notes = _one_chart(groups[kinds], pair, known, file)
    if pair[1][0] == "i":
        return _table(leaves, pair, file), notes
    return _block(leaves, pair, file), notes


def _is_amount(value: Plain) -> bool:
    return isinstance(value, Digits) or (isinstance(value, str) and not is_mark(value) and looks_like_amount(value))


def _best_slots(amounts: Sequence[JsonValue], known: Known | None) -> tuple[float, tuple[str, str] | None]:
    """Return the two slots that most likely name the cities of amounts, and how likely that is.

    With a board, both must name some of its cities; without, slots that share names are likely.
    """
    values: dict[str, Counter[str]] = defaultdict(Counter)
    for leaf in amounts:
        for slot, name in leaf.names.items():
            values[slot][name] += 1
    half = _ENOUGH * len(amounts)
    slots = [slot for slot, names in values.items() if names.total() >= half and _named(names)]
    if known is None:
        cities = dict.fromkeys(slots, 0.0)
    else:
        cities = {slot: sum(n for name, n in values[slot].items() if known(name)) / len(amounts) for slot in slots}
        slots = [slot for slot in slots if cities[slot]]
    best: tuple[float, tuple[str, str] | None] = (0.0, None)
    for one, other in combinations(slots, 2):
        shared = len(values[one].keys() & values[other].keys()) / max(len(values[one]), len(values[other]))
        beside = 0.01 * (one[0] == "s" or other[0] == "k")
        score = 10 * min(cities[one], cities[other]) + cities[one] + cities[other] + shared + beside
        if score >= best[0]:  # of equals the innermost
            best = (score, (one, other))
    indices = [slot for slot, names in values.items() if slot[0] == "i" and names.total() >= half]
    for slot in slots:
        if indices and (cities[slot] > _ENOUGH or (best[1] is None and len(values[slot]) > 1)):
            score = 5 * cities[slot] + 0.001
            if score >= best[0]:
                best = (score, (slot, indices[-1]))
    return best


def _named(names: Iterable[str]) -> bool:
    return any(any(ch.isalpha() for ch in name) and not looks_like_amount(name) for name in names)


def _one_chart(
    leaves: Sequence[JsonValue], pair: tuple[str, str], known: Known | None, file: str
) -> tuple[list[JsonValue], list[str]]:
    """Leave out what is not the chart: columns of texts, and other figures of the same cities."""
    notes: list[str] = []
    last = len(leaves[0].kinds) - 1
    apart = {f"i{last}"} if any(slot.startswith(f"s{last}.") for slot in pair) else set()
    others = sorted(({slot for leaf in leaves for slot in leaf.names if slot[0] == "k"} | apart) - set(pair))
    parts: dict[tuple[str, ...], list[JsonValue]] = defaultdict(list)
    for leaf in _without_texts(leaves, pair, known, notes, file):
        parts[tuple(leaf.names.get(slot, "") for slot in others)].append(leaf)
    charts = {key: part for key, part in parts.items() if any(_is_amount(leaf.value) for leaf in part)}
    merged = [leaf for part in charts.values() for leaf in part]
    ends = [(leaf.names.get(pair[0]), leaf.names.get(pair[1])) for leaf in merged]
    if len(charts) > 1 and len(set(ends)) < len(ends):
        paying = [key for key in charts if any(word in fold(name) for name in key for word in PAYS)]
        if len(paying) != 1:
            found = ", ".join(_called(key) for key in list(charts)[:_MOST_SHOWN])
            raise SourceError(f"{file}: several figures for the same two cities: {found}; keep one, or call it payoff")
        left = sorted(_called(key) for key in charts if key not in paying)
        notes.append(f"left out, because {_called(paying[0])} is the payoff: {', '.join(left[:_MOST_SHOWN])}")
        merged = charts[paying[0]]
    return merged, notes


def _called(key: Sequence[str]) -> str:
    return " ".join(part for part in key if part)


def _without_texts(
    leaves: Sequence[JsonValue], pair: tuple[str, str], known: Known | None, notes: list[str], file: str
) -> list[JsonValue]:
    """Leave out keys that hold no amount or are known to be no city, where keys are cities."""
    key = pair[1] if pair[1][0] == "k" and pair[1] == f"k{len(leaves[0].kinds) - 1}" else None
    if key is None:
        return list(leaves)
    by_key: dict[str, list[JsonValue]] = defaultdict(list)
    for leaf in leaves:
        by_key[leaf.names[key]].append(leaf)
    dropped = {
        name
        for name, part in by_key.items()
        if not (known and known(name))
        and (fold(name) in _NO_CITIES or not any(_is_amount(leaf.value) or leaf.value is None for leaf in part))
    }
    notes += [f"{file}: the key {shown(name)} was left out; it is not a city" for name in sorted(dropped)]
    return [leaf for leaf in leaves if leaf.names[key] not in dropped]


def _block(leaves: Sequence[JsonValue], pair: tuple[str, str], file: str) -> AmountBlock:
    for leaf in leaves:
        if not leaf.names.get(pair[0]) or not leaf.names.get(pair[1]):
            raise SourceError(f"{file}:{leaf.path}: a pair does not have two cities; name both")
    amounts = [nested_cell(leaf.value, f"{file}:{leaf.path}") for leaf in leaves]
    if pair[1][0] == "s":
        rows, cols = (tuple(Cell(leaf.names[slot], f"{file}:{leaf.path}") for leaf in leaves) for slot in pair)
        return AmountBlock(rows, cols, tuple((k, k, cell) for k, cell in enumerate(amounts)), "pairs", axes=False)
    sides: tuple[dict[str, Cell], dict[str, Cell]] = ({}, {})
    for leaf in leaves:
        for side, slot in zip(sides, pair, strict=True):
            side.setdefault(leaf.names[slot], Cell(leaf.names[slot], f"{file}:{leaf.path}"))
    at = [{name: k for k, name in enumerate(side)} for side in sides]
    cells = tuple(
        (at[0][leaf.names[pair[0]]], at[1][leaf.names[pair[1]]], cell)
        for leaf, cell in zip(leaves, amounts, strict=True)
    )
    return AmountBlock(tuple(sides[0].values()), tuple(sides[1].values()), cells, "objects")


def _table(leaves: Sequence[JsonValue], pair: tuple[str, str], file: str) -> Table:
    """Return rows of a name and its list of amounts."""
    rows: dict[str, list[Cell]] = {}
    for leaf in leaves:
        where = f"{file}:{leaf.path}"
        row = rows.setdefault(leaf.names.get(pair[0], ""), [Cell(leaf.names.get(pair[0], ""), where)])
        row.append(nested_cell(leaf.value, where))
    return Table("json", guarded([tuple(row) for row in rows.values()], file=file))
