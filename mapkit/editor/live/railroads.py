"""One railroad's lines as track: as a build traces them, but what cannot be traced is told and left out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from pydantic import ValidationError

from mapkit.compile import segment_path
from mapkit.editor.live.frame import Frame
from mapkit.errors import SourceError
from mapkit.model.board import Junction, Piece, Segment
from mapkit.model.network import NetworkJunction, NetworkPiece, NetworkSegment
from mapkit.sources.names import slug
from mapkit.trace.segments import segments_of
from mapkit.trace.stations import gather_stations, lay_railroad


class Stop(NamedTuple):
    """A place of a line: its full name, and where it lies (EPSG:4326)."""

    place: str
    kind: str
    lon: float
    lat: float


class Line(NamedTuple):
    """A line with its places found, in order."""

    id: str
    name: str
    stops: tuple[Stop, ...]
    typed: tuple[int, ...] = ()
    """Which of the places as typed each stop is; a place that is not found has no stop."""


class _Row(NamedTuple):
    """A stop as tracing wants it; live boards have no files and rows."""

    railroad: str
    line: str
    place: str
    kind: str
    lon: float
    lat: float
    file: str = ""
    row: int = 1


@dataclass(frozen=True)
class Problem:
    """Something that keeps a part of the document out of the board, or a build from going through.

    `table` and `key` are the row of the document that it is about.
    """

    table: str
    key: str
    message: str


@dataclass(frozen=True)
class Track:
    """What the lines of one railroad give; `mileposts` are places with longitude and latitude."""

    junctions: tuple[Junction, ...] = ()
    pieces: tuple[Piece, ...] = ()
    segments: tuple[Segment, ...] = ()
    mileposts: tuple[tuple[str, float, float], ...] = ()
    problems: tuple[Problem, ...] = ()


def trace_railroad(
    railroad: str, lines: Sequence[Line], *, frame: Frame, ids: Mapping[str, str] | None = None
) -> Track:
    """Trace the lines of one railroad.

    A via at which a line ends is left off, a place that is milepost and via is a milepost, and both are told, for a
    build refuses them.

    Args:
        railroad: Its id.
        lines: Its lines, in the order of the source package.
        frame: Where they are drawn.
        ids: Ids of mileposts whose names do not give them alone, by place.
    """
    problems: list[Problem] = []
    usable = _usable(railroad, lines, problems)
    rows = [
        _Row(railroad, line.id, stop.place, stop.kind, stop.lon, stop.lat) for line in usable for stop in line.stops
    ]
    if not rows:
        return Track(problems=tuple(problems))
    stops = {row.place: (row.place, round(row.lon, 5), round(row.lat, 5)) for row in rows if row.kind == "milepost"}
    mileposts = tuple(stops.values())
    named = {place: (ids or {}).get(place) or slug(place) for place in stops}
    try:
        junctions, pieces = lay_railroad(railroad, gather_stations(rows)[railroad], named)
        pieces.sort(key=lambda piece: piece.id)
        segments = segments_of(pieces, {junction.id for junction in junctions})
        track = draw_track(junctions, pieces, segments, frame)
    except SourceError as error:
        problems.append(Problem("railroads", railroad, _plain(error)))
        return Track(mileposts=mileposts, problems=tuple(problems))
    except ValidationError as error:
        problems.append(Problem("railroads", railroad, f"names of places are too long: {error.errors()[0]['msg']}"))
        return Track(mileposts=mileposts, problems=tuple(problems))
    return replace(track, mileposts=mileposts, problems=tuple(problems))


def draw_track(
    junctions: Sequence[NetworkJunction],
    pieces: Sequence[NetworkPiece],
    segments: Sequence[NetworkSegment],
    frame: Frame,
) -> Track:
    """Return track with its places on the page."""
    drawn = [
        Piece(id=p.id, railroad=p.railroad, a=p.a, b=p.b, miles=p.miles, line=p.line, path=frame.to_page(p.line))
        for p in pieces
    ]
    by_id = {piece.id: piece for piece in drawn}
    spots = frame.to_page([(j.lon, j.lat) for j in junctions])
    return Track(
        junctions=tuple(
            Junction(id=j.id, railroad=j.railroad, lon=j.lon, lat=j.lat, x=x, y=y)
            for j, (x, y) in zip(junctions, spots, strict=True)
        ),
        pieces=tuple(drawn),
        segments=tuple(
            Segment(
                id=s.id,
                railroad=s.railroad,
                a=s.a,
                b=s.b,
                miles=s.miles,
                pieces=s.pieces,
                path=segment_path(s.a, s.pieces, by_id),
            )
            for s in segments
        ),
    )


def _plain(error: SourceError) -> str:
    """Return what is wrong without a file and row that live tracing does not have."""
    return str(error).removeprefix(":1: ")


def _usable(railroad: str, lines: Sequence[Line], problems: list[Problem]) -> list[Line]:
    """Return the lines without what cannot be traced."""
    kinds: dict[str, str] = {}
    told: set[str] = set()
    for line in lines:
        for stop in line.stops:
            other = kinds.setdefault(stop.place, stop.kind)
            if other != stop.kind and stop.place not in told:
                told.add(stop.place)
                problems.append(
                    Problem("lines", line.id, f"{stop.place!r} is a milepost and a via of {railroad!r}; make it one")
                )
    out = []
    for line in lines:
        stops: list[Stop] = []
        for stop in line.stops:
            if stops and stops[-1].place == stop.place:
                problems.append(Problem("lines", line.id, f"{stop.place!r} stands twice in a row; remove one"))
                continue
            stops.append(stop if stop.place not in told else Stop(stop.place, "milepost", stop.lon, stop.lat))
        out.append(Line(line.id, line.name, tuple(stops)))
    out = [line for line in out if _long_enough(line, problems)]
    return _without_loose_vias(out, problems)


def _long_enough(line: Line, problems: list[Problem]) -> bool:
    if len(line.stops) > 1:
        return True
    problems.append(
        Problem("lines", line.id, f"line {line.name!r} has one place only; a line runs through at least two")
    )
    return False


def _without_loose_vias(lines: list[Line], problems: list[Problem]) -> list[Line]:
    """Cut off ends of lines at vias that nothing else of the railroad passes, from the end inwards."""
    while True:
        near: dict[str, set[str]] = {}
        for line in lines:
            for one, other in zip(line.stops, line.stops[1:], strict=False):
                near.setdefault(one.place, set()).add(other.place)
                near.setdefault(other.place, set()).add(one.place)
        loose = {
            stop.place
            for line in lines
            for stop in (line.stops[0], line.stops[-1])
            if stop.kind == "via" and len(near[stop.place]) == 1
        }
        # A line that runs out to a via and back the same way ends there too, in its middle.
        loose |= {s.place for line in lines for s in line.stops if s.kind == "via" and len(near[s.place]) == 1}
        if not loose:
            return lines
        kept = []
        for line in lines:
            if not any(stop.place in loose for stop in line.stops):
                kept.append(line)
                continue
            end = next(stop.place for stop in line.stops if stop.place in loose)
            problems.append(
                Problem(
                    "lines",
                    line.id,
                    f"line {line.name!r} ends at {end!r}, which is a via; end it at a milepost, or join it to another "
                    "line of the railroad",
                )
            )
            stops: list[Stop] = []
            for stop in line.stops:
                if stop.place not in loose and not (stops and stops[-1].place == stop.place):
                    stops.append(stop)
            if len(stops) > 1:
                kept.append(Line(line.id, line.name, tuple(stops)))
        lines = kept
