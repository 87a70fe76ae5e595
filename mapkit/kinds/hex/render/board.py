"""Picture of a board as SVG, with ids and data of every hexagon, edge, city, line and space.

Below is the land as it is on the earth; over it lies a quiet grid with the marks of terrain, then edges, lines, cities,
the track of points around them, and a legend.
"""

from typing import Final

from mapkit.drawing.svg_page import SvgPage, format_mm
from mapkit.drawing.theme.theme import CLASSIC, Theme
from mapkit.kinds.hex.model.board import HexBoard
from mapkit.kinds.hex.render.picture.cities import draw_cities
from mapkit.kinds.hex.render.picture.edges import draw_edges
from mapkit.kinds.hex.render.picture.ground import draw_ground
from mapkit.kinds.hex.render.picture.hexes import draw_hexes
from mapkit.kinds.hex.render.picture.legend import draw_legend
from mapkit.kinds.hex.render.picture.lines import draw_lines
from mapkit.kinds.hex.render.picture.pen import Pen
from mapkit.kinds.hex.render.picture.track import draw_title, draw_track
from mapkit.kinds.hex.render.sheet import lay_out_sheet
from mapkit.kinds.hex.render.words import hex_words

LAYERS: Final = ("ground", "hexes", "edges", "lines", "cities", "labels", "track", "title", "legend")


def draw_board(board: HexBoard, theme: Theme = CLASSIC, language: str = "en") -> str:
    """Return the picture of a board as SVG.

    Args:
        board: The board.
        theme: Its colours.
        language: Of its words.
    """
    words, sheet = hex_words(language), lay_out_sheet(board)
    about_text = words("board.about", hexes=len(board.hexes), cities=len(board.cities))
    page = SvgPage(
        round(sheet.width, 2),
        round(sheet.height, 2),
        title=board.title,
        description=f"{about_text} {board.description}".strip(),
        theme=theme,
        layers=LAYERS,
    )
    grid = board.grid
    page.data(
        {
            "board": board.id,
            "kind": "hex",
            "offset": grid.offset,
            "columns": grid.columns,
            "rows": grid.rows,
            "size": grid.size_mm,
            "labels": grid.labels,
            "left": format_mm(sheet.left),
            "top": format_mm(sheet.top),
        }
    )
    pen = Pen(board, theme, words, sheet, page)
    for draw in (
        draw_ground,
        draw_hexes,
        draw_edges,
        draw_lines,
        draw_cities,
        draw_track,
        draw_title,
        draw_legend,
    ):
        draw(pen)
    return page.to_text()
