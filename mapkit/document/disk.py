"""Files that changed under the editor: what changed in them, and whether that fits what is not saved yet."""

from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, Literal

from mapkit.document.changes import Change, Conflict, Patch, apply, difference, row_json, same_rows, tidy
from mapkit.document.document import D, Document, Row, ordered

Take = Literal["disk", "mine"]


@dataclass(frozen=True)
class Merge(Generic[D]):
    """Changes on disk that can be taken in, and those that need a choice.

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


def merge(before: D, mine: D, disk: D) -> Merge[D]:
    """Compare the files with what they were, and with the document.

    Args:
        before: What the files said when they were read or written last.
        mine: The document.
        disk: What the files say now.
    """
    now = aligned(before, disk)
    clean: list[Change] = []
    theirs: list[Change] = []
    conflicts: list[Conflict] = []
    for change in difference(before, now):
        own = mine.get(change.table, change.key)
        if same_rows(own, change.after):
            continue
        taken = Change.model_construct(
            table=change.table, key=change.key, before=own, after=change.after, origin=disk.origin(*change.at)
        )
        if same_rows(own, change.before):
            clean.append(taken)
            continue
        theirs.append(taken)
        conflicts.append(
            Conflict(table=change.table, key=change.key, mine=row_json(own), theirs=row_json(change.after))
        )
    return Merge(now, tidy(clean), tuple(conflicts), tidy(theirs))


def aligned(before: D, other: D) -> D:
    """Return a document with the ranks of another where the order is the same, so that few rows differ."""
    tables: dict[str, Mapping[str, Row]] = {}
    schema = other.schema
    for name in schema.tables:
        old, new = before.table(name), other.table(name)
        tables[name] = new if name in schema.unranked else _aligned(old, new)
    out = type(other)(tables, other.origins)
    return apply(out, tuple(_same_objects(before, out)))


def _same_objects(before: Document, other: Document) -> list[Change]:
    """Return changes that put the old row objects back where rows are equal: comparing them again is quick then."""
    return [
        Change.model_construct(
            table=name, key=key, before=row, after=before.table(name)[key], origin=other.origin(name, key)
        )
        for name in other.schema.tables
        for key, row in other.table(name).items()
        if before.get(name, key) == row
    ]


def _aligned(old: Mapping[str, Row], new: Mapping[str, Row]) -> dict[str, Row]:
    keys = [key for key, _ in ordered(new)]
    kept = _rising([(key, old[key].rank) for key in keys if key in old])
    following: dict[str, float | None] = {}
    ahead: float | None = None
    for key in reversed(keys):
        following[key] = ahead
        ahead = old[key].rank if key in kept else ahead
    out: dict[str, Row] = {}
    at = 0.0
    for key in keys:
        behind = following[key]
        between = at + 1 if behind is None else (at + behind) / 2
        at = old[key].rank if key in kept else between
        out[key] = new[key] if new[key].rank == at else new[key].model_copy(update={"rank": at})
    return out


def _rising(items: list[tuple[str, float]]) -> set[str]:
    """Return the keys of a longest rising row of ranks."""
    tails: list[float] = []
    ends: list[int] = []
    before: list[int] = []
    for number, (_, rank) in enumerate(items):
        spot = bisect_left(tails, rank)
        before.append(ends[spot - 1] if spot else -1)
        if spot == len(tails):
            tails.append(rank)
            ends.append(number)
        else:
            tails[spot], ends[spot] = rank, number
    out: set[str] = set()
    at = ends[-1] if ends else -1
    while at >= 0:
        out.add(items[at][0])
        at = before[at]
    return out
