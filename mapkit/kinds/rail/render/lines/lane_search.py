"""Smallest sum of terms over orders: exact by elimination, and by votes and moves where that is too large."""

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
class Term:
    """A cost that depends on whether railroad `r` is right of `s` in the edges `e` and `f` (the same, for a split).

    `cost[i, j]`: i is 0 if s is left of r in e, 1 if it is right; j the same in f.
    """

    r: str
    s: str
    e: int
    f: int
    cost: Cells

    @cached_property
    def costs(self) -> list[list[int]]:
        """The same as plain integers, which are read much faster one by one."""
        found: list[list[int]] = self.cost.tolist()
        return found


@dataclass(frozen=True)
class _Table:
    """A cost for each choice of some variables, sorted."""

    of: tuple[int, ...]
    cost: Cells


def eliminate(railroads: Mapping[int, tuple[str, ...]], terms: Sequence[Term], limit: int) -> Orders | None:
    """Return the best orders, the first in the order of ids among equals; None if a table would be too large."""
    choices = {i: list(permutations(names)) for i, names in railroads.items()}
    right: dict[tuple[int, str, str], Cells] = {}
    tables: dict[tuple[int, ...], Cells] = {}
    for term in terms:
        for edge in (term.e, term.f):
            key = (edge, term.r, term.s)
            if key not in right:
                held = [int(order.index(term.s) > order.index(term.r)) for order in choices[edge]]
                right[key] = np.array(held, dtype=np.int64)
        one = right[term.e, term.r, term.s]
        if term.e == term.f:
            own: tuple[int, ...] = (term.e,)
            cost = np.diagonal(term.cost)[one]
        else:
            own = (term.e, term.f)
            cost = term.cost[one[:, None], right[term.f, term.r, term.s][None, :]]
            if cost.size > limit:
                return None
        tables[own] = tables[own] + cost if own in tables else cost
    picked = _solve({i: len(c) for i, c in choices.items()}, [_Table(of, c) for of, c in tables.items()], limit)
    return None if picked is None else {i: choices[i][k] for i, k in picked.items()}


def _solve(counts: Mapping[int, int], tables: Sequence[_Table], limit: int) -> dict[int, int] | None:
    """Minimise a sum of tables by eliminating variable after variable, the one with the smallest table first."""
    left, work = set(counts), list(tables)
    trail: list[tuple[int, tuple[int, ...], Cells]] = []
    while left:
        around = {i: sorted({v for t in work if i in t.of for v in t.of} | {i}) for i in left}
        size = {i: math.prod(counts[v] for v in own) for i, own in around.items()}
        pick = min(left, key=lambda i: (size[i], i))
        if size[pick] > limit:
            return None
        own = around[pick]
        total = np.zeros([counts[v] for v in own], dtype=np.int64)
        for table in work:
            if pick in table.of:
                total += table.cost.reshape([counts[v] if v in table.of else 1 for v in own])
        axis = own.index(pick)
        rest = tuple(v for v in own if v != pick)
        trail.append((pick, rest, total.argmin(axis=axis)))
        work = [t for t in work if pick not in t.of] + [_Table(rest, total.min(axis=axis))]
        left.remove(pick)
    chosen: dict[int, int] = {}
    for pick, rest, best in reversed(trail):
        chosen[pick] = int(best[tuple(chosen[v] for v in rest)])
    return chosen


def vote(railroads: Mapping[int, tuple[str, ...]], terms: Sequence[Term], limit: int) -> tuple[Orders, int]:
    """Return orders in which railroads stand as most others would have them, and a lower bound of the sum.

    Each two railroads alone are solved exactly; what their solutions cost together no orders can undercut.
    """
    by_pair: dict[tuple[str, str], list[Term]] = {}
    for term in terms:
        by_pair.setdefault((term.r, term.s), []).append(term)
    wins = {i: dict.fromkeys(names, 0) for i, names in railroads.items()}
    bound = 0
    for (r, s), own in sorted(by_pair.items()):
        pair = {i: (r, s) for term in own for i in (term.e, term.f)}
        best = eliminate(pair, own, limit)
        if best is None:
            continue
        bound += _cost({i: _places(order) for i, order in best.items()}, own)
        for i, order in best.items():
            wins[i][order[1]] += 1
            wins[i][order[0]] -= 1
    return {i: tuple(sorted(names, key=lambda n: (wins[i][n], n))) for i, names in railroads.items()}, bound


def improve(orders: Mapping[int, tuple[str, ...]], terms: Sequence[Term]) -> tuple[Orders, int]:
    """Improve orders until no move helps: one railroad to another place in an edge, or two exchanged in all edges."""
    now: Orders = dict(orders)
    places = {i: _places(order) for i, order in now.items()}
    of: dict[int, list[Term]] = {}
    about: dict[str, list[Term]] = {}
    for term in terms:
        for i in sorted({term.e, term.f}):
            of.setdefault(i, []).append(term)
        about.setdefault(term.r, []).append(term)
        about.setdefault(term.s, []).append(term)
    exchanges = []
    for r, s in sorted({(t.r, t.s) for t in terms}):
        shared = [i for i, held in places.items() if r in held and s in held]
        own = [*about[r], *(t for t in about[s] if t.r != r)]  # what is between both counts once
        exchanges.append((r, s, shared, [t for t in own if t.e in shared or t.f in shared]))
    better = True
    while better:
        better = False
        for i in sorted(of):
            better |= _move(now, places, i, of[i])
        for r, s, shared, touched in exchanges:
            before = _cost(places, touched)
            _exchange(places, shared, r, s)
            if _cost(places, touched) < before:
                now.update((i, tuple(sorted(places[i], key=places[i].__getitem__))) for i in shared)
                better = True
            else:
                _exchange(places, shared, r, s)
    return now, _cost(places, terms)


def _places(order: tuple[str, ...]) -> dict[str, int]:
    return {name: k for k, name in enumerate(order)}


def _exchange(places: Places, edges: Sequence[int], r: str, s: str) -> None:
    for i in edges:
        held = places[i]
        held[r], held[s] = held[s], held[r]


def _move(now: Orders, places: Places, edge: int, terms: Sequence[Term]) -> bool:
    """Move railroads of an edge while that costs less."""
    names, place = now[edge], places[edge]
    left = _left_costs(places, edge, terms)
    least, better = int(np.triu(left, 1).sum()), False
    for moved in _moves(names):
        order = [place[name] for name in moved]
        if (cost := int(np.triu(left[order][:, order], 1).sum())) < least:
            least, now[edge], better = cost, moved, True
    places[edge] = _places(now[edge])
    return better


def _left_costs(places: Places, edge: int, terms: Sequence[Term]) -> Cells:
    """Return what it costs, other edges as they are, if one railroad (row) is left of another (column)."""
    place = places[edge]
    left = [[0] * len(place) for _ in place]
    for term in terms:
        r, s = place[term.r], place[term.s]
        if term.e == term.f:
            no, yes = term.costs[0][0], term.costs[1][1]
        else:
            other = places[term.f if term.e == edge else term.e]
            held = other[term.s] > other[term.r]
            no, yes = (row[held] for row in term.costs) if term.e == edge else term.costs[held]
        left[r][s] += yes
        left[s][r] += no
    return np.array(left, dtype=np.int64)


def _moves(order: tuple[str, ...]) -> list[tuple[str, ...]]:
    found = []
    for i, name in enumerate(order):
        rest = order[:i] + order[i + 1 :]
        found += [(*rest[:j], name, *rest[j:]) for j in range(len(order)) if j != i]
    return found


def _cost(places: Places, terms: Sequence[Term]) -> int:
    total = 0
    for term in terms:
        e, f = places[term.e], places[term.f]
        total += term.costs[e[term.s] > e[term.r]][f[term.s] > f[term.r]]
    return total
