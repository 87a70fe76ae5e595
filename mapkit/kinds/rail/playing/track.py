"""Board as arrays: places, segments, cities and railroads are numbered in the order of the board's lists."""

from collections.abc import Iterable, Mapping
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mapkit.core.arrays import Floats, Ints
from mapkit.kinds.rail.model.board import REGIONS, SUMS, Board, DestinationChart
from mapkit.kinds.rail.network.destination_chances import calculate_city_chances
from mapkit.kinds.rail.network.playability import check_playable
from mapkit.kinds.rail.network.service import mileposts_by_railroad
from mapkit.playing.compiling import packing

Flags = NDArray[np.uint8]

FAR = 1 << 30
"""Steps to a milepost without a way."""


class TrackArrays(NamedTuple):
    """Board data that a match reads. M mileposts, S segments, R railroads, C cities, G regions."""

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
    """C x C: payoff of a trip, currency units (RB-C13)."""
    region_cell: Ints
    """2 x 11: the region chart, odd and even by 2 to 12 (RB-C14)."""
    city_cell: Ints
    """G x 2 x 11: the city charts."""
    steps: Ints
    """C x M: the fewest mileposts to a city."""
    chance: Floats
    """C: probability of a city as destination (RB-D03)."""
    served: Flags
    """R x C: whether a railroad serves a city."""
    touches: Flags
    """R x R: whether two railroads share a milepost."""
    traffic: Floats
    """R: percentage of trips over a railroad, if all take the shortest way (the first by the numbers of arms)."""
    centre: Floats
    """C: the mean steps from all cities, by their chances."""
    mean_steps: float
    """From a city to the next destination, as often as they are rolled."""
    mean_payoff: float
    """Of such a trip, currency units."""


pack_track = packing(TrackArrays)


def make_track_arrays(board: Board) -> TrackArrays:
    """Convert a board to arrays.

    Raises:
        BoardError: A match cannot be played on it: empty cells, missing payoffs, cities off the track; all are named.
    """
    check_playable(board)
    place_numbers = _number_ids(m.id for m in board.mileposts)
    railroad_index = _number_ids(r.id for r in board.railroads)
    city_numbers = _number_ids(c.id for c in board.cities)
    region_numbers = _number_ids(r.id for r in board.regions)
    piece_numbers = _number_ids(p.id for p in board.pieces)
    leads, arm_to, arm_by = _list_arms(board, place_numbers)
    touched_mileposts = mileposts_by_railroad(board)
    serves = np.zeros((len(railroad_index), len(place_numbers)), np.uint8)
    for railroad, row in railroad_index.items():
        serves[row, [place_numbers[m] for m in sorted(touched_mileposts[railroad])]] = 1
    city_place = _make_ints(place_numbers[c.milepost] for c in board.cities)
    piece_lists = [[piece_numbers[p] for p in s.pieces] for s in board.segments]
    use_counts = np.bincount(list(chain.from_iterable(piece_lists)), minlength=len(piece_numbers))
    chance_by_city = calculate_city_chances(board)
    chance = np.array([float(chance_by_city[c.id]) for c in board.cities])
    steps = np.stack([_count_steps(int(place), leads, arm_to) for place in city_place])
    railroad_of = _make_ints(railroad_index[s.railroad] for s in board.segments)
    row_of_city = {city: k for k, city in enumerate(board.payoffs.cities)}
    chart_rows = [row_of_city[city] for city in city_numbers]
    thousands = np.array(board.payoffs.thousands, np.float64)[np.ix_(chart_rows, chart_rows)]
    payoff = np.rint(thousands * board.units.payoff).astype(np.int64)
    trip_chances = np.outer(chance, chance) * (city_place[:, None] != city_place)
    return TrackArrays(
        leads=leads,
        arm_to=arm_to,
        arm_by=arm_by,
        railroad=railroad_of,
        piece_of=_make_ints(np.cumsum([0, *map(len, piece_lists)])),
        pieces=_make_ints(chain.from_iterable(piece_lists)),
        shares=np.array([any(use_counts[p] > 1 for p in segment_pieces) for segment_pieces in piece_lists], np.uint8),
        piece_count=len(piece_numbers),
        serves=serves,
        price=_make_ints(r.price for r in board.railroads),
        public=np.array([r.public for r in board.railroads], np.uint8),
        city_place=city_place,
        city_region=_make_ints(region_numbers[c.region] for c in board.cities),
        payoff=payoff,
        region_cell=_chart_numbers(board.destinations[REGIONS], region_numbers),
        city_cell=np.stack([_chart_numbers(board.destinations[r.id], city_numbers) for r in board.regions]),
        steps=steps,
        chance=chance,
        served=serves[:, city_place],
        touches=(serves.astype(np.int64) @ serves.T.astype(np.int64) > 0).astype(np.uint8),
        traffic=_compute_traffic(city_place, chance, steps, leads, arm_to, railroad_of[arm_by], len(railroad_index)),
        centre=chance @ steps[:, city_place],
        mean_steps=float((trip_chances * steps[:, city_place]).sum() / max(trip_chances.sum(), 1e-9)),
        mean_payoff=float((trip_chances * payoff).sum() / max(trip_chances.sum(), 1e-9)),
    )


def _number_ids(ids: Iterable[str]) -> dict[str, int]:
    return {ident: number for number, ident in enumerate(ids)}


def _make_ints(values: Iterable[int]) -> Ints:
    return np.array(list(values), np.int64)


def _list_arms(board: Board, places: Mapping[str, int]) -> tuple[Ints, Ints, Ints]:
    """Return the first arm of each milepost, and for each arm its far milepost and its segment."""
    segment_ends = [(places[s.a], places[s.b], n) for n, s in enumerate(board.segments)]
    sorted_arms = sorted({(a, b, n) for a, b, n in segment_ends} | {(b, a, n) for a, b, n in segment_ends})
    arm_counts = np.bincount([a for a, _, _ in sorted_arms], minlength=len(places))
    return (
        _make_ints(np.cumsum([0, *arm_counts])),
        _make_ints(b for _, b, _ in sorted_arms),
        _make_ints(n for _, _, n in sorted_arms),
    )


def _count_steps(start: int, leads: Ints, arm_to: Ints) -> Ints:
    """Return the fewest steps from a milepost to every other, by breadth-first search."""
    steps = np.full(len(leads) - 1, FAR, np.int64)
    steps[start], step_number, frontier = 0, 0, [start]
    while frontier:
        step_number += 1
        new_places = {int(b) for a in frontier for b in arm_to[leads[a] : leads[a + 1]] if steps[b] == FAR}
        frontier = sorted(new_places)
        steps[frontier] = step_number
    return steps


def _compute_traffic(
    city_place: Ints, chance: Floats, steps: Ints, leads: Ints, arm_to: Ints, arm_railroad: Ints, railroads: int
) -> Floats:
    """Return the percentage of trips over each railroad, if all take the first of the shortest ways."""
    traffic_percent = np.zeros(railroads)
    for goal, steps_left in enumerate(steps):
        for start, place in enumerate(city_place):
            used_railroads, current_place = set(), int(place)
            while steps_left[current_place] > 0:
                arms = range(leads[current_place], leads[current_place + 1])
                next_arm = next(arm for arm in arms if steps_left[arm_to[arm]] == steps_left[current_place] - 1)
                used_railroads.add(int(arm_railroad[next_arm]))
                current_place = int(arm_to[next_arm])
            for railroad in used_railroads:
                traffic_percent[railroad] += 100 * chance[goal] * chance[start]
    return traffic_percent


def _chart_numbers(chart: DestinationChart, numbers: Mapping[str, int]) -> Ints:
    return np.array([[numbers[str(column[s])] for s in SUMS] for column in (chart.odd, chart.even)], np.int64)
