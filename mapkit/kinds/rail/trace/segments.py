"""Track pieces become segments: one for each pair of mileposts joined by one piece or through junctions."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache

from mapkit.core.base import Point
from mapkit.core.names import joined_id
from mapkit.kinds.rail.model.board import Piece
from mapkit.kinds.rail.model.network import NetworkPiece, NetworkSegment
from mapkit.kinds.rail.trace.junction_ways import Way, ways_through


def segments_of(pieces: Sequence[NetworkPiece], junctions: Collection[str]) -> tuple[NetworkSegment, ...]:
    """Return the segments of all railroads, sorted by id.

    A piece between two mileposts is a segment. Through junctions there is a segment for each two mileposts, over
    the fewest pieces, and one for each piece that would be in none, as `junction_ways` says: three arms that meet
    make three segments, which share pieces (RB-C10, RB-M07).

    Args:
        pieces: Pieces of all railroads.
        junctions: Ids of the junctions; every other end is a milepost.

    Raises:
        SourceError: Junctions alone join hundreds of mileposts.
    """
    by_id = {piece.id: piece for piece in pieces}
    unique = sorted(
        {(by_id[way[1][0]].railroad, way[0], way[2], way[1]) for way in _ways(pieces, junctions)}, key=_order
    )
    count: Counter[str] = Counter()
    out: list[NetworkSegment] = []
    for railroad, a, b, used in unique:
        ident = joined_id(railroad, a, b)
        count[ident] += 1
        name = ident if count[ident] == 1 else f"{ident}--{count[ident]}"
        out.append(_segment(name, a, b, tuple(by_id[piece] for piece in used)))
    return tuple(sorted(out, key=lambda s: s.id))


@lru_cache(maxsize=50_000)
def _segment(ident: str, a: str, b: str, used: tuple[NetworkPiece, ...]) -> NetworkSegment:
    """Return a segment; the same object for the same pieces, so that what follows from it need not be redone."""
    return NetworkSegment(
        id=ident,
        railroad=used[0].railroad,
        a=a,
        b=b,
        miles=round(sum(piece.miles for piece in used), 2),
        pieces=tuple(piece.id for piece in used),
        origin=used[0].origin,
    )


def with_pieces(segment: NetworkSegment, pieces: Mapping[str, NetworkPiece]) -> NetworkSegment:
    """Return a segment as it is with other pieces of the same ids."""
    return _segment(segment.id, segment.a, segment.b, tuple(pieces[piece] for piece in segment.pieces))


def _order(way: tuple[str, str, str, tuple[str, ...]]) -> tuple[str, str, str, int, tuple[str, ...]]:
    railroad, a, b, used = way
    return railroad, a, b, len(used), used


def _ways(pieces: Sequence[NetworkPiece], junctions: Collection[str]) -> Iterator[Way]:
    """Yield the way of each segment."""
    through: defaultdict[str, list[NetworkPiece]] = defaultdict(list)
    for piece in pieces:
        if piece.a in junctions or piece.b in junctions:
            through[piece.railroad].append(piece)
        else:
            yield (piece.a, (piece.id,), piece.b) if piece.a < piece.b else (piece.b, (piece.id,), piece.a)
    for railroad in sorted(through):
        yield from ways_through(through[railroad], junctions)


def segment_path(start: str, used: Sequence[str], pieces: Mapping[str, Piece]) -> tuple[Point, ...]:
    """Return the page path of a segment from its milepost `start`, the pieces that it uses joined in order."""
    out: list[Point] = []
    at = start
    for ident in used:
        piece = pieces[ident]
        forward = piece.a == at
        path = piece.path if forward else piece.path[::-1]
        at = piece.b if forward else piece.a
        out.extend(path if not out else path[1:])
    return tuple(out)
