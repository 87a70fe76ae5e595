"""Patterns alone: the fewest railroads that touch and look alike, where all are drawn in black."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final, get_args

from mapkit.model.board import Board, Pattern
from mapkit.render.touching import touching

_SIDE_BY_SIDE: Final = 20
_CHANGED: Final = 1
_ALIKE: Final = 60
PATTERNS: Final[tuple[Pattern, ...]] = get_args(Pattern)


def ink_patterns(board: Board) -> Mapping[str, Pattern]:
    """Return railroad id -> pattern.

    Two that run side by side share a pattern only if it cannot be helped, two that touch as seldom as can be; then
    railroads keep the pattern that the board gives them. Found by improving one railroad at a time, then two, from the
    board's own patterns: no change of one or two railroads makes it better.
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
    return tuple(sorted(search.found.items()))


class _Search:
    """Patterns as they stand, and what they cost."""

    def __init__(self, own: Mapping[str, Pattern], weights: Mapping[tuple[str, str], int]) -> None:
        self.wanted, self.found, self._weights = dict(own), dict(own), weights
        self.near: dict[str, dict[str, int]] = {ident: {} for ident in own}
        for (a, b), weight in weights.items():
            self.near[a][b] = self.near[b][a] = weight
        self.order = sorted(self.near, key=lambda ident: (-sum(self.near[ident].values()), ident))

    def _cost(self, ident: str, pattern: Pattern) -> int:
        same = sum(weight for other, weight in self.near[ident].items() if self.found[other] == pattern)
        return same + (_CHANGED if pattern != self.wanted[ident] else 0)

    def _total(self) -> int:
        same = sum(w for (a, b), w in self._weights.items() if self.found[a] == self.found[b])
        return same + sum(_CHANGED for ident in self.found if self.found[ident] != self.wanted[ident])

    def improve(self, ident: str) -> bool:
        """Give a railroad its cheapest pattern; returns whether it is another."""
        old = self.found[ident]
        self.found[ident] = min(PATTERNS, key=lambda p: (self._cost(ident, p), p != old, PATTERNS.index(p)))
        return self.found[ident] != old

    def improve_two(self, a: str, b: str) -> bool:
        """Try every pattern of one railroad with the best answers of its neighbours; returns whether it helped."""
        least, kept = self._total(), dict(self.found)
        before = least
        for pattern in PATTERNS:
            self.found[a] = pattern
            for ident in (b, *sorted(self.near[a]), a):
                self.improve(ident)
            if self._total() < least:
                least, kept = self._total(), dict(self.found)
            self.found.update(kept)
        return least < before
