"""Where things are on the board's picture in VASSAL: its grid of hexagons, and how it names them."""

from typing import Final

from mapkit.exchange.vassal.tree import Component
from mapkit.kinds.hex.model.board import HexBoard
from mapkit.kinds.hex.render.sheet import lay_out_sheet
from mapkit.press.raster import MM_PER_INCH

_LETTERS: Final = 26
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
    grid, sheet, scale = board.grid, lay_out_sheet(board), dpi / MM_PER_INCH
    x, y = (value * scale for value in sheet.centre(grid.cubes[0]))
    size, pitch = grid.size_mm * scale, grid.radius_mm * 1.5 * scale
    along, across = (x, y) if grid.flat else (y, x)
    if not grid.odd:
        along, across = along - pitch, across - size / 2
    return Component(
        "module.map.boardPicker.board.HexGrid",
        {
            "color": "0,0,0",
            "cornersLegal": False,
            "dotsVisible": False,
            "dx": f"{pitch:.4f}",
            "dy": f"{size:.4f}",
            "edgesLegal": True,
            "sideways": not grid.flat,
            "snapTo": True,
            "visible": False,
            "x0": round(along),
            "y0": round(across),
        },
        [_numbering(board)],
    )


def _numbering(board: HexBoard) -> Component:
    """Return how places are called: as they are printed where the engine can, else by column and row."""
    grid = board.grid
    lettered = grid.labels in ("A1", "1A") and max(grid.columns, grid.rows) <= _LETTERS
    first_letter = lettered and grid.labels == "A1"
    last_letter = lettered and grid.labels == "1A"
    column = ("A", 0) if first_letter else ("N", 1)
    row = ("A", 0) if last_letter else ("N", 1)
    along, across = (column, row) if grid.flat else (row, column)
    skipped = 0 if grid.odd else -1
    return Component(
        "module.map.boardPicker.board.mapgrid.HexGridNumbering",
        {
            "color": "0,0,0",
            "first": "H" if grid.flat else "V",
            "fontSize": 9,
            "hDescend": False,
            "hDrawOff": 0,
            "hLeading": 0,
            "hOff": along[1] + skipped,
            "hType": along[0],
            "locationFormat": "$gridLocation$",
            "rotateText": 0,
            "sep": "" if lettered else "-",
            "stagger": False,
            "vDescend": False,
            "vDrawOff": 0,
            "vLeading": 0,
            "vOff": across[1],
            "vType": across[0],
            "visible": False,
        },
    )
