"""Pages that show parts of one board: each part is a window on a single drawing, which the file holds once."""

from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Final

from mapkit.core import heavy
from mapkit.core.errors import PrintError
from mapkit.press.job import PageRun
from mapkit.press.svg_file import read_picture
from mapkit.press.vector import PdfPage, PlacedPicture, pages_to_pdf
from mapkit.version import __version__

PT: Final = 72 / 25.4
"""Points in a millimetre."""

Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class Window:
    """A part of the board on a page.

    Attributes:
        x: Where the left edge of the whole board would lie on the page, in millimetres.
        y: Where its top edge would.
        scale: Of the board.
        clip: Left, top, right, bottom of the part that is seen, on the page.
        turned: The board lies on its side, its upper edge at the left; `x` and `y` are those of the turned board.
    """

    x: float
    y: float
    scale: float
    clip: Box
    turned: bool = False


@dataclass(frozen=True)
class Leaf:
    """A page: perhaps a window on the board, and above it pictures.

    Attributes:
        page: Its size and pictures.
        window: The board below them.
        trim: What remains after cutting, left, top, right, bottom; the page by default.
        bled: What is printed to, if more than the trim.
    """

    page: PdfPage
    window: Window | None = None
    trim: Box | None = None
    bled: Box | None = None


def write_windows_pdf(
    leaves: Sequence[Leaf], board_svg: str | None, sections: Sequence[PageRun], *, title: str
) -> bytes:
    """Return the PDF of all leaves; the same leaves give the same bytes.

    Args:
        leaves: The pages in order.
        board_svg: What windows look at.
        sections: Become bookmarks.
        title: Of the file.

    Raises:
        PrintError: There is no leaf, or a picture cannot be drawn.
    """
    if not leaves:
        raise PrintError("there is nothing to print; name board, sheets or cards after --only")
    pages = [leaf.page for leaf in leaves]
    if board_svg is not None:
        board = read_picture(board_svg, "the board")
        pages.append(PdfPage(board.width, board.height, (PlacedPicture(board_svg, 0, 0, board.width, board.height),)))
    with heavy.pikepdf.Pdf.open(BytesIO(pages_to_pdf(pages, title=title))) as pdf:
        if board_svg is not None:
            form = pdf.pages[-1].as_form_xobject()
            size = (float(pdf.pages[-1].mediabox[2]), float(pdf.pages[-1].mediabox[3]))
            for leaf, page in zip(leaves, pdf.pages, strict=False):
                if leaf.window is not None:
                    _open(pdf, page, leaf, form, size)
            del pdf.pages[-1]
        for leaf, page in zip(leaves, pdf.pages, strict=True):
            _boxes(page, leaf)
        _plainly(pdf, title)
        with pdf.open_outline() as outline:
            outline.root.extend(heavy.pikepdf.OutlineItem(section.title, section.first - 1) for section in sections)
        out = BytesIO()
        pdf.save(out, deterministic_id=True, object_stream_mode=heavy.pikepdf.ObjectStreamMode.generate)
        return out.getvalue()


def _open(
    pdf: "heavy.pikepdf.Pdf",
    page: "heavy.pikepdf.Page",
    leaf: Leaf,
    form: "heavy.pikepdf.Object",
    size: tuple[float, float],
) -> None:
    """Draw the board, of some size in points, below what is on the page."""
    window = leaf.window
    if window is None:
        return
    left, top, right, bottom = window.clip
    tall = leaf.page.height
    name = page.add_resource(form, heavy.pikepdf.Name.XObject, heavy.pikepdf.Name.Board)
    words = (
        f"q {_n(left * PT)} {_n((tall - bottom) * PT)} {_n((right - left) * PT)} {_n((bottom - top) * PT)} re W n "
        f"{_matrix(window, tall, size)} cm {name} Do Q\n"
    )
    page.contents_add(pdf.make_stream(words.encode("ascii")), prepend=True)


def _matrix(window: Window, tall: float, size: tuple[float, float]) -> str:
    """Return the six numbers that put a board of some size in points on a page as tall as this, in millimetres."""
    scale, left, top = window.scale, window.x * PT, (tall - window.y) * PT
    if window.turned:
        return f"0 {scale:.8f} {-scale:.8f} 0 {_n(left + size[1] * scale)} {_n(top - size[0] * scale)}"
    return f"{scale:.8f} 0 0 {scale:.8f} {_n(left)} {_n(top - size[1] * scale)}"


def _boxes(page: "heavy.pikepdf.Page", leaf: Leaf) -> None:
    """State the page's size to a thousandth of a point, and where it is cut."""
    tall = leaf.page.height

    def box(area: Box) -> "heavy.pikepdf.Array":
        left, top, right, bottom = area
        return heavy.pikepdf.Array(
            [_round(v) for v in (left * PT, (tall - bottom) * PT, right * PT, (tall - top) * PT)]
        )

    page.obj.MediaBox = box((0, 0, leaf.page.width, tall))
    if leaf.trim is not None:
        page.obj.TrimBox = box(leaf.trim)
        page.obj.BleedBox = box(leaf.bled or leaf.trim)
    if heavy.pikepdf.Name.StructParents in page.obj:
        del page.obj.StructParents


def _plainly(pdf: "heavy.pikepdf.Pdf", title: str) -> None:
    """Drop times and what described the pages before they were put together; ask printers not to scale."""
    for key in ("/StructTreeRoot", "/MarkInfo", "/Metadata"):
        if key in pdf.Root:
            del pdf.Root[key]
    pdf.Root.ViewerPreferences = heavy.pikepdf.Dictionary(
        DisplayDocTitle=True, PrintScaling=heavy.pikepdf.Name("/None")
    )
    pdf.trailer.Info = pdf.make_indirect(heavy.pikepdf.Dictionary(Title=title, Creator=f"mapkit {__version__}"))


def _round(value: float) -> float:
    return round(value, 4)


def _n(value: float) -> str:
    text = f"{value:.5f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
