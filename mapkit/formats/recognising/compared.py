"""The text of a PDF compared with what its page shows: another text may lie below the one that is seen.

Amounts of one text look alike on a page. What looks otherwise than the others of its text, and what shows nothing, is
not what its text says. Of the texts themselves some are read from the picture, so that each character was read twice: a
font may say other characters than it draws.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from mapkit.formats.marks import looks_like_amount
from mapkit.formats.pdf.word import Page, Word
from mapkit.formats.pixels import Pixels
from mapkit.formats.recognising.deskew import HIGH, Grey
from mapkit.formats.recognising.digits import SIGNS
from mapkit.formats.recognising.engine import can_recognise, read_lines

Floats = NDArray[np.float32]

_WIDE: Final = 2 * HIGH // 3
"""Pixels that a character is wide on average, in what is compared."""
_ALIKE: Final = 0.7
"""Characters that are less alike than this are others."""
_STILL: Final = ((0, 0),)
_NEXT: Final = 3
_SURELY: Final = 0.92
"""What is alike to this degree is the same."""
_INK: Final = 12.0
"""How much the light of a place varies at least where there is ink."""
_FEW: Final = 3
_TWICE: Final = 2
_SAMPLE: Final = 40
_MOST_READ: Final = 400
_ROOMS: Final = (0.25, 0.12, 0.05)
"""The room around a word that is read, in parts of its height: less where rules of cells are near."""
_SHIFTS: Final = tuple((down, right) for down in (0, -1, 1) for right in (0, -1, 1))
"""Boxes of words are good to a tenth of a point."""
_TURNS: Final = (0, 1, 3, 2)
_AGREE: Final = 0.9
_MARKS: Final = {ord(one): "-" for one in "\u2212\u2013\u2014"} | {
    ord(one): "" for one in f"{SIGNS} \u00a0\u2009\u202f"
}


class _Group(NamedTuple):
    """Words of one text, size and weight, and what they look like: shape (words, rows, columns), from 0 for paper."""

    text: str
    words: tuple[int, ...]
    looks: Floats


class _Parts(NamedTuple):
    """Looks in overlapping parts.

    Args:
        even: With the mean 0 and the length 1, shape (parts, looks, pixels).
        inks: How much the light of each varies, shape (looks, parts).
    """

    even: Floats
    inks: Floats


def compared(page: Page, grey: Grey, scale: float) -> Page:
    """Return a page of a PDF; its words that the picture does not show are not `seen`.

    Args:
        page: Its words.
        grey: Its picture, shape (height, width).
        scale: Pixels a point.
    """
    groups = list(_groups(page.words, grey, scale))
    unseen = {k for group in groups for k in _without_ink(group)} | set(_unlike(groups))
    if can_recognise():
        unseen |= _misread(page.words, groups, unseen, grey, scale)
    words = tuple(word._replace(seen=k not in unseen) for k, word in enumerate(page.words))
    return page._replace(words=words)


def _groups(words: Sequence[Word], grey: Grey, scale: float) -> Iterator[_Group]:
    found: dict[tuple[str, int, int, bool], list[int]] = defaultdict(list)
    for k, word in enumerate(words):
        if word.sure and word.upright and looks_like_amount(word.text):
            left, top, right, bottom = word.box
            found[word.text, round(word.size), word.weight, right - left < bottom - top].append(k)
    whole = Image.fromarray(grey)
    for (text, _, _, sideways), members in sorted(found.items()):
        size = (HIGH, _WIDE * len(text)) if sideways else (_WIDE * len(text), HIGH)
        boxes = np.array([words[k].box for k in members]) * scale
        looks = _looks(whole, boxes, size)
        if len(members) >= _FEW:  # boxes of words are good to a tenth of a point, ink to less than a pixel
            off = _middles(looks)
            off = (off - np.median(off, axis=0)) * (boxes[:, 2:] - boxes[:, :2]) / size
            looks = _looks(whole, boxes + np.tile(off, 2), size)
        yield _Group(text, tuple(members), np.swapaxes(looks, 1, 2) if sideways else looks)


def _looks(whole: Image.Image, boxes: NDArray[np.float64], size: tuple[int, int]) -> Floats:
    """Return what is in boxes, each in a size of pixels, from 0 for paper; what lies off the page is left out."""
    most = np.array((whole.width, whole.height), dtype=np.float64)
    low = np.clip(boxes[:, :2], 0.0, most - 1.0)
    high = np.clip(boxes[:, 2:], low + 1.0, most)
    pieces = b"".join(
        whole.resize(size, Image.Resampling.BILINEAR, box=tuple(box)).tobytes()
        for box in np.hstack((low, high)).tolist()
    )
    light = np.frombuffer(pieces, dtype=np.uint8).reshape(len(boxes), size[1], size[0])
    return np.float32(255.0) - light.astype(np.float32)


def _middles(looks: Floats) -> NDArray[np.float64]:
    """Return the middle of the ink of each look, x and y in pixels."""
    ink = looks - looks.min(axis=(1, 2), keepdims=True)
    total = np.maximum(ink.sum(axis=(1, 2)), 1e-6)
    x = (ink.sum(axis=1) * np.arange(looks.shape[2])).sum(axis=1) / total
    y = (ink.sum(axis=2) * np.arange(looks.shape[1])).sum(axis=1) / total
    return np.column_stack((x, y)).astype(np.float64)


def _piece(grey: Grey, word: Word, scale: float, room: float = 0.0) -> Image.Image:
    """Return the picture of a word, with a part of its height around it."""
    left, top, right, bottom = (side * scale for side in word.box)
    room *= min(right - left, bottom - top)
    high, wide = grey.shape
    x0, y0 = (min(max(0, int(side - room)), most - 1) for side, most in ((left, wide), (top, high)))
    x1, y1 = (max(int(side + room) + 1, low + 1) for side, low in ((right, x0), (bottom, y0)))
    return Image.fromarray(grey[y0:y1, x0:x1])


def _without_ink(group: _Group) -> Iterator[int]:
    yield from (k for k, look in zip(group.words, group.looks, strict=True) if look.std() < _INK)


def _unlike(groups: Sequence[_Group]) -> Iterator[int]:
    """Yield the words that are not as most words of their text, or more like those of another."""
    large = [group for group in groups if len(group.words) >= _FEW]
    medians = [np.median(group.looks, axis=0) for group in large]
    models = [_model(median, _SHIFTS) for median in medians]
    alike_in_size: dict[tuple[int, ...], list[int]] = defaultdict(list)
    for k, median in enumerate(medians):
        alike_in_size[median.shape].append(k)
    wholes = {
        size: _even(np.stack([medians[k] for k in those]).reshape(len(those), -1))
        for size, those in alike_in_size.items()
    }
    for group, median, own in zip(large, medians, models, strict=True):
        far = np.flatnonzero(_alike(_parts(group.looks), _model(median, _STILL)) < _SURELY)
        if not len(far):
            continue
        parts = _parts(group.looks[far])
        alike = _alike(parts, own)
        those = alike_in_size[median.shape]
        same = [large[k].text == group.text for k in those]
        near = _nearest(group.looks[far], wholes[median.shape], np.array(same))
        wrong = (alike < _ALIKE) | (_most_alike(parts, near, [models[k] for k in those]) > alike)
        yield from (group.words[k] for k in far[wrong].tolist())


def _nearest(looks: Floats, wholes: Floats, same: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return for each look the few models that are most like it as a whole, shape (looks, `_NEXT` at most); -1 is none.

    Args:
        looks: Shape (looks, rows, columns).
        wholes: The models, with the mean 0 and the length 1, shape (models, pixels).
        same: Which of them are models of the text of the looks; those do not count.
    """
    likes = _even(looks.reshape(len(looks), -1)) @ wholes.T
    likes[:, same] = -np.inf
    near = np.argsort(-likes, axis=1, kind="stable")[:, :_NEXT]
    return np.where(same[near], -1, near)


def _most_alike(parts: _Parts, near: NDArray[np.int64], models: Sequence[_Parts]) -> NDArray[np.float64]:
    """Return how alike looks are to those of a few models that are most like them; -1 without any."""
    most = np.full(len(parts.inks), -1.0)
    for k in np.unique(near[near >= 0]).tolist():
        those = np.flatnonzero((near == k).any(axis=1))
        alike = _alike(_Parts(parts.even[:, those], parts.inks[those]), models[k])
        most[those] = np.maximum(most[those], alike)
    return most


def _even(rows: Floats) -> Floats:
    """Return rows with the mean 0 and the length 1."""
    rows = rows - rows.mean(axis=-1, keepdims=True)
    return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=-1, keepdims=True), 1e-6))


def _parts(looks: Floats) -> _Parts:
    """Return looks cut into overlapping parts as wide as a character.

    Args:
        looks: Shape (looks, rows, columns).
    """
    starts = range(0, looks.shape[2] - _WIDE + 1, _WIDE // 2)
    cut = np.stack([looks[:, :, start : start + _WIDE].reshape(len(looks), -1) for start in starts])
    return _Parts(_even(cut), cut.std(axis=2).T)


def _model(look: Floats, shifts: Sequence[tuple[int, int]]) -> _Parts:
    """Return a look, at each of some places, as parts; what ink varies is that of the first.

    Args:
        look: Shape (rows, columns).
        shifts: Pixels down and right by which a character may lie otherwise.
    """
    return _parts(np.stack([np.roll(look, shift, (0, 1)) for shift in shifts]))


def _alike(parts: _Parts, model: _Parts) -> NDArray[np.float64]:
    """Return how alike each look is to a model where it is so least, as far as a character is wide; from 0 to 1."""
    likes = np.abs(parts.even @ model.even.swapaxes(1, 2)).max(axis=2).T
    least = np.where(np.maximum(parts.inks, model.inks[0]) >= _INK, likes, 1.0).min(axis=1, initial=1.0)
    return np.asarray(least, dtype=np.float64)


def _misread(words: Sequence[Word], groups: Sequence[_Group], unseen: set[int], grey: Grey, scale: float) -> set[int]:
    """Return the words whose text is not what was read of it; if there are any in a sample, all texts are read."""
    one_of = [next((k for k in group.words if k not in unseen and _has_digit(words[k])), None) for group in groups]
    known = [k for k in one_of if k is not None]
    if not known or not _differing(words, _sample(words, groups, known), grey, scale):
        return set()
    wrong = _differing(words, known[:_MOST_READ], grey, scale)
    return {k for group in groups for k in group.words if words[k].text in wrong}


def _differing(words: Sequence[Word], some: Sequence[int], grey: Grey, scale: float) -> set[str]:
    """Return the texts of words of which the picture says something else.

    Where a reading has fewer characters, some were lost: the word is read again, with less around it.
    """
    out: set[str] = set()
    left = list(some)
    for room in _ROOMS:
        texts = [_plain(words[k].text) for k in left]
        signs = "".join(sign for sign in SIGNS if any(sign in words[k].text for k in left))
        said = _best_read([_piece(grey, words[k], scale, room) for k in left], texts, signs) if left else []
        wrong = [(k, text, one) for k, text, one in zip(left, texts, said, strict=True) if one != text]
        left = [k for k, text, one in wrong if len(one) < len(text)]
        out |= {words[k].text for k, text, one in wrong if len(one) >= len(text)}
    return out | {words[k].text for k in left}


def _has_digit(word: Word) -> bool:
    return any(map(str.isdigit, word.text))


def _plain(text: str) -> str:
    return text.translate(_MARKS).replace(",", ".")


def _sample(words: Sequence[Word], groups: Sequence[_Group], known: Sequence[int]) -> list[int]:
    """Return words that have each character twice, and those whose text few others have."""
    count = {k: len(group.words) for group in groups for k in group.words}
    need = Counter(letter for k in known for letter in set(words[k].text))
    got: Counter[str] = Counter()
    out = []
    for k in sorted(known, key=lambda k: (count[k] >= _FEW, k)):
        letters = set(words[k].text)
        if count[k] < _FEW or any(got[one] < min(_TWICE, need[one]) for one in letters):
            out.append(k)
            got.update(letters)
    return out[:_SAMPLE]


def _best_read(crops: Sequence[Image.Image], texts: Sequence[str], signs: str) -> list[str]:
    """Return what the crops say, turned by right angles so that most of them say what they are to.

    Args:
        crops: Pictures of words.
        texts: What they are to say.
        signs: Signs of currencies that the words have; a reader that knows none takes a `$` for an 8.
    """
    best: list[str] = []
    most = -1
    for turn in _TURNS:
        read = [
            _plain(one.text.strip())
            for one in read_lines([_line(crop, turn) for crop in crops], only=f"0123456789.,-{signs}")
        ]
        agree = sum(one == _plain(text) for one, text in zip(read, texts, strict=True))
        if agree > most:
            best, most = read, agree
        if agree >= _AGREE * len(texts):
            break
    return best


def _line(crop: Image.Image, turn: int) -> Pixels:
    grey = np.rot90(np.asarray(crop), turn)
    return np.ascontiguousarray(np.repeat(grey[:, :, None], 3, axis=2))
