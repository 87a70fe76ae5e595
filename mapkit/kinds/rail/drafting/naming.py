"""Invented names of railroads: a city of the railroad, and a bird, a star or a plant."""

from collections.abc import Sequence
from random import Random
from typing import Final

from mapkit.core.names import fold, slug

_EMBLEMS: Final = (
    "Amber", "Anchor", "Beacon", "Birch", "Comet", "Cormorant", "Crane", "Curlew", "Dolphin", "Ember", "Falcon",
    "Fern", "Finch", "Gannet", "Garnet", "Halo", "Harrier", "Heron", "Ibis", "Indigo", "Jackdaw", "Juniper",
    "Kestrel", "Kingfisher", "Lantern", "Lark", "Linnet", "Magpie", "Maple", "Meridian", "Meteor", "Nightjar",
    "Oriole", "Osprey", "Otter", "Pelican", "Petrel", "Plover", "Quartz", "Raven", "Robin", "Saffron", "Sandpiper",
    "Sparrow", "Starling", "Swift", "Tanager", "Tern", "Thistle", "Topaz", "Umber", "Vesper", "Wagtail", "Willow",
    "Wren", "Zephyr",
)  # fmt: skip
_COMPANY_WORDS: Final = ("Line", "Railway", "Lines", "Route")
_LONGEST_CITY_NAME: Final = 16


def name_railroads(cities: Sequence[Sequence[str]], luck: Random) -> tuple[tuple[str, str], ...]:
    """Return a name and a mark for each railroad, all different.

    Args:
        cities: Names of the cities of each railroad, those that it is best called after first.
        luck: Random numbers.
    """
    emblems = list(_EMBLEMS)
    luck.shuffle(emblems)
    used_cities: set[str] = set()
    used_marks: set[str] = set()
    names_and_marks = []
    for number, city_names in enumerate(cities):
        short_names = [name for name in city_names if len(name) <= _LONGEST_CITY_NAME] or [
            city_names[0][:_LONGEST_CITY_NAME].strip()
        ]
        city = next((name for name in short_names if name not in used_cities), short_names[0])
        used_cities.add(city)
        emblem, company_word = emblems[number % len(emblems)], _COMPANY_WORDS[luck.randrange(len(_COMPANY_WORDS))]
        if number >= len(emblems):
            company_word = f"{company_word} {number // len(emblems) + 1}"
        mark = _choose_mark(city, emblem, company_word, used_marks)
        used_marks.add(mark)
        names_and_marks.append((f"{city} {emblem} {company_word}", mark))
    return tuple(names_and_marks)


def _choose_mark(city: str, word: str, kind: str, taken: set[str]) -> str:
    """Return initials as a mark, with more letters where they are taken."""
    letters = (slug(city).replace("-", "") or fold(city)).upper()
    for mark in (
        letters[:1] + word[0],
        letters[:1] + word[0] + kind[0],
        letters[:2] + word[0],
        letters[:2] + word[:2].upper(),
        letters[:3] + word[:1],
    ):
        if mark.isascii() and mark not in taken:
            return mark
    return next(f"{letters[:1]}{word[0]}{n}" for n in range(2, 1000) if f"{letters[:1]}{word[0]}{n}" not in taken)
