"""Patterns alone: the fewest railroads that touch and look alike, where all are drawn in black."""

from collections.abc import Mapping
from functools import lru_cache
from operator import add
from typing import Final, get_args

from mapkit.kinds.rail.model.board import Board, Pattern
from mapkit.kinds.rail.render.lines.touching import touching

_SIDE_BY_SIDE: Final = 20
_CHANGED: Final = 1
_REPEATED: Final = 3
"""More than a change costs, so that no pattern appears twice while another is not used."""
_ALIKE: Final = 600
PATTERNS: Final[tuple[Pattern, ...]] = get_args(Pattern)


def ink_patterns(board: Board) -> Mapping[str, Pattern]:
    """Return railroad id -> pattern.

    Two that run side by side share a pattern only if it cannot be helped, two that touch as seldom as can be; then
    every pattern is used before one repeats; then railroads keep the pattern that the board gives them. Found by
    improving one railroad at a time, then two, from the board's own patterns: no change of one or two railroads makes
    it better.
    """
    weights = {(t.a, t.b): _SIDE_BY_SIDE * _ALIKE if t.kind == "beside" else _ALIKE for t in touching(board)}
    return dict(_solve(tuple((r.id, r.style.pattern) for r in board.railroads), tuple(weights.items())))


@lru_cache(maxsize=8)
def _solve(
    own: tuple[tuple[str, Pattern], ...], weights: tuple[tuple[tuple[str, str], int], ...]
) -> tuple[tuple[str, Pattern], ...]:
    search = _Search(dict(own), dict(weights))
    while any([search.improve(ident) for ident in search.order]):  # noqa: C419 - every one has its turn
        pass
    while any([search.improve_two(a, b) for a in search.order for b in sorted(search.near[a])]):  # noqa: C419
        pass
    return tuple(sorted(search.found().items()))


class _Search:
    """Patterns as they stand, and what they cost.

    What each pattern would cost each railroad is kept up to date with every change, for it is asked a hundred times as
    often as something changes.
    """

    def __init__(self, own: Mapping[str, Pattern], weights: Mapping[tuple[str, str], int]) -> None:
        self._wanted = {ident: PATTERNS.index(pattern) for ident, pattern in own.items()}
        self._found = dict(self._wanted)
        counts = [list(self._found.values()).count(pattern) for pattern in range(len(PATTERNS))]
        self._repeats = [_REPEATED * count for count in counts]  # what one more of each pattern costs
        self.near: dict[str, dict[str, int]] = {ident: {} for ident in own}
        self._costs = {ident: [_CHANGED] * len(PATTERNS) for ident in own}
        self._total = sum(_REPEATED * count * (count - 1) // 2 for count in counts)
        for ident, pattern in self._wanted.items():
            self._costs[ident][pattern] = 0
        for (a, b), weight in weights.items():
            self.near[a][b] = self.near[b][a] = weight
            self._costs[a][self._found[b]] += weight
            self._costs[b][self._found[a]] += weight
            self._total += weight if self._found[a] == self._found[b] else 0
        self._changes = 0
        self._failed: dict[tuple[str, str], int] = {}
        """How many changes there had been when two railroads were last tried in vain."""
        self.order = sorted(self.near, key=lambda ident: (-sum(self.near[ident].values()), ident))

    def found(self) -> dict[str, Pattern]:
        """Return railroad id -> pattern."""
        return {ident: PATTERNS[pattern] for ident, pattern in self._found.items()}

    def _give(self, ident: str, pattern: int) -> None:
        old, costs = self._found[ident], self._costs[ident]
        if pattern == old:
            return
        self._found[ident] = pattern
        self._total += costs[pattern] - costs[old] + self._repeats[pattern] - self._repeats[old] + _REPEATED
        self._repeats[old] -= _REPEATED
        self._repeats[pattern] += _REPEATED
        for other, weight in self.near[ident].items():
            theirs = self._costs[other]
            theirs[old] -= weight
            theirs[pattern] += weight

    def improve(self, ident: str) -> bool:
        """Give a railroad its cheapest pattern, its own if that costs no more; returns whether it is another."""
        old = self._found[ident]
        if self._costs[ident][old] + self._repeats[old] - _REPEATED <= min(self._repeats):
            return False  # no pattern can cost less
        costs = list(map(add, self._costs[ident], self._repeats))
        costs[old] -= _REPEATED  # it does not repeat itself
        least = min(costs)
        if costs[old] == least:
            return False
        self._give(ident, costs.index(least))
        return True

    def improve_two(self, a: str, b: str) -> bool:
        """Try every pattern of one railroad with the best answers of its neighbours; returns whether it helped."""
        if self._failed.get((a, b)) == self._changes:  # nothing is other than when it did not help
            return False
        answering = (b, *sorted(self.near[a]), a)
        answers = [(ident, self._costs[ident]) for ident in answering]
        before = least = self._total
        kept = {ident: self._found[ident] for ident in answering}
        found = self._found
        for pattern in range(len(PATTERNS)):
            self._give(a, pattern)
            rare = min(self._repeats)
            for ident, costs in answers:
                old = found[ident]
                # nothing is asked of who cannot do better: this is where all the time goes
                if costs[old] + self._repeats[old] - _REPEATED > rare and self.improve(ident):
                    rare = min(self._repeats)
            if self._total < least:
                least, kept = self._total, {ident: found[ident] for ident in answering}
            for ident, best in kept.items():
                if found[ident] != best:
                    self._give(ident, best)
        if least == before:
            self._failed[a, b] = self._changes
            return False
        self._changes += 1
        return True
