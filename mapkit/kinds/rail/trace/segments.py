"""Track pieces become segments: one for each pair of mileposts joined by one piece or through junctions."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache

from mapkit.core.base import Point
from mapkit.core.errors import SourceError
from mapkit.kinds.rail.model.board import Piece
from mapkit.kinds.rail.model.network import NetworkPiece, NetworkSegment

MAX_JUNCTIONS = 6  # in a row, on the way from one milepost to the next


def segments_of(pieces: Sequence[NetworkPiece], junctions: Collection[str]) -> tuple[NetworkSegment, ...]:
    """Return the segments of all railroads, sorted by id.

    A piece between two mileposts is a segment. Through junctions there is a segment for each way from
    milepost to milepost that passes no junction twice: three arms that meet make three segments, which
    share pieces (RB-C10, RB-M07).

    Args:
        pieces: Pieces of all railroads.
        junctions: Ids of the junctions; every other end is a milepost.

    Raises:
        SourceError: More junctions follow each other without a milepost than make sense.
    """
    found = [
        way if way[0] < way[-1] else (way[-1], tuple(reversed(way[1])), way[0]) for way in _ways(pieces, junctions)
    ]
    by_id = {piece.id: piece for piece in pieces}
    unique = sorted({(by_id[way[1][0]].railroad, way[0], way[2], way[1]) for way in found}, key=_order)
    count: Counter[str] = Counter()
    out: list[NetworkSegment] = []
    for railroad, a, b, used in unique:
        ident = f"{railroad}--{a}--{b}"
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


Arms = dict[tuple[str, str], list[tuple[NetworkPiece, str]]]


def _ways(pieces: Sequence[NetworkPiece], junctions: Collection[str]) -> Iterator[tuple[str, tuple[str, ...], str]]:
    """Yield `(milepost, pieces, milepost)`, each way in both directions."""
    arms: Arms = defaultdict(list)
    for piece in pieces:
        arms[piece.railroad, piece.a].append((piece, piece.b))
        arms[piece.railroad, piece.b].append((piece, piece.a))
    for railroad, start in sorted(arms):
        if start not in junctions:
            for used, end in _onward(arms, junctions, railroad, start, (), ()):
                if start != end or len(used) == 1:
                    yield start, used, end


def _onward(
    arms: Arms,
    junctions: Collection[str],
    railroad: str,
    at: str,
    used: tuple[str, ...],
    passed: tuple[str, ...],
) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield `(pieces, milepost)` of every way on from a milepost or junction."""
    for piece, end in arms[railroad, at]:
        if piece.id in used:
            continue
        if end not in junctions:
            yield (*used, piece.id), end
        elif end not in passed:
            if len(passed) == MAX_JUNCTIONS:
                raise SourceError(
                    f"{piece.origin.where}: more than {MAX_JUNCTIONS} junctions of {railroad!r} in a row "
                    f"without a milepost, up to {end!r}; make one of them a milepost"
                )
            yield from _onward(arms, junctions, railroad, end, (*used, piece.id), (*passed, end))


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
