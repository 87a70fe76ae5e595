"""Minimisation of a sum of terms over orders: exact by elimination, else by votes and moves."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations
from typing import Final

import numpy as np
from numpy.typing import NDArray

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
