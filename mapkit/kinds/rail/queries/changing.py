"""Changes since another moment, row by row, and commands to take single ones back."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from pydantic import Field

from mapkit.core.base import Frozen, Point
from mapkit.core.geodesy import line_miles
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
from mapkit.kinds.rail.tables import City, Line, RailDocument
from mapkit.kinds.rail.variants.board_diff import diff_boards

# Changes of rows in words: the name of a row, and its differences.

GROUPS: Final[Mapping[str, str]] = {
    "railroads": "Railroads",
    "lines": "Lines",
    "places": "Places",
    "cities": "Cities",
    "regions": "Regions",
    "destinations": "Destination charts",
    "payoff_cities": "Cities of the payoff chart",
    "payoffs": "Payoffs",
    "settings": "Settings",
    "accepted": "Accepted findings",
    "declared": "Declared odds",
    "wanted": "Wishes for solved charts",
    "control_points": "Control points",
    "files": "Drawings",
}
"""Headings of the tables, in the order in which their changes are listed."""

_SHOWN: Final = 3
_LONG: Final = 60


def titled(change: Change, old: RailDocument, new: RailDocument) -> str:
    """Return the name of a changed row."""
    row: Any = change.after or change.before
    document = new if change.after is not None else old
    make = _TITLES.get(change.table)
    return make(change.key, row, document) if make is not None else change.key


def what_changed(change: Change, old: RailDocument, new: RailDocument) -> str:
    """Return the differences of a row: `price 30000 → 28000, moved 3.1 miles`."""
    if change.before is None:
        return _value_text(change.table, change.after, new)
    if change.after is None:
        was = _value_text(change.table, change.before, old)
        return f"was {was}" if was else ""
    if isinstance(change.before, Line) and isinstance(change.after, Line):
        return _line_text(change.before, change.after)
    parts = list(_field_texts(change.before, change.after, old, new))
    return ", ".join(parts) or "its place in the list"


def how(change: Change) -> How:
    """Return `added`, `removed` or `changed`."""
    if change.before is None:
        return "added"
    return "removed" if change.after is None else "changed"


def _field_texts(old_row: Row, after: Row, old: RailDocument, new: RailDocument) -> list[str]:
    was, now = old_row.model_dump(mode="json"), after.model_dump(mode="json")
    parts = []
    if "lon" in was and (was["lon"], was["lat"]) != (now["lon"], now["lat"]) and None not in (was["lon"], now["lon"]):
        miles = line_miles(((was["lon"], was["lat"]), (now["lon"], now["lat"])))
        parts.append(f"moved {miles:.1f} miles")
    for name, value in now.items():
        if name in ("rank", "lon", "lat") or was[name] == value:
            continue
        if name in ("content", "sha256"):
            parts = ["another content"]
            continue
        label = "" if name in ("value", "item", "thousands", "reason") else f"{name} "
        parts.append(f"{label}{_named(name, was[name], old)} → {_named(name, value, new)}")
    return parts


def _named(field: str, value: object, document: RailDocument) -> str:
    if value is None or value == "":
        return "none"
    if field == "item" and isinstance(value, str):
        return _item(value, document)
    if field == "region" and isinstance(value, str) and value in document.regions:
        return document.regions[value].name
    text = f"{value:g}" if isinstance(value, float) else str(value)
    return text if len(text) <= _LONG else f"{text[:_LONG]} …"


def _item(ident: str, document: RailDocument) -> str:
    row = document.cities.get(ident) or document.regions.get(ident)
    return row.name if row is not None else ident


def _value_text(table: str, row: Row | None, document: RailDocument) -> str:
    """Return the contents of an added or removed row, if its title does not have them."""
    value: Any = row
    if table == "payoffs":
        return _named("thousands", value.thousands, document)
    if table == "destinations":
        return _named("item", value.item, document)
    if table == "settings":
        return _named("value", value.value, document)
    if table == "accepted":
        return _named("reason", value.reason, document)
    if table == "lines":
        posts = sum(kind == "milepost" for _, kind in value.stops)
        return f"{posts} milepost{'' if posts == 1 else 's'}"
    return ""


def _line_text(old_line: Line, after: Line) -> str:
    parts = [
        f"{field} {getattr(old_line, field)} → {getattr(after, field)}"
        for field in ("railroad", "name", "file")
        if getattr(old_line, field) != getattr(after, field)
    ]
    was, now = dict(old_line.stops), dict(after.stops)
    for word, here, there in (("with", now, was), ("without", was, now)):
        other = [name for name, kind in here.items() if name not in there and kind == "milepost"]
        if other:
            more = f" and {len(other) - _SHOWN} more" if len(other) > _SHOWN else ""
            parts.append(f"{word} {', '.join(other[:_SHOWN])}{more}")
    bends = sum(k == "via" for _, k in after.stops) - sum(k == "via" for _, k in old_line.stops)
    if bends:
        parts.append(f"{abs(bends)} bend{'' if abs(bends) == 1 else 's'} {'more' if bends > 0 else 'fewer'}")
    if old_line.stops != after.stops and not parts:
        parts.append("reversed" if old_line.stops == after.stops[::-1] else "another course")
    return ", ".join(parts) or "its place in the list"


def _line_title(_key: str, row: Any, document: RailDocument) -> str:  # noqa: ANN401 - a row of the table
    railroad = document.railroads.get(row.railroad)
    return f"{row.name} ({railroad.short if railroad is not None else row.railroad})"


def _pair_title(key: str, _row: Any, document: RailDocument) -> str:  # noqa: ANN401
    return " - ".join(_item(ident, document) for ident in key.split("|"))


def _cell_title(key: str, _row: Any, document: RailDocument) -> str:  # noqa: ANN401
    chart, parity, total = key.split("/")
    region = document.regions.get(chart)
    name = "Regions" if chart == REGIONS else region.name if region is not None else chart
    return f"{name}, {parity} {total}"


def _name_title(_key: str, row: Any, _document: RailDocument) -> str:  # noqa: ANN401
    return str(row.name)


_TITLES: Final[Mapping[str, Callable[[str, Any, RailDocument], str]]] = {
    "railroads": _name_title,
    "regions": _name_title,
    "cities": _name_title,
    "wanted": _name_title,
    "lines": _line_title,
    "payoffs": _pair_title,
    "destinations": _cell_title,
    "payoff_cities": lambda key, _row, document: _item(key, document),
}


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
