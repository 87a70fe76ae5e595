"""A large picture over several sheets: which part of it each sheet shows."""

from dataclasses import dataclass
from math import ceil
from typing import Final

from mapkit.core.errors import PrintError

MARKS: Final = 6.0
"""Room for crop marks and labels between a tile and the margin, in millimetres."""
MAX_SHEETS: Final = 200
SNUG: Final = 1e-6
"""Millimetres that do not count."""


@dataclass(frozen=True)
class Tile:
    """The part of a picture that one sheet shows, in millimetres as printed.

    Attributes:
        row: Counted from 0, from the top.
        column: Counted from 0, from the left.
        left: Where it starts in the picture, bleed included.
        top: Likewise.
        width: All tiles of a plan are of one size.
        height: Likewise.
    """

    row: int
    column: int
    left: float
    top: float
    width: float
    height: float

    @property
    def label(self) -> str:
        """`A1`, `B1` ... in the first row from the left; `A2` below `A1`."""
        return f"{_letters(self.column)}{self.row + 1}"


@dataclass(frozen=True)
class TilePlan:
    """Tiles that cover a picture; neighbours share exactly `overlap`.

    Attributes:
        paper: Width and height of every sheet, turned as it is used.
        width: Of the picture as printed, bleed included.
        height: Likewise.
        columns: Tiles in a row.
        rows: Rows of tiles.
        overlap: What neighbours both show, in millimetres.
        tiles: Row by row.
    """

    paper: tuple[float, float]
    width: float
    height: float
    columns: int
    rows: int
    overlap: float
    tiles: tuple[Tile, ...]

    def corner(self, tile: Tile) -> tuple[float, float]:
        """Return where the left top corner of a tile lies on its sheet."""
        return (self.paper[0] - tile.width) / 2, (self.paper[1] - tile.height) / 2


def plan_tiles(width: float, height: float, paper: tuple[float, float], *, margin: float, overlap: float) -> TilePlan:
    """Return the tiles of a picture: the fewest sheets, upright or across; of as many, the way the picture lies.

    Tiles are made equal, so none is a sliver.

    Args:
        width: Of the picture as printed in millimetres, bleed included.
        height: Likewise.
        paper: Width and height of a sheet, upright.
        margin: What the printer leaves white at each edge.
        overlap: What neighbours share.

    Raises:
        PrintError: The overlap or the margin is negative or leaves too little of the paper, or too many sheets are
            needed.
    """
    if overlap < 0 or margin < 0:
        raise PrintError(f"overlap {overlap:g} mm, margin {margin:g} mm: neither may be below 0")
    short = min(paper) - 2 * (margin + MARKS)
    if short <= 0:
        raise PrintError(
            f"margin {margin:g} mm: with {MARKS:g} mm for crop marks nothing is left of paper "
            f"{paper[0]:g} x {paper[1]:g} mm; {min(paper) / 2 - MARKS - 10:g} mm at most"
        )
    if overlap > short / 3:
        raise PrintError(
            f"overlap {overlap:g} mm: too much for paper {paper[0]:g} x {paper[1]:g} mm, "
            f"of which {short:g} mm can be printed between the marks; {int(short / 3)} mm at most"
        )
    plans = [_plan(width, height, sheet, margin, overlap) for sheet in (paper, (paper[1], paper[0]))]
    upright, across = plans
    few = min(plans, key=lambda plan: plan.columns * plan.rows)
    if upright.columns * upright.rows == across.columns * across.rows:
        few = across if width > height else upright
    if few.columns * few.rows > MAX_SHEETS:
        raise PrintError(
            f"{width:.0f} x {height:.0f} mm would take {few.columns * few.rows:,} sheets; {MAX_SHEETS} are the limit. "
            "Choose larger paper or a smaller board"
        )
    return _with_tiles(few)


def _plan(width: float, height: float, sheet: tuple[float, float], margin: float, overlap: float) -> TilePlan:
    room = 2 * (margin + MARKS)
    columns, rows = _count(width, sheet[0] - room, overlap), _count(height, sheet[1] - room, overlap)
    return TilePlan(sheet, width, height, columns, rows, overlap, ())


def _count(length: float, room: float, overlap: float) -> int:
    return max(1, ceil((length - overlap - SNUG) / (room - overlap)))


def _with_tiles(plan: TilePlan) -> TilePlan:
    wide = (plan.width + (plan.columns - 1) * plan.overlap) / plan.columns
    high = (plan.height + (plan.rows - 1) * plan.overlap) / plan.rows
    tiles = tuple(
        Tile(row, column, column * (wide - plan.overlap), row * (high - plan.overlap), wide, high)
        for row in range(plan.rows)
        for column in range(plan.columns)
    )
    return TilePlan(plan.paper, plan.width, plan.height, plan.columns, plan.rows, plan.overlap, tiles)


def _letters(number: int) -> str:
    """Return A ... Z, AA, AB ... for 0 ..."""
    out = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        out = chr(ord("A") + rest) + out
    return out
