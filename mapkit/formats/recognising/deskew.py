"""Deskewing of a page in a picture: even light, straight upright lines of text, letters of a known height."""

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
_MAX_ENLARGED_PIXELS: Final = 20_000_000
"""Pixels: in a larger picture the height of characters is measured without enlarging it, which would take gigabytes."""
_PAPER_PERCENTILE: Final = 80
"""In 100: so many pixels of a page are at most as light as grain makes its paper."""
_GRAIN_FACTOR: Final = 6.0
"""Ink is so many times as far from the paper, on its dark side."""
_MIN_HEIGHT: Final = 4
_MAX_HEIGHT_SHARE: Final = 0.06
_FEWEST_CHARACTERS: Final = 12
_MANY_CHARACTERS: Final = 5000
"""Fewer pieces of ink are read as they are: specks of a photograph must not hide a small chart."""
_LEVEL_SAMPLE: Final = 1500
_FEWEST_LEVEL: Final = 0.2
"""Of neighbours in noise and textures at most 0.15 are level and equally high, in charts 0.5 and more."""
_FINE_HEIGHT: Final = 14
"""Pixels: characters lower than this are looked at enlarged."""
_STROKE_REACH: Final = 0.8
"""Heights of a character: its strokes are narrower, and the grounds of rows and cells higher."""
_MAX_SKEW: Final = 8.0
_ROW_REACH: Final = 14.0
_COLUMN_REACH: Final = 9.0
_MAX_LEAN: Final = 0.02
"""How far a line may still lean, a part of its length."""
_SHORTEST_CHAIN: Final = 6
_FEWEST_LINES: Final = 4
_STRAIGHTENING_ROUNDS: Final = 2
_STRAIGHT_TOLERANCE: Final = 0.12
_BEND_ALONG: Final = 6
"""Degree of the series that a line of text follows on a curled sheet."""
_BEND_ACROSS: Final = 3
_WORDS_A_DEGREE: Final = 100
"""A page of fewer words says less about how it is bent."""
_BEND_PRIOR: Final = 1e-5
_REWEIGHTING_ROUNDS: Final = 6
_INVERTING_ROUNDS: Final = 4
_NODE_STEP: Final = 16
"""Pixels between the nodes of a grid of shifts, which vary little."""
_STRIP_NODES: Final = 32
_RULE_DISTANCE: Final = 0.15
_MAX_WORD_LENGTH: Final = 15
"""Heights of a character: a word is not as long as this."""
_RUN_RATIO: Final = 1.3
"""Runs of characters are so many times as long as high."""
_COMMON_SHARE: Final = 0.15
_SIMILAR_HEIGHT: Final = 0.3
_MERGED_SHARE: Final = 0.7
"""If many pieces are runs and many are not, and both are as high, that is the height if it is so much less."""
_MAX_INKED_SHARE: Final = 0.5
"""A shorter rule has less ink than this along each side, a part of its length."""


@dataclass(frozen=True)
class DeskewedPage:
    """A level page.

    Args:
        grey: Its light, 255 is paper; most characters are `HIGH` pixels high.
        back: Takes its pixels to those of the picture, a 3 x 3 homography.
        digit: Pixels of the picture that most characters are high.
        flat: The picture with even light.
        shifts: How far its pixels are from those that `back` takes, for every `_NODE_STEP` pixels, shape (n, m, 2).
    """

    grey: Grey
    back: Floats
    digit: float
    flat: Grey
    shifts: Floats | None = None

    def turned(self, quarters: int) -> "DeskewedPage":
        """Return the page turned by right angles, counter-clockwise."""
        if not quarters % 4:
            return self
        page_height, page_width = self.grey.shape
        turn_matrix = {
            1: ((0.0, -1.0, page_width - 1), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)),
            2: ((-1.0, 0.0, page_width - 1), (0.0, -1.0, page_height - 1), (0.0, 0.0, 1.0)),
            3: ((0.0, 1.0, 0.0), (-1.0, 0.0, page_height - 1), (0.0, 0.0, 1.0)),
        }[quarters % 4]
        turned_grey = np.ascontiguousarray(np.rot90(self.grey, quarters))
        return DeskewedPage(turned_grey, self.back @ np.array(turn_matrix), self.digit, self.flat)

    def on_picture(self, box: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
        """Return the box of the picture around a box of the level page: left, top, right, bottom."""
        left, top, right, bottom = box
        if self.shifts is not None:
            node_x, node_y = (int((low + high) / 2) // _NODE_STEP for low, high in ((left, right), (top, bottom)))
            x, y = self.shifts[min(node_y, len(self.shifts) - 1), min(node_x, self.shifts.shape[1] - 1)]
            left, top, right, bottom = left + x, top + y, right + x, bottom + y
        corners = np.array(((left, top, 1), (right, top, 1), (right, bottom, 1), (left, bottom, 1)), dtype=float)
        picture_corners = corners @ self.back.T
        picture_corners = picture_corners[:, :2] / picture_corners[:, 2:]
        (x0, y0), (x1, y1) = picture_corners.min(axis=0), picture_corners.max(axis=0)
        return round(float(x0), 1), round(float(y0), 1), round(float(x1), 1), round(float(y1), 1)


def deskew_page(picture: Grey) -> DeskewedPage | None:
    """Return the page of a picture made level; None if nothing in it looks like characters.

    Args:
        picture: Its light, shape (height, width).
    """
    character_height = _character_height(flatten_light(picture, _light_reach(picture)))
    if character_height is None:
        return None
    even_picture = flatten_light(picture, min(_light_reach(picture), round(_STROKE_REACH * character_height)))
    characters = _find_characters(even_picture, character_height)
    turn_matrix = np.eye(3)
    if len(characters) < _FEWEST_CHARACTERS or not _has_text_lines(characters, character_height):
        return None
    if np.median(characters[:, 2] / characters[:, 3]) > 1:  # upright characters are higher than wide
        turn_matrix = np.array(((0.0, 1.0, 0.0), (-1.0, 0.0, picture.shape[1] - 1), (0.0, 0.0, 1.0)))
    points = _transform_points(turn_matrix, characters[:, :2])
    skew_radians = np.radians(_measure_skew(points, character_height))
    deskew_matrix = np.array(
        ((np.cos(skew_radians), np.sin(skew_radians), 0), (-np.sin(skew_radians), np.cos(skew_radians), 0), (0, 0, 1.0))
    )
    to_level, points = deskew_matrix @ turn_matrix, _transform_points(deskew_matrix, points)
    for _ in range(_STRAIGHTENING_ROUNDS):
        straightening = _fit_homography(points, points, character_height)
        to_level = straightening @ to_level
        points = _transform_points(straightening, points)
    return _warp_page(even_picture, to_level, character_height, character_height)


def _light_reach(picture: Grey) -> int:
    """Return how far paper may be away in a picture with characters of unknown height."""
    return min(41, max(5, min(len(picture), len(picture[0])) // 60))


def flatten_light(picture: Grey, reach: int) -> Grey:
    """Return a picture with white paper: shadows, bands and grounds are removed, ink stays.

    Args:
        picture: Its light.
        reach: Pixels: strokes of ink are narrower, grounds of rows are higher.
    """
    cv2 = heavy.cv2
    kernel_size = reach | 1
    paper_light = cv2.morphologyEx(picture, cv2.MORPH_CLOSE, np.ones((kernel_size, kernel_size), np.uint8))
    paper_light = cv2.medianBlur(paper_light, 5)
    even_picture = cv2.divide(picture, paper_light, scale=255)
    return np.asarray(even_picture, dtype=np.uint8)


def find_ink(grey: NDArray[Any]) -> Mask:
    """Return a mask of the ink of an even picture (Otsu's threshold), without the grain of its paper."""
    cv2 = heavy.cv2
    blurred = cv2.GaussianBlur(grey, (3, 3), 0)
    otsu_limit, _ = cv2.threshold(blurred, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    paper_level, grain_level = np.percentile(blurred, (50, _PAPER_PERCENTILE))
    return np.asarray(
        blurred < min(225, max(90, min(otsu_limit, paper_level - _GRAIN_FACTOR * (grain_level - paper_level))))
    )


def remove_rules(ink: Mask, high: float) -> Mask:
    """Return ink without long straight lines, such as frames and rules."""
    cv2 = heavy.cv2
    shortest_rule = max(8, round(5 * high))
    ink_pixels = ink.astype(np.uint8)
    level_rules = _drop_inked_lines(
        ink, cv2.morphologyEx(ink_pixels, cv2.MORPH_OPEN, np.ones((1, shortest_rule), np.uint8)), high
    )
    upright_rules = _drop_inked_lines(
        ink.T, cv2.morphologyEx(ink_pixels, cv2.MORPH_OPEN, np.ones((shortest_rule, 1), np.uint8)).T, high
    ).T
    rules = cv2.dilate((level_rules | upright_rules).astype(np.uint8), np.ones((3, 3), np.uint8))
    return np.asarray(ink & (np.asarray(rules) == 0))


def _drop_inked_lines(ink: Mask, lines: NDArray[Any], high: float) -> Mask:
    """Return level lines without those that have ink along a side: letters that run together in a blurred word."""
    _, labels, stats, _ = heavy.cv2.connectedComponentsWithStats(np.ascontiguousarray(lines))
    is_kept = np.ones(len(stats), dtype=bool)
    is_kept[0] = False
    side_distance = max(2, round(_RULE_DISTANCE * high))
    for k, (left, top, line_width, line_height, _) in enumerate(stats[1:].tolist(), start=1):
        row_above, row_below = top - side_distance, top + line_height - 1 + side_distance
        if line_height <= high and line_width < _MAX_WORD_LENGTH * high and row_above >= 0 and row_below < len(ink):
            is_kept[k] = ink[[row_above, row_below], left : left + line_width].mean(axis=1).max() < _MAX_INKED_SHARE
    return np.asarray(is_kept[labels])


def _character_height(flat: Grey) -> float | None:
    """Return the height of most characters, in pixels; None if there are few."""
    cv2 = heavy.cv2
    zoom = 2 if flat.size <= _MAX_ENLARGED_PIXELS else 1
    zoomed_picture = cv2.resize(flat, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_CUBIC)
    _, _, stats, _ = cv2.connectedComponentsWithStats(find_ink(zoomed_picture).astype(np.uint8))
    longer_sides = np.maximum(stats[1:, 2], stats[1:, 3]) / zoom
    ink_areas = stats[1:, 4] / zoom**2
    is_character = (
        (longer_sides >= _MIN_HEIGHT)
        & (longer_sides < _MAX_HEIGHT_SHARE * max(flat.shape))
        & (ink_areas > 0.1 * longer_sides * longer_sides)
    )
    if is_character.sum() < _FEWEST_CHARACTERS:
        return None
    median_size = float(np.median(np.minimum(longer_sides[is_character], 200)))
    return _correct_for_runs(stats[1:, 2:4][is_character] / zoom, median_size)


def _correct_for_runs(sides: Floats, high: float) -> float:
    """Return the height of characters, corrected for pieces of several joined characters.

    Runs of characters are as high as single ones, but wider than high, while single ones are higher than wide.

    Args:
        sides: Widths and heights of pieces of ink, shape (n, 2).
        high: The median of their longer sides.
    """
    for along in (0, 1):
        lengths, heights = sides[:, along], sides[:, 1 - along]
        is_run, is_single = lengths > _RUN_RATIO * heights, heights > lengths
        if min(is_run.mean(), is_single.mean()) < _COMMON_SHARE:
            continue
        run_height, single_height = float(np.median(heights[is_run])), float(np.median(heights[is_single]))
        if abs(run_height - single_height) < _SIMILAR_HEIGHT * single_height and single_height < _MERGED_SHARE * high:
            return single_height
    return high


def _find_characters(flat: Grey, high: float) -> Floats:
    """Return the centres, widths and heights of characters, shape (n, 4)."""
    cv2 = heavy.cv2
    zoom = 2 if high < _FINE_HEIGHT and flat.size <= _MAX_ENLARGED_PIXELS else 1
    zoomed_picture = cv2.resize(flat, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_CUBIC) if zoom > 1 else flat
    ink = remove_rules(find_ink(zoomed_picture), high * zoom)
    _, _, stats, _ = cv2.connectedComponentsWithStats(ink.astype(np.uint8))
    sides = stats[1:, :4] / zoom
    longer_sides = np.maximum(sides[:, 2], sides[:, 3])
    kept_sides = sides[(longer_sides > 0.6 * high) & (longer_sides < 1.8 * high)]
    return np.column_stack(
        (
            kept_sides[:, 0] + kept_sides[:, 2] / 2,
            kept_sides[:, 1] + kept_sides[:, 3] / 2,
            kept_sides[:, 2],
            kept_sides[:, 3],
        )
    )


def _has_text_lines(characters: Floats, high: float) -> bool:
    """Return whether neighbours stand on lines, across or down the picture, as noise and textures do not."""
    turned = characters[:, [1, 0, 3, 2]]
    return len(characters) < _MANY_CHARACTERS or any(
        _measure_level_share(sides[np.argsort(sides[:, 0], kind="stable")], high) >= _FEWEST_LEVEL
        for sides in (characters, turned)
    )


def _measure_level_share(characters: Floats, high: float) -> float:
    """Return the share of neighbours that have the same foot and height, of a sample of characters ordered by x."""
    x, y, heights = characters[:, 0], characters[:, 1], characters[:, 3]
    feet = y + heights / 2
    pair_count = level_count = 0
    for k in range(0, len(x), -(-len(x) // _LEVEL_SAMPLE)):
        start, stop = np.searchsorted(x, (x[k] + 0.2 * high, x[k] + 1.6 * high))
        ahead = start + np.flatnonzero(np.abs(y[start:stop] - y[k]) < 0.7 * high)
        if len(ahead):
            pair_count += 1
            nearest = ahead[0]
            is_level = abs(feet[nearest] - feet[k]) < 0.12 * high
            level_count += is_level and abs(heights[nearest] - heights[k]) < 0.15 * high
    return level_count / max(1, pair_count)


def _measure_skew(points: Floats, high: float) -> float:
    """Return the fall of text lines to the right, in degrees: the angle of the sharpest projection profile."""

    def crowded(angle: float) -> float:
        rotated_heights = points[:, 1] * np.cos(np.radians(angle)) - points[:, 0] * np.sin(np.radians(angle))
        row_counts = np.bincount(((rotated_heights - rotated_heights.min()) / (high / 4)).astype(int))
        return float((row_counts.astype(float) ** 2).sum())

    best_angle = 0.0
    for step, reach in ((0.5, _MAX_SKEW), (0.1, 0.5), (0.03, 0.1)):
        best_angle = max(np.arange(best_angle - reach, best_angle + reach + step / 2, step), key=crowded)
    return float(best_angle)


def straighten_lines(level: DeskewedPage, boxes: Sequence[tuple[int, int, int, int]]) -> DeskewedPage:
    """Return a level page that is straight by its words too: the sheet may be curled, or stand askew.

    Args:
        level: The page; it is returned itself if it is straight.
        boxes: Where its words stand: left, top, right, bottom.
    """
    if len(boxes) < _FEWEST_CHARACTERS:
        return level
    sides = np.array(boxes, dtype=float)
    middles = (sides[:, :2] + sides[:, 2:]) / 2
    size = np.array(level.grey.shape[::-1])
    row_bend = _fit_bend(middles, size, along=0)
    column_bend = _fit_bend(np.column_stack((sides[:, 2], middles[:, 1])), size, along=1)
    nodes = np.stack(np.meshgrid(*(np.arange(-(-side // _NODE_STEP)) for side in size)), axis=-1)
    targets = (nodes + 0.5) * _NODE_STEP - 0.5
    sources = targets.astype(float)
    for _ in range(_INVERTING_ROUNDS):
        sources = targets + np.stack((_bend_at(column_bend, sources, size), _bend_at(row_bend, sources, size)), axis=-1)
    shifts = sources - targets
    (left, top), (right, bottom) = (corner // _NODE_STEP for corner in (middles.min(axis=0), middles.max(axis=0)))
    if np.abs(shifts[int(top) : int(bottom) + 1, int(left) : int(right) + 1]).max() < _STRAIGHT_TOLERANCE * HIGH:
        return level
    return DeskewedPage(_remap_page(level, sources), level.back, level.digit, level.flat, shifts)


def _remap_page(level: DeskewedPage, sources: Floats) -> Grey:
    """Return the page taken from other places of a level page, which are given for nodes of a grid."""
    cv2 = heavy.cv2
    places = _transform_points(level.back, sources.reshape(-1, 2)).reshape(sources.shape).astype(np.float32)
    wide = len(places[0]) * _NODE_STEP
    strips = []
    for k in range(0, len(places), _STRIP_NODES):  # the places of all pixels at once would take gigabytes
        low = max(0, k - 1)
        near: NDArray[Any] = places[low : k + _STRIP_NODES + 1]
        x, y = (cv2.resize(near[:, :, axis], (wide, len(near) * _NODE_STEP)) for axis in (0, 1))
        kept = slice((k - low) * _NODE_STEP, (min(k + _STRIP_NODES, len(places)) - low) * _NODE_STEP)
        strips.append(cv2.remap(level.flat, x[kept], y[kept], cv2.INTER_CUBIC, borderValue=255))
    return np.asarray(np.vstack(strips), dtype=np.uint8)


def _fit_bend(points: Floats, size: NDArray[np.int64], *, along: int) -> Floats:
    """Fit how far lines of text, or columns, are off straight: coefficients of a Chebyshev series of both places.

    Args:
        points: Places of words.
        size: Width and height of the page.
        along: 0 for lines of text, 1 for columns.
    """
    most = min(_BEND_ALONG, max(1, len(points) // _WORDS_A_DEGREE))
    degrees = (most, min(most, _BEND_ACROSS)) if along == 0 else (min(most, _BEND_ACROSS), most)
    x, y = (2 * points / size - 1).T
    basis = np.asarray(np.polynomial.chebyshev.chebvander2d(x, y, degrees), dtype=np.float64)
    powers = np.indices((degrees[0] + 1, degrees[1] + 1)).reshape(2, -1)
    constant = powers[along] == 0
    coefficients = np.zeros(len(constant))
    moved = points.copy()
    for _ in range(_STRAIGHTENING_ROUNDS + 1):
        chains = _chain_points(moved, HIGH, along=along)
        if len(chains) < _FEWEST_LINES:
            break
        inner = [basis[chain][:, ~constant] - basis[chain][:, ~constant].mean(axis=0) for chain in chains]
        off = [points[chain, 1 - along] - points[chain, 1 - along].mean() for chain in chains]
        rows, offsets = np.vstack(inner), np.concatenate(off)
        weights = np.ones(len(rows))
        for _ in range(_REWEIGHTING_ROUNDS):
            weighted = rows * weights[:, None]
            normal = weighted.T @ rows + _BEND_PRIOR * len(rows) * np.eye(rows.shape[1])
            fitted = np.linalg.solve(normal, weighted.T @ offsets)
            errors = np.abs(rows @ fitted - offsets)
            weights = 1 / np.maximum(errors, max(0.5, float(np.median(errors))))
        coefficients[~constant] = fitted
        moved[:, 1 - along] = points[:, 1 - along] - basis @ coefficients
    return coefficients.reshape(degrees[0] + 1, degrees[1] + 1)


def _bend_at(bend: Floats, places: Floats, size: NDArray[np.int64]) -> Floats:
    """Return how far lines are off straight at places of a page, without going on beyond its edges."""
    x, y = np.moveaxis(np.clip(2 * places / size - 1, -1, 1), -1, 0)
    return np.asarray(np.polynomial.chebyshev.chebval2d(x, y, bend))


def _fit_homography(points: Floats, ends: Floats, high: float) -> Floats:
    """Return a homography that makes lines of text level and columns upright.

    Args:
        points: Middles of characters or words, in lines.
        ends: The same or other places of them, in columns.
        high: How high characters are.
    """
    row_slopes = _fit_slopes(points, high, along=0)
    column_slopes = _fit_slopes(ends, high, along=1)
    left, top = points.min(axis=0)
    right, bottom = points.max(axis=0)

    def line(lines: Floats | None, at: float, middle: float) -> tuple[float, float]:
        """Return slope and position of the line through `at`."""
        return (0.0 if lines is None else float(lines[0] + lines[1] * (at - middle))), at

    x_mid, y_mid = (left + right) / 2, (top + bottom) / 2
    source_corners = []
    for x, y in ((left, top), (right, top), (right, bottom), (left, bottom)):
        row_slope, y0 = line(row_slopes, y, y_mid)  # y = y0 + down * (x - x_mid)
        column_slope, x0 = line(column_slopes, x, x_mid)  # x = x0 + over * (y - y_mid)
        yy = (y0 + row_slope * (x0 - column_slope * y_mid - x_mid)) / (1 - row_slope * column_slope)
        source_corners.append((x0 + column_slope * (yy - y_mid), yy))
    target_corners = np.array(((left, top), (right, top), (right, bottom), (left, bottom)), dtype=np.float32)
    return np.asarray(
        heavy.cv2.getPerspectiveTransform(np.array(source_corners, dtype=np.float32), target_corners), dtype=np.float64
    )


def _fit_slopes(points: Floats, high: float, *, along: int) -> Floats | None:
    """Fit the change of slope of text lines over the page: slope in the middle, change a pixel.

    Args:
        points: Middles of characters.
        high: Their height.
        along: 0 for lines of text, 1 for columns.
    """
    across = 1 - along
    line_fits = []
    for chain in _chain_points(points, high, along=along):
        u, v = points[chain, along], points[chain, across]
        slope, place = np.polyfit(u - u.mean(), v, 1)
        line_fits.append((place, slope, (u.max() - u.min()) ** 2 * len(chain), u.mean()))
    if not line_fits:
        return None
    fit_table = np.array(line_fits)
    first_place, last_place = points[:, across].min(), points[:, across].max()
    middle = (first_place + last_place) / 2
    fit_weights = np.sqrt(fit_table[:, 2])
    is_kept = np.ones(len(fit_table), dtype=bool)
    coefficients = np.zeros(2)
    for _ in range(4):
        basis = np.column_stack((np.ones(is_kept.sum()), fit_table[is_kept, 0] - middle))
        spread = fit_table[is_kept, 0].max() - fit_table[is_kept, 0].min()
        if is_kept.sum() < _FEWEST_LINES or spread < 0.2 * (last_place - first_place):
            slope = float(np.average(fit_table[is_kept, 1], weights=fit_weights[is_kept]))
            return np.array((slope, 0.0))
        coefficients = np.linalg.lstsq(
            basis * fit_weights[is_kept, None], fit_table[is_kept, 1] * fit_weights[is_kept], rcond=None
        )[0]
        off_line = np.abs(fit_table[:, 1] - coefficients[0] - coefficients[1] * (fit_table[:, 0] - middle))
        is_kept = off_line <= max(1e-4, 2.5 * float(np.median(off_line)))
    return coefficients


def _chain_points(points: Floats, high: float, *, along: int) -> list[NDArray[np.int64]]:
    """Return the points of each line of text, or of each column, in their order."""
    across = 1 - along
    reach = (_ROW_REACH if along == 0 else _COLUMN_REACH) * high
    order = np.lexsort((points[:, across], points[:, along]))
    next_points = _next_on_line(points[order, along], points[order, across], reach, 0.3 * high, high)
    is_visited = np.zeros(len(points), dtype=bool)
    chains = []
    for start in range(len(points)):
        if is_visited[start]:
            continue
        chain = [start]
        is_visited[start] = True
        while (next_point := next_points[chain[-1]]) >= 0 and not is_visited[next_point]:
            is_visited[next_point] = True
            chain.append(next_point)
        is_word = along == 0 and np.ptp(points[order[chain], along]) < _MAX_WORD_LENGTH * high
        if len(chain) >= _SHORTEST_CHAIN and not is_word:  # a word's letters say how high they are, not how it leans
            chains.append(order[chain])
    return chains


def _next_on_line(u: Floats, v: Floats, reach: float, off: float, high: float) -> NDArray[np.int64]:
    """Return for each point the nearest one ahead of it on its line; -1 if there is none."""
    next_points = np.full(len(u), -1)
    for k in range(len(u)):
        stop_index = int(np.searchsorted(u, u[k] + reach, side="right"))
        start_index = int(np.searchsorted(u, u[k] + 0.3 * high, side="left"))
        if stop_index <= start_index:
            continue
        distances = u[start_index:stop_index] - u[k]
        near_points = start_index + np.flatnonzero(
            np.abs(v[start_index:stop_index] - v[k]) < off + _MAX_LEAN * distances
        )
        if len(near_points):
            next_points[k] = near_points[np.argmin((u[near_points] - u[k]) + 3 * np.abs(v[near_points] - v[k]))]
    return next_points


def _transform_points(matrix: Floats, points: Floats) -> Floats:
    homogeneous = np.column_stack((points, np.ones(len(points)))) @ matrix.T
    return np.asarray(homogeneous[:, :2] / homogeneous[:, 2:])


def _warp_page(flat: Grey, to_level: Floats, high: float, digit: float) -> DeskewedPage:
    """Return the page warped by `to_level`, shifted and scaled so that characters are `HIGH` pixels high.

    Args:
        flat: The picture with even light.
        to_level: A homography.
        high: How high characters are after it.
        digit: How high they are in the picture.
    """
    cv2 = heavy.cv2
    picture_height, picture_width = flat.shape
    corners = _transform_points(
        to_level,
        np.array(((0, 0), (picture_width, 0), (picture_width, picture_height), (0, picture_height)), dtype=float),
    )
    low_corner, high_corner = corners.min(axis=0), corners.max(axis=0)
    scale = HIGH / high
    scale = min(scale, float(np.sqrt(_MOST_PIXELS / max(1.0, float(np.prod(high_corner - low_corner))))))
    scaling = np.array(((scale, 0, -low_corner[0] * scale), (0, scale, -low_corner[1] * scale), (0, 0, 1.0)))
    matrix = scaling @ to_level
    output_size = tuple(int(side) for side in np.ceil((high_corner - low_corner) * scale))
    warped_picture = cv2.warpPerspective(
        flat, matrix, output_size, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_CONSTANT, borderValue=255
    )
    return DeskewedPage(
        np.asarray(warped_picture, dtype=np.uint8), np.asarray(np.linalg.inv(matrix), dtype=np.float64), digit, flat
    )
