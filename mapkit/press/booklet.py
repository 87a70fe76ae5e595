"""Imposition of a booklet to fold and staple: sheets on half pages, the board across the centre spread."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from mapkit.core.errors import PrintError
from mapkit.drawing.page import MARGIN
from mapkit.drawing.sheet import Sheet
from mapkit.drawing.words.language import Words
from mapkit.press.drawing import INK, QUIET, PaperPage
from mapkit.press.form_objects import Leaf, Window
from mapkit.press.vector import PdfPage, PlacedPicture

MOST_PAGES: Final = 80
"""Most pages of a booklet: more than twenty leaves do not fold."""

_PAGES_PER_LEAF: Final = 4
"""Pages on a leaf of paper that is printed on both sides and folded."""
_NUMBER_SIZE: Final = 3.2
_TITLE_SIZE: Final = 9.0
_LINE_SIZE: Final = 3.6
_LINE_SPACING: Final = 6.0
_COVER_INSET: Final = 10.0


@dataclass(frozen=True)
class Booklet:
    """A booklet, imposed for printing.

    Attributes:
        leaves: Sides of paper in printing order: front and back of each leaf, the outermost leaf first.
        numbers: Pairs of the title of a sheet and its page number.
        pages: Number of pages when folded, a multiple of 4.
        scale: Smallest scale of any sheet.
    """

    leaves: tuple[Leaf, ...]
    numbers: tuple[tuple[str, int], ...]
    pages: int
    scale: float


def make_booklet(
    pages: Sequence[Sheet],
    board: tuple[float, float] | None,
    paper: tuple[float, float],
    *,
    margin: float,
    title: str,
    words: Words,
) -> Booklet:
    """Return a booklet: a cover with contents, then the sheets, with the board on the two middle pages.

    If there are enough blank pages, the board does not split a set of sheets, such as the pages of the payoff chart.

    Args:
        pages: The sheets, in order.
        board: Width and height of the board's drawing, in millimetres; None without it.
        paper: Width and height of the upright paper before folding, in millimetres.
        margin: Width of the unprintable edge, in millimetres.
        title: Title of the board.
        words: The language of the contents.

    Raises:
        PrintError: There are more pages than can be folded.
    """
    needed_pages = 1 + len(pages) + (2 if board else 0)
    page_count = -(-needed_pages // _PAGES_PER_LEAF) * _PAGES_PER_LEAF
    if page_count > MOST_PAGES:
        raise PrintError(
            f"a booklet of {page_count} pages does not fold; {MOST_PAGES} are the most: name sheets with --only"
        )
    middle_pages = (page_count // 2, page_count // 2 + 1)
    sheet_by_page = dict(zip(_number_pages(pages, page_count, middle_pages if board else None), pages, strict=True))
    numbers = [(sheet.title, number) for number, sheet in sheet_by_page.items()]
    if board is not None:
        numbers.append((words("printout.board"), middle_pages[0]))
    numbers.sort(key=lambda row: row[1])
    half_page = (paper[1] / 2, paper[0])
    pictures_by_page = {number: _place_sheet(sheet, half_page, margin) for number, sheet in sheet_by_page.items()}
    pictures_by_page[1] = [PlacedPicture(_draw_cover(half_page, title, numbers), 0, 0, *half_page)]
    leaves = []
    for left, right in booklet_sides(page_count):
        pictures = [
            PlacedPicture(
                picture.svg, picture.x + x_shift, picture.y, picture.width, picture.height, turned=picture.turned
            )
            for number, x_shift in ((left, 0.0), (right, half_page[0]))
            for picture in (
                *pictures_by_page.get(number, ()),
                *_page_number(number, half_page, margin, drawn=number in sheet_by_page),
            )
        ]
        side_page = PdfPage(paper[1], paper[0], tuple(pictures))
        board_window = (
            _place_board(board, (paper[1], paper[0]), margin) if board and (left, right) == middle_pages else None
        )
        leaves.append(Leaf(side_page, board_window))
    scale = min((_scale_to_half(sheet, half_page, margin) for sheet in pages), default=1.0)
    return Booklet(tuple(leaves), tuple(numbers), page_count, scale)


def booklet_sides(count: int) -> list[tuple[int, int]]:
    """Return the left and right page of each side of paper: front and back of each leaf, the outermost leaf first."""
    page_pairs = []
    for first_page in range(1, count // 2, 2):
        page_pairs += [(count + 1 - first_page, first_page), (first_page + 1, count - first_page)]
    return page_pairs


def _number_pages(pages: Sequence[Sheet], count: int, middle: tuple[int, int] | None) -> list[int]:
    """Return the page number of each sheet; a set that the board would split moves behind it as a whole.

    The set stays split if moving it takes more paper.
    """
    if middle is None:
        return list(range(2, len(pages) + 2))
    pages_before, pages_after = range(2, middle[0]), range(middle[1] + 1, count + 1)
    sheets_before = min(len(pages_before), len(pages))
    first_after = sheets_before
    while 0 < first_after < len(pages) and _set_of(pages[first_after - 1]) == _set_of(pages[first_after]):
        first_after -= 1
    if len(pages) - first_after > len(pages_after):
        first_after = sheets_before
    return [*pages_before[:first_after], *pages_after[: len(pages) - first_after]]


def _set_of(sheet: Sheet) -> str:
    """Return the name of a sheet's set: `payoffs` for `payoffs-1` and `payoffs-2`."""
    set_name, _, number = sheet.id.rpartition("-")
    return set_name if number.isdecimal() else sheet.id


def _place_sheet(sheet: Sheet, half: tuple[float, float], margin: float) -> list[PlacedPicture]:
    """Return a sheet scaled down to fit half a page, turned on its side if it is wider than high."""
    scale = _scale_to_half(sheet, half, margin)
    sheet_width, sheet_height = (side * scale for side in sorted((sheet.width_mm, sheet.height_mm)))
    is_turned = sheet.width_mm > sheet.height_mm
    return [
        PlacedPicture(
            sheet.svg,
            (half[0] - sheet_width) / 2,
            (half[1] - sheet_height) / 2,
            sheet_width,
            sheet_height,
            turned=is_turned,
        )
    ]


def _scale_to_half(sheet: Sheet, half: tuple[float, float], margin: float) -> float:
    """Return the scale of a sheet on half a page, at most 1; its own margins may overlap the unprintable edge."""
    sheet_width, sheet_height = sorted((sheet.width_mm, sheet.height_mm))
    return min(
        1.0,
        *(
            (room - 2 * margin) / (side - 2 * MARGIN)
            for room, side in zip(half, (sheet_width, sheet_height), strict=True)
        ),
        *(room / side for room, side in zip(half, (sheet_width, sheet_height), strict=True)),
    )


def _page_number(number: int, half: tuple[float, float], margin: float, *, drawn: bool) -> list[PlacedPicture]:
    if not drawn:
        return []
    page = PaperPage(*half)
    page.text(str(number), (half[0] / 2, half[1] - margin), _NUMBER_SIZE, anchor="middle", ink=QUIET)
    return [PlacedPicture(page.svg(), 0, 0, *half)]


def _draw_cover(half: tuple[float, float], title: str, numbers: Sequence[tuple[str, int]]) -> str:
    """Return the cover: the title and a table of contents, in smaller type if it is long."""
    page = PaperPage(*half)
    left, right = _COVER_INSET, half[0] - _COVER_INSET
    title_size = min(_TITLE_SIZE, (right - left) / max(1, len(title)) * 2)
    page.text(title, (left, half[1] * 0.2), title_size, bold=True)
    page.line((left, half[1] * 0.2 + 4), (right, half[1] * 0.2 + 4), 0.4, INK)
    top = half[1] * 0.2 + 16
    line_spacing = min(_LINE_SPACING, (half[1] - _COVER_INSET - top) / max(1, len(numbers)))
    for row, (name, number) in enumerate(numbers):
        y = top + row * line_spacing
        page.text(name, (left, y), min(_LINE_SIZE, line_spacing * 0.7))
        page.text(str(number), (right, y), min(_LINE_SIZE, line_spacing * 0.7), anchor="end")
    return page.svg()


def _place_board(board: tuple[float, float], paper: tuple[float, float], margin: float) -> Window:
    """Return the board on a whole side of paper, turned if that makes it larger."""
    printable_size = tuple(side - 2 * margin for side in paper)
    placements = []
    for is_turned in (False, True):
        board_width, board_height = (board[1], board[0]) if is_turned else board
        placements.append(
            (
                min(printable_size[0] / board_width, printable_size[1] / board_height),
                not is_turned,
                (board_width, board_height),
            )
        )
    scale, is_upright, (board_width, board_height) = max(placements)
    x, y = (paper[0] - board_width * scale) / 2, (paper[1] - board_height * scale) / 2
    clip = (x, y, x + board_width * scale, y + board_height * scale)
    return Window(x, y, scale, clip, turned=not is_upright)
