"""Imposition of cards: side by side on pages, with cutting lines, and backs in mirrored order."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from mapkit.core.errors import PrintError
from mapkit.drawing.sheet import Sheet
from mapkit.press.bleed import add_bleed
from mapkit.press.drawing import HAIR, QUIET
from mapkit.press.drawing import PaperPage as Drawing
from mapkit.press.tiling import SNUG
from mapkit.press.vector import PdfPage, PlacedPicture

_TICK_LENGTH: Final = 4.0
_TICK_DISTANCE: Final = 0.8
"""Between the printed area and a tick, in millimetres."""
_LINE_INK: Final = "#9a9a9a"


@dataclass(frozen=True)
class Grid:
    """Positions of cards on a page, in millimetres.

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
        """Number of cards on a full page."""
        return self.columns * self.rows

    def corner(self, place: int, *, mirrored: bool = False) -> tuple[float, float]:
        """Return the top left corner of a card after cutting; mirrored for backs, over the page's vertical axis."""
        row, column = divmod(place, self.columns)
        if mirrored:
            column = self.columns - 1 - column
        cell_width, cell_height = (side + 2 * self.bleed for side in self.card)
        left = (self.paper[0] - self.columns * cell_width) / 2 + self.bleed
        top = (self.paper[1] - self.rows * cell_height) / 2 + self.bleed
        return left + column * cell_width, top + row * cell_height


def fit_grid(card: tuple[float, float], paper: tuple[float, float], *, margin: float, bleed: float) -> Grid:
    """Return the grid that holds most cards, the paper upright or across; upright if equal.

    Raises:
        PrintError: Not one card fits.
    """
    best_grid: Grid | None = None
    for page_size in (paper, (paper[1], paper[0])):
        columns, rows = (
            int((side - 2 * margin + SNUG) / (card_side + 2 * bleed))
            for side, card_side in zip(page_size, card, strict=True)
        )
        if columns * rows > (best_grid.per_page if best_grid else 0):
            best_grid = Grid(page_size, columns, rows, card, bleed)
    if best_grid is None:
        raise PrintError(
            f"a card of {card[0]:g} x {card[1]:g} mm with {bleed:g} mm of bleed does not fit paper "
            f"{paper[0]:g} x {paper[1]:g} mm with a margin of {margin:g} mm"
        )
    return best_grid


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
    cards_by_size: dict[tuple[float, float], list[Sheet]] = {}
    for card in cards:
        cards_by_size.setdefault((card.width_mm, card.height_mm), []).append(card)
    pages: list[PdfPage] = []
    for size, sized_cards in cards_by_size.items():
        grid = fit_grid(size, paper, margin=margin, bleed=bleed)
        for first_card in range(0, len(sized_cards), grid.per_page):
            page_cards = sized_cards[first_card : first_card + grid.per_page]
            pages.append(_impose_page(grid, [card.svg for card in page_cards], margin, mirrored=False))
            if backs and any(card.back for card in page_cards):
                pages.append(_impose_page(grid, [card.back for card in page_cards], margin, mirrored=True))
            elif backs:
                pages.append(PdfPage(*grid.paper, ()))
    return pages


def _impose_page(grid: Grid, svgs: Sequence[str | None], margin: float, *, mirrored: bool) -> PdfPage:
    card_width, card_height = (side + 2 * grid.bleed for side in grid.card)
    placed_cards: list[PlacedPicture] = []
    card_corners: list[tuple[float, float]] = []
    for place, svg in enumerate(svgs):
        x, y = grid.corner(place, mirrored=mirrored)
        card_corners.append((x, y))
        if svg is not None:
            placed_cards.append(
                PlacedPicture(add_bleed(svg, grid.bleed), x - grid.bleed, y - grid.bleed, card_width, card_height)
            )
    cut_lines = PlacedPicture(cutting_lines(grid, card_corners, margin), 0, 0, *grid.paper)
    return PdfPage(*grid.paper, (cut_lines, *placed_cards) if grid.bleed else (*placed_cards, cut_lines))


def cutting_lines(grid: Grid, spots: Sequence[tuple[float, float]], margin: float) -> str:
    """Return the cutting lines of cards as SVG.

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
    tick_distance = grid.bleed + _TICK_DISTANCE
    tick_ends = (
        (top - tick_distance, max(margin, top - tick_distance - _TICK_LENGTH)),
        (bottom + tick_distance, min(grid.paper[1] - margin, bottom + tick_distance + _TICK_LENGTH)),
        (left - tick_distance, max(margin, left - tick_distance - _TICK_LENGTH)),
        (right + tick_distance, min(grid.paper[0] - margin, right + tick_distance + _TICK_LENGTH)),
    )
    for edge_number, (start, end) in enumerate(tick_ends):
        if (end - start) * (1 if edge_number % 2 else -1) <= 0:
            continue  # no room between the cards and the margin
        if edge_number < 2:  # noqa: PLR2004 - above and below, then left and right
            for x in xs:
                page.line((x, start), (x, end), ink=QUIET)
        else:
            for y in ys:
                page.line((start, y), (end, y), ink=QUIET)
    return page.svg()
