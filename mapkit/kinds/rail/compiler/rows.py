"""Mileposts and track that stand in tables, element by element; laid again only where rows changed."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeVar

from mapkit.core.base import Point
from mapkit.core.errors import SourceError
from mapkit.core.geodesy import line_miles
from mapkit.core.names import joined_id
from mapkit.core.problems import Problem
from mapkit.document.document import Row
from mapkit.kinds.rail.compiler.frame import Frame
from mapkit.kinds.rail.compiler.railroads import RailroadTrack
from mapkit.kinds.rail.model.board import Milepost
from mapkit.kinds.rail.model.network import NetworkJunction, NetworkPiece, NetworkSegment, Origin
from mapkit.kinds.rail.tables import Junction as JunctionRow
from mapkit.kinds.rail.tables import Milepost as MilepostRow
from mapkit.kinds.rail.tables import RailDocument
from mapkit.kinds.rail.tables import Track as TrackRow
from mapkit.kinds.rail.trace.segments import segments_of

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
        found.extend((s.a, s.b, s.pieces) for s in segments_of(through, junctions.keys()))
    found.sort(key=lambda way: (way[0], way[1], len(way[2]), way[2]))
    count: Counter[str] = Counter()
    out: dict[str, Way] = {}
    for way in found:
        ident = joined_id(railroad, way[0], way[1])
        count[ident] += 1
        out[ident if count[ident] == 1 else f"{ident}--{count[ident]}"] = way
    return out


@dataclass(frozen=True)
class Rows:
    """The tables of mileposts, junctions and track, and the track that they give, in degrees.

    Args:
        mileposts: The table of mileposts.
        junctions: The table of junctions.
        track: The table of track pieces.
        railroads: The ids of the railroads that the board has.
        others: Where pieces end that end at no row: mileposts and junctions of station lists, by id.
        tracks: The track of each railroad.
    """

    mileposts: Mapping[str, MilepostRow] = field(default_factory=dict)
    junctions: Mapping[str, JunctionRow] = field(default_factory=dict)
    track: Mapping[str, TrackRow] = field(default_factory=dict)
    railroads: frozenset[str] = frozenset()
    others: Mapping[str, Point] = field(default_factory=dict)
    tracks: Mapping[str, RailroadTrack] = field(default_factory=dict)

    @property
    def problems(self) -> list[Problem]:
        """Return what cannot be laid."""
        return [problem for track in self.tracks.values() for problem in track.problems]

    @property
    def points(self) -> list[Point]:
        """Return where the mileposts lie, `(lon, lat)`."""
        return [(row.lon, row.lat) for row in self.mileposts.values()]


NO_ROWS: Final = Rows()


def lay_rows(document: RailDocument, others: Mapping[str, Point], before: Rows = NO_ROWS) -> Rows:
    """Lay the rows of a document.

    Args:
        document: The document.
        others: Where mileposts and junctions of station lists lie, by id.
        before: What was laid of an earlier document; railroads of which no row changed are taken from it.
    """
    railroads = frozenset(document.railroads)
    rows = Rows(document.mileposts, document.junctions, document.track, railroads, others)
    moved = {*_moved(before.mileposts, rows.mileposts), *_moved(before.junctions, rows.junctions)}
    moved |= {key for key in {*before.others, *others} if before.others.get(key) != others.get(key)}
    new = _changed(before.track, rows.track)
    if moved:
        new |= {key for key, row in rows.track.items() if row.a in moved or row.b in moved}
    dirty = {row.railroad for key in new for row in (rows.track.get(key), before.track.get(key)) if row is not None}
    for key in _changed(before.junctions, rows.junctions):
        dirty |= {t[key].railroad for t in (before.junctions, rows.junctions) if key in t}
    dirty |= railroads ^ before.railroads
    tracks = {key: track for key, track in before.tracks.items() if key not in dirty}
    pieces: dict[str, list[tuple[str, TrackRow]]] = defaultdict(list)
    for key, row in rows.track.items():
        if row.railroad in dirty:
            pieces[row.railroad].append((key, row))
    nodes: dict[str, list[tuple[str, JunctionRow]]] = defaultdict(list)
    for key, node in rows.junctions.items():
        if node.railroad in dirty:
            nodes[node.railroad].append((key, node))
    for railroad in sorted(pieces.keys() | nodes.keys()):
        laying = _Railroad(railroad, rows, new, before.tracks.get(railroad) or RailroadTrack())
        tracks[railroad] = laying.track(sorted(pieces[railroad]), sorted(nodes[railroad]))
    return Rows(rows.mileposts, rows.junctions, rows.track, railroads, others, tracks)


R = TypeVar("R", bound=Row)
N = TypeVar("N", MilepostRow, JunctionRow)


def _changed(before: Mapping[str, R], now: Mapping[str, R]) -> set[str]:
    """Return the keys of rows that came, went, or are others."""
    if before is now:
        return set()
    return {key for key, row in now.items() if before.get(key) is not row} | (before.keys() - now.keys())


def _moved(before: Mapping[str, N], now: Mapping[str, N]) -> Iterable[str]:
    """Return the keys of rows that came, went, or lie elsewhere."""
    for key in _changed(before, now):
        one, other = before.get(key), now.get(key)
        if one is None or other is None or (one.lon, one.lat) != (other.lon, other.lat):
            yield key


@dataclass
class _Railroad:
    """The rows of one railroad."""

    railroad: str
    rows: Rows
    new: set[str]
    old: RailroadTrack

    def track(self, pieces: Sequence[tuple[str, TrackRow]], nodes: Sequence[tuple[str, JunctionRow]]) -> RailroadTrack:
        """Return the track of the railroad; what is as it was is the same object."""
        if self.railroad not in self.rows.railroads:
            text = f"the railroad {self.railroad!r} is not in the table of railroads; add it there"
            return RailroadTrack(problems=tuple(Problem("track", key, text) for key, _ in pieces))
        problems: list[Problem] = []
        laid: list[NetworkPiece] = []
        known = {piece.id: piece for piece in self.old.pieces}
        for key, row in pieces:
            piece = known.get(key) if key not in self.new else None
            if piece is None:
                piece = self._piece(key, row, problems)
            if piece is not None:
                laid.append(piece)
        try:
            segments = self._segments(laid, dict(pieces))
        except SourceError as error:
            problems.append(Problem("railroads", self.railroad, str(error).removeprefix(f"{ORIGIN.where}: ")))
            return RailroadTrack(problems=tuple(problems))
        return RailroadTrack(self._junctions(nodes), tuple(laid), segments, problems=tuple(problems))

    def _place(self, node: str) -> Point | None:
        row = self.rows.mileposts.get(node) or self.rows.junctions.get(node)
        return self.rows.others.get(node) if row is None else (row.lon, row.lat)

    def _piece(self, key: str, row: TrackRow, problems: list[Problem]) -> NetworkPiece | None:
        start, end = self._place(row.a), self._place(row.b)
        if start is None or end is None:
            lost = row.a if start is None else row.b
            text = f"it ends at {lost!r}, which is neither a milepost nor a junction; add it, or end it elsewhere"
            problems.append(Problem("track", key, text))
            return None
        line = (start, *row.bends, end)
        return NetworkPiece.model_construct(
            id=key,
            railroad=self.railroad,
            a=row.a,
            b=row.b,
            miles=round(line_miles(line), 2),
            line=line,
            origin=ORIGIN,
        )

    def _segments(self, pieces: Sequence[NetworkPiece], rows: Mapping[str, TrackRow]) -> tuple[NetworkSegment, ...]:
        known = {segment.id: segment for segment in self.old.segments}
        by_id = {piece.id: piece for piece in pieces}
        out: list[NetworkSegment] = []
        own = ((key, rows[key]) for key in by_id)
        for ident, (a, b, used) in ways_of(self.railroad, own, self.rows.junctions).items():
            found = known.get(ident)
            if found is None or found.pieces != used or not self.new.isdisjoint(used):
                found = network_segment(ident, a, b, [by_id[key] for key in used])
            out.append(found)
        return tuple(sorted(out, key=lambda s: s.id))

    def _junctions(self, nodes: Sequence[tuple[str, JunctionRow]]) -> tuple[NetworkJunction, ...]:
        known = {(j.id, j.lon, j.lat): j for j in self.old.junctions}
        return tuple(
            known.get((key, row.lon, row.lat)) or network_junction(key, self.railroad, (row.lon, row.lat))
            for key, row in nodes
        )


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


def joined(listed: Mapping[str, RailroadTrack], rows: Mapping[str, RailroadTrack], known: "Whole | None") -> "Whole":
    """Return the track of each railroad, of lists and rows together.

    Args:
        listed: What station lists give.
        rows: What rows give.
        known: What was joined before; railroads whose parts are as they were are taken from it.
    """
    out: dict[str, RailroadTrack] = {}
    for railroad in sorted(listed.keys() | rows.keys()):
        one, other = listed.get(railroad), rows.get(railroad)
        if one is None or other is None:
            out[railroad] = one or other or RailroadTrack()
        elif known is not None and known.listed.get(railroad) is one and known.rows.get(railroad) is other:
            out[railroad] = known.tracks[railroad]
        else:
            out[railroad] = _join(railroad, one, other)
    return Whole(out, listed, rows)


@dataclass(frozen=True)
class Whole:
    """The track of each railroad, and what of it lists and rows give."""

    tracks: Mapping[str, RailroadTrack] = field(default_factory=dict)
    listed: Mapping[str, RailroadTrack] = field(default_factory=dict)
    rows: Mapping[str, RailroadTrack] = field(default_factory=dict)

    @property
    def problems(self) -> list[Problem]:
        """Return what cannot be joined."""
        return [
            problem
            for railroad, track in self.tracks.items()
            if railroad in self.listed and railroad in self.rows
            for problem in track.problems
        ]


def _join(railroad: str, listed: RailroadTrack, rows: RailroadTrack) -> RailroadTrack:
    """Return the track of a railroad of which some stands in lists and some in tables."""
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
        segments = segments_of(pieces, {junction.id for junction in nodes})
    except SourceError as error:
        problems.append(Problem("railroads", railroad, str(error)))
        return RailroadTrack(mileposts=listed.mileposts, problems=tuple(problems))
    nodes.sort(key=lambda j: j.id)
    return RailroadTrack(tuple(nodes), tuple(pieces), segments, listed.mileposts, tuple(problems))


# On the page


@dataclass(frozen=True)
class PlacedRows:
    """Mileposts of a table on the page, by id.

    Args:
        rows: The table.
        cities: The ids of the mileposts at which cities stand.
        by_id: The mileposts.
    """

    rows: Mapping[str, MilepostRow] = field(default_factory=dict)
    cities: frozenset[str] = frozenset()
    by_id: Mapping[str, Milepost] = field(default_factory=dict)


def place_rows(
    rows: Mapping[str, MilepostRow], cities: frozenset[str], frame: Frame, before: PlacedRows | None
) -> PlacedRows:
    """Return the mileposts of a table on the page.

    Args:
        rows: The table.
        cities: The ids of the mileposts at which cities stand.
        frame: The page.
        before: What was placed on the same page; what is as it was is the same object.
    """
    old = before or PlacedRows()
    if before is not None and before.rows is rows and before.cities == cities:
        return before
    new: list[str] = []
    out: dict[str, Milepost] = {}
    for key, row in rows.items():
        found, last = old.by_id.get(key), old.rows.get(key)
        if found is None or last is None or (last is not row and (last.lon, last.lat) != (row.lon, row.lat)):
            new.append(key)
            continue
        city = key in cities
        if last is not row or (found.kind == "city") != city:
            found = found.model_copy(update={"name": row.name, "kind": "city" if city else "dot"})
        out[key] = found
    for key, (x, y) in zip(new, frame.to_page([(rows[key].lon, rows[key].lat) for key in new]), strict=True):
        row = rows[key]
        out[key] = Milepost(
            id=key, name=row.name, kind="city" if key in cities else "dot", lon=row.lon, lat=row.lat, x=x, y=y
        )
    return PlacedRows(rows, cities, dict(sorted(out.items())))
