"""Options of a printout, and its result."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

from mapkit.core.errors import ChoiceError, PrintError
from mapkit.core.plurals import join_some
from mapkit.drawing.sheet import Paper
from mapkit.operations.options import Flag
from mapkit.press.bleed import MAX_BLEED
from mapkit.press.folds import PANELS
from mapkit.press.paper import CARD, MARGIN, POSTER, paper_size
from mapkit.press.tiling import TilePlan

OVERLAP: Final = 10.0
SCALES: Final = (0.1, 4.0)


@dataclass(frozen=True)
class PrintJob:
    """Options for printing a board and its sheets; lengths in millimetres.

    Attributes:
        paper: `a4`, `letter`, `a3`, `tabloid`; `poster`, one page as large as the board; or `card`, a page for the back
            and the front of each card.
        sheet_paper: Paper of sheets and cards; by default that of the board, or A4 beside a poster.
        margin: Width of the strip at each edge that the printer leaves white.
        overlap: Width of the strip shared by neighbouring tiles.
        bleed: Distance printed beyond the edges of the board and of cards.
        scale: Scale of the board; 1 is its nominal size.
        size: Printed width of the board, instead of `scale`.
        duplex: Print the backs of cards too, mirrored, each page behind its fronts.
        panels: Number of panels that a poster is folded in, with marks at its edges; 0 for none.
        booklet: Half pages to fold and staple, with the board across the middle; no tiles, no cards.
        cmyk: ICC profile of a printing press; the file becomes PDF/X-4 in the inks of the profile.
        profile: Name of a print order (`mapkit.press.profiles`), which sets what is not given here.
    """

    paper: Annotated[
        str, Flag("-p", "a4|letter|a3|tabloid|poster|card", "Poster: one page, full size. Card: a page each.")
    ] = "a4"
    sheet_paper: Annotated[str | None, Flag("", "PAPER", "Paper of sheets and cards; the board's by default.")] = None
    margin: Annotated[float, Flag("", "MM", "What the printer leaves white at each edge.")] = MARGIN
    overlap: Annotated[float, Flag("", "MM", "What neighbouring tiles share.")] = OVERLAP
    bleed: Annotated[float, Flag("", "MM", "How far to print over the edge of the board and of cards.")] = 0.0
    scale: Annotated[float, Flag("", "PERCENT", "Of the board.", reading="percent")] = 1.0
    size: Annotated[float | None, Flag("", "MM", "The width that the board gets, instead of --scale.")] = None
    duplex: Annotated[bool, Flag("", help="Print the backs of cards too, mirrored, on the page behind.")] = False
    panels: Annotated[int, Flag("", "2|4|6", "Mark a poster's folds, moved clear of names and squares.")] = 0
    booklet: Annotated[bool, Flag("", help="Sheets as a booklet to fold, with the board across the middle.")] = False
    cmyk: Annotated[Path | None, Flag("", "FILE.icc", "Write PDF/X-4 in the inks of this profile of a print shop.")] = (
        None
    )
    profile: Annotated[
        str | None,
        Flag(
            "",
            "PROFILE",
            "An order in one zip: home-a4, home-letter, poster-a0, -a1, -a2, folding-board, card-service.",
        ),
    ] = None

    @property
    def is_poster(self) -> bool:
        """Whether the board is on one page of its own size."""
        return self.paper.lower() == POSTER

    @property
    def is_single(self) -> bool:
        """Whether each card has pages of its own size."""
        return self.paper.lower() == CARD

    @property
    def for_sheets(self) -> tuple[str, tuple[float, float]]:
        """Name and size of the paper of sheets and cards."""
        paper_name = (self.sheet_paper or ("a4" if self.is_poster or self.is_single else self.paper)).lower()
        return paper_name, paper_size(paper_name)

    @property
    def drawn_paper(self) -> Paper:
        """Paper that pages of sheets are drawn for: half of A4 or Letter in a booklet."""
        name, _ = self.for_sheets
        if self.booklet and name in ("a4", "letter"):
            return "a5" if name == "a4" else "half-letter"
        return "letter" if name in ("letter", "tabloid") else "a4"

    def factor(self, width: float) -> float:
        """Return the print scale of a board from its width.

        Raises:
            PrintError: The scale is out of bounds.
        """
        board_scale = self.scale if self.size is None else self.size / width
        min_scale, max_scale = SCALES
        if not min_scale <= board_scale <= max_scale:
            raise PrintError(
                f"the board would be printed at {board_scale * 100:.0f} %, {board_scale * width:.0f} mm wide; "
                f"choose from {min_scale * 100:.0f} to {max_scale * 100:.0f} %, "
                f"which is {min_scale * width:.0f} to {max_scale * width:.0f} mm"
            )
        return board_scale

    def check(self) -> None:
        """Raise an error if paper, lengths or their combination are invalid, whatever the board.

        Raises:
            PrintError: A paper is unknown, a length is out of bounds, or an option does not go with a booklet.
            ChoiceError: Both scale and size are given.
        """
        if self.size is not None and self.scale != 1:
            raise ChoiceError("--size: give scale or size, not both")
        if not self.is_poster and not self.is_single:
            paper_size(self.paper)
        if self.panels and self.panels not in PANELS:
            raise PrintError(f"--panels {self.panels}: choose {join_some(map(str, PANELS))}")
        if self.panels and not (self.is_poster and self.bleed):
            raise PrintError("fold marks stand outside the bleed of a poster: give --paper poster and --bleed")
        _, paper_size_mm = self.for_sheets
        if not 0 <= self.bleed <= MAX_BLEED:
            raise PrintError(f"bleed {self.bleed:g} mm: choose from 0 to {MAX_BLEED:g} mm")
        if not 0 <= self.margin < min(paper_size_mm) / 4:
            raise PrintError(f"margin {self.margin:g} mm: choose from 0 to {min(paper_size_mm) / 4:g} mm")
        own_size = self.is_poster or self.is_single or self.size is not None or self.scale != 1
        if self.booklet and (own_size or self.duplex or self.bleed):
            raise PrintError(
                "a booklet fits its paper and is printed on both sides: leave out scale, size, bleed, duplex and poster"
            )
        if not self.overlap >= 0:
            raise PrintError(f"overlap {self.overlap:g} mm: it may not be below 0")


@dataclass(frozen=True)
class PageRun:
    """A run of pages of a printout.

    Attributes:
        title: Title in the bookmarks of the file.
        first: Its first page, counted from 1.
        pages: Number of pages.
    """

    title: str
    first: int
    pages: int


@dataclass(frozen=True)
class Printout:
    """PDF of a board and its sheets, with notes for the user.

    Attributes:
        pdf: The file.
        sections: Runs of pages, in order.
        plan: The tiles of the board; None if it is not tiled.
        notes: Notes for the user on scaled or omitted parts, and on two-sided printing.
    """

    pdf: bytes
    sections: tuple[PageRun, ...]
    plan: TilePlan | None
    notes: tuple[str, ...]

    @property
    def pages(self) -> int:
        """Number of pages of the file."""
        return sum(section.pages for section in self.sections)
