"""The board as SVG: a picture for people, and the whole graph for an engine (`mapkit.render.reader`).

Layers are groups `layer-<name>` in the order of `mapkit.render.document.LAYERS`. Elements of the board have
stable ids (`region-`, `rr-`, `p-`, `s-`, `j-`, `m-`, `c-` and the board's id), a class, and everything that the
board file says of them, geometry of the real line aside, in `data-` attributes.
"""

from mapkit.model.board import Board
from mapkit.render.backdrop import Backdrop
from mapkit.render.collecting import uncollected
from mapkit.render.document import Document
from mapkit.render.draw_names import draw_names, draw_region_names
from mapkit.render.ground import draw_ground
from mapkit.render.layout import Layout, lay_out
from mapkit.render.legend import draw_legend
from mapkit.render.symbols import draw_symbols
from mapkit.render.theme import CLASSIC, Theme
from mapkit.render.tracks import draw_railroads


def render_board(board: Board, *, theme: Theme = CLASSIC, backdrop: Backdrop | None = None) -> str:
    """Return the board as the text of an SVG 1.1 file, in millimetres; the same board gives the same text.

    Args:
        board: The board to draw.
        theme: Its colours and sizes.
        backdrop: What lies below the railroads; the shipped base map by default.
    """
    return draw_board(lay_out(board, theme.sizes, backdrop), theme=theme).to_text()


@uncollected()
def draw_board(layout: Layout, *, theme: Theme = CLASSIC, legend: bool = True) -> Document:
    """Draw a board, as `render_board`, for others to draw more on it, or a legend of their own below it."""
    board = layout.board
    document = Document(
        board.page.width,
        board.page.height,
        title=f"{board.title}: railroad board",
        description=_described(board),
        theme=theme,
    )
    document.data({"board": board.id, "format": board.format, "version": board.version})
    draw_ground(document, board, layout.ground)
    draw_region_names(document, layout)
    draw_railroads(document, layout)
    draw_symbols(document, layout)
    draw_names(document, layout)
    if legend:
        draw_legend(document, board, layout.strip)
    return document


def _described(board: Board) -> str:
    return (
        f"A map of {len(board.railroads)} railroads over {len(board.mileposts)} mileposts and "
        f"{len(board.segments)} segments, with {len(board.cities)} cities in {len(board.regions)} regions: "
        + ", ".join(region.name for region in board.regions)
        + ". Cities are squares, other mileposts dots; each railroad has its own colour and pattern."
    )
