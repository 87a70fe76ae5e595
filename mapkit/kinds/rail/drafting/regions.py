"""The regions of a draft: cities that are connected, of about the same weight."""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from mapkit.kinds.rail.drafting.city_paths import pieces
from mapkit.kinds.rail.drafting.plane import Floats

_LEAST_CITIES: Final = 2
MOST_CITIES: Final = 18
"""A chart has 22 cells."""
_ROUNDS: Final = 200
_ON_EDGE: Final = 1e-6
_CORNERS: Final = {
    "North": (0, 1), "North East": (0.75, 0.75), "East": (1, 0), "South East": (0.75, -0.75), "South": (0, -1),
    "South West": (-0.75, -0.75), "West": (-1, 0), "North West": (-0.75, 0.75), "Centre": (0, 0),
}  # fmt: skip
SHORT: Final = {
    "North": "N", "North East": "NE", "East": "E", "South East": "SE", "South": "S", "South West": "SW",
    "West": "W", "North West": "NW", "Centre": "C", "Far North": "FN", "Far South": "FS", "Far East": "FE",
    "Far West": "FW",
}  # fmt: skip
_SLENDER: Final = 0.52
"""Width through length up to which regions lie in a row."""
_MOST_IN_A_ROW: Final = 5
COLOURS: Final = (
    "#d7c9e8", "#f6d5b8", "#cfe3c8", "#f3e4a8", "#f2cdd0", "#cbdff0", "#e6dcc6", "#d3e6df", "#ead3e4", "#dfe3b9",
)  # fmt: skip
"""Of the shipped boards, and three more like them."""


def usual_number(cities: int) -> int:
    """Return how many regions a board of so many cities has: 7 of 67, 7 of 48, 7 of 36, and 10 of 100."""
    return min(max(round(3 + cities / 13), 2 if cities > _LEAST_CITIES else 1), 10, max(cities // 3, 1))


def group(
    beside: Mapping[int, Sequence[int]], weights: Mapping[int, float], at: Floats, count: int
) -> tuple[tuple[int, ...], ...]:
    """Return the cities of each region; a region is in one piece on the network.

    Args:
        beside: The neighbours of each city.
        weights: How likely each city is.
        at: Where stops are.
        count: How many regions.
    """
    cities = sorted(weights)
    beside = side_by_side(cities, beside, at)
    of = _grown(cities, beside, weights, at, _seeds(cities, weights, at, count))
    for _ in range(_ROUNDS):
        move = _best_move(of, beside, weights, at)
        if move is None:
            break
        of[move[0]] = move[1]
    return tuple(tuple(city for city in cities if of[city] == number) for number in range(count))


def side_by_side(cities: Sequence[int], beside: Mapping[int, Sequence[int]], at: Floats) -> dict[int, tuple[int, ...]]:
    """Return which neighbours on the network are so on the map too: no third city lies between them.

    The ground around a city is nearer to it than to any other, so the ground of a region is in one piece then. Where
    this takes the network apart, the shortest ways between its parts count too.
    """
    spots = at[list(cities)]
    kept: dict[int, set[int]] = {city: set() for city in cities}
    others: list[tuple[float, int, int]] = []
    for one, other in sorted({(min(a, b), max(a, b)) for a in cities for b in beside[a]}):
        half = float(np.hypot(*(at[one] - at[other]))) / 2
        between = np.hypot(*(spots - (at[one] + at[other]) / 2).T).min()
        if between >= half * (1 - _ON_EDGE):
            kept[one].add(other)
            kept[other].add(one)
        else:
            others.append((round(half, 6), one, other))
    parts = pieces([{city, *kept[city]} for city in cities])
    for _, one, other in sorted(others):
        apart = [part for part in parts if one in part or other in part]
        if len(apart) > 1:
            kept[one].add(other)
            kept[other].add(one)
            parts = pieces([*parts, {one, other}])
    return {city: tuple(sorted(own)) for city, own in kept.items()}


def _seeds(cities: Sequence[int], weights: Mapping[int, float], at: Floats, count: int) -> list[int]:
    """Return cities far from each other."""
    middle = at[list(cities)].mean(axis=0)
    seeds = [max(cities, key=lambda city: (round(float(np.hypot(*(at[city] - middle))), 6), city))]
    while len(seeds) < count:
        left = [city for city in cities if city not in seeds]
        far = {city: min(float(np.hypot(*(at[city] - at[seed]))) for seed in seeds) for city in left}
        seeds.append(max(left, key=lambda city: (round(far[city] * weights[city] ** 0.2, 6), city)))
    return seeds


def _grown(
    cities: Sequence[int],
    beside: Mapping[int, Sequence[int]],
    weights: Mapping[int, float],
    at: Floats,
    seeds: Sequence[int],
) -> dict[int, int]:
    """Return a region for each city: the lightest region takes the nearest city beside it, again and again."""
    of = {seed: number for number, seed in enumerate(seeds)}
    total = [weights[seed] for seed in seeds]
    while len(of) < len(cities):
        for number in sorted(range(len(seeds)), key=lambda k: (round(total[k], 6), k)):
            own = [city for city in of if of[city] == number]
            edge = sorted({other for city in own for other in beside[city]} - of.keys())
            if edge:
                middle = at[own].mean(axis=0)
                city = min(edge, key=lambda c: (round(float(np.hypot(*(at[c] - middle))), 6), c))
                of[city] = number
                total[number] += weights[city]
                break
        else:
            break
    for city in cities:  # what no region can reach joins the nearest
        if city not in of:
            of[city] = of[min(of, key=lambda other: (float(np.hypot(*(at[other] - at[city]))), other))]
    return of


def _best_move(
    of: Mapping[int, int], beside: Mapping[int, Sequence[int]], weights: Mapping[int, float], at: Floats
) -> tuple[int, int] | None:
    """Return the city to give to another region, and which: the one that makes regions most even and round."""
    count = max(of.values()) + 1
    members = [[city for city in sorted(of) if of[city] == number] for number in range(count)]
    now = [_cost(own, weights, at, count) for own in members]
    best, move = -1e-9, None
    for city in sorted(of):
        here = of[city]
        left = [one for one in members[here] if one != city]
        if len(left) < _LEAST_CITIES or not _in_one_piece(left, beside):
            continue
        for there in sorted({of[other] for other in beside[city]} - {here}):
            new = [*members[there], city]
            if len(new) > MOST_CITIES:
                continue
            gain = _cost(left, weights, at, count) + _cost(new, weights, at, count) - now[here] - now[there]
            if gain < best:
                best, move = gain, (city, there)
    return move


def _cost(own: Sequence[int], weights: Mapping[int, float], at: Floats, count: int) -> float:
    """Return how bad a region is: its weight against an even share, and how wide it is."""
    total = sum(weights.values())
    even: float = sum(weights[city] for city in own) * count / total
    points = at[list(own)]
    wide = float(np.hypot(*(points - points.mean(axis=0)).T).sum())
    every = at[sorted(weights)]
    scale = float(np.hypot(*(every - every.mean(axis=0)).T).sum())
    return float((even - 1) ** 2 * 2.0 + 3.0 * wide * count**0.5 / scale)


def _in_one_piece(cities: Sequence[int], beside: Mapping[int, Sequence[int]]) -> bool:
    left, waiting = set(cities[1:]), [cities[0]]
    while waiting:
        near = left & set(beside[waiting.pop()])
        left -= near
        waiting += sorted(near)
    return not left


def name_regions(groups: Sequence[Sequence[int]], at: Floats, largest: Sequence[str]) -> tuple[str, ...]:
    """Return a name for each region: where it lies, or else its largest city.

    Args:
        groups: The cities of each.
        at: Where stops are.
        largest: The name of the largest city of each.
    """
    middles = np.array([at[list(own)].mean(axis=0) for own in groups])
    every = at[[city for own in groups for city in own]]
    wide = every.max(axis=0) - every.min(axis=0)
    if 1 < len(groups) <= _MOST_IN_A_ROW and wide.min() <= _SLENDER * wide.max():
        return _in_a_row(middles[:, wide.argmax()], ("West", "East") if wide.argmax() == 0 else ("South", "North"))
    low, high = middles.min(axis=0), middles.max(axis=0)
    half = np.maximum((high - low) / 2, 1e-6)
    spots = (middles - (low + high) / 2) / half
    found: dict[int, str] = {}
    offers = sorted(
        (round(float(np.hypot(*(spots[k] - np.array(corner)))), 6), k, name)
        for k in range(len(groups))
        for name, corner in _CORNERS.items()
    )
    for far, k, name in offers:
        if k not in found and name not in found.values() and far <= 1.0:
            found[k] = name
    return tuple(found.get(k, f"{largest[k]} District") for k in range(len(groups)))


def _in_a_row(along: Floats, ends: tuple[str, str]) -> tuple[str, ...]:
    """Return the names of regions in a row, by where each lies along it; `ends` are what its two halves are called."""
    low, high = ends
    half = len(along) // 2
    names = [f"Far {low}", low][-half:] + ["Centre"] * (len(along) % 2) + [high, f"Far {high}"][:half]
    found = dict(zip(np.argsort(along, kind="stable").tolist(), names, strict=True))
    return tuple(found[k] for k in range(len(along)))
