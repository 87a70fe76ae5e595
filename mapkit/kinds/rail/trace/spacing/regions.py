"""Regions of the destination chart along lines: a place belongs to the region of the nearest city."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mapkit.core.neighbours import find_nearest
from mapkit.kinds.rail.trace.naming import to_geocentric

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_BISECTION_STEPS = 24  # of at most a mile: far below a millimetre


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
    """Part of a line in one region, from `start` miles along it to the next span."""

    start: float
    region: str


class NearestRegions:
    """Regions by their cities (RB-C07).

    Args:
        cities: Region, longitude and latitude of each city; their order does not matter.
    """

    def __init__(self, cities: Iterable[tuple[str, float, float]]) -> None:
        city_rows = sorted(set(cities))
        self._names = [region for region, _, _ in city_rows]
        self._number = np.array([sorted(set(self._names)).index(name) for name in self._names], dtype=np.int64)
        self._cities = to_geocentric(np.array([row[1] for row in city_rows]), np.array([row[2] for row in city_rows]))

    def _nearest_city(self, xyz: Floats) -> Ints:
        return find_nearest(xyz, self._cities)[0]

    def spans(self, samples: Samples, lines: int) -> list[tuple[Span, ...]]:
        """Return the regions that each of `lines` lines passes, from its start.

        A region between two samples of one line that both lie in another one is not seen.
        """
        nearest_city = self._nearest_city(samples.xyz)
        region_index = self._number[nearest_city]
        borders = np.flatnonzero((samples.line[1:] == samples.line[:-1]) & (region_index[1:] != region_index[:-1]))
        low_share, high_share = np.zeros(len(borders)), np.ones(len(borders))
        start_xyz, step_xyz = samples.xyz[borders], samples.xyz[borders + 1] - samples.xyz[borders]
        for _ in range(_BISECTION_STEPS if len(borders) else 0):
            middle_share = (low_share + high_share) / 2
            is_before_border = (
                self._number[self._nearest_city(start_xyz + middle_share[:, None] * step_xyz)] == region_index[borders]
            )
            low_share, high_share = (
                np.where(is_before_border, middle_share, low_share),
                np.where(is_before_border, high_share, middle_share),
            )
        border_miles = samples.along[borders] + high_share * (samples.along[borders + 1] - samples.along[borders])
        spans_by_line: list[list[Span]] = [[] for _ in range(lines)]
        first_samples = np.flatnonzero(np.diff(samples.line, prepend=-1))
        for sample_number in first_samples.tolist():
            spans_by_line[int(samples.line[sample_number])].append(
                Span(0.0, self._names[int(nearest_city[sample_number])])
            )
        for sample_number, miles in zip(borders.tolist(), border_miles.tolist(), strict=True):
            spans_by_line[int(samples.line[sample_number])].append(
                Span(round(miles, 6), self._names[int(nearest_city[sample_number + 1])])
            )
        return [tuple(spans) for spans in spans_by_line]


def spans_without_regions(lines: int) -> Sequence[tuple[Span, ...]]:
    """Return spans without a region, for rules that do not use regions."""
    return [(Span(0.0, ""),)] * lines
