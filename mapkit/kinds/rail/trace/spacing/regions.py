"""Which region of the destination chart a place on a line belongs to: that of the nearest city."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mapkit.core.neighbours import find_nearest
from mapkit.kinds.rail.trace.naming import in_space

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_HALVINGS = 24  # of at most a mile: far below a millimetre


@dataclass(frozen=True, eq=False)
class Samples:
    """Places along lines, in order, each line with its first and last point.

    Attributes:
        line: The number of the line that each belongs to, shape (n,).
        along: Miles from its start, shape (n,).
        xyz: Metres from the centre of the earth, shape (n, 3).
    """

    line: Ints
    along: Floats
    xyz: Floats


@dataclass(frozen=True)
class Span:
    """A part of a line in one region, from `start` miles along it to the next span."""

    start: float
    region: str


class Regions:
    """Regions by their cities (RB-C07).

    Args:
        cities: Region, longitude and latitude of each city; their order does not matter.
    """

    def __init__(self, cities: Iterable[tuple[str, float, float]]) -> None:
        rows = sorted(set(cities))
        self._names = [region for region, _, _ in rows]
        self._number = np.array([sorted(set(self._names)).index(name) for name in self._names], dtype=np.int64)
        self._cities = in_space(np.array([row[1] for row in rows]), np.array([row[2] for row in rows]))

    def _city(self, xyz: Floats) -> Ints:
        return find_nearest(xyz, self._cities)[0]

    def spans(self, samples: Samples, lines: int) -> list[tuple[Span, ...]]:
        """Return the regions that each of `lines` lines passes, from its start.

        A region between two samples of one line that both lie in another one is not seen.
        """
        city = self._city(samples.xyz)
        region = self._number[city]
        at = np.flatnonzero((samples.line[1:] == samples.line[:-1]) & (region[1:] != region[:-1]))
        low, high = np.zeros(len(at)), np.ones(len(at))
        start, way = samples.xyz[at], samples.xyz[at + 1] - samples.xyz[at]
        for _ in range(_HALVINGS if len(at) else 0):
            middle = (low + high) / 2
            before = self._number[self._city(start + middle[:, None] * way)] == region[at]
            low, high = np.where(before, middle, low), np.where(before, high, middle)
        border = samples.along[at] + high * (samples.along[at + 1] - samples.along[at])
        out: list[list[Span]] = [[] for _ in range(lines)]
        first = np.flatnonzero(np.diff(samples.line, prepend=-1))
        for number in first.tolist():
            out[int(samples.line[number])].append(Span(0.0, self._names[int(city[number])]))
        for number, miles in zip(at.tolist(), border.tolist(), strict=True):
            out[int(samples.line[number])].append(Span(round(miles, 6), self._names[int(city[number + 1])]))
        return [tuple(spans) for spans in out]


def no_regions(lines: int) -> Sequence[tuple[Span, ...]]:
    """Return spans for lines on a board whose rule knows no regions."""
    return [(Span(0.0, ""),)] * lines
