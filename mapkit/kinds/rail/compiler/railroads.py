"""Track of one railroad's lines, traced as in a build, but untraceable parts are reported and left out."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from pydantic import ValidationError

from mapkit.core.base import Point
from mapkit.core.errors import SourceError
from mapkit.core.names import slug
from mapkit.core.problems import Problem
from mapkit.kinds.rail.model.board import Junction, Piece, Segment
from mapkit.kinds.rail.model.network import NetworkJunction, NetworkPiece, NetworkSegment
from mapkit.kinds.rail.tables import Kind
from mapkit.kinds.rail.trace.segments import make_segments
from mapkit.kinds.rail.trace.stations import gather_stations, lay_railroad


class FoundStop(NamedTuple):
    """A place of a line: its full name, and where it lies (EPSG:4326)."""

    place: str
    kind: Kind
    lon: float
    lat: float


class FoundLine(NamedTuple):
    """A line with its places found, in order."""

    id: str
    name: str
    stops: tuple[FoundStop, ...]
    typed: tuple[int, ...] = ()
    """Which of the places as typed each stop is; a place that is not found has no stop."""
    lost: bool = False
    """Whether a place was not found, which is a problem of its own."""


class _Row(NamedTuple):
    """A stop as tracing wants it; its file is the line's id, its row the number of the stop, counted from 1.

    `provenance` says which file and row that is.
    """

    railroad: str
    file: str
    line: str
    place: str
    kind: str
    lon: float
    lat: float
    row: int
    feature: str = ""


@dataclass(frozen=True)
class RailroadTrack:
    """Track of one railroad in degrees; `mileposts` are places with longitude and latitude."""

    junctions: tuple[NetworkJunction, ...] = ()
    pieces: tuple[NetworkPiece, ...] = ()
    segments: tuple[NetworkSegment, ...] = ()
    mileposts: tuple[tuple[str, float, float], ...] = ()
    problems: tuple[Problem, ...] = ()

    @cached_property
    def places(self) -> frozenset[str]:
        """The places of its mileposts."""
        return frozenset(place for place, _, _ in self.mileposts)

    @property
    def points(self) -> list[Point]:
        """Return all places that it runs through, `(lon, lat)`."""
        return [point for piece in self.pieces for point in piece.line]


@dataclass(frozen=True)
class DrawnTrack:
    """Track with its places on the page."""

    junctions: tuple[Junction, ...] = ()
    pieces: tuple[Piece, ...] = ()
    segments: tuple[Segment, ...] = ()

    @cached_property
    def by_id(self) -> Mapping[str, Piece | Segment]:
        """Pieces and segments by id."""
        track: tuple[Piece | Segment, ...] = (*self.pieces, *self.segments)
        return {part.id: part for part in track if part.path}

    @cached_property
    def middle(self) -> Point | None:
        """A place on the page where the railroad runs: the middle of its first segment."""
        path = next((segment.path for segment in self.segments if segment.path), None)
        return path[len(path) // 2] if path else None


def trace_railroad(railroad: str, lines: Sequence[FoundLine], *, ids: Mapping[str, str] | None = None) -> RailroadTrack:
    """Trace the lines of one railroad.

    A via at which a line ends is left off, a place that is milepost and via is a milepost, and both are reported, for a
    build refuses them.

    Args:
        railroad: Its id.
        lines: Its lines, in the order of the source package.
        ids: Ids of mileposts whose names do not give them alone, by place.
    """
    problems: list[Problem] = []
    usable = _usable(railroad, lines, problems)
    rows = [
        _Row(railroad, line.id, line.name, stop.place, stop.kind, stop.lon, stop.lat, number + 1)
        for line in usable
        for stop, number in zip(line.stops, line.typed, strict=True)
    ]
    if not rows:
        return RailroadTrack(problems=tuple(problems))
    stops = {row.place: (row.place, round(row.lon, 5), round(row.lat, 5)) for row in rows if row.kind == "milepost"}
    mileposts = tuple(stops.values())
    named = {place: (ids or {}).get(place) or slug(place) for place in stops}
    try:
        junctions, pieces = lay_railroad(railroad, gather_stations(rows)[railroad], named)
        pieces.sort(key=lambda piece: piece.id)
        segments = make_segments(pieces, {junction.id for junction in junctions})
    except SourceError as error:
        problems.append(_refused(railroad, error))
        return RailroadTrack(mileposts=mileposts, problems=tuple(problems))
    except ValidationError as error:
        problems.append(Problem("railroads", railroad, f"names of places are too long: {error.errors()[0]['msg']}"))
        return RailroadTrack(mileposts=mileposts, problems=tuple(problems))
    return RailroadTrack(tuple(junctions), tuple(pieces), segments, mileposts, tuple(problems))


def _refused(railroad: str, error: SourceError) -> Problem:
    """Return the problems of tracing, which name line and stop instead of file and row."""
    line, _, rest = str(error).partition(":")
    number, _, message = rest.partition(": ")
    if not number.isdigit():
        return Problem("railroads", railroad, str(error))
    return Problem("lines", line, message, part=int(number) - 1)


def _usable(railroad: str, lines: Sequence[FoundLine], problems: list[Problem]) -> list[FoundLine]:
    """Return the lines without their untraceable parts."""
    kinds: dict[str, str] = {}
    reported: set[str] = set()
    for line in lines:
        for stop, number in zip(line.stops, line.typed, strict=True):
            other = kinds.setdefault(stop.place, stop.kind)
            if other != stop.kind and stop.place not in reported:
                reported.add(stop.place)
                text = (
                    f"{stop.place!r} is a {stop.kind} here, but a {other} of {railroad!r} elsewhere: a milepost and a "
                    "via; make it one of them"
                )
                problems.append(Problem("lines", line.id, text, part=number))
    out = []
    for line in lines:
        stops: list[FoundStop] = []
        typed: list[int] = []
        for stop, number in zip(line.stops, line.typed, strict=True):
            if stops and stops[-1].place == stop.place:
                text = f"{stop.place!r} twice in a row; remove one"
                problems.append(Problem("lines", line.id, text, part=number))
                continue
            stops.append(stop if stop.place not in reported else FoundStop(stop.place, "milepost", stop.lon, stop.lat))
            typed.append(number)
        out.append(line._replace(stops=tuple(stops), typed=tuple(typed)))
    out = [line for line in out if _long_enough(railroad, line, problems)]
    return _without_loose_vias(out, problems)


def _long_enough(railroad: str, line: FoundLine, problems: list[Problem]) -> bool:
    if len(line.stops) > 1 or line.lost:
        return len(line.stops) > 1
    text = f"line {line.name!r} of {railroad!r} has only one place; a line runs through at least two"
    problems.append(Problem("lines", line.id, text))
    return False


def _without_loose_vias(lines: list[FoundLine], problems: list[Problem]) -> list[FoundLine]:
    """Cut off ends of lines at vias that nothing else of the railroad passes, from the end inwards."""
    reported: set[str] = set()
    while True:
        near: dict[str, set[str]] = {}
        for line in lines:
            for one, other in pairwise(line.stops):
                near.setdefault(one.place, set()).add(other.place)
                near.setdefault(other.place, set()).add(one.place)
        # A line that runs out to a via and back the same way ends there too, in its middle.
        loose = {s.place for line in lines for s in line.stops if s.kind == "via" and len(near[s.place]) == 1}
        if not loose:
            return lines
        kept = []
        for line in lines:
            ends = [(s, number) for s, number in zip(line.stops, line.typed, strict=True) if s.place in loose]
            if ends and not line.lost and line.id not in reported:
                reported.add(line.id)
                text = (
                    f"line {line.name!r} ends at {ends[0][0].place!r}, which is a via; end it at a milepost, or join "
                    "it to another line of the railroad"
                )
                problems.append(Problem("lines", line.id, text, part=ends[0][1]))
            kept.append(_without(line, loose) if ends else line)
        lines = [line for line in kept if len(line.stops) > 1]


def _without(line: FoundLine, loose: Collection[str]) -> FoundLine:
    """Return a line without some places, none of the others twice in a row."""
    stops: list[FoundStop] = []
    typed: list[int] = []
    for stop, number in zip(line.stops, line.typed, strict=True):
        if stop.place not in loose and not (stops and stops[-1].place == stop.place):
            stops.append(stop)
            typed.append(number)
    return line._replace(stops=tuple(stops), typed=tuple(typed))
