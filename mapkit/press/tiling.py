"""Tiling of a large picture over several sheets."""

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
    """Part of a picture on one sheet, in millimetres as printed.

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
        """Label of the tile: `A1`, `B1` ... in the first row from the left; `A2` below `A1`."""
        return f"{_column_letters(self.column)}{self.row + 1}"


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
        """Return the top left corner of a tile on its sheet."""
        return (self.paper[0] - tile.width) / 2, (self.paper[1] - tile.height) / 2


def plan_tiles(width: float, height: float, paper: tuple[float, float], *, margin: float, overlap: float) -> TilePlan:
    """Return the tiles of a picture: the fewest sheets, upright or across; if equal, in the picture's orientation.

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
    printable_side = min(paper) - 2 * (margin + MARKS)
    if printable_side <= 0:
        raise PrintError(
            f"margin {margin:g} mm: with {MARKS:g} mm for crop marks nothing is left of paper "
            f"{paper[0]:g} x {paper[1]:g} mm; {min(paper) / 2 - MARKS - 10:g} mm at most"
        )
    if overlap > printable_side / 3:
        raise PrintError(
            f"overlap {overlap:g} mm: too much for paper {paper[0]:g} x {paper[1]:g} mm, "
            f"of which {printable_side:g} mm can be printed between the marks; {int(printable_side / 3)} mm at most"
        )
    both_plans = [_count_tiles(width, height, sheet, margin, overlap) for sheet in (paper, (paper[1], paper[0]))]
    upright, across = both_plans
    best_plan = min(both_plans, key=lambda plan: plan.columns * plan.rows)
    if upright.columns * upright.rows == across.columns * across.rows:
        best_plan = across if width > height else upright
    if best_plan.columns * best_plan.rows > MAX_SHEETS:
        raise PrintError(
            f"{width:.0f} x {height:.0f} mm would take {best_plan.columns * best_plan.rows:,} sheets; "
            f"{MAX_SHEETS} are the limit. Choose larger paper or a smaller board"
        )
    return _add_tiles(best_plan)


def _count_tiles(width: float, height: float, sheet: tuple[float, float], margin: float, overlap: float) -> TilePlan:
    unprintable = 2 * (margin + MARKS)
    columns, rows = (
        _tiles_along(width, sheet[0] - unprintable, overlap),
        _tiles_along(height, sheet[1] - unprintable, overlap),
    )
    return TilePlan(sheet, width, height, columns, rows, overlap, ())


def _tiles_along(length: float, room: float, overlap: float) -> int:
    return max(1, ceil((length - overlap - SNUG) / (room - overlap)))


def _add_tiles(plan: TilePlan) -> TilePlan:
    tile_width = (plan.width + (plan.columns - 1) * plan.overlap) / plan.columns
    tile_height = (plan.height + (plan.rows - 1) * plan.overlap) / plan.rows
    tiles = tuple(
        Tile(
            row,
            column,
            column * (tile_width - plan.overlap),
            row * (tile_height - plan.overlap),
            tile_width,
            tile_height,
        )
        for row in range(plan.rows)
        for column in range(plan.columns)
    )
    return TilePlan(plan.paper, plan.width, plan.height, plan.columns, plan.rows, plan.overlap, tiles)


def _column_letters(number: int) -> str:
    """Return spreadsheet-style letters: A ... Z, AA, AB ... for 0 ..."""
    column_name = ""
    number += 1
    while number:
        number, letter_index = divmod(number - 1, 26)
        column_name = chr(ord("A") + letter_index) + column_name
    return column_name
