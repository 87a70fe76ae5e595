"""Ways along one ink between symbols, by Dijkstra's search from all symbols at once.

Multi-source Dijkstra over the pixels near the ink, on a picture of half the size. Every symbol spreads along the ink,
and where two meet, a way joins them. A step on ink costs its length; a step over a gap costs more, but less where
another ink or a name hides the line. A way that passes a symbol cannot win, because that symbol spreads there first, so
any two symbols that meet are neighbours.
"""

import heapq
import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

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
_MEETING_CELL: Final = _SAME_MEETING_PIXELS + 1


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
    full_share = np.minimum(ink * _FULL_DENSITY_FACTOR, 1)
    costs = 1 + (1 - full_share) * np.where(covered, _COVERED_COST, _GAP_COST)
    search = _search_from_symbols(
        np.where(is_served_symbol, symbol, -1).astype(np.int32), costs.astype(np.float64), is_passable
    )
    found_ways: list[InkWay] = []
    for a, b, start, end in _find_meetings(search):
        rows, columns = search.locate([*reversed(search.trail(start)), *search.trail(end)])
        found_ways.append(InkWay(a, b, rows.astype(np.int32), columns.astype(np.int32)))
    return found_ways


@dataclass(frozen=True)
class _SearchResult:
    """Owner of each pixel, its distance from the owner's symbol, its predecessor, and the cost of a step there.

    The arrays are flat; the picture in them has a margin of one pixel above, below and on the right.
    """

    owner: Ints32
    far: Floats
    before: Ints32
    cost: Floats
    width: int

    def trail(self, start: int) -> list[int]:
        """Return the pixels from one to its symbol."""
        trail_pixels = [start]
        while (pixel := int(self.before[trail_pixels[-1]])) >= 0:
            trail_pixels.append(pixel)
        return trail_pixels

    def locate(self, pixels: Sequence[int] | Ints) -> tuple[Ints, Ints]:
        """Return the rows and columns of pixels."""
        rows, columns = np.divmod(np.asarray(pixels), self.width)
        return rows - 1, columns


def _search_from_symbols(seeds: Ints32, cost: Floats, is_passable: Bools) -> _SearchResult:
    margin = ((1, 1), (0, 1))
    owner = np.pad(seeds, margin, constant_values=-1)
    width = owner.shape[1]
    owner = owner.ravel()
    far, before = np.where(owner >= 0, 0.0, np.inf), np.full(owner.size, -1, np.int32)
    done = np.pad(~is_passable, margin, constant_values=True).ravel()
    padded_cost = np.pad(cost, margin).ravel()
    steps = np.array([dy * width + dx for dy, dx, _ in _NEIGHBOUR_STEPS])
    half_lengths = np.array([length / 2 for _, _, length in _NEIGHBOUR_STEPS])
    if AVAILABLE:
        _settle_pixels(owner, far, before, done, padded_cost, steps, half_lengths)
        return _SearchResult(owner, far, before, padded_cost, width)
    plain_lists = owner.tolist(), far.tolist(), before.tolist()  # Python counts faster in lists
    plain_settle: Any = _settle_pixels
    plain_settle(*plain_lists, bytearray(done), padded_cost.tolist(), steps.tolist(), half_lengths.tolist())
    owner, before = (np.array(plain_lists[number], np.int32) for number in (0, 2))
    return _SearchResult(owner, np.array(plain_lists[1]), before, padded_cost, width)


@_called
def _settle_pixels(
    owner: Ints32, far: Floats, last: Ints32, done: Bools, cost: Floats, steps: Ints, lengths: Floats
) -> None:
    """Settle pixels in order of distance (Dijkstra): owner, distance and predecessor of each."""
    pixel_heap = [(0.0, i) for i in range(len(owner)) if owner[i] >= 0]
    while pixel_heap:
        distance_so_far, i = heapq.heappop(pixel_heap)
        if done[i]:
            continue
        done[i] = 1
        own_cost = cost[i]
        for step in range(len(steps)):
            j = i + steps[step]
            if not done[j]:
                total_cost = distance_so_far + lengths[step] * (own_cost + cost[j])
                if total_cost < far[j]:
                    far[j], owner[j], last[j] = total_cost, owner[i], i
                    heapq.heappush(pixel_heap, (total_cost, j))


def _find_meetings(search: _SearchResult) -> Iterator[tuple[int, int, int, int]]:
    """Yield the two symbols of each meeting place, and the pixels there on the cheapest way."""
    owner, far, cost = search.owner, search.far, search.cost
    reached = np.flatnonzero(owner >= 0)
    meetings: dict[tuple[int, int], list[tuple[float, int, int]]] = {}
    for dy, dx, length in _NEIGHBOUR_STEPS[:_HALF_OF_STEPS]:
        pixel_b = reached + (dy * search.width + dx)
        is_meeting = (owner[pixel_b] >= 0) & (owner[pixel_b] != owner[reached])
        pixel_a, pixel_b = reached[is_meeting], pixel_b[is_meeting]
        total_costs = far[pixel_a] + far[pixel_b] + length / 2 * (cost[pixel_a] + cost[pixel_b])
        pairs = (total_costs, pixel_a, pixel_b, owner[pixel_a], owner[pixel_b])
        for total, i, j, a, b in zip(*(values.tolist() for values in pairs), strict=True):
            meetings.setdefault((min(a, b), max(a, b)), []).append((total, i, j) if a < b else (total, j, i))
    for (a, b), ranked_pairs in sorted(meetings.items()):
        known_cells: dict[tuple[int, int], list[tuple[int, int]]] = {}
        for _, i, j in sorted(ranked_pairs):
            y, x = divmod(i, search.width)
            is_known = _is_near_known(y, x, known_cells)
            known_cells.setdefault((y // _MEETING_CELL, x // _MEETING_CELL), []).append((y, x))
            if not is_known:
                yield a, b, i, j


def _is_near_known(y: int, x: int, cells: Mapping[tuple[int, int], Sequence[tuple[int, int]]]) -> bool:
    """Return whether a pixel is at the meeting place of another one; all in its own cell are."""
    row, column = y // _MEETING_CELL, x // _MEETING_CELL
    return (row, column) in cells or any(
        max(abs(y - v), abs(x - u)) <= _SAME_MEETING_PIXELS
        for cell in itertools.product((row - 1, row, row + 1), (column - 1, column, column + 1))
        for v, u in cells.get(cell, ())
    )
