"""Second reading of amounts by template matching, with character shapes learned from the page itself.

A chart has thousands of characters in one font. The mean shape of each digit, its width and its spacing are learned
from the cells with confident readings. Then each character of each cell is compared with all shapes, and the width of
each cell with that of its text. A reading that is not confirmed is doubtful.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mapkit.formats.recognising.boxes import Box
from mapkit.formats.recognising.deskew import HIGH, Grey

Floats = NDArray[np.float32]

DIGITS: Final = "0123456789"
POINTS: Final = ".,"
SIGNS: Final = "$£€¥"
"""Signs of currencies, one of which may begin an amount; they are as wide as digits."""
_KNOWN_CHARACTERS: Final = DIGITS + POINTS + SIGNS
_BAND_HEIGHT: Final = round(1.3 * HIGH)
_MAX_SHIFT: Final = 2
"""Pixels by which a character may stand beside its place."""
_ENOUGH_SAMPLES: Final = 5
"""Characters: a shape that was seen less often says nothing."""
_SURE_CONFIDENCE: Final = 0.9
_LEARNING_ROUNDS: Final = 3
_MIN_SIMILARITY: Final = 0.72
_MIN_LEAD: Final = 0.2
"""How far a character is on the way from the likest other shape to its own, 1 is all of it."""
_CLEAR_LEAD: Final = 0.6
_CLEAR_SIMILARITY: Final = 0.85
"""Characters that are ahead less, or less alike, are compared higher and lower too."""
_VERTICAL_SHIFTS: Final = (-2, -1, 1, 2)
_FADE_WIDTH: Final = 0.12
"""At its sides a character fades out, so that those beside it do not count; a part of its width."""
_WIDTH_OFF: Final = 0.13
_LOST_POINT_SHARE: Final = 0.25
"""Several digits that are wider than they should be, by more than this part of a point, may have lost one."""


class ShapeReading(NamedTuple):
    """Reading of a cell by character shapes.

    Args:
        text: What they read.
        agrees: Whether that is what the recogniser read, clearly.
        others: Readings that are nearly as like.
    """

    text: str
    agrees: bool
    others: tuple[str, ...]


@dataclass(frozen=True)
class _Font:
    """Metrics of the characters of a page: advance of digits and points, and extent of ink from their middles."""

    digit: float
    point: float
    left: dict[str, float]
    right: dict[str, float]
    spread: float

    def middles(self, text: str) -> list[float]:
        """Return the middles of the characters of a text, from the left end of its ink."""
        position, positions = self.left[text[0]], []
        for k, letter in enumerate(text):
            if k:
                previous_advance = self.point if text[k - 1] in POINTS else self.digit
                own_advance = self.point if letter in POINTS else self.digit
                position += (previous_advance + own_advance) / 2
            positions.append(position)
        return positions

    @property
    def tolerance(self) -> float:
        """Difference in width beyond which a text does not fit, pixels."""
        return max(_WIDTH_OFF * HIGH, 4 * self.spread)

    def width(self, text: str) -> float:
        """Return the width of the ink of a text."""
        return self.middles(text)[-1] + self.right[text[-1]]


def read_by_shapes(grey: Grey, boxes: Sequence[Box], texts: Sequence[str], sure: Sequence[float]) -> list[ShapeReading]:
    """Return the readings of cells by character shapes.

    Args:
        grey: A level page.
        boxes: The ink of each cell.
        texts: What the recogniser read.
        sure: How sure it is, from 0 to 1.
    """
    readable_cells = [k for k, text in enumerate(texts) if text and set(text) <= set(_KNOWN_CHARACTERS)]
    font = _fit_font([(texts[k], boxes[k]) for k in readable_cells if sure[k] > _SURE_CONFIDENCE])
    if font is None:
        return [ShapeReading("", agrees=False, others=()) for _ in texts]
    measurable_cells = [k for k in readable_cells if texts[k][0] in font.left and texts[k][-1] in font.right]
    cell_of_letter: list[int] = []
    letters: list[str] = []
    letter_places: list[tuple[float, float]] = []
    for k in measurable_cells:
        left, top, right, bottom = boxes[k]
        stretch = (right - left - font.width(texts[k])) / 2  # the difference is split between both ends
        for at, letter in zip(font.middles(texts[k]), texts[k], strict=True):
            cell_of_letter.append(k)
            letters.append(letter)
            letter_places.append((left + stretch + at, (top + bottom) / 2))
    patches = _cut_patches(grey, letter_places, round(font.digit))
    narrow_points = font.point + font.tolerance < font.digit
    if narrow_points:  # the digits beside a point are no part of it
        distances = np.abs(np.arange(patches.shape[2]) + 0.5 - patches.shape[2] / 2)
        are_points = np.array([letter in POINTS for letter in letters], dtype=bool)
        patches[are_points] *= distances <= font.point / 2
    similarities, shapes, leads = _compare_shapes(
        patches, letters, [sure[k] for k in cell_of_letter], narrow_points=narrow_points
    )
    return _build_verdicts(texts, boxes, font, cell_of_letter, letters, similarities, shapes, leads)


def _fit_font(cells: Sequence[tuple[str, Box]]) -> _Font | None:
    """Fit font metrics to the widths of cells: least squares over first, last and inner characters."""
    cells = [(text, box) for text, box in cells if len(text) < 8]  # noqa: PLR2004 - longer ones are no single amounts
    first_letters, last_letters = sorted({text[0] for text, _ in cells}), sorted({text[-1] for text, _ in cells})
    column_count = 2 + len(first_letters) + len(last_letters)
    if len(cells) < column_count:
        return None
    rows = np.zeros((len(cells), column_count))
    widths = np.array([box[2] - box[0] for _, box in cells], dtype=float)
    for r, (text, _) in enumerate(cells):
        are_points = [letter in POINTS for letter in text]
        letter_weights = [1.0] * len(text)
        letter_weights[0] -= 0.5
        letter_weights[-1] -= 0.5
        for point, weight in zip(are_points, letter_weights, strict=True):
            rows[r, int(point)] += weight
        rows[r, 2 + first_letters.index(text[0])] += 1
        rows[r, 2 + len(first_letters) + last_letters.index(text[-1])] += 1
    is_kept = np.ones(len(cells), dtype=bool)
    solution = np.zeros(column_count)
    prior = np.concatenate(([0.8 * HIGH, 0.4 * HIGH], np.full(column_count - 2, 0.35 * HIGH)))
    for _ in range(3):
        prior_weight = 0.05 * np.eye(column_count)
        normal_matrix = rows[is_kept].T @ rows[is_kept] + prior_weight
        solution = np.linalg.solve(normal_matrix, rows[is_kept].T @ widths[is_kept] + prior_weight @ prior)
        residuals = np.abs(rows @ solution - widths)
        is_kept = residuals <= max(1.5, 4 * float(np.median(residuals)))
    spread = float(np.median(np.abs(rows @ solution - widths)))
    return _Font(
        float(solution[0]),
        float(solution[1]),
        dict(zip(first_letters, solution[2:].tolist(), strict=False)),
        dict(zip(last_letters, solution[2 + len(first_letters) :].tolist(), strict=True)),
        spread,
    )


def _cut_patches(grey: Grey, places: Sequence[tuple[float, float]], wide: int) -> Floats:
    """Return the darkness around each place, with room to shift sideways: shape (n, band, wide + 2 * shift)."""
    reach_x, reach_y = wide // 2 + _MAX_SHIFT, _BAND_HEIGHT // 2
    padded_darkness = np.pad(255 - grey, ((reach_y, reach_y), (reach_x, reach_x)))
    patches = np.empty((len(places), 2 * reach_y, 2 * reach_x), dtype=np.float32)
    for k, (x, y) in enumerate(places):
        left, top = round(x), round(y)
        left = min(max(left, 0), grey.shape[1])
        top = min(max(top, 0), grey.shape[0])
        patches[k] = padded_darkness[top : top + 2 * reach_y, left : left + 2 * reach_x]
    return patches


def _compare_shapes(
    patches: Floats, letters: Sequence[str], sure: Sequence[float], *, narrow_points: bool
) -> tuple[Floats, list[str], Floats]:
    """Compare characters with the mean shapes of all.

    Args:
        patches: As `_cut_patches` returns them.
        letters: What the recogniser read.
        sure: How sure it is, from 0 to 1.
        narrow_points: Whether the width of a cell tells points from digits; points are then compared with points only.

    Returns:
        How like each is to each shape, from -1 to 1, shape (n, shapes); the shapes' names; how far each is ahead.
    """
    shape_names = sorted(letter for letter, count in Counter(letters).items() if count >= _ENOUGH_SAMPLES)
    if not shape_names:
        return np.zeros((len(letters), 0), dtype=np.float32), [], np.zeros(len(letters), dtype=np.float32)
    patch_width = patches.shape[2] - 2 * _MAX_SHIFT
    shifted_patches = _shift_patches(patches, patch_width)
    shape_of_letter = np.array([shape_names.index(letter) if letter in shape_names else -1 for letter in letters])
    is_trusted = np.array(sure) > _SURE_CONFIDENCE
    best_shifts = np.full(len(letters), _MAX_SHIFT)
    similarities = np.zeros((len(letters), len(shape_names)), dtype=np.float32)
    for _ in range(_LEARNING_ROUNDS):
        best_patches = shifted_patches[np.arange(len(letters)), best_shifts]
        shapes = []
        for k in range(len(shape_names)):
            chosen_patches = (
                best_patches[(shape_of_letter == k) & is_trusted]
                if ((shape_of_letter == k) & is_trusted).any()
                else best_patches[shape_of_letter == k]
            )
            shapes.append(
                _normalize_patches(np.median(chosen_patches[:400], axis=0)[None].reshape(1, -1, patch_width))[0]
            )
        shape_table = np.stack(shapes).T
        by_shift = shifted_patches @ shape_table  # n, shifts, shapes
        similarities = by_shift.max(axis=1)
        own_columns = np.maximum(shape_of_letter, 0)
        best_shifts = by_shift[np.arange(len(letters)), :, own_columns].argmax(axis=1)
    own_shape = np.maximum(shape_of_letter, 0)
    shape_similarities = _compare_with_each_other(patches, shape_of_letter, best_shifts, shape_table)
    are_points = np.array([name in POINTS for name in shape_names])
    is_rival = (
        ~are_points[:, None] | are_points[None] if narrow_points else np.ones_like(shape_similarities, dtype=bool)
    )

    def measure_leads() -> Floats:
        return _measure_lead(np.where(is_rival[own_shape], similarities, -1), own_shape, shape_similarities)

    weak_letters = np.flatnonzero(
        (shape_of_letter < 0) | (measure_leads() < _CLEAR_LEAD) | (similarities.max(axis=1) < _CLEAR_SIMILARITY)
    )
    for vertical_shift in _VERTICAL_SHIFTS:
        moved_similarities = (
            _shift_patches(np.roll(patches[weak_letters], vertical_shift, axis=1), patch_width) @ shape_table
        )
        similarities[weak_letters] = np.maximum(similarities[weak_letters], moved_similarities.max(axis=1))
    return similarities, shape_names, measure_leads()


def _compare_with_each_other(
    patches: Floats, shape_of_letter: NDArray[np.int64], best_shifts: NDArray[np.int64], shape_table: Floats
) -> Floats:
    """Return how like the typical character of each shape is to each shape, at the best of all shifts."""
    typical_patches = []
    for k in range(shape_table.shape[1]):
        letters = np.flatnonzero(shape_of_letter == k)
        usual_shift = np.bincount(best_shifts[letters]).argmax()
        typical_patches.append(np.median(patches[letters[best_shifts[letters] == usual_shift][:400]], axis=0))
    patch_width = patches.shape[2] - 2 * _MAX_SHIFT
    similarities = [
        (_shift_patches(np.roll(np.stack(typical_patches), shift, axis=1), patch_width) @ shape_table).max(axis=1)
        for shift in (0, *_VERTICAL_SHIFTS)
    ]
    return np.asarray(np.max(similarities, axis=0), dtype=np.float32)


def _shift_patches(patches: Floats, wide: int) -> Floats:
    """Return patches at each sideways shift as vectors of mean 0 and length 1, fading towards the next characters."""
    edge_weights = np.minimum(np.arange(wide) + 0.5, wide - np.arange(wide) - 0.5) / (_FADE_WIDTH * wide)
    window = np.minimum(1, edge_weights).astype(np.float32)
    return np.stack(
        [_normalize_patches(patches[:, :, s : s + wide] * window) for s in range(2 * _MAX_SHIFT + 1)], axis=1
    )


def _normalize_patches(patches: Floats) -> Floats:
    """Return patches as vectors of mean 0 and length 1, shape (n, band * wide)."""
    flat_patches = patches.reshape(len(patches), patches.shape[1] * patches.shape[2])
    flat_patches = flat_patches - flat_patches.mean(axis=1, keepdims=True)
    return np.asarray(
        flat_patches / np.maximum(np.linalg.norm(flat_patches, axis=1, keepdims=True), 1e-6), dtype=np.float32
    )


def _build_verdicts(
    texts: Sequence[str],
    boxes: Sequence[Box],
    font: _Font,
    owner: Sequence[int],
    letters: Sequence[str],
    likes: Floats,
    shapes: list[str],
    ahead: Floats,
) -> list[ShapeReading]:
    rows_by_cell: dict[int, list[int]] = {}
    for row, k in enumerate(owner):
        rows_by_cell.setdefault(k, []).append(row)
    verdicts = []
    for k, text in enumerate(texts):
        rows = rows_by_cell.get(k)
        if rows is None or not shapes:
            verdicts.append(ShapeReading("", agrees=False, others=()))
            continue
        read_text, agrees, others = "", True, []
        for place, row in enumerate(rows):
            shape_order = np.argsort(-likes[row])
            likeliest = shapes[shape_order[0]]
            read_text += likeliest
            own_letter = letters[row]
            own_similarity = float(likes[row, shapes.index(own_letter)]) if own_letter in shapes else 0.0
            if likeliest != own_letter or own_similarity < _MIN_SIMILARITY or ahead[row] < _MIN_LEAD:
                agrees = False
                others += [
                    text[:place] + shapes[i] + text[place + 1 :] for i in shape_order[:3] if shapes[i] != own_letter
                ]
        width_error = boxes[k][2] - boxes[k][0] - font.width(text)
        lost_point = (
            len(text) > 1
            and not set(text) & set(POINTS)
            and width_error > max(_LOST_POINT_SHARE * font.point, 2 * font.spread)
        )
        if lost_point or abs(width_error) > font.tolerance:
            agrees = False
            others += _suggest_points(text, boxes[k][2] - boxes[k][0], font)
        verdicts.append(ShapeReading(read_text, agrees=agrees, others=tuple(dict.fromkeys(others))))
    return verdicts


def _measure_lead(likes: Floats, mine: NDArray[np.int64], common: Floats) -> Floats:
    """Return how far each character is on the way from the nearest other shape to its own."""
    rows = np.arange(len(likes))
    leads = (likes[rows, mine][:, None] - likes) / np.maximum(1 - common[mine], 1e-3)
    leads[rows, mine] = 1.0
    return np.asarray(leads.min(axis=1, initial=1.0))


def _suggest_points(text: str, wide: float, font: _Font) -> list[str]:
    """Return texts with a point more or less that fit a width better."""
    digits_only = text.replace(".", "").replace(",", "")
    candidate_texts = [digits_only, *(f"{digits_only[:k]}.{digits_only[k:]}" for k in range(1, len(digits_only)))]
    fitting_texts = [
        (abs(font.width(t) - wide), t)
        for t in candidate_texts
        if t != text and t and t[0] in font.left and t[-1] in font.right
    ]
    return [t for off, t in sorted(fitting_texts) if off < abs(font.width(text) - wide)][:3]
