"""Whether cities lie where the gazetteer has places of their names: a lost minus sign puts Cork into Bavaria."""

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
"""A place of a city's name no further than this from it is that city."""
_MILES_PER_DEGREE: Final = 69.1
_SHORT_FORMS: Final = {"st": "saint", "ft": "fort", "mt": "mount"}


@dataclass(frozen=True)
class Elsewhere:
    """The nearest place of a city's name, too far from the city to be it.

    Args:
        place: The place.
        miles: How far.
        slip: What may have happened; empty where nothing suggests itself.
    """

    place: GazetteerPlace
    miles: float
    slip: str

    def __str__(self) -> str:
        """Say where the place is."""
        slip = f"; {self.slip}" if self.slip else ""
        at = f"lon {self.place.lon:.4f}, lat {self.place.lat:.4f}"
        return f"{self.place.full_name} is at {at}, {self.miles:,.0f} miles away{slip}"


def spellings(name: str) -> set[str]:
    """Return how a gazetteer may spell a city: `Portland ME` as `Portland`, `St. Paul` also as `Saint Paul`."""
    words = name.split()
    if len(words) > 1 and len(words[-1]) in (2, 3) and words[-1].isupper():
        words = words[:-1]
    long = [_SHORT_FORMS.get(word.casefold().rstrip("."), word) for word in words]
    return {" ".join(words), " ".join(long)}


def is_near(place: GazetteerPlace, at: Point) -> bool:
    """Return whether a place is within 30 miles of a point `(lon, lat)`."""
    north = (place.lat - at[1]) * _MILES_PER_DEGREE
    if abs(north) > NEAR_MILES:
        return False
    east = (place.lon - at[0]) * _MILES_PER_DEGREE * math.cos(math.radians(at[1]))
    return math.hypot(north, east) <= NEAR_MILES


def elsewhere(at: Point, named: Iterable[GazetteerPlace]) -> Elsewhere | None:
    """Return the nearest of the places of a city's name if none is near it.

    Args:
        at: Where the city lies, degrees.
        named: The places of its name.

    Returns:
        None if one is within 30 miles, or if there are none.
    """
    places = sorted(set(named))
    if not places or any(is_near(place, at) for place in places):
        return None
    lon, lat = at
    slips = (
        ((-lon, lat), "its lon may lack a minus sign, or have one too many"),
        ((lon, -lat), "its lat may lack a minus sign, or have one too many"),
        ((-lon, -lat), "its lon and lat may lack minus signs"),
        ((lat, lon), "its lon and lat may be swapped"),
    )
    for point, slip in slips:
        meant = [place for place in places if is_near(place, point)]
        if meant:
            return Elsewhere(meant[0], line_miles((at, (meant[0].lon, meant[0].lat))), slip)
    miles, place = min((line_miles((at, (place.lon, place.lat))), place) for place in places)
    return Elsewhere(place, miles, "")


def misplaced(gazetteer: Gazetteer, name: str, at: Point) -> Elsewhere | None:
    """Return where a city's name is in the gazetteer if no place near the city goes by it, not even in part.

    `Durango` is near `Victoria de Durango`, and `Jalapa` is an alternative name of Xalapa.

    Args:
        gazetteer: Where to look.
        name: The city's name.
        at: Where it lies, degrees.
    """
    texts = {name, *spellings(name)}
    if _is_spelled(gazetteer, texts, at):  # so it is with nearly every city, and no other spelling need be looked for
        return None
    found = elsewhere(at, (place for text in texts for place in gazetteer.named(text)))
    return None if found is None or _is_part_of_name(gazetteer, texts, at) else found


def is_called(gazetteer: Gazetteer, name: str, at: Point) -> bool:
    """Return whether a place within 30 miles of a point `(lon, lat)` goes by a name, be it in part."""
    texts = {name, *spellings(name)}
    return _is_spelled(gazetteer, texts, at) or _is_part_of_name(gazetteer, texts, at)


def _is_spelled(gazetteer: Gazetteer, texts: Iterable[str], at: Point) -> bool:
    return any(is_near(place, at) for text in texts for place in gazetteer.spelled(text))


def _is_part_of_name(gazetteer: Gazetteer, texts: Iterable[str], at: Point) -> bool:
    folded = {fold(text) for text in texts}
    for place, others in gazetteer.about(at, NEAR_MILES):
        called = (place.name, *others) if is_near(place, at) else ()
        if any(text in fold(name) for name in called for text in folded):
            return True
    return False


def same_name(name: str, places: Iterable[GazetteerPlace]) -> list[GazetteerPlace]:
    """Return the places that are spelled as a city, whatever their state."""
    names = {fold(text) for text in spellings(name)}
    return [place for place in places if {fold(text) for text in spellings(place.name)} & names]
