"""Words of a PDF, assembled from the character positions that PDFium reports.

Neither the order of characters in a PDF nor its blanks are reliable, so characters near each other on one line make a
word. This runs in a worker process (`reading.py`), because PDFium is written in C++ and the file may be hostile.
"""

import ctypes
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

from mapkit.core import heavy
from mapkit.formats.pdf.lines import join_amount_parts
from mapkit.formats.pdf.word import UPRIGHT, Box, Page, Word

MAX_PAGES: Final = 200
MAX_CHARACTERS: Final = 400_000
MAX_PICTURES: Final = 12
"""Pages that are read from pictures."""
_RENDER_SCALE: Final = 300 / 72
_MOST_PIXELS: Final = 30_000_000
_PASSWORD_ERROR: Final = 4
_NOT_DRAWN: Final = 3
_MAX_GAP: Final = 0.12
"""Part of the font's size: characters this near belong to one word."""
_MAX_LOOSE_GAP: Final = 0.3
"""The same where PDFium sees no blank between them and one instruction wrote both."""
_MAX_OVERLAP: Final = -0.6
_OFF_LINE: Final = 0.15
_SAME_SIZE: Final = 0.2
_THIN_BLANKS: Final = "\u00a0\u2009\u202f"
"""Blanks within a figure: `25 500`."""
_MIDDLE_HEIGHT: Final = 0.33
_LEADER_DOTS: Final = ".\u00b7\u2026_"
_FEWEST_DOTS: Final = 4
_DUPLICATE_DISTANCE: Final = 0.1
_RIGHT_ANGLE: Final = 90


class RefusedError(Exception):
    """The PDF cannot be read, for the reason in the text."""


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
    with _open_document(data, chosen) as (document, numbers):
        characters_left = MAX_CHARACTERS
        pages = []
        for number in numbers:
            page = _read_page(document, number, characters_left)
            characters_left -= sum(len(word.text) for word in page.words)
            pages.append(page)
        return pages


def render_pages(data: bytes, chosen: Sequence[int] | None = None) -> list[tuple[int, float, int, int, bytes]]:
    """Return the pages of a PDF as grey pictures: number, pixels a point, width, height, pixels row by row.

    Args:
        data: The file.
        chosen: As for `read_pages`.

    Raises:
        RefusedError: As for `read_pages`, or there are too many pages for pictures.
    """
    pdfium = heavy.pypdfium2
    page_images = []
    with _open_document(data, chosen) as (document, numbers):
        if len(numbers) > MAX_PICTURES:
            raise RefusedError(
                f"{len(numbers)} pages to be read from pictures, at most {MAX_PICTURES} at once; choose some with "
                "--pages"
            )
        for number in numbers:
            try:
                page = document[number - 1]
                area = page.get_width() * page.get_height()
                scale = min(_RENDER_SCALE, math.sqrt(_MOST_PIXELS / max(1.0, area)))
                grey_pixels = page.render(scale=scale, grayscale=True, may_draw_forms=False).to_numpy()
            except pdfium.PdfiumError as error:
                raise RefusedError(
                    f"page {number} is damaged; open the PDF in a viewer and print it to a new one"
                ) from error
            image_height, image_width = grey_pixels.shape[:2]
            page_images.append(
                (number, scale, image_width, image_height, grey_pixels.reshape(image_height, image_width).tobytes())
            )
    return page_images


@contextmanager
def _open_document(data: bytes, chosen: Sequence[int] | None) -> Iterator[tuple[Any, list[int]]]:
    """Open a PDF, and yield it with the numbers of the pages to read."""
    pdfium = heavy.pypdfium2
    try:
        document = pdfium.PdfDocument(data)
    except pdfium.PdfiumError as error:
        if getattr(error, "err_code", None) == _PASSWORD_ERROR:
            raise RefusedError("encrypted with a password; save a copy without one") from error
        raise RefusedError("the PDF is damaged; open it in a viewer and print it to a new PDF") from error
    try:
        page_count = len(document)
        page_numbers = list(chosen) if chosen else list(range(1, page_count + 1))
        missing_pages = [number for number in page_numbers if not 1 <= number <= page_count]
        if missing_pages:
            raise RefusedError(f"it has {page_count} pages, no page {missing_pages[0]}; give other --pages")
        if not page_count:
            raise RefusedError("the PDF has no pages")
        if len(page_numbers) > MAX_PAGES:
            raise RefusedError(
                f"{page_count:,} pages; at most {MAX_PAGES} are read; choose some with --pages, such as 3-4"
            )
        yield document, page_numbers
    finally:
        document.close()


def _read_page(document: Any, number: int, characters_left: int) -> Page:  # noqa: ANN401 - pypdfium2 has no types
    pdfium = heavy.pypdfium2
    try:
        page = document[number - 1]
        text_page = page.get_textpage()
    except pdfium.PdfiumError as error:
        raise RefusedError(f"page {number} is damaged; open the PDF in a viewer and print it to a new one") from error
    character_count = text_page.count_chars()
    if character_count > characters_left:
        raise RefusedError(
            f"more than {MAX_CHARACTERS:,} characters up to page {number}; choose pages with --pages, such as 3-4"
        )
    glyphs = list(_read_glyphs(text_page, character_count))
    drawn_glyphs = [glyph for glyph in glyphs if glyph.drawn]
    hidden_count = sum(not glyph.drawn and not glyph.text.isspace() for glyph in glyphs)
    picture_count = sum(1 for _ in page.get_objects(filter=(pdfium.raw.FPDF_PAGEOBJ_IMAGE,), max_depth=3))
    # digits weigh more, since they stand in cells
    weight_by_angle: Counter[int] = Counter()
    for glyph in drawn_glyphs:
        if not glyph.text.isspace():
            weight_by_angle[round(glyph.angle) % 360] += 3 if glyph.text.isdigit() else 1
    text_angle = float(max(weight_by_angle, key=lambda angle: (weight_by_angle[angle], -angle), default=0))
    frame = _Frame(page, text_angle)
    words = [_build_word(run, number, frame) for run in _split_words(_replace_leaders(drawn_glyphs))]
    unique_words = _drop_duplicates([word for word in words if word is not None])
    return Page(number, tuple(join_amount_parts(unique_words)), hidden_count, picture_count)


def _read_glyphs(text: Any, count: int) -> Iterator[_Glyph]:  # noqa: ANN401 - a text page of pypdfium2
    raw = heavy.pypdfium2.raw
    x, y = ctypes.c_double(), ctypes.c_double()
    rect, matrix = raw.FS_RECTF(), raw.FS_MATRIX()
    mode_by_object: dict[int, tuple[bool, int]] = {}
    for k in range(count):
        code_point = raw.FPDFText_GetUnicode(text, k)
        letter = chr(code_point) if code_point and code_point not in (0xFFFE, 0xFFFF) else "\ufffd"
        if code_point == 2:  # noqa: PLR2004 - PDFium's code for a hyphen at the end of a line
            letter = "-"
        if raw.FPDFText_IsGenerated(text, k) == 1:
            yield _Glyph(" ", 0, 0, (0, 0, 0, 0), 0, 0, drawn=True, sure=True, thing=0)
            continue
        raw.FPDFText_GetCharOrigin(text, k, x, y)
        raw.FPDFText_GetLooseCharBox(text, k, rect)
        raw.FPDFText_GetMatrix(text, k, matrix)
        font_size = raw.FPDFText_GetFontSize(text, k) * math.sqrt(abs(matrix.a * matrix.d - matrix.b * matrix.c))
        glyph_numbers = (x.value, y.value, rect.left, rect.bottom, rect.right, rect.top, font_size)
        if not all(map(math.isfinite, glyph_numbers)) or font_size <= 0:
            continue
        text_object = raw.FPDFText_GetTextObject(text, k)
        object_address = ctypes.cast(text_object, ctypes.c_void_p).value or 0
        if object_address not in mode_by_object:
            is_drawn = not text_object or raw.FPDFTextObj_GetTextRenderMode(text_object) != _NOT_DRAWN
            mode_by_object[object_address] = is_drawn, raw.FPDFText_GetFontWeight(text, k)
        yield _Glyph(
            letter,
            x.value,
            y.value,
            (rect.left, rect.bottom, rect.right, rect.top),
            font_size,
            math.degrees(math.atan2(matrix.b, matrix.a)),
            drawn=mode_by_object[object_address][0],
            sure=letter != "\ufffd" and raw.FPDFText_HasUnicodeMapError(text, k) != 1,
            thing=object_address,
            weight=mode_by_object[object_address][1],
        )


class _Frame:
    """Coordinate frame of a page as a viewer shows it, and turned so that most of its text is upright."""

    def __init__(self, page: Any, turn: float) -> None:  # noqa: ANN401 - of pypdfium2
        left, bottom, right, top = page.get_cropbox()
        self.sides = (left, bottom, right, top)
        self.rotation = page.get_rotation()
        self.turn = turn
        self._cos, self._sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
        corners = [self._turned(x, y) for x in (left, right) for y in (bottom, top)]
        self._left, self._top = min(x for x, _ in corners), max(y for _, y in corners)

    def shown(self, x: float, y: float) -> tuple[float, float]:
        """Return a point's position on the page as a viewer shows it, from the top left corner."""
        left, bottom, right, top = self.sides
        return {
            90: (y - bottom, x - left),
            180: (right - x, y - bottom),
            270: (top - y, right - x),
        }.get(self.rotation, (x - left, top - y))

    def _turned(self, x: float, y: float) -> tuple[float, float]:
        return x * self._cos + y * self._sin, -x * self._sin + y * self._cos

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Return a point's position on the turned page."""
        along_line, up_line = self._turned(x, y)
        return along_line - self._left, self._top - up_line


def _replace_leaders(glyphs: Sequence[_Glyph]) -> list[_Glyph]:
    """Replace each leader (row of dots) with a blank."""
    kept_glyphs: list[_Glyph] = []
    leader_glyphs: list[_Glyph] = []
    for glyph in [*glyphs, None]:
        if glyph is not None and glyph.text in _LEADER_DOTS:
            leader_glyphs.append(glyph)
            continue
        if glyph is not None and glyph.text.isspace() and leader_glyphs:
            leader_glyphs.append(glyph)
            continue
        if leader_glyphs:
            dot_count = sum(not dot.text.isspace() for dot in leader_glyphs)
            kept_glyphs += leader_glyphs if dot_count < _FEWEST_DOTS else [leader_glyphs[0]._replace(text=" ")]
            leader_glyphs = []
        if glyph is not None:
            kept_glyphs.append(glyph)
    return kept_glyphs


def _split_words(glyphs: Sequence[_Glyph]) -> Iterator[list[_Glyph]]:
    """Yield the characters of each word."""
    word_glyphs: list[_Glyph] = []
    has_blank = False
    for glyph in glyphs:
        if glyph.text.isspace() and glyph.text not in _THIN_BLANKS:
            has_blank = True
            continue
        if word_glyphs and not _continues_word(word_glyphs[-1], glyph, has_blank=has_blank):
            yield word_glyphs
            word_glyphs = []
        word_glyphs.append(glyph)
        has_blank = False
    if word_glyphs:
        yield word_glyphs


def _continues_word(previous: _Glyph, glyph: _Glyph, *, has_blank: bool) -> bool:
    """Return whether a character continues the word of another."""
    larger_size = max(previous.size, glyph.size)
    angle_difference = abs((glyph.angle - previous.angle + 180) % 360 - 180)
    if angle_difference > 1 or abs(previous.size - glyph.size) > _SAME_SIZE * larger_size:
        return False
    cos, sin = math.cos(math.radians(previous.angle)), math.sin(math.radians(previous.angle))
    dx, dy = glyph.x - previous.x, glyph.y - previous.y
    along_line, off_line = dx * cos + dy * sin, -dx * sin + dy * cos
    if abs(off_line) > _OFF_LINE * larger_size:
        return False
    is_square = abs(previous.angle / _RIGHT_ANGLE - round(previous.angle / _RIGHT_ANGLE)) * _RIGHT_ANGLE < UPRIGHT
    if not is_square:  # the box of a slanted character says little of its width
        return not has_blank and 0 < along_line < 1.5 * larger_size
    gap_width = along_line - _advance_width(previous, cos, sin)
    if _MAX_OVERLAP * larger_size < gap_width < _MAX_GAP * larger_size:
        return not (has_blank and gap_width > _MAX_GAP * larger_size / 2)
    return (
        not has_blank
        and previous.thing == glyph.thing != 0
        and _MAX_OVERLAP * larger_size < gap_width < _MAX_LOOSE_GAP * larger_size
    )


def _advance_width(glyph: _Glyph, cos: float, sin: float) -> float:
    left, bottom, right, top = glyph.box
    return max((x - glyph.x) * cos + (y - glyph.y) * sin for x in (left, right) for y in (bottom, top))


def _build_word(run: Sequence[_Glyph], number: int, frame: _Frame) -> Word | None:
    word_text = "".join(glyph.text for glyph in run).strip(_THIN_BLANKS + " ")
    if not word_text:
        return None
    solid_glyphs = [glyph for glyph in run if glyph.text not in _THIN_BLANKS]
    first_glyph, last_glyph = solid_glyphs[0], solid_glyphs[-1]
    cos, sin = math.cos(math.radians(first_glyph.angle)), math.sin(math.radians(first_glyph.angle))
    middle_height = _MIDDLE_HEIGHT * first_glyph.size
    tilt_degrees = (first_glyph.angle - frame.turn + 180) % 360 - 180
    corners = [(x, y) for g in solid_glyphs for x in (g.box[0], g.box[2]) for y in (g.box[1], g.box[3])]
    if abs(tilt_degrees) >= UPRIGHT:  # boxes of slanted characters are wide; their places are not
        half_size = first_glyph.size / 2
        corners = [
            (g.x + half_size * dx, g.y + half_size * dy) for g in solid_glyphs for dx in (-1, 1) for dy in (-1, 1)
        ]
    if frame.turn % _RIGHT_ANGLE == 0:  # then the bounding box is equivalent
        left, bottom, right, top = _bounding_box(corners)
        corners = [(left, bottom), (left, top), (right, bottom), (right, top)]
    shown_corners = [frame.shown(*corner) for corner in corners]
    turned_corners = [frame.at(*corner) for corner in corners]
    last_width = _advance_width(last_glyph, cos, sin) if abs(tilt_degrees) < UPRIGHT else first_glyph.size / 2
    start_point = frame.at(first_glyph.x - sin * middle_height, first_glyph.y + cos * middle_height)
    end_point = frame.at(
        last_glyph.x - sin * middle_height + cos * last_width, last_glyph.y + cos * middle_height + sin * last_width
    )
    return Word(
        text=word_text,
        page=number,
        box=_round_box(_bounding_box(shown_corners)),
        left=min(x for x, _ in turned_corners),
        top=start_point[1] - first_glyph.size / 2 if abs(tilt_degrees) < UPRIGHT else min(y for _, y in turned_corners),
        right=max(x for x, _ in turned_corners),
        bottom=start_point[1] + first_glyph.size / 2
        if abs(tilt_degrees) < UPRIGHT
        else max(y for _, y in turned_corners),
        size=first_glyph.size,
        tilt=tilt_degrees,
        foot=start_point,
        tip=end_point,
        sure=all(glyph.sure for glyph in solid_glyphs),
        weight=first_glyph.weight,
    )


def _bounding_box(points: Sequence[tuple[float, float]]) -> Box:
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs), min(ys), max(xs), max(ys)


def _round_box(box: Box) -> Box:
    left, top, right, bottom = (round(side, 1) for side in box)
    return left, top, right, bottom


def _drop_duplicates(words: Sequence[Word]) -> list[Word]:
    """Return the words without those drawn twice to look bold or to cast a shadow."""
    unique_words: list[Word] = []
    words_by_cell: dict[tuple[str, int, int], list[Word]] = {}
    for word in words:
        reach = max(word.size * _DUPLICATE_DISTANCE, 0.01)
        x, y = int(word.left / (4 * reach)), int(word.top / (4 * reach))
        near_words = [
            w for i in (-1, 0, 1) for j in (-1, 0, 1) for w in words_by_cell.get((word.text, x + i, y + j), ())
        ]
        if any(abs(o.left - word.left) < 2 * reach and abs(o.top - word.top) < 2 * reach for o in near_words):
            continue
        words_by_cell.setdefault((word.text, x, y), []).append(word)
        unique_words.append(word)
    return unique_words
