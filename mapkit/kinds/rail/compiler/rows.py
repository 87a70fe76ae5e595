"""Mileposts and track that stand in tables."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from mapkit.core.base import Point
from mapkit.core.errors import SourceError
from mapkit.core.geodesy import line_miles
from mapkit.core.names import joined_id
from mapkit.core.problems import Problem
from mapkit.evaluate import Reader, tracked
from mapkit.kinds.rail.compiler.base_board import BASE, BaseBoard
from mapkit.kinds.rail.compiler.railroads import RailroadTrack
from mapkit.kinds.rail.model.board import Junction, Piece, Segment
from mapkit.kinds.rail.model.network import NetworkJunction, NetworkPiece, NetworkSegment, Origin
from mapkit.kinds.rail.tables import Junction as JunctionRow
from mapkit.kinds.rail.tables import Milepost as MilepostRow
from mapkit.kinds.rail.tables import Track as TrackRow
from mapkit.kinds.rail.trace.segments import make_segments

ORIGIN: Final = Origin(how="table")
"""Of a row; where it stands is said by the document (`provenance`)."""
Way = tuple[str, str, tuple[str, ...]]
"""A segment: its mileposts and pieces."""


def ways_of(railroad: str, pieces: Iterable[tuple[str, TrackRow]], junctions: Mapping[str, object]) -> dict[str, Way]:
    """Number the segments of a railroad as tracing does; only pieces at junctions need its walk.

    Args:
        railroad: Whose.
        pieces: Its pieces by id.
        junctions: Ids of junctions, of all railroads.
    """
    found: list[Way] = []
    through: list[NetworkPiece] = []
    for ident, piece in pieces:
        if piece.a in junctions or piece.b in junctions:
            through.append(
                NetworkPiece.model_construct(
                    id=ident, railroad=railroad, a=piece.a, b=piece.b, miles=0.0, line=(), origin=ORIGIN
                )
            )
        else:
            found.append((piece.a, piece.b, (ident,)))
    if through:
        through.sort(key=lambda p: p.id)
        found.extend((s.a, s.b, s.pieces) for s in make_segments(through, junctions.keys()))
    found.sort(key=lambda way: (way[0], way[1], len(way[2]), way[2]))
    count: Counter[str] = Counter()
    out: dict[str, Way] = {}
    for way in found:
        ident = joined_id(railroad, way[0], way[1])
        count[ident] += 1
        out[ident if count[ident] == 1 else f"{ident}--{count[ident]}"] = way
    return out


@tracked
def tabled_railroads(db: Reader) -> dict[str, dict[str, TrackRow]]:
    """Group the table of track by railroad."""
    out: dict[str, dict[str, TrackRow]] = defaultdict(dict)
    for key, row in sorted(db.table("track").items()):
        out[row.railroad][key] = row
    return dict(out)


@tracked
def tabled_junctions(db: Reader) -> dict[str, dict[str, JunctionRow]]:
    """Group the table of junctions by railroad."""
    out: dict[str, dict[str, JunctionRow]] = defaultdict(dict)
    for key, row in sorted(db.table("junctions").items()):
        out[row.railroad][key] = row
    return dict(out)


@tracked
def tabled_points(db: Reader) -> dict[str, Point]:
    """Return where mileposts and junctions of tables lie, by id."""
    return {**db.each(point_of, db.table("junctions")), **db.each(milepost_point, db.table("mileposts"))}


def point_of(_key: str, row: JunctionRow) -> Point:
    """Return where a junction lies."""
    return row.lon, row.lat


def milepost_point(_key: str, row: MilepostRow) -> Point:
    """Return where a milepost lies."""
    return row.lon, row.lat


@tracked
def base_tracks(db: Reader) -> dict[str, RailroadTrack]:
    """Return the track of each railroad as the board has it that the document was made of."""
    base: BaseBoard | None = db.input(BASE)
    return {} if base is None else {key: _in_degrees(key, *parts) for key, parts in base.track.items()}


def _in_degrees(
    railroad: str, junctions: Iterable[Junction], pieces: Iterable[Piece], segments: Iterable[Segment]
) -> RailroadTrack:
    """Return drawn track as it was laid, each part in its place."""
    return RailroadTrack(
        tuple(network_junction(j.id, railroad, (j.lon, j.lat)) for j in junctions),
        tuple(
            NetworkPiece.model_construct(
                id=p.id, railroad=railroad, a=p.a, b=p.b, miles=p.miles, line=p.line, origin=ORIGIN
            )
            for p in pieces
        ),
        tuple(
            NetworkSegment.model_construct(
                id=s.id, railroad=railroad, a=s.a, b=s.b, miles=s.miles, pieces=s.pieces, origin=ORIGIN
            )
            for s in segments
        ),
    )


def lay_rows(db: Reader, railroad: str, points: Mapping[str, Point]) -> RailroadTrack:
    """Return the track of a railroad that stands in tables.

    Args:
        db: The document, read by a function of one railroad.
        railroad: The railroad.
        points: Where mileposts and junctions lie, those of station lists too.
    """
    rows: Mapping[str, TrackRow] = db.lookup(tabled_railroads).get(railroad, {})
    nodes: Mapping[str, JunctionRow] = db.lookup(tabled_junctions).get(railroad, {})
    ends = {node: points.get(node) for row in rows.values() for node in (row.a, row.b)}
    if railroad not in db.rows("railroads"):
        text = f"the railroad {railroad!r} is not in the table of railroads; add it there"
        return RailroadTrack(problems=tuple(Problem("track", key, text) for key in rows))
    base: BaseBoard | None = db.input(BASE)
    old = base_tracks(db).get(railroad)
    known = {} if old is None else {piece.id: piece for piece in old.pieces}
    found = db.each(_lay_piece, rows, ends, known, {} if base is None else base.points)
    laid = {key: piece for key, piece in found.items() if isinstance(piece, NetworkPiece)}
    problems = [piece for piece in found.values() if isinstance(piece, Problem)]
    junctions = db.table("junctions")
    points_of_nodes = [(key, row.lon, row.lat) for key, row in nodes.items()]
    if (
        old is not None
        and not problems
        and (tuple(laid.values()), points_of_nodes) == (old.pieces, [(j.id, j.lon, j.lat) for j in old.junctions])
    ):
        return old
    try:
        ways = ways_of(railroad, ((key, rows[key]) for key in laid), junctions)
    except SourceError as error:
        problems.append(Problem("railroads", railroad, str(error).removeprefix(f"{ORIGIN.where}: ")))
        return RailroadTrack(problems=tuple(problems))
    segments = db.each(_lay_segment, ways, laid, known, {} if old is None else {s.id: s for s in old.segments})
    return RailroadTrack(
        tuple(network_junction(key, railroad, (row.lon, row.lat)) for key, row in nodes.items()),
        tuple(laid.values()),
        tuple(sorted(segments.values(), key=lambda s: s.id)),
        problems=tuple(problems),
    )


def _lay_piece(
    key: str,
    row: TrackRow,
    points: Mapping[str, Point | None],
    known: Mapping[str, NetworkPiece],
    known_points: Mapping[str, Point],
) -> NetworkPiece | Problem:
    start, end = points.get(row.a), points.get(row.b)
    if start is None or end is None:
        lost = row.a if start is None else row.b
        text = f"it ends at {lost!r}, which is neither a milepost nor a junction; add it, or end it elsewhere"
        return Problem("track", key, text)
    old = known.get(key)
    if (
        old is not None
        and (old.railroad, old.a, old.b, old.line[1:-1]) == (row.railroad, row.a, row.b, row.bends)
        and (known_points.get(row.a), known_points.get(row.b)) == (start, end)
    ):
        return old
    line = (start, *row.bends, end)
    return NetworkPiece.model_construct(
        id=key,
        railroad=row.railroad,
        a=row.a,
        b=row.b,
        miles=round(line_miles(line), 2),
        line=line,
        origin=ORIGIN,
    )


def _lay_segment(
    ident: str,
    way: Way,
    pieces: Mapping[str, NetworkPiece],
    known_pieces: Mapping[str, NetworkPiece],
    known: Mapping[str, NetworkSegment],
) -> NetworkSegment:
    a, b, used = way
    old = known.get(ident)
    if old is not None and old.pieces == used and all(pieces[key] is known_pieces.get(key) for key in used):
        return old
    return network_segment(ident, a, b, [pieces[key] for key in used])


def network_junction(ident: str, railroad: str, at: Point) -> NetworkJunction:
    """Return a junction of a table."""
    return NetworkJunction.model_construct(id=ident, railroad=railroad, name=ident, lon=at[0], lat=at[1], origin=ORIGIN)


def network_segment(ident: str, a: str, b: str, used: Sequence[NetworkPiece]) -> NetworkSegment:
    """Return a segment over pieces of tables."""
    return NetworkSegment.model_construct(
        id=ident,
        railroad=used[0].railroad,
        a=a,
        b=b,
        miles=round(sum(piece.miles for piece in used), 2),
        pieces=tuple(piece.id for piece in used),
        origin=ORIGIN,
    )


def join_track(railroad: str, listed: RailroadTrack, rows: RailroadTrack) -> RailroadTrack:
    """Join the track of a railroad from station lists and tables."""
    problems: list[Problem] = []
    taken = {piece.id for piece in listed.pieces}
    more: list[NetworkPiece] = []
    for piece in rows.pieces:
        if piece.id in taken:
            text = "a station list of the railroad runs between the same places; remove one of the two"
            problems.append(Problem("track", piece.id, text))
        else:
            more.append(piece)
    known = {junction.id for junction in listed.junctions}
    nodes = [*listed.junctions, *(junction for junction in rows.junctions if junction.id not in known)]
    pieces = sorted([*listed.pieces, *more], key=lambda p: p.id)
    try:
        segments = make_segments(pieces, {junction.id for junction in nodes})
    except SourceError as error:
        problems.append(Problem("railroads", railroad, str(error)))
        return RailroadTrack(mileposts=listed.mileposts, problems=tuple(problems))
    nodes.sort(key=lambda j: j.id)
    return RailroadTrack(tuple(nodes), tuple(pieces), segments, listed.mileposts, tuple(problems))
