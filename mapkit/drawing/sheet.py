"""Sheets and sizes of paper."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

Paper = Literal["a4", "letter", "a5", "half-letter"]

PAPERS: Final[Mapping[Paper, tuple[float, float]]] = {
    "a4": (210.0, 297.0),
    "letter": (215.9, 279.4),
    "a5": (148.5, 210.0),
    "half-letter": (139.7, 215.9),
}
"""Width and height of the sizes of paper in millimetres, upright; the halves are for booklets."""

CARD: Final = (63.0, 88.0)
"""Width and height of a card in millimetres."""

SAFE: Final = 3.2
"""Distance of texts and panels from the cut of a card, in millimetres: card printers ask for 1/8 inch (3.175)."""


@dataclass(frozen=True)
class Sheet:
    """A page or a card, ready to print.

    Args:
        id: Unique among a board's sheets, also the stem of its file: `payoffs-1`, `deed-pa`.
        title: For lists of sheets.
        svg: The text of an SVG 1.1 file in millimetres.
        width_mm: Its trimmed width.
        height_mm: Its trimmed height.
        kind: A page is printed alone; cards are laid out on pages and cut.
        back: The text of the SVG file for its back, of the same size, or None for a blank one.
    """

    id: str
    title: str
    svg: str
    width_mm: float
    height_mm: float
    kind: Literal["page", "card"]
    back: str | None
