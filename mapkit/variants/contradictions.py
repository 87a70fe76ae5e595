"""Reads and writes of operations, for detecting contradictions between variants.

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
    """Two operations, by number, that contradict each other about a key.

    `is_of_table` says that one of them reads the whole table, as a computed chart reads all track.
    """

    one: int
    other: int
    key: Key
    is_of_table: bool = False


def collect_touched(draft: Draft[Any]) -> Touched:
    """Return the reads and writes of the current step of a draft."""
    return Touched(draft.written(), frozenset(draft.relied()))


def find_clashes(one: Sequence[Touched], other: Sequence[Touched]) -> Iterator[Clash]:
    """Yield the contradictions of two lists of operations, in the order of the second."""
    write_index, wrote_below = _index_keys([list(t.wrote) for t in one])
    read_index, read_below = _index_keys([sorted(t.read) for t in one])
    for number, touched_keys in enumerate(other):
        for key, value in touched_keys.wrote.items():
            for overlap in _overlapping_keys(key, write_index, wrote_below):
                if overlap[1] != key or one[overlap[0]].wrote[overlap[1]] != value:
                    yield Clash(overlap[0], number, max(key, overlap[1], key=len))
            for overlap in _overlapping_keys(key, read_index, read_below):
                yield Clash(overlap[0], number, max(key, overlap[1], key=len), len(overlap[1]) == 1)
        for key in sorted(touched_keys.read):
            for overlap in _overlapping_keys(key, write_index, wrote_below):
                yield Clash(overlap[0], number, max(key, overlap[1], key=len), len(key) == 1)


def is_done_already(own: Touched, seen: Mapping[Key, object]) -> bool:
    """Return whether all writes of an operation were done already, in the same words."""
    return bool(own.wrote) and all(key in seen and seen[key] == value for key, value in own.wrote.items())


def _index_keys(keys: list[list[Key]]) -> tuple[Index, Index]:
    """Return operations by key, and by every shorter key."""
    operations_by_key: Index = {}
    operations_below: Index = {}
    for number, own in enumerate(keys):
        for key in own:
            operations_by_key.setdefault(key, []).append((number, key))
            for length in range(len(key)):
                operations_below.setdefault(key[:length], []).append((number, key))
    return operations_by_key, operations_below


def _overlapping_keys(key: Key, at: Index, below: Index) -> Iterator[Found]:
    yield from below.get(key, ())
    for length in range(len(key) + 1):
        yield from at.get(key[:length], ())


def row_of_key(key: Key, schema: Schema) -> Key:
    """Return the row that a key belongs to: the key without a field."""
    row_type = schema.tables.get(key[0])
    field_names = {EXISTS, *(() if row_type is None else row_type.model_fields)}
    return key[:-1] if key[-1] in field_names and key[1:-1] else key


def count_rows(table: str, number: int) -> str:
    """Return a number of rows of a table: `513 mileposts`, `40 rows of track`."""
    table_name = table.replace("_", " ")
    return f"{number:,} {table_name}" if table_name.endswith("s") else f"{number:,} rows of {table_name}"


def key_text(key: Key, schema: Schema) -> str:
    """Return a key for people: `railroad pa, price`."""
    table, *rest = key
    row_type = schema.tables.get(table)
    noun = row_type.noun if row_type is not None else table
    if rest == [ORDER]:
        return f"the order of {table.replace('_', ' ')}"
    key_words = [word for word in rest if word != EXISTS]
    if not key_words:
        return f"all {table.replace('_', ' ')}"
    if row_type is not None and not row_type.noun:  # a setting is described by its key
        key_words = [
            word for n, word in enumerate(key_words) if n < len(key_words) - 2 or word not in row_type.model_fields
        ]
        return f"{key_words[0]} {', '.join(key_words[1:])}".strip()
    return f"{noun} {', '.join(key_words)}"
