"""Grid of hexagons of a board's picture in VASSAL, and its numbering."""

from typing import Final

from mapkit.exchange.vassal.tree import Component
from mapkit.kinds.hex.model.board import HexBoard
from mapkit.kinds.hex.render.sheet import lay_out_sheet
from mapkit.press.raster import MM_PER_INCH

_LETTER_COUNT: Final = 26
"""VASSAL goes on with AA, BB, CC; boards are printed with AA, AB, AC."""


def grid_node(board: HexBoard, dpi: float) -> Component:
    """Return the grid of a board's picture.

    The engine shifts the second, fourth ... line of hexagons by half of one, and turns the picture for pointed ones
    (`sideways`), so that `x0` and `dx` run down the page there, and columns are rows. Where the first line is the
    shifted one, the grid begins a line before ours.

    Args:
        board: The board.
        dpi: Pixels per inch of its picture.
    """
    grid, sheet, pixels_a_mm = board.grid, lay_out_sheet(board), dpi / MM_PER_INCH
    x, y = (value * pixels_a_mm for value in sheet.centre(grid.cubes[0]))
    size_px, pitch_px = grid.size_mm * pixels_a_mm, grid.radius_mm * 1.5 * pixels_a_mm
    along_px, across_px = (x, y) if grid.flat else (y, x)
    if not grid.odd:
        along_px, across_px = along_px - pitch_px, across_px - size_px / 2
    return Component(
        "module.map.boardPicker.board.HexGrid",
        {
            "color": "0,0,0",
            "cornersLegal": False,
            "dotsVisible": False,
            "dx": f"{pitch_px:.4f}",
            "dy": f"{size_px:.4f}",
            "edgesLegal": True,
            "sideways": not grid.flat,
            "snapTo": True,
            "visible": False,
            "x0": round(along_px),
            "y0": round(across_px),
        },
        [_make_numbering(board)],
    )


def _make_numbering(board: HexBoard) -> Component:
    """Return the numbering of places: as printed if the engine can, else by column and row."""
    grid = board.grid
    is_lettered = grid.labels in ("A1", "1A") and max(grid.columns, grid.rows) <= _LETTER_COUNT
    is_column_lettered = is_lettered and grid.labels == "A1"
    is_row_lettered = is_lettered and grid.labels == "1A"
    column_style = ("A", 0) if is_column_lettered else ("N", 1)
    row_style = ("A", 0) if is_row_lettered else ("N", 1)
    first_style, second_style = (column_style, row_style) if grid.flat else (row_style, column_style)
    first_offset = 0 if grid.odd else -1
    return Component(
        "module.map.boardPicker.board.mapgrid.HexGridNumbering",
        {
            "color": "0,0,0",
            "first": "H" if grid.flat else "V",
            "fontSize": 9,
            "hDescend": False,
            "hDrawOff": 0,
            "hLeading": 0,
            "hOff": first_style[1] + first_offset,
            "hType": first_style[0],
            "locationFormat": "$gridLocation$",
            "rotateText": 0,
            "sep": "" if is_lettered else "-",
            "stagger": False,
            "vDescend": False,
            "vDrawOff": 0,
            "vLeading": 0,
            "vOff": second_style[1],
            "vType": second_style[0],
            "visible": False,
        },
    )
