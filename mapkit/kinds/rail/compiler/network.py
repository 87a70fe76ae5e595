"""Mileposts and track of a document on the page, laid again only for the railroads that changed."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from operator import attrgetter, is_
from typing import TypeVar

from mapkit.core.base import Point
from mapkit.core.errors import SourceError
from mapkit.core.names import slug, undrawn_script
from mapkit.core.problems import Problem, problem_of
from mapkit.document.document import RowOrigin, ordered
from mapkit.geography.gazetteer import codes_in
from mapkit.kinds.rail.compiler.frame import Frame
from mapkit.kinds.rail.compiler.mileposts import Mileposts, Spot, mileposts_of, spots_of, towns_of
from mapkit.kinds.rail.compiler.moved import moved_track
from mapkit.kinds.rail.compiler.places import FoundPlaces, in_file_order
from mapkit.kinds.rail.compiler.railroads import DrawnTrack, FoundLine, RailroadTrack, draw_track, trace_railroad
from mapkit.kinds.rail.compiler.rows import (
    NO_ROWS,
    PlacedRows,
    Rows,
    Whole,
    joined,
    lay_rows,
    place_rows,
)
from mapkit.kinds.rail.importing.drawings import notes_of
from mapkit.kinds.rail.model.board import Junction, Milepost, Piece, Segment
from mapkit.kinds.rail.model.network import TraceNote
from mapkit.kinds.rail.sources.city_positions import misplaced
from mapkit.kinds.rail.sources.swapped_coordinates import find_swapped_places
from mapkit.kinds.rail.sources.table_files import CITIES, PLACES
from mapkit.kinds.rail.tables import RailDocument

TrackKey = tuple[tuple[FoundLine, ...], tuple[tuple[str, str], ...]]
"""What the track of a railroad follows from: its lines, and the ids of mileposts that their names do not give."""

_Places = Mapping[str, tuple[tuple[FoundLine, ...], frozenset[str]]]
"""The places of mileposts of each railroad, with the lines that name them; those of cities under no name."""

LinesGround = tuple[FoundPlaces, tuple[object, ...], tuple[str, ...]]
"""What lines follow from: places found, tables, and the ids of the railroads."""

_NO_NOTES: tuple[TraceNote, ...] = ()


E = TypeVar("E", bound=Junction | Piece | Segment)


@dataclass(frozen=True)
class Lines:
    """Mileposts and track in degrees: what a board has wherever its page lies.

    Args:
        spots: The kind and place of each milepost, by the full name of its place.
        towns: Those of cities.
        ids: The ids of places whose names do not give them alone.
        tracks: The track of each railroad, with what it follows from.
        cities: The names of the cities.
        notes: What happened to drawn lines when they were imported, and `positions`.
        problems: What cannot be laid.
        names: The places of mileposts of each railroad, with the lines that name them.
        rows: Mileposts and track that stand in tables.
        whole: The track of each railroad, of lists and tables together.
        posts: The ids of the mileposts at which cities stand.
        codes: Codes of divisions that names to show go without, beside those that look like states.
        positions: Cities that lie far from every place of their name, or that look swapped.
    """

    spots: Mapping[str, Spot]
    towns: Mapping[str, Spot] = field(default_factory=dict, repr=False)
    ids: Mapping[str, str] = field(default_factory=dict)
    tracks: Mapping[str, tuple[TrackKey, RailroadTrack]] = field(default_factory=dict, repr=False)
    cities: frozenset[str] = frozenset()
    notes: tuple[TraceNote, ...] = _NO_NOTES
    problems: tuple[Problem, ...] = ()
    names: _Places = field(default_factory=dict, repr=False)
    made_of: LinesGround | None = field(default=None, repr=False)
    rows: Rows = field(default=NO_ROWS, repr=False)
    whole: Whole = field(default_factory=Whole, repr=False)
    posts: frozenset[str] = field(default_factory=frozenset, repr=False)
    codes: frozenset[str] = field(default_factory=frozenset, repr=False)
    positions: tuple[TraceNote, ...] = field(default=_NO_NOTES, repr=False)

    def id_of(self, place: str) -> str:
        """Return the id of the milepost at a place."""
        return self.ids.get(place) or slug(place)

    @property
    def points(self) -> list[Point]:
        """Return all that a page must show, `(lon, lat)`."""
        spots = [(lon, lat) for _, lon, lat in self.spots.values()]
        track = chain.from_iterable(track.points for track in self.whole.tracks.values())
        return [*spots, *self.rows.points, *track]


@dataclass(frozen=True)
class Laid:
    """Mileposts and track on a page, each sorted by id."""

    mileposts: tuple[Milepost, ...]
    junctions: tuple[Junction, ...]
    pieces: tuple[Piece, ...]
    segments: tuple[Segment, ...]
    places: Mileposts = field(repr=False)
    lines: Lines = field(repr=False)
    drawn: Mapping[str, DrawnTrack] = field(default_factory=dict, repr=False)
    rows: PlacedRows = field(default_factory=PlacedRows, repr=False)
    by_id: Mapping[str, Milepost] = field(default_factory=dict, repr=False)
    """The mileposts by id; one of a table goes before one of that id in lists."""

    @property
    def ids(self) -> Mapping[str, str]:
        """Return the id of each milepost by the full name of its place."""
        return self.places.ids

    @property
    def notes(self) -> tuple[TraceNote, ...]:
        """Return what happened to its lines."""
        return self.lines.notes

    @property
    def own_ids(self) -> Mapping[str, str]:
        """Return the ids of places whose names do not give them alone."""
        return self.lines.ids

    @property
    def tracks(self) -> Mapping[str, tuple[TrackKey, RailroadTrack]]:
        """Return the track of each railroad in degrees, with what it follows from."""
        return self.lines.tracks


def lay_lines(document: RailDocument, found: FoundPlaces, before: Lines | None = None) -> Lines:
    """Lay the lines of a document.

    Args:
        document: The document.
        found: Its station lists with their places.
        before: What was laid of an earlier document.
    """
    made_of = ground_of_lines(document, found)
    if before is not None and before.made_of and _same(before.made_of, made_of):
        return before
    lines = _by_railroad(document, found)
    names = _names(found, lines, before)
    own_ids, problems = ({}, []) if _no_new_clash(names, before) else _clashes(found, lines, names)
    try:
        notes = notes_of(document.files.items())
    except SourceError as error:
        notes = ()
        problems += [problem_of(text, table="files") for text in error.problems]
    tracks: dict[str, tuple[TrackKey, RailroadTrack]] = {}
    for railroad in sorted(lines):
        key = (tuple(lines[railroad]), _own_ids(lines[railroad], own_ids))
        old = before.tracks.get(railroad) if before is not None else None
        tracks[railroad] = old if old is not None and old[0] == key else (key, _track(railroad, key, old))
    listed = {key: track for key, (_, track) in tracks.items()}
    cities = found.loose_cities
    same_cities = before is not None and before.made_of is not None and before.made_of[0].loose_cities is cities
    towns = before.towns if before is not None and same_cities else towns_of(city for _, city in ordered(cities))
    same_places = before is not None and before.made_of is not None and before.made_of[0].countries == found.countries
    positions = before.positions if before is not None and same_cities and same_places else _city_positions(found)
    notes = (*notes, *positions, *_place_positions(document, found))
    spots = spots_of(towns, listed, before)
    rows = _rows(document, spots, own_ids, listed, before)
    whole = joined(listed, rows.tracks, before.whole if before is not None else None)
    problems += [problem for track in listed.values() for problem in track.problems]
    problems += [*rows.problems, *whole.problems]
    return Lines(
        spots=spots,
        towns=towns,
        names=names,
        ids=own_ids,
        tracks=tracks,
        cities=frozenset(city.name for city in document.cities.values()),
        notes=before.notes if before is not None and before.notes == notes else notes,
        problems=tuple(dict.fromkeys(problems)),
        made_of=made_of,
        rows=rows,
        whole=whole,
        posts=city_posts(document),
        codes=codes_in(spots, found.countries),
        positions=positions,
    )


def _city_positions(found: FoundPlaces) -> tuple[TraceNote, ...]:
    """Return the cities that lie far from every place of their name, or that look swapped."""
    out: dict[str, TraceNote] = {}
    cities = dict(ordered(found.loose_cities))
    for key, city in cities.items() if found.countries else ():
        other = misplaced(found.finder.gazetteer, city.name, (city.lon, city.lat))
        if other is not None:
            message = (
                f"{city.name} lies at lon {city.lon:.4f}, lat {city.lat:.4f}, but in the gazetteer {other}; "
                "correct its position, or accept this if another place is meant"
            )
            out[key] = _position(f"{CITIES}#{key}", message, (city.lon, city.lat))
    others = {city.name: key for key, city in cities.items() if key not in out}
    points = {name: (cities[key].lon, cities[key].lat) for name, key in others.items()}
    for name, message in find_swapped_places(points, found.city_table.values()):
        out[others[name]] = _position(f"{CITIES}#{others[name]}", message, points[name])
    return tuple(out.values())


def _place_positions(document: RailDocument, found: FoundPlaces) -> Iterator[TraceNote]:
    """Yield the rows of `places.csv` that look swapped; those of drawings are reported with the drawing."""
    points = {name: (row.lon, row.lat) for name, row in document.places.items() if not row.is_drawn}
    for name, message in find_swapped_places(points, found.city_table.values()):
        yield _position(f"{PLACES}#{name}", message, points[name], document.origin("places", name))


def _position(feature: str, message: str, at: Point, origin: RowOrigin | None = None) -> TraceNote:
    row = origin.row if origin is not None else None
    return TraceNote(kind="position", message=message, feature=feature, lon=at[0], lat=at[1], row=row or None)


def _track(railroad: str, key: TrackKey, old: tuple[TrackKey, RailroadTrack] | None) -> RailroadTrack:
    """Return the track of a railroad; where only places moved, from that of before."""
    moved = moved_track((old[0][0], old[1]), key[0]) if old is not None and old[0][1] == key[1] else None
    return moved or trace_railroad(railroad, key[0], ids=dict(key[1]))


def ground_of_lines(document: RailDocument, found: FoundPlaces) -> LinesGround:
    """Return what lines follow from: the same objects give the same lines."""
    tables = (document.files, document.mileposts, document.junctions, document.track, document.cities)
    return found, tables, tuple(sorted(document.railroads))


def city_posts(document: RailDocument) -> frozenset[str]:
    """Return the ids of the mileposts of the table at which cities stand."""
    posts = document.mileposts
    return frozenset(document.milepost_of(city) for city in document.cities.values()) if posts else frozenset()


def _rows(
    document: RailDocument,
    spots: Mapping[str, Spot],
    ids: Mapping[str, str],
    listed: Mapping[str, RailroadTrack],
    before: Lines | None,
) -> Rows:
    """Lay what stands in tables; pieces may end at mileposts and junctions of station lists."""
    old = before.rows if before is not None else NO_ROWS
    if not (document.track or old.track or document.junctions or document.mileposts or old.mileposts):
        return NO_ROWS
    others: dict[str, Point] = {}
    if spots:
        others = {ids.get(place) or slug(place): (lon, lat) for place, (_, lon, lat) in spots.items()}
        others |= {j.id: (j.lon, j.lat) for track in listed.values() for j in track.junctions}
        others = {key: at for key, at in others.items() if key not in document.mileposts}
    return lay_rows(document, others, old)


def _same(one: LinesGround, other: LinesGround) -> bool:
    return one[0] is other[0] and all(map(is_, one[1], other[1])) and one[2] == other[2]


def place_lines(lines: Lines, frame: Frame, before: Laid | None = None) -> Laid:
    """Return mileposts and track on the page.

    Args:
        lines: Mileposts and track in degrees.
        frame: Where they are shown.
        before: What was laid in the same frame; what is as it was, is taken from there.
    """
    if before is not None and before.lines is lines:
        return before
    drawn: dict[str, DrawnTrack] = {}
    known_track = before.lines.whole.tracks if before is not None else {}
    _project(lines, known_track, frame)
    for railroad, track in lines.whole.tracks.items():
        old = known_track.get(railroad)
        was = before.drawn[railroad] if before is not None and old is not None else None
        if was is not None and old is track:
            drawn[railroad] = was
        else:
            drawn[railroad] = draw_track(track, frame, (old, was) if old is not None and was is not None else None)
    known = before.drawn if before is not None else {}
    earlier = before.places if before is not None else None
    places = mileposts_of(lines.spots, lines.cities, lines.ids, frame, earlier, lines.codes)
    rows = place_rows(lines.rows.mileposts, lines.posts, frame, before.rows if before is not None else None)
    if before is not None and places is earlier and rows is before.rows:
        mileposts, by_id = before.mileposts, before.by_id
    else:
        by_id = places.by_id or rows.by_id
        if places.by_id and rows.by_id:
            by_id = dict(sorted({**places.by_id, **rows.by_id}.items()))
        mileposts = tuple(by_id.values())
    return Laid(
        mileposts=mileposts,
        junctions=_together(drawn, known, before.junctions if before else (), attrgetter("junctions")),
        pieces=_together(drawn, known, before.pieces if before else (), attrgetter("pieces")),
        segments=_together(drawn, known, before.segments if before else (), attrgetter("segments")),
        places=places,
        lines=lines,
        drawn=drawn,
        rows=rows,
        by_id=by_id,
    )


def _project(lines: Lines, known: Mapping[str, RailroadTrack], frame: Frame) -> None:
    """Put all track that is new on the page at once, which is quicker than piece by piece."""
    points: list[Point] = []
    for railroad, track in lines.whole.tracks.items():
        old = known.get(railroad)
        if old is not track:
            stays = {*map(id, old.pieces)} if old is not None else frozenset[int]()
            points += [point for piece in track.pieces if id(piece) not in stays for point in piece.line]
    frame.to_page(points)


def _together(
    drawn: Mapping[str, DrawnTrack],
    known: Mapping[str, DrawnTrack],
    before: tuple[E, ...],
    part: Callable[[DrawnTrack], tuple[E, ...]],
) -> tuple[E, ...]:
    """Return one part of the track of all railroads, sorted by id; the same object where nothing changed."""
    if known.keys() != drawn.keys():
        return tuple(sorted(chain.from_iterable(map(part, drawn.values())), key=lambda e: e.id))
    gone: dict[int, E] = {}
    new: list[E] = []
    for railroad, track in drawn.items():
        now = part(track)
        old = part(known[railroad])
        if now is not old:
            stays = {*map(id, now)} & {*map(id, old)}
            gone |= {id(element): element for element in old if id(element) not in stays}
            new += [element for element in now if id(element) not in stays]
    if not gone and not new:
        return before
    at = {element.id: element for element in new}
    if at.keys() == {element.id for element in gone.values()}:  # most edits move
        return tuple([at[element.id] if id(element) in gone else element for element in before])
    kept = [element for element in before if id(element) not in gone] if gone else before
    return tuple(sorted([*kept, *new], key=attrgetter("id")))


def _by_railroad(document: RailDocument, found: FoundPlaces) -> dict[str, list[FoundLine]]:
    """Return the lines of each railroad of the board, in the order of the files and their rows."""
    out: dict[str, list[FoundLine]] = defaultdict(list)
    for key, line in in_file_order(document.lines):
        if line.railroad in document.railroads:
            out[line.railroad].append(found.lines[key])
    return out


def _names(found: FoundPlaces, lines: Mapping[str, Sequence[FoundLine]], before: Lines | None) -> _Places:
    """Return the places of mileposts of each railroad, with its lines; those of cities under no name."""
    known = before.names if before is not None else {}
    out: dict[str, tuple[tuple[FoundLine, ...], frozenset[str]]] = {}
    for railroad, each in lines.items():
        own = tuple(each)
        old = known.get(railroad)
        if old is not None and len(old[0]) == len(own) and all(map(is_, old[0], own)):
            out[railroad] = old
        else:
            names = frozenset(stop.place for line in own for stop in line.stops if stop.kind == "milepost")
            out[railroad] = (own, old[1] if old is not None and old[1] == names else names)
    cities = frozenset(city.milepost_name for city in found.loose_cities.values())
    out[""] = ((), known[""][1] if "" in known and known[""][1] == cities else cities)
    return out


def _no_new_clash(names: _Places, before: Lines | None) -> bool:
    """Return whether every milepost has an id of its own, as before, because no name came."""
    if before is None or before.ids:
        return False
    return all(
        key in before.names and (places is before.names[key][1] or places <= before.names[key][1])
        for key, (_, places) in names.items()
    )


def _clashes(
    found: FoundPlaces, lines: Mapping[str, Sequence[FoundLine]], places_of: _Places
) -> tuple[dict[str, str], list[Problem]]:
    """Return ids for mileposts whose names give an id that another has, or none, by place."""
    names = frozenset().union(*(places for _, places in places_of.values()))
    if "" not in (slugs := set(map(slug, names))) and len(slugs) == len(names):
        return {}, []
    owner: dict[str, str] = {}
    ids: dict[str, str] = {}
    problems: list[Problem] = []
    places = chain(
        ((city.milepost_name, "cities", key) for key, city in ordered(found.loose_cities)),
        (
            (stop.place, "lines", line.id)
            for railroad in sorted(lines)
            for line in lines[railroad]
            for stop in line.stops
            if stop.kind == "milepost"
        ),
    )
    for place, table, key in places:
        ident = slug(place)
        first = owner.setdefault(ident, place)
        if (first != place or not ident) and place not in ids:
            number = 2
            while f"{ident or 'milepost'}-{number}" in owner:
                number += 1
            ids[place] = f"{ident or 'milepost'}-{number}"
            owner[ids[place]] = place
            if ident:
                text = f"mileposts {first!r} and {place!r} give the same id {ident!r}; rename one"
                problems.append(Problem(table, key, text))
            elif not undrawn_script(place):  # which is a problem of its own
                problems.append(Problem(table, key, f"{place!r} cannot become an id; use letters or digits"))
    return ids, problems


def _own_ids(lines: Iterable[FoundLine], ids: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    if not ids:
        return ()
    return tuple(sorted({(s.place, ids[s.place]) for line in lines for s in line.stops if s.place in ids}))
