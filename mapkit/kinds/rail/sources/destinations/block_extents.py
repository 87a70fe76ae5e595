"""Extents of the blocks of a page: assignment of names, beside and above a strip of sums, to blocks.

Blocks may be side by side and above each other, have any width, and begin at any height. On one page all have their
sums on the same side of the names, or between them.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from mapkit.core.names import fold
from mapkit.formats.pdf.lines import Columns
from mapkit.formats.pdf.word import Word
from mapkit.kinds.rail.sources.destinations.sum_strips import FEWEST, Roll, Strip, find_key, find_strips, is_key
from mapkit.kinds.rail.sources.destinations.vocabulary import PARITIES

_HEADROOM: Final = 6.0
"""Largest height of headings above the first row, in steps between rows."""
_INF: Final = float("inf")
Reach = tuple[Strip, float, float]
"""Strip, with the left and right limits of the names of its rows."""


def find_stacks(lines: Sequence[Sequence[Word]], roll: Roll) -> list[list[Strip]]:
    """Return the blocks of a page in vertical stacks, from the left and from the top.

    Args:
        lines: The phrases of the page, line by line from the top.
        roll: Parses a roll.
    """
    all_strips = find_strips(lines, roll)
    words_by_strip = {strip: _words_in_rows(lines, strip, roll) for strip in all_strips}
    reaches = _merge_parity_pairs(_limit_names(all_strips, words_by_strip), lines)
    block_strips = [strip for strip, _, _ in reaches]
    extended_blocks = [
        (_mark_repeats(strip, all_strips, block_strips), _block_extent(strip, words_by_strip[strip], low, high))
        for strip, low, high in reaches
    ]
    return _stack_blocks([(_bound_strip(strip, extent, extended_blocks), extent) for strip, extent in extended_blocks])


def _mark_repeats(strip: Strip, strips: Sequence[Strip], block_strips: Sequence[Strip]) -> Strip:
    """Return a strip with the places where the sums of its rows are repeated."""
    repeating_strips = (
        other_strip for other_strip in strips if other_strip not in block_strips and _is_beside(strip, other_strip)
    )
    return replace(strip, repeated=tuple((other_strip.left, other_strip.right) for other_strip in repeating_strips))


def _words_in_rows(lines: Sequence[Sequence[Word]], strip: Strip, roll: Roll) -> list[Word]:
    """Return all phrases that are not sums in the lines of a strip, including those of other blocks."""
    return [word for line in lines if find_key(line, strip, roll) for word in line if not is_key(word.text, roll)]


def _is_beside(first_strip: Strip, second_strip: Strip) -> bool:
    """Return whether two strips are side by side: some of their rows have the same height."""
    return min(first_strip.bottom, second_strip.bottom) > max(first_strip.top, second_strip.top)


def _next_right(strip: Strip, strips: Sequence[Strip]) -> Strip | None:
    """Return the next strip to the right of one."""
    right_strips = [
        other_strip for other_strip in strips if other_strip.left > strip.right and _is_beside(strip, other_strip)
    ]
    return min(right_strips, key=lambda other: other.left, default=None)


def _next_left(strip: Strip, strips: Sequence[Strip]) -> Strip | None:
    left_strips = [
        other_strip for other_strip in strips if other_strip.right < strip.left and _is_beside(strip, other_strip)
    ]
    return max(left_strips, key=lambda other: other.right, default=None)


def _limit_names(strips: Sequence[Strip], rows: dict[Strip, list[Word]]) -> list[Reach]:
    """Return the strips of blocks with the extents of their rows; sums repeated behind names form no block."""
    leftmost_strips = [strip for strip in strips if _next_left(strip, strips) is None]
    rightmost_strips = [strip for strip in strips if _next_right(strip, strips) is None]
    if sum(word.right < strip.left for strip in leftmost_strips for word in rows[strip]) < FEWEST:
        block_strips = [
            strip
            for strip in strips
            if sum(strip.right < word.middle < _left_or_infinite(_next_right(strip, strips)) for word in rows[strip])
            >= FEWEST
        ]
        left_edges = {
            strip: (strip.left + _names_end_before(rows[strip], strip)) / 2
            if _next_left(strip, block_strips)
            else -_INF
            for strip in block_strips
        }
        return [
            (strip, left_edges[strip], _edge_or_infinite(_next_right(strip, block_strips), left_edges))
            for strip in block_strips
        ]
    if sum(word.left > strip.right for strip in rightmost_strips for word in rows[strip]) < FEWEST:
        strips_before = [(strip, _next_left(strip, strips)) for strip in strips]
        return [
            (strip, strip_before.right if strip_before else -_INF, strip.right) for strip, strip_before in strips_before
        ]
    left_edges = {strip: _split_names(_next_left(strip, strips), strip, rows[strip]) for strip in strips}
    return [(strip, left_edges[strip], _edge_or_infinite(_next_right(strip, strips), left_edges)) for strip in strips]


def _merge_parity_pairs(reaching: Sequence[Reach], lines: Sequence[Sequence[Word]]) -> list[Reach]:
    """Merge two adjacent blocks if the headings say `odd` for the first and `even` for the second."""
    merged_reaches: list[Reach] = []
    parity_by_strip = {strip: _heading_parity(lines, strip, low, high) for strip, low, high in reaching}
    for strip, low, high in reaching:
        previous_strip = _next_left(strip, [merged_strip for merged_strip, _, _ in merged_reaches])
        is_level = previous_strip is not None and abs(previous_strip.top - strip.top) < strip.step / 2
        if previous_strip and is_level and (parity_by_strip[previous_strip], parity_by_strip[strip]) == ("odd", "even"):
            merged_reaches = [
                (merged_strip, left_limit, high if merged_strip is previous_strip else right_limit)
                for merged_strip, left_limit, right_limit in merged_reaches
            ]
        else:
            merged_reaches.append((strip, low, high))
    return merged_reaches


def _heading_parity(lines: Sequence[Sequence[Word]], strip: Strip, low: float, high: float) -> str:
    """Return the parity in the headings of a block; empty without exactly one."""
    parities = {
        PARITIES[fold(word_text)]
        for line in lines
        for word in line
        for word_text in word.text.split()
        if low < word.middle < high
        and 0 < strip.top - word.height < _HEADROOM * strip.step / 2
        and fold(word_text) in PARITIES
    }
    return parities.pop() if len(parities) == 1 else ""


def _left_or_infinite(strip: Strip | None) -> float:
    return strip.left if strip else _INF


def _edge_or_infinite(strip: Strip | None, edges: dict[Strip, float]) -> float:
    return edges[strip] if strip else _INF


def _names_end_before(names: Sequence[Word], strip: Strip) -> float:
    """Return the right end of the names before a block."""
    return max((word.right for word in names if word.right < strip.left), default=strip.left)


def _split_names(left_strip: Strip | None, strip: Strip, names: Sequence[Word]) -> float:
    """Return the boundary between the names of two strips with names on both sides."""
    if left_strip is None:
        return -_INF
    name_columns = Columns()
    for word in names:
        if left_strip.right < word.middle < strip.left:
            name_columns.take([word])
    right_columns = name_columns.spans[len(name_columns.spans) // 2 :]
    return right_columns[0][0] - 1 if right_columns else (left_strip.right + strip.left) / 2


def _block_extent(strip: Strip, names: Sequence[Word], low: float, high: float) -> tuple[float, float]:
    """Return the left and right ends of the rows of a block."""
    block_words = [word for word in names if low < word.middle < high]
    return min([strip.left, *(word.left for word in block_words)]), max(
        [strip.right, *(word.right for word in block_words)]
    )


def _bound_strip(
    strip: Strip, extent: tuple[float, float], blocks: Sequence[tuple[Strip, tuple[float, float]]]
) -> Strip:
    """Return a strip that reaches halfway to the blocks beside it, and up to those above it."""
    bottoms_above = [
        other_strip.bottom
        for other_strip, (other_left, other_right) in blocks
        if other_left < extent[1] and other_right > extent[0]
    ]
    upper_limit = max((other_bottom for other_bottom in bottoms_above if other_bottom < strip.top), default=-_INF)
    left_limit, right_limit = -_INF, _INF
    for other_strip, (other_left, other_right) in blocks:
        if other_strip.bottom <= upper_limit or other_strip.top - _HEADROOM * other_strip.step > strip.bottom:
            continue
        if other_right <= extent[0]:
            left_limit = max(left_limit, (other_right + extent[0]) / 2)
        elif other_left >= extent[1]:
            right_limit = min(right_limit, (other_left + extent[1]) / 2)
    return replace(strip, low=left_limit, high=right_limit, ceiling=upper_limit)


def _stack_blocks(blocks: Sequence[tuple[Strip, tuple[float, float]]]) -> list[list[Strip]]:
    """Return blocks in stacks: each below the block that shares most of its width."""
    stacks: list[list[tuple[Strip, tuple[float, float]]]] = []
    for strip, extent in sorted(blocks, key=lambda block: (block[0].top, block[0].left)):
        stacks_above = [
            stack for stack in stacks if stack[-1][0].bottom < strip.top and _shared_width(stack[-1][1], extent) > 0
        ]
        if stacks_above:
            max(stacks_above, key=lambda stack: _shared_width(stack[-1][1], extent)).append((strip, extent))
        else:
            stacks.append([(strip, extent)])
    return [[strip for strip, _ in stack] for stack in sorted(stacks, key=lambda s: (s[0][0].left, s[0][0].top))]


def _shared_width(first_span: tuple[float, float], second_span: tuple[float, float]) -> float:
    return min(first_span[1], second_span[1]) - max(first_span[0], second_span[0])
