"""Where the payoff chart has no amount, and why (RB-C13): whole cities, trips that no way connects, single cells."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from mapkit.core.checks import Found
from mapkit.kinds.rail.charts.payoffs.readings import is_computed
from mapkit.kinds.rail.checks.check import Checked
from mapkit.kinds.rail.model.board import Payoffs

_SHOWN = 5
_FEWEST = 3
"""A city of a smaller chart has one trip at most, so an empty row is an empty cell."""

Pair = tuple[str, str]


@dataclass(frozen=True)
class Empty:
    """The empty cells of a chart.

    Args:
        cities: Cities without an amount to or from any other; their cells are not among the pairs.
        pairs: Row and column of single empty cells; once where both directions are empty.
    """

    cities: tuple[str, ...]
    pairs: tuple[Pair, ...]


def empty_cells(payoffs: Payoffs) -> Empty:
    """Return the empty cells of a square chart; a city's own cell counts as a pair."""
    at = {city: number for number, city in enumerate(payoffs.cities)}
    holes = {
        (row, column)
        for row, values in zip(payoffs.cities, payoffs.thousands, strict=True)
        if None in values
        for column, value in zip(payoffs.cities, values, strict=True)
        if value is None
    }
    if not holes:
        return Empty((), ())
    count: dict[str, int] = defaultdict(int)
    for row, column in holes:
        if row != column:
            count[row] += 1
            count[column] += 1
    others = len(payoffs.cities) - 1
    blank = {city for city in payoffs.cities if count[city] == 2 * others and others + 1 >= _FEWEST}
    pairs = sorted(
        (at[row], at[column])
        for row, column in holes
        if (row == column or not blank & {row, column}) and not ((column, row) in holes and at[column] < at[row])
    )
    single = tuple((payoffs.cities[row], payoffs.cities[column]) for row, column in pairs)
    return Empty(tuple(city for city in payoffs.cities if city in blank), single)


def found_empty(c: Checked) -> Iterator[Found]:
    """Yield the findings on empty cells."""
    empty = empty_cells(c.board.payoffs)
    if empty == Empty((), ()):
        return
    if is_computed(c.board):
        yield from _apart(c)
        return
    what_to_do = cure(c)
    if len(empty.cities) == len(c.board.payoffs.cities):
        yield Found(f"the payoff chart has no amounts; {what_to_do}", ("chart",), data={"cause": "missing"})
        return
    for city in empty.cities:
        yield Found(
            f"the payoff chart has no amounts for {c.city_names.get(city, city)}; {what_to_do}",
            (city,),
            c.place("payoffs", city, at=""),
            data={"cause": "missing"},
        )
    amount = {(row, column): value for row, column, value in _cells(c.board.payoffs)} if empty.pairs else {}
    for row, column in empty.pairs:
        yield Found(
            f"the payoff {_pair(c, row, column)} is missing; {what_to_do}",
            (row, column),
            c.place("payoffs", row, at=""),
            {"value": None, "expected": None, "suggested": amount[column, row], "cause": "missing"},
        )


def cure(c: Checked) -> str:
    """Return what to do about amounts that are not there."""
    if c.board.variants:
        return 'fill it in with set-payoff, or let mapkit compute it: recompute-payoffs with cells = "missing"'
    return f"fill it in, or let mapkit compute it: mapkit payoffs compute {c.board.id} --missing --into chart"


def _cells(payoffs: Payoffs) -> Iterator[tuple[str, str, float | None]]:
    for row, values in zip(payoffs.cities, payoffs.thousands, strict=True):
        for column, value in zip(payoffs.cities, values, strict=True):
            yield row, column, value


def _apart(c: Checked) -> Iterator[Found]:
    """Yield the groups of cities that no way connects with the largest group: their trips cannot be computed."""
    groups = joined_cities(c.board.payoffs)
    for group in groups[1:]:
        rest = len(c.board.payoffs.cities) - len(group)
        yield Found(
            f"trips between {_names(c.city_names, group)} and the other {rest} cities have no payoff, because no "
            "railroad connects them; connect them by a line, or choose a model with ground miles in [payoffs]",
            group,
            c.place("cities", group[0], at=""),
            data={"cause": "missing"},
        )


def joined_cities(payoffs: Payoffs) -> list[tuple[str, ...]]:
    """Return the cities of a computed chart in groups with amounts between them, the largest first."""
    left = set(payoffs.cities)
    amounts = dict(zip(payoffs.cities, payoffs.thousands, strict=True))
    groups: list[tuple[str, ...]] = []
    for city in payoffs.cities:
        if city in left:
            group = tuple(
                other
                for other, value in zip(payoffs.cities, amounts[city], strict=True)
                if other in left and (value is not None or other == city)
            )
            left -= {*group}
            groups.append(group)
    return sorted(groups, key=lambda group: -len(group))


def _names(names: Mapping[str, str], group: tuple[str, ...]) -> str:
    shown = [names.get(city, city) for city in group[:_SHOWN]]
    return ", ".join(shown) + (f" and {len(group) - _SHOWN} more" if len(group) > _SHOWN else "")


def _pair(c: Checked, row: str, column: str) -> str:
    return f"{c.city_names.get(row, row)} - {c.city_names.get(column, column)}"
