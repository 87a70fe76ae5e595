"""Payoff charts in nested data of any shape: inference of the two cities of each amount from its labels.

Every amount has labels: the keys of its path, and the texts beside it and above it. Labels at the same place of the
structure form a *slot*, such as "the key of the first level" or "the value of `from`". The pair of slots with the most
names of cities becomes the chart's rows and columns.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from typing import Final

from mapkit.core.errors import SourceError
from mapkit.core.names import fold
from mapkit.formats.cells.json_files import Digits, Plain
from mapkit.formats.cells.json_values import JsonValue, list_values
from mapkit.formats.cells.table import MAX_TEXT, Cell, Table, checked_rows, quote_text
from mapkit.formats.marks import is_mark, looks_like_amount
from mapkit.kinds.rail.sources.payoffs.table_layouts import PAYS, AmountBlock

Known = Callable[[str], bool]
"""Test whether a text is the name of a city."""

_NOT_CITY_KEYS: Final = frozenset({"id", "row", "no", "nr", "number", "index", "total", "sum", "lon", "lat", "x", "y"})
_MAX_SHOWN: Final = 5
_MIN_SHARE: Final = 0.5


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
    """Find the payoff chart in data of any shape, and return it with notes on omissions.

    Raises:
        SourceError: There is none, or the same two cities have several amounts.
    """
    leaves_by_shape: dict[str, list[JsonValue]] = defaultdict(list)
    for leaf in list_values(data, file=file):
        leaves_by_shape[leaf.kinds].append(leaf)
    scored_options = [
        (score, path_shape, slot_pair)
        for path_shape, group_leaves in leaves_by_shape.items()
        if (amount_leaves := [leaf for leaf in group_leaves if _is_amount(leaf.value)])
        for score, slot_pair in [_best_slots(amount_leaves, known)]
        if slot_pair is not None
    ]
    if not scored_options:
        raise SourceError(
            f"{file}: no payoff chart in this data; two cities must name each amount, as in lists of pairs, objects of "
            "cities in an object of cities, or a matrix with its cities (docs/how-to/charts.md shows each)"
        )
    _, path_shape, slot_pair = max(scored_options, key=lambda option: (option[0], len(leaves_by_shape[option[1]])))
    group_leaves, notes = _select_chart(leaves_by_shape[path_shape], slot_pair, known, file)
    if slot_pair[1][0] == "i":
        return _make_table(group_leaves, slot_pair, file), notes
    return _make_block(group_leaves, slot_pair, file), notes


def _is_amount(value: Plain) -> bool:
    return isinstance(value, Digits) or (isinstance(value, str) and not is_mark(value) and looks_like_amount(value))


def _best_slots(amounts: Sequence[JsonValue], is_known: Known | None) -> tuple[float, tuple[str, str] | None]:
    """Return the two slots that most likely name the cities of amounts, and their score.

    With a board, both must name some of its cities; without a board, slots with common names are likely.
    """
    names_by_slot: dict[str, Counter[str]] = defaultdict(Counter)
    for leaf in amounts:
        for slot, name in leaf.names.items():
            names_by_slot[slot][name] += 1
    min_count = _MIN_SHARE * len(amounts)
    name_slots = [slot for slot, names in names_by_slot.items() if names.total() >= min_count and _has_name(names)]
    if is_known is None:
        city_share = dict.fromkeys(name_slots, 0.0)
    else:
        city_share = {
            slot: sum(n for name, n in names_by_slot[slot].items() if is_known(name)) / len(amounts)
            for slot in name_slots
        }
        name_slots = [slot for slot in name_slots if city_share[slot]]
    best_option: tuple[float, tuple[str, str] | None] = (0.0, None)
    for first_slot, second_slot in combinations(name_slots, 2):
        shared_share = len(names_by_slot[first_slot].keys() & names_by_slot[second_slot].keys()) / max(
            len(names_by_slot[first_slot]), len(names_by_slot[second_slot])
        )
        order_bonus = 0.01 * (first_slot[0] == "s" or second_slot[0] == "k")
        score = (
            10 * min(city_share[first_slot], city_share[second_slot])
            + city_share[first_slot]
            + city_share[second_slot]
            + shared_share
            + order_bonus
        )
        if score >= best_option[0]:  # prefer the innermost of equals
            best_option = (score, (first_slot, second_slot))
    index_slots = [slot for slot, names in names_by_slot.items() if slot[0] == "i" and names.total() >= min_count]
    for slot in name_slots:
        if index_slots and (city_share[slot] > _MIN_SHARE or (best_option[1] is None and len(names_by_slot[slot]) > 1)):
            score = 5 * city_share[slot] + 0.001
            if score >= best_option[0]:
                best_option = (score, (slot, index_slots[-1]))
    return best_option


def _has_name(names: Iterable[str]) -> bool:
    return any(any(ch.isalpha() for ch in name) and not looks_like_amount(name) for name in names)


def _select_chart(
    leaves: Sequence[JsonValue], pair: tuple[str, str], is_known: Known | None, file: str
) -> tuple[list[JsonValue], list[str]]:
    """Remove data outside the chart: columns of texts, and other figures of the same cities."""
    notes: list[str] = []
    last_level = len(leaves[0].kinds) - 1
    separate_slots = {f"i{last_level}"} if any(slot.startswith(f"s{last_level}.") for slot in pair) else set()
    other_slots = sorted(
        ({slot for leaf in leaves for slot in leaf.names if slot[0] == "k"} | separate_slots) - set(pair)
    )
    leaves_by_key: dict[tuple[str, ...], list[JsonValue]] = defaultdict(list)
    for leaf in _drop_text_keys(leaves, pair, is_known, notes, file):
        leaves_by_key[tuple(leaf.names.get(slot, "") for slot in other_slots)].append(leaf)
    chart_by_key = {key: part for key, part in leaves_by_key.items() if any(_is_amount(leaf.value) for leaf in part)}
    merged_leaves = [leaf for part in chart_by_key.values() for leaf in part]
    city_pairs = [(leaf.names.get(pair[0]), leaf.names.get(pair[1])) for leaf in merged_leaves]
    if len(chart_by_key) > 1 and len(set(city_pairs)) < len(city_pairs):
        payoff_keys = [key for key in chart_by_key if any(word in fold(name) for name in key for word in PAYS)]
        if len(payoff_keys) != 1:
            figure_names = ", ".join(_join_key(key) for key in list(chart_by_key)[:_MAX_SHOWN])
            raise SourceError(
                f"{file}: several figures for the same two cities: {figure_names}; keep one, or call it payoff"
            )
        omitted_names = sorted(_join_key(key) for key in chart_by_key if key not in payoff_keys)
        notes.append(
            f"left out, because {_join_key(payoff_keys[0])} is the payoff: {', '.join(omitted_names[:_MAX_SHOWN])}"
        )
        merged_leaves = chart_by_key[payoff_keys[0]]
    return merged_leaves, notes


def _join_key(key: Sequence[str]) -> str:
    return " ".join(part for part in key if part)


def _drop_text_keys(
    leaves: Sequence[JsonValue], pair: tuple[str, str], is_known: Known | None, notes: list[str], file: str
) -> list[JsonValue]:
    """Remove keys without amounts, and keys that are known not to be cities, where keys are cities."""
    key_slot = pair[1] if pair[1][0] == "k" and pair[1] == f"k{len(leaves[0].kinds) - 1}" else None
    if key_slot is None:
        return list(leaves)
    leaves_by_name: dict[str, list[JsonValue]] = defaultdict(list)
    for leaf in leaves:
        leaves_by_name[leaf.names[key_slot]].append(leaf)
    dropped_names = {
        name
        for name, name_leaves in leaves_by_name.items()
        if not (is_known and is_known(name))
        and (
            fold(name) in _NOT_CITY_KEYS
            or not any(_is_amount(leaf.value) or leaf.value is None for leaf in name_leaves)
        )
    }
    notes += [f"{file}: the key {quote_text(name)} was left out; it is not a city" for name in sorted(dropped_names)]
    return [leaf for leaf in leaves if leaf.names[key_slot] not in dropped_names]


def _make_block(leaves: Sequence[JsonValue], pair: tuple[str, str], file: str) -> AmountBlock:
    for leaf in leaves:
        if not leaf.names.get(pair[0]) or not leaf.names.get(pair[1]):
            raise SourceError(f"{file}:{leaf.path}: a pair does not have two cities; name both")
    amount_cells = [nested_cell(leaf.value, f"{file}:{leaf.path}") for leaf in leaves]
    if pair[1][0] == "s":
        row_names, column_names = (
            tuple(Cell(leaf.names[slot], f"{file}:{leaf.path}") for leaf in leaves) for slot in pair
        )
        return AmountBlock(
            row_names, column_names, tuple((k, k, cell) for k, cell in enumerate(amount_cells)), "pairs", axes=False
        )
    cells_by_side: tuple[dict[str, Cell], dict[str, Cell]] = ({}, {})
    for leaf in leaves:
        for side_cells, slot in zip(cells_by_side, pair, strict=True):
            side_cells.setdefault(leaf.names[slot], Cell(leaf.names[slot], f"{file}:{leaf.path}"))
    index_by_side = [{name: k for k, name in enumerate(side_cells)} for side_cells in cells_by_side]
    block_cells = tuple(
        (index_by_side[0][leaf.names[pair[0]]], index_by_side[1][leaf.names[pair[1]]], cell)
        for leaf, cell in zip(leaves, amount_cells, strict=True)
    )
    return AmountBlock(tuple(cells_by_side[0].values()), tuple(cells_by_side[1].values()), block_cells, "objects")


def _make_table(leaves: Sequence[JsonValue], pair: tuple[str, str], file: str) -> Table:
    """Return rows of a name and its list of amounts."""
    cells_by_name: dict[str, list[Cell]] = {}
    for leaf in leaves:
        value_place = f"{file}:{leaf.path}"
        row_cells = cells_by_name.setdefault(
            leaf.names.get(pair[0], ""), [Cell(leaf.names.get(pair[0], ""), value_place)]
        )
        row_cells.append(nested_cell(leaf.value, value_place))
    return Table("json", checked_rows([tuple(row_cells) for row_cells in cells_by_name.values()], file=file))
