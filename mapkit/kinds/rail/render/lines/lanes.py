"""The order of parallel railroads within each corridor, so that lines cross as little as possible.

The model is metro-line crossing minimisation: Bekos, Kaufmann, Potika, Symvonis, "Line crossing minimization on
metro maps" (GD 2007), with the two kinds of crossings of Bast, Brosi, Storandt, "Efficient generation of
geographically accurate transit maps" (SIGSPATIAL 2018). An *edge* is a bundle of railroads between two nodes; an
*order* names its railroads from the left of a traveller from its start to its end. Walk clockwise round a node:
the edges come in the order of their directions, the railroads of an edge from left to right as seen from the
node. Two stubs of one railroad there are a *way* through the node, and two ways of different railroads cross if
one leads out from between the ends of the other. So three kinds are counted alike:

- both share both edges: they change sides, as the orders of the two edges say;
- both share one edge: where the bundle splits, as the order of that edge says;
- they share none: forced by where the edges lie, whatever the orders.

The sum is to be smallest. It is a sum of terms over one or two edges, so the edges fall into components, and a
component is solved exactly by eliminating edge after edge (dynamic programming over its tree decomposition),
which takes no time on corridors. Where the tables would grow too large, orders are voted from the exact solution
of each two railroads alone, then improved by moves; the sum of those solutions is a lower bound, and so shows
whether the result is proven.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mapkit.core.base import Point
from mapkit.kinds.rail.render.lines.lane_search import TABLE_LIMIT, Term, eliminate, improve, vote

_MOST_ORDERS: Final = 6


@dataclass(frozen=True)
class Edge:
    """Railroads (sorted ids) between two nodes, and the directions in which they leave each, y downward."""

    start: str
    end: str
    railroads: tuple[str, ...]
    leaves_start: Point
    leaves_end: Point


@dataclass(frozen=True)
class LaneOrder:
    """An order for each edge, from the left of a traveller from its start, and what it costs."""

    orders: tuple[tuple[str, ...], ...]
    crossings: int
    """All crossings at nodes, the forced ones included."""
    forced: int
    """Crossings that no order avoids because the ways share no edge."""
    proven: bool
    """No orders have fewer crossings."""


@dataclass(frozen=True)
class _Stub:
    """One railroad's end at a node: its edge, and whether the edge starts there."""

    edge: int
    starts: bool


@dataclass(frozen=True)
class _Crossings:
    """The terms of the sum, and its constant."""

    terms: tuple[Term, ...]
    forced: int


def order_lanes(edges: Sequence[Edge], *, limit: int = TABLE_LIMIT) -> LaneOrder:
    """Return orders with the fewest crossings; ties go to the order of the ids.

    Args:
        edges: The bundles of a board.
        limit: The largest table of the exact method, in cells.
    """
    found = _crossings(edges)
    orders = {i: edge.railroads for i, edge in enumerate(edges)}
    proven = True
    for members, terms in _components(edges, found.terms):
        sizes = {i: edges[i].railroads for i in members}
        exact = None
        if max(len(r) for r in sizes.values()) <= _MOST_ORDERS:
            exact = eliminate(sizes, terms, limit)
        if exact is None:
            start, bound = vote(sizes, terms, limit)
            exact, cost = improve(start, terms)
            proven = proven and cost == bound
        orders.update(exact)
    listed = tuple(orders[i] for i in range(len(edges)))
    return LaneOrder(listed, count_crossings(edges, listed), found.forced, proven)


def count_crossings(edges: Sequence[Edge], orders: Sequence[Sequence[str]]) -> int:
    """Return how often two ways of different railroads cross at a node, counted round each node."""
    total = 0
    for _, stubs in sorted(_stubs_at(edges).items()):
        place: dict[tuple[int, bool, str], int] = {}
        for stub in stubs:
            order = orders[stub.edge] if stub.starts else tuple(reversed(orders[stub.edge]))
            for railroad in order:
                place[stub.edge, stub.starts, railroad] = len(place)
        ways = list(_ways(edges, stubs))
        for (r, a, b), (s, c, d) in combinations(ways, 2):
            if r != s:
                ends = (place[x.edge, x.starts, name] for x, name in ((a, r), (b, r), (c, s), (d, s)))
                total += _interleave(*ends)
    return total


def _interleave(a: int, b: int, c: int, d: int) -> bool:
    low, high = min(a, b), max(a, b)
    return (low < c < high) != (low < d < high)


def _crossings(edges: Sequence[Edge]) -> _Crossings:
    """Return what is to be summed: for two railroads, a cost that depends on who is left in one or two edges."""
    forced = 0
    sums: dict[tuple[str, str, int, int], NDArray[np.int64]] = {}
    for _, stubs in sorted(_stubs_at(edges).items()):
        rank = {(s.edge, s.starts): 2 * i for i, s in enumerate(stubs)}
        ways = list(_ways(edges, stubs))
        for one, other in combinations(ways, 2):
            if one[0] == other[0]:
                continue
            # in the order of the two ids
            (r, a, b), (s, c, d) = sorted((one, other), key=lambda way: way[0])
            shared = sorted({x for x in (a, b) if x in (c, d)}, key=lambda x: (x.edge, x.starts))
            if not shared:
                forced += _interleave(*(rank[x.edge, x.starts] for x in (a, b, c, d)))
                continue
            first, last = shared[0], shared[-1]
            for left in (0, 1) if len(shared) > 1 else (None,):
                for right in (0, 1):
                    after = {last: right} if left is None else {first: left, last: right}
                    # 1 if s comes after r, clockwise, as seen from the node
                    shift = {x: (v if x.starts else 1 - v) for x, v in after.items()}
                    ends = [rank[x.edge, x.starts] for x in (a, b)]
                    ends += [rank[x.edge, x.starts] + (2 * shift[x] - 1 if x in shift else 0) for x in (c, d)]
                    if _interleave(*ends):
                        key = (r, s, first.edge, last.edge)
                        table = sums.setdefault(key, np.zeros((2, 2), dtype=np.int64))
                        if left is None:
                            table[right, right] += 1
                        else:
                            table[left, right] += 1
    terms = tuple(Term(r, s, e, f, table) for (r, s, e, f), table in sorted(sums.items(), key=lambda item: item[0]))
    return _Crossings(terms, forced)


def _components(edges: Sequence[Edge], terms: Sequence[Term]) -> Iterator[tuple[list[int], list[Term]]]:
    """Yield the edges that depend on each other, with their terms."""
    parent = list(range(len(edges)))

    def root(i: int) -> int:
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    for term in terms:
        one, other = sorted((root(term.e), root(term.f)))
        parent[other] = one
    members: dict[int, list[int]] = {}
    for i in range(len(edges)):
        members.setdefault(root(i), []).append(i)
    own: dict[int, list[Term]] = {}
    for term in terms:
        own.setdefault(root(term.e), []).append(term)
    for top, found in sorted(own.items()):
        yield members[top], found


def _stubs_at(edges: Sequence[Edge]) -> dict[str, list[_Stub]]:
    """Return node -> the ends of edges there, clockwise."""
    found: dict[str, list[tuple[float, int, bool]]] = {}
    for i, edge in enumerate(edges):
        found.setdefault(edge.start, []).append((_turn(edge.leaves_start), i, True))
        found.setdefault(edge.end, []).append((_turn(edge.leaves_end), i, False))
    return {node: [_Stub(i, starts) for _, i, starts in sorted(ends)] for node, ends in found.items()}


def _ways(edges: Sequence[Edge], stubs: Sequence[_Stub]) -> Iterator[tuple[str, _Stub, _Stub]]:
    """Yield each railroad's ways through a node."""
    of: dict[str, list[_Stub]] = {}
    for stub in stubs:
        for railroad in edges[stub.edge].railroads:
            of.setdefault(railroad, []).append(stub)
    for railroad, own in sorted(of.items()):
        for a, b in combinations(own, 2):
            yield railroad, a, b


def _turn(direction: Point) -> float:
    """Return a number from 0 to 4 that grows clockwise on the page as the angle does, without an arc tangent."""
    x, y = direction
    size = abs(x) + abs(y)
    if size == 0.0:
        return 0.0
    turn = y / size
    if x < 0:
        return 2.0 - turn
    return turn if turn >= 0 else 4.0 + turn


def id_orders(edges: Sequence[Edge]) -> tuple[tuple[str, ...], ...]:
    """Return the orders by id, to compare with."""
    return tuple(edge.railroads for edge in edges)
