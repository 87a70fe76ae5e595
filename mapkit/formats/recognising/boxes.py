"""Boxes around ink on a level page, and which of them are one word."""

from bisect import bisect_right
from collections.abc import Sequence
from typing import Final

from mapkit.formats.recognising.deskew import HIGH

Box = tuple[int, int, int, int]
"""Left, top, right and bottom; the last two are outside."""

_JOIN: Final = 0.38
"""Heights of a character: upright pieces this near are one word."""
_BESIDE: Final = 0.5
_WIDE: Final = 1.1
_WHOLE: Final = 1.2
_OVER: Final = 0.1
_GAP: Final = 0.25


def around(boxes: Sequence[Box]) -> Box:
    """Return the box around boxes."""
    left, top, right, bottom = zip(*boxes, strict=True)
    return min(left), min(top), max(right), max(bottom)


def joined(boxes: list[Box]) -> list[Box]:
    """Return boxes with those joined that stand beside each other, on one line, as near as characters of a word.

    Parts of a faint character above each other are joined too, and what lies inside a word, such as an accent.
    """
    boxes = sorted(boxes)
    lefts = [box[0] for box in boxes]
    root = list(range(len(boxes)))

    def top_of(k: int) -> int:
        while root[k] != k:
            root[k] = root[root[k]]
            k = root[k]
        return k

    for k, (left, top, right, bottom) in enumerate(boxes):
        for other in range(k + 1, bisect_right(lefts, right + _JOIN * HIGH)):
            box = boxes[other]
            lower, higher = min(bottom, box[3]), max(top, box[1])
            beside = lower - higher > _BESIDE * min(bottom - top, box[3] - box[1])
            if box[0] >= left and (beside or _of_one_character(boxes[k], box)):
                root[top_of(other)] = top_of(k)
    groups: dict[int, list[Box]] = {}
    for k, box in enumerate(boxes):
        groups.setdefault(top_of(k), []).append(box)
    return _without_inner([around(group) for group in groups.values()])


def _without_inner(boxes: list[Box]) -> list[Box]:
    """Return boxes without those that lie inside another."""
    boxes = sorted(boxes, key=lambda box: (box[0], -box[2]))
    out: list[Box] = []
    reach = max((box[2] - box[0] for box in boxes), default=0)
    for left, top, right, bottom in boxes:
        around_it = False
        for box in reversed(out):
            if box[0] < left - reach:
                break
            around_it = around_it or (box[2] >= right and box[1] <= top and box[3] >= bottom)
        if not around_it:
            out.append((left, top, right, bottom))
    return out


def _of_one_character(one: Box, other: Box) -> bool:
    """Say whether two boxes are parts of a character that came apart: above each other, and no higher together.

    Feet of several characters may run together: then one part is as wide as both.
    """
    common = min(one[2], other[2]) - max(one[0], other[0])
    left, top, right, bottom = around((one, other))
    widest = max(one[2] - one[0], other[2] - other[0])
    gap = max(one[1], other[1]) - min(one[3], other[3])
    above = common > _BESIDE * min(one[2] - one[0], other[2] - other[0])
    alone = right - left < _WIDE * HIGH
    together = right - left < widest + _OVER * HIGH and gap < _GAP * HIGH
    return above and (alone or together) and bottom - top < _WHOLE * HIGH
