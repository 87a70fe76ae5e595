"""Order of parallel railroads within each corridor with as few line crossings as possible.

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

The sum of crossings is minimised. Its terms depend on one or two edges, so the edges fall into components, and a
component is solved exactly by eliminating edge after edge (dynamic programming over its tree decomposition), which is
fast on corridors. Where the tables would grow too large, orders are voted from the exact solution of each pair of
railroads, then improved by moves; the sum of those solutions is a lower bound, which may prove the result optimal.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mapkit.core.arrays import lowest_members
from mapkit.core.base import Point
from mapkit.kinds.rail.render.lines.lane_search import (
    TABLE_LIMIT,
    CrossingTerm,
    improve_orders,
    solve_by_elimination,
    solve_by_vote,
)

_MOST_EXACT_RAILROADS: Final = 6


@dataclass(frozen=True)
class CorridorEdge:
    """Railroads (sorted ids) between two nodes, and their directions at each node, y downward."""

    start: str
    end: str
    railroads: tuple[str, ...]
    leaves_start: Point
    leaves_end: Point


@dataclass(frozen=True)
class LaneOrder:
    """Order of the railroads of each edge, from the left of a traveller from its start, and its cost."""

    orders: tuple[tuple[str, ...], ...]
    crossings: int
    """All crossings at nodes, the forced ones included."""
    forced: int
    """Crossings that no order avoids because the ways share no edge."""
    proven: bool
    """No orders have fewer crossings."""


@dataclass(frozen=True)
class _Stub:
    """End of one railroad at a node: its edge, and whether the edge starts there."""

    edge: int
    starts: bool


@dataclass(frozen=True)
class _CrossingSum:
    """Terms of the sum of crossings, and its constant."""

    terms: tuple[CrossingTerm, ...]
    forced: int


def order_lanes(edges: Sequence[CorridorEdge], *, limit: int = TABLE_LIMIT) -> LaneOrder:
    """Return orders with the fewest crossings; ties go to the order of the ids.

    Args:
        edges: The bundles of a board.
        limit: The largest table of the exact method, in cells.
    """
    crossing_sum = _sum_crossings(edges)
    edge_orders = {i: edge.railroads for i, edge in enumerate(edges)}
    is_proven = True
    for members, terms in _split_components(edges, crossing_sum.terms):
        component_railroads = {i: edges[i].railroads for i in members}
        component_orders = None
        if max(len(r) for r in component_railroads.values()) <= _MOST_EXACT_RAILROADS:
            component_orders = solve_by_elimination(component_railroads, terms, limit)
        if component_orders is None:
            voted_orders, lower_bound = solve_by_vote(component_railroads, terms, limit)
            component_orders, improved_cost = improve_orders(voted_orders, terms)
            is_proven = is_proven and improved_cost == lower_bound
        edge_orders.update(component_orders)
    order_list = tuple(edge_orders[i] for i in range(len(edges)))
    return LaneOrder(order_list, count_crossings(edges, order_list), crossing_sum.forced, is_proven)


def count_crossings(edges: Sequence[CorridorEdge], orders: Sequence[Sequence[str]]) -> int:
    """Count the crossings of two ways of different railroads at a node, round each node."""
    crossing_count = 0
    for _, stubs in sorted(_stubs_at(edges).items()):
        stub_place: dict[tuple[int, bool, str], int] = {}
        for stub in stubs:
            stub_order = orders[stub.edge] if stub.starts else tuple(reversed(orders[stub.edge]))
            for railroad in stub_order:
                stub_place[stub.edge, stub.starts, railroad] = len(stub_place)
        node_ways = list(_iterate_ways(edges, stubs))
        for (r, a, b), (s, c, d) in combinations(node_ways, 2):
            if r != s:
                end_places = (stub_place[x.edge, x.starts, name] for x, name in ((a, r), (b, r), (c, s), (d, s)))
                crossing_count += _are_interleaved(*end_places)
    return crossing_count


def _are_interleaved(a: int, b: int, c: int, d: int) -> bool:
    lower_end, upper_end = min(a, b), max(a, b)
    return (lower_end < c < upper_end) != (lower_end < d < upper_end)


def _sum_crossings(edges: Sequence[CorridorEdge]) -> _CrossingSum:
    """Return the sum of crossings: for two railroads, a cost by their order in one or two edges."""
    forced_crossings = 0
    cost_tables: dict[tuple[str, str, int, int], NDArray[np.int64]] = {}
    for _, stubs in sorted(_stubs_at(edges).items()):
        stub_rank = {(s.edge, s.starts): 2 * i for i, s in enumerate(stubs)}
        node_ways = list(_iterate_ways(edges, stubs))
        for first_way, second_way in combinations(node_ways, 2):
            if first_way[0] == second_way[0]:
                continue
            # in the order of the two ids
            (r, a, b), (s, c, d) = sorted((first_way, second_way), key=lambda way: way[0])
            shared_stubs = sorted({x for x in (a, b) if x in (c, d)}, key=lambda x: (x.edge, x.starts))
            if not shared_stubs:
                forced_crossings += _are_interleaved(*(stub_rank[x.edge, x.starts] for x in (a, b, c, d)))
                continue
            first, last = shared_stubs[0], shared_stubs[-1]
            for left_order in (0, 1) if len(shared_stubs) > 1 else (None,):
                for right_order in (0, 1):
                    is_after = {last: right_order} if left_order is None else {first: left_order, last: right_order}
                    # 1 if s comes after r, clockwise, as seen from the node
                    shift = {x: (v if x.starts else 1 - v) for x, v in is_after.items()}
                    end_ranks = [stub_rank[x.edge, x.starts] for x in (a, b)]
                    end_ranks += [stub_rank[x.edge, x.starts] + (2 * shift[x] - 1 if x in shift else 0) for x in (c, d)]
                    if _are_interleaved(*end_ranks):
                        table_key = (r, s, first.edge, last.edge)
                        table = cost_tables.setdefault(table_key, np.zeros((2, 2), dtype=np.int64))
                        if left_order is None:
                            table[right_order, right_order] += 1
                        else:
                            table[left_order, right_order] += 1
    crossing_terms = tuple(
        CrossingTerm(r, s, e, f, table) for (r, s, e, f), table in sorted(cost_tables.items(), key=lambda item: item[0])
    )
    return _CrossingSum(crossing_terms, forced_crossings)


def _split_components(
    edges: Sequence[CorridorEdge], terms: Sequence[CrossingTerm]
) -> Iterator[tuple[list[int], list[CrossingTerm]]]:
    """Yield the edges that depend on each other, with their terms."""
    links = np.array([(term.e, term.f) for term in terms], dtype=np.int64).reshape(-1, 2)
    roots = lowest_members(links, len(edges)).tolist()
    edges_by_root: dict[int, list[int]] = {}
    for i, root in enumerate(roots):
        edges_by_root.setdefault(root, []).append(i)
    terms_by_root: dict[int, list[CrossingTerm]] = {}
    for term in terms:
        terms_by_root.setdefault(roots[term.e], []).append(term)
    for root_edge, root_terms in sorted(terms_by_root.items()):
        yield edges_by_root[root_edge], root_terms


def _stubs_at(edges: Sequence[CorridorEdge]) -> dict[str, list[_Stub]]:
    """Return the ends of edges at each node, clockwise."""
    ranked_ends: dict[str, list[tuple[float, int, bool]]] = {}
    for i, edge in enumerate(edges):
        ranked_ends.setdefault(edge.start, []).append((_direction_rank(edge.leaves_start), i, True))
        ranked_ends.setdefault(edge.end, []).append((_direction_rank(edge.leaves_end), i, False))
    return {node: [_Stub(i, starts) for _, i, starts in sorted(node_ends)] for node, node_ends in ranked_ends.items()}


def _iterate_ways(edges: Sequence[CorridorEdge], stubs: Sequence[_Stub]) -> Iterator[tuple[str, _Stub, _Stub]]:
    """Yield each railroad's ways through a node."""
    stubs_of_railroad: dict[str, list[_Stub]] = {}
    for stub in stubs:
        for railroad in edges[stub.edge].railroads:
            stubs_of_railroad.setdefault(railroad, []).append(stub)
    for railroad, own_stubs in sorted(stubs_of_railroad.items()):
        for a, b in combinations(own_stubs, 2):
            yield railroad, a, b


def _direction_rank(direction: Point) -> float:
    """Map a direction to a number from 0 to 4 that grows clockwise as the angle does, without an arc tangent."""
    x, y = direction
    direction_size = abs(x) + abs(y)
    if direction_size == 0.0:
        return 0.0
    quarter_turn = y / direction_size
    if x < 0:
        return 2.0 - quarter_turn
    return quarter_turn if quarter_turn >= 0 else 4.0 + quarter_turn
