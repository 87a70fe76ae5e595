"""A page in a picture made level: even light, lines of text upright and straight, letters of a known height."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mapkit.core import heavy

Grey = NDArray[np.uint8]
Mask = NDArray[np.bool_]
Floats = NDArray[np.float64]

HIGH: Final = 24
"""Pixels: the height of most characters in a level picture."""
_MOST_PIXELS: Final = 40_000_000
"""A chart of 67 cities has 27 million at most."""
_ENLARGED: Final = 20_000_000
"""Pixels: in a larger picture the height of characters is measured without enlarging it, which would take gigabytes."""
_LIGHT: Final = 80
"""In 100: so many pixels of a page are at most as light as grain makes its paper."""
_GRAIN: Final = 6.0
"""Ink is so many times as far from the paper, on its dark side."""
_LEAST: Final = 4
_TALLEST: Final = 0.06
_FEW: Final = 12
_FINE: Final = 14
"""Pixels: characters lower than this are looked at enlarged."""
_SKEW: Final = 8.0
_ALONG: Final = 14.0
_DOWN: Final = 9.0
_LEAN: Final = 0.02
"""How far a line may still lean, a part of its length."""
_CHAIN: Final = 6
_LINES: Final = 4
_ROUNDS: Final = 2
_STRAIGHT: Final = 0.12
_BESIDE: Final = 0.15
_LONG: Final = 15
"""Heights of a character: a word is not as long as this."""
_LIES: Final = 1.3
"""Runs of characters are so many times as long as high."""
_OFTEN: Final = 0.15
_LIKE: Final = 0.3
_MERGED: Final = 0.7
"""If many pieces are runs and many are not, and both are as high, that is the height if it is so much less."""
_INKED: Final = 0.5
"""A shorter rule has less ink than this along each side, a part of its length."""


@dataclass(frozen=True)
class DeskewedPage:
    """A level page.

    Args:
        grey: Its light, 255 is paper; most characters are `HIGH` pixels high.
        back: Takes its pixels to those of the picture, a 3 x 3 homography.
        digit: Pixels of the picture that most characters are high.
        flat: The picture with even light.
    """

    grey: Grey
    back: Floats
    digit: float
    flat: Grey

    def turned(self, quarters: int) -> "DeskewedPage":
        """Return it turned by right angles, counter-clockwise."""
        if not quarters % 4:
            return self
        high, wide = self.grey.shape
        turn = {
            1: ((0.0, -1.0, wide - 1), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)),
            2: ((-1.0, 0.0, wide - 1), (0.0, -1.0, high - 1), (0.0, 0.0, 1.0)),
            3: ((0.0, 1.0, 0.0), (-1.0, 0.0, high - 1), (0.0, 0.0, 1.0)),
        }[quarters % 4]
        return DeskewedPage(np.ascontiguousarray(np.rot90(self.grey, quarters)), self.back @ np.array(turn), self.digit,
                     self.flat)  # fmt: skip

    def on_picture(self, box: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
        """Return the box of the picture around a box of the level page: left, top, right, bottom."""
        left, top, right, bottom = box
        corners = np.array(((left, top, 1), (right, top, 1), (right, bottom, 1), (left, bottom, 1)), dtype=float)
        there = corners @ self.back.T
        there = there[:, :2] / there[:, 2:]
        (x0, y0), (x1, y1) = there.min(axis=0), there.max(axis=0)
        return round(float(x0), 1), round(float(y0), 1), round(float(x1), 1), round(float(y1), 1)


def deskew_page(picture: Grey) -> DeskewedPage | None:
    """Return the page of a picture made level; None if nothing in it looks like characters.

    Args:
        picture: Its light, shape (height, width).
    """
    flat = even_light(picture)
    high = _height(flat)
    if high is None:
        return None
    marks = _characters(flat, high)
    turn = np.eye(3)
    if len(marks) < _FEW:
        return None
    if np.median(marks[:, 2] / marks[:, 3]) > 1:  # upright characters are higher than wide
        turn = np.array(((0.0, 1.0, 0.0), (-1.0, 0.0, picture.shape[1] - 1), (0.0, 0.0, 1.0)))
    points = _moved(turn, marks[:, :2])
    skew = np.radians(_skew(points, high))
    flatten = np.array(((np.cos(skew), np.sin(skew), 0), (-np.sin(skew), np.cos(skew), 0), (0, 0, 1.0)))
    to_level, points = flatten @ turn, _moved(flatten, points)
    for _ in range(_ROUNDS):
        step = _unbent(points, points, high)
        to_level = step @ to_level
        points = _moved(step, points)
    return _warped(flat, to_level, high, high)


def even_light(picture: Grey) -> Grey:
    """Return a picture with its paper white: shades, bands and grounds are taken out, ink is kept."""
    cv2 = heavy.cv2
    reach = max(5, min(picture.shape) // 60) | 1
    reach = min(reach, 41)
    paper = cv2.morphologyEx(picture, cv2.MORPH_CLOSE, np.ones((reach, reach), np.uint8))
    paper = cv2.medianBlur(paper, 5)
    out = cv2.divide(picture, paper, scale=255)
    return np.asarray(out, dtype=np.uint8)


def ink_of(grey: NDArray[Any]) -> Mask:
    """Return where ink is on an even picture: what is nearer to it than to paper, and darker than the paper's grain."""
    cv2 = heavy.cv2
    soft = cv2.GaussianBlur(grey, (3, 3), 0)
    limit, _ = cv2.threshold(soft, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    paper, light = np.percentile(soft, (50, _LIGHT))
    return np.asarray(soft < min(225, max(90, min(limit, paper - _GRAIN * (light - paper)))))


def without_rules(ink: Mask, high: float) -> Mask:
    """Return ink without long straight lines, such as frames and rules."""
    cv2 = heavy.cv2
    long = max(8, round(5 * high))
    whole = ink.astype(np.uint8)
    across = _bare(ink, cv2.morphologyEx(whole, cv2.MORPH_OPEN, np.ones((1, long), np.uint8)), high)
    down = _bare(ink.T, cv2.morphologyEx(whole, cv2.MORPH_OPEN, np.ones((long, 1), np.uint8)).T, high).T
    rules = cv2.dilate((across | down).astype(np.uint8), np.ones((3, 3), np.uint8))
    return np.asarray(ink & (np.asarray(rules) == 0))


def _bare(ink: Mask, lines: NDArray[Any], high: float) -> Mask:
    """Return level lines without those that have ink along a side: letters that run together in a blurred word."""
    _, labels, stats, _ = heavy.cv2.connectedComponentsWithStats(np.ascontiguousarray(lines))
    kept = np.ones(len(stats), dtype=bool)
    kept[0] = False
    off = max(2, round(_BESIDE * high))
    for k, (left, top, wide, tall, _) in enumerate(stats[1:].tolist(), start=1):
        over, under = top - off, top + tall - 1 + off
        if tall <= high and wide < _LONG * high and over >= 0 and under < len(ink):
            kept[k] = ink[[over, under], left : left + wide].mean(axis=1).max() < _INKED
    return np.asarray(kept[labels])


def _height(flat: Grey) -> float | None:
    """Return how high most characters are, in pixels; None if there are few."""
    cv2 = heavy.cv2
    larger = 2 if flat.size <= _ENLARGED else 1
    enlarged = cv2.resize(flat, None, fx=larger, fy=larger, interpolation=cv2.INTER_CUBIC)
    _, _, stats, _ = cv2.connectedComponentsWithStats(ink_of(enlarged).astype(np.uint8))
    sizes = np.maximum(stats[1:, 2], stats[1:, 3]) / larger
    area = stats[1:, 4] / larger**2
    kept = (sizes >= _LEAST) & (sizes < _TALLEST * max(flat.shape)) & (area > 0.1 * sizes * sizes)
    if kept.sum() < _FEW:
        return None
    high = float(np.median(np.minimum(sizes[kept], 200)))
    return _of_single_ones(stats[1:, 2:4][kept] / larger, high)


def _of_single_ones(sides: Floats, high: float) -> float:
    """Return how high characters are; less than it seems where many run together.

    Runs of characters are as high as single ones, but lie: those are upright.

    Args:
        sides: Widths and heights of pieces of ink, shape (n, 2).
        high: The median of their longer sides.
    """
    for along in (0, 1):
        lengths, heights = sides[:, along], sides[:, 1 - along]
        runs, single = lengths > _LIES * heights, heights > lengths
        if min(runs.mean(), single.mean()) < _OFTEN:
            continue
        low, own = float(np.median(heights[runs])), float(np.median(heights[single]))
        if abs(low - own) < _LIKE * own and own < _MERGED * high:
            return own
    return high


def _characters(flat: Grey, high: float) -> Floats:
    """Return the middles, widths and heights of characters, shape (n, 4)."""
    cv2 = heavy.cv2
    times = 2 if high < _FINE else 1
    seen = cv2.resize(flat, None, fx=times, fy=times, interpolation=cv2.INTER_CUBIC) if times > 1 else flat
    ink = without_rules(ink_of(seen), high * times)
    _, _, stats, _ = cv2.connectedComponentsWithStats(ink.astype(np.uint8))
    sides = stats[1:, :4] / times
    big = np.maximum(sides[:, 2], sides[:, 3])
    kept = sides[(big > 0.6 * high) & (big < 1.8 * high)]
    return np.column_stack((kept[:, 0] + kept[:, 2] / 2, kept[:, 1] + kept[:, 3] / 2, kept[:, 2], kept[:, 3]))


def _skew(points: Floats, high: float) -> float:
    """Return the degrees by which lines of text fall to the right: where heights crowd most."""

    def crowded(angle: float) -> float:
        down = points[:, 1] * np.cos(np.radians(angle)) - points[:, 0] * np.sin(np.radians(angle))
        counts = np.bincount(((down - down.min()) / (high / 4)).astype(int))
        return float((counts.astype(float) ** 2).sum())

    best = 0.0
    for step, reach in ((0.5, _SKEW), (0.1, 0.5), (0.03, 0.1)):
        best = max(np.arange(best - reach, best + reach + step / 2, step), key=crowded)
    return float(best)


def straighten_lines(level: DeskewedPage, boxes: Sequence[tuple[int, int, int, int]]) -> DeskewedPage:
    """Return a level page that is straight by its words too: columns of amounts end above each other.

    Args:
        level: The page; it is returned itself if it is straight.
        boxes: Where its words stand: left, top, right, bottom.
    """
    if len(boxes) < _FEW:
        return level
    sides = np.array(boxes, dtype=float)
    middles = (sides[:, :2] + sides[:, 2:]) / 2
    step = _unbent(middles, np.column_stack((sides[:, 2], middles[:, 1])), HIGH)
    (left, top), (right, bottom) = middles.min(axis=0), middles.max(axis=0)
    ends = np.array(((left, top), (right, top), (right, bottom), (left, bottom)))
    if np.abs(_moved(step, ends) - ends).max() < _STRAIGHT * HIGH:
        return level
    return _warped(level.flat, step @ np.linalg.inv(level.back), HIGH, level.digit)


def _unbent(points: Floats, ends: Floats, high: float) -> Floats:
    """Return a homography that makes lines of text level and columns upright.

    Args:
        points: Middles of characters or words, in lines.
        ends: The same or other places of them, in columns.
        high: How high characters are.
    """
    rows = _chains(points, high, along=0)
    columns = _chains(ends, high, along=1)
    left, top = points.min(axis=0)
    right, bottom = points.max(axis=0)

    def line(lines: Floats | None, at: float, middle: float) -> tuple[float, float]:
        """Return slope and place of the line through `at`."""
        return (0.0 if lines is None else float(lines[0] + lines[1] * (at - middle))), at

    x_mid, y_mid = (left + right) / 2, (top + bottom) / 2
    quad = []
    for x, y in ((left, top), (right, top), (right, bottom), (left, bottom)):
        down, y0 = line(rows, y, y_mid)  # y = y0 + down * (x - x_mid)
        over, x0 = line(columns, x, x_mid)  # x = x0 + over * (y - y_mid)
        yy = (y0 + down * (x0 - over * y_mid - x_mid)) / (1 - down * over)
        quad.append((x0 + over * (yy - y_mid), yy))
    there = np.array(((left, top), (right, top), (right, bottom), (left, bottom)), dtype=np.float32)
    return np.asarray(heavy.cv2.getPerspectiveTransform(np.array(quad, dtype=np.float32), there), dtype=np.float64)


def _chains(points: Floats, high: float, *, along: int) -> Floats | None:
    """Return how slopes of lines of characters change over the page: slope in the middle, change a pixel.

    Args:
        points: Middles of characters.
        high: Their height.
        along: 0 for lines of text, 1 for columns.
    """
    across = 1 - along
    reach = (_ALONG if along == 0 else _DOWN) * high
    off = 0.3 * high
    order = np.lexsort((points[:, 0], points[:, 1])) if along else np.lexsort((points[:, 1], points[:, 0]))
    sorted_points = points[order]
    following = _following(sorted_points[:, along], sorted_points[:, across], reach, off, high)
    seen = np.zeros(len(points), dtype=bool)
    fits = []
    for start in range(len(points)):
        if seen[start]:
            continue
        chain = [start]
        seen[start] = True
        while (after := following[chain[-1]]) >= 0 and not seen[after]:
            seen[after] = True
            chain.append(after)
        if len(chain) < _CHAIN:
            continue
        u, v = sorted_points[chain, along], sorted_points[chain, across]
        if along == 0 and u.max() - u.min() < _LONG * high:
            continue  # one word: how high its letters are says more than how the page leans
        slope, place = np.polyfit(u - u.mean(), v, 1)
        fits.append((place, slope, (u.max() - u.min()) ** 2 * len(chain), u.mean()))
    if not fits:
        return None
    table = np.array(fits)
    low, far = points[:, across].min(), points[:, across].max()
    middle = (low + far) / 2
    weight = np.sqrt(table[:, 2])
    kept = np.ones(len(table), dtype=bool)
    answer = np.zeros(2)
    for _ in range(4):
        basis = np.column_stack((np.ones(kept.sum()), table[kept, 0] - middle))
        spread = table[kept, 0].max() - table[kept, 0].min()
        if kept.sum() < _LINES or spread < 0.2 * (far - low):
            slope = float(np.average(table[kept, 1], weights=weight[kept]))
            return np.array((slope, 0.0))
        answer = np.linalg.lstsq(basis * weight[kept, None], table[kept, 1] * weight[kept], rcond=None)[0]
        off_line = np.abs(table[:, 1] - answer[0] - answer[1] * (table[:, 0] - middle))
        kept = off_line <= max(1e-4, 2.5 * float(np.median(off_line)))
    return answer


def _following(u: Floats, v: Floats, reach: float, off: float, high: float) -> NDArray[np.int64]:
    """Return for each point the nearest one ahead of it on its line; -1 where there is none."""
    out = np.full(len(u), -1)
    for k in range(len(u)):
        stop = int(np.searchsorted(u, u[k] + reach, side="right"))
        start = int(np.searchsorted(u, u[k] + 0.3 * high, side="left"))
        if stop <= start:
            continue
        ahead = u[start:stop] - u[k]
        near = start + np.flatnonzero(np.abs(v[start:stop] - v[k]) < off + _LEAN * ahead)
        if len(near):
            out[k] = near[np.argmin((u[near] - u[k]) + 3 * np.abs(v[near] - v[k]))]
    return out


def _moved(matrix: Floats, points: Floats) -> Floats:
    there = np.column_stack((points, np.ones(len(points)))) @ matrix.T
    return np.asarray(there[:, :2] / there[:, 2:])


def _warped(flat: Grey, to_level: Floats, high: float, digit: float) -> DeskewedPage:
    """Return the page as `to_level` lays it, moved and scaled so that characters are `HIGH` pixels high.

    Args:
        flat: The picture with even light.
        to_level: A homography.
        high: How high characters are after it.
        digit: How high they are in the picture.
    """
    cv2 = heavy.cv2
    down, wide = flat.shape
    corners = _moved(to_level, np.array(((0, 0), (wide, 0), (wide, down), (0, down)), dtype=float))
    low, top = corners.min(axis=0), corners.max(axis=0)
    scale = HIGH / high
    scale = min(scale, float(np.sqrt(_MOST_PIXELS / max(1.0, float(np.prod(top - low))))))
    move = np.array(((scale, 0, -low[0] * scale), (0, scale, -low[1] * scale), (0, 0, 1.0)))
    matrix = move @ to_level
    size = tuple(int(side) for side in np.ceil((top - low) * scale))
    out = cv2.warpPerspective(
        flat, matrix, size, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_CONSTANT, borderValue=255
    )
    return DeskewedPage(
        np.asarray(out, dtype=np.uint8), np.asarray(np.linalg.inv(matrix), dtype=np.float64), digit, flat
    )
