"""Pages of pictures and scanned PDFs as words, and crops of them for display."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from mapkit.core.base import Frozen
from mapkit.core.errors import ChoiceError, SourceError
from mapkit.core.kept import Basis, recalled
from mapkit.core.plurals import count_noun
from mapkit.core.progress import quiet
from mapkit.formats import recogniser
from mapkit.formats.files import peek_bytes, read_start
from mapkit.formats.pdf.glyphs import MAX_PICTURES
from mapkit.formats.pdf.guard import START, is_pdf
from mapkit.formats.pdf.reading import read_pdf_pages, render_pdf_pages
from mapkit.formats.pdf.word import Page, crop_page
from mapkit.formats.pixels import read_dots_per_inch, read_pixels

Grey = NDArray[np.uint8]
Say = Callable[[str], None]
"""Receives progress messages."""
_ReadResult = TypeVar("_ReadResult")

_PICTURE_SIGNATURES: Final = (b"\x89PNG", b"\xff\xd8\xff", b"II*\x00", b"MM\x00*")
_WEBP_SIGNATURE: Final = (b"RIFF", b"WEBP")
_REPORT_STEP: Final = 500
_JPEG_QUALITY: Final = 85
_GOOD_DIGIT_HEIGHT: Final = 10
"""Pixels: digits as high are read well."""
_SMALL_DIGIT_HEIGHT: Final = 8
_RETAKE_ADVICE: Final = (
    "if this is a photograph, lay the sheet flat and take it again from straight above, in even light"
)
_CROP_MARGIN: Final = 0.9
"""Parts of a box that a piece of a picture shows around it."""


def is_picture(start: bytes) -> bool:
    """Return whether a file begins like a PNG, JPEG, TIFF or WebP."""
    return start.startswith(_PICTURE_SIGNATURES) or (
        start[:4] == _WEBP_SIGNATURE[0] and start[8:12] == _WEBP_SIGNATURE[1]
    )


def read_picture_pages(path: Path, more: Sequence[Path] = (), *, file: str, say: Say | None = None) -> list[Page]:
    """Return the words of pictures, one page each.

    Args:
        path: The file.
        more: Pictures of further pages.
        file: Its name in messages.
        say: Told what is being done.

    Raises:
        ChoiceError: The extra for pictures is not installed.
        SourceError: One is not a picture that can be read, or too large; or there are too many.
        WorkspaceError: One is not readable.
    """
    recogniser.require_recogniser(f"{file}: a picture")
    if len(more) >= MAX_PICTURES:
        raise SourceError(f"{file}: {len(more) + 1} pictures; at most {MAX_PICTURES} are read as one chart")
    for other_path in more:
        if not is_picture(read_start(other_path, str(other_path))):
            raise SourceError(f"{other_path}: not a picture; several files are pages of one chart, each a picture")
    pages = (
        (picture_path, _recognise_page(_read_grey(picture_path), number, say))
        for number, picture_path in enumerate((path, *more), start=1)
    )
    return [page._replace(dots=read_dots_per_inch(picture_path)) for picture_path, page in pages]


class FilePages(NamedTuple):
    """Words of a PDF or a picture.

    Args:
        kind: `pdf` or `picture`.
        pages: Its pages.
        shown: Pages of a PDF with tables of amounts, by number, as pictures: pixels a point, and the picture.
    """

    kind: str
    pages: list[Page]
    shown: Mapping[int, tuple[float, Grey]] = MappingProxyType({})


def read_compared(found: FilePages, read: Callable[[list[Page]], _ReadResult]) -> _ReadResult:
    """Return a reader's result for pages, each compared with its picture.

    Comparing takes seconds, so pages without a chart are refused before.
    """
    result = read(found.pages)
    compared_pages = [
        recogniser.compare_with_picture(page, scale=found.shown[page.number][0], grey=found.shown[page.number][1])
        if page.number in found.shown
        else page
        for page in found.pages
    ]
    return result if compared_pages == found.pages else read(compared_pages)


def read_pdf_or_scan(
    path: Path, *, file: str, chosen: Sequence[int] | None = None, say: Say | None = None
) -> FilePages:
    """Return the words of a PDF; pages that are pictures are recognised if the extra is installed.

    Args:
        path: The file.
        file: Its name in messages.
        chosen: The pages that are read, from 1; all by default.
        say: Told what is being done.

    Raises:
        ChoiceError: No page has text, some are pictures, and the extra for pictures is not installed.
        SourceError: As for `pdf_pages` and `pdf_pictures`.
        WorkspaceError: It is not readable.
    """
    pages, table_pictures = read_pdf_pages(path, file=file, chosen=chosen)
    picture_numbers = [page.number for page in pages if page.pictures and not page.words]
    if not picture_numbers:
        return FilePages("pdf", pages, table_pictures)
    if not recogniser.can_recognise():
        if any(page.words for page in pages):
            return FilePages("pdf", pages, table_pictures)
        recogniser.require_recogniser(f"{file}: its pages are pictures without text")
    recognised_pages = {
        number: _recognise_page(grey, number, say, scale=scale)
        for number, scale, grey in render_pdf_pages(path, file=file, chosen=picture_numbers)
    }
    return FilePages("pdf", [recognised_pages.get(page.number, page) for page in pages], table_pictures)


def read_file_pages(
    path: Path,
    start: bytes,
    *,
    file: str,
    kind: str | None = None,
    chosen: Sequence[int] = (),
    box: tuple[float, float, float, float] | None = None,
    more: Sequence[Path] = (),
    say: Say | None = None,
) -> FilePages | None:
    """Return the words of a PDF or a picture; None for any other file.

    Args:
        path: The file.
        start: How it begins, as `files.start_of` returns it.
        file: Its name in messages.
        kind: What it is, if the user says so.
        chosen: The pages of a PDF that are read, from 1; all by default.
        box: Where their words are: points of a PDF, pixels of a picture, from the top left; anywhere by default.
        more: Pictures of further pages.
        say: Told what is being done.

    Raises:
        ChoiceError: As for `picture_pages` and `pages_of_pdf`, likewise WorkspaceError; or pages are chosen, and it is
            not a PDF; or a box is given, and it is neither a PDF nor a picture.
        SourceError: Likewise; or it is not a picture, and has further pages.
    """
    if more and not (kind == "picture" or (kind is None and is_picture(start))):
        raise SourceError(f"{file}: not a picture; several files are pages of one chart, each a picture")
    is_document = kind == "pdf" or (kind is None and is_pdf(start))
    if chosen and not is_document:
        raise ChoiceError(f"{file}: --pages is given, but this is not a PDF")
    if is_document:
        found = read_pdf_or_scan(path, file=file, chosen=chosen, say=say)
    elif kind == "picture" or (kind is None and is_picture(start)):
        found = FilePages("picture", read_picture_pages(path, more, file=file, say=say))
    elif box is not None:
        raise ChoiceError(f"{file}: --box is given, but this is neither a PDF nor a picture")
    else:
        return None
    return found if box is None else found._replace(pages=[crop_page(page, box) for page in found.pages])


def cut_crops(
    path: Path,
    spots: Sequence[tuple[int, tuple[float, float, float, float]]],
    more: Sequence[Path] = (),
    *,
    file: str,
) -> list[bytes]:
    """Return crops of pictures or of a PDF's pages as PNG files.

    Args:
        path: The file.
        spots: Page, from 1, and box of each, in pixels of a picture or points of a PDF.
        more: Pictures of further pages.
        file: Its name in messages.

    Raises:
        SourceError: As for `picture_pages` and `pages_of_pdf`; likewise WorkspaceError.
        ChoiceError: The file is neither.
    """
    page_pictures = _load_pictures((path, *more), [page for page, _ in spots], file)
    pages = {number: (scale, grey) for number, scale, grey in page_pictures}
    crops = []
    for page, box in spots:
        scale, grey = pages[page]
        left, top, right, bottom = (side * scale for side in box)
        margin = _CROP_MARGIN * max(bottom - top, 4.0)
        (x0, x1), (y0, y1) = (
            (max(0, min(round(low), most - 1)), max(1, min(round(high), most)))
            for low, high, most in (
                (left - 2 * margin, right + 2 * margin, grey.shape[1]),
                (top - margin, bottom + margin, grey.shape[0]),
            )
        )
        crop_image = Image.fromarray(grey[y0 : max(y0 + 1, y1), x0 : max(x0 + 1, x1)])
        zoom = max(1, round(60 / max(1, crop_image.height)))
        stream = BytesIO()
        crop_image.resize((crop_image.width * zoom, crop_image.height * zoom)).save(stream, "PNG")
        crops.append(stream.getvalue())
    return crops


def render_page_files(
    path: Path, pages: Sequence[int], more: Sequence[Path] = (), *, file: str
) -> list[tuple[float, float, bytes]]:
    """Return pages as JPEG files, each with its width and height in the unit of boxes on it.

    Args:
        path: A picture or a PDF.
        pages: Which pages, from 1, ascending.
        more: Pictures of further pages.
        file: Its name in messages.

    Raises:
        SourceError: As for `crops_of`; likewise WorkspaceError and ChoiceError.
    """
    jpeg_pages = []
    for _, scale, grey in _load_pictures((path, *more), pages, file):
        stream = BytesIO()
        Image.fromarray(grey).save(stream, "JPEG", quality=_JPEG_QUALITY)
        jpeg_pages.append((grey.shape[1] / scale, grey.shape[0] / scale, stream.getvalue()))
    return jpeg_pages


def _load_pictures(paths: Sequence[Path], pages: Sequence[int], file: str) -> list[tuple[int, float, Grey]]:
    path = paths[0]
    start = peek_bytes(path, START)
    if is_pdf(start):
        return render_pdf_pages(path, file=file, chosen=sorted(set(pages)))
    if is_picture(start):
        return [(page, 1.0, _read_grey(paths[page - 1])) for page in sorted(set(pages))]
    raise ChoiceError(f"{file}: neither a picture nor a PDF, so there is nothing to show")


def _read_grey(path: Path) -> Grey:
    pixels = read_pixels(path, colours=False)
    return np.asarray(Image.fromarray(pixels).convert("L"), dtype=np.uint8)


def _recognise_page(grey: Grey, number: int, say: Say | None, *, scale: float = 1.0) -> Page:
    last_reported = 0

    def tell(done: int, words: int) -> None:
        nonlocal last_reported
        if say is not None and done - last_reported >= _REPORT_STEP:
            last_reported = done
            say(f"page {number}, {done:,} of {count_noun(words, 'word')}")

    def read() -> _CachedPage:
        if say is not None:
            say(f"page {number}")
        return _CachedPage(page=recogniser.read_picture_page(grey, number, tell))

    cache_basis = Basis(values=(hashlib.sha256(grey.tobytes()).hexdigest(), f"{grey.shape} {number}"))
    recognised_page = recalled("page", cache_basis, _CachedPage, read, progress=say or quiet).page
    if scale == 1.0:
        return recognised_page
    return recognised_page._replace(
        words=tuple(word._replace(box=_scale_box(word.box, scale)) for word in recognised_page.words)
    )


def small_digit_warnings(pages: Sequence[Page], *, file: str, failed: bool) -> list[str]:
    """Return a sentence with a cure for each page of a picture with digits too small for reliable reading.

    Without such a page, a picture that failed gets one sentence on how to take it again.

    Args:
        pages: The pages.
        file: Name of the file in messages.
        failed: Whether it was not read; then digits that are nearly high enough count too.
    """
    min_height = _GOOD_DIGIT_HEIGHT if failed else _SMALL_DIGIT_HEIGHT
    warnings = [_advise_enlarging(page, file) for page in pages if 0 < page.digit < min_height]
    if failed and not warnings and any(page.digit for page in pages):
        warnings = [f"{file}: {_RETAKE_ADVICE}"]
    return warnings


def _advise_enlarging(page: Page, file: str) -> str:
    enlargement = _GOOD_DIGIT_HEIGHT / page.digit
    scan_advice = f"scan it with {enlargement:.1f} times as many dots per inch, or photograph it from nearer"
    if page.dots:
        scan_advice = f"scan it at {-(-page.dots * enlargement // 50) * 50:.0f} dots per inch, not {page.dots}"
    height = f"digits are about {page.digit:g} pixels high"
    return f"{file}: page {page.number}: {height}; {scan_advice}, so that they are 10 or more"


class _CachedPage(Frozen):
    """Cached words of a page, reused when the same picture is read with other names or amounts settled."""

    page: Page


def _scale_box(box: tuple[float, float, float, float], scale: float) -> tuple[float, float, float, float]:
    left, top, right, bottom = (round(side / scale, 1) for side in box)
    return left, top, right, bottom
