"""Ways from milepost to milepost through junctions, where junctions follow each other in any number.

A *cluster* is the junctions of one railroad that pieces join, with the mileposts around them. The number of its ways
may grow like 2 to the number of its loops, so they are not enumerated. Instead, by the graph alone:

1. each two mileposts are joined by one way, over the fewest pieces;
2. a piece that none of these uses, such as a second track, gets the way over the fewest pieces that uses it and passes
   no junction twice. That is two paths from its ends to different mileposts, without a common junction: a flow of two
   at least cost (J. W. Suurballe, "Disjoint paths in a network", Networks 4, 1974).

So every piece that a train can use is in a segment, and the longer way round a wye is not a segment. The ways do not
depend on lengths: moving a milepost changes none. Every command that compiles a board needs them, and networkx takes
long to load (`mapkit.kinds.rail.network.multigraph`).
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
    """Connected junctions of one railroad, and the pieces at them by id."""

    railroad: str
    junctions: frozenset[str]
    pieces: Mapping[str, NetworkPiece]

    @property
    def mileposts(self) -> list[str]:
        """Mileposts around the junctions, sorted."""
        return sorted({end for piece in self.pieces.values() for end in (piece.a, piece.b)} - self.junctions)


def find_ways_through(pieces: Sequence[NetworkPiece], junctions: Collection[str]) -> Iterator[Way]:
    """Yield the ways through junctions.

    Args:
        pieces: Pieces of one railroad; those between two mileposts are passed over.
        junctions: Ids of the junctions.

    Raises:
        SourceError: Junctions alone join more mileposts than `MAX_WAYS` allows.
    """
    for cluster in find_clusters(pieces, junctions):
        yield from _cluster_ways(cluster)


def find_clusters(pieces: Sequence[NetworkPiece], junctions: Collection[str]) -> Iterator[Cluster]:
    """Yield the clusters of the pieces of one railroad, by their smallest junction."""
    pieces_at: defaultdict[str, list[NetworkPiece]] = defaultdict(list)
    for piece in pieces:
        for end in {piece.a, piece.b}:
            if end in junctions:
                pieces_at[end].append(piece)
    unvisited = set(pieces_at)
    for start in sorted(pieces_at):
        if start not in unvisited:
            continue
        unvisited.discard(start)
        cluster_pieces, reached, to_visit = {}, {start}, [start]
        while to_visit:
            for piece in pieces_at[to_visit.pop()]:
                cluster_pieces[piece.id] = piece
                new_junctions = {piece.a, piece.b} & unvisited
                unvisited -= new_junctions
                reached |= new_junctions
                to_visit += sorted(new_junctions)
        yield Cluster(pieces[0].railroad, frozenset(reached), dict(sorted(cluster_pieces.items())))


def _cluster_ways(cluster: Cluster) -> Iterator[Way]:
    mileposts = cluster.mileposts
    pair_count = len(mileposts) * (len(mileposts) - 1) // 2
    if pair_count > MAX_WAYS:
        first_piece = min(cluster.pieces.values(), key=lambda piece: piece.id)
        raise SourceError(
            f"{first_piece.origin.where}: {len(cluster.junctions):,} junctions of {cluster.railroad!r} join "
            f"{len(mileposts):,} mileposts without one between them, which makes {pair_count:,} segments; at most "
            f"{MAX_WAYS:,} are allowed, so make mileposts of junctions, in drawings by at_junctions = true in [spacing]"
        )
    arms: Arms = defaultdict(list)
    for ident, piece in cluster.pieces.items():
        arms[piece.a].append((ident, piece.b))
        if piece.b != piece.a:
            arms[piece.b].append((ident, piece.a))
    used_pieces: set[str] = set()
    for start in mileposts:
        predecessors = _find_predecessors(arms, cluster.junctions, start)
        for end in mileposts:
            if end > start and end in predecessors:
                way_pieces = _trace_back(predecessors, start, end)
                used_pieces.update(way_pieces)
                yield start, way_pieces, end
    for ident in cluster.pieces:
        if ident not in used_pieces:
            way_over = _find_way_over(cluster, arms, ident)
            if way_over is not None:
                used_pieces.update(way_over[1])
                yield (way_over if way_over[0] < way_over[2] else (way_over[2], way_over[1][::-1], way_over[0]))


def _find_predecessors(arms: Arms, junctions: Collection[str], start: str) -> dict[str, tuple[str, str]]:
    """Return the predecessor of each node on a path of fewest pieces from `start`, as (piece, node)."""
    predecessors = {start: ("", "")}
    layer = [start]
    while layer:
        next_layer: dict[str, tuple[str, str]] = {}
        for node in layer:
            for ident, end in arms[node]:
                if end not in predecessors and (end not in next_layer or (ident, node) < next_layer[end]):
                    next_layer[end] = (ident, node)
        predecessors |= next_layer
        layer = [node for node in next_layer if node in junctions]
    return predecessors


def _trace_back(came: Mapping[str, tuple[str, str]], start: str, end: str) -> tuple[str, ...]:
    reversed_pieces: list[str] = []
    while end != start:
        ident, end = came[end]
        reversed_pieces.append(ident)
    return tuple(reversed(reversed_pieces))


def _find_way_over(cluster: Cluster, arms: Arms, ident: str) -> Way | None:
    """Return the shortest way, in pieces, through a piece between two different mileposts; None if there is none."""
    piece = cluster.pieces[ident]
    if piece.a == piece.b:
        return None
    flow = _Flow(cluster, arms, ident)
    if not (flow.augment() and flow.augment()):
        return None
    first_path, second_path = flow.trace_path(piece.a), flow.trace_path(piece.b)
    return first_path[0], (*reversed(first_path[1]), ident, *second_path[1]), second_path[0]


_FlowNode = tuple[str, str]
"""A node of the graph and its side, `in` or `out`; each may be passed once."""
_SOURCE: _FlowNode = ("", "source")
_SINK: _FlowNode = ("", "sink")


class _Flow:
    """Minimum-cost flow from the ends of a piece to mileposts, with unit capacity per node and piece."""

    def __init__(self, cluster: Cluster, arms: Arms, ident: str) -> None:
        # Arc -> its cost and piece; a used arc is stored reversed (residual graph).
        self._arcs: defaultdict[_FlowNode, dict[tuple[_FlowNode, str], int]] = defaultdict(dict)
        piece = cluster.pieces[ident]
        for end in (piece.a, piece.b):
            self._arcs[_SOURCE][(end, "in"), ""] = 0
        for node in arms:
            self._arcs[node, "in"][(node, "out"), ""] = 0
            if node not in cluster.junctions:
                self._arcs[node, "out"][_SINK, ""] = 0
                continue
            for other_piece, end in arms[node]:
                if other_piece != ident and end != node:
                    self._arcs[node, "out"][(end, "in"), other_piece] = 1

    def augment(self) -> bool:
        """Augment the flow by one unit along the cheapest path; return False if there is none."""
        cost_to: dict[_FlowNode, int] = {_SOURCE: 0}
        predecessors: dict[_FlowNode, tuple[_FlowNode, str]] = {}
        to_visit = deque([_SOURCE])
        while to_visit:
            node = to_visit.popleft()
            for (end, ident), arc_cost in self._arcs[node].items():
                if end not in cost_to or cost_to[node] + arc_cost < cost_to[end]:
                    cost_to[end] = cost_to[node] + arc_cost
                    predecessors[end] = (node, ident)
                    to_visit.append(end)
        if _SINK not in cost_to:
            return False
        end = _SINK
        while end != _SOURCE:
            node, ident = predecessors[end]
            arc_cost = self._arcs[node].pop((end, ident))
            self._arcs[end][node, ident] = -arc_cost
            end = node
        return True

    def trace_path(self, start: str) -> tuple[str, list[str]]:
        """Return the milepost that the unit from an end of the piece reaches, and the pieces to it."""
        next_arc = {
            previous_node[0]: (end[0], ident)
            for end, arcs in self._arcs.items()
            for (previous_node, ident), arc_cost in arcs.items()
            if arc_cost < 0
        }
        path_pieces: list[str] = []
        while start in next_arc:
            start, ident = next_arc[start]
            path_pieces.append(ident)
        return start, path_pieces
