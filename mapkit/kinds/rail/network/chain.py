"""Long-run odds of destinations, by solving the chain (RB-D04).

A player whose roll names his own region chooses a region. The next destination depends on the present city only
through the region that is rolled or chosen, and within it the city chart decides alone. So the chain over cities
folds into one over charts, small enough to be solved in exact fractions (docs/explanation/charts.md).
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from mapkit.core.base import Frozen
from mapkit.core.errors import MapkitError
from mapkit.kinds.rail.model.board import REGIONS, Board
from mapkit.kinds.rail.network.chances import WHOLE, chart_weights, fraction_text
from mapkit.kinds.rail.network.service import cities_by_railroad
from mapkit.kinds.rail.network.ways import least_ways

Policy = Literal["random", "payoff", "nearest", "network"]
"""How a player chooses: any region alike, the best expected payoff, the shortest expected trip, the best chance of a
city that the player's railroads serve (then the best payoff)."""

POLICIES: Final[tuple[Policy, ...]] = ("random", "payoff", "nearest", "network")
ENGINES: Final = ("freight", "express", "superchief")


class Turns(Frozen):
    """Turns of a trip by engine (RB-M01, RB-B): the mean, and what a turn earns, in payoff units."""

    engine: str
    turns_per_trip: float
    payoff_per_turn: float


class ChainOdds(Frozen):
    """What a policy makes of a board in the long run.

    `regions` and `cities` are the shares of all destinations rolled, as exact fractions; `chosen` is the share of rolls
    in which the player chose. A trip is a roll that is not the present city (RB-D06). `mileposts` are the fewest
    there are, `miles` the shortest over the board's rails; averages are per trip, payoffs in payoff units.
    """

    policy: Policy
    railroads: tuple[str, ...]
    regions: dict[str, str]
    cities: dict[str, str]
    chosen: str
    same_city: float
    mileposts: float
    miles: float
    payoff: float
    payoff_per_milepost: float
    turns: tuple[Turns, ...]


@dataclass(frozen=True)
class _Charts:
    """The charts as whole numbers of 72: regions, and for each region its cities."""

    regions: dict[str, int]
    cities: dict[str, dict[str, int]]
    home: dict[str, str]

    def within(self, city: str) -> list[tuple[str, Fraction]]:
        """Return the charts that a city is on, with its chance there."""
        return [(region, Fraction(chart[city], WHOLE)) for region, chart in self.cities.items() if chart.get(city)]


def chain_odds(board: Board, policy: Policy, *, railroads: Collection[str] = ()) -> ChainOdds:
    """Return the long-run odds of a board under a policy, by solving the chain exactly.

    Args:
        board: A board whose charts are full.
        policy: How players choose when their own region is rolled. Without that rule
            (`rules.destinations.choose_region_when_in_it`) it changes nothing.
        railroads: The player's railroads (ids), for the policy `network`.

    Raises:
        MapkitError: A chart has empty cells, the payoffs have gaps, or the charts fall into parts that never meet.
    """
    charts = _charts(board)
    order = [city.id for city in board.cities]
    miles, moves, payoff = _city_tables(board, order)
    choose = _chooser(charts, policy, order, moves, payoff, _served(board, policy, railroads))
    rule = board.rules.destinations.choose_region_when_in_it
    onward = {city: _onward(charts, city, choose if rule else None) for city in order}
    share = _stationary(charts, onward)
    within = {city: charts.within(city) for city in order}
    chances = {city: sum((share[r] * chance for r, chance in within[city]), Fraction(0)) for city in order}
    chosen = sum((chances[c] * Fraction(charts.regions.get(charts.home[c], 0), WHOLE) for c in order), Fraction(0))
    joint = np.array(
        [
            [float(chances[a] * sum((onward[a][r] * chance for r, chance in within[b]), Fraction(0))) for b in order]
            for a in order
        ]
    )
    same = float(np.trace(joint))
    trips = joint.copy()
    np.fill_diagonal(trips, 0.0)
    trips /= trips.sum() or 1.0
    mean_moves, mean_payoff = float((trips * moves).sum()), float((trips * payoff).sum())
    return ChainOdds(
        policy=policy,
        railroads=tuple(sorted(railroads)),
        regions={region.id: fraction_text(share.get(region.id, Fraction(0))) for region in board.regions},
        cities={city: fraction_text(chances[city]) for city in order},
        chosen=fraction_text(chosen if rule else Fraction(0)),
        same_city=round(same, 6),
        mileposts=round(mean_moves, 4),
        miles=round(float((trips * miles).sum()), 2),
        payoff=round(mean_payoff, 4),
        payoff_per_milepost=round(mean_payoff / mean_moves, 4) if mean_moves else 0.0,
        turns=tuple(_turns(board, engine, trips, moves, mean_payoff, same) for engine in ENGINES),
    )


def _charts(board: Board) -> _Charts:
    regions = chart_weights(board.destinations[REGIONS])
    cities = {r: chart_weights(board.destinations[r]) for r in sorted(regions) if r in board.destinations}
    for name, weights in ((REGIONS, regions), *cities.items()):
        if sum(weights.values()) != WHOLE:
            raise MapkitError(
                f"the chart of {name} fills {sum(weights.values())} of {WHOLE}; long-run odds need full charts, see "
                f"mapkit check {board.id}"
            )
    return _Charts(regions, cities, {city.id: city.region for city in board.cities})


def _city_tables(board: Board, order: Sequence[str]) -> tuple[NDArray[np.float64], ...]:
    """Return miles, mileposts and payoffs between cities, each n x n; payoffs in payoff units."""
    at = {city.id: city.milepost for city in board.cities}
    ids = [at[city] for city in order]
    moves = rail_miles(board, ids, cost=lambda *_: 1.0)
    if not np.isfinite(moves).all():
        raise MapkitError(f"some cities cannot be reached; see mapkit check {board.id}")
    miles = rail_miles(board, ids)
    index = {city: i for i, city in enumerate(board.payoffs.cities)}
    payoff = np.zeros_like(moves)
    for i, a in enumerate(order):
        for j, b in enumerate(order):
            amount = board.payoffs.thousands[index[a]][index[b]] if a in index and b in index else None
            if amount is None:
                raise MapkitError(f"the payoff between {a} and {b} is missing; see mapkit check {board.id}")
            payoff[i, j] = amount
    return miles, moves, payoff


def rail_miles(
    board: Board, ids: Sequence[str], *, cost: Callable[[str, float], float] | None = None
) -> NDArray[np.float64]:
    """Return shortest rail miles between some mileposts; inf where there is no way.

    Args:
        board: The board.
        ids: Milepost ids, as rows and columns; one may occur several times.
        cost: Railroad and miles of a segment -> its length; miles by default.
    """
    index = {milepost.id: i for i, milepost in enumerate(board.mileposts)}
    least: dict[tuple[int, int], float] = {}
    for s in board.segments:
        key = (min(index[s.a], index[s.b]), max(index[s.a], index[s.b]))
        length = cost(s.railroad, s.miles) if cost else s.miles
        least[key] = min(least.get(key, np.inf), length)
    ends = np.array(sorted(least), dtype=np.int64).reshape(-1, 2)
    sources, where = np.unique([index[ident] for ident in ids], return_inverse=True)
    values = np.array([least[key] for key in sorted(least)])
    return least_ways(ends, values, len(index), sources)[:, sources][np.ix_(where, where)]


def _served(board: Board, policy: Policy, railroads: Collection[str]) -> frozenset[str]:
    if policy != "network":
        return frozenset()
    if not railroads:
        raise MapkitError("the policy network needs the player's railroads; give --railroads")
    by_railroad = cities_by_railroad(board)
    return frozenset().union(*(by_railroad[r] for r in railroads))


Chooser = Callable[[str], dict[str, Fraction]]


def _chooser(
    charts: _Charts,
    policy: Policy,
    order: Sequence[str],
    moves: NDArray[np.float64],
    payoff: NDArray[np.float64],
    served: frozenset[str],
) -> Chooser:
    index = {city: i for i, city in enumerate(order)}
    regions = list(charts.cities)

    def mean(table: NDArray[np.float64], city: str, region: str) -> Fraction:
        row = table[index[city]]
        # Halves of thousands and whole mileposts are exact in binary, so ties are true ties.
        return sum(
            (Fraction(float(row[index[to]])) * weight for to, weight in charts.cities[region].items() if to in index),
            Fraction(0),
        )

    def best(city: str) -> dict[str, Fraction]:
        if policy == "random":
            return dict.fromkeys(regions, Fraction(1, len(regions)))
        keys: dict[str, tuple[Fraction, ...]] = {}
        for region in regions:
            if policy == "nearest":
                keys[region] = (mean(moves, city, region),)
            elif policy == "payoff":
                keys[region] = (-mean(payoff, city, region),)
            else:
                reach = sum(weight for to, weight in charts.cities[region].items() if to in served)
                keys[region] = (Fraction(-reach), -mean(payoff, city, region))
        return {min(regions, key=lambda r: (*keys[r], r)): Fraction(1)}

    return best


def _onward(charts: _Charts, city: str, choose: Chooser | None) -> dict[str, Fraction]:
    """Return the chance of each city chart for a player who is in a city."""
    out = {region: Fraction(charts.regions.get(region, 0), WHOLE) for region in charts.cities}
    own = charts.home[city]
    if choose is not None and own in out:
        given = out[own]
        out[own] = Fraction(0)
        for region, chance in choose(city).items():
            out[region] += given * chance
    return out


def _stationary(charts: _Charts, onward: dict[str, dict[str, Fraction]]) -> dict[str, Fraction]:
    """Solve `share = share M` over charts, where `M[r, s]` is the sum over the cities c of r of q(c) onward(c, s)."""
    names = list(charts.cities)
    n = len(names)
    step = [
        [
            sum(
                (Fraction(w, WHOLE) * onward[c][s] for c, w in charts.cities[r].items() if c in onward),
                Fraction(0),
            )
            for s in names
        ]
        for r in names
    ]
    # Columns of (M^T - I), its last row replaced by the sum of all shares.
    rows = [[step[r][s] - (r == s) for r in range(n)] + [Fraction(0)] for s in range(n)]
    rows[-1] = [Fraction(1)] * (n + 1)
    for pivot in range(n):
        lead = next((i for i in range(pivot, n) if rows[i][pivot]), None)
        if lead is None:
            raise MapkitError("the charts fall into parts that never lead to each other, so there are no long-run odds")
        rows[pivot], rows[lead] = rows[lead], rows[pivot]
        head = rows[pivot][pivot]
        rows[pivot] = [value / head for value in rows[pivot]]
        for i in range(n):
            factor = rows[i][pivot]
            if i != pivot and factor:
                rows[i] = [a - factor * b for a, b in zip(rows[i], rows[pivot], strict=True)]
    return {name: rows[i][n] for i, name in enumerate(names)}


def _turns(
    board: Board, engine: str, trips: NDArray[np.float64], moves: NDArray[np.float64], payoff: float, same: float
) -> Turns:
    """Return turns of a trip: each turn the dice of the engine, until the trip's mileposts are covered.

    A roll of the present city costs a turn (RB-D06). Mileposts left over on arrival are lost, a bonus carried into the
    next trip is not counted.
    """
    spread = turn_spread(board, engine)
    longest = int(moves.max())
    need = np.zeros(longest + 1)
    for d in range(1, longest + 1):
        need[d] = 1.0 + sum(chance * need[d - made] for made, chance in spread.items() if made < d)
    per_trip = float((trips * need[moves.astype(int)]).sum()) + same / (1.0 - same)
    return Turns(
        engine=engine,
        turns_per_trip=round(per_trip, 4),
        payoff_per_turn=round(payoff / per_trip, 4) if per_trip else 0.0,
    )


def turn_spread(board: Board, engine: str) -> dict[int, float]:
    """Return the chance of each number of mileposts in a turn: white dice, and the bonus that they earn (RB-B)."""
    rules = board.rules
    sides = rules.movement.die_sides
    trigger = getattr(rules.bonus, engine)
    white: dict[tuple[int, bool, bool], float] = {(0, True, True): 1.0}
    for count in range(rules.movement.dice):
        nxt: dict[tuple[int, bool, bool], float] = {}
        for (total, equal, top), chance in white.items():
            for face in range(1, sides + 1):
                same = equal and (count == 0 or total == face * count)
                key = (total + face, same, top and face == sides)
                nxt[key] = nxt.get(key, 0.0) + chance / sides
        white = nxt
    bonus: dict[int, float] = {0: 1.0}
    for _ in range(rules.bonus.dice):
        bonus = _add_die(bonus, sides)
    out: dict[int, float] = {}
    for (total, equal, top), chance in white.items():
        earned = trigger == "always" or (trigger == "any-double" and equal) or (trigger == "double-six" and top)
        for extra, part in (bonus if earned else {0: 1.0}).items():
            out[total + extra] = out.get(total + extra, 0.0) + chance * part
    return dict(sorted(out.items()))


def _add_die(spread: dict[int, float], sides: int) -> dict[int, float]:
    out: dict[int, float] = {}
    for total, chance in spread.items():
        for face in range(1, sides + 1):
            out[total + face] = out.get(total + face, 0.0) + chance / sides
    return out
