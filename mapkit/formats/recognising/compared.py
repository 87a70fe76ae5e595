"""Comparison of a PDF's text with the picture of its page, since hidden text may differ from the visible.

Words of equal text look alike on a page. A word that looks different from the others, or shows nothing, is not what its
text says. A sample of texts is also recognised from the picture, so that each character is read twice: a font may map
its shapes to other characters.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from mapkit.formats.marks import VULGAR, looks_like_amount
from mapkit.formats.pdf.word import Page, Word
from mapkit.formats.pixels import Pixels
from mapkit.formats.recognising.deskew import HIGH, Grey
from mapkit.formats.recognising.digits import SIGNS
from mapkit.formats.recognising.engine import can_recognise, read_lines

Floats = NDArray[np.float32]

_CHARACTER_WIDTH: Final = 2 * HIGH // 3
"""Average width of a character in compared pictures, pixels."""
_MIN_SIMILARITY: Final = 0.7
"""Characters that are less alike than this are others."""
_NO_SHIFT: Final = ((0, 0),)
_NEAREST_MODELS: Final = 3
_SURE_SIMILARITY: Final = 0.92
"""Pictures with this similarity are the same."""
_MIN_INK: Final = 12.0
"""How much the light of a place varies at least where there is ink."""
_FEW_WORDS: Final = 3
_SAMPLES_PER_LETTER: Final = 2
_SAMPLE_SIZE: Final = 40
_MOST_READ: Final = 400
_MARGINS: Final = (0.25, 0.12, 0.05)
"""The room around a word that is read, in parts of its height: less where rules of cells are near."""
_SHIFTS: Final = tuple((down, right) for down in (0, -1, 1) for right in (0, -1, 1))
"""Boxes of words are good to a tenth of a point."""
_TURNS: Final = (0, 1, 3, 2)
_AGREEING_SHARE: Final = 0.9
_FRACTION_TAIL: Final = re.compile(f"([{''.join(VULGAR)}])/?\\d$")
_MARKS: Final = {ord(one): "-" for one in "\u2212\u2013\u2014"} | {
    ord(one): "" for one in f"{SIGNS} \u00a0\u2009\u202f\u2019'*\u2020\u2021"
}
_GROUPED: Final = re.compile("\\d[\u2019']\\d{3}")
"""An amount with apostrophes, which the recogniser takes for points or leaves out."""


class _Group(NamedTuple):
    """Words of equal text, size and weight, and their pictures: shape (words, rows, columns), 0 for paper."""

    text: str
    words: tuple[int, ...]
    looks: Floats


class _Parts(NamedTuple):
    """Pictures of words in overlapping parts.

    Args:
        even: With the mean 0 and the length 1, shape (parts, looks, pixels).
        inks: How much the light of each varies, shape (looks, parts).
    """

    even: Floats
    inks: Floats


def compare_with_picture(page: Page, grey: Grey, scale: float) -> Page:
    """Return a page of a PDF; words that the picture does not show are not `seen`.

    Args:
        page: Its words.
        grey: Its picture, shape (height, width).
        scale: Pixels a point.
    """
    groups = list(_group_words(page.words, grey, scale))
    unseen_words = {k for group in groups for k in _find_without_ink(group)} | set(_find_unlike(groups))
    if can_recognise():
        unseen_words |= _find_misread(page.words, groups, unseen_words, grey, scale)
    words = tuple(word._replace(seen=k not in unseen_words) for k, word in enumerate(page.words))
    return page._replace(words=words)


def _group_words(words: Sequence[Word], grey: Grey, scale: float) -> Iterator[_Group]:
    members_by_look: dict[tuple[str, int, int, bool], list[int]] = defaultdict(list)
    for k, word in enumerate(words):
        if word.sure and word.upright and looks_like_amount(word.text):
            left, top, right, bottom = word.box
            members_by_look[word.text, round(word.size), word.weight, right - left < bottom - top].append(k)
    page_image = Image.fromarray(grey)
    for (text, _, _, sideways), members in sorted(members_by_look.items()):
        size = (HIGH, _CHARACTER_WIDTH * len(text)) if sideways else (_CHARACTER_WIDTH * len(text), HIGH)
        boxes = np.array([words[k].box for k in members]) * scale
        looks = _crop_looks(page_image, boxes, size)
        if len(members) >= _FEW_WORDS:  # boxes of words are good to a tenth of a point, ink to less than a pixel
            ink_offsets = _ink_centres(looks)
            ink_offsets = (ink_offsets - np.median(ink_offsets, axis=0)) * (boxes[:, 2:] - boxes[:, :2]) / size
            looks = _crop_looks(page_image, boxes + np.tile(ink_offsets, 2), size)
        yield _Group(text, tuple(members), np.swapaxes(looks, 1, 2) if sideways else looks)


def _crop_looks(whole: Image.Image, boxes: NDArray[np.float64], size: tuple[int, int]) -> Floats:
    """Return the pictures in boxes, each resized, with 0 for paper; parts off the page are left out."""
    page_size = np.array((whole.width, whole.height), dtype=np.float64)
    low_corners = np.clip(boxes[:, :2], 0.0, page_size - 1.0)
    high_corners = np.clip(boxes[:, 2:], low_corners + 1.0, page_size)
    piece_bytes = b"".join(
        whole.resize(size, Image.Resampling.BILINEAR, box=tuple(box)).tobytes()
        for box in np.hstack((low_corners, high_corners)).tolist()
    )
    light_levels = np.frombuffer(piece_bytes, dtype=np.uint8).reshape(len(boxes), size[1], size[0])
    return np.float32(255.0) - light_levels.astype(np.float32)


def _ink_centres(looks: Floats) -> NDArray[np.float64]:
    """Return the centre of the ink of each picture, x and y in pixels."""
    ink = looks - looks.min(axis=(1, 2), keepdims=True)
    total_ink = np.maximum(ink.sum(axis=(1, 2)), 1e-6)
    x = (ink.sum(axis=1) * np.arange(looks.shape[2])).sum(axis=1) / total_ink
    y = (ink.sum(axis=2) * np.arange(looks.shape[1])).sum(axis=1) / total_ink
    return np.column_stack((x, y)).astype(np.float64)


def _crop_word(grey: Grey, word: Word, scale: float, room: float = 0.0) -> Image.Image:
    """Return the picture of a word, with a margin of a fraction of its height."""
    left, top, right, bottom = (side * scale for side in word.box)
    room *= min(right - left, bottom - top)
    page_height, page_width = grey.shape
    x0, y0 = (min(max(0, int(side - room)), most - 1) for side, most in ((left, page_width), (top, page_height)))
    x1, y1 = (max(int(side + room) + 1, low + 1) for side, low in ((right, x0), (bottom, y0)))
    return Image.fromarray(grey[y0:y1, x0:x1])


def _find_without_ink(group: _Group) -> Iterator[int]:
    yield from (k for k, look in zip(group.words, group.looks, strict=True) if look.std() < _MIN_INK)


def _find_unlike(groups: Sequence[_Group]) -> Iterator[int]:
    """Yield the words that differ from most words of their text, or resemble those of another text more."""
    large_groups = [group for group in groups if len(group.words) >= _FEW_WORDS]
    medians = [np.median(group.looks, axis=0) for group in large_groups]
    shifted_models = [_build_model(median, _SHIFTS) for median in medians]
    alike_in_size: dict[tuple[int, ...], list[int]] = defaultdict(list)
    for k, median in enumerate(medians):
        alike_in_size[median.shape].append(k)
    normalized_medians = {
        size: _normalize_rows(np.stack([medians[k] for k in same_size]).reshape(len(same_size), -1))
        for size, same_size in alike_in_size.items()
    }
    for group, median, own_model in zip(large_groups, medians, shifted_models, strict=True):
        far_looks = np.flatnonzero(
            _least_similarity(_split_looks(group.looks), _build_model(median, _NO_SHIFT)) < _SURE_SIMILARITY
        )
        if not len(far_looks):
            continue
        parts = _split_looks(group.looks[far_looks])
        own_similarity = _least_similarity(parts, own_model)
        same_size = alike_in_size[median.shape]
        is_same_text = [large_groups[k].text == group.text for k in same_size]
        near_models = _nearest_models(group.looks[far_looks], normalized_medians[median.shape], np.array(is_same_text))
        is_wrong = (own_similarity < _MIN_SIMILARITY) | (
            _best_similarity(parts, near_models, [shifted_models[k] for k in same_size]) > own_similarity
        )
        yield from (group.words[k] for k in far_looks[is_wrong].tolist())


def _nearest_models(looks: Floats, wholes: Floats, same: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return for each picture the few models most similar as a whole, shape (looks, `_NEXT` at most); -1 is none.

    Args:
        looks: Shape (looks, rows, columns).
        wholes: The models, with the mean 0 and the length 1, shape (models, pixels).
        same: Which of them are models of the text of the looks; those do not count.
    """
    similarities = _normalize_rows(looks.reshape(len(looks), -1)) @ wholes.T
    similarities[:, same] = -np.inf
    near_models = np.argsort(-similarities, axis=1, kind="stable")[:, :_NEAREST_MODELS]
    return np.where(same[near_models], -1, near_models)


def _best_similarity(parts: _Parts, near: NDArray[np.int64], models: Sequence[_Parts]) -> NDArray[np.float64]:
    """Return the similarity of pictures to the best of their few nearest models; -1 without any."""
    best_similarity = np.full(len(parts.inks), -1.0)
    for k in np.unique(near[near >= 0]).tolist():
        look_indices = np.flatnonzero((near == k).any(axis=1))
        model_similarity = _least_similarity(_Parts(parts.even[:, look_indices], parts.inks[look_indices]), models[k])
        best_similarity[look_indices] = np.maximum(best_similarity[look_indices], model_similarity)
    return best_similarity


def _normalize_rows(rows: Floats) -> Floats:
    """Return rows normalised to mean 0 and length 1."""
    rows = rows - rows.mean(axis=-1, keepdims=True)
    return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=-1, keepdims=True), 1e-6))


def _split_looks(looks: Floats) -> _Parts:
    """Split pictures into overlapping parts as wide as a character.

    Args:
        looks: Shape (looks, rows, columns).
    """
    part_starts = range(0, looks.shape[2] - _CHARACTER_WIDTH + 1, _CHARACTER_WIDTH // 2)
    stacked_parts = np.stack(
        [looks[:, :, start : start + _CHARACTER_WIDTH].reshape(len(looks), -1) for start in part_starts]
    )
    return _Parts(_normalize_rows(stacked_parts), stacked_parts.std(axis=2).T)


def _build_model(look: Floats, shifts: Sequence[tuple[int, int]]) -> _Parts:
    """Return a picture at each of several shifts, as parts; the variation of ink is that of the first.

    Args:
        look: Shape (rows, columns).
        shifts: Pixels down and right by which a character may lie otherwise.
    """
    return _split_looks(np.stack([np.roll(look, shift, (0, 1)) for shift in shifts]))


def _least_similarity(parts: _Parts, model: _Parts) -> NDArray[np.float64]:
    """Return the similarity of each picture to a model in its least similar part, from 0 to 1."""
    similarities = np.abs(parts.even @ model.even.swapaxes(1, 2)).max(axis=2).T
    least_similarity = np.where(np.maximum(parts.inks, model.inks[0]) >= _MIN_INK, similarities, 1.0).min(
        axis=1, initial=1.0
    )
    return np.asarray(least_similarity, dtype=np.float64)


def _find_misread(
    words: Sequence[Word], groups: Sequence[_Group], unseen: set[int], grey: Grey, scale: float
) -> set[int]:
    """Return the words with a different reading; all texts are read only if a sample shows a difference."""
    first_seen = [
        next((k for k in group.words if k not in unseen and any(map(str.isdigit, words[k].text))), None)
        for group in groups
    ]
    known_words = [k for k in first_seen if k is not None]
    if not known_words or not _find_differing(words, _choose_sample(words, groups, known_words), grey, scale):
        return set()
    wrong_texts = _find_differing(words, known_words[:_MOST_READ], grey, scale)
    return {k for group in groups for k in group.words if words[k].text in wrong_texts}


def _find_differing(words: Sequence[Word], some: Sequence[int], grey: Grey, scale: float) -> set[str]:
    """Return the texts of words that the picture contradicts.

    If a reading has fewer characters, some were lost, and the word is read again with a smaller margin.
    """
    differing_texts: set[str] = set()
    remaining_words = list(some)
    for room in _MARGINS:
        texts = [_normalize_text(words[k].text) for k in remaining_words]
        signs = "".join(sign for sign in f"{SIGNS}/Kk" if any(sign in words[k].text for k in remaining_words))
        if any(letter in words[k].text for k in remaining_words for letter in VULGAR):
            signs += "".join(VULGAR)
        read_texts = (
            _read_best_turn([_crop_word(grey, words[k], scale, room) for k in remaining_words], texts, signs)
            if remaining_words
            else []
        )
        wrong_readings = [
            (k, text, read_text)
            for k, text, read_text in zip(remaining_words, texts, read_texts, strict=True)
            if read_text != text and not (_GROUPED.search(words[k].text) and read_text.replace(".", "") == text)
        ]
        remaining_words = [k for k, text, read_text in wrong_readings if len(read_text) < len(text)]
        differing_texts |= {words[k].text for k, text, read_text in wrong_readings if len(read_text) >= len(text)}
    return differing_texts | {words[k].text for k in remaining_words}


def _normalize_text(text: str) -> str:
    """Return a text as readings are compared: a fraction's 2 may be read once more, behind the whole sign."""
    return _FRACTION_TAIL.sub(r"\1", text.translate(_MARKS).replace(",", "."))


def _choose_sample(words: Sequence[Word], groups: Sequence[_Group], known: Sequence[int]) -> list[int]:
    """Return words that cover each character twice, and those with rare texts."""
    group_size = {k: len(group.words) for group in groups for k in group.words}
    needed_letters = Counter(letter for k in known for letter in set(words[k].text))
    sampled_letters: Counter[str] = Counter()
    sample_words = []
    for k in sorted(known, key=lambda k: (group_size[k] >= _FEW_WORDS, k)):
        letters = set(words[k].text)
        if group_size[k] < _FEW_WORDS or any(
            sampled_letters[letter] < min(_SAMPLES_PER_LETTER, needed_letters[letter]) for letter in letters
        ):
            sample_words.append(k)
            sampled_letters.update(letters)
    return sample_words[:_SAMPLE_SIZE]


def _read_best_turn(crops: Sequence[Image.Image], texts: Sequence[str], signs: str) -> list[str]:
    """Return the readings of crops, turned by right angles so that most match their texts.

    Args:
        crops: Pictures of words.
        texts: What they are to say.
        signs: Signs of currencies that the words have; a reader that knows none takes a `$` for an 8.
    """
    best_texts: list[str] = []
    most_agreeing = -1
    for turn in _TURNS:
        read_texts = [
            _halve(_normalize_text(read_text.text.strip()))
            if len(text) == 1
            else _normalize_text(read_text.text.strip())
            for text, read_text in zip(
                texts,
                read_lines(
                    [
                        _turn_crop(crop, turn, copies=1 + (len(text) == 1))
                        for crop, text in zip(crops, texts, strict=True)
                    ],
                    only=f"0123456789.,-{signs}",
                ),
                strict=True,
            )
        ]
        agreeing_count = sum(
            read_text == _normalize_text(text) for read_text, text in zip(read_texts, texts, strict=True)
        )
        if agreeing_count > most_agreeing:
            best_texts, most_agreeing = read_texts, agreeing_count
        if agreeing_count >= _AGREEING_SHARE * len(texts):
            break
    return best_texts


def _halve(text: str) -> str:
    """Return the reading of one of two equal characters, or the text if they were read differently."""
    return text[0] if len(text) == 2 and text[0] == text[1] else text  # noqa: PLR2004


def _turn_crop(crop: Image.Image, turn: int, copies: int) -> Pixels:
    """Return a crop turned, and repeated: a character alone is often misread."""
    grey = np.tile(np.rot90(np.asarray(crop), turn), (1, copies))
    return np.ascontiguousarray(np.repeat(grey[:, :, None], 3, axis=2))
