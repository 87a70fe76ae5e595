"""Words of a level page as connected components of ink, on lines or tilted."""

from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mapkit.core import heavy
from mapkit.formats.recognising.boxes import Box, bounding_box, join_boxes
from mapkit.formats.recognising.deskew import HIGH, Grey, Mask, find_ink, remove_rules

Labels = NDArray[np.int32]
Floats = NDArray[np.float64]

STANDING: Final = 90.0
"""Degrees."""
_SMEAR_WIDTH: Final = 0.25
_CLOSING_SIZE: Final = 0.25
_TALL_HEIGHT: Final = 1.9
_BESIDE_SHARE: Final = 0.5
_SPECK_SIZE: Final = 0.12
_EDGE_TOLERANCE: Final = 0.6
_TOP_SIDE: Final = 1
_BOTTOM_SIDE: Final = 3
_MAX_ROUNDS: Final = 3
_LOOSE_MARGIN: Final = 0.3
_MAX_APART: Final = 0.9
_LEVEL_REACH: Final = 0.15
_FEW_IN_ROW: Final = 4
"""Pieces: so many more at one height are a row of the table, not parts of standing names."""
_MAX_OFF_LINE: Final = 0.45
_MAX_FOLLOWING_GAP: Final = 0.6
_SHORT_LENGTH: Final = 2.6
_GROUP_GAP: Final = 3.0
_COMMON_SHARE: Final = 0.6
_STOUT_WIDTH: Final = 1.45
_CLOSE_GAP: Final = 0.2
"""Heights of a tall letter: the letters beside it in a word are nearer."""
_HALF_HEIGHT: Final = 0.5
_LONG_LENGTH: Final = 1.5
"""A short piece longer than this, in heights of a character and of its own, shows its turn."""
_SLANT_TOLERANCE: Final = 10.0
"""Degrees by which pieces of slanted names may differ."""


class TiltedWord(NamedTuple):
    """A word that is not upright: position, length, height and turn.

    Args:
        box: Around it.
        middle: Its middle.
        sides: Its length and its height, pixels.
        turn: Degrees counter-clockwise, from -90 to 90, not 0.
    """

    box: Box
    middle: tuple[float, float]
    sides: tuple[float, float]
    turn: float


@dataclass(frozen=True)
class Components:
    """Words and ink of a level page.

    Args:
        grey: The page; rules are taken out.
        upright: Boxes of words.
        tilted: Words that are not upright.
    """

    grey: Grey
    upright: tuple[Box, ...]
    tilted: tuple[TiltedWord, ...]


def find_components(grey: Grey) -> Components:
    """Return the words of a level page, upright and tilted ones."""
    cv2 = heavy.cv2
    page_ink = find_ink(grey)
    text_ink = _remove_specks(remove_rules(page_ink, HIGH))
    clean_page = grey.copy()
    clean_page[cv2.dilate((page_ink & ~text_ink).astype(np.uint8), np.ones((3, 3), np.uint8)) > 0] = 255
    clean_page[text_ink] = grey[text_ink]
    closing_kernel = cv2.getStructuringElement(
        cv2.MORPH_ELLIPSE, (round(_CLOSING_SIZE * HIGH) | 1, round(_CLOSING_SIZE * HIGH) | 1)
    )
    labels, boxes = _label_components(cv2.morphologyEx(text_ink.astype(np.uint8), cv2.MORPH_CLOSE, closing_kernel))
    is_tilted = np.zeros(len(boxes) + 1, dtype=bool)
    for k, (left, top, right, bottom) in enumerate(boxes, start=1):
        is_tilted[k] = bottom - top > _TALL_HEIGHT * HIGH and not _is_title(labels[top:bottom, left:right] == k)
    is_tilted[_find_title_letters(labels, boxes, is_tilted)] = False
    vertical_gap = _mark_short_pieces(boxes, is_tilted)
    slanted_pieces, short_slanted = ([], []) if vertical_gap else _find_slanted(labels, boxes, is_tilted)
    is_tilted[short_slanted] = True
    upright_only = is_tilted.copy()
    upright_only[slanted_pieces] = False
    joining_kernel = np.ones((vertical_gap, 1), np.uint8) if vertical_gap else closing_kernel
    tall_labels, tall_boxes = _label_components(
        cv2.morphologyEx(upright_only[labels].astype(np.uint8), cv2.MORPH_CLOSE, joining_kernel)
    )
    tilted = [
        _to_vertical(b) if vertical_gap else _measure_tilted(tall_labels[b[1] : b[3], b[0] : b[2]] == k, b)
        for k, b in enumerate(tall_boxes, start=1)
    ]
    tilted += [_join_chain(boxes, group) for group in _chain_slanted(labels, boxes, slanted_pieces)]
    remaining_ink = (text_ink & ~is_tilted[labels]).astype(np.uint8)
    del labels, tall_labels  # 160 MB each on the largest pages
    _, upright_boxes = _label_components(
        cv2.morphologyEx(remaining_ink, cv2.MORPH_CLOSE, np.ones((1, round(_SMEAR_WIDTH * HIGH) | 1), np.uint8))
    )
    word_boxes = [box for box in join_boxes(upright_boxes) if _is_word(box)]
    return Components(clean_page, tuple(word_boxes), tuple(t for t in tilted if t.sides[0] > _EDGE_TOLERANCE * HIGH))


def _is_word(box: Box) -> bool:
    box_width, box_height = box[2] - box[0], box[3] - box[1]
    return box_height > _EDGE_TOLERANCE * HIGH or (box_width > 0.22 * HIGH and box_width > box_height)


def _remove_specks(ink: Mask) -> Mask:
    cv2 = heavy.cv2
    _, labels, stats, _ = cv2.connectedComponentsWithStats(ink.astype(np.uint8))
    is_kept = np.maximum(stats[:, 2], stats[:, 3]) > _SPECK_SIZE * HIGH
    is_kept[0] = False
    return np.asarray(is_kept[labels])


def _label_components(mask: NDArray[Any]) -> tuple[NDArray[np.int32], list[Box]]:
    _, labels, stats, _ = heavy.cv2.connectedComponentsWithStats(mask)
    return np.asarray(labels, dtype=np.int32), [(int(x), int(y), int(x + w), int(y + h)) for x, y, w, h, _ in stats[1:]]


def _is_title(mask: Mask) -> bool:
    """Return whether tall ink is also wide and lies along a line: a title."""
    (_, _), (a, b), turn = _fit_rectangle(mask)
    long_turn = turn if a >= b else turn - 90
    return abs((long_turn + 90) % 180 - 90) < 8 and max(a, b) > min(a, b)  # noqa: PLR2004 - degrees


def _find_title_letters(labels: Labels, boxes: list[Box], taken: NDArray[np.bool_]) -> list[int]:
    """Return tall pieces that are letters in large type rather than names: stout ones, and those beside them."""
    title_pieces: list[int] = []
    for k in np.flatnonzero(taken).tolist():
        left, top, right, bottom = boxes[k - 1]
        _, (a, b), _ = _fit_rectangle(labels[top:bottom, left:right] == k)
        if min(a, b) > _STOUT_WIDTH * HIGH and max(a, b) < _TALL_HEIGHT * min(a, b):
            title_pieces.append(k)
    other_pieces = [k for k in np.flatnonzero(taken).tolist() if k not in title_pieces]
    for k in title_pieces:  # grows while it runs
        left, top, right, bottom = boxes[k - 1]
        piece_height = bottom - top
        for other_piece in [m for m in other_pieces if m not in title_pieces]:
            x0, y0, x1, y1 = boxes[other_piece - 1]
            is_near = max(x0 - right, left - x1) < _BESIDE_SHARE * piece_height
            if is_near and min(bottom, y1) - max(top, y0) > _BESIDE_SHARE * piece_height and y1 - y0 < 2 * piece_height:
                title_pieces.append(other_piece)
    lower_boxes = np.array([box for k, box in enumerate(boxes, start=1) if not taken[k]]).reshape(-1, 4)
    return title_pieces + [
        k for k in other_pieces if k not in title_pieces and _is_beside_letter(boxes[k - 1], lower_boxes)
    ]


def _is_beside_letter(tall: Box, others: NDArray[np.int64]) -> bool:
    """Return whether a lower letter, such as a g, is right beside a tall one on one line.

    Args:
        tall: Around it.
        others: Boxes of lower pieces, shape (n, 4).
    """
    left, top, right, bottom = tall
    tall_height, lower_heights = bottom - top, others[:, 3] - others[:, 1]
    gaps = np.maximum(others[:, 0] - right, left - others[:, 2])
    is_level = np.minimum(bottom, others[:, 3]) - np.maximum(top, others[:, 1]) > _HALF_HEIGHT * lower_heights
    return tall_height < _GROUP_GAP * HIGH and bool(
        ((np.abs(gaps) < _CLOSE_GAP * tall_height) & is_level & (lower_heights > _HALF_HEIGHT * tall_height)).any()
    )


def _fit_rectangle(mask: Mask) -> tuple[tuple[float, float], tuple[float, float], float]:
    rows, columns = np.nonzero(mask)
    points = np.column_stack((columns, rows)).astype(np.float32)
    middle, sides, turn = heavy.cv2.minAreaRect(points)
    return (float(middle[0]), float(middle[1])), (float(sides[0]), float(sides[1])), float(turn)


def _mark_short_pieces(boxes: list[Box], taken: NDArray[np.bool_]) -> int:
    """Mark short pieces beside standing names as tilted; return the maximum gap within a name, or 0."""
    vertical_pieces = [
        k for k in range(1, len(taken)) if taken[k] and boxes[k - 1][2] - boxes[k - 1][0] < _TALL_HEIGHT * HIGH
    ]
    if len(vertical_pieces) < 3 or len(vertical_pieces) < _COMMON_SHARE * taken.sum():  # noqa: PLR2004 - nothing in common
        return 0
    for group in _group_by_height(boxes, vertical_pieces):
        _mark_group_neighbours(boxes, taken, group)
    return round(HIGH)


def _group_by_height(boxes: list[Box], standing: list[int]) -> list[list[int]]:
    """Return pieces in groups with a wide gap between: names above a table, and those below it."""
    piece_groups: list[list[int]] = []
    group_end = 0
    for k in sorted(standing, key=lambda k: boxes[k - 1][1]):
        if not piece_groups or boxes[k - 1][1] > group_end + _GROUP_GAP * HIGH:
            piece_groups.append([])
        piece_groups[-1].append(k)
        group_end = max(group_end, boxes[k - 1][3])
    return piece_groups


def _mark_group_neighbours(boxes: list[Box], taken: NDArray[np.bool_], standing: list[int]) -> None:
    """Mark short pieces beside others of a group, if those have a common edge."""
    for side in (_BOTTOM_SIDE, _TOP_SIDE):
        direction = 1 if side == _BOTTOM_SIDE else -1
        name_edges = np.array([ends[side] for ends in _stack_boxes([boxes[k - 1] for k in standing])])
        common_edge = float(np.median(name_edges))
        if (np.abs(name_edges - common_edge) < _EDGE_TOLERANCE * HIGH).mean() < _COMMON_SHARE:
            continue
        for _ in range(_MAX_ROUNDS):
            piece_boxes = np.array([boxes[m - 1] for m in standing])
            upright_middles = np.sort(
                [sum(box[1::2]) / 2 for box, is_taken in zip(boxes, taken[1:], strict=True) if not is_taken]
            )
            for k, box in enumerate(boxes, start=1):
                middle = (box[0] + box[2]) / 2
                if taken[k] or (common_edge - box[side]) * direction < -_EDGE_TOLERANCE * HIGH / 2:
                    continue
                starts_at_edge = (
                    abs(common_edge - box[side]) < _EDGE_TOLERANCE * HIGH / 2
                    and piece_boxes[:, 0].min() < middle < piece_boxes[:, 2].max()
                )
                is_beside = (piece_boxes[:, 0] - _LOOSE_MARGIN * HIGH < middle) & (
                    middle < piece_boxes[:, 2] + _LOOSE_MARGIN * HIGH
                )
                is_narrow = box[2] - box[0] < piece_boxes[:, 2] - piece_boxes[:, 0] + 2 * _LOOSE_MARGIN * HIGH
                distances = np.maximum(box[1] - piece_boxes[:, 3], piece_boxes[:, 1] - box[3])
                is_near = (is_beside & is_narrow & (np.abs(distances) < _MAX_APART * HIGH)).any()
                level_range = np.array((-1, 1)) * _LEVEL_REACH * HIGH + sum(box[1::2]) / 2
                is_in_row = np.ptp(np.searchsorted(upright_middles, level_range)) > _FEW_IN_ROW
                if starts_at_edge or (is_near and not is_in_row):
                    taken[k] = True
                    standing.append(k)
        break


def _stack_boxes(boxes: list[Box]) -> list[Box]:
    """Return the boxes around pieces above each other, the parts of one name."""
    stacked_boxes: list[Box] = []
    for box in sorted(boxes):
        if stacked_boxes and (box[0] + box[2]) / 2 < stacked_boxes[-1][2]:
            stacked_boxes[-1] = bounding_box([stacked_boxes[-1], box])
        else:
            stacked_boxes.append(box)
    return stacked_boxes


def _find_slanted(labels: Labels, boxes: list[Box], taken: NDArray[np.bool_]) -> tuple[list[int], list[int]]:
    """Return the pieces of slanted words, and those among them too short to show their slant."""
    long_pieces = []
    for k in np.flatnonzero(taken).tolist():
        left, top, right, bottom = boxes[k - 1]
        word = _measure_tilted(labels[top:bottom, left:right] == k, boxes[k - 1])
        if word.turn != STANDING and max(right - left, bottom - top) > _TALL_HEIGHT * HIGH:
            long_pieces.append((k, word))
    if len(long_pieces) < 3:  # noqa: PLR2004 - nothing in common
        return [k for k, _ in long_pieces], []
    common_turn = float(np.median([word.turn for _, word in long_pieces]))
    reaches = [_measure_reach(labels, boxes, k, common_turn) for k, _ in long_pieces]
    short_reaches = {
        k: _measure_reach(labels, boxes, k, common_turn)
        for k, box in enumerate(boxes, start=1)
        if not taken[k] and max(box[2] - box[0], box[3] - box[1]) < _SHORT_LENGTH * HIGH
    }
    short_slanted = [k for k in short_reaches if _is_slanted_alike(labels, boxes, k, common_turn)]
    reaches += [short_reaches[k] for k in short_slanted]
    for _ in range(2):
        lows, highs, levels = np.array(reaches).T
        for k, (low, high, level) in short_reaches.items():
            gaps = np.maximum(lows - high, low - highs)
            if (
                k not in short_slanted
                and ((np.abs(levels - level) < _MAX_OFF_LINE * HIGH) & (gaps < _MAX_FOLLOWING_GAP * HIGH)).any()
            ):
                short_slanted.append(k)
                reaches.append((low, high, level))
    return [k for k, _ in long_pieces] + short_slanted, short_slanted


def _is_slanted_alike(labels: Labels, boxes: list[Box], k: int, turn: float) -> bool:
    """Return whether a short piece is long enough to show its turn, and turned like the other names."""
    left, top, right, bottom = boxes[k - 1]
    word = _measure_tilted(labels[top:bottom, left:right] == k, boxes[k - 1])
    word_length, word_height = word.sides
    return word_length > _LONG_LENGTH * max(HIGH, word_height) and abs(word.turn - turn) < _SLANT_TOLERANCE


def _measure_reach(labels: Labels, boxes: list[Box], k: int, turn: float) -> tuple[float, float, float]:
    """Return where ink begins and ends along a direction, and its middle across it."""
    left, top, right, bottom = boxes[k - 1]
    rows, columns = np.nonzero(labels[top:bottom, left:right] == k)
    along_turn, across_turn = _rotate_vectors(np.column_stack((columns + left, rows + top)).astype(float), turn)
    return float(along_turn.min()), float(along_turn.max()), float((across_turn.min() + across_turn.max()) / 2)


def _rotate_vectors(vectors: Floats, turn: float) -> tuple[Floats, Floats]:
    """Return the components of vectors along a direction and across it."""
    cos, sin = np.cos(np.radians(turn)), -np.sin(np.radians(turn))
    return vectors[..., 0] * cos + vectors[..., 1] * sin, -vectors[..., 0] * sin + vectors[..., 1] * cos


def _chain_slanted(labels: Labels, boxes: list[Box], pieces: list[int]) -> list[tuple[float, list[tuple[int, Floats]]]]:
    """Return slanted pieces grouped into names: the turn, and the ink of each piece as points."""
    piece_points = []
    long_turns = []
    for k in pieces:
        left, top, right, bottom = boxes[k - 1]
        mask = labels[top:bottom, left:right] == k
        rows, columns = np.nonzero(mask)
        piece_points.append((k, np.column_stack((columns + left, rows + top)).astype(float)))
        if max(right - left, bottom - top) > _TALL_HEIGHT * HIGH:
            long_turns.append(_measure_tilted(mask, boxes[k - 1]).turn)
    if not long_turns:
        return []
    common_turn = float(np.median(long_turns))
    piece_chains: list[list[tuple[int, Floats]]] = []
    chain_ends: list[tuple[float, float]] = []
    rotated_pieces = [(*_rotate_vectors(points, common_turn), k, points) for k, points in piece_points]
    for along_turn, across_turn, k, points in sorted(rotated_pieces, key=lambda one: float(one[0].min())):
        across_middle = float((across_turn.min() + across_turn.max()) / 2)
        for n, (chain_end, chain_level) in enumerate(chain_ends):
            if (
                abs(chain_level - across_middle) < _MAX_OFF_LINE * HIGH
                and -HIGH < along_turn.min() - chain_end < _MAX_APART * HIGH
            ):
                piece_chains[n].append((k, points))
                chain_ends[n] = (max(chain_end, float(along_turn.max())), chain_level)
                break
        else:
            piece_chains.append([(k, points)])
            chain_ends.append((float(along_turn.max()), across_middle))
    return [(common_turn, group) for group in piece_chains]


def _join_chain(boxes: list[Box], string: tuple[float, list[tuple[int, Floats]]]) -> TiltedWord:
    turn, pieces = string
    points = np.vstack([points for _, points in pieces])
    along_turn, across_turn = _rotate_vectors(points, turn)
    cos, sin = np.cos(np.radians(turn)), -np.sin(np.radians(turn))
    u, v = (along_turn.min() + along_turn.max()) / 2, (across_turn.min() + across_turn.max()) / 2
    middle = (float(u * cos - v * sin), float(u * sin + v * cos))
    sides = (float(np.ptp(along_turn)) + 1, float(np.ptp(across_turn)) + 1)
    return TiltedWord(bounding_box([boxes[k - 1] for k, _ in pieces]), middle, sides, turn)


def _measure_tilted(mask: Mask, box: Box) -> TiltedWord:
    middle, (a, b), turn = _fit_rectangle(mask)
    long_side, short_side = max(a, b), min(a, b)
    clockwise = turn if a >= b else turn - 90
    counter_clockwise = -((clockwise + 90) % 180 - 90)
    if abs(abs(counter_clockwise) - 90) < 10:  # noqa: PLR2004 - degrees
        return _to_vertical(box)
    return TiltedWord(box, (box[0] + middle[0], box[1] + middle[1]), (long_side, short_side), counter_clockwise)


def _to_vertical(box: Box) -> TiltedWord:
    """Return the content of a box as a vertical word."""
    left, top, right, bottom = box
    return TiltedWord(
        box, ((left + right) / 2, (top + bottom) / 2), (float(bottom - top), float(right - left)), STANDING
    )
