"""Mileposts of a draft: on each corridor as many as its length asks for, at places of the gazetteer where they fit."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from mapkit.kinds.rail.drafting.corridors import Corridor
from mapkit.kinds.rail.drafting.plane import Floats
from mapkit.kinds.rail.network.ways import least_ways

TRIP: Final = 18.8
"""Mileposts of a trip, wanted: 18.3 to 25.3 on the shipped boards."""
_TRIES: Final = 14
_NAMELESS: Final = 0.3
"""What a milepost without a place costs, in squares of a step."""
_SMALL: Final = 0.3
"""What a place of nobody costs; one of a million people costs nothing."""
_MILLION: Final = 6.0
_NEAR: Final = 0.45
"""Two mileposts are never nearer than this share of a step."""
_STRAIGHT: Final = 0.16
"""Steps by which a line may leave the stops between mileposts out."""


@dataclass(frozen=True)
class Station:
    """A place of a corridor: a milepost or a via.

    Attributes:
        at: Where, miles on the plane.
        stop: The stop; -1 at a point between stops.
        milepost: Whether it costs a step.
    """

    at: tuple[float, float]
    stop: int
    milepost: bool


def gap_of(links: Sequence[Corridor], chances: Mapping[int, float]) -> float:
    """Return the miles from milepost to milepost with which a trip takes as many steps as wanted."""
    longest = max(link.miles for link in links)
    low, high = longest / 200, longest * 2
    for _ in range(_TRIES):
        middle = (low * high) ** 0.5
        low, high = (middle, high) if trip_of(links, chances, middle) > TRIP else (low, middle)
    return float(f"{(low * high) ** 0.5:.3g}")


def trip_of(links: Sequence[Corridor], chances: Mapping[int, float], gap: float) -> float:
    """Return the mileposts of a trip between two cities drawn by their chances, not the same."""
    nodes = sorted({end for link in links for end in link.ends})
    number = {node: at for at, node in enumerate(nodes)}
    ends = np.array([[number[end] for end in link.ends] for link in links], dtype=np.int64)
    cities = sorted(chances)
    odds = np.array([chances[city] for city in cities])
    both = np.outer(odds, odds)
    np.fill_diagonal(both, 0.0)
    here = [number[city] for city in cities]
    steps = np.array([float(steps_of(link.miles, gap)) for link in links])
    return float((both * least_ways(ends, steps, len(nodes), here)[:, here]).sum() / both.sum())


def steps_of(miles: float, gap: float) -> int:
    """Return how many steps a corridor has."""
    return max(1, int(miles / gap + 0.5))


def space(link: Corridor, at: Floats, people: Callable[[int], int], gap: float) -> tuple[Station, ...]:
    """Return the stations of a corridor from end to end.

    Args:
        link: The corridor.
        at: Where stops are.
        people: How many live at a stop; 0 where it has no place.
        gap: Miles from milepost to milepost.
    """
    points = at[list(link.stops)]
    along = np.concatenate(([0.0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))))
    count = steps_of(float(along[-1]), gap)
    inner = _chosen(along, [_cost(people(stop)) for stop in link.stops], count)
    spots = sorted([(float(along[k]), k) for k in range(len(points))] + [(far, -1) for far, k in inner if k < 0])
    mileposts = {(far, k) for far, k in inner} | {(0.0, 0), (float(along[-1]), len(points) - 1)}
    stations = [
        Station(_point(points, along, far), link.stops[k] if k >= 0 else -1, (far, k) in mileposts) for far, k in spots
    ]
    return _simple(stations, gap * _STRAIGHT)


def _cost(people: int) -> float:
    """Return what a milepost costs at a place of so many people: large places come first."""
    return _NAMELESS if people <= 0 else round(max(0.0, _SMALL * (1 - math.log10(people) / _MILLION)), 6)


def _chosen(along: Floats, costs: Sequence[float], count: int) -> list[tuple[float, int]]:
    """Return where to put the inner mileposts, and at which stop of the corridor (-1 between): steps alike."""
    total = float(along[-1])
    step = total / count
    offers = [(float(far), k) for k, far in enumerate(along[1:-1].tolist(), 1)]
    offers += [(round(step * n, 4), -1) for n in range(1, count)]
    offers.sort()
    best: list[dict[int, tuple[float, int]]] = [{-1: (0.0, -1)}]  # by steps taken: offer -> cost, offer before
    for _ in range(count - 1):
        new: dict[int, tuple[float, int]] = {}
        for k, (far, stop) in enumerate(offers):
            extra = costs[stop] if stop >= 0 else _NAMELESS
            for before, (cost, _) in best[-1].items():
                start = offers[before][0] if before >= 0 else 0.0
                if far - start < _NEAR * step:
                    continue
                value = round(cost + ((far - start) / step - 1) ** 2 + extra, 9)
                if k not in new or value < new[k][0]:
                    new[k] = (value, before)
        best.append(new)
    last = [
        (cost + ((total - (offers[k][0] if k >= 0 else 0.0)) / step - 1) ** 2, k)
        for k, (cost, _) in best[-1].items()
        if total - (offers[k][0] if k >= 0 else 0.0) >= _NEAR * step
    ]
    out, k = [], min(last)[1]
    for level in range(count - 1, 0, -1):
        out.append(offers[k])
        k = best[level][k][1]
    return out[::-1]


def _point(points: Floats, along: Floats, far: float) -> tuple[float, float]:
    return (round(float(np.interp(far, along, points[:, 0])), 4), round(float(np.interp(far, along, points[:, 1])), 4))


def _simple(stations: Sequence[Station], off: float) -> tuple[Station, ...]:
    """Return stations without the vias that the line passes closely without them."""
    kept = [0]
    posts = [k for k, one in enumerate(stations) if one.milepost]
    for start, end in pairwise(posts):
        kept += [*_bends(stations, start, end, off), end]
    return tuple(stations[k] for k in kept)


def _bends(stations: Sequence[Station], start: int, end: int, off: float) -> list[int]:
    """Return the stations between two that are too far from the straight way (Douglas and Peucker 1973)."""
    if end - start < 2:  # noqa: PLR2004 - none between
        return []
    a, b = (np.array(stations[k].at) for k in (start, end))
    way = b - a
    long = max(float(np.hypot(*way)), 1e-9)
    gone = [np.array(stations[k].at) - a for k in range(start + 1, end)]
    far = [abs(float(way[0] * one[1] - way[1] * one[0])) / long for one in gone]
    worst = int(np.argmax(far))
    if far[worst] <= off:
        return []
    k = start + 1 + worst
    return [*_bends(stations, start, k, off), k, *_bends(stations, k, end, off)]
