"""Which names are near one that was not found. It loads RapidFuzz, so import it where a name was not found."""

from collections.abc import Iterable

from mapkit.core import heavy

_CUTOFF = 60


def near_names(name: str, known: Iterable[str], *, most: int) -> list[str]:
    """Return the names that share most letters in order with `name`, nearest first; equally near ones by name."""
    found = heavy.process.extract(name, sorted(known), scorer=heavy.fuzz.ratio, limit=most, score_cutoff=_CUTOFF)
    return [near for near, *_ in found]


def edit_distance(one: str, other: str) -> int:
    """Return the number of letters to add, drop, change or swap with a neighbour (optimal string alignment)."""
    return heavy.OSA.distance(one, other)
