"""How far the blocks of a page reach: which names, beside and above a strip of sums, are its own.

Blocks may stand side by side and one above the other, be of any width, and begin at any height. On one page all have
their sums on the same side of the names, or between them.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from mapkit.core.names import fold
from mapkit.formats.pdf.lines import Columns
from mapkit.formats.pdf.word import Word
from mapkit.kinds.rail.sources.destinations.strips import FEWEST, Roll, Strip, is_key, key_of, strips_of
from mapkit.kinds.rail.sources.destinations.words import PARITIES

_HEADROOM: Final = 6.0
"""Steps between rows: headings may reach this far above the first."""
_INF: Final = float("inf")
Reach = tuple[Strip, float, float]
"""A strip, and where the names of its rows begin and end."""


def stacks_of(lines: Sequence[Sequence[Word]], roll: Roll) -> list[list[Strip]]:
    """Return the blocks of a page, those below each other together, from the left and from the top.

    Args:
        lines: The phrases of the page, line by line from the top.
        roll: Says what a text rolls.
    """
    strips = strips_of(lines, roll)
    rows = {strip: _names_of(lines, strip, roll) for strip in strips}
    reaching = _paired(_reaching(strips, rows), lines)
    kept = [strip for strip, _, _ in reaching]
    blocks = [
        (_repeating(strip, strips, kept), _extent(strip, rows[strip], low, high)) for strip, low, high in reaching
    ]
    return _stacked([(_bounded(strip, extent, blocks), extent) for strip, extent in blocks])


def _repeating(strip: Strip, strips: Sequence[Strip], kept: Sequence[Strip]) -> Strip:
    """Return a strip that knows where the sums of its rows stand again."""
    again = (other for other in strips if other not in kept and _beside(strip, other))
    return replace(strip, repeated=tuple((other.left, other.right) for other in again))


def _names_of(lines: Sequence[Sequence[Word]], strip: Strip, roll: Roll) -> list[Word]:
    """Return all phrases that are not sums in the lines of a strip, other blocks' too."""
    return [word for line in lines if key_of(line, strip, roll) for word in line if not is_key(word.text, roll)]


def _beside(one: Strip, other: Strip) -> bool:
    """Say whether two strips stand beside each other: some of their rows are at one height."""
    return min(one.bottom, other.bottom) > max(one.top, other.top)


def _behind(strip: Strip, strips: Sequence[Strip]) -> Strip | None:
    """Return the next strip to the right of one."""
    found = [other for other in strips if other.left > strip.right and _beside(strip, other)]
    return min(found, key=lambda other: other.left, default=None)


def _before(strip: Strip, strips: Sequence[Strip]) -> Strip | None:
    found = [other for other in strips if other.right < strip.left and _beside(strip, other)]
    return max(found, key=lambda other: other.right, default=None)


def _reaching(strips: Sequence[Strip], rows: dict[Strip, list[Word]]) -> list[Reach]:
    """Return the strips of blocks with how far their rows reach; sums that stand again behind names are of no block."""
    outer = [strip for strip in strips if _before(strip, strips) is None]
    last = [strip for strip in strips if _behind(strip, strips) is None]
    if sum(word.right < strip.left for strip in outer for word in rows[strip]) < FEWEST:
        kept = [
            strip
            for strip in strips
            if sum(strip.right < word.middle < _left(_behind(strip, strips)) for word in rows[strip]) >= FEWEST
        ]
        edges = {
            strip: (strip.left + _end_before(rows[strip], strip)) / 2 if _before(strip, kept) else -_INF
            for strip in kept
        }
        return [(strip, edges[strip], _edge(_behind(strip, kept), edges)) for strip in kept]
    if sum(word.left > strip.right for strip in last for word in rows[strip]) < FEWEST:
        befores = [(strip, _before(strip, strips)) for strip in strips]
        return [(strip, before.right if before else -_INF, strip.right) for strip, before in befores]
    edges = {strip: _middle(_before(strip, strips), strip, rows[strip]) for strip in strips}
    return [(strip, edges[strip], _edge(_behind(strip, strips), edges)) for strip in strips]


def _paired(reaching: Sequence[Reach], lines: Sequence[Sequence[Word]]) -> list[Reach]:
    """Make one block of two beside each other, if the headings say `odd` of the first and `even` of the second."""
    out: list[Reach] = []
    said = {strip: _parity(lines, strip, low, high) for strip, low, high in reaching}
    for strip, low, high in reaching:
        before = _before(strip, [one for one, _, _ in out])
        level = before is not None and abs(before.top - strip.top) < strip.step / 2
        if before and level and (said[before], said[strip]) == ("odd", "even"):
            out = [(one, left, high if one is before else right) for one, left, right in out]
        else:
            out.append((strip, low, high))
    return out


def _parity(lines: Sequence[Sequence[Word]], strip: Strip, low: float, high: float) -> str:
    """Return the column that the headings of a block speak of; empty if none does, or both are named."""
    said = {
        PARITIES[fold(text)]
        for line in lines
        for word in line
        for text in word.text.split()
        if low < word.middle < high
        and 0 < strip.top - word.height < _HEADROOM * strip.step / 2
        and fold(text) in PARITIES
    }
    return said.pop() if len(said) == 1 else ""


def _left(strip: Strip | None) -> float:
    return strip.left if strip else _INF


def _edge(strip: Strip | None, edges: dict[Strip, float]) -> float:
    return edges[strip] if strip else _INF


def _end_before(names: Sequence[Word], strip: Strip) -> float:
    """Return where the names before a block end."""
    return max((word.right for word in names if word.right < strip.left), default=strip.left)


def _middle(before: Strip | None, strip: Strip, names: Sequence[Word]) -> float:
    """Return where the names of two strips part, each of which has names on both sides."""
    if before is None:
        return -_INF
    columns = Columns()
    for word in names:
        if before.right < word.middle < strip.left:
            columns.take([word])
    half = columns.spans[len(columns.spans) // 2 :]
    return half[0][0] - 1 if half else (before.right + strip.left) / 2


def _extent(strip: Strip, names: Sequence[Word], low: float, high: float) -> tuple[float, float]:
    """Return where the rows of a block begin and end."""
    own = [word for word in names if low < word.middle < high]
    return min([strip.left, *(word.left for word in own)]), max([strip.right, *(word.right for word in own)])


def _bounded(strip: Strip, extent: tuple[float, float], blocks: Sequence[tuple[Strip, tuple[float, float]]]) -> Strip:
    """Return a strip that reaches halfway to the blocks beside it, and up to those above it."""
    above = [other.bottom for other, (left, right) in blocks if left < extent[1] and right > extent[0]]
    ceiling = max((bottom for bottom in above if bottom < strip.top), default=-_INF)
    low, high = -_INF, _INF
    for other, (left, right) in blocks:
        if other.bottom <= ceiling or other.top - _HEADROOM * other.step > strip.bottom:
            continue
        if right <= extent[0]:
            low = max(low, (right + extent[0]) / 2)
        elif left >= extent[1]:
            high = min(high, (left + extent[1]) / 2)
    return replace(strip, low=low, high=high, ceiling=ceiling)


def _stacked(blocks: Sequence[tuple[Strip, tuple[float, float]]]) -> list[list[Strip]]:
    """Return blocks in stacks: each is below the block that it shares most of its width with."""
    stacks: list[list[tuple[Strip, tuple[float, float]]]] = []
    for strip, extent in sorted(blocks, key=lambda block: (block[0].top, block[0].left)):
        above = [stack for stack in stacks if stack[-1][0].bottom < strip.top and _shared(stack[-1][1], extent) > 0]
        if above:
            max(above, key=lambda stack: _shared(stack[-1][1], extent)).append((strip, extent))
        else:
            stacks.append([(strip, extent)])
    return [[strip for strip, _ in stack] for stack in sorted(stacks, key=lambda s: (s[0][0].left, s[0][0].top))]


def _shared(one: tuple[float, float], other: tuple[float, float]) -> float:
    return min(one[1], other[1]) - max(one[0], other[0])
