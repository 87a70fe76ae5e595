"""A second reader of amounts, unlike the first: shapes of characters, learned from the page itself.

A chart has thousands of characters in one font. From the cells that the recogniser is sure of, the mean shape of each
digit, its width and the room around it are learned. Each character of each cell is then compared with all shapes, and
the width of each cell with that of its text. A reading that the shapes do not confirm is doubtful.
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
_KNOWN: Final = DIGITS + POINTS + SIGNS
_BAND: Final = round(1.3 * HIGH)
_SHIFT: Final = 2
"""Pixels by which a character may stand beside its place."""
_ENOUGH: Final = 5
"""Characters: a shape that was seen less often says nothing."""
_SURE: Final = 0.9
_ROUNDS: Final = 3
_ALIKE: Final = 0.72
_AHEAD: Final = 0.2
"""How far a character is on the way from the likest other shape to its own, 1 is all of it."""
_CLEAR: Final = 0.6
_LIKE: Final = 0.85
"""Characters that are ahead less, or less alike, are compared higher and lower too."""
_DOWN: Final = (-2, -1, 1, 2)
_FADE: Final = 0.12
"""At its sides a character fades out, so that those beside it do not count; a part of its width."""
_WIDTH_OFF: Final = 0.13
_LOST: Final = 0.25
"""Several digits that are wider than they should be, by more than this part of a point, may have lost one."""


class Verdict(NamedTuple):
    """What the shapes say of a cell.

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
    """What is known of the characters of a page: advance of digits and points, and how far ink reaches from middles."""

    digit: float
    point: float
    left: dict[str, float]
    right: dict[str, float]
    spread: float

    def middles(self, text: str) -> list[float]:
        """Return the middles of the characters of a text, from the left end of its ink."""
        at, out = self.left[text[0]], []
        for k, letter in enumerate(text):
            if k:
                before = self.point if text[k - 1] in POINTS else self.digit
                own = self.point if letter in POINTS else self.digit
                at += (before + own) / 2
            out.append(at)
        return out

    def width(self, text: str) -> float:
        """Return how wide the ink of a text is."""
        return self.middles(text)[-1] + self.right[text[-1]]


def second_readings(grey: Grey, boxes: Sequence[Box], texts: Sequence[str], sure: Sequence[float]) -> list[Verdict]:
    """Return what shapes say of cells.

    Args:
        grey: A level page.
        boxes: The ink of each cell.
        texts: What the recogniser read.
        sure: How sure it is, from 0 to 1.
    """
    good = [k for k, text in enumerate(texts) if text and set(text) <= set(_KNOWN)]
    font = _font_of([(texts[k], boxes[k]) for k in good if sure[k] > _SURE])
    if font is None:
        return [Verdict("", agrees=False, others=()) for _ in texts]
    known = [k for k in good if texts[k][0] in font.left and texts[k][-1] in font.right]
    owner: list[int] = []
    letters: list[str] = []
    places: list[tuple[float, float]] = []
    for k in known:
        left, top, right, bottom = boxes[k]
        stretch = (right - left - font.width(texts[k])) / 2  # what is off is shared by both ends
        for at, letter in zip(font.middles(texts[k]), texts[k], strict=True):
            owner.append(k)
            letters.append(letter)
            places.append((left + stretch + at, (top + bottom) / 2))
    patches = _patches(grey, places, round(font.digit))
    likes, shapes, ahead = _compared(patches, letters, [sure[k] for k in owner])
    return _verdicts(texts, boxes, font, owner, letters, likes, shapes, ahead)


def _font_of(cells: Sequence[tuple[str, Box]]) -> _Font | None:
    """Return what the widths of cells tell: least squares over their first, last and inner characters."""
    cells = [(text, box) for text, box in cells if len(text) < 8]  # noqa: PLR2004 - longer ones are no single amounts
    firsts, lasts = sorted({text[0] for text, _ in cells}), sorted({text[-1] for text, _ in cells})
    size = 2 + len(firsts) + len(lasts)
    if len(cells) < size:
        return None
    rows = np.zeros((len(cells), size))
    widths = np.array([box[2] - box[0] for _, box in cells], dtype=float)
    for r, (text, _) in enumerate(cells):
        kinds = [letter in POINTS for letter in text]
        halves = [1.0] * len(text)
        halves[0] -= 0.5
        halves[-1] -= 0.5
        for point, part in zip(kinds, halves, strict=True):
            rows[r, int(point)] += part
        rows[r, 2 + firsts.index(text[0])] += 1
        rows[r, 2 + len(firsts) + lasts.index(text[-1])] += 1
    kept = np.ones(len(cells), dtype=bool)
    answer = np.zeros(size)
    aim = np.concatenate(([0.8 * HIGH, 0.4 * HIGH], np.full(size - 2, 0.35 * HIGH)))
    for _ in range(3):
        weak = 0.05 * np.eye(size)
        left = rows[kept].T @ rows[kept] + weak
        answer = np.linalg.solve(left, rows[kept].T @ widths[kept] + weak @ aim)
        off = np.abs(rows @ answer - widths)
        kept = off <= max(1.5, 4 * float(np.median(off)))
    spread = float(np.median(np.abs(rows @ answer - widths)))
    return _Font(
        float(answer[0]),
        float(answer[1]),
        dict(zip(firsts, answer[2:].tolist(), strict=False)),
        dict(zip(lasts, answer[2 + len(firsts) :].tolist(), strict=True)),
        spread,
    )


def _patches(grey: Grey, places: Sequence[tuple[float, float]], wide: int) -> Floats:
    """Return the darkness around each place, with room to shift sideways: shape (n, band, wide + 2 * shift)."""
    reach_x, reach_y = wide // 2 + _SHIFT, _BAND // 2
    padded = np.pad(255 - grey, ((reach_y, reach_y), (reach_x, reach_x)))
    out = np.empty((len(places), 2 * reach_y, 2 * reach_x), dtype=np.float32)
    for k, (x, y) in enumerate(places):
        left, top = round(x), round(y)
        left = min(max(left, 0), grey.shape[1])
        top = min(max(top, 0), grey.shape[0])
        out[k] = padded[top : top + 2 * reach_y, left : left + 2 * reach_x]
    return out


def _compared(patches: Floats, letters: Sequence[str], sure: Sequence[float]) -> tuple[Floats, list[str], Floats]:
    """Compare characters with the mean shapes of all.

    Returns:
        How like each is to each shape, from -1 to 1, shape (n, shapes); the shapes' names; how far each is ahead.
    """
    names = sorted(letter for letter, count in Counter(letters).items() if count >= _ENOUGH)
    if not names:
        return np.zeros((len(letters), 0), dtype=np.float32), [], np.zeros(len(letters), dtype=np.float32)
    wide = patches.shape[2] - 2 * _SHIFT
    shifted = _shifted(patches, wide)
    at = np.array([names.index(letter) if letter in names else -1 for letter in letters])
    trusted = np.array(sure) > _SURE
    best = np.full(len(letters), _SHIFT)
    likes = np.zeros((len(letters), len(names)), dtype=np.float32)
    common = np.eye(len(names), dtype=np.float32)
    for _ in range(_ROUNDS):
        own = shifted[np.arange(len(letters)), best]
        shapes = []
        for k in range(len(names)):
            chosen = own[(at == k) & trusted] if ((at == k) & trusted).any() else own[at == k]
            shapes.append(_unit(np.median(chosen[:400], axis=0)[None].reshape(1, -1, wide))[0])
        table = np.stack(shapes).T
        common = table.T @ table
        by_shift = shifted @ table  # n, shifts, shapes
        likes = by_shift.max(axis=1)
        mine = np.maximum(at, 0)
        best = by_shift[np.arange(len(letters)), :, mine].argmax(axis=1)
    own_shape = np.maximum(at, 0)
    weak = np.flatnonzero((at < 0) | (_ahead(likes, own_shape, common) < _CLEAR) | (likes.max(axis=1) < _LIKE))
    for down in _DOWN:
        moved = _shifted(np.roll(patches[weak], down, axis=1), wide) @ table
        likes[weak] = np.maximum(likes[weak], moved.max(axis=1))
    return likes, names, _ahead(likes, own_shape, common)


def _shifted(patches: Floats, wide: int) -> Floats:
    """Return patches at each place sideways as vectors of mean 0 and length 1, fading towards the next characters."""
    edge = np.minimum(np.arange(wide) + 0.5, wide - np.arange(wide) - 0.5) / (_FADE * wide)
    window = np.minimum(1, edge).astype(np.float32)
    return np.stack([_unit(patches[:, :, s : s + wide] * window) for s in range(2 * _SHIFT + 1)], axis=1)


def _unit(patches: Floats) -> Floats:
    """Return patches as vectors of mean 0 and length 1, shape (n, band * wide)."""
    flat = patches.reshape(len(patches), -1)
    flat = flat - flat.mean(axis=1, keepdims=True)
    return np.asarray(flat / np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), 1e-6), dtype=np.float32)


def _verdicts(
    texts: Sequence[str],
    boxes: Sequence[Box],
    font: _Font,
    owner: Sequence[int],
    letters: Sequence[str],
    likes: Floats,
    shapes: list[str],
    ahead: Floats,
) -> list[Verdict]:
    said: dict[int, list[int]] = {}
    for row, k in enumerate(owner):
        said.setdefault(k, []).append(row)
    out = []
    for k, text in enumerate(texts):
        rows = said.get(k)
        if rows is None or not shapes:
            out.append(Verdict("", agrees=False, others=()))
            continue
        read, agrees, others = "", True, []
        for place, row in enumerate(rows):
            order = np.argsort(-likes[row])
            first = shapes[order[0]]
            read += first
            own = letters[row]
            alike = float(likes[row, shapes.index(own)]) if own in shapes else 0.0
            if first != own or alike < _ALIKE or ahead[row] < _AHEAD:
                agrees = False
                others += [text[:place] + shapes[i] + text[place + 1 :] for i in order[:3] if shapes[i] != own]
        off = boxes[k][2] - boxes[k][0] - font.width(text)
        lost = len(text) > 1 and not set(text) & set(POINTS) and off > max(_LOST * font.point, 2 * font.spread)
        if lost or abs(off) > max(_WIDTH_OFF * HIGH, 4 * font.spread):
            agrees = False
            others += _other_widths(text, boxes[k][2] - boxes[k][0], font)
        out.append(Verdict(read, agrees=agrees, others=tuple(dict.fromkeys(others))))
    return out


def _ahead(likes: Floats, mine: NDArray[np.int64], common: Floats) -> Floats:
    """Return how far each character is on the way from another shape to its own, for the other that is nearest."""
    rows = np.arange(len(likes))
    way = (likes[rows, mine][:, None] - likes) / np.maximum(1 - common[mine], 1e-3)
    way[rows, mine] = 1.0
    return np.asarray(way.min(axis=1, initial=1.0))


def _other_widths(text: str, wide: float, font: _Font) -> list[str]:
    """Return texts with a point more or less that fit a width better."""
    bare = text.replace(".", "").replace(",", "")
    tries = [bare, *(f"{bare[:k]}.{bare[k:]}" for k in range(1, len(bare)))]
    fits = [
        (abs(font.width(t) - wide), t) for t in tries if t != text and t and t[0] in font.left and t[-1] in font.right
    ]
    return [t for off, t in sorted(fits) if off < abs(font.width(text) - wide)][:3]
