"""Track of station lists as rows, and conversion of changed rows back to station lists.

Lines without changed pieces stay as they are; others are cut or spliced where they changed, and new track becomes new
lines.
"""

from collections import Counter, defaultdict, deque
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from itertools import pairwise

from mapkit.core.base import Point
from mapkit.core.names import fold, joined_id, slug
from mapkit.document.document import Row
from mapkit.kinds.rail.commands.cities import leave_milepost
from mapkit.kinds.rail.commands.command import COMMANDS, CommandError, Draft
from mapkit.kinds.rail.commands.lines import add_line_row, free_line_name, line_name_from_ends
from mapkit.kinds.rail.commands.on_track.line_rows import track_in_lines
from mapkit.kinds.rail.commands.on_track.pieces import is_in_tables
from mapkit.kinds.rail.commands.on_track.tabled_lines import join_pieces
from mapkit.kinds.rail.commands.stops import check_lines, drop_unused_places, put_place, put_stops
from mapkit.kinds.rail.compiler.board_rows import destination_rows, track_rows
from mapkit.kinds.rail.compiler.boards import Start
from mapkit.kinds.rail.compiler.compile import Compiled, compile_document
from mapkit.kinds.rail.compiler.network import listed_track
from mapkit.kinds.rail.editing.place_names import find_or_none, named_places
from mapkit.kinds.rail.sources.places import coordinate_name
from mapkit.kinds.rail.tables import City, Line, RailDocument, Stop, Track

_MAX_SAME_DEG = 0.05
"""A bend this near a new milepost of its name becomes the milepost."""


@COMMANDS.converts
def convert_track(draft: Draft, form: str) -> AbstractContextManager[Draft]:
    """Return a draft with all track in rows (`track`), or in lines (`lines`); changes are converted back."""
    return track_in_tables(draft) if form == "track" else track_in_lines(draft)


@contextmanager
def track_in_tables(draft: Draft) -> Iterator[Draft]:
    """Yield a draft with all mileposts and track in tables, and write its changes back into the lines.

    Raises:
        CommandError: Lines cannot say it.
    """
    compiled = None if is_in_tables(draft) else compile_document(draft.document, board_id="board")
    if compiled is None or not compiled.board.mileposts:
        yield draft
        return
    milepost_of_city = {city.id: city.milepost for city in compiled.board.cities}
    city_rows = {
        key: row.model_copy(update={"milepost": milepost_of_city[key]}) for key, row in compiled.document.cities.items()
    }
    tables = {**compiled.document.tables, **track_rows(compiled.board), "cities": city_rows, "lines": {}}
    if not compiled.document.destinations:
        tables["destinations"] = destination_rows(compiled.board)
    inner_draft = Draft(RailDocument(tables))
    inner_draft.seed(Start(compiled))
    inner_draft.begin(draft.origin)
    yield inner_draft
    _ListWriter(draft, compiled, inner_draft.base, inner_draft.document).write_back()


@dataclass
class _ListWriter:
    """Writer of changed rows of track into station lists.

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
    """Railroad (or none) and position of a bend -> its name as typed."""
    rows: dict[str, dict[str, Row]] = field(default_factory=dict)
    """Rows of mileposts, junctions and track before the changes."""
    tabled: set[str] = field(default_factory=set)
    """Pieces in tables."""

    def write_back(self) -> None:
        """Change the draft."""
        self.rows = {table: dict(self.draft.table(table)) for table in ("mileposts", "junctions", "track")}
        for place, ident in sorted(self.live.laid.ids.items()):
            self.names.setdefault(ident, place)
        for ident in self.rows["mileposts"]:
            self.names.setdefault(ident, ident)
        for key, found_line in self.live.lines.items():
            line = self.draft.rows("lines", Line)[key]
            for stop, typed in zip(found_line.stops, found_line.typed, strict=True):
                if stop.kind == "via":
                    via_position = (round(stop.lon, 5), round(stop.lat, 5))
                    for railroad in (line.railroad, ""):
                        self.vias.setdefault((railroad, via_position), line.stops[typed][0])
        self._write_other_tables()
        self._write_table_rows()
        for ident, row in self.after.mileposts.items():
            if ident not in self.draft.table("mileposts") and ident not in self.before.mileposts:
                self.names[ident] = self._new_name(ident, row.name, (row.lon, row.lat))
                put_place(self.draft, self.names[ident], row.lon, row.lat)
        touched = self._write_lines()
        for ident in self.before.cities.keys() - self.after.cities.keys():
            leave_milepost(self.draft, ident, self.draft.rows("cities", City)[ident])
            self.draft.drop("cities", ident)
        check_lines(self.draft, touched)

    def _write_other_tables(self) -> None:
        """Write the tables without track; a solved chart becomes typed if its cells change."""
        for table in [name for name in self.after.schema.tables if name not in _TRACK_TABLES]:
            rows_before, rows_after = self.before.table(table), self.after.table(table)
            changed_keys = [
                key for key in {**rows_before, **rows_after} if rows_before.get(key) is not rows_after.get(key)
            ]
            is_typed = table != "destinations" or not changed_keys or self.draft.table(table)
            for key in changed_keys if is_typed else rows_after:
                if key in rows_after:
                    self.draft.put(table, key, rows_after[key])
                else:
                    self.draft.drop(table, key)

    # Rows of tables

    def _write_table_rows(self) -> None:
        """Write rows of tables, and new rows that no list can express."""
        self.tabled = self._find_tabled_pieces()
        table_nodes, list_nodes = (
            {
                end
                for key, row in self.after.track.items()
                if (key in self.tabled) == is_in_table
                for end in (row.a, row.b)
            }
            for is_in_table in (True, False)
        )
        in_lists = list_nodes | {row.milepost for row in self.after.cities.values()}
        new_mileposts = {
            key
            for key in self.after.mileposts.keys() - self.before.mileposts.keys()
            if key not in in_lists or slug(self.after.mileposts[key].name) != key
        }
        new_junctions = self.after.junctions.keys() - self.before.junctions.keys() - list_nodes
        kept_rows = {
            "mileposts": self.rows["mileposts"].keys() | (table_nodes - list_nodes) | new_mileposts,
            "junctions": self.rows["junctions"].keys() | new_junctions,
            "track": self.tabled,
        }
        for table, rows in self.rows.items():
            rows_after = self.after.table(table)
            for key in rows.keys() - rows_after.keys():
                self.draft.drop(table, key)
            for key in sorted(kept_rows[table] & rows_after.keys()):
                if rows.get(key) != rows_after[key]:
                    self.draft.put(table, key, rows_after[key])
        for ident in self.draft.table("mileposts"):
            self.names.setdefault(ident, ident)

    def _find_tabled_pieces(self) -> set[str]:
        """Return the pieces in tables: of railroads without lines, or not expressible in lists.

        That is second track along the same places, track to a junction of the tables, and track with an id of its own.
        """
        in_lists = {row.railroad for row in self.draft.rows("lines", Line).values()}
        in_tables = {row.railroad for row in self.rows["track"].values() if isinstance(row, Track)} - in_lists
        course_counts = Counter((t.railroad, t.a, t.b, t.bends) for t in self.after.track.values())
        tabled_pieces: set[str] = set()
        for key, row in sorted(self.after.track.items(), reverse=True):
            course = (row.railroad, row.a, row.b, row.bends)
            is_second_track = course_counts[course] > 1 and key not in self.before.track
            if (
                key in self.rows["track"]
                or row.railroad in in_tables
                or is_second_track
                or (key not in self.before.track and _has_own_id(key, row))
                or (not self.rows["junctions"].keys().isdisjoint((row.a, row.b)))
            ):
                tabled_pieces.add(key)
                course_counts[course] -= 1
        return tabled_pieces

    # Mileposts

    def _new_name(self, ident: str, name: str, at: Point) -> str:
        taken_names = named_places(self.draft.document)
        bend_xy = find_or_none(self.draft.document, name) if fold(name) in taken_names else None
        milepost_names = {fold(place) for place in (*self.live.laid.ids, *self.names.values())}
        is_at_bend = bend_xy is not None and max(abs(bend_xy[0] - at[0]), abs(bend_xy[1] - at[1])) < _MAX_SAME_DEG
        if slug(name) == ident and (fold(name) not in taken_names or (is_at_bend and fold(name) not in milepost_names)):
            return name
        wished_name, number = " ".join(part.capitalize() for part in ident.split("-")), 2
        free_name = wished_name
        while fold(free_name) in taken_names:
            free_name, number = f"{wished_name} {number}", number + 1
        return free_name

    # Track

    def _write_lines(self) -> set[str]:
        """Change the lines of the railroads with changed track; return these."""
        changed_railroads = {
            row.railroad
            for own_track, other_track in ((self.before.track, self.after.track), (self.after.track, self.before.track))
            for key, row in own_track.items()
            if not _is_same_course(row, other_track.get(key))
            and key not in self.rows["track"]
            and key not in self.tabled
        }
        for railroad in sorted(changed_railroads):
            _RailroadWriter(self, railroad).write_back()
        dropped_mileposts = self.before.mileposts.keys() - self.after.mileposts.keys() - self.rows["mileposts"].keys()
        drop_unused_places(self.draft, [self.names[ident] for ident in dropped_mileposts if ident in self.names])
        return changed_railroads & self.draft.table("railroads").keys()

    # Cities


_TRACK_TABLES = {"mileposts", "junctions", "track", "lines", "cities"}
"""Tables that differ between track in lists and in tables."""


def _has_own_id(key: str, row: Track) -> bool:
    """Return whether a piece has another id than its railroad and ends give."""
    usual_id = joined_id(row.railroad, *sorted(end.removeprefix(f"{row.railroad}--") for end in (row.a, row.b)))
    return key != usual_id and not key.startswith(f"{usual_id}--")


def _is_same_course(one: Track, other: Row | None) -> bool:
    return isinstance(other, Track) and (one.railroad, one.a, one.b, one.bends) == (
        other.railroad,
        other.a,
        other.b,
        other.bends,
    )


@dataclass
class _RailroadWriter:
    """Writer of one railroad's changed track into its lines."""

    fold: _ListWriter
    railroad: str
    used: set[str] = field(default_factory=set)

    def write_back(self) -> None:
        """Cut, splice and add lines."""
        self.kept = {
            key
            for key, row in self.fold.before.track.items()
            if row.railroad == self.railroad and _is_same_course(row, self.fold.after.track.get(key))
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
        railroad_pieces = [p for p in self.fold.live.board.pieces if p.railroad == self.railroad]
        self.hops = {frozenset(pair): p.id for p in railroad_pieces for pair in pairwise(p.line)}
        draft = self.fold.draft
        for key, line in list(draft.rows("lines", Line).items()):
            if line.railroad == self.railroad:
                self._write_line(key, line)
        if self.railroad not in draft.table("railroads"):
            return
        for new_stops in self._join_unused_pieces():
            add_line_row(
                draft, self.railroad, free_line_name(draft, self.railroad, line_name_from_ends(new_stops)), new_stops
            )

    def _write_line(self, key: str, line: Line) -> None:
        found_line = self.fold.live.lines[key]
        typed_index = {n: at for at, n in enumerate(found_line.typed)}
        if len(typed_index) != len(line.stops):
            raise CommandError(f"a place of line {line.name!r} is not found; correct it first")
        stop_positions = [(round(s.lon, 5), round(s.lat, 5)) for s in found_line.stops]
        piece_of_step = [self.hops.get(frozenset(pair)) for pair in pairwise(stop_positions)]
        if all(piece in self.kept for piece in piece_of_step):
            return
        places = [stop.place for stop in found_line.stops]
        stop_runs: list[list[Stop]] = [[line.stops[0]]]
        step_index = 0
        while step_index < len(piece_of_step):
            if piece_of_step[step_index] in self.kept:
                stop_runs[-1].append(line.stops[step_index + 1])
                step_index += 1
                continue
            step_end = step_index
            while step_end < len(piece_of_step) and piece_of_step[step_end] not in self.kept:
                step_end += 1
            step_index = self._replace_track(stop_runs, line, places, piece_of_step, (step_index, step_end))
        remaining_lines = [tuple(stops) for stops in stop_runs if len(stops) > 1]
        draft = self.fold.draft
        if not remaining_lines:
            draft.drop("lines", key)
            return
        put_stops(draft, key, remaining_lines[0])
        for stops in remaining_lines[1:]:
            add_line_row(
                draft,
                line.railroad,
                free_line_name(draft, line.railroad, line_name_from_ends(stops)),
                stops,
                part_of=line,
            )

    def _replace_track(
        self,
        out: list[list[Stop]],
        line: Line,
        places: Sequence[str],
        owner: Sequence[str | None],
        gone: tuple[int, int],
    ) -> int:
        """Lead a line from one stop to another over new track, or cut it; return the stop where it continues."""
        start, end = gone
        first_end = next(n for n in range(start, end + 1) if n == end or owner[n] != owner[start])
        for target_index in dict.fromkeys((end, first_end)):  # all that is gone at once, or its first piece
            new_pieces = self._find_way(self._node_at(places[start]), self._node_at(places[target_index]))
            if new_pieces:
                out[-1].extend(self._make_stops(self._node_at(places[start]), new_pieces)[1:])
                return target_index
        out.append([line.stops[first_end]])
        return first_end

    def _node_at(self, place: str) -> str:
        """Return the id of the milepost or junction at a place of the lists."""
        node_id = self.fold.live.laid.ids.get(place)
        return node_id if node_id is not None else joined_id(self.railroad, slug(place))

    def _find_way(self, start: str, end: str) -> list[str]:
        """Return the fewest new pieces from one node to another; none if they do not lead there."""
        piece_to: dict[str, str] = {start: ""}
        queue = deque([start])
        while queue:
            current_node = queue.popleft()
            for key in self.arms.get(current_node, ()):
                far_node = self.new[key].b if self.new[key].a == current_node else self.new[key].a
                if far_node == end and far_node != start:
                    path_pieces = [key]
                    while current_node != start:
                        path_pieces.append(piece_to[current_node])
                        row = self.new[piece_to[current_node]]
                        current_node = row.a if row.b == current_node else row.b
                    self.used.update(path_pieces)
                    return path_pieces[::-1]
                if far_node not in piece_to:
                    piece_to[far_node] = key
                    queue.append(far_node)
        return []

    def _make_stops(self, start: str, way: Sequence[str]) -> list[Stop]:
        """Return the stops of new track from a node on."""
        way_stops, current_node = [self._make_stop(start)], start
        for key in way:
            row = self.new[key]
            bends, far_node = (row.bends, row.b) if row.a == current_node else (row.bends[::-1], row.a)
            way_stops += [(self._name_via(point), "via") for point in bends]
            way_stops.append(self._make_stop(far_node))
            current_node = far_node
        return way_stops

    def _name_via(self, point: Point) -> str:
        """Return a bend as typed in the lists, or its coordinates."""
        typed_name = self.fold.vias.get((self.railroad, point))
        if typed_name is None:  # track that was another railroad's: no place may be via and milepost of one railroad
            typed_name = self.fold.vias.get(("", point), "")
            typed_name = "" if slug(typed_name) in self.fold.after.mileposts else typed_name
        return typed_name or _bend_name(point)

    def _make_stop(self, node: str) -> Stop:
        if node in self.fold.after.mileposts:
            return self.fold.names[node], "milepost"
        junction = self.fold.after.junctions[node]
        for known in listed_track(self.fold.live.db, self.railroad).junctions:
            if known.id == node and (known.lon, known.lat) == (junction.lon, junction.lat):
                return known.name, "via"
        return _bend_name((junction.lon, junction.lat)), "via"

    def _join_unused_pieces(self) -> Iterator[tuple[Stop, ...]]:
        """Yield lines of the new track that no line uses yet, joined where exactly two pieces meet."""
        unused_pieces = {key: row for key, row in self.new.items() if key not in self.used}
        for start, way_pieces in join_pieces(unused_pieces):
            yield tuple(self._make_stops(start, way_pieces))


def _bend_name(point: Point) -> str:
    return coordinate_name(*point)
