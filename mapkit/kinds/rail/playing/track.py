"""A board as arrays: places, segments, cities and railroads are numbered in the order of the board's lists."""

from collections.abc import Iterable, Mapping
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mapkit.kinds.rail.model.board import REGIONS, SUMS, Board, DestinationChart
from mapkit.kinds.rail.network.chances import city_chances
from mapkit.kinds.rail.network.played_on import refuse_unplayable
from mapkit.kinds.rail.network.service import mileposts_by_railroad
from mapkit.playing.compiling import packing

Ints = NDArray[np.int64]
Flags = NDArray[np.uint8]
Floats = NDArray[np.float64]

FAR = 1 << 30
"""Steps to where no track leads."""


class TrackArrays(NamedTuple):
    """What a match reads of a board. M mileposts, S segments, R railroads, C cities, G regions."""

    leads: Ints
    """M + 1: the arms of milepost m are `leads[m]` to `leads[m + 1]` - 1."""
    arm_to: Ints
    """Each arm: the milepost at its far end."""
    arm_by: Ints
    """Each arm: its segment."""
    railroad: Ints
    """S: the railroad of a segment."""
    piece_of: Ints
    """S + 1: the pieces of segment s are `pieces[piece_of[s]]` to `pieces[piece_of[s + 1] - 1]` (RB-M07)."""
    pieces: Ints
    shares: Flags
    """S: whether a piece of the segment is in another one too."""
    piece_count: int
    serves: Flags
    """R x M: whether a railroad touches a milepost."""
    price: Ints
    """R: list price, currency units (RB-C12)."""
    public: Flags
    """R: never for sale (RB-C11)."""
    city_place: Ints
    """C: the milepost of a city; twins have one (RB-C06)."""
    city_region: Ints
    """C."""
    payoff: Ints
    """C x C: what a trip pays, currency units (RB-C13)."""
    region_cell: Ints
    """2 x 11: the region chart, odd and even by 2 to 12 (RB-C14)."""
    city_cell: Ints
    """G x 2 x 11: the city charts."""
    steps: Ints
    """C x M: the fewest mileposts to a city."""
    chance: Floats
    """C: how often a city is rolled, of 1 (RB-D03)."""
    served: Flags
    """R x C: whether a railroad serves a city."""
    touches: Flags
    """R x R: whether two railroads share a milepost."""
    traffic: Floats
    """R: the percentage of trips whose shortest way, the first by the numbers of arms, leads over a railroad."""
    centre: Floats
    """C: the mean steps from all cities, by their chances."""
    mean_steps: float
    """From a city to the next destination, as often as they are rolled."""
    mean_payoff: float
    """Of such a trip, currency units."""


pack_track = packing(TrackArrays)


def track_of(board: Board) -> TrackArrays:
    """Return a board as arrays.

    Raises:
        BoardError: A match cannot be played on it: empty cells, missing payoffs, cities off the track; all are named.
    """
    refuse_unplayable(board)
    places = _numbers(m.id for m in board.mileposts)
    railroads = _numbers(r.id for r in board.railroads)
    cities = _numbers(c.id for c in board.cities)
    regions = _numbers(r.id for r in board.regions)
    pieces = _numbers(p.id for p in board.pieces)
    leads, arm_to, arm_by = _arms(board, places)
    touched = mileposts_by_railroad(board)
    serves = np.zeros((len(railroads), len(places)), np.uint8)
    for railroad, row in railroads.items():
        serves[row, [places[m] for m in sorted(touched[railroad])]] = 1
    city_place = _ints(places[c.milepost] for c in board.cities)
    used = [[pieces[p] for p in s.pieces] for s in board.segments]
    times = np.bincount(list(chain.from_iterable(used)), minlength=len(pieces))
    by_city = city_chances(board)
    chance = np.array([float(by_city[c.id]) for c in board.cities])
    steps = np.stack([_steps(int(place), leads, arm_to) for place in city_place])
    owned = _ints(railroads[s.railroad] for s in board.segments)
    payoff = _payoffs(board, cities)
    trips = np.outer(chance, chance) * (city_place[:, None] != city_place)
    return TrackArrays(
        leads=leads,
        arm_to=arm_to,
        arm_by=arm_by,
        railroad=owned,
        piece_of=_ints(np.cumsum([0, *map(len, used)])),
        pieces=_ints(chain.from_iterable(used)),
        shares=np.array([any(times[p] > 1 for p in own) for own in used], np.uint8),
        piece_count=len(pieces),
        serves=serves,
        price=_ints(r.price for r in board.railroads),
        public=np.array([r.public for r in board.railroads], np.uint8),
        city_place=city_place,
        city_region=_ints(regions[c.region] for c in board.cities),
        payoff=payoff,
        region_cell=_cells(board.destinations[REGIONS], regions),
        city_cell=np.stack([_cells(board.destinations[r.id], cities) for r in board.regions]),
        steps=steps,
        chance=chance,
        served=serves[:, city_place],
        touches=(serves.astype(np.int64) @ serves.T.astype(np.int64) > 0).astype(np.uint8),
        traffic=_traffic(city_place, chance, steps, leads, arm_to, owned[arm_by], len(railroads)),
        centre=chance @ steps[:, city_place],
        mean_steps=float((trips * steps[:, city_place]).sum() / max(trips.sum(), 1e-9)),
        mean_payoff=float((trips * payoff).sum() / max(trips.sum(), 1e-9)),
    )


def _numbers(ids: Iterable[str]) -> dict[str, int]:
    return {ident: number for number, ident in enumerate(ids)}


def _ints(values: Iterable[int]) -> Ints:
    return np.array(list(values), np.int64)


def _arms(board: Board, places: Mapping[str, int]) -> tuple[Ints, Ints, Ints]:
    """Return where the arms of each milepost begin, where each leads, and by which segment."""
    ends = [(places[s.a], places[s.b], n) for n, s in enumerate(board.segments)]
    arms = sorted({(a, b, n) for a, b, n in ends} | {(b, a, n) for a, b, n in ends})
    counts = np.bincount([a for a, _, _ in arms], minlength=len(places))
    return _ints(np.cumsum([0, *counts])), _ints(b for _, b, _ in arms), _ints(n for _, _, n in arms)


def _steps(start: int, leads: Ints, arm_to: Ints) -> Ints:
    """Return the fewest steps from a milepost to every other."""
    steps = np.full(len(leads) - 1, FAR, np.int64)
    steps[start], now, front = 0, 0, [start]
    while front:
        now += 1
        reached = {int(b) for a in front for b in arm_to[leads[a] : leads[a + 1]] if steps[b] == FAR}
        front = sorted(reached)
        steps[front] = now
    return steps


def _traffic(
    city_place: Ints, chance: Floats, steps: Ints, leads: Ints, arm_to: Ints, arm_railroad: Ints, railroads: int
) -> Floats:
    """Return the percentage of trips that lead over each railroad, all taking the first of the shortest ways."""
    out = np.zeros(railroads)
    for goal, left in enumerate(steps):
        for start, place in enumerate(city_place):
            used, at = set(), int(place)
            while left[at] > 0:
                arms = range(leads[at], leads[at + 1])
                arm = next(arm for arm in arms if left[arm_to[arm]] == left[at] - 1)
                used.add(int(arm_railroad[arm]))
                at = int(arm_to[arm])
            for railroad in used:
                out[railroad] += 100 * chance[goal] * chance[start]
    return out


def _cells(chart: DestinationChart, numbers: Mapping[str, int]) -> Ints:
    return np.array([[numbers[str(column[s])] for s in SUMS] for column in (chart.odd, chart.even)], np.int64)


def _payoffs(board: Board, cities: Mapping[str, int]) -> Ints:
    row = {city: k for k, city in enumerate(board.payoffs.cities)}
    order = [row[city] for city in cities]
    thousands = np.array(board.payoffs.thousands, np.float64)[np.ix_(order, order)]
    return np.rint(thousands * board.units.payoff).astype(np.int64)
