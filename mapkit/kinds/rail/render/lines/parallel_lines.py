"""Drawn lines of track pieces: parallel railroads side by side (RB-C09).

Pieces of different railroads that join the same two mileposts form a bundle with one centre line, the mean of their
real lines, and take lanes beside each other at an even distance, in an order with the fewest crossings (`lanes`).
Centre lines that come too near each other, or to another milepost, are moved apart, and bend smoothly through
nodes (`spacing`). Lanes do not pinch at a milepost: each railroad has its *port* there, so that railroads that run
on together pass it side by side, and one that leaves starts on its side. Where lanes reach beyond a dot, the dot is
drawn as a *bar* across them; into the square of a city they fan.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, permutations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mapkit.core.arrays import lowest_members
from mapkit.core.base import Point
from mapkit.drawing.theme.sizes import Sizes
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.render.lines.polyline import Array, fit_curve, line_normals, offset_line
from mapkit.kinds.rail.render.lines.spacing import (
    Bundle,
    LineObstacles,
    Strand,
    find_bundles,
    find_joins,
    leaving_direction,
    spread_strands,
)
from mapkit.kinds.rail.render.spread.displacement import Placement

# Minimisation of a sum of terms over orders: exact by elimination, else by votes and moves.

TABLE_LIMIT: Final = 1_000_000
"""Cells of the largest table."""

Cells = NDArray[np.int64]
Orders = dict[int, tuple[str, ...]]
Places = dict[int, dict[str, int]]
"""Of each railroad in each edge, from the left."""


@dataclass(frozen=True)
class CrossingTerm:
    """Cost that depends on whether railroad `r` is right of `s` in the edges `e` and `f` (the same, for a split).

    `cost[i, j]`: i is 0 if s is left of r in e, 1 if it is right; j the same in f.
    """

    r: str
    s: str
    e: int
    f: int
    cost: Cells

    @cached_property
    def costs(self) -> list[list[int]]:
        """Costs as plain integers, much faster to read one by one."""
        cost_lists: list[list[int]] = self.cost.tolist()
        return cost_lists


@dataclass(frozen=True)
class _CostTable:
    """Cost for each choice of some variables, sorted."""

    of: tuple[int, ...]
    cost: Cells


def solve_by_elimination(
    railroads: Mapping[int, tuple[str, ...]], terms: Sequence[CrossingTerm], limit: int
) -> Orders | None:
    """Return the best orders, the first in the order of ids among equals; None if a table would be too large."""
    edge_orders = {i: list(permutations(edge_railroads)) for i, edge_railroads in railroads.items()}
    is_right: dict[tuple[int, str, str], Cells] = {}
    cost_tables: dict[tuple[int, ...], Cells] = {}
    for term in terms:
        for edge in (term.e, term.f):
            right_key = (edge, term.r, term.s)
            if right_key not in is_right:
                right_flags = [int(order.index(term.s) > order.index(term.r)) for order in edge_orders[edge]]
                is_right[right_key] = np.array(right_flags, dtype=np.int64)
        first_right = is_right[term.e, term.r, term.s]
        if term.e == term.f:
            table_edges: tuple[int, ...] = (term.e,)
            table_cost = np.diagonal(term.cost)[first_right]
        else:
            table_edges = (term.e, term.f)
            table_cost = term.cost[first_right[:, None], is_right[term.f, term.r, term.s][None, :]]
            if table_cost.size > limit:
                return None
        cost_tables[table_edges] = cost_tables[table_edges] + table_cost if table_edges in cost_tables else table_cost
    chosen_orders = _eliminate_variables(
        {i: len(c) for i, c in edge_orders.items()}, [_CostTable(of, c) for of, c in cost_tables.items()], limit
    )
    return None if chosen_orders is None else {i: edge_orders[i][k] for i, k in chosen_orders.items()}


def _eliminate_variables(counts: Mapping[int, int], tables: Sequence[_CostTable], limit: int) -> dict[int, int] | None:
    """Minimise a sum of tables by variable elimination, the variable with the smallest table first."""
    remaining_variables, live_tables = set(counts), list(tables)
    elimination_trail: list[tuple[int, tuple[int, ...], Cells]] = []
    while remaining_variables:
        neighbours_of = {
            i: sorted({v for t in live_tables if i in t.of for v in t.of} | {i}) for i in remaining_variables
        }
        table_size = {i: math.prod(counts[v] for v in joint_variables) for i, joint_variables in neighbours_of.items()}
        next_variable = min(remaining_variables, key=lambda i: (table_size[i], i))
        if table_size[next_variable] > limit:
            return None
        joint_variables = neighbours_of[next_variable]
        joint_cost = np.zeros([counts[v] for v in joint_variables], dtype=np.int64)
        for table in live_tables:
            if next_variable in table.of:
                joint_cost += table.cost.reshape([counts[v] if v in table.of else 1 for v in joint_variables])
        variable_axis = joint_variables.index(next_variable)
        other_variables = tuple(v for v in joint_variables if v != next_variable)
        elimination_trail.append((next_variable, other_variables, joint_cost.argmin(axis=variable_axis)))
        live_tables = [t for t in live_tables if next_variable not in t.of] + [
            _CostTable(other_variables, joint_cost.min(axis=variable_axis))
        ]
        remaining_variables.remove(next_variable)
    chosen_values: dict[int, int] = {}
    for next_variable, other_variables, best_values in reversed(elimination_trail):
        chosen_values[next_variable] = int(best_values[tuple(chosen_values[v] for v in other_variables)])
    return chosen_values


def solve_by_vote(
    railroads: Mapping[int, tuple[str, ...]], terms: Sequence[CrossingTerm], limit: int
) -> tuple[Orders, int]:
    """Return orders by majority of the pairwise solutions, and a lower bound of the sum.

    Each pair of railroads is solved exactly by itself; the sum of these costs is a lower bound for all orders.
    """
    terms_by_pair: dict[tuple[str, str], list[CrossingTerm]] = {}
    for term in terms:
        terms_by_pair.setdefault((term.r, term.s), []).append(term)
    right_votes = {i: dict.fromkeys(names, 0) for i, names in railroads.items()}
    lower_bound = 0
    for (r, s), pair_terms in sorted(terms_by_pair.items()):
        pair_orders = {i: (r, s) for term in pair_terms for i in (term.e, term.f)}
        best_orders = solve_by_elimination(pair_orders, pair_terms, limit)
        if best_orders is None:
            continue
        lower_bound += _sum_costs({i: _order_places(order) for i, order in best_orders.items()}, pair_terms)
        for i, order in best_orders.items():
            right_votes[i][order[1]] += 1
            right_votes[i][order[0]] -= 1
    return {
        i: tuple(sorted(names, key=lambda n: (right_votes[i][n], n))) for i, names in railroads.items()
    }, lower_bound


def improve_orders(orders: Mapping[int, tuple[str, ...]], terms: Sequence[CrossingTerm]) -> tuple[Orders, int]:
    """Improve orders until no move helps: one railroad to another place in an edge, or two exchanged in all edges."""
    current_orders: Orders = dict(orders)
    places = {i: _order_places(order) for i, order in current_orders.items()}
    terms_of_edge: dict[int, list[CrossingTerm]] = {}
    terms_of_railroad: dict[str, list[CrossingTerm]] = {}
    for term in terms:
        for i in sorted({term.e, term.f}):
            terms_of_edge.setdefault(i, []).append(term)
        terms_of_railroad.setdefault(term.r, []).append(term)
        terms_of_railroad.setdefault(term.s, []).append(term)
    possible_exchanges = []
    for r, s in sorted({(t.r, t.s) for t in terms}):
        shared_edges = [i for i, edge_places in places.items() if r in edge_places and s in edge_places]
        pair_terms = [
            *terms_of_railroad[r],
            *(t for t in terms_of_railroad[s] if t.r != r),
        ]  # terms of both railroads count once
        possible_exchanges.append(
            (r, s, shared_edges, [t for t in pair_terms if t.e in shared_edges or t.f in shared_edges])
        )
    has_improved = True
    while has_improved:
        has_improved = False
        for i in sorted(terms_of_edge):
            has_improved |= _improve_edge(current_orders, places, i, terms_of_edge[i])
        for r, s, shared_edges, touched_terms in possible_exchanges:
            cost_before = _sum_costs(places, touched_terms)
            _exchange_railroads(places, shared_edges, r, s)
            if _sum_costs(places, touched_terms) < cost_before:
                current_orders.update((i, tuple(sorted(places[i], key=places[i].__getitem__))) for i in shared_edges)
                has_improved = True
            else:
                _exchange_railroads(places, shared_edges, r, s)
    return current_orders, _sum_costs(places, terms)


def _order_places(order: tuple[str, ...]) -> dict[str, int]:
    return {name: k for k, name in enumerate(order)}


def _exchange_railroads(places: Places, edges: Sequence[int], r: str, s: str) -> None:
    for i in edges:
        edge_places = places[i]
        edge_places[r], edge_places[s] = edge_places[s], edge_places[r]


def _improve_edge(orders: Orders, places: Places, edge: int, terms: Sequence[CrossingTerm]) -> bool:
    """Move railroads of an edge while that lowers the cost."""
    edge_order, edge_places = orders[edge], places[edge]
    left_costs = _tabulate_left_costs(places, edge, terms)
    least_cost, has_improved = int(np.triu(left_costs, 1).sum()), False
    for i, railroad in enumerate(edge_order):
        other_railroads = edge_order[:i] + edge_order[i + 1 :]
        for j in range(len(edge_order)):
            if j == i:
                continue
            moved_order = (*other_railroads[:j], railroad, *other_railroads[j:])
            place_order = [edge_places[name] for name in moved_order]
            if (moved_cost := int(np.triu(left_costs[place_order][:, place_order], 1).sum())) < least_cost:
                least_cost, orders[edge], has_improved = moved_cost, moved_order, True
    places[edge] = _order_places(orders[edge])
    return has_improved


def _tabulate_left_costs(places: Places, edge: int, terms: Sequence[CrossingTerm]) -> Cells:
    """Return the cost of one railroad (row) left of another (column), with other edges as they are."""
    edge_places = places[edge]
    left_costs = [[0] * len(edge_places) for _ in edge_places]
    for term in terms:
        r, s = edge_places[term.r], edge_places[term.s]
        if term.e == term.f:
            cost_right, cost_left = term.costs[0][0], term.costs[1][1]
        else:
            other_places = places[term.f if term.e == edge else term.e]
            is_right = other_places[term.s] > other_places[term.r]
            cost_right, cost_left = (row[is_right] for row in term.costs) if term.e == edge else term.costs[is_right]
        left_costs[r][s] += cost_left
        left_costs[s][r] += cost_right
    return np.array(left_costs, dtype=np.int64)


def _sum_costs(places: Places, terms: Sequence[CrossingTerm]) -> int:
    total_cost = 0
    for term in terms:
        e, f = places[term.e], places[term.f]
        total_cost += term.costs[e[term.s] > e[term.r]][f[term.s] > f[term.r]]
    return total_cost


# Order of parallel railroads within each corridor with as few line crossings as possible.
#
# The model is metro-line crossing minimisation: Bekos, Kaufmann, Potika, Symvonis, "Line crossing minimization on
# metro maps" (GD 2007), with the two kinds of crossings of Bast, Brosi, Storandt, "Efficient generation of
# geographically accurate transit maps" (SIGSPATIAL 2018). An *edge* is a bundle of railroads between two nodes; an
# *order* names its railroads from the left of a traveller from its start to its end. Walk clockwise round a node:
# the edges come in the order of their directions, the railroads of an edge from left to right as seen from the
# node. Two stubs of one railroad there are a *way* through the node, and two ways of different railroads cross if
# one leads out from between the ends of the other. So three kinds are counted alike:
#
# - both share both edges: they change sides, as the orders of the two edges say;
# - both share one edge: where the bundle splits, as the order of that edge says;
# - they share none: forced by where the edges lie, whatever the orders.
#
# The sum of crossings is minimised. Its terms depend on one or two edges, so the edges fall into components, and a
# component is solved exactly by eliminating edge after edge (dynamic programming over its tree decomposition), which
# is fast on corridors. Where the tables would grow too large, orders are voted from the exact solution of each pair of
# railroads, then improved by moves; the sum of those solutions is a lower bound, which may prove the result optimal.

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


_PARTS_PER_STEP: Final = 3
_LEAD_MM: Final = 7.0
_PORT_MARGIN_MM: Final = 0.15
_CLEARING_ROUNDS: Final = 8
_NO_SHIFT: Final = np.zeros(2)

Ports = Mapping[tuple[str, str], Array]
"""Node, railroad -> offset of the railroad's line from the middle of the node."""


@dataclass(frozen=True)
class Drawn:
    """Lines of a board and the symbol changes that they need, in page millimetres."""

    lines: dict[str, Array]
    """Piece (id) -> its line from its `a` to its `b`; beside others it ends beside the milepost's middle."""
    spots: dict[str, Point]
    """Junction (id) -> where it is drawn."""
    bars: dict[str, tuple[Point, Point]]
    """Milepost (id) that is not a city -> the middles of the outermost lanes, where they reach beyond its dot."""
    order: LaneOrder


def draw_lines(board: Board, placement: Placement, sizes: Sizes) -> Drawn:
    """Return the drawn lines of a board; every one ends within its mileposts' symbols."""
    placement = _clear_junctions(board, placement, sizes)
    line_bundles = find_bundles(board.pieces, placement)
    centre_lines = space_centre_lines(board, line_bundles, placement, sizes)
    lanes_order = order_bundle_lanes(line_bundles, centre_lines)
    lane_offsets = [  # distances to the right of the centre line
        {railroad_id: (i - (len(railroads) - 1) / 2) * sizes.lane for i, railroad_id in enumerate(railroads)}
        for railroads in lanes_order.orders
    ]
    city_room = max(sizes.city_side / 2 - sizes.line / 2, 0.0)
    passing_room = {m.id: city_room for m in board.mileposts if m.kind == "city"} | {j.id: 0.0 for j in board.junctions}
    node_ports = _place_ports(line_bundles, centre_lines, lane_offsets, passing_room)
    dot_ids = {m.id for m in board.mileposts if m.kind == "dot"}
    dot_bars = _find_bars({k: v for k, v in node_ports.items() if k[0] in dot_ids}, placement.spots, sizes)
    node_ports = _move_to_bars(node_ports, dot_bars, placement.spots, sizes)
    piece_lines: dict[str, Array] = {}
    for bundle, centre, lane in zip(line_bundles, centre_lines, lane_offsets, strict=True):
        for piece in bundle.pieces:
            end_ports = tuple(node_ports.get((node, piece.railroad), _NO_SHIFT) for node in (bundle.start, bundle.end))
            lane_line = offset_line(centre, lane[piece.railroad], (end_ports[0], end_ports[1]), _LEAD_MM)
            piece_lines[piece.id] = lane_line if piece.a == bundle.start else lane_line[::-1]
    junction_spots = {j.id: placement.spots[j.id] for j in board.junctions}
    return Drawn(piece_lines, junction_spots, dot_bars, lanes_order)


def order_bundle_lanes(bundles: Sequence[Bundle], centres: Sequence[Array]) -> LaneOrder:
    """Return the order of the railroads in each bundle, by the directions of the centre lines at the nodes."""
    return order_lanes(make_lane_edges(bundles, centres))


def make_lane_edges(bundles: Sequence[Bundle], centres: Sequence[Array]) -> list[CorridorEdge]:
    """State the lane ordering problem: one edge a bundle."""
    return [
        CorridorEdge(
            b.start,
            b.end,
            b.railroads,
            leaving_direction(centre, at_start=True),
            leaving_direction(centre, at_start=False),
        )
        for b, centre in zip(bundles, centres, strict=True)
    ]


def space_centre_lines(board: Board, bundles: Sequence[Bundle], placement: Placement, sizes: Sizes) -> list[Array]:
    """Return the centre lines as drawn: apart from each other and from other mileposts, and curved."""
    bundle_strands = [
        Strand(b.centre, (b.start, b.end), (len(b.pieces) - 1) / 2 * sizes.lane + sizes.line / 2) for b in bundles
    ]
    smooth_joins = find_joins(bundles, frozenset(j.id for j in board.junctions))
    spaced_lines = spread_strands(
        bundle_strands, make_line_obstacles(board, placement, sizes), sizes.clearance, smooth_joins
    )
    return [fit_curve(centre, _PARTS_PER_STEP) for centre in spaced_lines]


def _place_ports(
    bundles: Sequence[Bundle],
    centres: Sequence[Array],
    lanes: Sequence[Mapping[str, float]],
    room: Mapping[str, float],
) -> Ports:
    """Return the port of each railroad with neighbours at a node, the mean over its bundles there."""
    wanted_ports: dict[tuple[str, str], list[Array]] = {}
    for bundle, centre, lane in zip(bundles, centres, lanes, strict=True):
        widest_lane = max(lane.values())
        if widest_lane == 0.0:
            continue
        end_normals = line_normals(centre)
        for node, end_normal in ((bundle.start, end_normals[0]), (bundle.end, end_normals[-1])):
            room_scale = min(1.0, room.get(node, widest_lane) / widest_lane)
            for railroad, offset in lane.items():
                wanted_ports.setdefault((node, railroad), []).append(room_scale * offset * end_normal)
    return {key: np.sum(vectors, axis=0) / len(vectors) for key, vectors in sorted(wanted_ports.items())}


def _find_bars(ports: Ports, spots: Mapping[str, Point], sizes: Sizes) -> dict[str, tuple[Point, Point]]:
    """Return for dots the two ports farthest apart, if one lies too far out for the dot to cover it."""
    ports_at: dict[str, list[Point]] = {}
    for (node, _), (dx, dy) in ports.items():
        ports_at.setdefault(node, []).append((float(dx), float(dy)))
    dot_reach = sizes.dot_radius - _PORT_MARGIN_MM
    dot_bars: dict[str, tuple[Point, Point]] = {}
    for node, node_ports in ports_at.items():
        if max(dx * dx + dy * dy for dx, dy in node_ports) > dot_reach * dot_reach:
            x, y = spots[node]
            bar_ends = max(combinations([(0.0, 0.0), *node_ports], 2), key=lambda pair: math.dist(*pair))
            dot_bars[node] = ((x + bar_ends[0][0], y + bar_ends[0][1]), (x + bar_ends[1][0], y + bar_ends[1][1]))
    return dot_bars


def _move_to_bars(
    ports: Ports, bars: Mapping[str, tuple[Point, Point]], spots: Mapping[str, Point], sizes: Sizes
) -> Ports:
    """Move ports that lie off the bar onto it: bundles that part at an angle have such ports."""
    moved_ports = dict(ports)
    for port_key, port in ports.items():
        if port_key[0] not in bars:
            continue
        bar_start, bar_end = (np.subtract(end, spots[port_key[0]]) for end in bars[port_key[0]])
        bar_vector = bar_end - bar_start
        nearest_point = (
            bar_start
            + np.clip((port - bar_start) @ bar_vector / max(float(bar_vector @ bar_vector), 1e-9), 0.0, 1.0)
            * bar_vector
        )
        distance_off = float(np.hypot(*(port - nearest_point)))
        if distance_off > sizes.dot_radius:
            moved_ports[port_key] = nearest_point + (port - nearest_point) * (
                (sizes.dot_radius - _PORT_MARGIN_MM) / distance_off
            )
    return moved_ports


def _clear_junctions(board: Board, placement: Placement, sizes: Sizes) -> Placement:
    """Move free junctions off the symbols of mileposts, where their lines would seem to stop (RB-C10)."""
    obstacles = make_line_obstacles(board, placement, sizes)
    clear_spots = dict(placement.spots)
    least_distance = obstacles.radius + sizes.line + sizes.clearance
    for junction in board.junctions:
        junction_place = np.array(clear_spots[junction.id], dtype=np.float64)
        for _ in range(_CLEARING_ROUNDS):
            gap_vectors = junction_place - obstacles.xy
            distance = np.sqrt((gap_vectors**2).sum(axis=1))
            if not len(gap_vectors) or (distance >= least_distance).all():
                break
            worst = int((distance - least_distance).argmin())
            push_direction = gap_vectors[worst] / distance[worst] if distance[worst] > 0 else np.array([0.0, -1.0])
            junction_place = obstacles.xy[worst] + push_direction * least_distance[worst]
        clear_spots[junction.id] = (round(float(junction_place[0]), 3), round(float(junction_place[1]), 3))
    return replace(placement, spots=clear_spots)


def make_line_obstacles(board: Board, placement: Placement, sizes: Sizes) -> LineObstacles:
    """Return the mileposts with the room of their symbols."""
    square_counts: dict[str, int] = {}
    for city in board.cities:
        square_counts[city.milepost] = square_counts.get(city.milepost, 0) + 1
    symbol_radius = [
        sizes.dot_radius + sizes.symbol_edge
        if m.kind == "dot"
        else sizes.city_side * 0.7 * max(1.0, square_counts.get(m.id, 1) * 0.8)
        for m in board.mileposts
    ]
    return LineObstacles(
        names=tuple(m.id for m in board.mileposts),
        xy=np.array([placement.spots[m.id] for m in board.mileposts], dtype=np.float64).reshape(-1, 2),
        radius=np.array(symbol_radius, dtype=np.float64),
    )
