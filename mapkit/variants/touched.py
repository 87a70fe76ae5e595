"""What operations read and write, so that two variants can be told to contradict each other.

A key is a path, such as `("map", "railroad", "pa", "price")`; a shorter key stands for everything below it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

Key = tuple[str, ...]
MAP: Key = ("map",)
CHARTS: Key = ("chart",)
PAYOFFS: Key = ("chart", "payoff")
DESTINATIONS: Key = ("chart", "destination")
RULES: Key = ("rules",)


@dataclass
class Touched:
    """Keys of one operation: `wrote` with the value (None is never equal to another), and `read`."""

    wrote: dict[Key, object] = field(default_factory=dict)
    read: set[Key] = field(default_factory=set)


@dataclass(frozen=True)
class Clash:
    """Two operations, by number, that touch the same thing in contradictory ways."""

    one: int
    other: int
    key: Key


def clashes(one: list[Touched], other: list[Touched]) -> Iterator[Clash]:
    """Yield what two lists of operations contradict each other in, in the order of the second."""
    wrote, wrote_below = _index([list(t.wrote) for t in one])
    read, read_below = _index([list(t.read) for t in one])
    for number, touched in enumerate(other):
        for key, value in touched.wrote.items():
            for found in _overlapping(key, wrote, wrote_below):
                said = one[found[0]].wrote[found[1]]
                if found[1] != key or said is None or said != value:
                    yield Clash(found[0], number, max(key, found[1], key=len))
            for found in _overlapping(key, read, read_below):
                yield Clash(found[0], number, max(key, found[1], key=len))
        for key in touched.read:
            for found in _overlapping(key, wrote, wrote_below):
                yield Clash(found[0], number, max(key, found[1], key=len))


Found = tuple[int, Key]
Index = dict[Key, list[Found]]


def _index(keys: list[list[Key]]) -> tuple[Index, Index]:
    """Return operations by key, and by every shorter key."""
    at: Index = {}
    below: Index = {}
    for number, own in enumerate(keys):
        for key in own:
            at.setdefault(key, []).append((number, key))
            for length in range(len(key)):
                below.setdefault(key[:length], []).append((number, key))
    return at, below


def _overlapping(key: Key, at: Index, below: Index) -> Iterator[Found]:
    yield from below.get(key, ())
    for length in range(len(key) + 1):
        yield from at.get(key[:length], ())


def key_text(key: Key) -> str:
    """Return a key for people: `railroad pa, price`."""
    shown = key[1:] if key[0] in ("map", "chart") else key
    if not shown:
        return "the charts" if key == CHARTS else "the whole map"
    return f"{shown[0]} {', '.join(shown[1:])}".strip()
