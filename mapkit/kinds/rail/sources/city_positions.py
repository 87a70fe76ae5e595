"""Comparison of city positions with gazetteer places of their names; a lost minus sign moves Cork to Bavaria."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from mapkit.core.base import Point
from mapkit.core.geodesy import line_miles
from mapkit.core.names import fold
from mapkit.geography.gazetteer import Gazetteer
from mapkit.geography.gazetteer_table import GazetteerPlace

NEAR_MILES: Final = 30.0
"""Largest distance from a city at which a place of its name is that city."""
_MILES_PER_DEGREE: Final = 69.1
_SHORT_FORMS: Final = {"st": "saint", "ft": "fort", "mt": "mount"}


@dataclass(frozen=True)
class Elsewhere:
    """Nearest place of a city's name, too far away to be the city.

    Args:
        place: The place.
        miles: Distance from the city.
        slip: Probable mistake, or an empty text.
    """

    place: GazetteerPlace
    miles: float
    slip: str

    def __str__(self) -> str:
        """Say where the place is."""
        slip_text = f"; {self.slip}" if self.slip else ""
        place_text = f"lon {self.place.lon:.4f}, lat {self.place.lat:.4f}"
        return f"{self.place.full_name} is at {place_text}, {self.miles:,.0f} miles away{slip_text}"


def city_spellings(name: str) -> set[str]:
    """Return possible gazetteer spellings of a city: `Portland ME` as `Portland`, `St. Paul` also as `Saint Paul`."""
    name_words = name.split()
    if len(name_words) > 1 and len(name_words[-1]) in (2, 3) and name_words[-1].isupper():
        name_words = name_words[:-1]
    long_forms = [_SHORT_FORMS.get(word.casefold().rstrip("."), word) for word in name_words]
    return {" ".join(name_words), " ".join(long_forms)}


def is_near(place: GazetteerPlace, at: Point) -> bool:
    """Return whether a place is within 30 miles of a point `(lon, lat)`."""
    north_miles = (place.lat - at[1]) * _MILES_PER_DEGREE
    if abs(north_miles) > NEAR_MILES:
        return False
    east_miles = (place.lon - at[0]) * _MILES_PER_DEGREE * math.cos(math.radians(at[1]))
    return math.hypot(north_miles, east_miles) <= NEAR_MILES


def find_elsewhere(at: Point, named: Iterable[GazetteerPlace]) -> Elsewhere | None:
    """Return the nearest of the places of a city's name if none is near it.

    Args:
        at: Position of the city, degrees.
        named: The places of its name.

    Returns:
        None if one is within 30 miles, or if there are none.
    """
    sorted_places = sorted(set(named))
    if not sorted_places or any(is_near(place, at) for place in sorted_places):
        return None
    lon, lat = at
    possible_slips = (
        ((-lon, lat), "its lon may lack a minus sign, or have one too many"),
        ((lon, -lat), "its lat may lack a minus sign, or have one too many"),
        ((-lon, -lat), "its lon and lat may lack minus signs"),
        ((lat, lon), "its lon and lat may be swapped"),
    )
    for meant_point, slip in possible_slips:
        meant_places = [place for place in sorted_places if is_near(place, meant_point)]
        if meant_places:
            return Elsewhere(meant_places[0], line_miles((at, (meant_places[0].lon, meant_places[0].lat))), slip)
    miles, place = min((line_miles((at, (place.lon, place.lat))), place) for place in sorted_places)
    return Elsewhere(place, miles, "")


def find_misplaced(gazetteer: Gazetteer, name: str, at: Point) -> Elsewhere | None:
    """Return the nearest place of a city's name if no place near the city has the name, not even in part.

    `Durango` is near `Victoria de Durango`, and `Jalapa` is an alternative name of Xalapa.

    Args:
        gazetteer: The gazetteer.
        name: The city's name.
        at: Position of the city, degrees.
    """
    name_spellings = {name, *city_spellings(name)}
    if _is_spelled(gazetteer, name_spellings, at):  # the common case, which needs no search for other spellings
        return None
    other_place = find_elsewhere(at, (place for text in name_spellings for place in gazetteer.named(text)))
    return None if other_place is None or _is_part_of_name(gazetteer, name_spellings, at) else other_place


def is_called(gazetteer: Gazetteer, name: str, at: Point) -> bool:
    """Return whether a place within 30 miles of a point `(lon, lat)` has a name, at least in part."""
    name_spellings = {name, *city_spellings(name)}
    return _is_spelled(gazetteer, name_spellings, at) or _is_part_of_name(gazetteer, name_spellings, at)


def _is_spelled(gazetteer: Gazetteer, texts: Iterable[str], city_point: Point) -> bool:
    return any(is_near(place, city_point) for text in texts for place in gazetteer.spelled(text))


def _is_part_of_name(gazetteer: Gazetteer, texts: Iterable[str], city_point: Point) -> bool:
    folded_texts = {fold(text) for text in texts}
    for place, other_names in gazetteer.about(city_point, NEAR_MILES):
        place_names = (place.name, *other_names) if is_near(place, city_point) else ()
        if any(text in fold(name) for name in place_names for text in folded_texts):
            return True
    return False


def select_same_name(name: str, places: Iterable[GazetteerPlace]) -> list[GazetteerPlace]:
    """Return the places with the same name as a city in any state."""
    name_folds = {fold(text) for text in city_spellings(name)}
    return [place for place in places if {fold(text) for text in city_spellings(place.name)} & name_folds]
