"""What the user says about a printout, and what comes of it."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

from mapkit.core.errors import ChoiceError, PrintError
from mapkit.operations.options import Flag
from mapkit.press.bleed import MAX_BLEED
from mapkit.press.paper import MARGIN, POSTER, paper_size
from mapkit.press.tiling import TilePlan

OVERLAP: Final = 10.0
SCALES: Final = (0.1, 4.0)


@dataclass(frozen=True)
class PrintJob:
    """How a board and its sheets are printed; lengths in millimetres.

    Attributes:
        paper: `a4`, `letter`, `a3`, `tabloid`; or `poster`, one page as large as the board.
        sheet_paper: Of sheets and cards; that of the board, or A4 beside a poster.
        margin: What the printer leaves white at each edge.
        overlap: What neighbouring tiles share.
        bleed: What is printed beyond the edge of the board and of cards.
        scale: Of the board; 1 is its own size.
        size: The width that the board gets, instead of `scale`.
        duplex: Print the backs of cards too, mirrored, each page behind its fronts.
        booklet: Half pages to fold and staple, with the board across the middle; no tiles, no cards.
        cmyk: The ICC profile of a press; the file becomes PDF/X-4 in its inks.
    """

    paper: Annotated[str, Flag("-p", "a4|letter|a3|tabloid|poster", "Poster: one page, full size.")] = "a4"
    sheet_paper: Annotated[str | None, Flag("", "PAPER", "Paper of sheets and cards; the board's by default.")] = None
    margin: Annotated[float, Flag("", "MM", "What the printer leaves white at each edge.")] = MARGIN
    overlap: Annotated[float, Flag("", "MM", "What neighbouring tiles share.")] = OVERLAP
    bleed: Annotated[float, Flag("", "MM", "How far to print over the edge of the board and of cards.")] = 0.0
    scale: Annotated[float, Flag("", "PERCENT", "Of the board.", reading="percent")] = 1.0
    size: Annotated[float | None, Flag("", "MM", "The width that the board gets, instead of --scale.")] = None
    duplex: Annotated[bool, Flag("", help="Print the backs of cards too, mirrored, on the page behind.")] = False
    booklet: Annotated[bool, Flag("", help="Sheets as a booklet to fold, with the board across the middle.")] = False
    cmyk: Annotated[Path | None, Flag("", "FILE.icc", "Write PDF/X-4 in the inks of this profile of a print shop.")] = (
        None
    )

    @property
    def is_poster(self) -> bool:
        """Whether the board stands on one page of its own size."""
        return self.paper.lower() == POSTER

    @property
    def for_sheets(self) -> tuple[str, tuple[float, float]]:
        """Name and size of the paper of sheets and cards."""
        name = (self.sheet_paper or ("a4" if self.is_poster else self.paper)).lower()
        return name, paper_size(name)

    def factor(self, width: float) -> float:
        """Return the scale of a board of some width.

        Raises:
            PrintError: It is out of bounds.
        """
        factor = self.scale if self.size is None else self.size / width
        low, high = SCALES
        if not low <= factor <= high:
            raise PrintError(
                f"the board would be printed at {factor * 100:.0f} %, {factor * width:.0f} mm wide; choose from "
                f"{low * 100:.0f} to {high * 100:.0f} %, which is {low * width:.0f} to {high * width:.0f} mm"
            )
        return factor

    def check(self) -> None:
        """Refuse what no board can be printed with.

        Raises:
            PrintError: A paper is unknown, or a length out of bounds.
            ChoiceError: Scale and size are given.
        """
        if self.size is not None and self.scale != 1:
            raise ChoiceError("--size: give scale or size, not both")
        if not self.is_poster:
            paper_size(self.paper)
        _, size = self.for_sheets
        if not 0 <= self.bleed <= MAX_BLEED:
            raise PrintError(f"bleed {self.bleed:g} mm: choose from 0 to {MAX_BLEED:g} mm")
        if not 0 <= self.margin < min(size) / 4:
            raise PrintError(f"margin {self.margin:g} mm: choose from 0 to {min(size) / 4:g} mm")
        if self.booklet and (self.is_poster or self.duplex or self.bleed or self.size is not None or self.scale != 1):
            raise PrintError(
                "a booklet fits its paper and is printed on both sides: leave out scale, size, bleed, duplex and poster"
            )
        if not self.overlap >= 0:
            raise PrintError(f"overlap {self.overlap:g} mm: it may not be below 0")


@dataclass(frozen=True)
class PageRun:
    """A run of pages of a printout.

    Attributes:
        title: As in the file's bookmarks.
        first: Its first page, counted from 1.
        pages: How many.
    """

    title: str
    first: int
    pages: int


@dataclass(frozen=True)
class Printout:
    """A printout.

    Attributes:
        pdf: The file.
        sections: What is where.
        plan: The tiles of the board; None without them.
        notes: What its user should know: what was scaled, left out, or needs two-sided printing.
    """

    pdf: bytes
    sections: tuple[PageRun, ...]
    plan: TilePlan | None
    notes: tuple[str, ...]

    @property
    def pages(self) -> int:
        """How many pages the file has."""
        return sum(section.pages for section in self.sections)
