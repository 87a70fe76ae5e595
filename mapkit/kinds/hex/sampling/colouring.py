"""Colours of cities, solved: each spread over the map, none twice nearby, goods deliverable early but not at once.

First the greatest distance between two cities of one colour is sought: for each distance CP-SAT either gives colours or
proves that there are none. Then, at that distance, as many pairs of city and colour as can be are made deliverable over
two links, while the neighbours of a city over one link take three colours at most where that is possible.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from mapkit.core import heavy
from mapkit.kinds.hex.rules.colours import GOODS, GRAY

_GRAY_SHARE: Final = 0.3
_AT_ONCE: Final = 3
_WORK: Final = 3.0
"""CP-SAT's own measure of work for each step, so that every machine stops at the same place."""
_AT_ONCE_COST: Final = 3


@dataclass(frozen=True)
class Coloured:
    """Colours of cities.

    Args:
        colours: City -> colour, `gray` for none.
        apart: Cities of one colour are at least so many hexagons apart.
        apart_proved: Whether it is proved that no colours are further apart.
        deliverable: Pairs of city and colour that two links can deliver.
        score: These pairs, less three for each colour beyond three that a city has one link away.
        bound: No colours have a higher score at that distance, as far as is proved.
    """

    colours: dict[str, str]
    apart: int
    apart_proved: bool
    deliverable: int
    score: int
    bound: int

    @property
    def proved(self) -> bool:
        """Whether both are proved to be the best there is."""
        return self.apart_proved and self.score == self.bound


def solve_colours(
    cities: Sequence[str],
    apart: Mapping[tuple[str, str], int],
    near: Mapping[str, Sequence[str]],
    *,
    gray: int | None = None,
) -> Coloured:
    """Return colours of cities.

    Args:
        cities: Their ids, the largest first; the smallest become gray first.
        apart: Hexagons between two cities, for each pair in one order.
        near: City -> cities that one link joins to it.
        gray: How many are gray; about a third of them by default.
    """
    if not cities:
        return Coloured({}, 0, apart_proved=True, deliverable=0, score=0, bound=0)
    greys = min(len(cities), round(len(cities) * _GRAY_SHARE) if gray is None else gray)
    low, high, proved = 0, max(apart.values(), default=0) + 1, True
    while high - low > 1:  # colours exist at `low`, and none are known at `high`
        middle = (low + high) // 2
        found, sure = _coloured(cities, apart, greys, middle)
        if found is not None:
            low = middle
        else:
            high, proved = middle, proved and sure
    return _best(cities, apart, near, greys, low, proved=proved)


def _model(
    cities: Sequence[str], apart: Mapping[tuple[str, str], int], greys: int, least: int
) -> tuple[Any, dict[tuple[str, str], Any]]:
    """Return a model in which every city has one colour, and the colours are equally many."""
    cp = heavy.cp_model
    model = cp.CpModel()
    has = {(city, colour): model.new_bool_var(f"{city}-{colour}") for city in cities for colour in (*GOODS, GRAY)}
    for city in cities:
        model.add_exactly_one(has[city, colour] for colour in (*GOODS, GRAY))
    model.add(sum(has[city, GRAY] for city in cities) == greys)
    few, more = divmod(len(cities) - greys, len(GOODS))
    for colour in GOODS:
        count = sum(has[city, colour] for city in cities)
        model.add(count >= few)
        model.add(count <= few + (1 if more else 0))
    for (one, other), steps in apart.items():
        if steps < least:
            for colour in GOODS:
                model.add_at_most_one([has[one, colour], has[other, colour]])
    return model, has


def _solver() -> Any:  # noqa: ANN401 - OR-tools
    solver = heavy.cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = 7
    solver.parameters.max_deterministic_time = _WORK
    return solver


def _coloured(
    cities: Sequence[str], apart: Mapping[tuple[str, str], int], greys: int, least: int
) -> tuple[dict[str, str] | None, bool]:
    """Return colours at a distance, or None, and whether that is proved."""
    cp = heavy.cp_model
    model, has = _model(cities, apart, greys, least)
    solver = _solver()
    status = solver.solve(model)
    if status in (cp.OPTIMAL, cp.FEASIBLE):
        return {city: colour for (city, colour), one in has.items() if solver.value(one)}, True
    return None, status == cp.INFEASIBLE


def _best(
    cities: Sequence[str],
    apart: Mapping[tuple[str, str], int],
    near: Mapping[str, Sequence[str]],
    greys: int,
    least: int,
    *,
    proved: bool,
) -> Coloured:
    cp = heavy.cp_model
    model, has = _model(cities, apart, greys, least)
    soon, at_once = [], []
    for city in cities:
        first = set(near.get(city, ()))
        second = (first | {other for one in first for other in near.get(one, ())}) - {city}
        beside = []
        for colour in GOODS:
            reached = model.new_bool_var(f"soon-{city}-{colour}")
            model.add(sum(has[other, colour] for other in sorted(second)) >= 1).only_enforce_if(reached)
            soon.append(reached)
            touched = model.new_bool_var(f"beside-{city}-{colour}")
            for other in sorted(first):
                model.add_implication(has[other, colour], touched)
            beside.append(touched)
        many = model.new_int_var(0, len(GOODS), f"many-{city}")
        model.add(many >= sum(beside) - _AT_ONCE)
        at_once.append(many)
    late = sum(number * has[city, GRAY] for number, city in enumerate(cities))
    scale = len(cities) ** 2 + 1
    model.maximize(scale * (sum(soon) - _AT_ONCE_COST * sum(at_once)) + late)
    solver = _solver()
    status = solver.solve(model)
    if status not in (cp.OPTIMAL, cp.FEASIBLE):
        colours, _ = _coloured(cities, apart, greys, least)
        return Coloured(colours or dict.fromkeys(cities, GRAY), least, proved, 0, 0, len(soon))
    colours = {city: colour for (city, colour), one in has.items() if solver.value(one)}
    found = sum(int(solver.value(one)) for one in soon)
    score = found - _AT_ONCE_COST * sum(int(solver.value(one)) for one in at_once)
    bound = score if status == cp.OPTIMAL else min(len(soon), math.floor(solver.best_objective_bound / scale))
    return Coloured(colours, least, proved, found, score, max(score, bound))
