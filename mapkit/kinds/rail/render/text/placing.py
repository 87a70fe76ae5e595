"""Choice of one place for each label without clashes: a maximum-weight independent set.

Every label has candidates, each with a cost; some pairs of candidates of different labels clash. Chosen is at most
one candidate a label so that the sum of costs, and of what it costs to leave labels out, is least. The problem is
first made smaller by rules that lose no best solution; what is left falls apart into components. A quick search
gives each a good solution, which OR-tools' CP-SAT then improves or proves best. Costs are whole numbers, and the
solver's limit counts its own work rather than time, so every machine finds the same.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mapkit.kinds.rail.render.text.best_choice import best_choice

Ints = NDArray[np.int64]
Array = NDArray[np.float64]

NONE: Final = -1
_COST_UNIT: Final = 100
_SEARCH_ROUNDS: Final = 6
_SOLVER_SEED: Final = 1
_SOLVER_WORK: Final = 0.6
"""CP-SAT's deterministic seconds for one component."""
_LARGEST_COMPONENT: Final = 3_000
"""Candidates in a component; a larger one keeps what the search found."""


@dataclass(frozen=True)
class CandidatePlaces:
    """Candidate places, in the order of their labels.

    Args:
        owner: Label of each candidate.
        cost: Cost of each candidate.
        left_out: What it costs to leave out each label.
        clashes: Pairs of candidates of different labels, as two arrays.
    """

    owner: Ints
    cost: Array
    left_out: Array
    clashes: tuple[Ints, Ints]


def choose(places: CandidatePlaces) -> Ints:
    """Return the chosen candidate of each label, or -1."""
    return _PlaceChooser(places).run()


class _PlaceChooser:
    def __init__(self, places: CandidatePlaces) -> None:
        self._owner = places.owner
        self._cost: Ints = np.rint(places.cost * _COST_UNIT).astype(np.int64)
        self._left: Ints = np.rint(places.left_out * _COST_UNIT).astype(np.int64)
        candidate_count = len(self._owner)
        first_candidates, second_candidates = places.clashes
        first_candidates, second_candidates = (
            np.concatenate((first_candidates, second_candidates)),
            np.concatenate((second_candidates, first_candidates)),
        )
        pair_keys = _sort_distinct(first_candidates.astype(np.int64) * candidate_count + second_candidates)
        self._one, self._other = pair_keys // max(candidate_count, 1), pair_keys % max(candidate_count, 1)
        self._live = self._cost < self._left[self._owner] if candidate_count else np.zeros(0, dtype=bool)
        self._choice: Ints = np.full(len(self._left), NONE, dtype=np.int64)

    def run(self) -> Ints:
        if not len(self._owner):
            return self._choice
        self._drop_dear()
        self._drop_dominated()
        self._drop_dear()
        for component in self._components():
            self._solve(component)
        return self._choice

    def _drop_dear(self) -> None:
        """Drop candidates dearer than a candidate of the same label that clashes with nothing left."""
        cost_order = np.lexsort((np.arange(len(self._cost)), self._cost))
        cost_rank = np.empty_like(cost_order)
        cost_rank[cost_order] = np.arange(len(cost_order))
        while True:
            is_alive = self._live[self._one] & self._live[self._other]
            self._one, self._other = self._one[is_alive], self._other[is_alive]
            is_free = self._live.copy()
            is_free[self._one] = False
            best_rank = np.full(len(self._left), len(cost_order), dtype=np.int64)
            np.minimum.at(best_rank, self._owner[is_free], cost_rank[is_free])
            is_dear = self._live & (cost_rank > best_rank[self._owner])
            if not is_dear.any():
                return
            self._live[is_dear] = False

    def _drop_dominated(self) -> None:
        """Drop candidates with all clashes, or more, of a cheaper candidate of the same label."""
        first_pair = np.searchsorted(self._one, np.arange(len(self._owner) + 1)).tolist()  # sorted, as they were made
        live_candidates = np.flatnonzero(self._live)
        live_candidates = live_candidates[
            np.lexsort((live_candidates, self._cost[live_candidates], self._owner[live_candidates]))
        ]
        kept_clashes: list[set[int]] = []
        last_label = NONE
        for candidate in map(int, live_candidates):
            label = int(self._owner[candidate])
            if label != last_label:
                kept_clashes, last_label = [], label
            own_clashes = set(self._other[first_pair[candidate] : first_pair[candidate + 1]].tolist())
            if any(cheaper_clashes <= own_clashes for cheaper_clashes in kept_clashes):
                self._live[candidate] = False
            else:
                kept_clashes.append(own_clashes)

    def _components(self) -> Iterator["_Component"]:
        """Yield the labels that depend on each other, group by group, with their remaining candidates."""
        label_count = len(self._left)
        a, b = self._owner[self._one], self._owner[self._other]
        component_labels, component_of = np.unique(_label_components(label_count, a, b), return_inverse=True)
        component_count = len(component_labels)
        live_candidates = np.flatnonzero(self._live)
        label_groups = _split_groups(np.arange(label_count), component_of, component_count)
        candidate_groups = _split_groups(live_candidates, component_of[self._owner[live_candidates]], component_count)
        first_groups, second_groups = (
            _split_groups(pair_side, component_of[a], component_count) for pair_side in (self._one, self._other)
        )
        yield from map(_Component, label_groups, candidate_groups, first_groups, second_groups)

    def _solve(self, component: "_Component") -> None:
        own_candidates, label_list = component.candidates, component.labels.tolist()
        if len(label_list) == 1:
            if len(own_candidates):
                self._choice[label_list[0]] = own_candidates[
                    np.lexsort((own_candidates, self._cost[own_candidates]))[0]
                ]
            return
        label_of = self._owner[own_candidates]
        search_problem = _SearchProblem(
            owner=dict(zip(own_candidates.tolist(), label_of.tolist(), strict=True)),
            gain=dict(
                zip(own_candidates.tolist(), (self._left[label_of] - self._cost[own_candidates]).tolist(), strict=True)
            ),
            near=_make_partner_sets(own_candidates.tolist(), component.one, component.other),
            labels=tuple(label_list),
            beside=_make_partner_sets(label_list, *self._owners(component)),
        )
        chosen_of = _LocalSearch(search_problem).run()
        if len(own_candidates) <= _LARGEST_COMPONENT:
            chosen_of = _improve_with_solver(search_problem, chosen_of)
        for label, candidate in chosen_of.items():
            self._choice[label] = candidate

    def _owners(self, component: "_Component") -> tuple[Ints, Ints]:
        """Return the pairs of labels with candidates that clash, both ways, sorted."""
        label_count = max(len(self._left), 1)
        pair_keys = _sort_distinct(self._owner[component.one] * label_count + self._owner[component.other])
        return pair_keys // label_count, pair_keys % label_count


class _Component(NamedTuple):
    """Labels that depend on each other, their candidates, and the clashing pairs of these, both ways."""

    labels: Ints
    candidates: Ints
    one: Ints
    other: Ints


def _sort_distinct(values: Ints) -> Ints:
    """Return the distinct values, sorted; np.unique hashes them, which takes many times as long for such keys."""
    sorted_values = np.sort(values)
    return sorted_values[np.diff(sorted_values, prepend=NONE) > 0]


def _label_components(count: int, one: Ints, other: Ints) -> Ints:
    """Return for each of `count` labels the first label of its connected component; pairs are both ways."""
    least_labels = np.arange(count)
    while True:
        next_least = least_labels.copy()
        np.minimum.at(next_least, one, least_labels[other])
        next_least = next_least[next_least]
        if np.array_equal(next_least, least_labels):
            return least_labels
        least_labels = next_least


def _split_groups(values: Ints, mark: Ints, groups: int) -> list[Ints]:
    """Split values by their group, in their order; `mark` is the group of each."""
    mark_order = np.argsort(mark, kind="stable")
    return np.split(values[mark_order], np.searchsorted(mark[mark_order], np.arange(1, groups)))


@dataclass(frozen=True)
class _SearchProblem:
    """Component: the labels of its candidates, their gains over being left out, and their clashes."""

    owner: dict[int, int]
    gain: dict[int, int]
    near: dict[int, set[int]]
    labels: tuple[int, ...]
    beside: dict[int, set[int]]
    """Label -> those whose candidates clash with one of its own."""


def _make_partner_sets(keys: list[int], one: Ints, other: Ints) -> dict[int, set[int]]:
    """Return the partners of each key; pairs are sorted by `one`."""
    key_bounds = np.searchsorted(one, [*keys, *(key + 1 for key in keys)]).tolist()
    partner_list = other.tolist()
    return {
        key: set(partner_list[start:end])
        for key, start, end in zip(keys, key_bounds[: len(keys)], key_bounds[len(keys) :], strict=True)
    }


class _LocalSearch:
    """Quick search: greedy choice of free candidates, then local exchanges as long as they gain."""

    def __init__(self, part: _SearchProblem) -> None:
        self._part = part
        self._of: dict[int, list[int]] = {label: [] for label in part.labels}
        for candidate in sorted(part.owner, key=lambda c: (-part.gain[c], c)):
            self._of[part.owner[candidate]].append(candidate)
        self._chosen: dict[int, int] = {}
        self._taken: set[int] = set()
        self._moves = 0
        self._tried: dict[int, int] = {}
        self._moved_beside: dict[int, int] = {}
        """Label -> the number of the last move of itself or a label beside it."""

    def run(self) -> dict[int, int]:
        """Return label -> candidate."""
        candidates_of, gain = self._of, self._part.gain
        label_order = sorted(
            self._part.labels,
            key=lambda i: (-max((gain[c] for c in candidates_of[i]), default=0), len(candidates_of[i]), i),
        )
        for label in label_order:
            self._put(label, self._best(label))
        for _ in range(_SEARCH_ROUNDS):
            moves_before = self._moves
            for label in label_order:
                if self._tried.get(label, -1) < self._last_move_near(label):
                    self._tried[label] = self._moves
                    self._note(self._improve(label))
            if self._moves == moves_before:
                break
        return self._chosen

    def _last_move_near(self, label: int) -> int:
        """Return the number of the last move that matters to a label: its own, or of labels up to two steps away."""
        near_labels, last_moves = self._part.beside[label], self._moved_beside
        return max(
            max([last_moves.get(near_label, 0) for near_label in near_labels], default=0), last_moves.get(label, 0)
        )

    def _note(self, moved: list[int]) -> None:
        """Record moved labels; a failed attempt would fail again until a label near it moves."""
        self._moves += bool(moved)
        for label in moved:
            self._moved_beside[label] = self._moves
            self._moved_beside.update(dict.fromkeys(self._part.beside[label], self._moves))

    def _best(self, label: int) -> int | None:
        clashes_of, taken_candidates = self._part.near, self._taken
        for candidate in self._of[label]:
            if clashes_of[candidate].isdisjoint(taken_candidates):
                return candidate
        return None

    def _put(self, label: int, candidate: int | None) -> None:
        if label in self._chosen:
            self._taken.discard(self._chosen.pop(label))
        if candidate is not None:
            self._chosen[label] = candidate
            self._taken.add(candidate)

    def _worth(self, labels: Sequence[int]) -> int:
        return sum(self._part.gain[self._chosen[i]] for i in labels if i in self._chosen)

    def _improve(self, label: int) -> list[int]:
        """Move a label to a better place, pushing others aside if all gain together; return the moved labels."""
        old_candidate, own_worth = self._chosen.get(label), self._worth([label])
        for candidate in self._of[label]:
            if self._part.gain[candidate] <= own_worth:
                return []
            pushed_labels = sorted({self._part.owner[c] for c in self._part.near[candidate] & self._taken})
            old_candidates = {p: self._chosen[p] for p in pushed_labels}
            old_worth = own_worth + self._worth(pushed_labels)
            for p in pushed_labels:
                self._put(p, None)
            self._put(label, candidate)
            for p in pushed_labels:
                self._put(p, self._best(p))
            if self._worth([label, *pushed_labels]) > old_worth:
                return [label, *pushed_labels]
            for p in pushed_labels:
                self._put(p, None)
            self._put(label, old_candidate)
            for p in pushed_labels:
                self._put(p, old_candidates[p])
        return []


def _improve_with_solver(part: _SearchProblem, hint: dict[int, int]) -> dict[int, int]:
    """Return a solution at least as good as the hint."""
    all_candidates = sorted(part.owner)
    candidate_number = {c: position for position, c in enumerate(all_candidates)}
    hinted_candidates = set(hint.values())
    taken_mask = best_choice(
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
