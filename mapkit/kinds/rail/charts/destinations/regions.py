"""Regions proposed for cities with weights: contiguous, of a given size, near wanted odds (RB-C07, RB-C14).

Each region grows around a centre. Given the centres, OR-tools CP-SAT assigns the cities: first so that no region is
farther from its wanted odds than a 72nd can tell, then as compact as can be. A city may belong to a region only with a
neighbour that is nearer to the centre, so regions are connected. Then each region's middle city becomes its centre,
and so on until nothing changes.
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
from mapkit.kinds.rail.charts.destinations.wishes import WishError
from mapkit.kinds.rail.network.chances import WHOLE

LEAST, MOST = 8, 12
_FINE: Final = 1000
"""Weights are counted in thousandths of a 72nd."""
_GRAIN: Final = _FINE // 2
"""A chart cannot come nearer than half a 72nd, so nothing nearer is asked of regions."""
_MAX_CITIES: Final = 300
_MAX_ROUNDS: Final = 20
_WORK: Final = 0.2
_STARTS: Final = 8
_MILES_PER_DEGREE: Final = 69.1


@dataclass(frozen=True)
class RegionPlace:
    """A city to put into a region; places of one `milepost` (twins) stay together."""

    id: str
    lon: float
    lat: float
    weight: Fraction
    milepost: str = ""
    name: str = ""


class ProposedRegion(Frozen):
    """A region: named after its heaviest city; odds wanted and got in 72nds."""

    name: str
    wanted: float
    got: float
    cities: tuple[str, ...]


class ProposedRegions(Frozen):
    """A division of the cities, heaviest region first.

    `beyond` is how far the worst region is from its wanted odds beyond half a 72nd, which is as near as a chart can be;
    `bound` is what no division can be below, whether its regions are connected or not. `miles` is the mean distance of
    cities from their region's centre; that no more compact division exists is not proven. `finished` is False if time
    ran out before all centres were tried.
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
        """How much nearer a division might still be."""
        return round(self.beyond - self.bound, 3)


@dataclass(frozen=True)
class _Unit:
    """Cities that stay together."""

    cities: tuple[str, ...]
    weight: int


@dataclass(frozen=True)
class _Division:
    """An assignment of units to regions."""

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
        count: How many regions; by default as many as make about ten cities each, or as there are shares.
        shares: Wanted odds of the regions, in any unit; equal by default.
        least: Fewest cities of a region.
        most: Most cities of a region.
        neighbours: City -> cities next to it; by default those with no other city in the circle between them.
        seconds: Wall-clock limit.

    Raises:
        WishError: The cities cannot be divided so; the text says why.
    """
    count = count or len(shares) or max(1, round(2 * len(places) / (least + most)))
    _refuse(places, count, shares, least, most)
    members, units = _units(places)
    where = _positions(places, members)
    apart = np.hypot(*(where[:, None, :] - where[None, :, :]).transpose(2, 0, 1))
    beside = _beside(places, members, apart, neighbours)
    goals = _goals(shares or [Fraction(1)] * count)
    deadline = time.monotonic() + seconds
    heaviest = sorted(range(len(units)), key=lambda u: (-units[u].weight, u))[:_STARTS]
    best: _Division | None = None
    finished = True
    for first in heaviest:
        centres = _first_centres(apart, first, count)
        goals_at = _match(goals, centres, apart, units)
        for _ in range(_MAX_ROUNDS):
            found = _assign(units, apart, beside, centres, goals_at, (least, most), deadline)
            if found is None:
                break
            if best is None or (found.beyond, found.miles) < (best.beyond, best.miles):
                best = found
            middle = _middles(found, apart)
            if middle == centres or time.monotonic() > deadline:
                break
            centres = middle
        if time.monotonic() > deadline:
            finished = False
            break
    if best is None:
        raise WishError(
            f"no division of {len(places)} cities into {count} contiguous regions of {least} to {most} was found in "
            f"{seconds:g} s; allow other sizes or another number of regions, or more time"
        )
    bound = _bound(units, goals, (least, most), best.beyond)
    return _proposal(best, bound, units, places, finished=finished)


def _refuse(places: Sequence[RegionPlace], count: int, shares: Sequence[Fraction], least: int, most: int) -> None:
    n = len(places)
    if n > _MAX_CITIES:
        raise WishError(f"{n} cities; the limit is {_MAX_CITIES}")
    if shares and len(shares) != count:
        raise WishError(f"{len(shares)} shares for {count} regions; give one for each")
    if not 1 <= least <= most:
        raise WishError(f"regions of {least} to {most} cities cannot be; the smaller number comes first")
    if not count * least <= n <= count * most:
        low, high = -(-n // most), n // least
        fits = f"{low} to {high} regions would do" if low <= high else "no number of regions fits these sizes"
        raise WishError(f"{n} cities cannot make {count} regions of {least} to {most}; {fits}")
    if any(place.weight < 0 for place in places) or not any(place.weight for place in places):
        raise WishError("weights are 0 or more, and one of them above 0")
    if any(share <= 0 for share in shares):
        raise WishError("a region's share must be above 0")


def _units(places: Sequence[RegionPlace]) -> tuple[list[list[int]], list[_Unit]]:
    groups: dict[str, list[int]] = {}
    for index, place in enumerate(places):
        groups.setdefault(place.milepost or place.id, []).append(index)
    members = list(groups.values())
    total = sum((place.weight for place in places), Fraction(0))
    units = [
        _Unit(
            tuple(places[i].id for i in group),
            round(sum((places[i].weight for i in group), Fraction(0)) * WHOLE * _FINE / total),
        )
        for group in members
    ]
    return members, units


def _positions(places: Sequence[RegionPlace], members: Sequence[Sequence[int]]) -> NDArray[np.float64]:
    """Return miles east and north of the middle, n x 2."""
    degrees = np.array([(places[group[0]].lon, places[group[0]].lat) for group in members])
    middle = degrees.mean(axis=0)
    narrow = np.cos(np.radians(degrees[:, 1]))
    return np.column_stack(((degrees[:, 0] - middle[0]) * narrow, degrees[:, 1] - middle[1])) * _MILES_PER_DEGREE


def _beside(
    places: Sequence[RegionPlace],
    members: Sequence[Sequence[int]],
    apart: NDArray[np.float64],
    neighbours: Mapping[str, frozenset[str]] | None,
) -> list[set[int]]:
    n = len(members)
    if neighbours is None:
        return gabriel(apart)
    unit = {places[i].id: u for u, group in enumerate(members) for i in group}
    out: list[set[int]] = [set() for _ in range(n)]
    for city, others in neighbours.items():
        for other in others:
            if city in unit and other in unit and unit[city] != unit[other]:
                out[unit[city]].add(unit[other])
                out[unit[other]].add(unit[city])
    return out


def gabriel(apart: NDArray[np.float64]) -> list[set[int]]:
    """Return neighbours in the Gabriel graph: no third point lies in the circle on the two. It is connected."""
    square = apart**2
    n = len(square)
    out: list[set[int]] = [set() for _ in range(n)]
    for i in range(n):
        for j in range(i + 1, n):
            inside = square[i] + square[j] < square[i, j] - 1e-9
            inside[[i, j]] = False
            if not inside.any():
                out[i].add(j)
                out[j].add(i)
    return out


def _goals(shares: Sequence[Fraction]) -> list[int]:
    total = sum(shares, Fraction(0))
    return [round(share * WHOLE * _FINE / total) for share in shares]


def _first_centres(apart: NDArray[np.float64], first: int, count: int) -> list[int]:
    """Take a place, then each time the one farthest from all centres."""
    centres = [first]
    while len(centres) < count:
        near = apart[centres].min(axis=0)
        centres.append(max((i for i in range(len(apart)) if i not in centres), key=lambda i: (round(near[i], 6), -i)))
    return centres


def _match(
    goals: Sequence[int], centres: Sequence[int], apart: NDArray[np.float64], units: Sequence[_Unit]
) -> list[int]:
    """Give the largest goal to the centre with the most weight nearest to it."""
    nearest = apart[list(centres)].argmin(axis=0)
    around = [sum(units[u].weight for u in range(len(units)) if nearest[u] == k) for k in range(len(centres))]
    order = sorted(range(len(centres)), key=lambda k: (-around[k], k))
    out = [0] * len(centres)
    for goal, k in zip(sorted(goals, reverse=True), order, strict=True):
        out[k] = goal
    return out


def _assign(
    units: Sequence[_Unit],
    apart: NDArray[np.float64],
    beside: Sequence[set[int]],
    centres: Sequence[int],
    goals: Sequence[int],
    sizes: tuple[int, int],
    deadline: float,
) -> _Division | None:
    n, count = len(units), len(centres)
    way = _ways(apart, beside)
    model = heavy.cp_model.CpModel()
    x = [[model.new_bool_var(f"x{u}_{k}") for k in range(count)] for u in range(n)]
    beyond = model.new_int_var(0, WHOLE * _FINE, "beyond")
    for u in range(n):
        model.add_exactly_one(x[u])
    for k in range(count):
        model.add(x[centres[k]][k] == 1)
        size = sum(len(units[u].cities) * x[u][k] for u in range(n))
        model.add(size >= sizes[0])
        model.add(size <= sizes[1])
        weight = sum(units[u].weight * x[u][k] for u in range(n))
        model.add(weight - goals[k] <= beyond + _GRAIN)
        model.add(goals[k] - weight <= beyond + _GRAIN)
        for u in range(n):
            if u != centres[k]:  # by neighbours ever nearer to the centre, so every region is connected
                nearer = [v for v in sorted(beside[u]) if way[v, centres[k]] < way[u, centres[k]]]
                model.add(sum(x[v][k] for v in nearer) >= x[u][k])
    length = np.rint(apart).astype(int)
    spread = sum(len(units[u].cities) * int(length[u, centres[k]]) * x[u][k] for u in range(n) for k in range(count))
    most = int(length.max()) * sum(len(unit.cities) for unit in units) + 1
    model.minimize(most * beyond + spread)
    solver = heavy.cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = max(0.001, deadline - time.monotonic())
    solver.parameters.max_deterministic_time = _WORK  # counted in work, so it ends alike on every machine
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = 1
    solver.parameters.catch_sigint_signal = False  # else Ctrl-C is the solver's from then on
    if solver.solve(model) not in (heavy.cp_model.OPTIMAL, heavy.cp_model.FEASIBLE):
        return None
    region = [next(k for k in range(count) if solver.value(x[u][k])) for u in range(n)]
    miles = float(sum(apart[u, centres[region[u]]] * len(units[u].cities) for u in range(n)))
    return _Division(tuple(region), tuple(centres), tuple(goals), solver.value(beyond), miles)


def _ways(apart: NDArray[np.float64], beside: Sequence[set[int]]) -> NDArray[np.float64]:
    """Return miles between units from neighbour to neighbour; infinite where there is no way."""
    way = np.full_like(apart, np.inf)
    np.fill_diagonal(way, 0.0)
    for u, others in enumerate(beside):
        for v in others:
            way[u, v] = apart[u, v]
    for v in range(len(way)):
        way = np.minimum(way, way[:, v, None] + way[None, v, :])
    return way


def _middles(found: _Division, apart: NDArray[np.float64]) -> list[int]:
    out = []
    for k in range(len(found.centres)):
        own = [u for u, region in enumerate(found.region) if region == k]
        out.append(min(own, key=lambda u: (round(float(apart[u, own].sum()), 6), u)))
    return out


def _bound(units: Sequence[_Unit], goals: Sequence[int], sizes: tuple[int, int], reached: int) -> int:
    """Return what `beyond` cannot be below, from sizes and weights alone; 0 if a little work does not show that."""
    if reached == 0:
        return 0
    model = heavy.cp_model.CpModel()
    beyond = model.new_int_var(0, reached, "beyond")
    x = [[model.new_bool_var(f"x{u}_{k}") for k in range(len(goals))] for u in range(len(units))]
    for row in x:
        model.add_exactly_one(row)
    for k, goal in enumerate(goals):
        size = sum(len(unit.cities) * row[k] for unit, row in zip(units, x, strict=True))
        weight = sum(unit.weight * row[k] for unit, row in zip(units, x, strict=True))
        model.add_linear_constraint(size, *sizes)
        model.add(weight - goal <= beyond + _GRAIN)
        model.add(goal - weight <= beyond + _GRAIN)
    model.minimize(beyond)
    solver = heavy.cp_model.CpSolver()
    solver.parameters.max_deterministic_time = _WORK
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = 1
    solver.parameters.catch_sigint_signal = False  # else Ctrl-C is the solver's from then on
    solver.parameters.linearization_level = 2
    solver.solve(model)
    return min(reached, max(0, int(solver.best_objective_bound)))


def _proposal(
    best: _Division, bound: int, units: Sequence[_Unit], places: Sequence[RegionPlace], *, finished: bool
) -> ProposedRegions:
    weight = {place.id: place.weight for place in places}
    regions = []
    for k, goal in enumerate(best.goals):
        own = [u for u, region in enumerate(best.region) if region == k]
        cities = sorted(city for u in own for city in units[u].cities)
        got = sum(units[u].weight for u in own)
        regions.append(
            ProposedRegion(
                name=min(cities, key=lambda c: (-weight[c], c)),
                wanted=round(goal / _FINE, 3),
                got=round(got / _FINE, 3),
                cities=tuple(cities),
            )
        )
    regions.sort(key=lambda r: (-r.got, r.name))
    return ProposedRegions(
        regions=tuple(regions),
        largest=round(max(abs(r.got - r.wanted) for r in regions), 3),
        beyond=round(best.beyond / _FINE, 3),
        bound=round(bound / _FINE, 3),
        proven=best.beyond == bound,
        miles=round(best.miles / len(places), 1),
        finished=finished,
        names={place.id: place.name or place.id for place in places},
    )
