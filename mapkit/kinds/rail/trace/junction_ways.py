"""Ways from milepost to milepost through junctions, where junctions follow each other in any number.

A *cluster* is the junctions of one railroad that pieces join, with the mileposts around them. The number of its ways
may grow like 2 to the number of its loops, so they are not listed. Instead, by the graph alone:

1. each two mileposts are joined by one way, over the fewest pieces;
2. a piece that none of these uses, such as a second track, gets the way over the fewest pieces that uses it and passes
   no junction twice. That is two paths from its ends to different mileposts, without a common junction: a flow of two
   at least cost (J. W. Suurballe, "Disjoint paths in a network", Networks 4, 1974).

So every piece that a train can use is in a segment, and the longer way round a wye is none. Which ways there are does
not depend on lengths: moving a milepost changes none.
"""

from collections import defaultdict, deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from mapkit.core.errors import SourceError
from mapkit.kinds.rail.model.network import NetworkPiece

MAX_WAYS = 50_000
"""Ways of one cluster: each two of 316 mileposts."""

Way = tuple[str, tuple[str, ...], str]
"""Milepost, pieces in order, milepost; the smaller milepost comes first."""
Arms = dict[str, list[tuple[str, str]]]
"""Node -> its pieces, sorted, each with its other end."""


@dataclass(frozen=True)
class Cluster:
    """Junctions of one railroad that pieces join, and the pieces at them by id."""

    railroad: str
    junctions: frozenset[str]
    pieces: Mapping[str, NetworkPiece]

    @property
    def mileposts(self) -> list[str]:
        """The mileposts around the junctions, sorted."""
        return sorted({end for piece in self.pieces.values() for end in (piece.a, piece.b)} - self.junctions)


def ways_through(pieces: Sequence[NetworkPiece], junctions: Collection[str]) -> Iterator[Way]:
    """Yield the ways through junctions.

    Args:
        pieces: Pieces of one railroad; those between two mileposts are passed over.
        junctions: Ids of the junctions.

    Raises:
        SourceError: Junctions alone join more mileposts than `MAX_WAYS` allows.
    """
    for cluster in clusters_of(pieces, junctions):
        yield from _ways(cluster)


def clusters_of(pieces: Sequence[NetworkPiece], junctions: Collection[str]) -> Iterator[Cluster]:
    """Yield the clusters of the pieces of one railroad, by their smallest junction."""
    at: defaultdict[str, list[NetworkPiece]] = defaultdict(list)
    for piece in pieces:
        for end in {piece.a, piece.b}:
            if end in junctions:
                at[end].append(piece)
    left = set(at)
    for start in sorted(at):
        if start not in left:
            continue
        left.discard(start)
        own, reached, todo = {}, {start}, [start]
        while todo:
            for piece in at[todo.pop()]:
                own[piece.id] = piece
                fresh = {piece.a, piece.b} & left
                left -= fresh
                reached |= fresh
                todo += sorted(fresh)
        yield Cluster(pieces[0].railroad, frozenset(reached), dict(sorted(own.items())))


def _ways(cluster: Cluster) -> Iterator[Way]:
    mileposts = cluster.mileposts
    pairs = len(mileposts) * (len(mileposts) - 1) // 2
    if pairs > MAX_WAYS:
        first = min(cluster.pieces.values(), key=lambda piece: piece.id)
        raise SourceError(
            f"{first.origin.where}: {len(cluster.junctions):,} junctions of {cluster.railroad!r} join "
            f"{len(mileposts):,} mileposts without one between them, which makes {pairs:,} segments; at most "
            f"{MAX_WAYS:,} are allowed, so make mileposts of junctions, in drawings by at_junctions = true in [spacing]"
        )
    arms: Arms = defaultdict(list)
    for ident, piece in cluster.pieces.items():
        arms[piece.a].append((ident, piece.b))
        if piece.b != piece.a:
            arms[piece.b].append((ident, piece.a))
    used: set[str] = set()
    for start in mileposts:
        came = _came_from(arms, cluster.junctions, start)
        for end in mileposts:
            if end > start and end in came:
                way = _back(came, start, end)
                used.update(way)
                yield start, way, end
    for ident in cluster.pieces:
        if ident not in used:
            found = _way_over(cluster, arms, ident)
            if found is not None:
                used.update(found[1])
                yield found if found[0] < found[2] else (found[2], found[1][::-1], found[0])


def _came_from(arms: Arms, junctions: Collection[str], start: str) -> dict[str, tuple[str, str]]:
    """Return how each node is reached from one over the fewest pieces: by which piece, and from where."""
    came = {start: ("", "")}
    layer = [start]
    while layer:
        following: dict[str, tuple[str, str]] = {}
        for node in layer:
            for ident, end in arms[node]:
                if end not in came and (end not in following or (ident, node) < following[end]):
                    following[end] = (ident, node)
        came |= following
        layer = [node for node in following if node in junctions]
    return came


def _back(came: Mapping[str, tuple[str, str]], start: str, end: str) -> tuple[str, ...]:
    out: list[str] = []
    while end != start:
        ident, end = came[end]
        out.append(ident)
    return tuple(reversed(out))


def _way_over(cluster: Cluster, arms: Arms, ident: str) -> Way | None:
    """Return the way between different mileposts over the fewest pieces that uses a piece, if there is one."""
    piece = cluster.pieces[ident]
    if piece.a == piece.b:
        return None
    flow = _Flow(cluster, arms, ident)
    if not (flow.augment() and flow.augment()):
        return None
    one, other = flow.path(piece.a), flow.path(piece.b)
    return one[0], (*reversed(one[1]), ident, *other[1]), other[0]


_Node = tuple[str, str]
"""A node of the graph and its side, `in` or `out`; each may be passed once."""
_SOURCE: _Node = ("", "source")
_SINK: _Node = ("", "sink")


class _Flow:
    """A flow of least cost from the ends of a piece to mileposts; each node and piece carries one unit at most."""

    def __init__(self, cluster: Cluster, arms: Arms, ident: str) -> None:
        # Arc -> its cost and piece; a used arc stands here the other way round.
        self._arcs: defaultdict[_Node, dict[tuple[_Node, str], int]] = defaultdict(dict)
        piece = cluster.pieces[ident]
        for end in (piece.a, piece.b):
            self._arcs[_SOURCE][(end, "in"), ""] = 0
        for node in arms:
            self._arcs[node, "in"][(node, "out"), ""] = 0
            if node not in cluster.junctions:
                self._arcs[node, "out"][_SINK, ""] = 0
                continue
            for other, end in arms[node]:
                if other != ident and end != node:
                    self._arcs[node, "out"][(end, "in"), other] = 1

    def augment(self) -> bool:
        """Send one unit more along the cheapest way, and say whether there was one."""
        cost: dict[_Node, int] = {_SOURCE: 0}
        came: dict[_Node, tuple[_Node, str]] = {}
        todo = deque([_SOURCE])
        while todo:
            node = todo.popleft()
            for (end, ident), price in self._arcs[node].items():
                if end not in cost or cost[node] + price < cost[end]:
                    cost[end] = cost[node] + price
                    came[end] = (node, ident)
                    todo.append(end)
        if _SINK not in cost:
            return False
        end = _SINK
        while end != _SOURCE:
            node, ident = came[end]
            price = self._arcs[node].pop((end, ident))
            self._arcs[end][node, ident] = -price
            end = node
        return True

    def path(self, start: str) -> tuple[str, list[str]]:
        """Return the milepost that the unit from an end of the piece reaches, and the pieces to it."""
        onward = {
            back[0]: (end[0], ident)
            for end, arcs in self._arcs.items()
            for (back, ident), price in arcs.items()
            if price < 0
        }
        out: list[str] = []
        while start in onward:
            start, ident = onward[start]
            out.append(ident)
        return start, out
