"""Boxes around ink on a level page, grouped into words."""

from bisect import bisect_right
from collections.abc import Sequence
from typing import Final

from mapkit.formats.recognising.deskew import HIGH

Box = tuple[int, int, int, int]
"""Left, top, right and bottom; the last two are outside."""

_MAX_GAP: Final = 0.38
"""Heights of a character: upright pieces this near are one word."""
_COMMON_SHARE: Final = 0.5
_MAX_WIDTH: Final = 1.1
_MAX_HEIGHT: Final = 1.2
_MAX_OVERHANG: Final = 0.1
_MAX_PART_GAP: Final = 0.25


def bounding_box(boxes: Sequence[Box]) -> Box:
    """Return the box around boxes."""
    left, top, right, bottom = zip(*boxes, strict=True)
    return min(left), min(top), max(right), max(bottom)


def join_boxes(boxes: list[Box]) -> list[Box]:
    """Join boxes that are beside each other, on one line, as close as characters of a word.

    Parts of a faint character above each other are joined too, as are boxes inside a word, such as accents.
    """
    boxes = sorted(boxes)
    box_lefts = [other_box[0] for other_box in boxes]
    parents = list(range(len(boxes)))

    def find_root(k: int) -> int:
        while parents[k] != k:
            parents[k] = parents[parents[k]]
            k = parents[k]
        return k

    for k, (left, top, right, bottom) in enumerate(boxes):
        for other_index in range(k + 1, bisect_right(box_lefts, right + _MAX_GAP * HIGH)):
            other_box = boxes[other_index]
            lower_edge, higher_edge = min(bottom, other_box[3]), max(top, other_box[1])
            is_beside = lower_edge - higher_edge > _COMMON_SHARE * min(bottom - top, other_box[3] - other_box[1])
            if other_box[0] >= left and (is_beside or _are_one_character(boxes[k], other_box)):
                parents[find_root(other_index)] = find_root(k)
    boxes_by_root: dict[int, list[Box]] = {}
    for k, other_box in enumerate(boxes):
        boxes_by_root.setdefault(find_root(k), []).append(other_box)
    return _drop_inner([bounding_box(group) for group in boxes_by_root.values()])


def _drop_inner(boxes: list[Box]) -> list[Box]:
    """Return boxes without those inside another."""
    boxes = sorted(boxes, key=lambda box: (box[0], -box[2]))
    outer_boxes: list[Box] = []
    max_width = max((box[2] - box[0] for box in boxes), default=0)
    for left, top, right, bottom in boxes:
        is_inside = False
        for box in reversed(outer_boxes):
            if box[0] < left - max_width:
                break
            is_inside = is_inside or (box[2] >= right and box[1] <= top and box[3] >= bottom)
        if not is_inside:
            outer_boxes.append((left, top, right, bottom))
    return outer_boxes


def _are_one_character(one: Box, other: Box) -> bool:
    """Return whether two boxes are parts of a broken character: above each other, and not too high together.

    Feet of several characters may run together: then one part is as wide as both.
    """
    common_width = min(one[2], other[2]) - max(one[0], other[0])
    left, top, right, bottom = bounding_box((one, other))
    widest_part = max(one[2] - one[0], other[2] - other[0])
    gap_height = max(one[1], other[1]) - min(one[3], other[3])
    is_above = common_width > _COMMON_SHARE * min(one[2] - one[0], other[2] - other[0])
    is_narrow = right - left < _MAX_WIDTH * HIGH
    is_overhanging = right - left < widest_part + _MAX_OVERHANG * HIGH and gap_height < _MAX_PART_GAP * HIGH
    return is_above and (is_narrow or is_overhanging) and bottom - top < _MAX_HEIGHT * HIGH
