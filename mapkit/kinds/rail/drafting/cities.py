"""The cities of a draft: large ones first, but spread over the land, and twins where two belong together."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import shapely

from mapkit.core.errors import ChoiceError, did_you_mean
from mapkit.core.names import fold
from mapkit.geography.gazetteer_table import GazetteerPlace
from mapkit.kinds.rail.drafting.plane import Floats, Ints, Plane
from mapkit.kinds.rail.drafting.stops import Stops

_PEOPLE: Final = 0.42
"""The power of the people of a place in its worth as a city."""
_ROOM: Final = 1.15
"""The power of its distance to the nearest city."""
_ENOUGH: Final = 1.7
"""Usual distances of cities beyond which more room is worth nothing."""
_CROWDED: Final = 0.42
"""Usual distances of cities within which there is no second one."""
_TWIN_LEAST_MI: Final = 3.0
_TWIN_MOST: Final = 0.16
"""Usual distances of cities within which two may be twins."""
_TWIN_MOST_MI: Final = 15.0
_ALIKE: Final = 0.5
"""How many people the smaller twin has of the larger one at the least."""
_PAIRS: Final = 24
"""Cities for each pair of twins."""


@dataclass(frozen=True)
class Chosen:
    """A city.

    Attributes:
        stop: Where it is.
        place: What it is.
        twin: The place that shares its milepost, if there is one.
    """

    stop: int
    place: GazetteerPlace
    twin: GazetteerPlace | None = None


@dataclass(frozen=True)
class Wishes:
    """Which places are to be cities, and which are not, by name."""

    include: tuple[str, ...] = ()
    leave_out: tuple[str, ...] = ()


_NO_WISHES: Final = Wishes()


def choose_cities(
    stops: Stops,
    reached: frozenset[int],
    count: int,
    plane: Plane,
    places: Sequence[GazetteerPlace],
    called: str,
    wishes: Wishes = _NO_WISHES,
) -> tuple[Chosen, ...]:
    """Return the cities, twins counted as two.

    Args:
        stops: Where they may be.
        reached: The stops that a line can reach.
        count: How many.
        plane: The plane.
        places: All places of the region, the most people first.
        called: The region, for messages.
        wishes: Which places are to be cities, and which are not.

    Raises:
        ChoiceError: There are too few places, or none of a name.
    """
    unwanted = _named(stops, reached, wishes.leave_out, "--leave-out", called)
    open_ones = [at for at in sorted(reached) if stops.places[at] is not None and at not in unwanted]
    if len(open_ones) < count:
        raise ChoiceError(
            f"{called}: {len(open_ones)} places are large and far enough from each other for a city, but "
            f"--cities asks for {count}; ask for {len(open_ones)} or fewer, or name a larger region"
        )
    at = stops.at[open_ones]
    people = np.array([max(_people(stops.places[stop]), 100) for stop in open_ones], dtype=np.float64)
    usual = _usual_distance(at, people, count)
    first = [open_ones.index(stop) for stop in _named(stops, reached, wishes.include, "--include", called)][:count]
    picked = _picked(at, people, count, usual, first)
    pairs = _twins([stops.places[open_ones[k]] for k in picked], plane, places, usual)
    barred = {fold(name) for name in wishes.leave_out}
    pairs = {one: twin for one, twin in pairs.items() if not {fold(twin.name), fold(twin.full_name)} & barred}
    if pairs:  # each takes the place of the city that was picked last
        picked = picked[: count - min(len(pairs), count // _PAIRS)]
    out, left = [], count - len(picked)
    for k in picked:
        place = stops.places[open_ones[k]]
        assert place is not None  # noqa: S101 - `open_ones` have places
        twin = pairs.get(place) if left > 0 else None
        left -= twin is not None
        out.append(Chosen(open_ones[k], place, twin))
    return tuple(out)


def _people(place: GazetteerPlace | None) -> int:
    return 0 if place is None else place.population


def _usual_distance(at: Floats, people: Floats, count: int) -> float:
    """Return how far cities are apart that share the ground of the larger places evenly, miles."""
    large = np.argsort(-people, kind="stable")[: max(count * 6, 40)]
    hull = shapely.convex_hull(shapely.multipoints(at[large]))
    span = float(np.hypot(*(at.max(axis=0) - at.min(axis=0))))
    return max(float(np.sqrt(shapely.area(hull) / count)), span / count / 2, 1e-3)


def _named(stops: Stops, reached: frozenset[int], names: Sequence[str], option: str, called: str) -> tuple[int, ...]:
    """Return the stops of places by name, the one of most people where several have it."""
    by: dict[str, int] = {}
    for stop in sorted(reached, key=lambda at: (_people(stops.places[at]), -at)):
        place = stops.places[stop]
        if place is not None:
            by |= {fold(place.name): stop, fold(place.full_name): stop}
    for name in names:
        if fold(name) not in by:
            known = [place.name for place in stops.places if place is not None]
            raise ChoiceError(
                f"{option}: {called} has no place {name!r} that a line reaches{did_you_mean(name, known)}"
            )
    return tuple(dict.fromkeys(by[fold(name)] for name in names))


def _picked(at: Floats, people: Floats, count: int, usual: float, first: Sequence[int] = ()) -> Ints:
    """Return the cities in the order of their worth: people, times room to the cities before."""
    worth = people**_PEOPLE
    room = np.full(len(at), usual * _ENOUGH)
    out: list[int] = list(first)
    for best in out:
        room = np.minimum(room, np.hypot(*(at - at[best]).T))
    while len(out) < count:
        value = worth * np.minimum(room / usual, _ENOUGH) ** _ROOM
        value = np.where(room < usual * _CROWDED, value * 1e-6, value)
        value[out] = -1.0
        best = int(value.argmax())
        out.append(best)
        room = np.minimum(room, np.hypot(*(at - at[best]).T))
    return np.array(out, dtype=np.int64)


def _twins(
    cities: Sequence[GazetteerPlace | None], plane: Plane, places: Sequence[GazetteerPlace], usual: float
) -> dict[GazetteerPlace, GazetteerPlace]:
    """Return the twin of each city that has one: a place as large, nearby."""
    own = [one for one in cities if one is not None]
    least = sorted(one.population for one in own)[len(own) // 2]
    large = [one for one in places if one.population >= least]
    if not large:
        return {}
    here, there = (plane.to_plane(np.array([(p.lon, p.lat) for p in some])) for some in (own, large))
    reach = min(_TWIN_MOST * usual, _TWIN_MOST_MI)
    out: dict[GazetteerPlace, GazetteerPlace] = {}
    taken = set(own)
    for place, spot in zip(own, here, strict=True):
        far = np.hypot(*(there - spot).T)
        for number in np.flatnonzero((far >= _TWIN_LEAST_MI) & (far <= reach)).tolist():
            other = large[number]
            alike = other.population >= _ALIKE * place.population
            apart = not _words(other) & _words(place)  # no suburb called after the city
            if alike and apart and other not in taken and other.country == place.country:
                out[place] = other
                taken.add(other)
                break
    return out


def _words(place: GazetteerPlace) -> set[str]:
    return {word for word in place.name.casefold().split() if len(word) > 3}  # noqa: PLR2004 - no article
