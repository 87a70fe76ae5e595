"""Mileposts and track of a document on the page, laid again only for the railroads that changed."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from operator import attrgetter

from mapkit.editor.document import Document
from mapkit.editor.live.drawing import Drawing
from mapkit.editor.live.frame import Frame
from mapkit.editor.live.mileposts import Mileposts, mileposts_of
from mapkit.editor.live.places import Found
from mapkit.editor.live.railroads import Line, Problem, Track, draw_track, trace_railroad
from mapkit.model.base import Point
from mapkit.model.board import Junction, Milepost, Piece, Segment
from mapkit.model.network import Network, TraceNote
from mapkit.sources.names import slug

TrackKey = tuple[tuple[Line, ...], tuple[tuple[str, str], ...]]
"""What the track of a railroad follows from: its lines, and the ids of mileposts that their names do not give."""

_NO_NOTES: tuple[TraceNote, ...] = ()


@dataclass(frozen=True)
class Laid:
    """Mileposts and track, each sorted by id."""

    mileposts: tuple[Milepost, ...]
    junctions: tuple[Junction, ...]
    pieces: tuple[Piece, ...]
    segments: tuple[Segment, ...]
    places: Mileposts = field(repr=False)
    notes: tuple[TraceNote, ...] = _NO_NOTES
    problems: tuple[Problem, ...] = ()
    tracks: Mapping[str, tuple[TrackKey, Track]] = field(default_factory=dict, repr=False)
    network: Network | None = field(default=None, repr=False)
    made_of: tuple[Found, tuple[str, ...]] | None = field(default=None, repr=False)

    @property
    def ids(self) -> Mapping[str, str]:
        """Return the id of each milepost by the full name of its place."""
        return self.places.ids

    @property
    def by_id(self) -> Mapping[str, Milepost]:
        """Return the mileposts by id."""
        return self.places.by_id

    @property
    def points(self) -> list[Point]:
        """Return all that a page must show, `(lon, lat)`."""
        mileposts, junctions = ([(e.lon, e.lat) for e in part] for part in (self.mileposts, self.junctions))
        return [*mileposts, *junctions, *(point for piece in self.pieces for point in piece.line)]


def lay_lines(
    document: Document, found: Found, drawing: Drawing | None, frame: Frame, before: Laid | None = None
) -> Laid:
    """Lay the lines of a document.

    Args:
        document: The document.
        found: Its station lists with their places.
        drawing: The network of its traced lines with all else, if it has any.
        frame: Where they are shown.
        before: What was laid in the same frame.
    """
    if drawing is not None and drawing.network is not None:
        return before if before is not None and before.network is drawing.network else _drawn(drawing.network, frame)
    made_of = (found, tuple(sorted(document.railroads)))
    if before is not None and before.made_of and before.made_of[0] is found and before.made_of[1] == made_of[1]:
        return before
    lines = _by_railroad(document, found)
    own_ids, problems = _clashes(found, lines)
    tracks: dict[str, tuple[TrackKey, Track]] = {}
    for railroad in sorted(lines):
        key = (tuple(lines[railroad]), _own_ids(lines[railroad], own_ids))
        old = before.tracks.get(railroad) if before is not None else None
        if old is not None and old[0] == key:
            tracks[railroad] = old
        else:
            tracks[railroad] = (key, trace_railroad(railroad, key[0], frame=frame, ids=dict(key[1])))
    laid = [track for _, track in tracks.values()]
    problems += [problem for track in laid for problem in track.problems]
    if before is not None and before.network is None and _same_tracks(before.tracks, tracks):
        junctions, pieces, segments = before.junctions, before.pieces, before.segments
    else:
        by_id = attrgetter("id")
        junctions = tuple(sorted(chain.from_iterable(track.junctions for track in laid), key=by_id))
        pieces = tuple(sorted(chain.from_iterable(track.pieces for track in laid), key=by_id))
        segments = tuple(sorted(chain.from_iterable(track.segments for track in laid), key=by_id))
    was = before.places if before is not None else None
    places = mileposts_of(found, laid, own_ids, frame, was)
    return Laid(
        mileposts=before.mileposts if before is not None and places is was else tuple(places.by_id.values()),
        junctions=junctions,
        pieces=pieces,
        segments=segments,
        places=places,
        problems=tuple(dict.fromkeys(problems)),
        tracks=tracks,
        made_of=made_of,
    )


def _same_tracks(one: Mapping[str, tuple[TrackKey, Track]], other: Mapping[str, tuple[TrackKey, Track]]) -> bool:
    return one.keys() == other.keys() and all(other[railroad][1] is track for railroad, (_, track) in one.items())


def _by_railroad(document: Document, found: Found) -> dict[str, list[Line]]:
    """Return the lines of each railroad of the board, in the order of the files and their rows."""
    rows = sorted(document.lines.items(), key=lambda item: (item[1].file, item[1].rank, item[0]))
    out: dict[str, list[Line]] = defaultdict(list)
    for key, line in rows:
        if line.railroad in document.railroads:
            out[line.railroad].append(found.lines[key])
    return out


def _clashes(found: Found, lines: Mapping[str, Sequence[Line]]) -> tuple[dict[str, str], list[Problem]]:
    """Return ids for mileposts whose names give an id that another has, or none, by place."""
    names = {stop.place for each in lines.values() for line in each for stop in line.stops if stop.kind == "milepost"}
    names.update(city.milepost for city in found.cities)
    if "" not in (slugs := set(map(slug, names))) and len(slugs) == len(names):
        return {}, []
    owner: dict[str, str] = {}
    ids: dict[str, str] = {}
    problems: list[Problem] = []
    places = chain(
        ((city.milepost, "cities", city.id) for city in found.cities),
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
            text = (
                f"mileposts {first!r} and {place!r} give the same id {ident!r}; rename one"
                if ident
                else f"{place!r} gives no id; use letters or digits"
            )
            problems.append(Problem(table, key, text))
    return ids, problems


def _own_ids(lines: Iterable[Line], ids: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    if not ids:
        return ()
    return tuple(sorted({(s.place, ids[s.place]) for line in lines for s in line.stops if s.place in ids}))


def _drawn(network: Network, frame: Frame) -> Laid:
    track = draw_track(network.junctions, network.pieces, network.segments, frame)
    pages = frame.to_page([(m.lon, m.lat) for m in network.mileposts])
    mileposts = tuple(
        Milepost(id=m.id, name=m.name, kind=m.kind, lon=m.lon, lat=m.lat, x=x, y=y)
        for m, (x, y) in zip(network.mileposts, pages, strict=True)
    )
    return Laid(
        mileposts=mileposts,
        junctions=track.junctions,
        pieces=track.pieces,
        segments=track.segments,
        places=Mileposts({m.id: m for m in mileposts}, {m.name: m.id for m in mileposts}),
        notes=network.notes,
        network=network,
    )
