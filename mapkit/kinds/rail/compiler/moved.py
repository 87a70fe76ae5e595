"""Track of a railroad of which only places moved: it joins what it joined, so that only lines and lengths are new."""

from collections.abc import Mapping, Sequence

from mapkit.core.base import Point
from mapkit.kinds.rail.compiler.railroads import FoundLine, RailroadTrack
from mapkit.kinds.rail.model.network import NetworkPiece
from mapkit.kinds.rail.trace.segments import with_pieces
from mapkit.kinds.rail.trace.stations import with_line


def moved_track(old: tuple[Sequence[FoundLine], RailroadTrack], lines: Sequence[FoundLine]) -> RailroadTrack | None:
    """Return the track that tracing would give, from that of before; None where more changed than where places lie.

    Args:
        old: The lines of before, in the same order, and their track.
        lines: The lines.
    """
    before, track = old
    if track.problems or not _alike(before, lines):
        return None
    was, now = _points(before), _points(lines)
    if was is None or now is None:
        return None
    to = {point: now[place] for place, point in was.items() if now[place] != point}
    if any(now[place] != to.get(point, point) for place, point in was.items()):
        return None  # two places in one, and only one of them moved
    pieces = {piece.id: _moved_piece(piece, to) for piece in track.pieces}
    other = {piece.id for piece in track.pieces if pieces[piece.id] is not piece}
    return RailroadTrack(
        junctions=tuple(
            junction
            if (junction.lon, junction.lat) not in to
            else junction.model_copy(update=dict(zip(("lon", "lat"), to[junction.lon, junction.lat], strict=True)))
            for junction in track.junctions
        ),
        pieces=tuple(pieces.values()),
        segments=tuple(
            segment if other.isdisjoint(segment.pieces) else with_pieces(segment, pieces) for segment in track.segments
        ),
        mileposts=tuple((place, *now[place]) for place, _, _ in track.mileposts),
    )


def _alike(before: Sequence[FoundLine], lines: Sequence[FoundLine]) -> bool:
    """Return whether lines run through the same places in the same order."""
    return len(before) == len(lines) and all(
        old is new
        or (
            old._replace(stops=()) == new._replace(stops=())
            and [stop[:2] for stop in old.stops] == [stop[:2] for stop in new.stops]
        )
        for old, new in zip(before, lines, strict=True)
    )


def _points(lines: Sequence[FoundLine]) -> Mapping[str, Point] | None:
    """Return where each place lies, as track has it, or None if one lies in two."""
    out: dict[str, Point] = {}
    for line in lines:
        for stop in line.stops:
            point = (round(stop.lon, 5), round(stop.lat, 5))
            if out.setdefault(stop.place, point) != point:
                return None
    return out


def _moved_piece(piece: NetworkPiece, to: Mapping[Point, Point]) -> NetworkPiece:
    if to.keys().isdisjoint(piece.line):
        return piece
    return with_line(piece, tuple(to.get(point, point) for point in piece.line))
