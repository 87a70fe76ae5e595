"""Words of a level page: where ink stands together, on lines or tilted."""

from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mapkit.core import heavy
from mapkit.formats.recognising.boxes import Box, around, joined
from mapkit.formats.recognising.deskew import HIGH, Grey, Mask, ink_of, without_rules

Labels = NDArray[np.int32]
Floats = NDArray[np.float64]

STANDING: Final = 90.0
"""Degrees."""
_SMEAR: Final = 0.25
_NEAR: Final = 0.25
_TALL: Final = 1.9
_BESIDE: Final = 0.5
_SPECK: Final = 0.12
_EDGE: Final = 0.6
_TOP: Final = 1
_BOTTOM: Final = 3
_ROUNDS: Final = 3
_LOOSE: Final = 0.3
_APART: Final = 0.9
_OFF: Final = 0.45
_FOLLOWS: Final = 0.6
_SHORT: Final = 2.6
_ROOM: Final = 3.0
_SAME: Final = 0.6
_STOUT: Final = 1.45
_CLOSE: Final = 0.2
"""Heights of a tall letter: the letters beside it in a word are nearer."""
_HALF: Final = 0.5
_LONG: Final = 1.5
"""A short piece longer than this, in heights of a character and of its own, shows its turn."""
_SLANT: Final = 10.0
"""Degrees by which pieces of slanted names may differ."""


class Tilted(NamedTuple):
    """A word that is not upright: where it is, its width along its length and its height across, and its turn.

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
    """What stands on a level page.

    Args:
        grey: The page; rules are taken out.
        upright: Boxes of words.
        tilted: Words that are not upright.
    """

    grey: Grey
    upright: tuple[Box, ...]
    tilted: tuple[Tilted, ...]


def find_components(grey: Grey) -> Components:
    """Return the words of a level page, those that are upright and those that are not."""
    cv2 = heavy.cv2
    whole = ink_of(grey)
    ink = _without_specks(without_rules(whole, HIGH))
    clean = grey.copy()
    clean[cv2.dilate((whole & ~ink).astype(np.uint8), np.ones((3, 3), np.uint8)) > 0] = 255
    clean[ink] = grey[ink]
    near = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (round(_NEAR * HIGH) | 1, round(_NEAR * HIGH) | 1))
    labels, boxes = _components(cv2.morphologyEx(ink.astype(np.uint8), cv2.MORPH_CLOSE, near))
    taken = np.zeros(len(boxes) + 1, dtype=bool)
    for k, (left, top, right, bottom) in enumerate(boxes, start=1):
        taken[k] = bottom - top > _TALL * HIGH and not _upright(labels[top:bottom, left:right] == k)
    taken[_of_titles(labels, boxes, taken)] = False
    standing = _with_short_ones(boxes, taken)
    slanted, more = ([], []) if standing else _slanted(labels, boxes, taken)
    taken[more] = True
    own = taken[labels]
    upright_only = taken.copy()
    upright_only[slanted] = False
    reach = np.ones((standing, 1), np.uint8) if standing else near
    marks, tall = _components(cv2.morphologyEx(upright_only[labels].astype(np.uint8), cv2.MORPH_CLOSE, reach))
    tilted = [
        _upended(b) if standing else _tilted(marks[b[1] : b[3], b[0] : b[2]] == k, b)
        for k, b in enumerate(tall, start=1)
    ]
    tilted += [_strung(boxes, group) for group in _strings(labels, boxes, slanted)]
    rest = (ink & ~own).astype(np.uint8)
    _, upright = _components(cv2.morphologyEx(rest, cv2.MORPH_CLOSE, np.ones((1, round(_SMEAR * HIGH) | 1), np.uint8)))
    solid = [box for box in joined(upright) if _is_word(box)]
    return Components(clean, tuple(solid), tuple(t for t in tilted if t.sides[0] > _EDGE * HIGH))


def _is_word(box: Box) -> bool:
    wide, high = box[2] - box[0], box[3] - box[1]
    return high > _EDGE * HIGH or (wide > 0.22 * HIGH and wide > high)


def _without_specks(ink: Mask) -> Mask:
    cv2 = heavy.cv2
    _, labels, stats, _ = cv2.connectedComponentsWithStats(ink.astype(np.uint8))
    kept = np.maximum(stats[:, 2], stats[:, 3]) > _SPECK * HIGH
    kept[0] = False
    return np.asarray(kept[labels])


def _components(mask: NDArray[Any]) -> tuple[NDArray[np.int32], list[Box]]:
    _, labels, stats, _ = heavy.cv2.connectedComponentsWithStats(mask)
    return np.asarray(labels, dtype=np.int32), [(int(x), int(y), int(x + w), int(y + h)) for x, y, w, h, _ in stats[1:]]


def _upright(mask: Mask) -> bool:
    """Say whether tall ink is wide too and lies along a line: a title."""
    (_, _), (a, b), turn = _rectangle(mask)
    long = turn if a >= b else turn - 90
    return abs((long + 90) % 180 - 90) < 8 and max(a, b) > min(a, b)  # noqa: PLR2004 - degrees


def _of_titles(labels: Labels, boxes: list[Box], taken: NDArray[np.bool_]) -> list[int]:
    """Return tall pieces that are letters in large type, not names: stout ones, and what stands beside them."""
    out: list[int] = []
    for k in np.flatnonzero(taken).tolist():
        left, top, right, bottom = boxes[k - 1]
        _, (a, b), _ = _rectangle(labels[top:bottom, left:right] == k)
        if min(a, b) > _STOUT * HIGH and max(a, b) < _TALL * min(a, b):
            out.append(k)
    rest = [k for k in np.flatnonzero(taken).tolist() if k not in out]
    for k in out:  # grows while it runs
        left, top, right, bottom = boxes[k - 1]
        high = bottom - top
        for other in [m for m in rest if m not in out]:
            x0, y0, x1, y1 = boxes[other - 1]
            near = max(x0 - right, left - x1) < _BESIDE * high
            if near and min(bottom, y1) - max(top, y0) > _BESIDE * high and y1 - y0 < 2 * high:
                out.append(other)
    lower = np.array([box for k, box in enumerate(boxes, start=1) if not taken[k]]).reshape(-1, 4)
    return out + [k for k in rest if k not in out and _in_a_word(boxes[k - 1], lower)]


def _in_a_word(tall: Box, others: NDArray[np.int64]) -> bool:
    """Say whether a lower letter stands right beside a tall one, such as a g, on one line.

    Args:
        tall: Around it.
        others: Boxes of lower pieces, shape (n, 4).
    """
    left, top, right, bottom = tall
    high, lows = bottom - top, others[:, 3] - others[:, 1]
    gaps = np.maximum(others[:, 0] - right, left - others[:, 2])
    level = np.minimum(bottom, others[:, 3]) - np.maximum(top, others[:, 1]) > _HALF * lows
    return high < _ROOM * HIGH and bool(((np.abs(gaps) < _CLOSE * high) & level & (lows > _HALF * high)).any())


def _rectangle(mask: Mask) -> tuple[tuple[float, float], tuple[float, float], float]:
    rows, columns = np.nonzero(mask)
    points = np.column_stack((columns, rows)).astype(np.float32)
    middle, sides, turn = heavy.cv2.minAreaRect(points)
    return (float(middle[0]), float(middle[1])), (float(sides[0]), float(sides[1])), float(turn)


def _with_short_ones(boxes: list[Box], taken: NDArray[np.bool_]) -> int:
    """Take short pieces beside standing names too; return how far pieces of one name are apart, or 0."""
    standing = [k for k in range(1, len(taken)) if taken[k] and boxes[k - 1][2] - boxes[k - 1][0] < _TALL * HIGH]
    if len(standing) < 3 or len(standing) < _SAME * taken.sum():  # noqa: PLR2004 - nothing in common
        return 0
    for group in _one_above_other(boxes, standing):
        _take_short_ones(boxes, taken, group)
    return round(HIGH)


def _one_above_other(boxes: list[Box], standing: list[int]) -> list[list[int]]:
    """Return pieces in groups with room between: names above a table, and those below it."""
    groups: list[list[int]] = []
    end = 0
    for k in sorted(standing, key=lambda k: boxes[k - 1][1]):
        if not groups or boxes[k - 1][1] > end + _ROOM * HIGH:
            groups.append([])
        groups[-1].append(k)
        end = max(end, boxes[k - 1][3])
    return groups


def _take_short_ones(boxes: list[Box], taken: NDArray[np.bool_], standing: list[int]) -> None:
    """Take short pieces that stand beside others of a group, if those have an edge in common."""
    for side in (_BOTTOM, _TOP):
        up = 1 if side == _BOTTOM else -1
        edges = np.array([ends[side] for ends in _stacked([boxes[k - 1] for k in standing])])
        edge = float(np.median(edges))
        if (np.abs(edges - edge) < _EDGE * HIGH).mean() < _SAME:
            continue
        for _ in range(_ROUNDS):
            own = np.array([boxes[m - 1] for m in standing])
            for k, box in enumerate(boxes, start=1):
                middle = (box[0] + box[2]) / 2
                if taken[k] or (edge - box[side]) * up < -_EDGE * HIGH / 2:
                    continue
                starts = abs(edge - box[side]) < _EDGE * HIGH / 2 and own[:, 0].min() < middle < own[:, 2].max()
                beside = (own[:, 0] - _LOOSE * HIGH < middle) & (middle < own[:, 2] + _LOOSE * HIGH)
                narrow = box[2] - box[0] < own[:, 2] - own[:, 0] + 2 * _LOOSE * HIGH
                apart = np.maximum(box[1] - own[:, 3], own[:, 1] - box[3])
                if starts or (beside & narrow & (np.abs(apart) < _APART * HIGH)).any():
                    taken[k] = True
                    standing.append(k)
        break


def _stacked(boxes: list[Box]) -> list[Box]:
    """Return the boxes around pieces that stand above each other, which are parts of one name."""
    names: list[Box] = []
    for box in sorted(boxes):
        if names and (box[0] + box[2]) / 2 < names[-1][2]:
            names[-1] = around([names[-1], box])
        else:
            names.append(box)
    return names


def _slanted(labels: Labels, boxes: list[Box], taken: NDArray[np.bool_]) -> tuple[list[int], list[int]]:
    """Return the pieces of slanted words, and those of them that are so short that their ink alone does not say it."""
    cores = []
    for k in np.flatnonzero(taken).tolist():
        left, top, right, bottom = boxes[k - 1]
        word = _tilted(labels[top:bottom, left:right] == k, boxes[k - 1])
        if word.turn != STANDING and max(right - left, bottom - top) > _TALL * HIGH:
            cores.append((k, word))
    if len(cores) < 3:  # noqa: PLR2004 - nothing in common
        return [k for k, _ in cores], []
    turn = float(np.median([word.turn for _, word in cores]))
    reaches = [_reach(labels, boxes, k, turn) for k, _ in cores]
    short = {
        k: _reach(labels, boxes, k, turn)
        for k, box in enumerate(boxes, start=1)
        if not taken[k] and max(box[2] - box[0], box[3] - box[1]) < _SHORT * HIGH
    }
    more = [k for k in short if _leans(labels, boxes, k, turn)]
    reaches += [short[k] for k in more]
    for _ in range(2):
        lows, highs, levels = np.array(reaches).T
        for k, (low, high, level) in short.items():
            gaps = np.maximum(lows - high, low - highs)
            if k not in more and ((np.abs(levels - level) < _OFF * HIGH) & (gaps < _FOLLOWS * HIGH)).any():
                more.append(k)
                reaches.append((low, high, level))
    return [k for k, _ in cores] + more, more


def _leans(labels: Labels, boxes: list[Box], k: int, turn: float) -> bool:
    """Say whether a short piece is long enough to show its turn, and it is that of other names."""
    left, top, right, bottom = boxes[k - 1]
    word = _tilted(labels[top:bottom, left:right] == k, boxes[k - 1])
    long, high = word.sides
    return long > _LONG * max(HIGH, high) and abs(word.turn - turn) < _SLANT


def _reach(labels: Labels, boxes: list[Box], k: int, turn: float) -> tuple[float, float, float]:
    """Return where ink begins and ends along a direction, and its middle across it."""
    left, top, right, bottom = boxes[k - 1]
    rows, columns = np.nonzero(labels[top:bottom, left:right] == k)
    along, across = _turned(np.column_stack((columns + left, rows + top)).astype(float), turn)
    return float(along.min()), float(along.max()), float((across.min() + across.max()) / 2)


def _turned(vectors: Floats, turn: float) -> tuple[Floats, Floats]:
    """Return vectors along a direction and across it."""
    cos, sin = np.cos(np.radians(turn)), -np.sin(np.radians(turn))
    return vectors[..., 0] * cos + vectors[..., 1] * sin, -vectors[..., 0] * sin + vectors[..., 1] * cos


def _strings(labels: Labels, boxes: list[Box], pieces: list[int]) -> list[tuple[float, list[tuple[int, Floats]]]]:
    """Return slanted pieces that follow each other as one name: its turn, and the ink of each piece, as points."""
    inks = []
    turns = []
    for k in pieces:
        left, top, right, bottom = boxes[k - 1]
        mask = labels[top:bottom, left:right] == k
        rows, columns = np.nonzero(mask)
        inks.append((k, np.column_stack((columns + left, rows + top)).astype(float)))
        if max(right - left, bottom - top) > _TALL * HIGH:
            turns.append(_tilted(mask, boxes[k - 1]).turn)
    if not turns:
        return []
    turn = float(np.median(turns))
    out: list[list[tuple[int, Floats]]] = []
    ends: list[tuple[float, float]] = []
    placed = [(*_turned(points, turn), k, points) for k, points in inks]
    for along, across, k, points in sorted(placed, key=lambda one: float(one[0].min())):
        middle = float((across.min() + across.max()) / 2)
        for n, (end, level) in enumerate(ends):
            if abs(level - middle) < _OFF * HIGH and -HIGH < along.min() - end < _APART * HIGH:
                out[n].append((k, points))
                ends[n] = (max(end, float(along.max())), level)
                break
        else:
            out.append([(k, points)])
            ends.append((float(along.max()), middle))
    return [(turn, group) for group in out]


def _strung(boxes: list[Box], string: tuple[float, list[tuple[int, Floats]]]) -> Tilted:
    turn, pieces = string
    points = np.vstack([points for _, points in pieces])
    along, across = _turned(points, turn)
    cos, sin = np.cos(np.radians(turn)), -np.sin(np.radians(turn))
    u, v = (along.min() + along.max()) / 2, (across.min() + across.max()) / 2
    middle = (float(u * cos - v * sin), float(u * sin + v * cos))
    sides = (float(np.ptp(along)) + 1, float(np.ptp(across)) + 1)
    return Tilted(around([boxes[k - 1] for k, _ in pieces]), middle, sides, turn)


def _tilted(mask: Mask, box: Box) -> Tilted:
    middle, (a, b), turn = _rectangle(mask)
    long, short = max(a, b), min(a, b)
    clockwise = turn if a >= b else turn - 90
    up = -((clockwise + 90) % 180 - 90)
    if abs(abs(up) - 90) < 10:  # noqa: PLR2004 - degrees
        return _upended(box)
    return Tilted(box, (box[0] + middle[0], box[1] + middle[1]), (long, short), up)


def _upended(box: Box) -> Tilted:
    """Return what stands in a box as a standing word."""
    left, top, right, bottom = box
    return Tilted(box, ((left + right) / 2, (top + bottom) / 2), (float(bottom - top), float(right - left)), STANDING)
