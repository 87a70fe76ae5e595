"""Worth of a set of railroads in travel: foreign miles, fees collected, hauls, shortened pairs.

The model: a trip goes from one city to another, each drawn by the charts, independently, never to the same city. A
rider takes a route that is optimal for the figure in question; the segment rules of single trips (RB-M07) never bind on
such a route. Fees are flat a turn (RB-F08), so a run of mileposts costs the number of turns spent on it.
"""

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from mapkit.core.base import Frozen
from mapkit.core.errors import MapkitError
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.network.chain import ENGINES, calculate_turn_odds, measure_rail_miles
from mapkit.kinds.rail.network.destination_chances import calculate_city_chances, format_fraction
from mapkit.kinds.rail.network.service import calculate_access, calculate_monopoly
from mapkit.kinds.rail.network.shortest_paths import find_predecessors, find_shortest_paths

_STEP_COST = 1e3
_TIE_COST = 1e-3
"""Cost of a milepost besides its fee: among equal fees, a shorter route wins, then one off the owner's lines."""
MOST_PAIRS = 20


class ShortenedPair(Frozen):
    """Two cities (ids) that are farther apart without the railroads; None: not connected. `chance` in percent."""

    a: str
    b: str
    mileposts: int
    without: int | None
    chance: float


class EngineFees(Frozen):
    """Fees an owner collects from one opponent and trip, by the opponent's engine, currency units.

    `mileposts` are those that the opponent rides on the owner's lines in a trip; `mean_turn` are the mileposts of a
    turn.
    """

    engine: str
    mean_turn: float
    mileposts: float
    fees: float
    fees_after_sell_out: float


class Holding(Frozen):
    """Effects of owning some railroads (ids) on travel; shares in percent, lengths in mileposts.

    Args:
        railroads: The railroads.
        price: Their price, currency units.
        access: Chance that the next destination is a city they serve.
        access_exact: The same as a fraction.
        monopoly: Chance that it is a city only they serve.
        monopoly_exact: The same as a fraction.
        foreign_travel: Share of travel that must use other lines: the fewest mileposts that the owner's trips need on
            them, of the fewest mileposts that all trips take.
        foreign_trips: Share of the owner's trips that cannot be made on his lines alone.
        used_trips: Share of all trips whose shortest route, of fewest mileposts, may use the railroads.
        average_haul: Mileposts on the railroads of a trip that uses them, on shortest routes that use them most.
        fees: Fees collected from an opponent a trip, by the opponent's engine, if all other lines are the bank's and
            the opponent takes the route of least fees, then of fewest mileposts.
        shortens: The pairs that are farther apart without them, most lost mileposts times chance first.
        shortened_pairs: Number of all such pairs.
    """

    railroads: tuple[str, ...]
    price: int
    access: float
    access_exact: str
    monopoly: float
    monopoly_exact: str
    foreign_travel: float
    foreign_trips: float
    used_trips: float
    average_haul: float
    fees: tuple[EngineFees, ...]
    shortens: tuple[ShortenedPair, ...]
    shortened_pairs: int


def holding(board: Board, railroads: Collection[str]) -> Holding:
    """Return the figures of a set of railroads in travel.

    Args:
        board: A board on which every city reaches every other.
        railroads: Ids of railroads; at least one.

    Raises:
        MapkitError: No railroad was given, the charts give no trips, or a city cannot be reached.
    """
    owned_railroads = frozenset(railroads)
    if not owned_railroads:
        raise MapkitError("no railroad was given; name one or more")
    index = {m.id: i for i, m in enumerate(board.mileposts)}
    cities = [city.milepost for city in board.cities]
    rows = np.array([index[milepost] for milepost in cities])
    trips = _trip_odds(board)

    def between(of_own: float, of_others: float) -> NDArray[np.float64]:
        return np.rint(
            measure_rail_miles(
                board, cities, cost=lambda railroad, _: of_own if railroad in owned_railroads else of_others
            )
        )

    fewest_steps = between(1.0, 1.0) if len(board.segments) else np.full((len(rows), len(rows)), np.inf)
    if not np.isfinite(fewest_steps).all():
        raise MapkitError(f"some cities cannot be reached; see mapkit check {board.id}")
    foreign_steps = np.floor(between(1.0, _STEP_COST + 1.0) / _STEP_COST)
    shortest_costs = between(
        _STEP_COST, _STEP_COST + 1.0
    )  # of the fewest mileposts, the one with fewest on other lines
    haul_steps = fewest_steps - (shortest_costs - fewest_steps * _STEP_COST)
    is_used = haul_steps > 0
    price_of = {r.id: r.price for r in board.railroads}
    shortened_pairs = _find_shortened_pairs(board, owned_railroads, fewest_steps, trips)
    access_chance, monopoly_chance = (
        calculate_access(board, owned_railroads),
        calculate_monopoly(board, owned_railroads),
    )
    return Holding(
        railroads=tuple(sorted(owned_railroads)),
        price=sum(price_of[r] for r in owned_railroads),
        access=_to_percent(float(access_chance)),
        access_exact=format_fraction(access_chance),
        monopoly=_to_percent(float(monopoly_chance)),
        monopoly_exact=format_fraction(monopoly_chance),
        foreign_travel=_to_percent(float((trips * foreign_steps).sum() / max((trips * fewest_steps).sum(), 1e-12))),
        foreign_trips=_to_percent(float(trips[foreign_steps > 0].sum())),
        used_trips=_to_percent(float(trips[is_used].sum())),
        average_haul=round(float((trips * haul_steps).sum() / trips[is_used].sum()), 3) if is_used.any() else 0.0,
        fees=tuple(_calculate_engine_fees(board, owned_railroads, engine, trips, (rows, index)) for engine in ENGINES),
        shortens=shortened_pairs[:MOST_PAIRS],
        shortened_pairs=len(shortened_pairs),
    )


def _trip_odds(board: Board) -> NDArray[np.float64]:
    city_chance = calculate_city_chances(board)
    city_odds = np.array([float(city_chance[city.id]) for city in board.cities])
    pair_odds = np.outer(city_odds, city_odds)
    np.fill_diagonal(pair_odds, 0.0)
    if not pair_odds.sum():
        raise MapkitError(f"the charts of {board.title} give no trips; see mapkit check {board.id}")
    trip_shares: NDArray[np.float64] = pair_odds / pair_odds.sum()
    return trip_shares


_MilepostRows = tuple[NDArray[np.int64], dict[str, int]]
"""Rows of the cities' mileposts, and the row of each milepost."""


def _calculate_engine_fees(
    board: Board, owned_railroads: frozenset[str], engine: str, trips: NDArray[np.float64], milepost_rows: _MilepostRows
) -> EngineFees:
    mean_turn = sum(
        rolled_mileposts * chance for rolled_mileposts, chance in calculate_turn_odds(board, engine).items()
    )
    fees = board.rules.fees
    fees_before, ridden_mileposts = _find_least_fees(board, owned_railroads, fees.opponent, mean_turn, milepost_rows)
    fees_after, _ = _find_least_fees(board, owned_railroads, fees.opponent_after_sell_out, mean_turn, milepost_rows)
    return EngineFees(
        engine=engine,
        mean_turn=round(mean_turn, 4),
        mileposts=round(float((trips * ridden_mileposts).sum()), 4),
        fees=round(float((trips * fees_before).sum()), 2),
        fees_after_sell_out=round(float((trips * fees_after).sum()), 2),
    )


def _find_least_fees(
    board: Board, owned_railroads: frozenset[str], fee: int, mean_turn: float, milepost_rows: _MilepostRows
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the fees paid to the owner, and the owner's mileposts ridden, on routes of least fees.

    A run of m mileposts on lines of one fee is ridden in 1 + (m - 1) / mean turns on average, as a turn ends between
    two mileposts with chance 1 / mean. So entering costs the fee, and going on costs its part. Each milepost is three
    nodes: come by a line of others, by one of the owner's, or there at the start.
    """
    rows, milepost_index = milepost_rows
    milepost_count = len(milepost_index)
    least_cost: dict[tuple[int, int], float] = {}
    for segment in board.segments:
        is_owned = segment.railroad in owned_railroads
        turn_fee = fee if is_owned else board.rules.fees.bank
        layer = milepost_count if is_owned else 0
        for a, b in ((segment.a, segment.b), (segment.b, segment.a)):
            for from_layer in (0, milepost_count, 2 * milepost_count):
                same_line = from_layer == layer
                node_pair = (milepost_index[a] + from_layer, milepost_index[b] + layer)
                step_cost = (turn_fee / mean_turn if same_line else float(turn_fee)) + _TIE_COST * (1 + is_owned)
                least_cost[node_pair] = min(least_cost.get(node_pair, np.inf), step_cost)
    link_ends = np.array(sorted(least_cost), dtype=np.int64)
    link_costs = np.array([least_cost[node_pair] for node_pair in sorted(least_cost)])
    costs = find_shortest_paths(link_ends, link_costs, 3 * milepost_count, rows + 2 * milepost_count, back=False)
    previous_nodes = find_predecessors(link_ends, link_costs, costs, back=False)
    paid_fees, ridden_mileposts = np.zeros((len(rows), len(rows))), np.zeros((len(rows), len(rows)))
    for i in range(len(rows)):
        for j in range(len(rows)):
            if rows[i] == rows[j]:
                continue
            node = int(rows[j]) + (milepost_count if costs[i, rows[j] + milepost_count] < costs[i, rows[j]] else 0)
            while node < 2 * milepost_count:
                from_layer = int(previous_nodes[i, node])
                if milepost_count <= node:
                    ridden_mileposts[i, j] += 1
                    paid_fees[i, j] += fee / mean_turn if milepost_count <= from_layer < 2 * milepost_count else fee
                node = from_layer
    return paid_fees, ridden_mileposts


def _find_shortened_pairs(
    board: Board,
    owned_railroads: frozenset[str],
    steps: NDArray[np.float64],
    trips: NDArray[np.float64],
) -> tuple[ShortenedPair, ...]:
    other_board = board.model_copy(
        update={"segments": tuple(s for s in board.segments if s.railroad not in owned_railroads)}
    )
    steps_without = (
        np.rint(measure_rail_miles(other_board, [city.milepost for city in board.cities], cost=lambda *_: 1.0))
        if other_board.segments
        else np.where(steps > 0, np.inf, 0.0)
    )
    ranked_pairs: list[tuple[float, ShortenedPair]] = []
    for i, a in enumerate(board.cities):
        for j in range(i + 1, len(board.cities)):
            if steps_without[i, j] > steps[i, j]:
                is_connected = bool(np.isfinite(steps_without[i, j]))
                chance = float(trips[i, j] + trips[j, i])
                lost_mileposts = (steps_without[i, j] - steps[i, j]) if is_connected else np.inf
                pair = ShortenedPair(
                    a=a.id,
                    b=board.cities[j].id,
                    mileposts=int(steps[i, j]),
                    without=int(steps_without[i, j]) if is_connected else None,
                    chance=_to_percent(chance),
                )
                ranked_pairs.append((-chance * lost_mileposts if chance else 0.0, pair))
    ranked_pairs.sort(key=lambda item: (item[0], -item[1].chance, item[1].a, item[1].b))
    return tuple(pair for _, pair in ranked_pairs)


def _to_percent(share: float) -> float:
    return round(share * 100, 4)
