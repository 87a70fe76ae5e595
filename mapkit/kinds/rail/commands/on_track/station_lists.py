"""Track of station lists as rows, and what commands change there written back into the lists.

Lines of which no piece changed stay as they are; others are cut or spliced where they changed, and new track becomes
lines of its own.
"""

from collections import Counter, defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import pairwise

from mapkit.core.base import Point
from mapkit.core.names import fold, joined_id, slug
from mapkit.document.document import Row
from mapkit.kinds.rail.commands.cities import leave_milepost
from mapkit.kinds.rail.commands.command import COMMANDS, CommandError, Draft
from mapkit.kinds.rail.commands.lines import ends_name, free_line_name, new_line
from mapkit.kinds.rail.commands.on_track.pieces import is_in_tables
from mapkit.kinds.rail.commands.stops import check_lines, drop_unused_places, put_place, put_stops
from mapkit.kinds.rail.compiler.board_rows import destination_rows, track_rows
from mapkit.kinds.rail.compiler.boards import Start
from mapkit.kinds.rail.compiler.compile import Compiled, compile_document
from mapkit.kinds.rail.compiler.network import listed_track
from mapkit.kinds.rail.editing.place_names import find_or_none, named_places
from mapkit.kinds.rail.sources.places import coordinate_name
from mapkit.kinds.rail.tables import City, Line, RailDocument, Stop, Track

_THROUGH = 2
_SAME_DEGREES = 0.05
"""A bend so near a new milepost of its name becomes the milepost."""


@COMMANDS.prepares
@contextmanager
def track_in_tables(draft: Draft) -> Iterator[Draft]:
    """Give a draft in which all mileposts and track stand in tables; what was changed there goes back into the lines.

    Raises:
        CommandError: Lines cannot say it.
    """
    live = None if is_in_tables(draft) else compile_document(draft.document, board_id="board")
    if live is None or not live.board.mileposts:
        yield draft
        return
    inner = Draft(_with_track_rows(live))
    inner.seed(Start(live))
    inner.begin(draft.origin)
    yield inner
    _Fold(draft, live, inner.base, inner.document).do()


def _with_track_rows(live: Compiled) -> RailDocument:
    """Return a document with rows of track instead of lines; its charts are typed, its cities name mileposts by id."""
    mileposts = {city.id: city.milepost for city in live.board.cities}
    cities = {key: row.model_copy(update={"milepost": mileposts[key]}) for key, row in live.document.cities.items()}
    tables = {**live.document.tables, **track_rows(live.board), "cities": cities, "lines": {}}
    if not live.document.destinations:
        tables["destinations"] = destination_rows(live.board)
    return RailDocument(tables)


@dataclass
class _Fold:
    """What is known while changes go back.

    Args:
        draft: The document with station lists.
        live: What it was compiled to.
        before: That as tables.
        after: The tables as they are to be.
    """

    draft: Draft
    live: Compiled
    before: RailDocument
    after: RailDocument
    names: dict[str, str] = field(default_factory=dict)
    """Milepost id -> the place's name in the lists."""
    vias: dict[tuple[str, Point], str] = field(default_factory=dict)
    """Railroad (or none) and position of a bend -> how it was typed."""
    rows: dict[str, dict[str, Row]] = field(default_factory=dict)
    """What stood in tables of mileposts, junctions and track."""
    tabled: set[str] = field(default_factory=set)
    """Pieces that stand in tables."""

    def do(self) -> None:
        """Change the draft."""
        self.rows = {table: dict(self.draft.table(table)) for table in ("mileposts", "junctions", "track")}
        for place, ident in sorted(self.live.laid.ids.items()):
            self.names.setdefault(ident, place)
        for ident in self.rows["mileposts"]:
            self.names.setdefault(ident, ident)
        for key, found in self.live.lines.items():
            line = self.draft.rows("lines", Line)[key]
            for stop, typed in zip(found.stops, found.typed, strict=True):
                if stop.kind == "via":
                    at = (round(stop.lon, 5), round(stop.lat, 5))
                    for railroad in (line.railroad, ""):
                        self.vias.setdefault((railroad, at), line.stops[typed][0])
        self._other_tables()
        self._rows()
        self._mileposts()
        touched = self._lines()
        self._cities()
        check_lines(self.draft, touched)

    def _other_tables(self) -> None:
        """Take over what has no track; a chart that is solved is typed where cells change."""
        for table in [name for name in self.after.schema.tables if name not in _TRACK]:
            then, now = self.before.table(table), self.after.table(table)
            changed = [key for key in {**then, **now} if then.get(key) is not now.get(key)]
            typed = table != "destinations" or not changed or self.draft.table(table)
            for key in changed if typed else now:
                if key in now:
                    self.draft.put(table, key, now[key])
                else:
                    self.draft.drop(table, key)

    # Rows of tables

    def _rows(self) -> None:
        """Take over what stands in tables, and what is new there because no list says it."""
        self.tabled = self._tabled()
        ends, others = (
            {end for key, row in self.after.track.items() if (key in self.tabled) == inside for end in (row.a, row.b)}
            for inside in (True, False)
        )
        in_lists = others | {row.milepost for row in self.after.cities.values()}
        mileposts = self.after.mileposts.keys() - self.before.mileposts.keys() - in_lists
        junctions = self.after.junctions.keys() - self.before.junctions.keys() - others
        stays = {
            "mileposts": self.rows["mileposts"].keys() | (ends - others) | mileposts,
            "junctions": self.rows["junctions"].keys() | junctions,
            "track": self.tabled,
        }
        for table, rows in self.rows.items():
            now = self.after.table(table)
            for key in rows.keys() - now.keys():
                self.draft.drop(table, key)
            for key in sorted(stays[table] & now.keys()):
                if rows.get(key) != now[key]:
                    self.draft.put(table, key, now[key])
        for ident in self.draft.table("mileposts"):
            self.names.setdefault(ident, ident)

    def _tabled(self) -> set[str]:
        """Return the pieces that stand in tables, or are to: of railroads without lines, and what no list says.

        That is a second track along the same places, and track to a junction of the tables.
        """
        listed = {row.railroad for row in self.draft.rows("lines", Line).values()}
        tabled = {row.railroad for row in self.rows["track"].values() if isinstance(row, Track)} - listed
        courses = Counter((t.railroad, t.a, t.b, t.bends) for t in self.after.track.values())
        out: set[str] = set()
        for key, row in sorted(self.after.track.items(), reverse=True):
            course = (row.railroad, row.a, row.b, row.bends)
            second = courses[course] > 1 and key not in self.before.track
            if key in self.rows["track"] or row.railroad in tabled or second or self._ends_in_tables(row):
                out.add(key)
                courses[course] -= 1
        return out

    def _ends_in_tables(self, row: Track) -> bool:
        """Return whether a piece leads to a junction of the tables."""
        return not self.rows["junctions"].keys().isdisjoint((row.a, row.b))

    # Mileposts

    def _mileposts(self) -> None:
        """Name the new mileposts of lines."""
        for ident, row in self.after.mileposts.items():
            if ident not in self.draft.table("mileposts") and ident not in self.before.mileposts:
                self.names[ident] = self._new_name(ident, row.name, (row.lon, row.lat))
                put_place(self.draft, self.names[ident], row.lon, row.lat)

    def _new_name(self, ident: str, name: str, at: Point) -> str:
        taken = named_places(self.draft.document)
        bend = find_or_none(self.draft.document, name) if fold(name) in taken else None
        posts = {fold(place) for place in (*self.live.laid.ids, *self.names.values())}
        here = bend is not None and max(abs(bend[0] - at[0]), abs(bend[1] - at[1])) < _SAME_DEGREES
        if slug(name) == ident and (fold(name) not in taken or (here and fold(name) not in posts)):
            return name
        wish, number = " ".join(part.capitalize() for part in ident.split("-")), 2
        text = wish
        while fold(text) in taken:
            text, number = f"{wish} {number}", number + 1
        return text

    # Track

    def _lines(self) -> set[str]:
        """Change the lines of the railroads whose track changed; return these."""
        changed = {
            row.railroad
            for one, other in ((self.before.track, self.after.track), (self.after.track, self.before.track))
            for key, row in one.items()
            if not _same(row, other.get(key)) and key not in self.rows["track"] and key not in self.tabled
        }
        for railroad in sorted(changed):
            _Railroad(self, railroad).do()
        gone = self.before.mileposts.keys() - self.after.mileposts.keys() - self.rows["mileposts"].keys()
        drop_unused_places(self.draft, [self.names[ident] for ident in gone if ident in self.names])
        return changed & self.draft.table("railroads").keys()

    # Cities

    def _cities(self) -> None:
        for ident in self.before.cities.keys() - self.after.cities.keys():
            leave_milepost(self.draft, ident, self.draft.rows("cities", City)[ident])
            self.draft.drop("cities", ident)


_TRACK = {"mileposts", "junctions", "track", "lines", "cities"}
"""Tables that differ where track stands in lists."""


def _same(one: Track, other: Row | None) -> bool:
    return isinstance(other, Track) and (one.railroad, one.a, one.b, one.bends) == (
        other.railroad,
        other.a,
        other.b,
        other.bends,
    )


@dataclass
class _Railroad:
    """The lines of one railroad, changed where its track changed."""

    fold: _Fold
    railroad: str
    used: set[str] = field(default_factory=set)

    def do(self) -> None:
        """Cut, splice and add lines."""
        self.kept = {
            key
            for key, row in self.fold.before.track.items()
            if row.railroad == self.railroad and _same(row, self.fold.after.track.get(key))
        }
        self.new = {
            key: row
            for key, row in self.fold.after.track.items()
            if row.railroad == self.railroad and key not in self.kept and key not in self.fold.tabled
        }
        self.arms: dict[str, list[str]] = defaultdict(list)
        for key, row in sorted(self.new.items()):
            self.arms[row.a].append(key)
            self.arms[row.b].append(key)
        pieces = [p for p in self.fold.live.board.pieces if p.railroad == self.railroad]
        self.hops = {frozenset(pair): p.id for p in pieces for pair in pairwise(p.line)}
        draft = self.fold.draft
        for key, line in list(draft.rows("lines", Line).items()):
            if line.railroad == self.railroad:
                self._line(key, line)
        if self.railroad not in draft.table("railroads"):
            return
        for stops in self._left():
            new_line(draft, self.railroad, free_line_name(draft, self.railroad, ends_name(stops)), stops)

    def _line(self, key: str, line: Line) -> None:
        found = self.fold.live.lines[key]
        typed = {n: at for at, n in enumerate(found.typed)}
        if len(typed) != len(line.stops):
            raise CommandError(f"a place of line {line.name!r} is not found; correct it first")
        spots = [(round(s.lon, 5), round(s.lat, 5)) for s in found.stops]
        owner = [self.hops.get(frozenset(pair)) for pair in pairwise(spots)]
        if all(piece in self.kept for piece in owner):
            return
        runs = self._runs(line, [stop.place for stop in found.stops], owner)
        draft = self.fold.draft
        if not runs:
            draft.drop("lines", key)
            return
        put_stops(draft, key, runs[0])
        for stops in runs[1:]:
            new_line(draft, line.railroad, free_line_name(draft, line.railroad, ends_name(stops)), stops, part_of=line)

    def _runs(self, line: Line, places: Sequence[str], owner: Sequence[str | None]) -> list[tuple[Stop, ...]]:
        """Return what is left of a line, with new track in the place of old where it leads from end to end."""
        out: list[list[Stop]] = [[line.stops[0]]]
        at = 0
        while at < len(owner):
            if owner[at] in self.kept:
                out[-1].append(line.stops[at + 1])
                at += 1
                continue
            end = at
            while end < len(owner) and owner[end] not in self.kept:
                end += 1
            at = self._replace(out, line, places, owner, (at, end))
        return [tuple(stops) for stops in out if len(stops) > 1]

    def _replace(
        self,
        out: list[list[Stop]],
        line: Line,
        places: Sequence[str],
        owner: Sequence[str | None],
        gone: tuple[int, int],
    ) -> int:
        """Lead a line on from one stop to another over new track, or cut it; return where it goes on."""
        start, end = gone
        first = next(n for n in range(start, end + 1) if n == end or owner[n] != owner[start])
        for to in dict.fromkeys((end, first)):  # all that is gone at once, or its first piece
            way = self._way(self._node(places[start]), self._node(places[to]))
            if way:
                out[-1].extend(self._stops(self._node(places[start]), way)[1:])
                return to
        out.append([line.stops[first]])
        return first

    def _node(self, place: str) -> str:
        """Return the id of the milepost or junction at a place of the lists."""
        ident = self.fold.live.laid.ids.get(place)
        return ident if ident is not None else joined_id(self.railroad, slug(place))

    def _way(self, start: str, end: str) -> list[str]:
        """Return the new pieces from one node to another, the fewest; none if they do not lead there."""
        came: dict[str, str] = {start: ""}
        queue = deque([start])
        while queue:
            at = queue.popleft()
            for key in self.arms.get(at, ()):
                far = self.new[key].b if self.new[key].a == at else self.new[key].a
                if far == end and far != start:
                    way = [key]
                    while at != start:
                        way.append(came[at])
                        row = self.new[came[at]]
                        at = row.a if row.b == at else row.b
                    self.used.update(way)
                    return way[::-1]
                if far not in came:
                    came[far] = key
                    queue.append(far)
        return []

    def _stops(self, start: str, way: Sequence[str]) -> list[Stop]:
        """Return the stops of new track from a node on."""
        out, at = [self._stop(start)], start
        for key in way:
            row = self.new[key]
            bends, far = (row.bends, row.b) if row.a == at else (row.bends[::-1], row.a)
            out += [(self._via(point), "via") for point in bends]
            out.append(self._stop(far))
            at = far
        return out

    def _via(self, point: Point) -> str:
        """Return how a bend was typed in the lists, or its coordinates."""
        name = self.fold.vias.get((self.railroad, point))
        if name is None:  # track that was another railroad's: no place may be via and milepost of one railroad
            name = self.fold.vias.get(("", point), "")
            name = "" if slug(name) in self.fold.after.mileposts else name
        return name or _bend(point)

    def _stop(self, node: str) -> Stop:
        if node in self.fold.after.mileposts:
            return self.fold.names[node], "milepost"
        junction = self.fold.after.junctions[node]
        for known in listed_track(self.fold.live.db, self.railroad).junctions:
            if known.id == node and (known.lon, known.lat) == (junction.lon, junction.lat):
                return known.name, "via"
        return _bend((junction.lon, junction.lat)), "via"

    def _left(self) -> Iterator[tuple[Stop, ...]]:
        """Yield lines of the new track that no line took up, strung together where just two pieces meet."""
        left = {key: row for key, row in self.new.items() if key not in self.used}
        arms: Mapping[str, list[str]] = defaultdict(list)
        for key, row in sorted(left.items()):
            arms[row.a].append(key)
            arms[row.b].append(key)
        ends = [node for node in sorted(arms) if len(arms[node]) != _THROUGH]
        for start in [*ends, *sorted(arms)]:  # what is left after all ends are rings
            while first := next((key for key in arms[start] if key in left), None):
                way, at = [first], start
                while True:
                    row = left.pop(way[-1])
                    at = row.b if row.a == at else row.a
                    onward = next((key for key in arms[at] if key in left), None)
                    if len(arms[at]) != _THROUGH or onward is None:
                        break
                    way.append(onward)
                yield tuple(self._stops(start, way))


def _bend(point: Point) -> str:
    return coordinate_name(*point)
