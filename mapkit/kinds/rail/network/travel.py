"""What a set of railroads is worth in travel: foreign miles, fees collected, hauls, pairs that it shortens.

The model: a trip goes from one city to another, each drawn by the charts, independently, never to the same city. A
rider takes a route that is best in the sense said; the segment rules of single trips (RB-M07) never bind on such a
route. Fees are flat a turn (RB-F08), so what a run of mileposts costs is the number of turns that it is ridden in.
"""

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from mapkit.core.base import Frozen
from mapkit.core.errors import MapkitError
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.network.chain import ENGINES, rail_miles, turn_spread
from mapkit.kinds.rail.network.chances import city_chances, fraction_text
from mapkit.kinds.rail.network.service import access, monopoly
from mapkit.kinds.rail.network.ways import least_ways, nodes_before

_STEP = 1e3
_SLIGHT = 1e-3
"""Cost of a milepost beside its fee: of equal fees the shorter route is taken, and one off the owner's lines."""
MOST_PAIRS = 20


class ShortenedPair(Frozen):
    """Two cities (ids) that are farther apart without the railroads; None: not joined at all. `chance` in percent."""

    a: str
    b: str
    mileposts: int
    without: int | None
    chance: float


class EngineFees(Frozen):
    """Fees an owner collects from one opponent and trip, by the opponent's engine, currency units.

    `mileposts` are those that the opponent rides on the owner's lines in a trip; `mean_turn` is what a turn makes.
    """

    engine: str
    mean_turn: float
    mileposts: float
    fees: float
    fees_after_sell_out: float


class Holding(Frozen):
    """What owning some railroads (ids) means for travel; shares in percent, lengths in mileposts.

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
        fees: What the owner collects from an opponent a trip, by the opponent's engine, if all other lines are the
            bank's and the opponent takes the route of least fees, then of fewest mileposts.
        shortens: The pairs that are farther apart without them, most lost mileposts times chance first.
        shortened_pairs: How many pairs that are in all.
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
    """Return what a set of railroads means for travel.

    Args:
        board: A board on which every city reaches every other.
        railroads: Ids of railroads; at least one.

    Raises:
        MapkitError: No railroad was given, the charts give nothing, or a city cannot be reached.
    """
    own = frozenset(railroads)
    if not own:
        raise MapkitError("no railroad was given; name one or more")
    index = {m.id: i for i, m in enumerate(board.mileposts)}
    cities = [city.milepost for city in board.cities]
    rows = np.array([index[milepost] for milepost in cities])
    trips = _trips(board)

    def between(of_own: float, of_others: float) -> NDArray[np.float64]:
        return np.rint(rail_miles(board, cities, cost=lambda railroad, _: of_own if railroad in own else of_others))

    steps = between(1.0, 1.0) if len(board.segments) else np.full((len(rows), len(rows)), np.inf)
    if not np.isfinite(steps).all():
        raise MapkitError(f"some cities cannot be reached; see mapkit check {board.id}")
    foreign = np.floor(between(1.0, _STEP + 1.0) / _STEP)
    shortest = between(_STEP, _STEP + 1.0)  # of the fewest mileposts, the one with fewest on other lines
    haul = steps - (shortest - steps * _STEP)
    used = haul > 0
    price = {r.id: r.price for r in board.railroads}
    shortened = _shortened(board, own, steps, trips)
    reach, alone = access(board, own), monopoly(board, own)
    return Holding(
        railroads=tuple(sorted(own)),
        price=sum(price[r] for r in own),
        access=_percent(float(reach)),
        access_exact=fraction_text(reach),
        monopoly=_percent(float(alone)),
        monopoly_exact=fraction_text(alone),
        foreign_travel=_percent(float((trips * foreign).sum() / max((trips * steps).sum(), 1e-12))),
        foreign_trips=_percent(float(trips[foreign > 0].sum())),
        used_trips=_percent(float(trips[used].sum())),
        average_haul=round(float((trips * haul).sum() / trips[used].sum()), 3) if used.any() else 0.0,
        fees=tuple(_engine_fees(board, own, engine, trips, (rows, index)) for engine in ENGINES),
        shortens=shortened[:MOST_PAIRS],
        shortened_pairs=len(shortened),
    )


def _trips(board: Board) -> NDArray[np.float64]:
    chances = city_chances(board)
    odds = np.array([float(chances[city.id]) for city in board.cities])
    trips = np.outer(odds, odds)
    np.fill_diagonal(trips, 0.0)
    if not trips.sum():
        raise MapkitError(f"the charts of {board.title} give no trips; see mapkit check {board.id}")
    out: NDArray[np.float64] = trips / trips.sum()
    return out


_At = tuple[NDArray[np.int64], dict[str, int]]
"""Rows of the cities' mileposts, and the row of each milepost."""


def _engine_fees(board: Board, own: frozenset[str], engine: str, trips: NDArray[np.float64], at: _At) -> EngineFees:
    mean = sum(made * chance for made, chance in turn_spread(board, engine).items())
    fees = board.rules.fees
    before, ridden = _least_fees(board, own, fees.opponent, mean, at)
    after, _ = _least_fees(board, own, fees.opponent_after_sell_out, mean, at)
    return EngineFees(
        engine=engine,
        mean_turn=round(mean, 4),
        mileposts=round(float((trips * ridden).sum()), 4),
        fees=round(float((trips * before).sum()), 2),
        fees_after_sell_out=round(float((trips * after).sum()), 2),
    )


def _least_fees(
    board: Board, own: frozenset[str], fee: int, mean: float, at: _At
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return what a rider pays the owner, and how many of the owner's mileposts he rides, on routes of least fees.

    A run of m mileposts on lines of one fee is ridden in 1 + (m - 1) / mean turns on average, as a turn ends between
    two mileposts with chance 1 / mean. So entering costs the fee, and going on costs its part. Each milepost is three
    nodes: come by a line of others, by one of the owner's, or there at the start.
    """
    rows, index = at
    n = len(index)
    least: dict[tuple[int, int], float] = {}
    for segment in board.segments:
        mine = segment.railroad in own
        of_turn = fee if mine else board.rules.fees.bank
        layer = n if mine else 0
        for a, b in ((segment.a, segment.b), (segment.b, segment.a)):
            for came in (0, n, 2 * n):
                on = came == layer
                key = (index[a] + came, index[b] + layer)
                cost = (of_turn / mean if on else float(of_turn)) + _SLIGHT * (1 + mine)
                least[key] = min(least.get(key, np.inf), cost)
    ends = np.array(sorted(least), dtype=np.int64)
    values = np.array([least[key] for key in sorted(least)])
    costs = least_ways(ends, values, 3 * n, rows + 2 * n, back=False)
    before = nodes_before(ends, values, costs, back=False)
    paid, ridden = np.zeros((len(rows), len(rows))), np.zeros((len(rows), len(rows)))
    for i in range(len(rows)):
        for j in range(len(rows)):
            if rows[i] == rows[j]:
                continue
            node = int(rows[j]) + (n if costs[i, rows[j] + n] < costs[i, rows[j]] else 0)
            while node < 2 * n:
                came = int(before[i, node])
                if n <= node:
                    ridden[i, j] += 1
                    paid[i, j] += fee / mean if n <= came < 2 * n else fee
                node = came
    return paid, ridden


def _shortened(
    board: Board,
    own: frozenset[str],
    steps: NDArray[np.float64],
    trips: NDArray[np.float64],
) -> tuple[ShortenedPair, ...]:
    rest = board.model_copy(update={"segments": tuple(s for s in board.segments if s.railroad not in own)})
    without = (
        np.rint(rail_miles(rest, [city.milepost for city in board.cities], cost=lambda *_: 1.0))
        if rest.segments
        else np.where(steps > 0, np.inf, 0.0)
    )
    out: list[tuple[float, ShortenedPair]] = []
    for i, a in enumerate(board.cities):
        for j in range(i + 1, len(board.cities)):
            if without[i, j] > steps[i, j]:
                joined = bool(np.isfinite(without[i, j]))
                chance = float(trips[i, j] + trips[j, i])
                lost = (without[i, j] - steps[i, j]) if joined else np.inf
                pair = ShortenedPair(
                    a=a.id,
                    b=board.cities[j].id,
                    mileposts=int(steps[i, j]),
                    without=int(without[i, j]) if joined else None,
                    chance=_percent(chance),
                )
                out.append((-chance * lost if chance else 0.0, pair))
    out.sort(key=lambda item: (item[0], -item[1].chance, item[1].a, item[1].b))
    return tuple(pair for _, pair in out)


def _percent(share: float) -> float:
    return round(share * 100, 4)
