"""Patterns alone: the fewest railroads that touch and look alike, where all are drawn in black."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final, get_args

from mapkit.model.board import Board, Pattern
from mapkit.render.touching import touching

_SIDE_BY_SIDE: Final = 20
_CHANGED: Final = 1
_ALIKE: Final = 8
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
    near: dict[str, dict[str, int]] = {ident: {} for ident, _ in own}
    for (a, b), weight in weights:
        near[a][b] = near[b][a] = weight
    wanted = dict(own)
    found = dict(own)

    def cost(ident: str, pattern: Pattern) -> int:
        same = sum(weight for other, weight in near[ident].items() if found[other] == pattern)
        return same + (_CHANGED if pattern != wanted[ident] else 0)

    def improve(ident: str) -> bool:
        best = min(PATTERNS, key=lambda p: (cost(ident, p), p != found[ident], PATTERNS.index(p)))
        changed = best != found[ident]
        found[ident] = best
        return changed

    def total() -> int:
        return sum(w for (a, b), w in weights if found[a] == found[b]) + sum(
            _CHANGED for ident in found if found[ident] != wanted[ident]
        )

    order = sorted(near, key=lambda ident: (-sum(near[ident].values()), ident))
    while any([improve(ident) for ident in order]):  # noqa: C419 - every one has its turn
        pass
    better = True
    while better:
        better = False
        for a in order:
            for b in sorted(near[a]):
                before, kept = total(), dict(found)
                for pattern in PATTERNS:
                    found[a] = pattern
                    improve(b)
                    improve(a)
                    if total() < before:
                        before, kept, better = total(), dict(found), True
                    found.update(kept)
    return tuple(sorted(found.items()))
