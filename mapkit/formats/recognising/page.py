"""Words of a page in a picture: found by their ink, read one by one, amounts twice."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mapkit.core import heavy
from mapkit.formats.marks import UNREAD, looks_like_amount
from mapkit.formats.pdf.word import Page, Word
from mapkit.formats.pixels import Pixels
from mapkit.formats.recognising.boxes import Box
from mapkit.formats.recognising.columns import ReadWord, mark_column_cells
from mapkit.formats.recognising.components import STANDING, Components, TiltedWord, find_components
from mapkit.formats.recognising.deskew import HIGH, DeskewedPage, Grey, deskew_page, straighten_lines
from mapkit.formats.recognising.digits import DIGITS, POINTS, SIGNS, ShapeReading, read_by_shapes
from mapkit.formats.recognising.engine import LineRead, read_in_alphabets, read_lines

Told = Callable[[int, int], None]

EM: Final = HIGH / 0.72
"""The size of the font in which most characters are."""
AMOUNTS: Final = DIGITS + POINTS + "-"
_SAMPLE_SIZE: Final = 30
_TABLE_SAMPLE_SIZE: Final = 60
_FEW_WORDS: Final = 150
"""Fewer are read in seconds, and rows of small charts may be far apart."""
_MIN_TABLE_SHARE: Final = 0.24
"""Of the words in tables 0.43 and more are clear and above another one, of those in maps and textures at most 0.23."""
_MAX_ROW_GAP: Final = 20 * HIGH
_ALIGNED_TOLERANCE: Final = 0.25 * HIGH
_SURE_CONFIDENCE: Final = 0.6
"""A recogniser that is less sure of a character is in doubt."""
_MAX_DASH_HEIGHT: Final = 0.34
_MAX_DASH_WIDTH: Final = 1.6
_SIDE_PADDING: Final = round(0.45 * HIGH)
_BAND_HEIGHT: Final = round(1.5 * HIGH)
_FEW_LETTERS: Final = 3
_DARK_PERCENTILE: Final = 2
"""In 100: so many of the pixels around a word are as dark as its ink."""
_LIGHT_LEVEL: Final = 215
_USUAL_HEIGHTS: Final = (0.8, 1.55)
_MARK_TRANSLATION: Final = str.maketrans({"×": "x", "X": "x", "—": "-", "–": "-", "−": "-", "_": "-", "~": "-"})  # noqa: RUF001


def read_picture_page(picture: Grey, number: int = 1, said: Told | None = None) -> Page:
    """Return the words of a picture of a page; none if it has no text, or is a map or a texture.

    Args:
        picture: Its light, shape (height, width).
        number: The page, from 1.
        said: Told how many words are read, and how many there are.

    Raises:
        ChoiceError: The extra for pictures is not installed.
    """
    deskewed = deskew_page(picture)
    if deskewed is None:
        return Page(number, (), 0, 1)
    page_height, page_width = deskewed.grey.shape
    middle = (slice(page_height // 4, -page_height // 4), slice(page_width // 4, -page_width // 4))
    if not _may_be_table(find_components(np.ascontiguousarray(deskewed.grey[middle])), _FEW_WORDS // 3):
        return Page(number, (), 0, 1)
    components = find_components(deskewed.grey)
    if not _may_be_table(components, _FEW_WORDS):
        return Page(number, (), 0, 1)
    if _is_upside_down(components):
        deskewed = deskewed.turned(2)
        components = find_components(deskewed.grey)
    straightened = straighten_lines(deskewed, components.upright)
    if straightened is not deskewed:
        deskewed, components = straightened, find_components(straightened.grey)
    read_words = _read_boxes(components.grey, components.upright, said)
    read_words, boxes_to_reread = mark_column_cells(components.grey, read_words)
    read_words += [replace(read_word, cell=True) for read_word in _read_boxes(components.grey, boxes_to_reread)]
    read_words = _reread_amounts(components.grey, read_words)
    words = [_to_word(read_word, deskewed, number) for read_word in read_words if read_word.text or read_word.cell]
    return Page(number, (*words, *_read_tilted(components, deskewed, number)), 0, 1, deskewed.digit)


def _may_be_table(blobs: Components, few: int) -> bool:
    """Return whether a page has few words, or many that are clear and stand in columns.

    Args:
        blobs: Its words, or those of a part of it.
        few: Fewer words are few.
    """
    boxes = [box for box in blobs.upright if not _is_dash(box)]
    if len(boxes) < few:
        return len(blobs.tilted) < few
    sample_boxes = boxes[:: max(1, len(boxes) // _TABLE_SAMPLE_SIZE)][:_TABLE_SAMPLE_SIZE]
    stacked_boxes = [box for box in sample_boxes if _is_above_another(box, np.array(boxes))]
    crops = [_crop_box(blobs.grey, box) for box in stacked_boxes]
    clear_counts = [
        sum(reading.least > _SURE_CONFIDENCE for reading in read_lines(turned_crops))
        for turned_crops in (crops, [np.ascontiguousarray(crop[::-1, ::-1]) for crop in crops])
    ]
    return max(clear_counts) >= _MIN_TABLE_SHARE * len(sample_boxes)


def _is_above_another(box: Box, boxes: NDArray[np.int64]) -> bool:
    """Return whether a word below a box begins, ends or is centred where it does.

    Args:
        box: Around a word.
        boxes: Around all words, shape (n, 4).
    """
    left, top, right, bottom = box
    offsets = np.stack((boxes[:, 0] - left, boxes[:, 2] - right, (boxes[:, 0] + boxes[:, 2] - left - right) / 2))
    is_below = (boxes[:, 1] > (top + bottom) / 2) & (boxes[:, 1] < bottom + _MAX_ROW_GAP)
    return bool((is_below & (np.abs(offsets).min(axis=0) < _ALIGNED_TOLERANCE)).any())


def _is_upside_down(blobs: Components) -> bool:
    """Return whether the page is upside down: its words read better when turned."""
    wide_boxes = [box for box in blobs.upright if box[2] - box[0] > 1.2 * HIGH]
    sample_boxes = wide_boxes[:: max(1, len(wide_boxes) // _SAMPLE_SIZE)][:_SAMPLE_SIZE]
    if not sample_boxes:
        return False
    crops = [_crop_box(blobs.grey, box) for box in sample_boxes]
    upright_readings = read_lines(crops)
    turned_readings = read_lines([np.ascontiguousarray(crop[::-1, ::-1]) for crop in crops])
    return sum(r.confidence for r in turned_readings) > sum(r.confidence for r in upright_readings)


def _crop_box(grey: Grey, box: Box) -> Pixels:
    """Return the content of a box, with white around it."""
    left, top, right, bottom = box
    crop_height = max(_BAND_HEIGHT, round(1.5 * (bottom - top)))
    crop = np.full((crop_height, right - left + 2 * _SIDE_PADDING), 255, dtype=np.uint8)
    y0, x0 = max(0, top - 2), max(0, left - 2)
    box_pixels = grey[y0 : bottom + 2, x0 : right + 2]
    row_offset = (crop_height - (bottom - top)) // 2 - (top - y0)
    column_offset = _SIDE_PADDING - (left - x0)
    crop[row_offset : row_offset + box_pixels.shape[0], column_offset : column_offset + box_pixels.shape[1]] = (
        box_pixels
    )
    return np.repeat(crop[:, :, None], 3, axis=2)


def _read_boxes(grey: Grey, boxes: Sequence[Box], said: Told | None = None) -> list[ReadWord]:
    dashes = {k for k, box in enumerate(boxes) if _is_dash(box)}
    other_boxes = [k for k in range(len(boxes)) if k not in dashes]
    answers = read_in_alphabets([_crop_box(grey, boxes[k]) for k in other_boxes], ("", AMOUNTS), said)
    read_by_box = {k: ReadWord(boxes[k], "-", 1.0, "-", 1.0) for k in dashes}
    for k, (free_reading, amount_reading) in zip(other_boxes, answers, strict=True):
        text = (
            free_reading.text.strip().translate(_MARK_TRANSLATION)
            if len(free_reading.text) < _FEW_LETTERS
            else free_reading.text.strip()
        )
        read_by_box[k] = ReadWord(boxes[k], text, free_reading.least, amount_reading.text, amount_reading.least)
    return [read_by_box[k] for k in range(len(boxes))]


def _is_dash(box: Box) -> bool:
    box_width, box_height = box[2] - box[0], box[3] - box[1]
    return box_height < _MAX_DASH_HEIGHT * HIGH and box_width < _MAX_DASH_WIDTH * HIGH


def _reread_amounts(grey: Grey, read: list[ReadWord]) -> list[ReadWord]:
    """Read amounts a second time, by character shapes, and mark doubtful ones.

    Unclear cells are recognised once more with higher contrast. That reading counts if the shapes confirm it; they are
    not learned from it, or a point lost in many similar cells would confirm itself.
    """
    cell_indices = [
        k
        for k, cell in enumerate(read)
        if (cell.cell or looks_like_amount(cell.text)) and cell.text not in ("-", "x", "*", "xx", "xxx", "--")
    ]
    cells = [read[k] for k in cell_indices]
    boxes = [cell.box for cell in cells]
    signs = "".join(sign for sign in SIGNS if 2 * sum(cell.text.startswith(sign) for cell in cells) > len(cells))
    first_texts = [cell.text if _is_amount(cell.text, signs) else cell.amount for cell in cells]
    first_confidences = [cell.sure if _is_amount(cell.text, signs) else 0.0 for cell in cells]
    verdicts = read_by_shapes(grey, boxes, first_texts, first_confidences)
    unclear_cells = [
        k for k, verdict in enumerate(verdicts) if not verdict.agrees or first_confidences[k] < _SURE_CONFIDENCE
    ]
    third_readings = read_lines(
        [_raise_contrast(_crop_box(grey, boxes[k])) for k in unclear_cells], only=AMOUNTS + signs
    )
    best_texts, best_confidences = list(first_texts), list(first_confidences)
    for k, third in zip(unclear_cells, third_readings, strict=True):
        if _is_amount(third.text, signs) and third.least >= _SURE_CONFIDENCE:
            best_texts[k], best_confidences[k] = third.text, third.least
    learned_confidences = [
        cell if text == first else 0.0
        for cell, text, first in zip(first_confidences, best_texts, first_texts, strict=True)
    ]
    checked_verdicts = (
        read_by_shapes(grey, boxes, best_texts, learned_confidences)
        if best_texts != first_texts or best_confidences != first_confidences
        else verdicts
    )
    read_words = list(read)
    for k, cell in enumerate(cells):
        if best_texts[k] == first_texts[k] or checked_verdicts[k].agrees:
            read_words[cell_indices[k]] = _apply_verdict(
                cell, best_texts[k], best_confidences[k], checked_verdicts[k], signs
            )
        else:
            read_words[cell_indices[k]] = _apply_verdict(
                cell, first_texts[k], first_confidences[k], verdicts[k], signs, best_texts[k]
            )
    return read_words


def _raise_contrast(crop: Pixels) -> Pixels:
    """Return a picture of a word with its ink black and its paper white."""
    dark_level = float(np.percentile(crop, _DARK_PERCENTILE))
    return np.asarray(((crop - dark_level) * (255 / max(1.0, _LIGHT_LEVEL - dark_level))).clip(0, 255), dtype=np.uint8)


def _apply_verdict(
    one: ReadWord, first: str, certain: float, verdict: ShapeReading, signs: str, *more: str
) -> ReadWord:
    agrees = verdict.agrees and certain >= _SURE_CONFIDENCE
    other_texts = [first, verdict.text, *more, *verdict.others, one.amount]
    candidates = (
        tuple(dict.fromkeys(text for text in other_texts if text and _is_amount(text, signs))) if not agrees else ()
    )
    if not first or not _is_amount(first, signs):
        return replace(one, text=candidates[0] if candidates else UNREAD, sure=0.0, agrees=False, others=candidates)
    return replace(one, text=first, sure=certain if agrees else min(certain, 0.5), agrees=agrees, others=candidates)


def _is_amount(text: str, signs: str) -> bool:
    """Return whether a text is an amount that ends with a digit, with or without one of the given signs in front."""
    figures = text[1:] if text and text[0] in signs else text
    return set(figures) <= set(DIGITS + POINTS) and figures[-1:].isdigit()


def _to_word(one: ReadWord, level: DeskewedPage, number: int) -> Word:
    left, top, right, bottom = one.box
    word_height = bottom - top
    has_usual_height = (
        _USUAL_HEIGHTS[0] * HIGH < word_height < _USUAL_HEIGHTS[1] * HIGH or one.cell or _is_dash(one.box)
    )
    size = EM if has_usual_height else word_height / 0.9
    middle = (top + bottom) / 2
    return Word(
        text=one.text or UNREAD,
        page=number,
        box=level.on_picture((left, top, right, bottom)),
        left=float(left),
        top=middle - size / 2,
        right=float(right),
        bottom=middle + size / 2,
        size=size,
        tilt=0.0,
        foot=(float(left), middle),
        tip=(float(right), middle),
        sure=one.agrees,
        confidence=round(min(1.0, max(0.0, one.sure)), 3),
        how="picture",
        others=one.others,
    )


def _read_tilted(blobs: Components, level: DeskewedPage, number: int) -> list[Word]:
    """Return the words that are not upright, each read along its length in the direction that reads better."""
    crops = [_rotate_upright(blobs.grey, word) for word in blobs.tilted]
    forward_readings = read_lines(crops)
    backward_readings = read_lines([np.ascontiguousarray(crop[::-1, ::-1]) for crop in crops])
    vertical_words = [k for k, word in enumerate(blobs.tilted) if word.turn == STANDING]
    reads_down = sum(backward_readings[k].confidence - forward_readings[k].confidence for k in vertical_words) > 0
    tilted_words = []
    for k, (word, forward, backward) in enumerate(zip(blobs.tilted, forward_readings, backward_readings, strict=True)):
        is_turned = k in set(vertical_words) and reads_down
        tilted_words.append(_to_tilted_word(word, backward if is_turned else forward, level, number, turned=is_turned))
    return sorted((word for word in tilted_words if word.text), key=_start_along_word)


def _start_along_word(word: Word) -> float:
    """Return the start of a word, measured along its direction, to order the parts of a name."""
    turn = np.radians(word.tilt)
    return round(float(word.foot[0] * np.cos(turn) - word.foot[1] * np.sin(turn)), 1)


def _rotate_upright(grey: Grey, word: TiltedWord) -> Pixels:
    """Return a tilted word, rotated upright."""
    cv2 = heavy.cv2
    word_length, word_height = (round(side) for side in word.sides)
    padding = round(0.3 * HIGH)
    if word.turn == STANDING:
        left, top, right, bottom = word.box
        word_pixels = np.rot90(grey[top:bottom, left:right], -1)
        upright_word = np.full(
            (word_pixels.shape[0] + 2 * padding, word_pixels.shape[1] + 2 * padding), 255, dtype=np.uint8
        )
        upright_word[padding : padding + word_pixels.shape[0], padding : padding + word_pixels.shape[1]] = word_pixels
    else:
        rotation = cv2.getRotationMatrix2D(word.middle, -word.turn, 1.0)
        size = (word_length + 2 * padding, word_height + padding)
        rotation[:, 2] += np.array(size) / 2 - np.array(word.middle)
        upright_word = cv2.warpAffine(
            grey, rotation, size, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_CONSTANT, borderValue=255
        )
    return np.repeat(np.asarray(upright_word, dtype=np.uint8)[:, :, None], 3, axis=2)


def _to_tilted_word(word: TiltedWord, read: LineRead, level: DeskewedPage, number: int, *, turned: bool) -> Word:
    turn = np.radians(word.turn + (180 if turned else 0))
    reach = np.array((np.cos(turn), -np.sin(turn))) * word.sides[0] / 2
    foot, tip = np.array(word.middle) - reach, np.array(word.middle) + reach
    left, top, right, bottom = word.box
    return Word(
        text=read.text.strip(),
        page=number,
        box=level.on_picture((left, top, right, bottom)),
        left=float(left),
        top=float(top),
        right=float(right),
        bottom=float(bottom),
        size=EM,
        tilt=-90.0 if turned else word.turn,
        foot=(float(foot[0]), float(foot[1])),
        tip=(float(tip[0]), float(tip[1])),
        sure=True,
        confidence=round(read.least, 3),
        how="picture",
    )
