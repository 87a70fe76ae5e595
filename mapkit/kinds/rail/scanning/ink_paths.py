"""Ways along one ink between symbols: every symbol spreads along the ink, and where two meet a way joins them.

This is Dijkstra's search from all symbols at once, over the pixels near the ink only, on a picture of half the size. A
step on ink costs its length; a step over a gap costs more, and less where another ink or a name lies on the line. A way
that passes a symbol cannot win, because that symbol spreads there first; so each two symbols that meet are neighbours.
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
from mapkit.kinds.rail.scanning.arrays import Bools, Floats32, Ints32, widened
from mapkit.playing.compiling import AVAILABLE, compiler

_, _called = compiler(Path(__file__).parent)

_SQRT2: Final = math.sqrt(2)
_STEPS: Final = (
    (0, 1, 1.0),
    (1, 0, 1.0),
    (1, 1, _SQRT2),
    (1, -1, _SQRT2),
    (0, -1, 1.0),
    (-1, 0, 1.0),
    (-1, -1, _SQRT2),
    (-1, 1, _SQRT2),
)
_AHEAD: Final = 4
_SURE_INK: Final = 0.15
_GAP: Final = 7.0
_COVERED: Final = 3.0
_FULL_AT: Final = 1.6
"""An ink this much denser than 1 would be whole: the middle of a thin line is never whole."""
_SAME_MEETING: Final = 6


@dataclass(frozen=True)
class Way:
    """A way between two symbols, by their numbers: its pixels in the picture of half the size, rows and columns."""

    a: int
    b: int
    rows: Ints32
    columns: Ints32


def ways_along(ink: Floats32, covered: Bools, symbol: Ints32, served: Bools, reach: int) -> list[Way]:
    """Return the ways along an ink between neighbouring symbols that it touches.

    Args:
        ink: How dense the ink is, 0 to 1.
        covered: Where something else lies that may hide it.
        symbol: The number of the symbol at each pixel, -1 where there is none.
        served: By number, whether the ink touches a symbol; others are in the way.
        reach: How far from the ink and its symbols a way may go; it crosses gaps of twice that.
    """
    inside = symbol >= 0
    own = inside & served[np.maximum(symbol, 0)]
    band = (widened((ink > _SURE_INK) | own, reach) & ~inside) | own
    width = ink.shape[1]
    spots = np.flatnonzero(band)
    if not len(spots):
        return []
    whole = np.minimum(ink.ravel()[spots] * _FULL_AT, 1)
    cost = (1 + (1 - whole) * np.where(covered.ravel()[spots], _COVERED, _GAP)).astype(np.float64)
    numbers = np.full(band.size + 1, -1, np.int32)
    numbers[spots] = np.arange(len(spots))
    next_to = _links(spots, numbers, ink.shape)
    seeds = np.where(own.ravel()[spots], symbol.ravel()[spots], -1)
    spread = _spread(seeds.astype(np.int32), cost, next_to)
    found: list[Way] = []
    for a, b, start, end in _meetings(spread, cost, next_to, spots // width, spots % width):
        trail = spots[[*reversed(spread.trail(start)), *spread.trail(end)]]
        found.append(Way(a, b, (trail // width).astype(np.int32), (trail % width).astype(np.int32)))
    return found


def _links(spots: np.ndarray, numbers: Ints32, shape: tuple[int, int]) -> list[Ints32]:
    """Return each pixel's neighbours in eight directions, -1 where there is none."""
    height, width = shape
    row, column = spots // width, spots % width
    out: list[Ints32] = []
    for dy, dx, _ in _STEPS:
        there = (row + dy >= 0) & (row + dy < height) & (column + dx >= 0) & (column + dx < width)
        out.append(numbers[np.where(there, spots + dy * width + dx, height * width)])
    return out


@dataclass(frozen=True)
class _Spread:
    """Whose each pixel is, how far from its symbol, and by which pixel it was reached."""

    owner: list[int]
    far: list[float]
    before: list[int]

    def trail(self, start: int) -> list[int]:
        """Return the pixels from one to its symbol."""
        out = [start]
        while self.before[out[-1]] >= 0:
            out.append(self.before[out[-1]])
        return out


def _spread(seeds: Ints32, cost: Floats, next_to: Sequence[Ints32]) -> _Spread:
    owner, far = seeds.copy(), np.where(seeds >= 0, 0.0, np.inf)
    before, done = np.full(len(seeds), -1, np.int32), np.zeros(len(seeds), np.uint8)
    near = np.stack(next_to).astype(np.int64)
    lengths = np.array([length / 2 for _, _, length in _STEPS])
    if AVAILABLE:
        _settle(owner, far, before, done, cost, near, lengths)
        return _Spread(owner.tolist(), far.tolist(), before.tolist())
    lists = owner.tolist(), far.tolist(), before.tolist()  # Python counts faster in lists
    plain: Any = _settle
    plain(*lists, bytearray(len(seeds)), cost.tolist(), near.tolist(), lengths.tolist())
    return _Spread(*lists)


@_called
def _settle(
    owner: Ints32, far: Floats, before: Ints32, done: NDArray[np.uint8], cost: Floats, near: Ints, lengths: Floats
) -> None:
    """Settle pixels from the nearest to the farthest: whose each is, how far, and by which pixel it was reached."""
    heap = [(0.0, i) for i in range(len(owner)) if owner[i] >= 0]
    while heap:
        so_far, i = heapq.heappop(heap)
        if done[i]:
            continue
        done[i] = 1
        here = cost[i]
        for step in range(len(lengths)):
            j = near[step][i]
            if j >= 0 and not done[j]:
                total = so_far + lengths[step] * (here + cost[j])
                if total < far[j]:
                    far[j], owner[j], before[j] = total, owner[i], i
                    heapq.heappush(heap, (total, j))


def _meetings(
    spread: _Spread, cost: np.ndarray, next_to: Sequence[Ints32], rows: np.ndarray, columns: np.ndarray
) -> Iterator[tuple[int, int, int, int]]:
    """Yield the two symbols of each place where two meet, and the pixels there that give the cheapest way."""
    owner, far = np.array(spread.owner), np.array(spread.far)
    meetings: dict[tuple[int, int], list[tuple[float, int, int]]] = {}
    for near, (_, _, length) in zip(next_to[:_AHEAD], _STEPS[:_AHEAD], strict=True):
        one = np.flatnonzero((near >= 0) & (owner >= 0))
        other = near[one]
        apart = (owner[other] >= 0) & (owner[other] != owner[one])
        one, other = one[apart], other[apart]
        totals = far[one] + far[other] + length / 2 * (cost[one] + cost[other])
        for total, i, j in zip(totals.tolist(), one.tolist(), other.tolist(), strict=True):
            a, b = spread.owner[i], spread.owner[j]
            meetings.setdefault((min(a, b), max(a, b)), []).append((total, i, j) if a < b else (total, j, i))
    for (a, b), found in sorted(meetings.items()):
        places: list[list[tuple[int, int]]] = []
        for _, i, j in sorted(found):
            y, x = int(rows[i]), int(columns[i])
            known = next((p for p in places if any(max(abs(y - v), abs(x - u)) <= _SAME_MEETING for v, u in p)), None)
            if known is not None:
                known.append((y, x))
                continue
            places.append([(y, x)])
            yield a, b, i, j
