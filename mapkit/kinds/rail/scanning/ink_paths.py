"""Ways along one ink between symbols, by Dijkstra's search from all symbols at once.

Multi-source Dijkstra over the pixels near the ink, on a picture of half the size. Every symbol spreads along the ink,
and where two meet, a way joins them. A step on ink costs its length; a step over a gap costs more, but less where
another ink or a name hides the line. A way that passes a symbol cannot win, because that symbol spreads there first, so
any two symbols that meet are neighbours.
"""

import heapq
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mapkit.core.arrays import Floats, Ints
from mapkit.kinds.rail.scanning.arrays import Bools, Floats32, Ints32, dilate_mask
from mapkit.playing.compiling import AVAILABLE, compiler

_, _called = compiler(Path(__file__).parent)

_DIAGONAL: Final = math.sqrt(2)
_NEIGHBOUR_STEPS: Final = (
    (0, 1, 1.0),
    (1, 0, 1.0),
    (1, 1, _DIAGONAL),
    (1, -1, _DIAGONAL),
    (0, -1, 1.0),
    (-1, 0, 1.0),
    (-1, -1, _DIAGONAL),
    (-1, 1, _DIAGONAL),
)
_HALF_OF_STEPS: Final = 4
_SURE_INK: Final = 0.15
_GAP_COST: Final = 7.0
_COVERED_COST: Final = 3.0
_FULL_DENSITY_FACTOR: Final = 1.6
"""Factor on the density, since even the middle of a thin line is not fully inked."""
_SAME_MEETING_PIXELS: Final = 6


@dataclass(frozen=True)
class InkWay:
    """Way between two symbols, by their numbers: its pixels in the picture of half the size, rows and columns."""

    a: int
    b: int
    rows: Ints32
    columns: Ints32


def find_ways_along(ink: Floats32, covered: Bools, symbol: Ints32, served: Bools, reach: int) -> list[InkWay]:
    """Return the ways along an ink between neighbouring symbols that it touches.

    Args:
        ink: How dense the ink is, 0 to 1.
        covered: Where something else lies that may hide it.
        symbol: The number of the symbol at each pixel, -1 where there is none.
        served: By number, whether the ink touches a symbol; others are in the way.
        reach: How far from the ink and its symbols a way may go; it crosses gaps of twice that.
    """
    inside = symbol >= 0
    is_served_symbol = inside & served[np.maximum(symbol, 0)]
    is_passable = (dilate_mask((ink > _SURE_INK) | is_served_symbol, reach) & ~inside) | is_served_symbol
    width = ink.shape[1]
    passable_pixels = np.flatnonzero(is_passable)
    if not len(passable_pixels):
        return []
    full_share = np.minimum(ink.ravel()[passable_pixels] * _FULL_DENSITY_FACTOR, 1)
    pixel_costs = (1 + (1 - full_share) * np.where(covered.ravel()[passable_pixels], _COVERED_COST, _GAP_COST)).astype(
        np.float64
    )
    pixel_numbers = np.full(is_passable.size + 1, -1, np.int32)
    pixel_numbers[passable_pixels] = np.arange(len(passable_pixels))
    full_height, full_width = ink.shape
    row, column = passable_pixels // full_width, passable_pixels % full_width
    neighbour_numbers: list[Ints32] = []
    for dy, dx, _ in _NEIGHBOUR_STEPS:
        in_picture = (row + dy >= 0) & (row + dy < full_height) & (column + dx >= 0) & (column + dx < full_width)
        neighbour_numbers.append(
            pixel_numbers[np.where(in_picture, passable_pixels + dy * full_width + dx, full_height * full_width)]
        )
    seed_symbols = np.where(is_served_symbol.ravel()[passable_pixels], symbol.ravel()[passable_pixels], -1)
    search_result = _search_from_symbols(seed_symbols.astype(np.int32), pixel_costs, neighbour_numbers)
    found_ways: list[InkWay] = []
    for a, b, start, end in _find_meetings(
        search_result, pixel_costs, neighbour_numbers, passable_pixels // width, passable_pixels % width
    ):
        way_pixels = passable_pixels[[*reversed(search_result.trail(start)), *search_result.trail(end)]]
        found_ways.append(InkWay(a, b, (way_pixels // width).astype(np.int32), (way_pixels % width).astype(np.int32)))
    return found_ways


@dataclass(frozen=True)
class _SearchResult:
    """Owner of each pixel, its distance from the owner's symbol, and its predecessor."""

    owner: list[int]
    far: list[float]
    before: list[int]

    def trail(self, start: int) -> list[int]:
        """Return the pixels from one to its symbol."""
        trail_pixels = [start]
        while self.before[trail_pixels[-1]] >= 0:
            trail_pixels.append(self.before[trail_pixels[-1]])
        return trail_pixels


def _search_from_symbols(seeds: Ints32, cost: Floats, next_to: Sequence[Ints32]) -> _SearchResult:
    owner, far = seeds.copy(), np.where(seeds >= 0, 0.0, np.inf)
    before, done = np.full(len(seeds), -1, np.int32), np.zeros(len(seeds), np.uint8)
    neighbour_array = np.stack(next_to).astype(np.int64)
    half_lengths = np.array([length / 2 for _, _, length in _NEIGHBOUR_STEPS])
    if AVAILABLE:
        _settle_pixels(owner, far, before, done, cost, neighbour_array, half_lengths)
        return _SearchResult(owner.tolist(), far.tolist(), before.tolist())
    plain_lists = owner.tolist(), far.tolist(), before.tolist()  # Python counts faster in lists
    plain_settle: Any = _settle_pixels
    plain_settle(*plain_lists, bytearray(len(seeds)), cost.tolist(), neighbour_array.tolist(), half_lengths.tolist())
    return _SearchResult(*plain_lists)


@_called
def _settle_pixels(
    owner: Ints32, far: Floats, last: Ints32, done: NDArray[np.uint8], cost: Floats, near: Ints, lengths: Floats
) -> None:
    """Settle pixels in order of distance (Dijkstra): owner, distance and predecessor of each."""
    pixel_heap = [(0.0, i) for i in range(len(owner)) if owner[i] >= 0]
    while pixel_heap:
        distance_so_far, i = heapq.heappop(pixel_heap)
        if done[i]:
            continue
        done[i] = 1
        own_cost = cost[i]
        for step in range(len(lengths)):
            j = near[step][i]
            if j >= 0 and not done[j]:
                total_cost = distance_so_far + lengths[step] * (own_cost + cost[j])
                if total_cost < far[j]:
                    far[j], owner[j], last[j] = total_cost, owner[i], i
                    heapq.heappush(pixel_heap, (total_cost, j))


def _find_meetings(
    spread: _SearchResult, cost: np.ndarray, next_to: Sequence[Ints32], rows: np.ndarray, columns: np.ndarray
) -> Iterator[tuple[int, int, int, int]]:
    """Yield the two symbols of each meeting place, and the pixels there on the cheapest way."""
    owner, far = np.array(spread.owner), np.array(spread.far)
    meetings: dict[tuple[int, int], list[tuple[float, int, int]]] = {}
    for near, (_, _, length) in zip(next_to[:_HALF_OF_STEPS], _NEIGHBOUR_STEPS[:_HALF_OF_STEPS], strict=True):
        pixel_a = np.flatnonzero((near >= 0) & (owner >= 0))
        pixel_b = near[pixel_a]
        is_meeting = (owner[pixel_b] >= 0) & (owner[pixel_b] != owner[pixel_a])
        pixel_a, pixel_b = pixel_a[is_meeting], pixel_b[is_meeting]
        total_costs = far[pixel_a] + far[pixel_b] + length / 2 * (cost[pixel_a] + cost[pixel_b])
        for total, i, j in zip(total_costs.tolist(), pixel_a.tolist(), pixel_b.tolist(), strict=True):
            a, b = spread.owner[i], spread.owner[j]
            meetings.setdefault((min(a, b), max(a, b)), []).append((total, i, j) if a < b else (total, j, i))
    for (a, b), ranked_pairs in sorted(meetings.items()):
        meeting_places: list[list[tuple[int, int]]] = []
        for _, i, j in sorted(ranked_pairs):
            y, x = int(rows[i]), int(columns[i])
            known_place = next(
                (p for p in meeting_places if any(max(abs(y - v), abs(x - u)) <= _SAME_MEETING_PIXELS for v, u in p)),
                None,
            )
            if known_place is not None:
                known_place.append((y, x))
                continue
            meeting_places.append([(y, x)])
            yield a, b, i, j
