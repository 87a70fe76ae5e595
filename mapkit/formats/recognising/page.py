"""The words of a page in a picture: found by their ink, read one by one, amounts twice."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from mapkit.core import heavy
from mapkit.formats.marks import UNREAD, looks_like_amount
from mapkit.formats.pdf.word import Page, Word
from mapkit.formats.pixels import Pixels
from mapkit.formats.recognising.boxes import Box
from mapkit.formats.recognising.columns import Read, in_columns
from mapkit.formats.recognising.components import STANDING, Components, Tilted, find_components
from mapkit.formats.recognising.deskew import HIGH, DeskewedPage, Grey, deskew_page, straighten_lines
from mapkit.formats.recognising.digits import DIGITS, POINTS, SIGNS, Verdict, second_readings
from mapkit.formats.recognising.engine import LineRead, read_both, read_lines

Told = Callable[[int, int], None]

EM: Final = HIGH / 0.72
"""The size of the font in which most characters are."""
AMOUNTS: Final = DIGITS + POINTS + "-"
_SAMPLE: Final = 30
_FIRST: Final = 0.6
"""A recogniser that is less sure of a character is in doubt."""
_DASH: Final = 0.34
_LONGEST_DASH: Final = 1.6
_PAD: Final = round(0.45 * HIGH)
_BAND: Final = round(1.5 * HIGH)
_FEW: Final = 3
_DARKEST: Final = 2
"""In 100: so many of the pixels around a word are as dark as its ink."""
_LIGHT: Final = 215
_LIKE: Final = (0.8, 1.55)
_MARKS: Final = str.maketrans({"×": "x", "X": "x", "—": "-", "–": "-", "−": "-", "_": "-", "~": "-"})  # noqa: RUF001


def page_of_picture(picture: Grey, number: int = 1, said: Told | None = None) -> tuple[Page, DeskewedPage | None]:
    """Return the words of a picture of a page, and the page made level; no words and None if it has no text.

    Args:
        picture: Its light, shape (height, width).
        number: The page, from 1.
        said: Told how many words are read, and how many there are.

    Raises:
        ChoiceError: The extra for pictures is not installed.
    """
    level = deskew_page(picture)
    if level is None:
        return Page(number, (), 0, 1), None
    blobs = find_components(level.grey)
    if _upside_down(blobs):
        level = level.turned(2)
        blobs = find_components(level.grey)
    straight = straighten_lines(level, blobs.upright)
    if straight is not level:
        level, blobs = straight, find_components(straight.grey)
    read = _read_boxes(blobs.grey, blobs.upright, said)
    read, again = in_columns(blobs.grey, read)
    read += [replace(one, cell=True) for one in _read_boxes(blobs.grey, again)]
    read = _read_again(blobs.grey, read)
    words = [_word(one, level, number) for one in read if one.text or one.cell]
    return Page(number, (*words, *_tilted_words(blobs, level, number)), 0, 1, level.digit), level


def _upside_down(blobs: Components) -> bool:
    """Say whether the page stands on its head: its words read better when turned."""
    wide = [box for box in blobs.upright if box[2] - box[0] > 1.2 * HIGH]
    some = wide[:: max(1, len(wide) // _SAMPLE)][:_SAMPLE]
    if not some:
        return False
    crops = [_crop(blobs.grey, box) for box in some]
    upright = read_lines(crops)
    turned = read_lines([np.ascontiguousarray(crop[::-1, ::-1]) for crop in crops])
    return sum(r.confidence for r in turned) > sum(r.confidence for r in upright)


def _crop(grey: Grey, box: Box, *, above: int = 0) -> Pixels:
    """Return what is in a box, with white around it."""
    left, top, right, bottom = box
    high = max(_BAND, round(1.5 * (bottom - top)))
    out = np.full((high, right - left + 2 * _PAD), 255, dtype=np.uint8)
    y0, x0 = max(0, top - 2), max(0, left - 2)
    part = grey[y0 : bottom + 2, x0 : right + 2]
    down = (high - (bottom - top)) // 2 - (top - y0) + above
    across = _PAD - (left - x0)
    out[down : down + part.shape[0], across : across + part.shape[1]] = part
    return np.repeat(out[:, :, None], 3, axis=2)


def _read_boxes(grey: Grey, boxes: Sequence[Box], said: Told | None = None) -> list[Read]:
    dashes = {k for k, box in enumerate(boxes) if _is_dash(box)}
    rest = [k for k in range(len(boxes)) if k not in dashes]
    answers = read_both([_crop(grey, boxes[k]) for k in rest], ("", AMOUNTS), said)
    out = {k: Read(boxes[k], "-", 1.0, "-", 1.0) for k in dashes}
    for k, (free, amount) in zip(rest, answers, strict=True):
        text = free.text.strip().translate(_MARKS) if len(free.text) < _FEW else free.text.strip()
        out[k] = Read(boxes[k], text, free.least, amount.text, amount.least)
    return [out[k] for k in range(len(boxes))]


def _is_dash(box: Box) -> bool:
    wide, high = box[2] - box[0], box[3] - box[1]
    return high < _DASH * HIGH and wide < _LONGEST_DASH * HIGH


def _read_again(grey: Grey, read: list[Read]) -> list[Read]:
    """Read the amounts a second time, by their shapes, and say which are in doubt.

    What is not clear then, the recogniser reads once more, in a picture with more contrast. That reading counts if the
    shapes confirm it; they are not learned from it, or a point that is lost in many cells alike would confirm itself.
    """
    which = [k for k, one in enumerate(read) if (one.cell or looks_like_amount(one.text)) and not _is_mark(one)]
    cells = [read[k] for k in which]
    boxes = [one.box for one in cells]
    signs = "".join(sign for sign in SIGNS if 2 * sum(one.text.startswith(sign) for one in cells) > len(cells))
    firsts = [one.text if _is_amount(one.text, signs) else one.amount for one in cells]
    sure = [one.sure if _is_amount(one.text, signs) else 0.0 for one in cells]
    verdicts = second_readings(grey, boxes, firsts, sure)
    unclear = [k for k, verdict in enumerate(verdicts) if not verdict.agrees or sure[k] < _FIRST]
    thirds = read_lines([_contrasted(_crop(grey, boxes[k])) for k in unclear], only=AMOUNTS + signs)
    texts, certain = list(firsts), list(sure)
    for k, third in zip(unclear, thirds, strict=True):
        if _is_amount(third.text, signs) and third.least >= _FIRST:
            texts[k], certain[k] = third.text, third.least
    learned = [one if text == first else 0.0 for one, text, first in zip(sure, texts, firsts, strict=True)]
    checked = second_readings(grey, boxes, texts, learned) if texts != firsts or certain != sure else verdicts
    out = list(read)
    for k, one in enumerate(cells):
        if texts[k] == firsts[k] or checked[k].agrees:
            out[which[k]] = _judged(one, texts[k], certain[k], checked[k], signs)
        else:
            out[which[k]] = _judged(one, firsts[k], sure[k], verdicts[k], signs, texts[k])
    return out


def _contrasted(crop: Pixels) -> Pixels:
    """Return a picture of a word with its ink black and its paper white."""
    dark = float(np.percentile(crop, _DARKEST))
    return np.asarray(((crop - dark) * (255 / max(1.0, _LIGHT - dark))).clip(0, 255), dtype=np.uint8)


def _judged(one: Read, first: str, certain: float, verdict: Verdict, signs: str, *more: str) -> Read:
    agrees = verdict.agrees and certain >= _FIRST
    others = [first, verdict.text, *more, *verdict.others, one.amount]
    candidates = tuple(dict.fromkeys(text for text in others if text and _is_amount(text, signs))) if not agrees else ()
    if not first or not _is_amount(first, signs):
        return replace(one, text=candidates[0] if candidates else UNREAD, sure=0.0, agrees=False, others=candidates)
    return replace(one, text=first, sure=certain if agrees else min(certain, 0.5), agrees=agrees, others=candidates)


def _is_mark(one: Read) -> bool:
    return one.text in ("-", "x", "*", "xx", "xxx", "--")


def _is_amount(text: str, signs: str) -> bool:
    """Say whether a text is an amount, which begins with one of some signs or with none."""
    figures = text[1:] if text and text[0] in signs else text
    return set(figures) <= set(DIGITS + POINTS) and any(map(str.isdigit, figures))


def _word(one: Read, level: DeskewedPage, number: int) -> Word:
    left, top, right, bottom = one.box
    high = bottom - top
    usual = _LIKE[0] * HIGH < high < _LIKE[1] * HIGH or one.cell or _is_dash(one.box)
    size = EM if usual else high / 0.9
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


def _tilted_words(blobs: Components, level: DeskewedPage, number: int) -> list[Word]:
    """Return the words that are not upright, each read along its length, from the end from which it reads better."""
    crops = [_along(blobs.grey, word) for word in blobs.tilted]
    ahead = read_lines(crops)
    back = read_lines([np.ascontiguousarray(crop[::-1, ::-1]) for crop in crops])
    standing = [k for k, word in enumerate(blobs.tilted) if word.turn == STANDING]
    down = sum(back[k].confidence - ahead[k].confidence for k in standing) > 0
    out = []
    for k, (word, one, other) in enumerate(zip(blobs.tilted, ahead, back, strict=True)):
        turned = k in set(standing) and down
        out.append(_tilted_word(word, other if turned else one, level, number, turned=turned))
    return sorted((word for word in out if word.text), key=_start_first)


def _start_first(word: Word) -> float:
    """Return how far along its direction a word begins, so that the parts of a name come in order."""
    turn = np.radians(word.tilt)
    return round(float(word.foot[0] * np.cos(turn) - word.foot[1] * np.sin(turn)), 1)


def _along(grey: Grey, word: Tilted) -> Pixels:
    """Return a tilted word made upright."""
    cv2 = heavy.cv2
    long, high = (round(side) for side in word.sides)
    pad = round(0.3 * HIGH)
    if word.turn == STANDING:
        left, top, right, bottom = word.box
        part = np.rot90(grey[top:bottom, left:right], -1)
        out = np.full((part.shape[0] + 2 * pad, part.shape[1] + 2 * pad), 255, dtype=np.uint8)
        out[pad : pad + part.shape[0], pad : pad + part.shape[1]] = part
    else:
        turn = cv2.getRotationMatrix2D(word.middle, -word.turn, 1.0)
        size = (long + 2 * pad, high + pad)
        turn[:, 2] += np.array(size) / 2 - np.array(word.middle)
        out = cv2.warpAffine(grey, turn, size, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_CONSTANT, borderValue=255)
    return np.repeat(np.asarray(out, dtype=np.uint8)[:, :, None], 3, axis=2)


def _tilted_word(word: Tilted, read: LineRead, level: DeskewedPage, number: int, *, turned: bool) -> Word:
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
