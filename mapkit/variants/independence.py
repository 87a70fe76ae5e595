"""What operations read and write, which shows whether two variants contradict each other.

A key is a path, such as `("railroads", "pa", "price")`; a shorter key stands for everything below it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mapkit.document.document import Schema
from mapkit.document.draft import EXISTS, ORDER, Draft, Key

Found = tuple[int, Key]
Index = dict[Key, list[Found]]


@dataclass(frozen=True)
class Touched:
    """Keys of one operation: `wrote` with the values, and `read`."""

    wrote: Mapping[Key, object] = field(default_factory=dict)
    read: frozenset[Key] = frozenset()


@dataclass(frozen=True)
class Clash:
    """Two operations, by number, that touch the same thing in contradictory ways."""

    one: int
    other: int
    key: Key


def touched(draft: Draft[Any]) -> Touched:
    """Return what the step in hand of a draft read and wrote."""
    return Touched(draft.written(), frozenset(draft.relied()))


def clashes(one: Sequence[Touched], other: Sequence[Touched]) -> Iterator[Clash]:
    """Yield what two lists of operations contradict each other in, in the order of the second."""
    wrote, wrote_below = _index([list(t.wrote) for t in one])
    read, read_below = _index([sorted(t.read) for t in one])
    for number, own in enumerate(other):
        for key, value in own.wrote.items():
            for found in _overlapping(key, wrote, wrote_below):
                if found[1] != key or one[found[0]].wrote[found[1]] != value:
                    yield Clash(found[0], number, max(key, found[1], key=len))
            for found in _overlapping(key, read, read_below):
                yield Clash(found[0], number, max(key, found[1], key=len))
        for key in sorted(own.read):
            for found in _overlapping(key, wrote, wrote_below):
                yield Clash(found[0], number, max(key, found[1], key=len))


def agrees(own: Touched, seen: Mapping[Key, object]) -> bool:
    """Return whether all that an operation writes was written already, in the same words."""
    return bool(own.wrote) and all(key in seen and seen[key] == value for key, value in own.wrote.items())


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


def key_text(key: Key, schema: Schema) -> str:
    """Return a key for people: `railroad pa, price`."""
    table, *rest = key
    kind = schema.tables.get(table)
    noun = kind.noun if kind is not None else table
    if rest == [ORDER]:
        return f"the order of {table.replace('_', ' ')}"
    words = [word for word in rest if word != EXISTS]
    if not words:
        return f"all {table.replace('_', ' ')}"
    if kind is not None and not kind.noun:  # a setting: what its key says
        words = [word for n, word in enumerate(words) if n < len(words) - 2 or word not in kind.model_fields]
        return f"{words[0]} {', '.join(words[1:])}".strip()
    return f"{noun} {', '.join(words)}"
