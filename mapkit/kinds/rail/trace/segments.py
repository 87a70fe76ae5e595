"""Segments: one for each pair of mileposts joined by one track piece or through junctions."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache

from mapkit.core.base import Point
from mapkit.core.names import joined_id
from mapkit.kinds.rail.model.board import Piece
from mapkit.kinds.rail.model.network import NetworkPiece, NetworkSegment
from mapkit.kinds.rail.trace.junction_ways import Way, find_ways_through


def make_segments(pieces: Sequence[NetworkPiece], junctions: Collection[str]) -> tuple[NetworkSegment, ...]:
    """Return the segments of all railroads, sorted by id.

    A piece between two mileposts is a segment. Through junctions there is a segment for each pair of mileposts, over
    the fewest pieces, and one for each piece that would be in none (see `junction_ways`): three arms that meet make
    three segments, which share pieces (RB-C10, RB-M07).

    Args:
        pieces: Pieces of all railroads.
        junctions: Ids of the junctions; every other end is a milepost.

    Raises:
        SourceError: Junctions alone join hundreds of mileposts.
    """
    piece_by_id = {piece.id: piece for piece in pieces}
    sorted_ways = sorted(
        {(piece_by_id[way[1][0]].railroad, way[0], way[2], way[1]) for way in _segment_ways(pieces, junctions)},
        key=lambda way: (*way[:3], len(way[3]), way[3]),
    )
    id_counts: Counter[str] = Counter()
    numbered_segments: list[NetworkSegment] = []
    for railroad, a, b, way_pieces in sorted_ways:
        ident = joined_id(railroad, a, b)
        id_counts[ident] += 1
        segment_id = ident if id_counts[ident] == 1 else f"{ident}--{id_counts[ident]}"
        numbered_segments.append(_make_segment(segment_id, a, b, tuple(piece_by_id[piece] for piece in way_pieces)))
    return tuple(sorted(numbered_segments, key=lambda s: s.id))


@lru_cache(maxsize=50_000)
def _make_segment(ident: str, a: str, b: str, used: tuple[NetworkPiece, ...]) -> NetworkSegment:
    """Return a segment; cached, so that results derived from it are cached too."""
    return NetworkSegment(
        id=ident,
        railroad=used[0].railroad,
        a=a,
        b=b,
        miles=round(sum(piece.miles for piece in used), 2),
        pieces=tuple(piece.id for piece in used),
        origin=used[0].origin,
    )


def _segment_ways(pieces: Sequence[NetworkPiece], junctions: Collection[str]) -> Iterator[Way]:
    """Yield the way of each segment."""
    junction_pieces: defaultdict[str, list[NetworkPiece]] = defaultdict(list)
    for piece in pieces:
        if piece.a in junctions or piece.b in junctions:
            junction_pieces[piece.railroad].append(piece)
        else:
            yield (piece.a, (piece.id,), piece.b) if piece.a < piece.b else (piece.b, (piece.id,), piece.a)
    for railroad in sorted(junction_pieces):
        yield from find_ways_through(junction_pieces[railroad], junctions)


def segment_path(start: str, used: Sequence[str], pieces: Mapping[str, Piece]) -> tuple[Point, ...]:
    """Return the page path of a segment from its milepost `start`, its pieces joined in order."""
    path_points: list[Point] = []
    current_node = start
    for ident in used:
        piece = pieces[ident]
        is_forward = piece.a == current_node
        piece_path = piece.path if is_forward else piece.path[::-1]
        current_node = piece.b if is_forward else piece.a
        path_points.extend(piece_path if not path_points else piece_path[1:])
    return tuple(path_points)
