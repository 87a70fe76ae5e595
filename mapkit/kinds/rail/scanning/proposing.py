"""Control points proposed from names: a name fits several places, and the picture says which.

Two names with a place each give a map of the picture that turns and scales it. Of many such pairs, the one under which
most other names lie near one of their places is taken. Then an affine map is fitted to those, names choose their places
again, and what still lies off is left out.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from mapkit.core.arrays import Floats, Ints
from mapkit.core.names import fold
from mapkit.geography.gazetteer import Gazetteer
from mapkit.kinds.rail.scanning.arrays import Bools
from mapkit.kinds.rail.tables import City

_PAIRS: Final = 4000
_SEED: Final = 1897
_ROUGH: Final = 0.04
_FINE: Final = 0.02
"""How far off a name may lie, as a share of the picture's diagonal: in a first map, and in the last."""
_TURNED: Final = 0.35
"""How far a board may be turned from north up, as a tangent."""
_MOST_PLACES: Final = 12
FEWEST: Final = 6
"""So many names must agree on where a picture lies."""
_ROUNDS: Final = 4
MOST: Final = 24
"""Control points that are proposed at most."""


@dataclass(frozen=True)
class Named:
    """A spot of the picture, the name beside it, and the places that have this name: degrees, shape (n, 2)."""

    x: float
    y: float
    name: str
    places: Floats


@dataclass(frozen=True)
class Proposal:
    """A spot of the picture, the name beside it, and its place in degrees."""

    x: float
    y: float
    name: str
    lon: float
    lat: float


def places_of(name: str, cities: Mapping[str, City], gazetteer: Gazetteer) -> Floats:
    """Return where a name may be, in degrees: the board's city of this name, else places of the gazetteer."""
    city = cities.get(fold(name))
    if city is not None:
        return np.array([[city.lon, city.lat]])
    found = sorted(gazetteer.named(name), key=lambda place: (-place.population, place))[:_MOST_PLACES]
    return np.array([(place.lon, place.lat) for place in found]).reshape(-1, 2)


def proposed(named: Sequence[Named], diagonal: float) -> list[Proposal]:
    """Return control points, spread over the picture; none if too few names agree.

    Args:
        named: Names with their places.
        diagonal: Of the picture, pixels.
    """
    known = [one for one in named if len(one.places)]
    if len(known) < FEWEST:
        return []
    spots = np.array([(one.x, one.y) for one in known])
    whose = np.concatenate([np.full(len(one.places), i) for i, one in enumerate(known)])
    degrees = np.concatenate([one.places for one in known])
    plane = _plane(degrees)
    first = _first_map(spots, plane, whose, _ROUGH * diagonal)
    if first is None:
        return []
    matrix = first
    for reach in np.linspace(_ROUGH, _FINE, _ROUNDS):
        chosen, off = _choice(spots, plane, whose, matrix)
        good = off <= reach * diagonal
        if good.sum() < FEWEST:
            return []
        matrix = np.linalg.lstsq(_terms(plane[chosen[good]]), spots[good], rcond=None)[0]
    chosen, off = _choice(spots, plane, whose, matrix)
    good = off <= _FINE * diagonal
    picks = _spread(spots, off, good)
    return [
        Proposal(known[i].x, known[i].y, known[i].name, *(round(float(v), 5) for v in degrees[chosen[i]]))
        for i in picks
    ]


def _plane(degrees: Floats) -> Floats:
    """Return degrees in a plane, y downward, in which a map of a country is nearly alike: conic about its middle."""
    lon, lat = np.radians(degrees).T
    middle_lon, middle_lat = np.median(lon), np.median(lat)
    turn = np.sin(middle_lat)
    if abs(turn) < 1e-3:  # noqa: PLR2004 - a cone that is a cylinder
        return np.stack((lon - middle_lon, middle_lat - lat), axis=1)
    radius = 1 / np.tan(middle_lat) - (lat - middle_lat)
    angle = turn * (lon - middle_lon)
    return np.stack((radius * np.sin(angle), radius * np.cos(angle) - 1 / np.tan(middle_lat)), axis=1)


def _terms(plane: Floats) -> Floats:
    return np.column_stack((plane, np.ones(len(plane))))


def _first_map(spots: Floats, plane: Floats, whose: Ints, reach: float) -> Floats | None:
    """Return the map of the plane to the picture, from two names, under which most names lie near a place."""
    random = np.random.default_rng(_SEED)
    starts = np.searchsorted(whose, np.arange(len(spots)))
    best: tuple[int, Floats | None] = (0, None)
    for _ in range(_PAIRS):
        i, j = random.choice(len(spots), 2, replace=False)
        a, b = (_drawn_place(random, int(starts[k]), int((whose == k).sum())) for k in (i, j))
        there, here = complex(*(plane[b] - plane[a])), complex(*(spots[j] - spots[i]))
        if abs(there) < 1e-9 or abs(here) < 5 * reach:  # noqa: PLR2004 - too near each other to tell
            continue
        turn = here / there
        if turn.real <= 0 or abs(turn.imag) > _TURNED * turn.real:
            continue
        matrix = np.array([[turn.real, turn.imag], [-turn.imag, turn.real], [0.0, 0.0]])
        matrix[2] = spots[i] - plane[a] @ matrix[:2]
        count = int((_choice(spots, plane, whose, matrix)[1] <= reach).sum())
        if count > best[0]:
            best = count, matrix
    return best[1] if best[0] >= FEWEST else None


def _drawn_place(random: np.random.Generator, start: int, count: int) -> int:
    """Return one of a name's places; the first, which is the largest, in half of the cases."""
    return start if random.random() < 0.5 else start + int(random.integers(count))  # noqa: PLR2004


def _choice(spots: Floats, plane: Floats, whose: Ints, matrix: Floats) -> tuple[Ints, Floats]:
    """Return for each name its nearest place, and how far off it is in pixels."""
    off = np.hypot(*(_terms(plane) @ matrix - spots[whose]).T)
    order = np.lexsort((off, whose))
    first = np.searchsorted(whose[order], np.arange(len(spots)))
    chosen = order[first]
    return chosen, off[chosen]


def _spread(spots: Floats, off: Floats, good: Bools) -> list[int]:
    """Return good points spread over the picture, of those less off than most, in their order."""
    able = np.flatnonzero(good & (off <= np.median(off[good])))
    middle = spots[able].mean(axis=0)
    picks = [int(np.hypot(*(spots[able] - middle).T).argmax())]
    far = np.hypot(*(spots[able] - spots[able[picks[0]]]).T)
    while len(picks) < min(MOST, len(able)) and far.max() > 0:
        picks.append(int(far.argmax()))
        far = np.minimum(far, np.hypot(*(spots[able] - spots[able[picks[-1]]]).T))
    return sorted(int(able[i]) for i in picks)
