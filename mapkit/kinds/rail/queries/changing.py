"""Changes since another moment, row by row, and commands to take single ones back."""

from collections.abc import Iterable, Iterator
from typing import Final

from pydantic import Field

from mapkit.core.base import Frozen, Point
from mapkit.document.changes import Change, Patch, difference, row_json
from mapkit.document.document import Row
from mapkit.kinds.protocol import QueryResult, SentCommand
from mapkit.kinds.queries import QueryError
from mapkit.kinds.rail.commands import CommandError, read_command
from mapkit.kinds.rail.live.finding_locations import FindingLocations
from mapkit.kinds.rail.model.board import REGIONS
from mapkit.kinds.rail.model.difference import How, StoryStep
from mapkit.kinds.rail.queries.moments import Moment, document_at
from mapkit.kinds.rail.queries.question import Asked, question
from mapkit.kinds.rail.queries.row_texts import GROUPS, how, titled, what_changed
from mapkit.kinds.rail.tables import City, Line, RailDocument
from mapkit.kinds.rail.variants.board_diff import diff_boards

SHOWN: Final = 400
"""Rows of a table that are listed one by one."""

At = tuple[str, str]


class ChangesSince(Frozen):
    """The moment to compare with."""

    since: Moment = "saved"


class ChangedRow(Frozen):
    """Changed row: its name, its differences, and its position in page millimetres."""

    table: str
    key: str
    how: How
    title: str
    text: str
    at: Point | None


class ChangedTable(Frozen):
    """The changes of a table; the first 400 are listed."""

    table: str
    title: str
    count: int
    rows: tuple[ChangedRow, ...]


class ChangesFound(QueryResult):
    """Differences by meaning and by table."""

    count: int
    story: tuple[StoryStep, ...]
    groups: tuple[ChangedTable, ...]


@question("changes", ChangesSince, ChangesFound)
def changes(ask: ChangesSince, asked: Asked) -> ChangesFound:
    """Return the differences."""
    old = document_at(asked, ask.since)
    patch = difference(old, asked.document)
    if not patch:
        return ChangesFound(count=0, story=(), groups=())
    then = asked.live.recompile(old)
    now_places, old_places = FindingLocations.read(asked.live.db), FindingLocations.read(then.db)
    groups = []
    for table, title in GROUPS.items():
        mine = [change for change in patch if change.table == table]
        rows = tuple(
            ChangedRow(
                table=table,
                key=change.key,
                how=how(change),
                title=titled(change, old, asked.document),
                text=what_changed(change, old, asked.document),
                at=_place(change, now_places if change.after is not None else old_places),
            )
            for change in mine[:SHOWN]
        )
        if mine:
            groups.append(ChangedTable(table=table, title=title, count=len(mine), rows=rows))
    story = diff_boards(then.board, asked.live.board).story
    return ChangesFound(count=len(patch), story=story, groups=tuple(groups))


def _place(change: Change, places: FindingLocations) -> Point | None:
    """Return where a row is: its own place, or that of the first thing it names."""
    keys = [change.key]
    if change.table == "payoffs":
        keys = change.key.split("|")
    elif change.table == "destinations":
        keys = [str(getattr(change.after or change.before, "item", "")), change.key.split("/")[0]]
    elif change.table == "accepted":
        keys = change.key.split(":")[1:]
    for key in keys:
        found = places.of_row(change.table, key)
        if found:
            return round(found[0][0], 3), round(found[0][1], 3)
    return None


class Revert(Frozen):
    """Rows to put back as they were at a moment; none: all that are different."""

    rows: tuple[At, ...] = Field(default=(), max_length=50_000)
    since: Moment = "saved"


class GoesAlong(Frozen):
    """A change that must be taken back with others: its title, and the title of its table."""

    title: str
    how: How
    group: str


class Reverting(QueryResult):
    """The command that puts rows back, and the changes that must go with them."""

    command: SentCommand
    along: tuple[GoesAlong, ...]


@question("revert", Revert, Reverting)
def revert(ask: Revert, asked: Asked) -> Reverting:
    """Return the command that puts rows back, and the changes that must go with them.

    What was added and needs a row that goes away goes too; what was removed comes back with the row that needs it, or
    that it needed.
    """
    old = document_at(asked, ask.since)
    patch = difference(old, asked.document)
    wanted = set(ask.rows) or {change.at for change in patch}
    chosen = [change for change in patch if change.at in wanted]
    if not chosen:
        raise QueryError("this would change nothing")
    along = list(_companions(chosen, patch, old, asked.document))
    rows = [
        {"table": c.table, "key": c.key, "row": row_json(c.before)}
        for c in sorted([*chosen, *along], key=lambda c: c.at)
    ]
    named = titled(chosen[0], old, asked.document)
    label = f"Take back {named}" + (f" and {len(rows) - 1} more" if len(rows) > 1 else "")
    try:
        command = read_command({"kind": "set-rows", "label": label[:200], "rows": rows})
        command.plan(asked.document)
    except CommandError as error:
        raise QueryError(f"this cannot be taken back alone: {error}; take back the later steps with it") from error
    return Reverting(
        command=command,
        along=tuple(GoesAlong(title=titled(c, old, asked.document), how=how(c), group=GROUPS[c.table]) for c in along),
    )


def _companions(chosen: Iterable[Change], patch: Patch, old: RailDocument, now: RailDocument) -> Iterator[Change]:
    """Yield the changes that have to be taken back together with the chosen ones."""
    taken = {change.at for change in chosen}
    waiting = list(chosen)
    left = [change for change in patch if change.at not in taken]
    needs_now = {change.at: set(_needs(change.at, change.after, now)) for change in left}
    needed = {change.at: set(_needs(change.at, change.before, old)) for change in left if change.after is None}
    while waiting:
        change = waiting.pop()
        required = set(_needs(change.at, change.before, old))
        for other in list(left):
            goes = change.before is None and change.at in needs_now[other.at]
            back = change.after is None and change.at in needed.get(other.at, ())
            comes = back or (other.after is None and other.at in required)
            if goes or comes:
                left.remove(other)
                waiting.append(other)
                yield other


def _needs(at: At, row: Row | None, document: RailDocument) -> Iterator[At]:
    """Yield the rows that a row refers to."""
    if row is None:
        return
    table, key = at
    if isinstance(row, City):
        yield "regions", row.region
    elif isinstance(row, Line):
        yield "railroads", row.railroad
        for place, _ in row.stops:
            yield "places", place
            yield from (("cities", ident) for ident in document.cities if document.cities[ident].name == place)
    elif table == "destinations":
        chart = key.split("/")[0]
        if chart != REGIONS:
            yield "regions", chart
        yield ("regions" if chart == REGIONS else "cities"), str(getattr(row, "item", ""))
    elif table == "payoff_cities":
        yield "cities", key
    elif table == "payoffs":
        yield from (("payoff_cities", ident) for ident in key.split("|"))
    elif table == "declared":
        yield from (("cities", str(getattr(row, "item", ""))), ("regions", str(getattr(row, "item", ""))))
