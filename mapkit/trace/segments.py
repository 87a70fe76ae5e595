"""Track pieces become segments: one for each pair of mileposts joined by one piece or through junctions."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence

from mapkit.errors import SourceError
from mapkit.model.network import NetworkPiece, NetworkSegment

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
        out.append(
            NetworkSegment(
                id=ident if count[ident] == 1 else f"{ident}--{count[ident]}",
                railroad=railroad,
                a=a,
                b=b,
                miles=round(sum(by_id[piece].miles for piece in used), 2),
                pieces=used,
                origin=by_id[used[0]].origin,
            )
        )
    return tuple(sorted(out, key=lambda s: s.id))


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
