"""Where the payoff chart has no amount, and why (RB-C13): whole cities, trips that no way connects, single cells."""

from collections.abc import Iterator, Mapping

import numpy as np

from mapkit.core.checks import Found
from mapkit.kinds.rail.charts.payoffs.readings import is_computed
from mapkit.kinds.rail.checks.check import Checked
from mapkit.kinds.rail.checks.payoff_chart import form
from mapkit.kinds.rail.model.board import Payoffs

_SHOWN = 5


def found_empty(c: Checked) -> Iterator[Found]:
    """Yield the findings on empty cells."""
    if not any(None in row for row in c.board.payoffs.thousands):
        return
    if is_computed(c.board):
        yield from _apart(c)
        return
    what_to_do = cure(c)
    ids, given = c.board.payoffs.cities, amounts(c)
    blank = form.blank_cities(given)
    if len(blank) == len(ids):
        yield Found(f"the payoff chart has no amounts; {what_to_do}", ("chart",), data={"cause": "missing"})
        return
    for i in blank:
        yield Found(
            f"the payoff chart has no amounts for {c.city_names.get(ids[i], ids[i])}; {what_to_do}",
            (ids[i],),
            c.place("payoffs", ids[i], at=""),
            data={"cause": "missing"},
        )
    for i, j in form.gaps(given, square=True):
        one, other = (c.city_names.get(ids[k], ids[k]) for k in (i, j))
        value = None if np.isnan(given[j, i]) else float(given[j, i])
        says = "is missing" if value is None else f"is empty in the row of {one}, but {value:g} in the row of {other}"
        yield Found(
            f"the payoff {one} - {other} {says}; {what_to_do}",
            (ids[i], ids[j]),
            c.place("payoffs", ids[i], at=""),
            {"value": None, "expected": None, "suggested": value, "cause": "missing"},
        )


def amounts(c: Checked) -> form.Matrix:
    """Return the chart as it stands, n x n thousands; NaN is an empty cell."""
    return np.array(c.board.payoffs.thousands, dtype=np.float64)


def cure(c: Checked) -> str:
    """Return what to do about amounts that are not there."""
    if c.board.variants:
        return 'fill it in with set-payoff, or let mapkit compute it: recompute-payoffs with cells = "missing"'
    return f"fill it in, or let mapkit compute it: mapkit payoffs compute {c.board.id} --missing --into chart"


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
