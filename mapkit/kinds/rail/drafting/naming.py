"""Names of railroads that are plainly made up: a city of the railroad, and a bird, a star or a plant."""

from collections.abc import Sequence
from random import Random
from typing import Final

from mapkit.core.names import fold, slug

_WORDS: Final = (
    "Amber", "Anchor", "Beacon", "Birch", "Comet", "Cormorant", "Crane", "Curlew", "Dolphin", "Ember", "Falcon",
    "Fern", "Finch", "Gannet", "Garnet", "Halo", "Harrier", "Heron", "Ibis", "Indigo", "Jackdaw", "Juniper",
    "Kestrel", "Kingfisher", "Lantern", "Lark", "Linnet", "Magpie", "Maple", "Meridian", "Meteor", "Nightjar",
    "Oriole", "Osprey", "Otter", "Pelican", "Petrel", "Plover", "Quartz", "Raven", "Robin", "Saffron", "Sandpiper",
    "Sparrow", "Starling", "Swift", "Tanager", "Tern", "Thistle", "Topaz", "Umber", "Vesper", "Wagtail", "Willow",
    "Wren", "Zephyr",
)  # fmt: skip
_KINDS: Final = ("Line", "Railway", "Lines", "Route")
_LONGEST: Final = 16


def name_railroads(cities: Sequence[Sequence[str]], luck: Random) -> tuple[tuple[str, str], ...]:
    """Return a name and a mark for each railroad, all different.

    Args:
        cities: Names of the cities of each railroad, those that it is best called after first.
        luck: Random numbers.
    """
    words = list(_WORDS)
    luck.shuffle(words)
    called: set[str] = set()
    marks: set[str] = set()
    out = []
    for number, own in enumerate(cities):
        short = [name for name in own if len(name) <= _LONGEST] or [own[0][:_LONGEST].strip()]
        city = next((name for name in short if name not in called), short[0])
        called.add(city)
        word, kind = words[number % len(words)], _KINDS[luck.randrange(len(_KINDS))]
        if number >= len(words):
            kind = f"{kind} {number // len(words) + 1}"
        mark = _mark(city, word, kind, marks)
        marks.add(mark)
        out.append((f"{city} {word} {kind}", mark))
    return tuple(out)


def _mark(city: str, word: str, kind: str, taken: set[str]) -> str:
    """Return initials, with more letters where they are taken."""
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
