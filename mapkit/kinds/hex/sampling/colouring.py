"""Solver of city colours: spread over the map, none twice nearby, goods deliverable early but not at once.

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
_FREE_NEIGHBOUR_COLOURS: Final = 3
_WORK_LIMIT: Final = 3.0
"""CP-SAT's own measure of work for each step, so that every machine stops at the same place."""
_AT_ONCE_COST: Final = 3


@dataclass(frozen=True)
class ColourSolution:
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
        """Return whether both distance and score are proved to be optimal."""
        return self.apart_proved and self.score == self.bound


def solve_colours(
    cities: Sequence[str],
    apart: Mapping[tuple[str, str], int],
    near: Mapping[str, Sequence[str]],
    *,
    gray: int | None = None,
) -> ColourSolution:
    """Solve the colours of cities (CP-SAT).

    Args:
        cities: Their ids, the largest first; the smallest become gray first.
        apart: Hexagons between two cities, for each pair in one order.
        near: City -> cities that one link joins to it.
        gray: How many are gray; about a third of them by default.
    """
    if not cities:
        return ColourSolution({}, 0, apart_proved=True, deliverable=0, score=0, bound=0)
    gray_count = min(len(cities), round(len(cities) * _GRAY_SHARE) if gray is None else gray)
    low_distance, high_distance, is_distance_proved = 0, max(apart.values(), default=0) + 1, True
    while high_distance - low_distance > 1:  # colours exist at `low`, and none are known at `high`
        mid_distance = (low_distance + high_distance) // 2
        found_colours, is_proved = _colour_at_distance(cities, apart, gray_count, mid_distance)
        if found_colours is not None:
            low_distance = mid_distance
        else:
            high_distance, is_distance_proved = mid_distance, is_distance_proved and is_proved
    return _maximise_score(cities, apart, near, gray_count, low_distance, proved=is_distance_proved)


def _make_model(
    cities: Sequence[str], apart: Mapping[tuple[str, str], int], greys: int, least: int
) -> tuple[Any, dict[tuple[str, str], Any]]:
    """Return a model with one colour for each city, and equally many cities of each colour."""
    cp = heavy.cp_model
    model = cp.CpModel()
    has_colour = {
        (city, colour): model.new_bool_var(f"{city}-{colour}") for city in cities for colour in (*GOODS, GRAY)
    }
    for city in cities:
        model.add_exactly_one(has_colour[city, colour] for colour in (*GOODS, GRAY))
    model.add(sum(has_colour[city, GRAY] for city in cities) == greys)
    fewest_cities, cities_left = divmod(len(cities) - greys, len(GOODS))
    for colour in GOODS:
        city_count = sum(has_colour[city, colour] for city in cities)
        model.add(city_count >= fewest_cities)
        model.add(city_count <= fewest_cities + (1 if cities_left else 0))
    for (first_city, second_city), steps in apart.items():
        if steps < least:
            for colour in GOODS:
                model.add_at_most_one([has_colour[first_city, colour], has_colour[second_city, colour]])
    return model, has_colour


def _make_solver() -> Any:  # noqa: ANN401 - OR-tools
    solver = heavy.cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = 7
    solver.parameters.max_deterministic_time = _WORK_LIMIT
    return solver


def _colour_at_distance(
    cities: Sequence[str], apart: Mapping[tuple[str, str], int], greys: int, least: int
) -> tuple[dict[str, str] | None, bool]:
    """Return colours at a distance, or None, and whether that is proved."""
    cp = heavy.cp_model
    model, has_colour = _make_model(cities, apart, greys, least)
    solver = _make_solver()
    status = solver.solve(model)
    if status in (cp.OPTIMAL, cp.FEASIBLE):
        return {city: colour for (city, colour), variable in has_colour.items() if solver.value(variable)}, True
    return None, status == cp.INFEASIBLE


def _maximise_score(
    cities: Sequence[str],
    apart: Mapping[tuple[str, str], int],
    near: Mapping[str, Sequence[str]],
    greys: int,
    least: int,
    *,
    proved: bool,
) -> ColourSolution:
    cp = heavy.cp_model
    model, has_colour = _make_model(cities, apart, greys, least)
    is_deliverable, excess_colours = [], []
    for city in cities:
        first_neighbours = set(near.get(city, ()))
        second_neighbours = (
            first_neighbours
            | {neighbour for first_neighbour in first_neighbours for neighbour in near.get(first_neighbour, ())}
        ) - {city}
        is_adjacent = []
        for colour in GOODS:
            is_reached = model.new_bool_var(f"soon-{city}-{colour}")
            model.add(
                sum(has_colour[neighbour, colour] for neighbour in sorted(second_neighbours)) >= 1
            ).only_enforce_if(is_reached)
            is_deliverable.append(is_reached)
            is_touched = model.new_bool_var(f"beside-{city}-{colour}")
            for neighbour in sorted(first_neighbours):
                model.add_implication(has_colour[neighbour, colour], is_touched)
            is_adjacent.append(is_touched)
        excess_count = model.new_int_var(0, len(GOODS), f"many-{city}")
        model.add(excess_count >= sum(is_adjacent) - _FREE_NEIGHBOUR_COLOURS)
        excess_colours.append(excess_count)
    gray_preference = sum(number * has_colour[city, GRAY] for number, city in enumerate(cities))
    scale = len(cities) ** 2 + 1
    model.maximize(scale * (sum(is_deliverable) - _AT_ONCE_COST * sum(excess_colours)) + gray_preference)
    solver = _make_solver()
    status = solver.solve(model)
    if status not in (cp.OPTIMAL, cp.FEASIBLE):
        colours, _ = _colour_at_distance(cities, apart, greys, least)
        return ColourSolution(colours or dict.fromkeys(cities, GRAY), least, proved, 0, 0, len(is_deliverable))
    colours = {city: colour for (city, colour), variable in has_colour.items() if solver.value(variable)}
    deliverable_count = sum(int(solver.value(variable)) for variable in is_deliverable)
    score = deliverable_count - _AT_ONCE_COST * sum(int(solver.value(variable)) for variable in excess_colours)
    bound = score if status == cp.OPTIMAL else min(len(is_deliverable), math.floor(solver.best_objective_bound / scale))
    return ColourSolution(colours, least, proved, deliverable_count, score, max(score, bound))
