"""Merging of external changes to files with unsaved changes."""

from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, Literal

from mapkit.document.changes import Change, Conflict, Patch, apply, difference, row_json, same_rows, tidy_changes
from mapkit.document.document import D, Row, sort_rows

Take = Literal["disk", "mine"]


@dataclass(frozen=True)
class Merge(Generic[D]):
    """Changes on disk that can be merged, and those that need a choice.

    Args:
        document: What the files say now, ranks as in the document.
        patch: What to change in the document, the conflicting rows left out.
        conflicts: Rows that were changed here and on disk, to something else.
        theirs: The patch that takes the disk's rows of the conflicts.
    """

    document: D
    patch: Patch
    conflicts: tuple[Conflict, ...]
    theirs: Patch


def merge(base: D, mine: D, disk: D) -> Merge[D]:
    """Compare the files with their previous content, and with the document.

    Args:
        base: What the files said when they were read or written last.
        mine: The document.
        disk: What the files say now.
    """
    aligned_disk = align_ranks(base, disk)
    clean_changes: list[Change] = []
    theirs: list[Change] = []
    conflicts: list[Conflict] = []
    for change in difference(base, aligned_disk):
        own_row = mine.get(change.table, change.key)
        if same_rows(own_row, change.after):
            continue
        disk_change = Change(
            table=change.table, key=change.key, before=own_row, after=change.after, origin=disk.origin(*change.at)
        )
        if same_rows(own_row, change.before):
            clean_changes.append(disk_change)
            continue
        theirs.append(disk_change)
        conflicts.append(
            Conflict(table=change.table, key=change.key, mine=row_json(own_row), theirs=row_json(change.after))
        )
    return Merge(aligned_disk, tidy_changes(clean_changes), tuple(conflicts), tidy_changes(theirs))


def align_ranks(base: D, other: D) -> D:
    """Return a document with the ranks of another where the order is equal, so that few rows differ."""
    tables: dict[str, Mapping[str, Row]] = {}
    schema = other.schema
    for name in schema.tables:
        old_rows, new_rows = base.table(name), other.table(name)
        tables[name] = new_rows if name in schema.unranked else _align_ranks(old_rows, new_rows)
    aligned_document = type(other)(tables, other.origins)
    old_objects = tuple(
        Change(table=name, key=key, before=row, after=base.table(name)[key], origin=aligned_document.origin(name, key))
        for name in schema.tables
        for key, row in aligned_document.table(name).items()
        if base.get(name, key) == row
    )
    return apply(aligned_document, old_objects)  # comparing equal rows again is quick if they are the same objects


def _align_ranks(old: Mapping[str, Row], new: Mapping[str, Row]) -> dict[str, Row]:
    keys = [key for key, _ in sort_rows(new)]
    kept_keys = _longest_increasing([(key, old[key].rank) for key in keys if key in old])
    next_ranks: dict[str, float | None] = {}
    next_rank: float | None = None
    for key in reversed(keys):
        next_ranks[key] = next_rank
        next_rank = old[key].rank if key in kept_keys else next_rank
    aligned_rows: dict[str, Row] = {}
    rank = 0.0
    for key in keys:
        following_rank = next_ranks[key]
        middle_rank = rank + 1 if following_rank is None else (rank + following_rank) / 2
        rank = old[key].rank if key in kept_keys else middle_rank
        aligned_rows[key] = new[key] if new[key].rank == rank else new[key].model_copy(update={"rank": rank})
    return aligned_rows


def _longest_increasing(items: list[tuple[str, float]]) -> set[str]:
    """Return the keys of a longest increasing subsequence of ranks."""
    tail_ranks: list[float] = []
    tail_items: list[int] = []
    previous_items: list[int] = []
    for number, (_, rank) in enumerate(items):
        insert_index = bisect_left(tail_ranks, rank)
        previous_items.append(tail_items[insert_index - 1] if insert_index else -1)
        if insert_index == len(tail_ranks):
            tail_ranks.append(rank)
            tail_items.append(number)
        else:
            tail_ranks[insert_index], tail_items[insert_index] = rank, number
    rising_keys: set[str] = set()
    item_index = tail_items[-1] if tail_items else -1
    while item_index >= 0:
        rising_keys.add(items[item_index][0])
        item_index = previous_items[item_index]
    return rising_keys
