"""Words of a PDF through PDFium, from the places of its characters.

The order of characters in a PDF and its blanks say little: what stands near each other on one line is a word. This runs
in a process of its own (`reading.py`), because PDFium is written in C++ and the file may be hostile.
"""

import ctypes
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

from mapkit.core import heavy
from mapkit.formats.pdf.word import UPRIGHT, Box, Page, Word

MAX_PAGES: Final = 200
MAX_CHARACTERS: Final = 400_000
MAX_PICTURES: Final = 12
"""Pages that are read from pictures."""
_SCALE: Final = 300 / 72
_MOST_PIXELS: Final = 30_000_000
_PASSWORD: Final = 4
_NOT_DRAWN: Final = 3
_GAP: Final = 0.12
"""Part of the font's size: characters this near belong to one word."""
_LOOSE: Final = 0.3
"""The same where PDFium sees no blank between them and one instruction wrote both."""
_BACK: Final = -0.6
_OFF_LINE: Final = 0.15
_SAME_SIZE: Final = 0.2
_THIN: Final = "\u00a0\u2009\u202f"
"""Blanks within a figure: `25 500`."""
_MIDDLE: Final = 0.33
_DOTS: Final = ".\u00b7\u2026_"
_LEADERS: Final = 4
_AGAIN: Final = 0.1
_RIGHT_ANGLE: Final = 90


class RefusedError(Exception):
    """The PDF cannot be read; the text says why."""


class _Glyph(NamedTuple):
    text: str
    x: float
    y: float
    box: Box
    size: float
    angle: float
    drawn: bool
    sure: bool
    thing: int
    weight: int = 0


def read_pages(data: bytes, chosen: Sequence[int] | None = None) -> list[Page]:
    """Return the words of the pages of a PDF.

    Args:
        data: The file.
        chosen: The pages that are read, from 1; all by default.

    Raises:
        RefusedError: It is encrypted, damaged or too large, or has no such page.
    """
    with _opened(data, chosen) as (document, numbers):
        room = MAX_CHARACTERS
        pages = []
        for number in numbers:
            page = _page(document, number, room)
            room -= sum(len(word.text) for word in page.words)
            pages.append(page)
        return pages


def page_pictures(data: bytes, chosen: Sequence[int] | None = None) -> list[tuple[int, float, int, int, bytes]]:
    """Return the pages of a PDF as grey pictures: number, pixels a point, width, height, pixels row by row.

    Args:
        data: The file.
        chosen: As for `read_pages`.

    Raises:
        RefusedError: As for `read_pages`, or there are too many pages for pictures.
    """
    pdfium = heavy.pypdfium2
    out = []
    with _opened(data, chosen) as (document, numbers):
        if len(numbers) > MAX_PICTURES:
            raise RefusedError(
                f"{len(numbers)} pages to be read from pictures; at most {MAX_PICTURES} are; say which with --pages"
            )
        for number in numbers:
            try:
                page = document[number - 1]
                area = page.get_width() * page.get_height()
                scale = min(_SCALE, math.sqrt(_MOST_PIXELS / max(1.0, area)))
                grey = page.render(scale=scale, grayscale=True, may_draw_forms=False).to_numpy()
            except pdfium.PdfiumError as error:
                raise RefusedError(
                    f"page {number} is damaged; open the PDF in a viewer and print it to a new one"
                ) from error
            high, wide = grey.shape[:2]
            out.append((number, scale, wide, high, grey.reshape(high, wide).tobytes()))
    return out


@contextmanager
def _opened(data: bytes, chosen: Sequence[int] | None) -> Iterator[tuple[Any, list[int]]]:
    """Open a PDF and say which pages of it are read."""
    pdfium = heavy.pypdfium2
    try:
        document = pdfium.PdfDocument(data)
    except pdfium.PdfiumError as error:
        if getattr(error, "err_code", None) == _PASSWORD:
            raise RefusedError("encrypted with a password; save a copy without one") from error
        raise RefusedError("the PDF is damaged; open it in a viewer and print it to a new PDF") from error
    try:
        count = len(document)
        numbers = list(chosen) if chosen else list(range(1, count + 1))
        outside = [number for number in numbers if not 1 <= number <= count]
        if outside:
            raise RefusedError(f"it has {count} pages, no page {outside[0]}; give other --pages")
        if not count:
            raise RefusedError("the PDF has no pages")
        if len(numbers) > MAX_PAGES:
            raise RefusedError(f"{count:,} pages; at most {MAX_PAGES} are read; say which with --pages, such as 3-4")
        yield document, numbers
    finally:
        document.close()


def _page(document: Any, number: int, room: int) -> Page:  # noqa: ANN401 - pypdfium2 has no types
    pdfium = heavy.pypdfium2
    try:
        page = document[number - 1]
        text = page.get_textpage()
    except pdfium.PdfiumError as error:
        raise RefusedError(f"page {number} is damaged; open the PDF in a viewer and print it to a new one") from error
    count = text.count_chars()
    if count > room:
        raise RefusedError(
            f"more than {MAX_CHARACTERS:,} characters up to page {number}; say which pages with --pages, such as 3-4"
        )
    glyphs = list(_glyphs(text, count))
    drawn = [glyph for glyph in glyphs if glyph.drawn]
    hidden = sum(not glyph.drawn and not glyph.text.isspace() for glyph in glyphs)
    pictures = sum(1 for _ in page.get_objects(filter=(pdfium.raw.FPDF_PAGEOBJ_IMAGE,), max_depth=3))
    turn = _turn_of(drawn)
    frame = _Frame(page, turn)
    words = [_word(run, number, frame) for run in _runs(_without_leaders(drawn))]
    return Page(number, tuple(_once([word for word in words if word is not None])), hidden, pictures)


def _glyphs(text: Any, count: int) -> Iterator[_Glyph]:  # noqa: ANN401 - a text page of pypdfium2
    raw = heavy.pypdfium2.raw
    x, y = ctypes.c_double(), ctypes.c_double()
    rect, matrix = raw.FS_RECTF(), raw.FS_MATRIX()
    modes: dict[int, tuple[bool, int]] = {}
    for k in range(count):
        code = raw.FPDFText_GetUnicode(text, k)
        letter = chr(code) if code and code not in (0xFFFE, 0xFFFF) else "\ufffd"
        if code == 2:  # noqa: PLR2004 - what PDFium says of a hyphen at the end of a line
            letter = "-"
        if raw.FPDFText_IsGenerated(text, k) == 1:
            yield _Glyph(" ", 0, 0, (0, 0, 0, 0), 0, 0, drawn=True, sure=True, thing=0)
            continue
        raw.FPDFText_GetCharOrigin(text, k, x, y)
        raw.FPDFText_GetLooseCharBox(text, k, rect)
        raw.FPDFText_GetMatrix(text, k, matrix)
        size = raw.FPDFText_GetFontSize(text, k) * math.sqrt(abs(matrix.a * matrix.d - matrix.b * matrix.c))
        numbers = (x.value, y.value, rect.left, rect.bottom, rect.right, rect.top, size)
        if not all(map(math.isfinite, numbers)) or size <= 0:
            continue
        thing = raw.FPDFText_GetTextObject(text, k)
        at = ctypes.cast(thing, ctypes.c_void_p).value or 0
        if at not in modes:
            drawn = not thing or raw.FPDFTextObj_GetTextRenderMode(thing) != _NOT_DRAWN
            modes[at] = drawn, raw.FPDFText_GetFontWeight(text, k)
        yield _Glyph(
            letter,
            x.value,
            y.value,
            (rect.left, rect.bottom, rect.right, rect.top),
            size,
            math.degrees(math.atan2(matrix.b, matrix.a)),
            drawn=modes[at][0],
            sure=letter != "\ufffd" and raw.FPDFText_HasUnicodeMapError(text, k) != 1,
            thing=at,
            weight=modes[at][1],
        )


def _turn_of(glyphs: Sequence[_Glyph]) -> float:
    """Return the angle at which most digits and letters stand; digits count more, since they stand in cells."""
    weights: Counter[int] = Counter()
    for glyph in glyphs:
        if not glyph.text.isspace():
            weights[round(glyph.angle) % 360] += 3 if glyph.text.isdigit() else 1
    return float(max(weights, key=lambda angle: (weights[angle], -angle), default=0))


class _Frame:
    """The page as it is shown, and turned so that most of its text is upright."""

    def __init__(self, page: Any, turn: float) -> None:  # noqa: ANN401 - of pypdfium2
        left, bottom, right, top = page.get_cropbox()
        self.sides = (left, bottom, right, top)
        self.rotation = page.get_rotation()
        self.turn = turn
        self._cos, self._sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
        corners = [self._turned(x, y) for x in (left, right) for y in (bottom, top)]
        self._left, self._top = min(x for x, _ in corners), max(y for _, y in corners)

    def shown(self, x: float, y: float) -> tuple[float, float]:
        """Return where a point stands on the page as a viewer shows it, from its top left corner."""
        left, bottom, right, top = self.sides
        return {
            90: (y - bottom, x - left),
            180: (right - x, y - bottom),
            270: (top - y, right - x),
        }.get(self.rotation, (x - left, top - y))

    def _turned(self, x: float, y: float) -> tuple[float, float]:
        return x * self._cos + y * self._sin, -x * self._sin + y * self._cos

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Return where a point stands on the turned page."""
        along, up = self._turned(x, y)
        return along - self._left, self._top - up


def _without_leaders(glyphs: Sequence[_Glyph]) -> list[_Glyph]:
    """Put a blank in place of each row of dots."""
    out: list[_Glyph] = []
    dots: list[_Glyph] = []
    for glyph in [*glyphs, None]:
        if glyph is not None and glyph.text in _DOTS:
            dots.append(glyph)
            continue
        if glyph is not None and glyph.text.isspace() and dots:
            dots.append(glyph)
            continue
        if dots:
            solid = sum(not dot.text.isspace() for dot in dots)
            out += dots if solid < _LEADERS else [dots[0]._replace(text=" ")]
            dots = []
        if glyph is not None:
            out.append(glyph)
    return out


def _runs(glyphs: Sequence[_Glyph]) -> Iterator[list[_Glyph]]:
    """Yield the characters of each word."""
    run: list[_Glyph] = []
    blank = False
    for glyph in glyphs:
        if glyph.text.isspace() and glyph.text not in _THIN:
            blank = True
            continue
        if run and not _follows(run[-1], glyph, blank=blank):
            yield run
            run = []
        run.append(glyph)
        blank = False
    if run:
        yield run


def _follows(before: _Glyph, glyph: _Glyph, *, blank: bool) -> bool:
    """Say whether a character continues the word of another."""
    size = max(before.size, glyph.size)
    turn = abs((glyph.angle - before.angle + 180) % 360 - 180)
    if turn > 1 or abs(before.size - glyph.size) > _SAME_SIZE * size:
        return False
    cos, sin = math.cos(math.radians(before.angle)), math.sin(math.radians(before.angle))
    dx, dy = glyph.x - before.x, glyph.y - before.y
    along, off = dx * cos + dy * sin, -dx * sin + dy * cos
    if abs(off) > _OFF_LINE * size:
        return False
    square = abs(before.angle / _RIGHT_ANGLE - round(before.angle / _RIGHT_ANGLE)) * _RIGHT_ANGLE < UPRIGHT
    if not square:  # the box of a slanted character says little of its width
        return not blank and 0 < along < 1.5 * size
    gap = along - _width(before, cos, sin)
    if _BACK * size < gap < _GAP * size:
        return not (blank and gap > _GAP * size / 2)
    return not blank and before.thing == glyph.thing != 0 and _BACK * size < gap < _LOOSE * size


def _width(glyph: _Glyph, cos: float, sin: float) -> float:
    left, bottom, right, top = glyph.box
    return max((x - glyph.x) * cos + (y - glyph.y) * sin for x in (left, right) for y in (bottom, top))


def _word(run: Sequence[_Glyph], number: int, frame: _Frame) -> Word | None:
    text = "".join(glyph.text for glyph in run).strip(_THIN + " ")
    if not text:
        return None
    solid = [glyph for glyph in run if glyph.text not in _THIN]
    first, last = solid[0], solid[-1]
    cos, sin = math.cos(math.radians(first.angle)), math.sin(math.radians(first.angle))
    up = _MIDDLE * first.size
    tilt = (first.angle - frame.turn + 180) % 360 - 180
    corners = [(x, y) for g in solid for x in (g.box[0], g.box[2]) for y in (g.box[1], g.box[3])]
    if abs(tilt) >= UPRIGHT:  # boxes of slanted characters are wide; their places are not
        half = first.size / 2
        corners = [(g.x + half * dx, g.y + half * dy) for g in solid for dx in (-1, 1) for dy in (-1, 1)]
    if frame.turn % _RIGHT_ANGLE == 0:  # then what is around them says as much
        left, bottom, right, top = _around(corners)
        corners = [(left, bottom), (left, top), (right, bottom), (right, top)]
    shown = [frame.shown(*corner) for corner in corners]
    turned = [frame.at(*corner) for corner in corners]
    wide = _width(last, cos, sin) if abs(tilt) < UPRIGHT else first.size / 2
    foot = frame.at(first.x - sin * up, first.y + cos * up)
    tip = frame.at(last.x - sin * up + cos * wide, last.y + cos * up + sin * wide)
    return Word(
        text=text,
        page=number,
        box=_rounded(_around(shown)),
        left=min(x for x, _ in turned),
        top=foot[1] - first.size / 2 if abs(tilt) < UPRIGHT else min(y for _, y in turned),
        right=max(x for x, _ in turned),
        bottom=foot[1] + first.size / 2 if abs(tilt) < UPRIGHT else max(y for _, y in turned),
        size=first.size,
        tilt=tilt,
        foot=foot,
        tip=tip,
        sure=all(glyph.sure for glyph in solid),
        weight=first.weight,
    )


def _around(points: Sequence[tuple[float, float]]) -> Box:
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs), min(ys), max(xs), max(ys)


def _rounded(box: Box) -> Box:
    left, top, right, bottom = (round(side, 1) for side in box)
    return left, top, right, bottom


def _once(words: Sequence[Word]) -> list[Word]:
    """Leave out words that are drawn twice to look bold or to cast a shadow."""
    out: list[Word] = []
    near: dict[tuple[str, int, int], list[Word]] = {}
    for word in words:
        reach = max(word.size * _AGAIN, 0.01)
        x, y = int(word.left / (4 * reach)), int(word.top / (4 * reach))
        others = [w for i in (-1, 0, 1) for j in (-1, 0, 1) for w in near.get((word.text, x + i, y + j), ())]
        if any(abs(o.left - word.left) < 2 * reach and abs(o.top - word.top) < 2 * reach for o in others):
            continue
        near.setdefault((word.text, x, y), []).append(word)
        out.append(word)
    return out
