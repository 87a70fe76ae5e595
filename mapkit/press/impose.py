"""Cards on pages: side by side, with lines to cut along, and backs in mirrored order."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from mapkit.core.errors import PrintError
from mapkit.drawing.sheet import Sheet
from mapkit.press.bleed import with_bleed
from mapkit.press.drawing import HAIR, QUIET
from mapkit.press.drawing import PaperPage as Drawing
from mapkit.press.tiling import SNUG
from mapkit.press.vector import PdfPage, PlacedPicture

_TICK: Final = 4.0
_OFF: Final = 0.8
"""Between what is printed and a tick, in millimetres."""
_LINE_INK: Final = "#9a9a9a"


@dataclass(frozen=True)
class Grid:
    """Where cards stand on a page, in millimetres.

    Attributes:
        paper: Width and height of the page, turned as it is used.
        columns: Cards in a row.
        rows: Rows of cards.
        card: Width and height of a card after cutting.
        bleed: What each card is printed larger, at each edge; cards without it share their cuts.
    """

    paper: tuple[float, float]
    columns: int
    rows: int
    card: tuple[float, float]
    bleed: float

    @property
    def per_page(self) -> int:
        """Cards on a full page."""
        return self.columns * self.rows

    def corner(self, place: int, *, mirrored: bool = False) -> tuple[float, float]:
        """Return the left top corner of a card after cutting; mirrored for backs, over the page's upright axis."""
        row, column = divmod(place, self.columns)
        if mirrored:
            column = self.columns - 1 - column
        wide, high = (side + 2 * self.bleed for side in self.card)
        left = (self.paper[0] - self.columns * wide) / 2 + self.bleed
        top = (self.paper[1] - self.rows * high) / 2 + self.bleed
        return left + column * wide, top + row * high


def grid_of(card: tuple[float, float], paper: tuple[float, float], *, margin: float, bleed: float) -> Grid:
    """Return the grid that holds most cards, the paper upright or across; of as many, upright.

    Raises:
        PrintError: Not one card fits.
    """
    best: Grid | None = None
    for sheet in (paper, (paper[1], paper[0])):
        columns, rows = (
            int((side - 2 * margin + SNUG) / (length + 2 * bleed)) for side, length in zip(sheet, card, strict=True)
        )
        if columns * rows > (best.per_page if best else 0):
            best = Grid(sheet, columns, rows, card, bleed)
    if best is None:
        raise PrintError(
            f"a card of {card[0]:g} x {card[1]:g} mm with {bleed:g} mm of bleed does not fit paper "
            f"{paper[0]:g} x {paper[1]:g} mm with a margin of {margin:g} mm"
        )
    return best


def card_pages(
    cards: Sequence[Sheet], paper: tuple[float, float], *, margin: float, bleed: float, backs: bool
) -> list[PdfPage]:
    """Return the pages of all cards, those of one size together.

    Args:
        cards: Sheets of kind `card`.
        paper: Upright.
        margin: What the printer leaves white.
        bleed: Of every card; above 0 each card has its own four cuts.
        backs: Follow each page by one with the backs, mirrored, to be printed two-sided over the long edge of upright
            paper, the short edge of paper across: over the upright axis of the page as it is read.

    Raises:
        PrintError: A card does not fit; or a back has another size than its card.
    """
    sizes: dict[tuple[float, float], list[Sheet]] = {}
    for card in cards:
        sizes.setdefault((card.width_mm, card.height_mm), []).append(card)
    pages: list[PdfPage] = []
    for size, some in sizes.items():
        grid = grid_of(size, paper, margin=margin, bleed=bleed)
        for start in range(0, len(some), grid.per_page):
            group = some[start : start + grid.per_page]
            pages.append(_page(grid, [card.svg for card in group], margin, mirrored=False))
            if backs and any(card.back for card in group):
                pages.append(_page(grid, [card.back for card in group], margin, mirrored=True))
            elif backs:
                pages.append(PdfPage(*grid.paper, ()))
    return pages


def _page(grid: Grid, svgs: Sequence[str | None], margin: float, *, mirrored: bool) -> PdfPage:
    wide, high = (side + 2 * grid.bleed for side in grid.card)
    placed: list[PlacedPicture] = []
    spots: list[tuple[float, float]] = []
    for place, svg in enumerate(svgs):
        x, y = grid.corner(place, mirrored=mirrored)
        spots.append((x, y))
        if svg is not None:
            placed.append(PlacedPicture(with_bleed(svg, grid.bleed), x - grid.bleed, y - grid.bleed, wide, high))
    lines = PlacedPicture(cutting_lines(grid, spots, margin), 0, 0, *grid.paper)
    return PdfPage(*grid.paper, (lines, *placed) if grid.bleed else (*placed, lines))


def cutting_lines(grid: Grid, spots: Sequence[tuple[float, float]], margin: float) -> str:
    """Return the lines to cut the cards along.

    Shared cuts run as hairlines around the cards and as ticks outside of them; cards with bleed have the ticks only.
    """
    page = Drawing(*grid.paper)
    width, height = grid.card
    xs = sorted({round(x + side, 4) for x, _ in spots for side in (0, width)})
    ys = sorted({round(y + side, 4) for _, y in spots for side in (0, height)})
    left, top, right, bottom = xs[0], ys[0], xs[-1], ys[-1]
    if not grid.bleed:
        for x, y in spots:
            page.box((x, y, width, height), edge=_LINE_INK, width=HAIR)
    over = grid.bleed + _OFF
    ends = (
        (top - over, max(margin, top - over - _TICK)),
        (bottom + over, min(grid.paper[1] - margin, bottom + over + _TICK)),
        (left - over, max(margin, left - over - _TICK)),
        (right + over, min(grid.paper[0] - margin, right + over + _TICK)),
    )
    for number, (start, end) in enumerate(ends):
        if (end - start) * (1 if number % 2 else -1) <= 0:
            continue  # no room between the cards and the margin
        if number < 2:  # noqa: PLR2004 - above and below, then left and right
            for x in xs:
                page.line((x, start), (x, end), ink=QUIET)
        else:
            for y in ys:
                page.line((start, y), (end, y), ink=QUIET)
    return page.svg()
