"""Choice of one place for each label without clashes: a maximum-weight independent set.

Every label has candidates, each with a cost; some pairs of candidates of different labels clash. At most one
candidate of each label is chosen, with the least sum of costs, including those of labels left out. Reduction rules that
keep an optimal solution first make the problem smaller; the remainder falls into components. Local search finds a good
solution of each, which OR-Tools' CP-SAT then improves or proves optimal. Costs are whole numbers, and the
solver's limit counts its own work rather than time, so every machine finds the same.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mapkit.core.arrays import Ints
from mapkit.kinds.rail.render.text.cp_sat_choice import solve_best_choice

Array = NDArray[np.float64]

NONE: Final = -1
_COST_UNIT: Final = 100
_SEARCH_ROUNDS: Final = 6
_SOLVER_SEED: Final = 1
_SOLVER_WORK: Final = 0.6
"""CP-SAT's deterministic seconds for one component."""
_LARGEST_COMPONENT: Final = 3_000
"""Most candidates of a component for the solver; a larger one keeps the result of the search."""


@dataclass(frozen=True)
class CandidatePlaces:
    """Candidate places, in the order of their labels.

    Args:
        owner: Label of each candidate.
        cost: Cost of each candidate.
        left_out: Cost of leaving out each label.
        clashes: Pairs of candidates of different labels, as two arrays.
    """

    owner: Ints
    cost: Array
    left_out: Array
    clashes: tuple[Ints, Ints]


def choose_places(places: CandidatePlaces) -> Ints:
    """Return the chosen candidate of each label, or -1."""
    return _PlaceChooser(places).run()


class _PlaceChooser:
    def __init__(self, places: CandidatePlaces) -> None:
        self._label_of = places.owner
        self._costs: Ints = np.rint(places.cost * _COST_UNIT).astype(np.int64)
        self._left_out_costs: Ints = np.rint(places.left_out * _COST_UNIT).astype(np.int64)
        count = len(self._label_of)
        first_candidates, second_candidates = places.clashes
        first_candidates, second_candidates = (
            np.concatenate((first_candidates, second_candidates)),
            np.concatenate((second_candidates, first_candidates)),
        )
        pair_keys = _sort_distinct(first_candidates.astype(np.int64) * count + second_candidates)
        self._first, self._second = pair_keys // max(count, 1), pair_keys % max(count, 1)
        self._is_live = self._costs < self._left_out_costs[self._label_of] if count else np.zeros(0, dtype=bool)
        self._chosen_candidates: Ints = np.full(len(self._left_out_costs), NONE, dtype=np.int64)

    def run(self) -> Ints:
        if not len(self._label_of):
            return self._chosen_candidates
        self._drop_costly()
        self._drop_dominated()
        self._drop_costly()
        for component in self._split_components():
            self._solve_component(component)
        return self._chosen_candidates

    def _drop_costly(self) -> None:
        """Drop candidates dearer than a candidate of the same label that clashes with nothing left."""
        cost_order = np.lexsort((np.arange(len(self._costs)), self._costs))
        cost_rank = np.empty_like(cost_order)
        cost_rank[cost_order] = np.arange(len(cost_order))
        while True:
            is_alive = self._is_live[self._first] & self._is_live[self._second]
            self._first, self._second = self._first[is_alive], self._second[is_alive]
            is_free = self._is_live.copy()
            is_free[self._first] = False
            best_rank = np.full(len(self._left_out_costs), len(cost_order), dtype=np.int64)
            np.minimum.at(best_rank, self._label_of[is_free], cost_rank[is_free])
            is_dear = self._is_live & (cost_rank > best_rank[self._label_of])
            if not is_dear.any():
                return
            self._is_live[is_dear] = False

    def _drop_dominated(self) -> None:
        """Drop candidates with all clashes, or more, of a cheaper candidate of the same label."""
        first_pair = np.searchsorted(self._first, np.arange(len(self._label_of) + 1)).tolist()  # pairs are sorted
        order = np.flatnonzero(self._is_live)
        order = order[np.lexsort((order, self._costs[order], self._label_of[order]))]
        kept_clashes: list[set[int]] = []
        last_label = NONE
        for candidate in map(int, order):
            label = int(self._label_of[candidate])
            if label != last_label:
                kept_clashes, last_label = [], label
            own_clashes = set(self._second[first_pair[candidate] : first_pair[candidate + 1]].tolist())
            if any(cheaper_clashes <= own_clashes for cheaper_clashes in kept_clashes):
                self._is_live[candidate] = False
            else:
                kept_clashes.append(own_clashes)

    def _split_components(self) -> Iterator["_Component"]:
        """Yield the labels that depend on each other, group by group, with their remaining candidates."""
        label_count = len(self._left_out_costs)
        a, b = self._label_of[self._first], self._label_of[self._second]
        component_labels, mark = np.unique(_label_components(label_count, a, b), return_inverse=True)
        groups = len(component_labels)
        live_candidates = np.flatnonzero(self._is_live)
        label_groups = _split_groups(np.arange(label_count), mark, groups)
        candidate_groups = _split_groups(live_candidates, mark[self._label_of[live_candidates]], groups)
        first_groups, second_groups = (_split_groups(side, mark[a], groups) for side in (self._first, self._second))
        yield from map(_Component, label_groups, candidate_groups, first_groups, second_groups)

    def _solve_component(self, component: "_Component") -> None:
        own_candidates, label_list = component.candidates, component.labels.tolist()
        if len(label_list) == 1:
            if len(own_candidates):
                self._chosen_candidates[label_list[0]] = own_candidates[
                    np.lexsort((own_candidates, self._costs[own_candidates]))[0]
                ]
            return
        label_of = self._label_of[own_candidates]
        # pairs of labels with candidates that clash, both ways, sorted
        label_count = max(len(self._left_out_costs), 1)
        pair_keys = _sort_distinct(self._label_of[component.one] * label_count + self._label_of[component.other])
        search_problem = _SearchProblem(
            owner=dict(zip(own_candidates.tolist(), label_of.tolist(), strict=True)),
            gain=dict(
                zip(
                    own_candidates.tolist(),
                    (self._left_out_costs[label_of] - self._costs[own_candidates]).tolist(),
                    strict=True,
                )
            ),
            near=_make_partner_sets(own_candidates.tolist(), component.one, component.other),
            labels=tuple(label_list),
            beside=_make_partner_sets(label_list, pair_keys // label_count, pair_keys % label_count),
        )
        chosen_of = _LocalSearch(search_problem).run()
        if len(own_candidates) <= _LARGEST_COMPONENT:
            chosen_of = _improve_with_solver(search_problem, chosen_of)
        for label, candidate in chosen_of.items():
            self._chosen_candidates[label] = candidate


class _Component(NamedTuple):
    """Labels that depend on each other, their candidates, and the clashing pairs of these, both ways."""

    labels: Ints
    candidates: Ints
    one: Ints
    other: Ints


def _sort_distinct(values: Ints) -> Ints:
    """Return the distinct values, sorted; np.unique hashes them, many times slower for such keys."""
    sorted_values = np.sort(values)
    return sorted_values[np.diff(sorted_values, prepend=NONE) > 0]


def _label_components(count: int, first_labels: Ints, second_labels: Ints) -> Ints:
    """Return for each of `count` labels the first label of its connected component; pairs are both ways."""
    least_labels = np.arange(count)
    while True:
        next_least = least_labels.copy()
        np.minimum.at(next_least, first_labels, least_labels[second_labels])
        next_least = next_least[next_least]
        if np.array_equal(next_least, least_labels):
            return least_labels
        least_labels = next_least


def _split_groups(values: Ints, group_of: Ints, groups: int) -> list[Ints]:
    """Split values by their group, in their order; `group_of` is the group of each."""
    mark_order = np.argsort(group_of, kind="stable")
    return np.split(values[mark_order], np.searchsorted(group_of[mark_order], np.arange(1, groups)))


@dataclass(frozen=True)
class _SearchProblem:
    """Component: the labels of its candidates, their gains over being left out, and their clashes."""

    owner: dict[int, int]
    gain: dict[int, int]
    near: dict[int, set[int]]
    labels: tuple[int, ...]
    beside: dict[int, set[int]]
    """Label -> labels with candidates that clash with one of its own."""


def _make_partner_sets(keys: list[int], first_partners: Ints, second_partners: Ints) -> dict[int, set[int]]:
    """Return the partners of each key; pairs are sorted by `first_partners`."""
    key_bounds = np.searchsorted(first_partners, [*keys, *(key + 1 for key in keys)]).tolist()
    partner_list = second_partners.tolist()
    return {
        key: set(partner_list[start:end])
        for key, start, end in zip(keys, key_bounds[: len(keys)], key_bounds[len(keys) :], strict=True)
    }


class _LocalSearch:
    """Quick search: greedy choice of free candidates, then local exchanges as long as they gain."""

    def __init__(self, part: _SearchProblem) -> None:
        self._problem = part
        self._candidates_of: dict[int, list[int]] = {label: [] for label in part.labels}
        for candidate in sorted(part.owner, key=lambda c: (-part.gain[c], c)):
            self._candidates_of[part.owner[candidate]].append(candidate)
        self._chosen: dict[int, int] = {}
        self._taken_candidates: set[int] = set()
        self._move_count = 0
        self._tried_at: dict[int, int] = {}
        self._last_moves: dict[int, int] = {}
        """Label -> the number of the last move of itself or a label beside it."""

    def run(self) -> dict[int, int]:
        """Return label -> candidate."""
        candidates_of, gain = self._candidates_of, self._problem.gain
        label_order = sorted(
            self._problem.labels,
            key=lambda i: (-max((gain[c] for c in candidates_of[i]), default=0), len(candidates_of[i]), i),
        )
        for label in label_order:
            self._assign(label, self._best_candidate(label))
        for _ in range(_SEARCH_ROUNDS):
            moves_before = self._move_count
            for label in label_order:
                if self._tried_at.get(label, -1) < self._last_move_near(label):
                    self._tried_at[label] = self._move_count
                    self._record_moves(self._improve_label(label))
            if self._move_count == moves_before:
                break
        return self._chosen

    def _last_move_near(self, label: int) -> int:
        """Return the number of the last move that matters to a label: its own, or of labels up to two steps away."""
        near_labels, last_moves = self._problem.beside[label], self._last_moves
        return max(
            max([last_moves.get(near_label, 0) for near_label in near_labels], default=0), last_moves.get(label, 0)
        )

    def _record_moves(self, moved: list[int]) -> None:
        """Record moved labels; a failed attempt would fail again until a label near it moves."""
        self._move_count += bool(moved)
        for label in moved:
            self._last_moves[label] = self._move_count
            self._last_moves.update(dict.fromkeys(self._problem.beside[label], self._move_count))

    def _best_candidate(self, label: int) -> int | None:
        clashes_of, taken_candidates = self._problem.near, self._taken_candidates
        for candidate in self._candidates_of[label]:
            if clashes_of[candidate].isdisjoint(taken_candidates):
                return candidate
        return None

    def _assign(self, label: int, candidate: int | None) -> None:
        if label in self._chosen:
            self._taken_candidates.discard(self._chosen.pop(label))
        if candidate is not None:
            self._chosen[label] = candidate
            self._taken_candidates.add(candidate)

    def _sum_gains(self, labels: Sequence[int]) -> int:
        return sum(self._problem.gain[self._chosen[i]] for i in labels if i in self._chosen)

    def _improve_label(self, label: int) -> list[int]:
        """Move a label to a better place, pushing others aside if all gain together; return the moved labels."""
        old_candidate, own_worth = self._chosen.get(label), self._sum_gains([label])
        for candidate in self._candidates_of[label]:
            if self._problem.gain[candidate] <= own_worth:
                return []
            pushed_labels = sorted(
                {self._problem.owner[c] for c in self._problem.near[candidate] & self._taken_candidates}
            )
            old_candidates = {p: self._chosen[p] for p in pushed_labels}
            old_worth = own_worth + self._sum_gains(pushed_labels)
            for p in pushed_labels:
                self._assign(p, None)
            self._assign(label, candidate)
            for p in pushed_labels:
                self._assign(p, self._best_candidate(p))
            if self._sum_gains([label, *pushed_labels]) > old_worth:
                return [label, *pushed_labels]
            for p in pushed_labels:
                self._assign(p, None)
            self._assign(label, old_candidate)
            for p in pushed_labels:
                self._assign(p, old_candidates[p])
        return []


def _improve_with_solver(part: _SearchProblem, hint: dict[int, int]) -> dict[int, int]:
    """Return a solution at least as good as the hint."""
    all_candidates = sorted(part.owner)
    candidate_number = {c: position for position, c in enumerate(all_candidates)}
    hinted_candidates = set(hint.values())
    taken_mask = solve_best_choice(
        [part.gain[c] for c in all_candidates],
        [[candidate_number[c] for c in clique] for clique in _find_cliques(part)],
        [c in hinted_candidates for c in all_candidates],
        work=_SOLVER_WORK,
        seed=_SOLVER_SEED,
    )
    if taken_mask is None:
        return hint
    solver_choice = {part.owner[c]: c for c, is_taken in zip(all_candidates, taken_mask, strict=True) if is_taken}
    return solver_choice if _total_gain(part, solver_choice) > _total_gain(part, hint) else hint


def _total_gain(part: _SearchProblem, chosen: dict[int, int]) -> int:
    return sum(part.gain[c] for c in chosen.values())


def _find_cliques(part: _SearchProblem) -> list[list[int]]:
    """Cover all pairs that exclude each other, those of one label included, by cliques."""
    candidates_of_label: dict[int, list[int]] = {}
    for candidate in sorted(part.owner):
        candidates_of_label.setdefault(part.owner[candidate], []).append(candidate)
    excluded_by = {c: part.near[c] | set(candidates_of_label[part.owner[c]]) - {c} for c in part.owner}
    found_cliques = [members for members in candidates_of_label.values() if len(members) > 1]
    covered_by: dict[int, set[int]] = {c: set(candidates_of_label[part.owner[c]]) for c in part.owner}
    for a in sorted(part.owner):
        for b in sorted(part.near[a]):
            if b < a or b in covered_by[a]:
                continue
            clique, common_candidates = [a, b], excluded_by[a] & excluded_by[b]
            for c in sorted(common_candidates):
                if c in common_candidates:
                    clique.append(c)
                    common_candidates &= excluded_by[c]
            for c in clique:
                covered_by[c].update(clique)
            found_cliques.append(clique)
    return found_cliques
