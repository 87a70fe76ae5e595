"""Track of tables as lines for line tools, and conversion of changed lines back to rows."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain, pairwise

from mapkit.core.base import Point
from mapkit.core.names import fold, joined_id, slug
from mapkit.document.document import Row
from mapkit.evaluate import Evaluator
from mapkit.kinds.rail.commands.command import CommandError, Draft
from mapkit.kinds.rail.commands.on_track.pieces import add_piece, drop_piece, is_in_tables, track_index
from mapkit.kinds.rail.commands.on_track.polylines import round_position
from mapkit.kinds.rail.commands.on_track.tabled_lines import pieces_of_lines, tabled_lines
from mapkit.kinds.rail.compiler.network import milepost_ids, milepost_names, spots
from mapkit.kinds.rail.compiler.places import find_places
from mapkit.kinds.rail.editing.place_names import line_places, place_id
from mapkit.kinds.rail.tables import City, Junction, Line, Milepost, Place, RailDocument, Track

_MIN_BRANCHES = 3
Node = str | Point
"""The id of a milepost or junction, or the position of a bend."""
Course = tuple[str, str, tuple[Point, ...]]
"""The ends and bends of a piece, in the direction of its row."""


@contextmanager
def track_in_lines(draft: Draft) -> Iterator[Draft]:
    """Yield a draft with the track of tables as lines too, and write its changes back into the tables.

    Raises:
        CommandError: A place of a line is not found.
    """
    if not draft.table("track") and not is_in_tables(draft):
        yield draft
        return
    document = draft.document
    reader = Evaluator().reader(document)
    lines, cities = tabled_lines(reader), _cities_at_posts(document)
    city_posts = {row.milepost for row in document.cities.values()}
    posts = {key: row for key, row in document.mileposts.items() if key not in city_posts}
    places = {key: Place(lon=row.lon, lat=row.lat) for key, row in posts.items()}
    tables = {
        **document.tables,
        "lines": {**document.lines, **lines},
        "mileposts": posts,
        "places": {**places, **document.places},
        "cities": cities,
    }
    inner_draft = Draft(RailDocument(tables))
    inner_draft.begin(draft.origin)
    yield inner_draft
    pieces = {key: way for key, (_, way) in pieces_of_lines(reader).items()}
    listed_ids = frozenset(milepost_ids(reader).values())
    _RowWriter(draft, inner_draft.base, inner_draft.document, lines, pieces, places, listed_ids).write_back()


def _cities_at_posts(document: RailDocument) -> dict[str, City]:
    """Return the cities at the mileposts of tables: twins keep their distance."""
    cities_at: dict[str, list[str]] = defaultdict(list)
    for key, city in document.cities.items():
        cities_at[city.milepost].append(key)
    moved_cities = dict(document.cities)
    for ident in cities_at.keys() & document.mileposts.keys():
        cities = [document.cities[key] for key in cities_at[ident]]
        lon = document.mileposts[ident].lon - sum(city.lon for city in cities) / len(cities)
        lat = document.mileposts[ident].lat - sum(city.lat for city in cities) / len(cities)
        for key, city in zip(cities_at[ident], cities, strict=True):
            moved_cities[key] = city.model_copy(update={"lon": city.lon + lon, "lat": city.lat + lat})
    return moved_cities


@dataclass
class _RowWriter:
    """Writer of changed lines into rows of track.

    Args:
        draft: The document with track in tables.
        before: The document with this track as lines.
        after: The same, as it is to be.
        lines: The lines before.
        pieces: The pieces of each of them.
        places: Places that stand for mileposts of the tables.
        listed_ids: Mileposts of station lists and loose cities.
    """

    draft: Draft
    before: RailDocument
    after: RailDocument
    lines: Mapping[str, Line]
    pieces: Mapping[str, tuple[str, ...]]
    places: Mapping[str, Place]
    listed_ids: frozenset[str]

    def write_back(self) -> None:
        """Change the draft."""
        listed_lines, all_in_tables = self.draft.rows("lines", Line), is_in_tables(self.draft)
        in_tables = {line.railroad for line in self.lines.values()}
        in_tables -= {line.railroad for line in listed_lines.values()}
        tabled = {
            key: line
            for key, line in self.after.lines.items()
            if key in self.lines or (key not in listed_lines and (all_in_tables or line.railroad in in_tables))
        }
        self._write_table("lines", {key: line for key, line in self.after.lines.items() if key not in tabled})
        listed_names = set().union(*map(line_places, self.draft.rows("lines", Line).values()))
        known_places = {
            key: row
            for key, row in self.after.places.items()
            if (key in self.draft.table("places") or fold(key) in listed_names) and self.places.get(key) is not row
        }
        self._write_table("places", known_places)
        for table in self.after.schema.tables:
            if table not in ("lines", "places", "cities", "mileposts", "junctions", "track"):
                self._write_table(table, self.after.table(table))
        moved_names, nodes = self._write_cities()
        changed = {
            key
            for key, line in tabled.items()
            if not _is_same_course(line, self.lines.get(key)) or not moved_names.isdisjoint(line_places(line))
        }
        gone = {key for key in self.lines if key not in tabled or key in changed}
        railroads = {tabled[key].railroad for key in changed} | {self.lines[key].railroad for key in gone}
        for railroad in sorted(railroads):
            nodes |= self._write_railroad(railroad, tabled, changed, gone)
        self._drop_unused_nodes(nodes)

    def _write_cities(self) -> tuple[set[str], set[str]]:
        """Write the mileposts of cities; return the folded names of those that changed, and their old mileposts."""
        changed_keys = [key for key, row in self.after.cities.items() if row is not self.before.cities[key]]
        if not changed_keys:
            return set(), set()
        reader = Evaluator().reader(self.after)
        ids, names, positions = milepost_ids(reader), milepost_names(reader), spots(reader)
        moved_names: set[str] = set()
        for key in changed_keys:
            row, place = self.after.cities[key], self.after.cities[key].milepost_name
            moved_names |= {fold(text) for text in (row.name, place, self.before.cities[key].milepost_name)}
            if self.before.cities[key].milepost in self.draft.base.mileposts:
                _, lon, lat = positions[place]
                post = Milepost(name=names[place], lon=round(lon, 5), lat=round(lat, 5))
                self.draft.put("mileposts", ids[place], post)
                self.draft.update("cities", key, milepost=ids[place])
            else:
                self.draft.update("cities", key, milepost=row.milepost)
        return moved_names, {self.before.cities[key].milepost for key in changed_keys}

    def _write_table(self, table: str, rows: Mapping[str, Row]) -> None:
        for key in [key for key in self.draft.table(table) if key not in rows]:
            self.draft.drop(table, key)
        for key, row in rows.items():
            if self.draft.table(table).get(key) is not row:
                self.draft.put(table, key, row)

    def _write_railroad(self, railroad: str, tabled: Mapping[str, Line], changed: set[str], gone: set[str]) -> set[str]:
        """Replace the pieces of a railroad's changed lines by those of the lines as they are; return the old nodes."""
        own_lines = {key: line for key, line in tabled.items() if line.railroad == railroad}
        changed_keys = changed & own_lines.keys()
        gone_keys = {key for key in gone if self.lines[key].railroad == railroad}
        old_bends = _bends_of(self.lines[key] for key in gone_keys)
        new_bends = _bends_of(own_lines[key] for key in changed_keys) - old_bends
        joined_keys = {key for key, line in own_lines.items() if not new_bends.isdisjoint(line_places(line))}
        changed_keys |= joined_keys  # of lines with a bend at which another one ends now
        gone_keys |= joined_keys & self.lines.keys()
        old_pieces = {
            piece: self.draft.rows("track", Track)[piece] for key in sorted(gone_keys) for piece in self.pieces[key]
        }
        kept_pieces: dict[Course, list[str]] = defaultdict(list)
        for piece, row in old_pieces.items():
            kept_pieces[_make_course(row.a, row.b, row.bends)].append(piece)
        other_courses = {
            _make_course(row.a, row.b, row.bends)
            for piece in track_index(self.draft).of_railroad.get(railroad, ())
            if piece not in old_pieces and (row := self.draft.rows("track", Track)[piece])
        }
        copies = max(map(len, kept_pieces.values()), default=1)
        courses = Counter(self._find_courses(railroad, {key: own_lines[key] for key in changed_keys}))
        new_courses: list[Course] = []
        for course, count in courses.items():
            wanted_count = min(count, copies)
            known_pieces = kept_pieces.pop(course, [])
            new_courses += [course] * (wanted_count - len(known_pieces) if course not in other_courses else 0)
            kept_pieces[course] = known_pieces[wanted_count:]
        for piece in sorted(piece for pieces in kept_pieces.values() for piece in pieces):
            drop_piece(self.draft, piece)
        for a, b, bends in sorted(new_courses):
            add_piece(self.draft, railroad, bends, a, b)
        return {node for row in old_pieces.values() for node in (row.a, row.b)}

    def _find_courses(self, railroad: str, lines: Mapping[str, Line]) -> Iterator[Course]:
        """Yield the pieces of lines; new mileposts and junctions are added to the draft."""
        own_tables = {"lines": {**self.draft.table("lines"), **lines}, "track": {}, "junctions": {}}
        reader = Evaluator().reader(RailDocument({**self.after.tables, **own_tables}))
        found = find_places(reader)
        for problem in found.problems:
            if problem.key in lines:
                raise CommandError(f"line {lines[problem.key].name}: {problem.message}")
        found_lines, ids, names = found.lines, milepost_ids(reader), milepost_names(reader)
        paths: list[list[Node]] = []
        bend_names: dict[Point, str] = {}
        for key in sorted(lines):
            paths.append([])
            for stop in found_lines[key].stops:
                at = round_position(stop.lon, stop.lat)
                if stop.kind == "via":
                    paths[-1] += [at] if paths[-1][-1:] != [at] else []
                    bend_names.setdefault(at, stop.place)
                    continue
                ident = ids[stop.place]
                paths[-1].append(ident)
                if ident not in self.draft.table("mileposts") and ident not in self.listed_ids:
                    self.draft.put("mileposts", ident, Milepost(name=names[stop.place], lon=at[0], lat=at[1]))
        junction_ids = self._find_junctions(railroad, paths, bend_names)
        for path in _join_paths(paths, junction_ids):
            nodes = [node if isinstance(node, str) else junction_ids.get(node) for node in path]
            for start, end in pairwise(n for n, node in enumerate(nodes) if node is not None):
                bends = [at for at in path[start + 1 : end] if not isinstance(at, str)]
                yield _make_course(str(nodes[start]), str(nodes[end]), bends)

    def _find_junctions(
        self, railroad: str, paths: Sequence[Sequence[Node]], bend_names: Mapping[Point, str]
    ) -> dict[Point, str]:
        """Return the junctions of a railroad by position; where paths branch at a bend, one is added."""
        junction_ids = {
            round_position(row.lon, row.lat): key
            for key, row in self.draft.rows("junctions", Junction).items()
            if row.railroad == railroad
        }
        neighbours: dict[Node, set[Node]] = defaultdict(set)
        for first, second in chain.from_iterable(map(pairwise, paths)):
            neighbours[first].add(second)
            neighbours[second].add(first)
        for at, name in sorted(bend_names.items()):
            if at not in junction_ids and len(neighbours[at]) >= _MIN_BRANCHES:
                junction_ids[at] = joined_id(railroad, slug(name))
                self.draft.put("junctions", junction_ids[at], Junction(railroad=railroad, lon=at[0], lat=at[1]))
        return junction_ids

    def _drop_unused_nodes(self, nodes: Iterable[str]) -> None:
        """Drop mileposts and junctions that no track, city or line uses any more."""
        index, listed_lines = track_index(self.draft), self.draft.rows("lines", Line).values()
        city_posts = {city.milepost_name for city in self.draft.rows("cities", City).values()}
        for node in sorted(node for node in nodes if not index.at.get(node)):
            self.draft.drop("junctions", node)
            post = self.draft.rows("mileposts", Milepost).get(node)
            if post is not None and node not in city_posts:
                names = {fold(node), fold(post.name)}
                if all(names.isdisjoint(line_places(line)) for line in listed_lines):
                    self.draft.drop("mileposts", node)


def _join_paths(paths: Sequence[list[Node]], junction_ids: Mapping[Point, str]) -> Iterator[list[Node]]:
    """Yield paths, joined where two end at the same bend."""
    pending_paths = list(paths)
    while pending_paths:
        path = pending_paths.pop()
        for other in pending_paths:
            shared_ends = {path[0], path[-1]} & {other[0], other[-1]}
            bend = next((end for end in shared_ends if not isinstance(end, str) and end not in junction_ids), None)
            if bend is not None:
                pending_paths.remove(other)
                first_part = path if path[-1] == bend else path[::-1]
                second_part = other if other[0] == bend else other[::-1]
                pending_paths.append([*first_part, *second_part[1:]])
                break
        else:
            yield path


def _make_course(a: str, b: str, bends: Sequence[Point]) -> Course:
    course = (a, b, tuple(round_position(*point) for point in bends))
    return min(course, (b, a, course[2][::-1]))


def _is_same_course(line: Line, listed: Line | None) -> bool:
    return listed is not None and (line.railroad, line.stops) == (listed.railroad, listed.stops)


def _bends_of(lines: Iterable[Line]) -> set[str]:
    return {place_id(place) for line in lines for place, kind in line.stops if kind == "via"}
