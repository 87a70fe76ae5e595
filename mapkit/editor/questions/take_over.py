"""A changed board brought back into the document: the rows that differ, as one command."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from mapkit.editor.changes import apply, same_rows
from mapkit.editor.commands import read_command
from mapkit.editor.document import Document, Row
from mapkit.editor.live.board import LiveBoard, live_board, refit
from mapkit.editor.opening import document_of
from mapkit.errors import MapkitError
from mapkit.exchange.board_source import board_to_source_files
from mapkit.exchange.source_names import name_places
from mapkit.model.board import Board, Piece
from mapkit.sources.names import fold
from mapkit.sources.places import coordinate_name
from mapkit.variants.board_diff import diff_boards

_MOST_TOLD = 20


@dataclass
class _Taking:
    """What is known while rows are gathered."""

    live: LiveBoard
    base: Board
    target: Board
    made: Document
    rows: dict[tuple[str, str], dict[str, Any] | None] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    """Milepost id -> the place's name in the document."""

    @property
    def document(self) -> Document:
        return self.live.document

    def put(self, table: str, key: str, row: Mapping[str, Any]) -> None:
        self.rows[table, key] = dict(row)

    def drop(self, table: str, key: str) -> None:
        self.rows[table, key] = None

    def copy_table(self, table: str) -> None:
        """Make a table say what the made document says, touching only rows that differ."""
        old, new = self.document.table(table), self.made.table(table)
        for key in old.keys() - new.keys():
            self.drop(table, key)
        for key, row in new.items():
            if not same_rows(old.get(key), row):
                self.put(table, key, _plain(row))


def _plain(row: Row) -> dict[str, Any]:
    return row.model_dump(mode="json", exclude={"rank"})


def taken_over(live: LiveBoard, base: Board, target: Board, label: str) -> dict[str, Any]:
    """Return the command that makes of the document what `target` is, and what it cannot say.

    Args:
        live: The open board.
        base: Its board.
        target: What it is to be.
        label: What undo will say.

    Returns:
        `command`, null if there is nothing to do or something is `left`; `left`, differences in sentences; `anew`,
        the railroads whose lines are written anew.
    """
    if diff_boards(base, target).same:
        return {"command": None, "left": [], "anew": []}
    try:
        made = document_of(board_to_source_files(target, file="a variant"))
    except MapkitError as error:
        return {"command": None, "left": [str(error)], "anew": []}
    take = _Taking(live, base, target, made)
    _settings(take)
    if base.regions != target.regions:
        take.copy_table("regions")
    _railroads(take)
    _places(take)
    anew, problem = _lines(take)
    if problem:
        return {"command": None, "left": [problem], "anew": []}
    _cities(take)
    _charts(take)
    command = {
        "kind": "set-rows",
        "label": label,
        "rows": [{"table": table, "key": key, "row": row} for (table, key), row in take.rows.items()],
    }
    left = _left(live, target, command) if take.rows else ["nothing of it can be said in the tables of the board"]
    return {"command": None if left else command, "left": left, "anew": anew}


def _left(live: LiveBoard, target: Board, command: dict[str, Any]) -> list[str]:
    """Return what would still differ after the command."""
    try:
        after = apply(live.document, read_command(command).plan(live.document).patch)
    except MapkitError as error:
        return [str(error)]
    done = live_board(after, board_id=live.id, before=live)
    if done.settings.config.page != live.settings.config.page or target.projection != live.board.projection:
        done = refit(done)
    named = {m.id: m.name for m in done.board.mileposts}
    # a place's state is shown only where another has its name
    same = {f"milepost:{m.id}" for m in target.mileposts if m.name.rpartition(" ")[0] == named.get(m.id)}
    steps = diff_boards(done.board, target).story
    return [s.text for s in steps if s.kind != "milepost renamed" or not same.issuperset(s.elements)][:_MOST_TOLD]


def _settings(take: _Taking) -> None:
    old, new, made = take.base, take.target, take.made.table("settings")
    differ = {
        "title": old.title != new.title,
        "page": old.page != new.page,
        "projection": old.projection.crs != new.projection.crs,
        "rules": old.rules != new.rules,
        "units": old.units != new.units,
    }
    parts = [part for part, other in differ.items() if other]
    for key in take.document.table("settings"):
        if key.split(".")[0] in parts:
            take.drop("settings", key)
    for key, row in made.items():
        if key.split(".")[0] in parts:
            take.put("settings", key, _plain(row))
    for finding, reason in sorted(new.provenance.accepted.items()):
        if old.provenance.accepted.get(finding) != reason:
            take.put("accepted", finding, {"reason": reason})


def _railroads(take: _Taking) -> None:
    old = {r.id: r for r in take.base.railroads}
    new = {r.id: r for r in take.target.railroads}
    for ident in sorted(old.keys() - new.keys()):
        take.drop("railroads", ident)
    for ident, railroad in sorted(new.items()):
        if old.get(ident) != railroad:
            take.put("railroads", ident, _plain(take.made.table("railroads")[ident]))


def _places(take: _Taking) -> None:
    """Name the mileposts, and move those that moved."""
    known: dict[str, str] = {}
    for place, ident in sorted(take.live.laid.ids.items()):
        known.setdefault(ident, place)
    used = {fold(place) for place in take.live.laid.ids}
    made = name_places(take.target)
    old = {m.id: m for m in take.base.mileposts}
    cities = {fold(c.milepost_name): c for c in take.document.cities.values()}
    at_city = {city.milepost for city in take.target.cities}
    for milepost in take.target.mileposts:
        before, place = old.get(milepost.id), known.get(milepost.id, "")
        if not place or (before is not None and before.name != milepost.name):
            place, number = made.mileposts[milepost.id], 2
            while fold(place) in used and known.get(milepost.id) != place:
                place, number = f"{made.mileposts[milepost.id]} {number}", number + 1
            used.add(fold(place))
        take.names[milepost.id] = place
        moved = before is None or (before.lon, before.lat) != (milepost.lon, milepost.lat)
        renamed = place != known.get(milepost.id, "")
        if (moved or renamed) and milepost.id not in at_city and not (fold(place) in cities and not renamed):
            take.put("places", place, {"lon": milepost.lon, "lat": milepost.lat})


def _key(piece: Piece) -> tuple[object, ...]:
    return piece.railroad, piece.a, piece.b, piece.line[1:-1]


def _lines(take: _Taking) -> tuple[list[str], str]:
    """Write the lines of railroads whose track differs; return those written anew, and what forbids it."""
    old: dict[str, set[tuple[object, ...]]] = {}
    new: dict[str, set[tuple[object, ...]]] = {}
    for found, board in ((old, take.base), (new, take.target)):
        for piece in board.pieces:
            found.setdefault(piece.railroad, set()).add(_key(piece))
    known: dict[str, str] = {}
    for place, ident in take.live.laid.ids.items():
        known.setdefault(ident, place)
    renamed = {ident for ident, place in take.names.items() if ident in known and known[ident] != place}
    touched = {p.railroad for p in take.target.pieces if p.a in renamed or p.b in renamed}
    changed = sorted(r for r in old.keys() | new.keys() if old.get(r) != new.get(r) or r in touched)
    if changed and take.document.table("files"):
        return [], "the track of this board lies in traced files; take over its lines first, then this can be taken"
    anew = []
    for railroad in changed:
        only_more = old.get(railroad, set()) <= new.get(railroad, set()) and railroad not in touched
        if not only_more:
            _drop_lines(take, railroad)
            if railroad in new:
                anew.append(railroad)
        _write_lines(take, railroad, old.get(railroad, set()) if only_more else set())
    return anew, ""


def _drop_lines(take: _Taking, railroad: str) -> None:
    for key, line in take.document.lines.items():
        if line.railroad == railroad:
            take.drop("lines", key)


def _write_lines(take: _Taking, railroad: str, kept: set[tuple[object, ...]]) -> None:
    """Write the pieces of a railroad as lines, but those that lines of the document have already."""
    posts = {name: ident for ident, name in name_places(take.target).mileposts.items()}
    there = {piece.id for piece in take.target.pieces if _key(piece) in kept}
    for key, line in take.made.lines.items():
        if line.railroad != railroad or line.name in there:
            continue
        last = len(line.stops) - 1
        stops = [[_stop(take, posts, place, end=at in (0, last)), kind] for at, (place, kind) in enumerate(line.stops)]
        free, number = key, 2
        while kept and free in take.document.lines:
            free, number = f"{key}-{number}", number + 1
        take.put("lines", free, {**_plain(line), "stops": stops})


def _stop(take: _Taking, posts: Mapping[str, str], place: str, *, end: bool) -> str:
    ident = posts.get(place)
    if ident is not None:
        return take.names[ident]
    row = take.made.places.get(place)
    if row is None:
        return place
    if end:  # a junction: a place that pieces share
        if place not in take.document.places:
            take.put("places", place, {"lon": row.lon, "lat": row.lat})
        return place
    return coordinate_name(row.lon, row.lat)


def _cities(take: _Taking) -> None:
    old = {c.id: c for c in take.base.cities}
    new = {c.id: c for c in take.target.cities}
    was = {m.id: (m.lon, m.lat) for m in take.base.mileposts}
    at = {m.id: (m.lon, m.lat) for m in take.target.mileposts}
    for ident in sorted(old.keys() - new.keys()):
        take.drop("cities", ident)
    for ident, city in sorted(new.items()):
        there = take.document.cities.get(ident)
        lon, lat = at[city.milepost]
        if there is not None and old.get(ident) == city and was.get(city.milepost) == (lon, lat):
            continue
        made = take.made.cities[ident]
        row = _plain(there) if there is not None else {"weight": None}
        place = take.names[city.milepost]
        take.put(
            "cities",
            ident,
            row
            | {
                "name": made.name,
                "region": city.region,
                "lon": lon,
                "lat": lat,
                "milepost": "" if place == made.name else place,
            },
        )


def _charts(take: _Taking) -> None:
    old, new = take.base, take.target
    for chart in sorted({*old.destinations, *new.destinations}):
        if old.destinations.get(chart) == new.destinations.get(chart):
            continue
        for key in take.document.table("destinations"):
            if key.startswith(f"{chart}/") and key not in take.made.table("destinations"):
                take.drop("destinations", key)
        for key, row in take.made.table("destinations").items():
            if key.startswith(f"{chart}/") and not same_rows(take.document.table("destinations").get(key), row):
                take.put("destinations", key, _plain(row))
    if old.payoffs != new.payoffs:
        take.copy_table("payoff_cities")
        take.copy_table("payoffs")
    if old.declared != new.declared:
        take.copy_table("declared")
