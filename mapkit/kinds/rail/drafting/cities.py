"""Choice of cities for a draft: large places first, spread over the land, with twins where two belong together."""

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

_POPULATION_POWER: Final = 0.42
"""The power of the people of a place in its worth as a city."""
_ROOM_POWER: Final = 1.15
"""The power of its distance to the nearest city."""
_ENOUGH_ROOM: Final = 1.7
"""Usual distances of cities beyond which more room is worth nothing."""
_TOO_CLOSE: Final = 0.42
"""Usual distances of cities within which there is no second one."""
_TWIN_LEAST_MI: Final = 3.0
_TWIN_MOST: Final = 0.16
"""Usual distances of cities within which two may be twins."""
_TWIN_MOST_MI: Final = 15.0
_SMALLEST_TWIN_SHARE: Final = 0.5
"""How many people the smaller twin has of the larger one at the least."""
_CITIES_A_TWIN_PAIR: Final = 24
"""Cities for each pair of twins."""


@dataclass(frozen=True)
class ChosenCity:
    """City chosen for a draft.

    Attributes:
        stop: Where it is.
        place: What it is.
        twin: The place that shares its milepost, if there is one.
    """

    stop: int
    place: GazetteerPlace
    twin: GazetteerPlace | None = None


@dataclass(frozen=True)
class CityWishes:
    """Places that must or must not become cities, by name."""

    include: tuple[str, ...] = ()
    leave_out: tuple[str, ...] = ()


_NO_WISHES: Final = CityWishes()


def choose_cities(
    stops: Stops,
    reached: frozenset[int],
    count: int,
    plane: Plane,
    places: Sequence[GazetteerPlace],
    called: str,
    wishes: CityWishes = _NO_WISHES,
) -> tuple[ChosenCity, ...]:
    """Choose the cities of a draft, twins counted as two.

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
    unwanted_stops = _find_stops_by_name(stops, reached, wishes.leave_out, "--leave-out", called)
    candidate_stops = [
        stop for stop in sorted(reached) if stops.places[stop] is not None and stop not in unwanted_stops
    ]
    if len(candidate_stops) < count:
        raise ChoiceError(
            f"{called}: {len(candidate_stops)} places are large and far enough from each other for a city, but "
            f"--cities asks for {count}; ask for {len(candidate_stops)} or fewer, or name a larger region"
        )
    candidate_points = stops.at[candidate_stops]
    people = np.array([max(_population(stops.places[stop]), 100) for stop in candidate_stops], dtype=np.float64)
    usual_distance_mi = _usual_distance(candidate_points, people, count)
    first_picks = [
        candidate_stops.index(stop) for stop in _find_stops_by_name(stops, reached, wishes.include, "--include", called)
    ][:count]
    picked_indices = _pick_by_worth(candidate_points, people, count, usual_distance_mi, first_picks)
    twin_by_place = _find_twins(
        [stops.places[candidate_stops[k]] for k in picked_indices], plane, places, usual_distance_mi
    )
    barred_names = {fold(name) for name in wishes.leave_out}
    twin_by_place = {
        city_place: twin
        for city_place, twin in twin_by_place.items()
        if not {fold(twin.name), fold(twin.full_name)} & barred_names
    }
    if twin_by_place:  # each takes the place of the city that was picked last
        picked_indices = picked_indices[: count - min(len(twin_by_place), count // _CITIES_A_TWIN_PAIR)]
    chosen_cities, twins_left = [], count - len(picked_indices)
    for k in picked_indices:
        place = stops.places[candidate_stops[k]]
        assert place is not None  # noqa: S101 - `open_ones` have places
        twin = twin_by_place.get(place) if twins_left > 0 else None
        twins_left -= twin is not None
        chosen_cities.append(ChosenCity(candidate_stops[k], place, twin))
    return tuple(chosen_cities)


def _population(place: GazetteerPlace | None) -> int:
    return 0 if place is None else place.population


def _usual_distance(at: Floats, people: Floats, count: int) -> float:
    """Return the distance in miles between cities that share the area of the larger places evenly."""
    largest_indices = np.argsort(-people, kind="stable")[: max(count * 6, 40)]
    hull = shapely.convex_hull(shapely.multipoints(at[largest_indices]))
    diagonal_mi = float(np.hypot(*(at.max(axis=0) - at.min(axis=0))))
    return max(float(np.sqrt(shapely.area(hull) / count)), diagonal_mi / count / 2, 1e-3)


def _find_stops_by_name(
    stops: Stops, reached: frozenset[int], names: Sequence[str], option: str, called: str
) -> tuple[int, ...]:
    """Return the stops of places by name; of places with the same name, the one with the most people."""
    stop_by_name: dict[str, int] = {}
    for stop in sorted(reached, key=lambda at: (_population(stops.places[at]), -at)):
        place = stops.places[stop]
        if place is not None:
            stop_by_name |= {fold(place.name): stop, fold(place.full_name): stop}
    for name in names:
        if fold(name) not in stop_by_name:
            place_names = [place.name for place in stops.places if place is not None]
            raise ChoiceError(
                f"{option}: {called} has no place {name!r} that a line reaches{did_you_mean(name, place_names)}"
            )
    return tuple(dict.fromkeys(stop_by_name[fold(name)] for name in names))


def _pick_by_worth(at: Floats, people: Floats, count: int, usual: float, first: Sequence[int] = ()) -> Ints:
    """Return cities in order of worth: population times distance to the cities picked before."""
    population_worth = people**_POPULATION_POWER
    room_mi = np.full(len(at), usual * _ENOUGH_ROOM)
    picked_indices: list[int] = list(first)
    for best_index in picked_indices:
        room_mi = np.minimum(room_mi, np.hypot(*(at - at[best_index]).T))
    while len(picked_indices) < count:
        candidate_worth = population_worth * np.minimum(room_mi / usual, _ENOUGH_ROOM) ** _ROOM_POWER
        candidate_worth = np.where(room_mi < usual * _TOO_CLOSE, candidate_worth * 1e-6, candidate_worth)
        candidate_worth[picked_indices] = -1.0
        best_index = int(candidate_worth.argmax())
        picked_indices.append(best_index)
        room_mi = np.minimum(room_mi, np.hypot(*(at - at[best_index]).T))
    return np.array(picked_indices, dtype=np.int64)


def _find_twins(
    cities: Sequence[GazetteerPlace | None], plane: Plane, places: Sequence[GazetteerPlace], usual: float
) -> dict[GazetteerPlace, GazetteerPlace]:
    """Return the twin of each city that has one: a nearby place of about the same size."""
    city_places = [one for one in cities if one is not None]
    median_population = sorted(one.population for one in city_places)[len(city_places) // 2]
    large_places = [one for one in places if one.population >= median_population]
    if not large_places:
        return {}
    city_points, large_points = (
        plane.to_plane(np.array([(p.lon, p.lat) for p in group])) for group in (city_places, large_places)
    )
    reach_mi = min(_TWIN_MOST * usual, _TWIN_MOST_MI)
    twin_by_place: dict[GazetteerPlace, GazetteerPlace] = {}
    taken_places = set(city_places)
    for city_place, city_point in zip(city_places, city_points, strict=True):
        distances_mi = np.hypot(*(large_points - city_point).T)
        for large_index in np.flatnonzero((distances_mi >= _TWIN_LEAST_MI) & (distances_mi <= reach_mi)).tolist():
            candidate = large_places[large_index]
            is_alike_in_size = candidate.population >= _SMALLEST_TWIN_SHARE * city_place.population
            has_own_name = not _long_words(candidate) & _long_words(city_place)  # no suburb called after the city
            if (
                is_alike_in_size
                and has_own_name
                and candidate not in taken_places
                and candidate.country == city_place.country
            ):
                twin_by_place[city_place] = candidate
                taken_places.add(candidate)
                break
    return twin_by_place


def _long_words(place: GazetteerPlace) -> set[str]:
    return {word for word in place.name.casefold().split() if len(word) > 3}  # noqa: PLR2004 - no article
