"""Pages of pictures and of scanned PDFs as words, and pieces of them to look at."""

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
from mapkit.core.plurals import counted
from mapkit.core.progress import quiet
from mapkit.formats.files import start_of
from mapkit.formats.pdf.glyphs import MAX_PICTURES
from mapkit.formats.pdf.guard import START, is_pdf
from mapkit.formats.pdf.reading import pdf_pages, pdf_pictures
from mapkit.formats.pdf.word import Page
from mapkit.formats.pixels import dots_an_inch, read_pixels
from mapkit.formats.recognising.compared import compared
from mapkit.formats.recognising.engine import can_recognise, need_recogniser
from mapkit.formats.recognising.page import page_of_picture

Grey = NDArray[np.uint8]
Say = Callable[[str], None]
"""Told what is being done."""
_Made = TypeVar("_Made")

_SIGNS: Final = (b"\x89PNG", b"\xff\xd8\xff", b"II*\x00", b"MM\x00*")
_WEBP: Final = (b"RIFF", b"WEBP")
_EVERY: Final = 500
_QUALITY: Final = 85
_READ_WELL: Final = 10
"""Pixels: digits as high are read well."""
_SMALL: Final = 8
_ROUND: Final = 0.9
"""Parts of a box that a piece of a picture shows around it."""


def is_picture(start: bytes) -> bool:
    """Say whether a file begins as a PNG, JPEG, TIFF or WebP does."""
    return start.startswith(_SIGNS) or (start[:4] == _WEBP[0] and start[8:12] == _WEBP[1])


def picture_pages(path: Path, more: Sequence[Path] = (), *, file: str, say: Say | None = None) -> list[Page]:
    """Return the words of pictures, each as a page.

    Args:
        path: The file.
        more: Pictures of further pages.
        file: What to call it in messages.
        say: Told what is being done.

    Raises:
        ChoiceError: The extra for pictures is not installed.
        SourceError: One is not a picture that can be read, or too large; or there are too many.
        WorkspaceError: One may not be read.
    """
    need_recogniser(f"{file}: a picture")
    if len(more) >= MAX_PICTURES:
        raise SourceError(f"{file}: {len(more) + 1} pictures; at most {MAX_PICTURES} are read as one chart")
    for other in more:
        if not is_picture(start_of(other, str(other))):
            raise SourceError(f"{other}: not a picture; several files are pages of one chart, each a picture")
    pages = ((one, _page(_grey(one), number, say)) for number, one in enumerate((path, *more), start=1))
    return [page._replace(dots=dots_an_inch(one)) for one, page in pages]


class FilePages(NamedTuple):
    """The words of a PDF or a picture.

    Args:
        kind: `pdf` or `picture`.
        pages: Its pages.
        shown: Pages of a PDF with tables of amounts, by number, as pictures: pixels a point, and the picture.
    """

    kind: str
    pages: list[Page]
    shown: Mapping[int, tuple[float, Grey]] = MappingProxyType({})


def read_compared(found: FilePages, read: Callable[[list[Page]], _Made]) -> _Made:
    """Return what a reader makes of pages, each compared with its picture.

    Comparing takes seconds, so what holds no chart is refused before.
    """
    made = read(found.pages)
    pages = [
        compared(page, scale=found.shown[page.number][0], grey=found.shown[page.number][1])
        if page.number in found.shown
        else page
        for page in found.pages
    ]
    return made if pages == found.pages else read(pages)


def pages_of_pdf(path: Path, *, file: str, chosen: Sequence[int] | None = None, say: Say | None = None) -> FilePages:
    """Return the words of a PDF; pages that are pictures are read as such, if the extra is installed.

    Args:
        path: The file.
        file: What to call it in messages.
        chosen: The pages that are read, from 1; all by default.
        say: Told what is being done.

    Raises:
        ChoiceError: No page has text, some are pictures, and the extra for pictures is not installed.
        SourceError: As for `pdf_pages` and `pdf_pictures`.
        WorkspaceError: It may not be read.
    """
    pages, shown = pdf_pages(path, file=file, chosen=chosen)
    pictures = [page.number for page in pages if page.pictures and not page.words]
    if not pictures:
        return FilePages("pdf", pages, shown)
    if not can_recognise():
        if any(page.words for page in pages):
            return FilePages("pdf", pages, shown)
        need_recogniser(f"{file}: its pages are pictures without text")
    read = {
        number: _page(grey, number, say, scale=scale)
        for number, scale, grey in pdf_pictures(path, file=file, chosen=pictures)
    }
    return FilePages("pdf", [read.get(page.number, page) for page in pages], shown)


def pages_of_file(
    path: Path,
    start: bytes,
    *,
    file: str,
    kind: str | None = None,
    chosen: Sequence[int] = (),
    more: Sequence[Path] = (),
    say: Say | None = None,
) -> FilePages | None:
    """Return the words of a PDF or a picture; None for any other file.

    Args:
        path: The file.
        start: How it begins, as `files.start_of` returns it.
        file: What to call it in messages.
        kind: What it is, if the user says so.
        chosen: The pages of a PDF that are read, from 1; all by default.
        more: Pictures of further pages.
        say: Told what is being done.

    Raises:
        ChoiceError: As for `picture_pages` and `pages_of_pdf`; likewise WorkspaceError.
        SourceError: Likewise; or pages are chosen, and it is not a PDF; or it is not a picture, and has further pages.
    """
    if more and not (kind == "picture" or (kind is None and is_picture(start))):
        raise SourceError(f"{file}: not a picture; several files are pages of one chart, each a picture")
    if kind == "pdf" or (kind is None and is_pdf(start)):
        return pages_of_pdf(path, file=file, chosen=chosen, say=say)
    if chosen:
        raise SourceError(f"{file}: --pages is given, but this is not a PDF")
    if kind == "picture" or (kind is None and is_picture(start)):
        return FilePages("picture", picture_pages(path, more, file=file, say=say))
    return None


def crops_of(
    path: Path,
    spots: Sequence[tuple[int, tuple[float, float, float, float]]],
    more: Sequence[Path] = (),
    *,
    file: str,
) -> list[bytes]:
    """Return pieces of pictures or of a PDF's pages as PNG files.

    Args:
        path: The file.
        spots: Page, from 1, and box of each, in pixels of a picture or points of a PDF.
        more: Pictures of further pages.
        file: What to call it in messages.

    Raises:
        SourceError: As for `picture_pages` and `pages_of_pdf`; likewise WorkspaceError.
        ChoiceError: The file is neither.
    """
    found = _pictures((path, *more), [page for page, _ in spots], file)
    pages = {number: (scale, grey) for number, scale, grey in found}
    out = []
    for page, box in spots:
        scale, grey = pages[page]
        left, top, right, bottom = (side * scale for side in box)
        room = _ROUND * max(bottom - top, 4.0)
        (x0, x1), (y0, y1) = (
            (max(0, min(round(low), most - 1)), max(1, min(round(high), most)))
            for low, high, most in (
                (left - 2 * room, right + 2 * room, grey.shape[1]),
                (top - room, bottom + room, grey.shape[0]),
            )
        )
        piece = Image.fromarray(grey[y0 : max(y0 + 1, y1), x0 : max(x0 + 1, x1)])
        times = max(1, round(60 / max(1, piece.height)))
        stream = BytesIO()
        piece.resize((piece.width * times, piece.height * times)).save(stream, "PNG")
        out.append(stream.getvalue())
    return out


def page_files(
    path: Path, pages: Sequence[int], more: Sequence[Path] = (), *, file: str
) -> list[tuple[float, float, bytes]]:
    """Return pages as JPEG files, each with its width and height in the unit of boxes on it.

    Args:
        path: A picture or a PDF.
        pages: Which pages, from 1, ascending.
        more: Pictures of further pages.
        file: What to call it in messages.

    Raises:
        SourceError: As for `crops_of`; likewise WorkspaceError and ChoiceError.
    """
    out = []
    for _, scale, grey in _pictures((path, *more), pages, file):
        stream = BytesIO()
        Image.fromarray(grey).save(stream, "JPEG", quality=_QUALITY)
        out.append((grey.shape[1] / scale, grey.shape[0] / scale, stream.getvalue()))
    return out


def _pictures(paths: Sequence[Path], pages: Sequence[int], file: str) -> list[tuple[int, float, Grey]]:
    path = paths[0]
    with path.open("rb") as stream:
        start = stream.read(START)
    if is_pdf(start):
        return pdf_pictures(path, file=file, chosen=sorted(set(pages)))
    if is_picture(start):
        return [(page, 1.0, _grey(paths[page - 1])) for page in sorted(set(pages))]
    raise ChoiceError(f"{file}: neither a picture nor a PDF, so there is nothing to show")


def _grey(path: Path) -> Grey:
    pixels = read_pixels(path, colours=False)
    return np.asarray(Image.fromarray(pixels).convert("L"), dtype=np.uint8)


def _page(grey: Grey, number: int, say: Say | None, *, scale: float = 1.0) -> Page:
    shown = 0

    def tell(done: int, words: int) -> None:
        nonlocal shown
        if say is not None and done - shown >= _EVERY:
            shown = done
            say(f"page {number}, {done:,} of {counted(words, 'word')}")

    def read() -> _Kept:
        if say is not None:
            say(f"page {number}")
        return _Kept(page=page_of_picture(grey, number, tell)[0])

    seen = Basis(values=(hashlib.sha256(grey.tobytes()).hexdigest(), f"{grey.shape} {number}"))
    page = recalled("page", seen, _Kept, read, progress=say or quiet).page
    if scale == 1.0:
        return page
    return page._replace(words=tuple(word._replace(box=_scaled(word.box, scale)) for word in page.words))


def too_small(pages: Sequence[Page], *, file: str, failed: bool) -> list[str]:
    """Return a sentence for each page of a picture whose digits are too small to be read well, and what to do.

    Args:
        pages: The pages.
        file: What to call the file.
        failed: Whether it was not read; then digits that are nearly high enough count too.
    """
    least = _READ_WELL if failed else _SMALL
    return [_enlarge(page, file) for page in pages if 0 < page.digit < least]


def _enlarge(page: Page, file: str) -> str:
    more = _READ_WELL / page.digit
    scan = f"scan it with {more:.1f} times as many dots per inch, or photograph it from nearer"
    if page.dots:
        scan = f"scan it at {-(-page.dots * more // 50) * 50:.0f} dots per inch, not {page.dots}"
    return (
        f"{file}: page {page.number}: digits are about {page.digit:g} pixels high; {scan}, so that they are 10 or more"
    )


class _Kept(Frozen):
    """A page that was read, kept for whoever reads the same picture again with other names or amounts settled."""

    page: Page


def _scaled(box: tuple[float, float, float, float], scale: float) -> tuple[float, float, float, float]:
    left, top, right, bottom = (round(side / scale, 1) for side in box)
    return left, top, right, bottom
