"""Proposal of contiguous regions for weighted cities, of a given size and near target odds (RB-C07, RB-C14).

Each region grows around a centre. Given the centres, OR-tools CP-SAT assigns the cities: it first minimizes the largest
deviation from the target odds beyond the resolution of a chart, then the distances to the centres. A city may belong to
a region only with a neighbour that is nearer to the centre, so regions are connected. Then the medoid of each region
becomes its centre, until nothing changes.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mapkit.core import heavy
from mapkit.core.base import Frozen
from mapkit.kinds.rail.charts.destinations.chart_targets import WishError
from mapkit.kinds.rail.network.destination_chances import WHOLE

LEAST = 8
MOST = 12
_PARTS_PER_72ND: Final = 1000
"""Weights are counted in thousandths of a 72nd."""
_CHART_RESOLUTION: Final = _PARTS_PER_72ND // 2
"""Half a 72nd, the resolution of a chart; smaller deviations of regions do not count."""
_MAX_CITIES: Final = 300
_MAX_ROUNDS: Final = 20
_MAX_WORK: Final = 0.2
_MAX_STARTS: Final = 8
_MILES_PER_DEGREE: Final = 69.1


@dataclass(frozen=True)
class RegionPlace:
    """City to put into a region; places of one `milepost` (twins) stay together."""

    id: str
    lon: float
    lat: float
    weight: Fraction
    milepost: str = ""
    name: str = ""


class ProposedRegion(Frozen):
    """Proposed region, named after its heaviest city; target and actual odds in 72nds."""

    name: str
    wanted: float
    got: float
    cities: tuple[str, ...]


class ProposedRegions(Frozen):
    """Division of the cities into regions, heaviest region first.

    `beyond` is the deviation of the worst region from its target odds in excess of half a 72nd, the resolution of a
    chart; `bound` is a lower bound of it for all divisions, even with unconnected regions. `miles` is the mean distance
    of cities from their region's centre, which is not proven to be minimal. `finished` is False if time ran out before
    all centres were tried.
    """

    regions: tuple[ProposedRegion, ...]
    largest: float
    beyond: float
    bound: float
    proven: bool
    miles: float
    finished: bool
    names: dict[str, str]

    @property
    def gap(self) -> float:
        """Upper bound of a possible improvement."""
        return round(self.beyond - self.bound, 3)


@dataclass(frozen=True)
class _CityGroup:
    """Cities that stay together."""

    cities: tuple[str, ...]
    weight: int


@dataclass(frozen=True)
class _Division:
    """Assignment of units to regions."""

    region: tuple[int, ...]
    centres: tuple[int, ...]
    goals: tuple[int, ...]
    beyond: int
    miles: float


def propose_regions(
    places: Sequence[RegionPlace],
    *,
    count: int | None = None,
    shares: Sequence[Fraction] = (),
    least: int = LEAST,
    most: int = MOST,
    neighbours: Mapping[str, frozenset[str]] | None = None,
    seconds: float = 5.0,
) -> ProposedRegions:
    """Divide cities into regions.

    Args:
        places: The cities.
        count: Number of regions; by default the number of shares, or one per ten cities.
        shares: Target odds of the regions, in any unit; equal by default.
        least: Fewest cities of a region.
        most: Most cities of a region.
        neighbours: City -> cities next to it; by default those with no other city in the circle between them.
        seconds: Wall-clock limit.

    Raises:
        WishError: There is no such division of the cities; the message gives the reason.
    """
    count = count or len(shares) or max(1, round(2 * len(places) / (least + most)))
    _refuse_impossible(places, count, shares, least, most)
    unit_members, units = _group_cities(places)
    unit_positions = _positions(places, unit_members)
    distances_miles = np.hypot(*(unit_positions[:, None, :] - unit_positions[None, :, :]).transpose(2, 0, 1))
    unit_neighbours = _find_neighbours(places, unit_members, distances_miles, neighbours)
    goal_weights = _scale_goals(shares or [Fraction(1)] * count)
    deadline = time.monotonic() + seconds
    heaviest_units = sorted(range(len(units)), key=lambda u: (-units[u].weight, u))[:_MAX_STARTS]
    best_division: _Division | None = None
    is_finished = True
    for first_centre in heaviest_units:
        centres = _first_centres(distances_miles, first_centre, count)
        goals_by_centre = _match_goals(goal_weights, centres, distances_miles, units)
        for _ in range(_MAX_ROUNDS):
            division = _assign_units(
                units, distances_miles, unit_neighbours, centres, goals_by_centre, (least, most), deadline
            )
            if division is None:
                break
            if best_division is None or (division.beyond, division.miles) < (best_division.beyond, best_division.miles):
                best_division = division
            medoids = _find_medoids(division, distances_miles)
            if medoids == centres or time.monotonic() > deadline:
                break
            centres = medoids
        if time.monotonic() > deadline:
            is_finished = False
            break
    if best_division is None:
        raise WishError(
            f"no division of {len(places)} cities into {count} contiguous regions of {least} to {most} was found in "
            f"{seconds:g} s; allow other sizes or another number of regions, or more time"
        )
    lower_bound = _lower_bound(units, goal_weights, (least, most), best_division.beyond)
    return _make_proposal(best_division, lower_bound, units, places, finished=is_finished)


def _refuse_impossible(
    places: Sequence[RegionPlace], count: int, shares: Sequence[Fraction], least: int, most: int
) -> None:
    city_count = len(places)
    if city_count > _MAX_CITIES:
        raise WishError(f"{city_count} cities; the limit is {_MAX_CITIES}")
    if shares and len(shares) != count:
        raise WishError(f"{len(shares)} shares for {count} regions; give one for each")
    if not 1 <= least <= most:
        raise WishError(f"{least} to {most} is not a range of cities in a region; write the smaller number first")
    if not count * least <= city_count <= count * most:
        min_regions, max_regions = -(-city_count // most), city_count // least
        fitting_counts = (
            f"{min_regions} to {max_regions} regions would do"
            if min_regions <= max_regions
            else "no number of regions fits these sizes"
        )
        raise WishError(f"{city_count} cities cannot make {count} regions of {least} to {most}; {fitting_counts}")
    if any(place.weight < 0 for place in places) or not any(place.weight for place in places):
        raise WishError("weights are 0 or more, and one of them above 0")
    if any(share <= 0 for share in shares):
        raise WishError("a region's share must be above 0")


def _group_cities(places: Sequence[RegionPlace]) -> tuple[list[list[int]], list[_CityGroup]]:
    indices_by_milepost: dict[str, list[int]] = {}
    for index, place in enumerate(places):
        indices_by_milepost.setdefault(place.milepost or place.id, []).append(index)
    group_members = list(indices_by_milepost.values())
    total_weight = sum((place.weight for place in places), Fraction(0))
    city_groups = [
        _CityGroup(
            tuple(places[i].id for i in group),
            round(sum((places[i].weight for i in group), Fraction(0)) * WHOLE * _PARTS_PER_72ND / total_weight),
        )
        for group in group_members
    ]
    return group_members, city_groups


def _positions(places: Sequence[RegionPlace], members: Sequence[Sequence[int]]) -> NDArray[np.float64]:
    """Return positions in miles east and north of the mean, n x 2."""
    degrees = np.array([(places[group[0]].lon, places[group[0]].lat) for group in members])
    mean_degrees = degrees.mean(axis=0)
    lon_scale = np.cos(np.radians(degrees[:, 1]))
    return (
        np.column_stack(((degrees[:, 0] - mean_degrees[0]) * lon_scale, degrees[:, 1] - mean_degrees[1]))
        * _MILES_PER_DEGREE
    )


def _find_neighbours(
    places: Sequence[RegionPlace],
    members: Sequence[Sequence[int]],
    distances_miles: NDArray[np.float64],
    neighbours: Mapping[str, frozenset[str]] | None,
) -> list[set[int]]:
    unit_count = len(members)
    if neighbours is None:
        return gabriel_neighbours(distances_miles)
    unit_by_city = {places[i].id: u for u, group in enumerate(members) for i in group}
    neighbour_sets: list[set[int]] = [set() for _ in range(unit_count)]
    for city, neighbour_cities in neighbours.items():
        for neighbour_city in neighbour_cities:
            if (
                city in unit_by_city
                and neighbour_city in unit_by_city
                and unit_by_city[city] != unit_by_city[neighbour_city]
            ):
                neighbour_sets[unit_by_city[city]].add(unit_by_city[neighbour_city])
                neighbour_sets[unit_by_city[neighbour_city]].add(unit_by_city[city])
    return neighbour_sets


def gabriel_neighbours(apart: NDArray[np.float64]) -> list[set[int]]:
    """Return neighbours in the Gabriel graph (connected): no third point lies in the circle on the two."""
    squared_distances = apart**2
    n = len(squared_distances)
    neighbour_sets: list[set[int]] = [set() for _ in range(n)]
    for i in range(n):
        for j in range(i + 1, n):
            is_inside = squared_distances[i] + squared_distances[j] < squared_distances[i, j] - 1e-9
            is_inside[[i, j]] = False
            if not is_inside.any():
                neighbour_sets[i].add(j)
                neighbour_sets[j].add(i)
    return neighbour_sets


def _scale_goals(shares: Sequence[Fraction]) -> list[int]:
    total = sum(shares, Fraction(0))
    return [round(share * WHOLE * _PARTS_PER_72ND / total) for share in shares]


def _first_centres(distances_miles: NDArray[np.float64], first_centre: int, count: int) -> list[int]:
    """Start with a place, then repeatedly add the one farthest from all centres."""
    centres = [first_centre]
    while len(centres) < count:
        nearest_distances = distances_miles[centres].min(axis=0)
        centres.append(
            max(
                (i for i in range(len(distances_miles)) if i not in centres),
                key=lambda i: (round(nearest_distances[i], 6), -i),
            )
        )
    return centres


def _match_goals(
    goals: Sequence[int], centres: Sequence[int], distances_miles: NDArray[np.float64], units: Sequence[_CityGroup]
) -> list[int]:
    """Assign the largest goal to the centre with the most weight nearest to it."""
    nearest_centre = distances_miles[list(centres)].argmin(axis=0)
    weight_around = [
        sum(units[u].weight for u in range(len(units)) if nearest_centre[u] == k) for k in range(len(centres))
    ]
    centre_order = sorted(range(len(centres)), key=lambda k: (-weight_around[k], k))
    goals_by_centre = [0] * len(centres)
    for goal, k in zip(sorted(goals, reverse=True), centre_order, strict=True):
        goals_by_centre[k] = goal
    return goals_by_centre


def _assign_units(
    units: Sequence[_CityGroup],
    distances_miles: NDArray[np.float64],
    beside: Sequence[set[int]],
    centres: Sequence[int],
    goals: Sequence[int],
    sizes: tuple[int, int],
    deadline: float,
) -> _Division | None:
    n, count = len(units), len(centres)
    path_miles = _shortest_paths(distances_miles, beside)
    model = heavy.cp_model.CpModel()
    is_in_region = [[model.new_bool_var(f"x{u}_{k}") for k in range(count)] for u in range(n)]
    excess = model.new_int_var(0, WHOLE * _PARTS_PER_72ND, "beyond")
    for u in range(n):
        model.add_exactly_one(is_in_region[u])
    for k in range(count):
        model.add(is_in_region[centres[k]][k] == 1)
        city_count = sum(len(units[u].cities) * is_in_region[u][k] for u in range(n))
        model.add(city_count >= sizes[0])
        model.add(city_count <= sizes[1])
        region_weight = sum(units[u].weight * is_in_region[u][k] for u in range(n))
        model.add(region_weight - goals[k] <= excess + _CHART_RESOLUTION)
        model.add(goals[k] - region_weight <= excess + _CHART_RESOLUTION)
        for u in range(n):
            if u != centres[k]:  # a chain of neighbours ever nearer to the centre keeps every region connected
                nearer_neighbours = [
                    v for v in sorted(beside[u]) if path_miles[v, centres[k]] < path_miles[u, centres[k]]
                ]
                model.add(sum(is_in_region[v][k] for v in nearer_neighbours) >= is_in_region[u][k])
    rounded_miles = np.rint(distances_miles).astype(int)
    total_spread = sum(
        len(units[u].cities) * int(rounded_miles[u, centres[k]]) * is_in_region[u][k]
        for u in range(n)
        for k in range(count)
    )
    spread_limit = int(rounded_miles.max()) * sum(len(unit.cities) for unit in units) + 1
    model.minimize(spread_limit * excess + total_spread)
    solver = heavy.cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = max(0.001, deadline - time.monotonic())
    solver.parameters.max_deterministic_time = _MAX_WORK  # counted in work, for the same result on every machine
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = 1
    solver.parameters.catch_sigint_signal = False  # else Ctrl-C is the solver's from then on
    if solver.solve(model) not in (heavy.cp_model.OPTIMAL, heavy.cp_model.FEASIBLE):
        return None
    region_by_unit = [next(k for k in range(count) if solver.value(is_in_region[u][k])) for u in range(n)]
    total_miles = float(sum(distances_miles[u, centres[region_by_unit[u]]] * len(units[u].cities) for u in range(n)))
    return _Division(tuple(region_by_unit), tuple(centres), tuple(goals), solver.value(excess), total_miles)


def _shortest_paths(distances_miles: NDArray[np.float64], beside: Sequence[set[int]]) -> NDArray[np.float64]:
    """Return the shortest paths between units along neighbours (Floyd-Warshall) in miles; infinite without one."""
    path_miles = np.full_like(distances_miles, np.inf)
    np.fill_diagonal(path_miles, 0.0)
    for u, neighbours in enumerate(beside):
        for v in neighbours:
            path_miles[u, v] = distances_miles[u, v]
    for v in range(len(path_miles)):
        path_miles = np.minimum(path_miles, path_miles[:, v, None] + path_miles[None, v, :])
    return path_miles


def _find_medoids(division: _Division, distances_miles: NDArray[np.float64]) -> list[int]:
    medoids = []
    for k in range(len(division.centres)):
        region_units = [u for u, region in enumerate(division.region) if region == k]
        medoids.append(min(region_units, key=lambda u: (round(float(distances_miles[u, region_units].sum()), 6), u)))
    return medoids


def _lower_bound(units: Sequence[_CityGroup], goals: Sequence[int], sizes: tuple[int, int], reached: int) -> int:
    """Return a lower bound of `beyond`, from sizes and weights alone; 0 if it cannot be shown with little work."""
    if reached == 0:
        return 0
    model = heavy.cp_model.CpModel()
    excess = model.new_int_var(0, reached, "beyond")
    is_in_region = [[model.new_bool_var(f"x{u}_{k}") for k in range(len(goals))] for u in range(len(units))]
    for unit_choices in is_in_region:
        model.add_exactly_one(unit_choices)
    for k, goal in enumerate(goals):
        city_count = sum(
            len(unit.cities) * unit_choices[k] for unit, unit_choices in zip(units, is_in_region, strict=True)
        )
        region_weight = sum(
            unit.weight * unit_choices[k] for unit, unit_choices in zip(units, is_in_region, strict=True)
        )
        model.add_linear_constraint(city_count, *sizes)
        model.add(region_weight - goal <= excess + _CHART_RESOLUTION)
        model.add(goal - region_weight <= excess + _CHART_RESOLUTION)
    model.minimize(excess)
    solver = heavy.cp_model.CpSolver()
    solver.parameters.max_deterministic_time = _MAX_WORK
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = 1
    solver.parameters.catch_sigint_signal = False  # else Ctrl-C is the solver's from then on
    solver.parameters.linearization_level = 2
    solver.solve(model)
    return min(reached, max(0, int(solver.best_objective_bound)))


def _make_proposal(
    best: _Division, bound: int, units: Sequence[_CityGroup], places: Sequence[RegionPlace], *, finished: bool
) -> ProposedRegions:
    weight_by_city = {place.id: place.weight for place in places}
    proposed_regions = []
    for k, goal in enumerate(best.goals):
        region_units = [u for u, region in enumerate(best.region) if region == k]
        region_cities = sorted(city for u in region_units for city in units[u].cities)
        region_weight = sum(units[u].weight for u in region_units)
        proposed_regions.append(
            ProposedRegion(
                name=min(region_cities, key=lambda c: (-weight_by_city[c], c)),
                wanted=round(goal / _PARTS_PER_72ND, 3),
                got=round(region_weight / _PARTS_PER_72ND, 3),
                cities=tuple(region_cities),
            )
        )
    proposed_regions.sort(key=lambda r: (-r.got, r.name))
    return ProposedRegions(
        regions=tuple(proposed_regions),
        largest=round(max(abs(r.got - r.wanted) for r in proposed_regions), 3),
        beyond=round(best.beyond / _PARTS_PER_72ND, 3),
        bound=round(bound / _PARTS_PER_72ND, 3),
        proven=best.beyond == bound,
        miles=round(best.miles / len(places), 1),
        finished=finished,
        names={place.id: place.name or place.id for place in places},
    )
