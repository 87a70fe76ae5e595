"""Choosing one place a label so that no two chosen places clash: a weighted independent set.

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
_UNIT: Final = 100
_ROUNDS: Final = 6
_SEED: Final = 1
_WORK: Final = 0.6
"""CP-SAT's deterministic seconds for one component."""
_LARGEST: Final = 3_000
"""Candidates in a component; a larger one keeps what the search found."""


@dataclass(frozen=True)
class CandidatePlaces:
    """Candidates in the order of their labels.

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
    return _Choice(places).run()


class _Choice:
    def __init__(self, places: CandidatePlaces) -> None:
        self._owner = places.owner
        self._cost: Ints = np.rint(places.cost * _UNIT).astype(np.int64)
        self._left: Ints = np.rint(places.left_out * _UNIT).astype(np.int64)
        count = len(self._owner)
        one, other = places.clashes
        one, other = np.concatenate((one, other)), np.concatenate((other, one))
        pairs = _each_once(one.astype(np.int64) * count + other)
        self._one, self._other = pairs // max(count, 1), pairs % max(count, 1)
        self._live = self._cost < self._left[self._owner] if count else np.zeros(0, dtype=bool)
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
        """Drop what costs more than a candidate of the same label that clashes with nothing left."""
        rank = np.lexsort((np.arange(len(self._cost)), self._cost))
        place = np.empty_like(rank)
        place[rank] = np.arange(len(rank))
        while True:
            alive = self._live[self._one] & self._live[self._other]
            self._one, self._other = self._one[alive], self._other[alive]
            free = self._live.copy()
            free[self._one] = False
            best = np.full(len(self._left), len(rank), dtype=np.int64)
            np.minimum.at(best, self._owner[free], place[free])
            dear = self._live & (place > best[self._owner])
            if not dear.any():
                return
            self._live[dear] = False

    def _drop_dominated(self) -> None:
        """Drop what clashes with all that a cheaper candidate of the same label clashes with, or more."""
        first = np.searchsorted(self._one, np.arange(len(self._owner) + 1)).tolist()  # sorted, as they were made
        order = np.flatnonzero(self._live)
        order = order[np.lexsort((order, self._cost[order], self._owner[order]))]
        kept: list[set[int]] = []
        last = NONE
        for candidate in map(int, order):
            label = int(self._owner[candidate])
            if label != last:
                kept, last = [], label
            mine = set(self._other[first[candidate] : first[candidate + 1]].tolist())
            if any(one <= mine for one in kept):
                self._live[candidate] = False
            else:
                kept.append(mine)

    def _components(self) -> Iterator["_Component"]:
        """Yield the labels that depend on each other, group by group, with what is left of them."""
        count = len(self._left)
        a, b = self._owner[self._one], self._owner[self._other]
        first, mark = np.unique(_least_linked(count, a, b), return_inverse=True)
        groups = len(first)
        live = np.flatnonzero(self._live)
        labels = _grouped(np.arange(count), mark, groups)
        candidates = _grouped(live, mark[self._owner[live]], groups)
        one, other = (_grouped(side, mark[a], groups) for side in (self._one, self._other))
        yield from map(_Component, labels, candidates, one, other)

    def _solve(self, component: "_Component") -> None:
        mine, labels = component.candidates, component.labels.tolist()
        if len(labels) == 1:
            if len(mine):
                self._choice[labels[0]] = mine[np.lexsort((mine, self._cost[mine]))[0]]
            return
        owner = self._owner[mine]
        part = _Part(
            owner=dict(zip(mine.tolist(), owner.tolist(), strict=True)),
            gain=dict(zip(mine.tolist(), (self._left[owner] - self._cost[mine]).tolist(), strict=True)),
            near=_sets(mine.tolist(), component.one, component.other),
            labels=tuple(labels),
            beside=_sets(labels, *self._owners(component)),
        )
        found = _Search(part).run()
        if len(mine) <= _LARGEST:
            found = _improved(part, found)
        for label, candidate in found.items():
            self._choice[label] = candidate

    def _owners(self, component: "_Component") -> tuple[Ints, Ints]:
        """Return the pairs of labels that have candidates which clash, both ways, sorted."""
        count = max(len(self._left), 1)
        pairs = _each_once(self._owner[component.one] * count + self._owner[component.other])
        return pairs // count, pairs % count


class _Component(NamedTuple):
    """Labels that depend on each other, their candidates, and the pairs of these that clash, both ways."""

    labels: Ints
    candidates: Ints
    one: Ints
    other: Ints


def _each_once(values: Ints) -> Ints:
    """Return the different values, sorted; np.unique hashes them, which takes many times as long for such keys."""
    ordered = np.sort(values)
    return ordered[np.diff(ordered, prepend=NONE) > 0]


def _least_linked(count: int, one: Ints, other: Ints) -> Ints:
    """Return for each of `count` labels the first that it depends on in any number of steps; pairs are both ways."""
    least = np.arange(count)
    while True:
        nearer = least.copy()
        np.minimum.at(nearer, one, least[other])
        nearer = nearer[nearer]
        if np.array_equal(nearer, least):
            return least
        least = nearer


def _grouped(values: Ints, mark: Ints, groups: int) -> list[Ints]:
    """Return the values of each group in their order; `mark` says which group each is in."""
    order = np.argsort(mark, kind="stable")
    return np.split(values[order], np.searchsorted(mark[order], np.arange(1, groups)))


@dataclass(frozen=True)
class _Part:
    """A component: its candidates' labels, gains over being left out, and clashes."""

    owner: dict[int, int]
    gain: dict[int, int]
    near: dict[int, set[int]]
    labels: tuple[int, ...]
    beside: dict[int, set[int]]
    """Label -> those whose candidates clash with one of its own."""


def _sets(keys: list[int], one: Ints, other: Ints) -> dict[int, set[int]]:
    """Return what pairs lead to from each key; pairs are sorted by `one`."""
    bounds = np.searchsorted(one, [*keys, *(key + 1 for key in keys)]).tolist()
    there = other.tolist()
    return {
        key: set(there[start:end])
        for key, start, end in zip(keys, bounds[: len(keys)], bounds[len(keys) :], strict=True)
    }


class _Search:
    """A quick search: the best free candidates first, then exchanges as long as they gain."""

    def __init__(self, part: _Part) -> None:
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
        of, gain = self._of, self._part.gain
        order = sorted(self._part.labels, key=lambda i: (-max((gain[c] for c in of[i]), default=0), len(of[i]), i))
        for label in order:
            self._put(label, self._best(label))
        for _ in range(_ROUNDS):
            before = self._moves
            for label in order:
                if self._tried.get(label, -1) < self._last_move_near(label):
                    self._tried[label] = self._moves
                    self._note(self._improve(label))
            if self._moves == before:
                break
        return self._chosen

    def _last_move_near(self, label: int) -> int:
        """Return when a label last moved that an attempt to move this one looks at: beside it, or beside such a one."""
        near, at = self._part.beside[label], self._moved_beside
        return max(max([at.get(other, 0) for other in near], default=0), at.get(label, 0))

    def _note(self, moved: list[int]) -> None:
        """Note that labels moved; an attempt that failed would fail again until one near it moves."""
        self._moves += bool(moved)
        for label in moved:
            self._moved_beside[label] = self._moves
            self._moved_beside.update(dict.fromkeys(self._part.beside[label], self._moves))

    def _best(self, label: int) -> int | None:
        near, taken = self._part.near, self._taken
        for candidate in self._of[label]:
            if near[candidate].isdisjoint(taken):
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
        """Move a label to a better place, pushing others aside if all gain together; return what moved."""
        before, own = self._chosen.get(label), self._worth([label])
        for candidate in self._of[label]:
            if self._part.gain[candidate] <= own:
                return []
            pushed = sorted({self._part.owner[c] for c in self._part.near[candidate] & self._taken})
            old = {p: self._chosen[p] for p in pushed}
            total = own + self._worth(pushed)
            for p in pushed:
                self._put(p, None)
            self._put(label, candidate)
            for p in pushed:
                self._put(p, self._best(p))
            if self._worth([label, *pushed]) > total:
                return [label, *pushed]
            for p in pushed:
                self._put(p, None)
            self._put(label, before)
            for p in pushed:
                self._put(p, old[p])
        return []


def _improved(part: _Part, hint: dict[int, int]) -> dict[int, int]:
    """Return a solution at least as good as the hint."""
    candidates = sorted(part.owner)
    number = {c: at for at, c in enumerate(candidates)}
    held = set(hint.values())
    taken = best_choice(
        [part.gain[c] for c in candidates],
        [[number[c] for c in clique] for clique in _cliques(part)],
        [c in held for c in candidates],
        work=_WORK,
        seed=_SEED,
    )
    if taken is None:
        return hint
    found = {part.owner[c]: c for c, is_taken in zip(candidates, taken, strict=True) if is_taken}
    return found if _total(part, found) > _total(part, hint) else hint


def _total(part: _Part, chosen: dict[int, int]) -> int:
    return sum(part.gain[c] for c in chosen.values())


def _cliques(part: _Part) -> list[list[int]]:
    """Cover all pairs that exclude each other, those of one label included, by sets of which one may be taken."""
    same: dict[int, list[int]] = {}
    for candidate in sorted(part.owner):
        same.setdefault(part.owner[candidate], []).append(candidate)
    all_near = {c: part.near[c] | set(same[part.owner[c]]) - {c} for c in part.owner}
    cliques = [members for members in same.values() if len(members) > 1]
    covered: dict[int, set[int]] = {c: set(same[part.owner[c]]) for c in part.owner}
    for a in sorted(part.owner):
        for b in sorted(part.near[a]):
            if b < a or b in covered[a]:
                continue
            clique, common = [a, b], all_near[a] & all_near[b]
            for c in sorted(common):
                if c in common:
                    clique.append(c)
                    common &= all_near[c]
            for c in clique:
                covered[c].update(clique)
            cliques.append(clique)
    return cliques
