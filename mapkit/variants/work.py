"""A board being changed: its parts by id, and what becomes of them when all operations are done.

Operations change track pieces; segments follow from them, railroad by railroad, as they do in tracing, so their ids
stay what they were. Lengths and page positions of what changed are reckoned once, at the end.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from itertools import accumulate
from typing import NoReturn

from mapkit.compile import segment_path
from mapkit.errors import MapkitError, did_you_mean
from mapkit.geodesy import line_miles
from mapkit.model.base import Point
from mapkit.model.board import (
    Board,
    City,
    DestinationChart,
    Junction,
    Milepost,
    Payoffs,
    Piece,
    Railroad,
    Region,
    Segment,
)
from mapkit.model.network import NetworkPiece, Origin
from mapkit.trace.page import PageMap
from mapkit.trace.segments import segments_of
from mapkit.variants.rules_work import RulesWork
from mapkit.variants.touched import Touched

Way = tuple[str, str, tuple[str, ...]]
"""A segment: its mileposts and pieces."""

_VARIANT = Origin(how="variant")


class OperationError(MapkitError):
    """An operation does not fit the board; the reader's file and row are put before it."""


class Work:
    """The parts of a board, mutable, for one application of variants.

    Args:
        board: What is changed; itself it stays as it is.
    """

    def __init__(self, board: Board) -> None:
        self.base = board
        self.title = board.title
        self.page = board.page
        self.projection = board.projection
        self.regions: dict[str, Region] = {r.id: r for r in board.regions}
        self.mileposts: dict[str, Milepost] = {m.id: m for m in board.mileposts}
        self.cities: dict[str, City] = {c.id: c for c in board.cities}
        self.railroads: dict[str, Railroad] = {r.id: r for r in board.railroads}
        self.junctions: dict[str, Junction] = {j.id: j for j in board.junctions}
        self.pieces: dict[str, Piece] = {p.id: p for p in board.pieces}
        self.pieces_at: dict[str, set[str]] = defaultdict(set)
        self.pieces_of: dict[str, set[str]] = defaultdict(set)
        for piece in board.pieces:
            self._enter(piece)
        self.destinations: dict[str, dict[str, dict[str, str | None]]] = {
            name: {"odd": dict(chart.odd), "even": dict(chart.even)} for name, chart in board.destinations.items()
        }
        self.payoff_cities: list[str] = list(board.payoffs.cities)
        self.payoffs: list[list[float | None]] = [list(row) for row in board.payoffs.thousands]
        self.declared: dict[str, dict[str, str]] = {name: dict(odds) for name, odds in board.declared.items()}
        self.rules = RulesWork(board.rules)
        self.accepted: dict[str, str] = dict(board.provenance.accepted)
        self.origins: dict[str, dict[str, Origin]] = {
            kind: dict(origins) for kind, origins in board.provenance.elements.items()
        }
        self.origin = _VARIANT
        self.touched = Touched()
        self.told: list[str] = []
        self._payoff_at: dict[str, int] | None = None
        self._ways: dict[str, dict[str, Way]] = {}
        self._bent: set[str] = set()
        self._dirty: set[str] = set()
        self._moved: set[str] = set()
        self.reproject = False

    # What operations look up

    def milepost(self, ident: str) -> Milepost:
        """Return a milepost; likewise the others. OperationError if there is none: the nearest is offered."""
        return self.mileposts.get(ident) or _gone("milepost", ident, self.mileposts)

    def railroad(self, ident: str) -> Railroad:
        """Return a railroad."""
        return self.railroads.get(ident) or _gone("railroad", ident, self.railroads)

    def region(self, ident: str) -> Region:
        """Return a region."""
        return self.regions.get(ident) or _gone("region", ident, self.regions)

    def city(self, ident: str) -> City:
        """Return a city."""
        return self.cities.get(ident) or _gone("city", ident, self.cities)

    def piece(self, ident: str) -> Piece:
        """Return a track piece."""
        return self.pieces.get(ident) or _gone("piece", ident, self.pieces)

    def chart(self, ident: str) -> dict[str, dict[str, str | None]]:
        """Return a destination chart, to be changed in place."""
        return self.destinations.get(ident) or _gone("destination chart", ident, self.destinations)

    def node(self, ident: str) -> Point:
        """Return the position of a milepost or junction."""
        found = self.mileposts.get(ident) or self.junctions.get(ident)
        if found is None:
            _gone("milepost or junction", ident, [*self.mileposts, *self.junctions])
        return found.lon, found.lat

    def payoff_index(self, city: str) -> int:
        """Return the row of a city in the payoff chart."""
        if self._payoff_at is None:
            self._payoff_at = {name: index for index, name in enumerate(self.payoff_cities)}
        at = self._payoff_at.get(city)
        return _gone("city of the payoff chart", city, self.payoff_cities) if at is None else at

    def payoff_cities_changed(self) -> None:
        """Say that rows of the payoff chart came or went."""
        self._payoff_at = None

    def ways(self, railroad: str) -> dict[str, Way]:
        """Return the segments of a railroad by id, as they follow from its pieces."""
        if railroad not in self._ways:
            self._ways[railroad] = self._derive(railroad)
        return self._ways[railroad]

    def way(self, segment: str) -> tuple[str, Way]:
        """Return a segment's railroad, and its mileposts and pieces."""
        piece = self.pieces.get(segment)
        if piece is not None and segment == f"{piece.railroad}--{piece.a}--{piece.b}" and self._plain(piece):
            return piece.railroad, (piece.a, piece.b, (segment,))  # the first that numbering would give
        railroad = segment.split("--", 1)[0]
        found = self.ways(railroad).get(segment)
        if found is not None:
            return railroad, found
        for other in sorted(self.railroads):  # an id may have been made by an older rule
            if segment in self.ways(other):
                return other, self.ways(other)[segment]
        known = list(self.ways(railroad)) or [ident for other in sorted(self.railroads) for ident in self.ways(other)]
        return _gone("segment", segment, known)

    def _plain(self, piece: Piece) -> bool:
        return piece.a in self.mileposts and piece.b in self.mileposts

    # What operations do

    def wrote(self, *key: str, value: object = None) -> None:
        """Note that the operation in hand writes a thing; None as value never agrees with another."""
        self.touched.wrote[key] = value

    def read(self, *key: str) -> None:
        """Note that it relies on a thing."""
        self.touched.read.add(key)

    def stamp(self, kind: str, ident: str) -> None:
        """Note the operation in hand as the origin of an element."""
        self.origins.setdefault(kind, {})[ident] = self.origin

    def unstamp(self, kind: str, ident: str) -> None:
        """Forget the origin of an element that is gone."""
        self.origins.get(kind, {}).pop(ident, None)

    def put_milepost(self, milepost: Milepost, *, moved: bool = False) -> None:
        """Add a milepost or put another in its place."""
        self.mileposts[milepost.id] = milepost
        self.stamp("mileposts", milepost.id)
        if moved:
            self._moved.add(milepost.id)

    def put_junction(self, junction: Junction) -> None:
        """Add a junction."""
        self.junctions[junction.id] = junction
        self.stamp("junctions", junction.id)
        self._moved.add(junction.id)

    def add_piece(self, railroad: str, line: tuple[Point, ...], a: str, b: str, *, ident: str | None = None) -> str:
        """Add a track piece, under the id given or the next free one; return the id."""
        if b < a:
            a, b, line = b, a, line[::-1]
        name = ident or self._free(railroad, a, b)
        if name in self.pieces:
            raise OperationError(f"there is a piece {name!r} already; choose another id")
        piece = Piece(id=name, railroad=railroad, a=a, b=b, miles=0.0, line=line, path=())
        self.pieces[name] = piece
        self._enter(piece)
        self._bent.add(name)
        self.stamp("pieces", name)
        self.touched.wrote.setdefault(("map", "track", railroad, name), (a, b, line))
        self.changed(railroad)
        return name

    def drop_piece(self, ident: str) -> Piece:
        """Remove a track piece."""
        piece = self.pieces.pop(ident)
        self.pieces_of[piece.railroad].discard(ident)
        for end in (piece.a, piece.b):
            self.pieces_at[end].discard(ident)
        self._bent.discard(ident)
        self.unstamp("pieces", ident)
        self.touched.wrote.setdefault(("map", "track", piece.railroad, ident), "gone")
        self.changed(piece.railroad)
        return piece

    def bend(self, ident: str, line: tuple[Point, ...]) -> None:
        """Give a piece another line between the same ends."""
        piece = self.pieces[ident]
        self.pieces[ident] = piece.model_copy(update={"line": line})
        self._bent.add(ident)
        self._dirty.add(piece.railroad)
        self.stamp("pieces", ident)

    def drop_railroad(self, ident: str) -> None:
        """Remove a railroad with its track and junctions."""
        for piece in sorted(self.pieces_of[ident]):
            self.drop_piece(piece)
        for junction in [j.id for j in self.junctions.values() if j.railroad == ident]:
            self.drop_junction(junction)
        del self.railroads[ident]
        self.unstamp("railroads", ident)
        self.changed(ident)

    def drop_junction(self, ident: str) -> None:
        """Remove a junction."""
        del self.junctions[ident]
        self.unstamp("junctions", ident)

    def changed(self, railroad: str) -> None:
        """Say that the pieces of a railroad are others now."""
        self._ways.pop(railroad, None)
        self._dirty.add(railroad)

    def arms(self, node: str, railroad: str | None = None) -> list[str]:
        """Return the pieces at a milepost or junction, sorted; of one railroad, or all."""
        found = self.pieces_at.get(node, set())
        return sorted(p for p in found if railroad is None or self.pieces[p].railroad == railroad)

    def _enter(self, piece: Piece) -> None:
        self.pieces_at[piece.a].add(piece.id)
        self.pieces_at[piece.b].add(piece.id)
        self.pieces_of[piece.railroad].add(piece.id)

    def _free(self, railroad: str, a: str, b: str) -> str:
        ends = sorted(end.removeprefix(f"{railroad}--") for end in (a, b))
        stem = f"{railroad}--{ends[0]}--{ends[1]}"
        name, number = stem, 1
        while name in self.pieces:
            number += 1
            name = f"{stem}--{number}"
        return name

    def _derive(self, railroad: str) -> dict[str, Way]:
        """Number the segments as `mapkit.trace.segments` does; only pieces at junctions need its walk."""
        found: list[Way] = []
        through: list[NetworkPiece] = []
        junctions = self.junctions
        for ident in self.pieces_of.get(railroad, ()):
            piece = self.pieces[ident]
            if piece.a in junctions or piece.b in junctions:
                through.append(
                    NetworkPiece.model_construct(
                        id=ident, railroad=railroad, a=piece.a, b=piece.b, miles=0.0, line=(), origin=self.origin
                    )
                )
            else:
                found.append((piece.a, piece.b, (ident,)))
        if through:
            through.sort(key=lambda p: p.id)
            found.extend((s.a, s.b, s.pieces) for s in segments_of(through, junctions))
        found.sort(key=lambda way: (way[0], way[1], len(way[2]), way[2]))
        count: Counter[str] = Counter()
        out: dict[str, Way] = {}
        for way in found:
            ident = f"{railroad}--{way[0]}--{way[1]}"
            count[ident] += 1
            out[ident if count[ident] == 1 else f"{ident}--{count[ident]}"] = way
        return out

    # The end

    def finish(self, names: Iterable[str]) -> Board:
        """Return the changed board."""
        self._place()
        segments = self._segments()
        origins = self.origins | {"segments": self._segment_origins(segments)}
        if self.rules.origins:
            origins["rules"] = origins.get("rules", {}) | self.rules.origins
        elements = {kind: dict(sorted(found.items())) for kind, found in origins.items()}
        provenance = self.base.provenance.model_copy(
            update={"elements": elements, "accepted": dict(sorted(self.accepted.items()))}
        )
        at_cities = {c.milepost for c in self.cities.values()}
        update = {
            "title": self.title,
            "variants": (*self.base.variants, *names),
            "projection": self.projection,
            "page": self.page,
            "regions": tuple(self.regions.values()),
            "mileposts": tuple(
                m if (m.kind == "city") == (m.id in at_cities) else _kind(m, city=m.id in at_cities)
                for _, m in sorted(self.mileposts.items())
            ),
            "cities": tuple(city for _, city in sorted(self.cities.items())),
            "railroads": tuple(railroad for _, railroad in sorted(self.railroads.items())),
            "junctions": tuple(junction for _, junction in sorted(self.junctions.items())),
            "pieces": tuple(piece for _, piece in sorted(self.pieces.items())),
            "segments": segments,
            "destinations": {
                name: DestinationChart(odd=chart["odd"], even=chart["even"])
                for name, chart in self.destinations.items()
            },
            "payoffs": Payoffs(cities=tuple(self.payoff_cities), thousands=tuple(tuple(row) for row in self.payoffs)),
            "declared": {name: odds for name, odds in self.declared.items() if odds},
            "rules": self.rules.finish(),
            "provenance": provenance,
        }
        return self.base.model_copy(update=update)

    def _place(self) -> None:
        """Reckon lengths and page positions of what was moved, bent or added."""
        page = PageMap(self.projection)
        moved = sorted({*self.mileposts, *self.junctions} if self.reproject else self._moved)
        moved = [ident for ident in moved if ident in self.mileposts or ident in self.junctions]
        points = page.to_page([self.node(ident) for ident in moved])
        for ident, (x, y) in zip(moved, points, strict=True):
            if ident in self.mileposts:
                self.mileposts[ident] = self.mileposts[ident].model_copy(update={"x": x, "y": y})
            else:
                self.junctions[ident] = self.junctions[ident].model_copy(update={"x": x, "y": y})
        bent = sorted(self.pieces if self.reproject else self._bent)
        track = page.to_page([point for ident in bent for point in self.pieces[ident].line])
        ends = list(accumulate((len(self.pieces[ident].line) for ident in bent), initial=0))
        for ident, start, end in zip(bent, ends, ends[1:], strict=False):
            piece = self.pieces[ident]
            miles = round(line_miles(piece.line), 2) if ident in self._bent else piece.miles
            self.pieces[ident] = piece.model_copy(update={"miles": miles, "path": track[start:end]})

    def _segments(self) -> tuple[Segment, ...]:
        """Return all segments: of railroads whose track changed those that follow from it, the others as they are."""
        dirty = self._dirty | set(self.railroads) if self.reproject else self._dirty
        out = [s for s in self.base.segments if s.railroad not in dirty]
        base = {s.id: s for s in self.base.segments if s.railroad in dirty and not self.reproject}
        for railroad in sorted(dirty):
            for ident, (a, b, pieces) in self.ways(railroad).items():
                old = base.get(ident)
                if old is not None and old.pieces == pieces and self._bent.isdisjoint(pieces):
                    out.append(old)
                    continue
                miles = round(sum(self.pieces[p].miles for p in pieces), 2)
                path = segment_path(a, pieces, self.pieces)
                out.append(Segment(id=ident, railroad=railroad, a=a, b=b, miles=miles, pieces=pieces, path=path))
        return tuple(sorted(out, key=lambda s: s.id))

    def _segment_origins(self, segments: tuple[Segment, ...]) -> dict[str, Origin]:
        pieces = self.origins.get("pieces", {})
        base = self.base.provenance.elements.get("segments", {})
        out: dict[str, Origin] = {}
        for segment in segments:
            found = [pieces[p] for p in segment.pieces if p in pieces]
            changed = next((origin for origin in found if origin.how == "variant"), None)
            out[segment.id] = changed or base.get(segment.id) or (found[0] if found else _VARIANT)
        return out


def _kind(milepost: Milepost, *, city: bool) -> Milepost:
    return milepost.model_copy(update={"kind": "city" if city else "dot"})


def _gone(what: str, ident: str, known: Iterable[str]) -> NoReturn:
    hint = did_you_mean(ident, known) or "; it may have been removed or renamed"
    raise OperationError(f"there is no {what} {ident!r}{hint}")
