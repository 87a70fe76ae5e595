"""Mileposts and track of a document on the page, laid again only for the railroads that changed."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from operator import attrgetter

from mapkit.editor.document import Document
from mapkit.editor.live.drawing import Drawing
from mapkit.editor.live.frame import Frame
from mapkit.editor.live.places import Found
from mapkit.editor.live.railroads import Line, Problem, Track, draw_track, trace_railroad
from mapkit.model.base import Point
from mapkit.model.board import Junction, Milepost, Piece, Segment
from mapkit.model.network import Network, TraceNote
from mapkit.sources.names import slug, without_state
from mapkit.sources.places import city_points

TrackKey = tuple[tuple[Line, ...], tuple[tuple[str, str], ...]]
"""What the track of a railroad follows from: its lines, and the ids of mileposts that their names do not give."""

_NO_NOTES: tuple[TraceNote, ...] = ()


@dataclass(frozen=True)
class Laid:
    """Mileposts and track, each sorted by id, with the id of each milepost by the full name of its place."""

    mileposts: tuple[Milepost, ...]
    junctions: tuple[Junction, ...]
    pieces: tuple[Piece, ...]
    segments: tuple[Segment, ...]
    ids: Mapping[str, str]
    notes: tuple[TraceNote, ...] = _NO_NOTES
    problems: tuple[Problem, ...] = ()
    tracks: Mapping[str, tuple[TrackKey, Track]] = field(default_factory=dict, repr=False)
    network: Network | None = field(default=None, repr=False)
    by_id: Mapping[str, Milepost] = field(default_factory=dict, repr=False)
    made_of: tuple[Found, tuple[str, ...]] | None = field(default=None, repr=False)

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
    mileposts, ids = _mileposts(found, laid, own_ids, frame, before)
    return Laid(
        mileposts=mileposts,
        junctions=junctions,
        pieces=pieces,
        segments=segments,
        ids=ids,
        problems=tuple(dict.fromkeys(problems)),
        tracks=tracks,
        by_id={milepost.id: milepost for milepost in mileposts},
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


def _mileposts(
    found: Found, tracks: Iterable[Track], own_ids: Mapping[str, str], frame: Frame, before: Laid | None
) -> tuple[tuple[Milepost, ...], dict[str, str]]:
    spots: dict[str, tuple[str, float, float]] = {
        name: ("city", lon, lat) for name, (lon, lat) in city_points(found.cities).items()
    }
    for track in tracks:
        for place, lon, lat in track.mileposts:
            if place not in spots:
                spots[place] = ("dot", lon, lat)
    shown = _shown(spots, [city.name for city in found.cities])
    ids = {place: own_ids.get(place) or slug(place) for place in spots}
    pages = frame.to_page([(lon, lat) for _, lon, lat in spots.values()])
    known = before.by_id if before is not None else {}
    out = []
    for (place, (kind, lon, lat)), (x, y) in zip(spots.items(), pages, strict=True):
        old = known.get(ids[place])
        name = shown[place]
        if old is not None and (old.name, old.kind, old.lon, old.lat, old.x, old.y) == (name, kind, lon, lat, x, y):
            out.append(old)
        else:
            kind_ = "city" if kind == "city" else "dot"
            out.append(Milepost(id=ids[place], name=name, kind=kind_, lon=lon, lat=lat, x=x, y=y))
    out.sort(key=attrgetter("id"))
    if before is not None and len(before.mileposts) == len(out) and all(map(_is, before.mileposts, out)):
        return before.mileposts, ids
    return tuple(out), ids


def _is(one: object, other: object) -> bool:
    return one is other


def _shown(spots: Mapping[str, tuple[str, float, float]], cities: Iterable[str]) -> dict[str, str]:
    """Return the names to show: dots without their state where that leaves them distinct (as a build does)."""
    taken = Counter(without_state(place) for place, spot in spots.items() if spot[0] == "dot")
    taken.update({*cities, *(place for place, spot in spots.items() if spot[0] == "city")})
    out = {}
    for place, spot in spots.items():
        bare = without_state(place)
        out[place] = bare if spot[0] == "dot" and taken[bare] == 1 else place
    return out


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
        ids={m.name: m.id for m in mileposts},
        notes=network.notes,
        network=network,
        by_id={m.id: m for m in mileposts},
    )
