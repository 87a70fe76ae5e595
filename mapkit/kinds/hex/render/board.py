"""Picture of a board as SVG, with ids and data of every hexagon, edge, city, line and space.

Below is the land as it is on the earth; over it lies a quiet grid with the marks of terrain, then edges, lines, cities,
the track of points around them, and a legend.
"""

from collections.abc import Callable, Mapping
from functools import partial
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
from mapkit.kinds.hex.render.picture.use import draw_use
from mapkit.kinds.hex.render.sheet import lay_out_sheet
from mapkit.kinds.hex.render.words import hex_words

_DRAWN: Final[Mapping[str, Callable[[Pen], None]]] = {
    "ground": draw_ground,
    "hexes": draw_hexes,
    "edges": draw_edges,
    "lines": draw_lines,
    "cities": draw_cities,
    "track": draw_track,
    "title": draw_title,
    "legend": draw_legend,
}
LAYERS: Final = ("ground", "hexes", "edges", "lines", "cities", "labels", "track", "title", "legend")


def draw_board(board: HexBoard, theme: Theme = CLASSIC, language: str = "en") -> str:
    """Return the picture of a board as SVG.

    Args:
        board: The board.
        theme: Its colours.
        language: Of its words.
    """
    return _draw_layers(board, theme, language, _DRAWN).to_text()


def draw_use_map(
    board: HexBoard, lines_by_hex: Mapping[str, float], deliveries_by_link: Mapping[tuple[str, str], float]
) -> str:
    """Return the board by use as SVG for a page: hexagons in the colour of their track, links as wide as deliveries.

    Args:
        board: The board.
        lines_by_hex: Hexagon -> lines of track in a game.
        deliveries_by_link: Pair of nodes -> deliveries in a game.
    """
    draw = partial(draw_use, lines_by_hex=lines_by_hex, deliveries_by_link=deliveries_by_link)
    drawn = {name: one for name, one in _DRAWN.items() if name not in ("lines", "track", "legend")}
    page = _draw_layers(board, CLASSIC, "en", {**drawn, "use": draw})
    return page.to_html().replace('role="img"', 'class="board" role="img"', 1)


def _draw_layers(board: HexBoard, theme: Theme, language: str, drawn: Mapping[str, Callable[[Pen], None]]) -> SvgPage:
    words, sheet = hex_words(language), lay_out_sheet(board)
    about_text = words("board.about", hexes=len(board.hexes), cities=len(board.cities))
    page = SvgPage(
        round(sheet.width, 2),
        round(sheet.height, 2),
        title=board.title,
        description=f"{about_text} {board.description}".strip(),
        theme=theme,
        layers=LAYERS if "use" not in drawn else (*LAYERS[:4], "use", *LAYERS[4:]),
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
    for draw in drawn.values():
        draw(pen)
    return page
