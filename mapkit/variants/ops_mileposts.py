"""Operations on mileposts, applied to a board in work."""

from mapkit.model.base import Point
from mapkit.model.board import Junction, Milepost, Piece
from mapkit.model.variant import AddMilepost, InsertMilepost, MoveMilepost, RemoveMilepost, RenameMilepost
from mapkit.variants.lines import cut, length, nearest, point_at, rounded
from mapkit.variants.work import OperationError, Work

_TWO_ARMS = 2


def add_milepost(work: Work, op: AddMilepost) -> None:
    """Add a milepost off any track."""
    _new(work, op.id, op.name, rounded(op.lon, op.lat))
    work.wrote("map", "milepost", op.id, value=op.model_dump(exclude={"reason"}))


def _new(work: Work, ident: str, name: str, point: Point) -> None:
    if ident in work.mileposts or ident in work.junctions:
        raise OperationError(f"there is a milepost or junction {ident!r} already; choose another id")
    work.put_milepost(Milepost(id=ident, name=name, kind="dot", lon=point[0], lat=point[1], x=0.0, y=0.0), moved=True)


def rename_milepost(work: Work, op: RenameMilepost) -> None:
    """Show a milepost under another name."""
    found = work.milepost(op.id)
    if op.was is not None and found.name != op.was:
        raise OperationError(f"milepost {op.id!r} is called {found.name!r}, not {op.was!r}; correct `was`")
    work.put_milepost(found.model_copy(update={"name": op.name}))
    work.wrote("map", "milepost", op.id, "name", value=op.name)


def move_milepost(work: Work, op: MoveMilepost) -> None:
    """Move a milepost and the ends of its track."""
    found = work.milepost(op.id)
    if op.was is not None and rounded(*op.was) != (found.lon, found.lat):
        raise OperationError(
            f"milepost {op.id!r} stands at {found.lon:g}, {found.lat:g}, not at {op.was[0]:g}, {op.was[1]:g}; "
            "correct `was`"
        )
    point = rounded(op.lon, op.lat)
    work.put_milepost(found.model_copy(update={"lon": point[0], "lat": point[1]}), moved=True)
    for ident in work.arms(op.id):
        piece = work.pieces[ident]
        line = list(piece.line)
        if piece.a == op.id:
            line[0] = point
        if piece.b == op.id:
            line[-1] = point
        work.bend(ident, tuple(line))
        work.wrote("map", "track", piece.railroad, ident, op.id, value=point)
    work.wrote("map", "milepost", op.id, "place", value=point)


def remove_milepost(work: Work, op: RemoveMilepost) -> None:
    """Remove a milepost that is no city's, and join its track or remove it."""
    found = work.milepost(op.id)
    for city in work.cities.values():
        if city.milepost == op.id:
            raise OperationError(f"milepost {op.id!r} is that of the city {city.id!r}; remove the city first")
    work.wrote("map", "milepost", op.id, value="gone")
    for railroad in sorted({work.pieces[p].railroad for p in work.arms(op.id)}):
        arms = work.arms(op.id, railroad)
        for arm in arms:
            work.wrote("map", "track", railroad, arm)
        loops = [p for p in arms if work.pieces[p].a == work.pieces[p].b]
        for ident in arms if op.track == "remove" or len(arms) == 1 else loops:
            work.drop_piece(ident)
        arms = work.arms(op.id, railroad)
        if len(arms) == 1:
            work.drop_piece(arms[0])
        elif len(arms) == _TWO_ARMS:
            _join(work, railroad, op.id, arms)
        elif arms:
            _junction(work, railroad, found, arms)
    del work.mileposts[op.id]
    work.unstamp("mileposts", op.id)


def _join(work: Work, railroad: str, node: str, arms: list[str]) -> None:
    one, other = (_from(work.drop_piece(arm), node) for arm in arms)
    work.add_piece(railroad, (*one[1][::-1], *other[1][1:]), one[0], other[0])


def _from(piece: Piece, node: str) -> tuple[str, tuple[Point, ...]]:
    """Return the far end of a piece, and its line from the near one."""
    return (piece.b, piece.line) if piece.a == node else (piece.a, piece.line[::-1])


def _junction(work: Work, railroad: str, at: Milepost, arms: list[str]) -> None:
    ident = f"{railroad}--{at.id}"
    if ident in work.junctions:
        raise OperationError(f"its track cannot join in a junction, there is one {ident!r} already; use track = remove")
    work.put_junction(Junction(id=ident, railroad=railroad, lon=at.lon, lat=at.lat, x=0.0, y=0.0))
    for arm in arms:
        far, line = _from(work.drop_piece(arm), at.id)
        work.add_piece(railroad, line, ident, far)


def insert_milepost(work: Work, op: InsertMilepost) -> None:
    """Cut a segment of each railroad named in two at a new milepost."""
    cuts: list[str] = []
    point: Point | None = None if op.lon is None or op.lat is None else rounded(op.lon, op.lat)
    for ident in op.segments:
        railroad, (a, b, pieces) = work.way(ident)
        lines = [work.pieces[p].line for p in pieces]
        if point is None:
            point = _on(work, a, pieces, op.at)
            work.read("map", "milepost", a, "place")
            work.read("map", "milepost", b, "place")
        if len(pieces) == 1:
            chosen = pieces[0]
        else:
            chosen = min(zip(lines, pieces, strict=True), key=lambda item: (nearest(item[0], point), item[1]))[1]
        if chosen in cuts:
            raise OperationError(f"segment {ident!r} stands on track that is cut already; name it once")
        cuts.append(chosen)
        work.wrote("map", "track", railroad, chosen, value=("cut", op.id, point, len(op.segments)))
    if point is None:  # segments has one at least
        raise OperationError("no segment is named")
    _new(work, op.id, op.name, point)
    work.wrote("map", "milepost", op.id, value=(op.name, point))
    for ident in cuts:
        piece = work.pieces[ident]
        if point in (piece.line[0], piece.line[-1]):
            raise OperationError(f"the place of {op.id!r} is an end of {ident!r}; choose one between its ends")
        work.drop_piece(ident)
        before, after = cut(piece.line, point)
        work.add_piece(piece.railroad, before, piece.a, op.id)
        work.add_piece(piece.railroad, after, op.id, piece.b)


def _on(work: Work, start: str, pieces: tuple[str, ...], share: float) -> Point:
    """Return the place at a share of a segment, which may run over several pieces."""
    at, lines = start, []
    for ident in pieces:
        far, line = _from(work.pieces[ident], at)
        lines.append(line)
        at = far
    lengths = [length(line) for line in lines]
    left = share * sum(lengths)
    for line, own in zip(lines, lengths, strict=True):
        if left <= own:
            return point_at(line, left / own if own else 0.0)
        left -= own
    return lines[-1][-1]
