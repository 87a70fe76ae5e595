"""PDF pages that show parts of one board: each part is a window on a single shared form object."""

from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Final

from mapkit.core import heavy
from mapkit.core.errors import PrintError
from mapkit.drawing.svg_file import read_picture
from mapkit.press.job import PageRun
from mapkit.press.vector import PdfPage, PlacedPicture, pages_to_pdf
from mapkit.version import __version__

PT: Final = 72 / 25.4
"""Points in a millimetre."""

Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class Window:
    """Part of the board on a page.

    Attributes:
        x: Left edge of the whole board in millimetres of the page; it may lie off the page.
        y: Top edge of the whole board, likewise.
        scale: Scale of the board.
        clip: Left, top, right, bottom of the visible part, in millimetres of the page.
        turned: Whether the board is turned on its side, its upper edge at the left; `x`, `y` refer to the turned board.
    """

    x: float
    y: float
    scale: float
    clip: Box
    turned: bool = False


@dataclass(frozen=True)
class Leaf:
    """A page with pictures, and optionally a window on the board below them.

    Attributes:
        page: Size and pictures of the page.
        window: The part of the board below the pictures.
        trim: Left, top, right, bottom of the trimmed page; the whole page by default.
        bled: Bleed box, likewise; `trim` by default.
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
        board_svg: Drawing of the board, shared by all windows; None without windows.
        sections: Sections of the file, each with a bookmark.
        title: Title of the file.

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
            board_form = pdf.pages[-1].as_form_xobject()
            board_size = (float(pdf.pages[-1].mediabox[2]), float(pdf.pages[-1].mediabox[3]))
            for leaf, page in zip(leaves, pdf.pages, strict=False):
                if leaf.window is not None:
                    _draw_window(pdf, page, leaf, board_form, board_size)
            del pdf.pages[-1]
        for leaf, page in zip(leaves, pdf.pages, strict=True):
            _set_boxes(page, leaf)
        # Replace metadata that contains times, delete the obsolete structure tree, and ask printers not to scale.
        for key in ("/StructTreeRoot", "/MarkInfo", "/Metadata"):
            if key in pdf.Root:
                del pdf.Root[key]
        pdf.Root.ViewerPreferences = heavy.pikepdf.Dictionary(
            DisplayDocTitle=True, PrintScaling=heavy.pikepdf.Name("/None")
        )
        pdf.trailer.Info = pdf.make_indirect(heavy.pikepdf.Dictionary(Title=title, Creator=f"mapkit {__version__}"))
        with pdf.open_outline() as outline:
            outline.root.extend(heavy.pikepdf.OutlineItem(section.title, section.first - 1) for section in sections)
        pdf_bytes = BytesIO()
        pdf.save(pdf_bytes, deterministic_id=True, object_stream_mode=heavy.pikepdf.ObjectStreamMode.generate)
        return pdf_bytes.getvalue()


def _draw_window(
    pdf: "heavy.pikepdf.Pdf",
    page: "heavy.pikepdf.Page",
    leaf: Leaf,
    form: "heavy.pikepdf.Object",
    size: tuple[float, float],
) -> None:
    """Draw the visible part of the board below the content of the page; `size` is the board's, in points."""
    board_window = leaf.window
    if board_window is None:
        return
    left, top, right, bottom = board_window.clip
    page_height = leaf.page.height
    board_name = page.add_resource(form, heavy.pikepdf.Name.XObject, heavy.pikepdf.Name.Board)
    drawing_steps = (
        f"q {_fmt(left * PT)} {_fmt((page_height - bottom) * PT)} {_fmt((right - left) * PT)} "
        f"{_fmt((bottom - top) * PT)} re W n {_window_matrix(board_window, page_height, size)} cm {board_name} Do Q\n"
    )
    page.contents_add(pdf.make_stream(drawing_steps.encode("ascii")), prepend=True)


def _window_matrix(window: Window, tall: float, size: tuple[float, float]) -> str:
    """Return the PDF matrix that places a board of `size`, in points, on a page of height `tall`, in millimetres."""
    scale, left, top = window.scale, window.x * PT, (tall - window.y) * PT
    if window.turned:
        return f"0 {scale:.8f} {-scale:.8f} 0 {_fmt(left + size[1] * scale)} {_fmt(top - size[0] * scale)}"
    return f"{scale:.8f} 0 0 {scale:.8f} {_fmt(left)} {_fmt(top - size[1] * scale)}"


def _set_boxes(page: "heavy.pikepdf.Page", leaf: Leaf) -> None:
    """Set the page's media, trim and bleed boxes, rounded to 4 decimals of a point."""
    page_height = leaf.page.height

    def box(area: Box) -> "heavy.pikepdf.Array":
        left, top, right, bottom = area
        return heavy.pikepdf.Array(
            [round(v, 4) for v in (left * PT, (page_height - bottom) * PT, right * PT, (page_height - top) * PT)]
        )

    page.obj.MediaBox = box((0, 0, leaf.page.width, page_height))
    if leaf.trim is not None:
        page.obj.TrimBox = box(leaf.trim)
        page.obj.BleedBox = box(leaf.bled or leaf.trim)
    if heavy.pikepdf.Name.StructParents in page.obj:
        del page.obj.StructParents


def _fmt(value: float) -> str:
    number_text = f"{value:.5f}".rstrip("0").rstrip(".")
    return "0" if number_text == "-0" else number_text
