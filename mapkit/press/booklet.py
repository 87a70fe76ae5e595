"""A booklet to fold and staple: sheets on half pages, the board across the middle, sides in the order of printing."""

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
"""Twenty leaves: more paper does not fold."""

_FOLD: Final = 4
"""Pages on a leaf of paper that is printed on both sides and folded."""
_NUMBER: Final = 3.2
_TITLE: Final = 9.0
_LINE: Final = 3.6
_LEADING: Final = 6.0
_INSET: Final = 10.0


@dataclass(frozen=True)
class Booklet:
    """A booklet, ready to bind.

    Attributes:
        leaves: Sides of paper in the order of printing: front and back of the outer leaf first.
        numbers: Title of a sheet -> its page.
        pages: How many pages it has when it is folded, a multiple of 4.
        scale: Of the sheet that is printed smallest.
    """

    leaves: tuple[Leaf, ...]
    numbers: tuple[tuple[str, int], ...]
    pages: int
    scale: float


def booklet_of(
    pages: Sequence[Sheet],
    board: tuple[float, float] | None,
    paper: tuple[float, float],
    *,
    margin: float,
    title: str,
    words: Words,
) -> Booklet:
    """Return a booklet: a cover with contents, then the sheets; the board has the two pages in the middle.

    Sheets of a set, such as the pages of the payoff chart, are not parted by the board if there are blank pages enough.

    Args:
        pages: The sheets, in order.
        board: Width and height of the board's drawing, in millimetres; None without it.
        paper: Upright; it is folded in half.
        margin: What the printer leaves white at each edge.
        title: The board's.
        words: The language of the contents.

    Raises:
        PrintError: There are more pages than can be folded.
    """
    taken = 1 + len(pages) + (2 if board else 0)
    count = -(-taken // _FOLD) * _FOLD
    if count > MOST_PAGES:
        raise PrintError(
            f"a booklet of {count} pages does not fold; {MOST_PAGES} are the most: name sheets with --only"
        )
    middle = (count // 2, count // 2 + 1)
    numbered = dict(zip(_numbers(pages, count, middle if board else None), pages, strict=True))
    numbers = [(sheet.title, number) for number, sheet in numbered.items()]
    if board is not None:
        numbers.append((words("printout.board"), middle[0]))
    numbers.sort(key=lambda row: row[1])
    half = (paper[1] / 2, paper[0])
    bodies = {number: _sheet(sheet, half, margin) for number, sheet in numbered.items()}
    bodies[1] = [PlacedPicture(_cover(half, title, numbers), 0, 0, *half)]
    leaves = []
    for left, right in sides(count):
        pictures = [
            PlacedPicture(one.svg, one.x + shift, one.y, one.width, one.height, turned=one.turned)
            for number, shift in ((left, 0.0), (right, half[0]))
            for one in (*bodies.get(number, ()), *_foot(number, half, margin, drawn=number in numbered))
        ]
        across = PdfPage(paper[1], paper[0], tuple(pictures))
        window = _spread(board, (paper[1], paper[0]), margin) if board and (left, right) == middle else None
        leaves.append(Leaf(across, window))
    scale = min((_scale(sheet, half, margin) for sheet in pages), default=1.0)
    return Booklet(tuple(leaves), tuple(numbers), count, scale)


def sides(count: int) -> list[tuple[int, int]]:
    """Return left and right page of each side of paper; a leaf's front, then its back, the outer leaf first."""
    out = []
    for first in range(1, count // 2, 2):
        out += [(count + 1 - first, first), (first + 1, count - first)]
    return out


def _numbers(pages: Sequence[Sheet], count: int, middle: tuple[int, int] | None) -> list[int]:
    """Return the page of each sheet, in order; sheets of a set all follow the board if it would part them.

    They stay parted where that takes more paper.
    """
    if middle is None:
        return list(range(2, len(pages) + 2))
    before, after = range(2, middle[0]), range(middle[1] + 1, count + 1)
    parted = min(len(before), len(pages))
    start = parted
    while 0 < start < len(pages) and _set_of(pages[start - 1]) == _set_of(pages[start]):
        start -= 1
    if len(pages) - start > len(after):
        start = parted
    return [*before[:start], *after[: len(pages) - start]]


def _set_of(sheet: Sheet) -> str:
    """Return `payoffs` for `payoffs-1` and `payoffs-2`."""
    name, _, number = sheet.id.rpartition("-")
    return name if number.isdecimal() else sheet.id


def _sheet(sheet: Sheet, half: tuple[float, float], margin: float) -> list[PlacedPicture]:
    """Return a sheet as large as half a page allows; one that is wider than high lies on its side."""
    scale = _scale(sheet, half, margin)
    wide, high = (side * scale for side in sorted((sheet.width_mm, sheet.height_mm)))
    turned = sheet.width_mm > sheet.height_mm
    return [PlacedPicture(sheet.svg, (half[0] - wide) / 2, (half[1] - high) / 2, wide, high, turned=turned)]


def _scale(sheet: Sheet, half: tuple[float, float], margin: float) -> float:
    """Return the scale at which a sheet fits half a page, and its own margins what the printer leaves white."""
    wide, high = sorted((sheet.width_mm, sheet.height_mm))
    return min(
        1.0,
        *((room - 2 * margin) / (side - 2 * MARGIN) for room, side in zip(half, (wide, high), strict=True)),
        *(room / side for room, side in zip(half, (wide, high), strict=True)),
    )


def _foot(number: int, half: tuple[float, float], margin: float, *, drawn: bool) -> list[PlacedPicture]:
    if not drawn:
        return []
    page = PaperPage(*half)
    page.text(str(number), (half[0] / 2, half[1] - margin), _NUMBER, anchor="middle", ink=QUIET)
    return [PlacedPicture(page.svg(), 0, 0, *half)]


def _cover(half: tuple[float, float], title: str, numbers: Sequence[tuple[str, int]]) -> str:
    """Return the first page: the title and what is where; long lists become smaller."""
    page = PaperPage(*half)
    left, right = _INSET, half[0] - _INSET
    size = min(_TITLE, (right - left) / max(1, len(title)) * 2)
    page.text(title, (left, half[1] * 0.2), size, bold=True)
    page.line((left, half[1] * 0.2 + 4), (right, half[1] * 0.2 + 4), 0.4, INK)
    top = half[1] * 0.2 + 16
    step = min(_LEADING, (half[1] - _INSET - top) / max(1, len(numbers)))
    for row, (name, number) in enumerate(numbers):
        y = top + row * step
        page.text(name, (left, y), min(_LINE, step * 0.7))
        page.text(str(number), (right, y), min(_LINE, step * 0.7), anchor="end")
    return page.svg()


def _spread(board: tuple[float, float], paper: tuple[float, float], margin: float) -> Window:
    """Return the board on a whole side of paper, on its side if that makes it larger."""
    room = tuple(side - 2 * margin for side in paper)
    ways = []
    for turned in (False, True):
        wide, high = (board[1], board[0]) if turned else board
        ways.append((min(room[0] / wide, room[1] / high), not turned, (wide, high)))
    scale, upright, (wide, high) = max(ways)
    x, y = (paper[0] - wide * scale) / 2, (paper[1] - high * scale) / 2
    clip = (x, y, x + wide * scale, y + high * scale)
    return Window(x, y, scale, clip, turned=not upright)
