"""Long-run odds of destinations: the stationary distribution of a Markov chain (RB-D04).

Players who roll the region they are in choose a region. The present city matters to the next destination only through
the region rolled or chosen; within a region, the city chart alone decides. So the chain over cities reduces to a chain
over charts, small enough to be solved in exact fractions (docs/explanation/charts.md).
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
from mapkit.kinds.rail.network.destination_chances import WHOLE, count_chart_weights, format_fraction
from mapkit.kinds.rail.network.service import cities_by_railroad
from mapkit.kinds.rail.network.shortest_paths import find_shortest_paths

Policy = Literal["random", "payoff", "nearest", "network"]
"""How a player chooses: any region alike, the best expected payoff, the shortest expected trip, the best chance of a
city that the player's railroads serve (then the best payoff)."""

POLICIES: Final[tuple[Policy, ...]] = ("random", "payoff", "nearest", "network")
ENGINES: Final = ("freight", "express", "superchief")


class Turns(Frozen):
    """Mean number of turns a trip and payoff a turn, in payoff units, for one engine (RB-M01, RB-B)."""

    engine: str
    turns_per_trip: float
    payoff_per_turn: float


class ChainOdds(Frozen):
    """Long-run odds and averages of a board under one policy.

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
    """Weights of the charts, of 72: of the regions, and of the cities of each region."""

    regions: dict[str, int]
    cities: dict[str, dict[str, int]]
    home: dict[str, str]

    def within(self, city: str) -> list[tuple[str, Fraction]]:
        """Return the charts that contain a city, with its chance in each."""
        return [(region, Fraction(chart[city], WHOLE)) for region, chart in self.cities.items() if chart.get(city)]


def solve_chain_odds(board: Board, policy: Policy, *, railroads: Collection[str] = ()) -> ChainOdds:
    """Return the long-run odds of a board under a policy, by solving the chain exactly.

    Args:
        board: A board whose charts are full.
        policy: How players choose when their own region is rolled. Without that rule
            (`rules.destinations.choose_region_when_in_it`) it changes nothing.
        railroads: The player's railroads (ids), for the policy `network`.

    Raises:
        MapkitError: A chart has empty cells, the payoffs have gaps, or the charts fall into parts that never meet.
    """
    charts = _read_charts(board)
    city_ids = [city.id for city in board.cities]
    miles, moves, payoff_table = _build_city_tables(board, city_ids)
    choose = _make_chooser(charts, policy, city_ids, moves, payoff_table, _find_served_cities(board, policy, railroads))
    must_choose = board.rules.destinations.choose_region_when_in_it
    region_odds = {city: _next_chart_odds(charts, city, choose if must_choose else None) for city in city_ids}
    share = _solve_stationary_shares(charts, region_odds)
    city_charts = {city: charts.within(city) for city in city_ids}
    chances = {city: sum((share[r] * chance for r, chance in city_charts[city]), Fraction(0)) for city in city_ids}
    chosen = sum((chances[c] * Fraction(charts.regions.get(charts.home[c], 0), WHOLE) for c in city_ids), Fraction(0))
    joint_odds = np.array(
        [
            [
                float(chances[a] * sum((region_odds[a][r] * chance for r, chance in city_charts[b]), Fraction(0)))
                for b in city_ids
            ]
            for a in city_ids
        ]
    )
    same_city = float(np.trace(joint_odds))
    trip_odds = joint_odds.copy()
    np.fill_diagonal(trip_odds, 0.0)
    trip_odds /= trip_odds.sum() or 1.0
    mean_moves, mean_payoff = float((trip_odds * moves).sum()), float((trip_odds * payoff_table).sum())
    return ChainOdds(
        policy=policy,
        railroads=tuple(sorted(railroads)),
        regions={region.id: format_fraction(share.get(region.id, Fraction(0))) for region in board.regions},
        cities={city: format_fraction(chances[city]) for city in city_ids},
        chosen=format_fraction(chosen if must_choose else Fraction(0)),
        same_city=round(same_city, 6),
        mileposts=round(mean_moves, 4),
        miles=round(float((trip_odds * miles).sum()), 2),
        payoff=round(mean_payoff, 4),
        payoff_per_milepost=round(mean_payoff / mean_moves, 4) if mean_moves else 0.0,
        turns=tuple(_calculate_turns(board, engine, trip_odds, moves, mean_payoff, same_city) for engine in ENGINES),
    )


def _read_charts(board: Board) -> _Charts:
    region_weights = count_chart_weights(board.destinations[REGIONS])
    city_weights = {
        r: count_chart_weights(board.destinations[r]) for r in sorted(region_weights) if r in board.destinations
    }
    for chart_id, weights in ((REGIONS, region_weights), *city_weights.items()):
        if sum(weights.values()) != WHOLE:
            raise MapkitError(
                f"the chart of {chart_id} fills {sum(weights.values())} of {WHOLE}; long-run odds need full charts, "
                f"see mapkit check {board.id}"
            )
    return _Charts(region_weights, city_weights, {city.id: city.region for city in board.cities})


def _build_city_tables(board: Board, order: Sequence[str]) -> tuple[NDArray[np.float64], ...]:
    """Return miles, mileposts and payoffs between cities, each n x n; payoffs in payoff units."""
    milepost_of = {city.id: city.milepost for city in board.cities}
    milepost_ids = [milepost_of[city] for city in order]
    moves = measure_rail_miles(board, milepost_ids, cost=lambda *_: 1.0)
    if not np.isfinite(moves).all():
        raise MapkitError(f"some cities cannot be reached; see mapkit check {board.id}")
    miles = measure_rail_miles(board, milepost_ids)
    index = {city: i for i, city in enumerate(board.payoffs.cities)}
    payoff_table = np.zeros_like(moves)
    for i, a in enumerate(order):
        for j, b in enumerate(order):
            amount = board.payoffs.thousands[index[a]][index[b]] if a in index and b in index else None
            if amount is None:
                raise MapkitError(f"the payoff between {a} and {b} is missing; see mapkit check {board.id}")
            payoff_table[i, j] = amount
    return miles, moves, payoff_table


def measure_rail_miles(
    board: Board, ids: Sequence[str], *, cost: Callable[[str, float], float] | None = None
) -> NDArray[np.float64]:
    """Return the shortest rail miles between mileposts; inf where no track connects them.

    Args:
        board: The board.
        ids: Milepost ids, as rows and columns; one may occur several times.
        cost: Railroad and miles of a segment -> its length; miles by default.
    """
    index = {milepost.id: i for i, milepost in enumerate(board.mileposts)}
    shortest_link: dict[tuple[int, int], float] = {}
    for segment in board.segments:
        node_pair = (
            min(index[segment.a], index[segment.b]),
            max(index[segment.a], index[segment.b]),
        )
        length = cost(segment.railroad, segment.miles) if cost else segment.miles
        shortest_link[node_pair] = min(shortest_link.get(node_pair, np.inf), length)
    link_ends = np.array(sorted(shortest_link), dtype=np.int64).reshape(-1, 2)
    source_nodes, source_rows = np.unique([index[ident] for ident in ids], return_inverse=True)
    values = np.array([shortest_link[node_pair] for node_pair in sorted(shortest_link)])
    return find_shortest_paths(link_ends, values, len(index), source_nodes)[:, source_nodes][
        np.ix_(source_rows, source_rows)
    ]


def _find_served_cities(board: Board, policy: Policy, railroads: Collection[str]) -> frozenset[str]:
    if policy != "network":
        return frozenset()
    if not railroads:
        raise MapkitError("the policy network needs the player's railroads; give --railroads")
    by_railroad = cities_by_railroad(board)
    return frozenset().union(*(by_railroad[r] for r in railroads))


Chooser = Callable[[str], dict[str, Fraction]]


def _make_chooser(
    charts: _Charts,
    policy: Policy,
    order: Sequence[str],
    moves: NDArray[np.float64],
    payoff: NDArray[np.float64],
    served: frozenset[str],
) -> Chooser:
    city_index = {city: i for i, city in enumerate(order)}
    region_ids = list(charts.cities)

    def mean(table: NDArray[np.float64], city: str, region: str) -> Fraction:
        table_row = table[city_index[city]]
        # Halves of thousands and whole mileposts are exact in binary, so ties are true ties.
        return sum(
            (
                Fraction(float(table_row[city_index[to_city]])) * weight
                for to_city, weight in charts.cities[region].items()
                if to_city in city_index
            ),
            Fraction(0),
        )

    def best(city: str) -> dict[str, Fraction]:
        if policy == "random":
            return dict.fromkeys(region_ids, Fraction(1, len(region_ids)))
        sort_keys: dict[str, tuple[Fraction, ...]] = {}
        for region in region_ids:
            if policy == "nearest":
                sort_keys[region] = (mean(moves, city, region),)
            elif policy == "payoff":
                sort_keys[region] = (-mean(payoff, city, region),)
            else:
                served_weight = sum(weight for to_city, weight in charts.cities[region].items() if to_city in served)
                sort_keys[region] = (Fraction(-served_weight), -mean(payoff, city, region))
        return {min(region_ids, key=lambda r: (*sort_keys[r], r)): Fraction(1)}

    return best


def _next_chart_odds(charts: _Charts, city: str, choose: Chooser | None) -> dict[str, Fraction]:
    """Return the chance of each city chart for a player in a city."""
    chart_odds = {region: Fraction(charts.regions.get(region, 0), WHOLE) for region in charts.cities}
    home_region = charts.home[city]
    if choose is not None and home_region in chart_odds:
        home_chance = chart_odds[home_region]
        chart_odds[home_region] = Fraction(0)
        for region, chance in choose(city).items():
            chart_odds[region] += home_chance * chance
    return chart_odds


def _solve_stationary_shares(charts: _Charts, onward: dict[str, dict[str, Fraction]]) -> dict[str, Fraction]:
    """Solve `share = share M` over charts, where `M[r, s]` is the sum over the cities c of r of q(c) onward(c, s)."""
    chart_ids = list(charts.cities)
    n = len(chart_ids)
    transition = [
        [
            sum(
                (Fraction(w, WHOLE) * onward[c][s] for c, w in charts.cities[r].items() if c in onward),
                Fraction(0),
            )
            for s in chart_ids
        ]
        for r in chart_ids
    ]
    # Columns of (M^T - I), its last row replaced by the sum of all shares.
    equations = [[transition[r][s] - (r == s) for r in range(n)] + [Fraction(0)] for s in range(n)]
    equations[-1] = [Fraction(1)] * (n + 1)
    for pivot in range(n):
        pivot_row = next((i for i in range(pivot, n) if equations[i][pivot]), None)
        if pivot_row is None:
            raise MapkitError(
                "the charts fall into groups that no roll leaves, so there are no long-run odds; add cells that "
                "lead from one group to another"
            )
        equations[pivot], equations[pivot_row] = equations[pivot_row], equations[pivot]
        pivot_value = equations[pivot][pivot]
        equations[pivot] = [value / pivot_value for value in equations[pivot]]
        for i in range(n):
            factor = equations[i][pivot]
            if i != pivot and factor:
                equations[i] = [a - factor * b for a, b in zip(equations[i], equations[pivot], strict=True)]
    return {name: equations[i][n] for i, name in enumerate(chart_ids)}


def _calculate_turns(
    board: Board, engine: str, trips: NDArray[np.float64], moves: NDArray[np.float64], payoff: float, same: float
) -> Turns:
    """Return turns of a trip: each turn the dice of the engine, until the trip's mileposts are covered.

    A roll of the present city costs a turn (RB-D06). Mileposts left over on arrival are lost, a bonus carried into the
    next trip is not counted.
    """
    turn_odds = calculate_turn_odds(board, engine)
    longest_trip = int(moves.max())
    turns_needed = np.zeros(longest_trip + 1)
    for d in range(1, longest_trip + 1):
        turns_needed[d] = 1.0 + sum(
            chance * turns_needed[d - rolled_mileposts]
            for rolled_mileposts, chance in turn_odds.items()
            if rolled_mileposts < d
        )
    turns_per_trip = float((trips * turns_needed[moves.astype(int)]).sum()) + same / (1.0 - same)
    return Turns(
        engine=engine,
        turns_per_trip=round(turns_per_trip, 4),
        payoff_per_turn=round(payoff / turns_per_trip, 4) if turns_per_trip else 0.0,
    )


def calculate_turn_odds(board: Board, engine: str) -> dict[int, float]:
    """Return the chance of each number of mileposts in a turn, with white dice and earned bonus (RB-B)."""
    rules = board.rules
    die_sides = rules.movement.die_sides
    bonus_trigger = getattr(rules.bonus, engine)
    white_odds: dict[tuple[int, bool, bool], float] = {(0, True, True): 1.0}
    for die_number in range(rules.movement.dice):
        next_odds: dict[tuple[int, bool, bool], float] = {}
        for (total, all_equal, all_top), chance in white_odds.items():
            for face in range(1, die_sides + 1):
                still_equal = all_equal and (die_number == 0 or total == face * die_number)
                dice_state = (total + face, still_equal, all_top and face == die_sides)
                next_odds[dice_state] = next_odds.get(dice_state, 0.0) + chance / die_sides
        white_odds = next_odds
    bonus_odds: dict[int, float] = {0: 1.0}
    for _ in range(rules.bonus.dice):
        bonus_odds = _add_die(bonus_odds, die_sides)
    turn_odds: dict[int, float] = {}
    for (total, all_equal, all_top), chance in white_odds.items():
        has_bonus = (
            bonus_trigger == "always"
            or (bonus_trigger == "any-double" and all_equal)
            or (bonus_trigger == "double-six" and all_top)
        )
        for bonus_mileposts, bonus_chance in (bonus_odds if has_bonus else {0: 1.0}).items():
            turn_odds[total + bonus_mileposts] = turn_odds.get(total + bonus_mileposts, 0.0) + chance * bonus_chance
    return dict(sorted(turn_odds.items()))


def _add_die(spread: dict[int, float], sides: int) -> dict[int, float]:
    sum_odds: dict[int, float] = {}
    for total, chance in spread.items():
        for face in range(1, sides + 1):
            sum_odds[total + face] = sum_odds.get(total + face, 0.0) + chance / sides
    return sum_odds
