"""Operations on track and junctions, applied to a board in work."""

from collections.abc import Sequence
from itertools import pairwise

from mapkit.model.base import Point
from mapkit.model.board import Junction
from mapkit.model.variant import (
    AddJunction,
    AddLine,
    AddPiece,
    AddSegment,
    ReassignSegments,
    RemoveJunction,
    RemovePiece,
    RemoveSegments,
)
from mapkit.variants.lines import rounded
from mapkit.variants.work import OperationError, Work

_THROUGH = 2


def add_segment(work: Work, op: AddSegment) -> None:
    """Add track between two mileposts."""
    for end in (op.a, op.b):
        work.milepost(end)
    _add(work, op.railroad, op.a, op.b, op.line)


def add_piece(work: Work, op: AddPiece) -> None:
    """Add track between two mileposts or junctions of the railroad."""
    for end in (op.a, op.b):
        junction = work.junctions.get(end)
        if junction is not None and junction.railroad != op.railroad:
            raise OperationError(f"junction {end!r} is one of {junction.railroad!r}; lines of others do not join there")
    _add(work, op.railroad, op.a, op.b, op.line, ident=op.id)


def _add(  # noqa: PLR0913, PLR0917 - whose, from where, to where, how
    work: Work, railroad: str, a: str, b: str, line: Sequence[Point] | None, ident: str | None = None
) -> None:
    work.railroad(railroad)
    start, end = work.node(a), work.node(b)
    if line is None:
        if a == b:
            raise OperationError(f"a segment from {a!r} back to itself needs a line")
        drawn: tuple[Point, ...] = (start, end)
    else:
        drawn = (start, *(rounded(*point) for point in line[1:-1]), end)
        for end_id in (a, b):
            work.read("map", "milepost", end_id, "place")
        for given, node, name in ((line[0], start, a), (line[-1], end, b)):
            if rounded(*given) != node:
                raise OperationError(
                    f"the line has its end at {given[0]:g}, {given[1]:g}, but {name!r} stands at "
                    f"{node[0]:g}, {node[1]:g}; begin at a and end at b"
                )
    made = work.add_piece(railroad, drawn, a, b, ident=ident)
    work.read("map", "railroad", railroad, "exists")
    for end_id in (a, b):
        work.read("map", "milepost", end_id, "exists")
    work.wrote("map", "track", railroad, made, value=drawn if (a, b) == tuple(sorted((a, b))) else drawn[::-1])


def add_line(work: Work, op: AddLine) -> None:
    """Add track along mileposts, beside what is there."""
    work.railroad(op.railroad)
    if op.along is not None:
        work.railroad(op.along)
    for ident in op.mileposts:
        work.milepost(ident)
    for a, b in pairwise(op.mileposts):
        if a == b:
            raise OperationError(f"milepost {a!r} stands twice in a row; name it once")
        beside = _beside(work, op, a, b)
        line: tuple[Point, ...] | None = None
        if beside is not None:
            piece = work.pieces[beside]
            line = piece.line if piece.a == a else piece.line[::-1]
            work.read("map", "track", piece.railroad, beside)
        elif op.along is not None:
            raise OperationError(
                f"{op.along!r} has no segment from {a!r} to {b!r} to run beside; name its next milepost"
            )
        _add(work, op.railroad, a, b, line)


def _beside(work: Work, op: AddLine, a: str, b: str) -> str | None:
    """Return the piece from a to b that new track runs beside: of `along`, or the first of any other railroad."""
    found = sorted(
        ident
        for ident in work.pieces_at.get(a, set()) & work.pieces_at.get(b, set())
        if work.pieces[ident].railroad != op.railroad and op.along in (None, work.pieces[ident].railroad)
    )
    return found[0] if found else None


def own_pieces(work: Work, segments: Sequence[str], *, whole: bool) -> list[str]:
    """Return the pieces that only these segments use; they may be of several railroads.

    Args:
        work: The board in work.
        segments: Ids.
        whole: Whether every piece of them must be only theirs; else one of each segment is enough.

    Raises:
        OperationError: A segment is gone, or shares its track through a junction with one that is not named.
    """
    named: dict[str, tuple[str, ...]] = {}
    railroads: dict[str, set[str]] = {}
    for ident in segments:
        railroad, (_, _, named[ident]) = work.way(ident)
        railroads.setdefault(railroad, set()).add(ident)
    others: dict[str, str] = {}
    if any(len(pieces) > 1 for pieces in named.values()):
        for railroad, own in sorted(railroads.items()):
            for other, (_, _, pieces) in work.ways(railroad).items():
                if other not in own:
                    others.update(dict.fromkeys(pieces, other))
    for ident, pieces in named.items():
        shared = [piece for piece in pieces if piece in others]
        if len(shared) == len(pieces) or (whole and shared):
            raise OperationError(
                f"segment {ident!r} shares track with {others[shared[0]]!r} through a junction; name that too"
            )
    return sorted({piece for pieces in named.values() for piece in pieces if piece not in others})


def remove_segments(work: Work, op: RemoveSegments) -> None:
    """Remove segments with the track that only they use."""
    for ident in own_pieces(work, op.segments, whole=False):
        railroad = work.pieces[ident].railroad
        work.wrote("map", "track", railroad, ident, value="gone")
        work.drop_piece(ident)
    drop_bare_junctions(work)


def remove_piece(work: Work, op: RemovePiece) -> None:
    """Remove a track piece."""
    work.piece(op.id)
    work.wrote("map", "track", work.pieces[op.id].railroad, op.id, value="gone")
    work.drop_piece(op.id)


def drop_bare_junctions(work: Work) -> None:
    """Remove junctions to which no track leads, and track that ends at one."""
    for ident in sorted(work.junctions):
        at = ident
        while at in work.junctions and len(work.arms(at)) < _THROUGH:
            arms = work.arms(at)
            far = at
            for arm in arms:
                piece = work.drop_piece(arm)
                work.wrote("map", "track", piece.railroad, arm, value="gone")
                far = piece.b if piece.a == at else piece.a
            work.drop_junction(at)
            work.wrote("map", "milepost", at, value="gone")
            at = far if far != at else ""


def reassign_segments(work: Work, op: ReassignSegments) -> None:
    """Give segments to another railroad."""
    work.railroad(op.railroad)
    work.read("map", "railroad", op.railroad, "exists")
    pieces = own_pieces(work, op.segments, whole=True)
    for ident in pieces:
        work.wrote("map", "track", work.pieces[ident].railroad, ident, value=("to", op.railroad))
    give(work, pieces, op.railroad)


def give(work: Work, pieces: Sequence[str], railroad: str) -> None:
    """Give pieces, with the junctions that only they use, to a railroad.

    Raises:
        OperationError: A junction is used by track that stays.
    """
    chosen = set(pieces)
    nodes = sorted({end for ident in pieces for end in (work.pieces[ident].a, work.pieces[ident].b)})
    renamed: dict[str, str] = {}
    for node in nodes:
        junction = work.junctions.get(node)
        if junction is None:
            continue
        if set(work.arms(node)) - chosen:
            raise OperationError(
                f"junction {node!r} is used by track that stays with {junction.railroad!r}; name it too"
            )
        if junction.railroad != railroad:
            renamed[node] = f"{railroad}--{node.removeprefix(f'{junction.railroad}--')}"
            if renamed[node] in work.junctions:
                raise OperationError(f"{railroad!r} has a junction {renamed[node]!r} already")
            work.put_junction(junction.model_copy(update={"id": renamed[node], "railroad": railroad}))
    for ident in sorted(chosen):
        if work.pieces[ident].railroad != railroad:
            piece = work.drop_piece(ident)
            work.add_piece(railroad, piece.line, renamed.get(piece.a, piece.a), renamed.get(piece.b, piece.b))
    for node in renamed:
        work.drop_junction(node)


def add_junction(work: Work, op: AddJunction) -> None:
    """Add a junction that track can lead to."""
    work.railroad(op.railroad)
    if op.id in work.junctions or op.id in work.mileposts:
        raise OperationError(f"there is a milepost or junction {op.id!r} already; choose another id")
    lon, lat = rounded(op.lon, op.lat)
    work.put_junction(Junction(id=op.id, railroad=op.railroad, lon=lon, lat=lat, x=0.0, y=0.0))
    work.wrote("map", "milepost", op.id, value=(op.railroad, lon, lat))


def remove_junction(work: Work, op: RemoveJunction) -> None:
    """Remove a junction that no track uses."""
    if op.id not in work.junctions:
        work.node(op.id)
        raise OperationError(f"{op.id!r} is a milepost; use remove-milepost")
    if work.arms(op.id):
        raise OperationError(f"junction {op.id!r} still joins {', '.join(work.arms(op.id))}; remove these pieces first")
    work.drop_junction(op.id)
    work.wrote("map", "milepost", op.id, value="gone")
