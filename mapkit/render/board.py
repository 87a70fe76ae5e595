"""The board as SVG: a picture for people, and the whole graph for an engine (`mapkit.render.reader`).

Layers are groups `layer-<name>` in the order of `mapkit.render.document.LAYERS`. Elements of the board have
stable ids (`region-`, `rr-`, `p-`, `s-`, `j-`, `m-`, `c-` and the board's id), a class, and everything that the
board file says of them, geometry of the real line aside, in `data-` attributes.
"""

from mapkit.model.board import Board
from mapkit.render.backdrop import Backdrop, load_backdrop
from mapkit.render.document import Document, data_attributes, mm
from mapkit.render.ground import draw_ground
from mapkit.render.labels import Placed
from mapkit.render.layout import Layout, lay_out
from mapkit.render.legend import draw_legend
from mapkit.render.symbols import draw_symbols
from mapkit.render.theme import CLASSIC, Theme
from mapkit.render.tints import lay_ground
from mapkit.render.tracks import draw_railroads


def render_board(board: Board, *, theme: Theme = CLASSIC, backdrop: Backdrop | None = None) -> str:
    """Return the board as the text of an SVG 1.1 file, in millimetres; the same board gives the same text.

    Args:
        board: The board to draw.
        theme: Its colours and sizes.
        backdrop: What lies below the railroads; the shipped base map by default.
    """
    return draw_board(lay_out(board, theme.sizes), theme=theme, backdrop=backdrop).to_text()


def draw_board(
    layout: Layout, *, theme: Theme = CLASSIC, backdrop: Backdrop | None = None, legend: bool = True
) -> Document:
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
    base = backdrop or load_backdrop(board.projection, layout.area, layout.warp)
    draw_ground(document, board, lay_ground(board, base, layout.spots))
    draw_railroads(document, layout)
    draw_symbols(document, layout)
    _labels(document, layout.names)
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


def _labels(document: Document, placed: tuple[Placed, ...]) -> None:
    """Draw all halos, then all names, so that no halo covers a name."""
    layer, theme, sizes = document.layers["labels"], document.theme, document.theme.sizes
    groups = {
        (halo, bold): document.group(
            layer,
            {
                "class": f"{'city' if bold else 'dot'}-{'halos' if halo else 'names'}",
                "font-size": mm(size),
                "font-weight": "bold" if bold else "normal",
            }
            | (
                {
                    "fill": theme.halo,
                    "fill-opacity": "0.85",
                    "stroke": theme.halo,
                    "stroke-opacity": "0.85",
                    "stroke-width": mm(width),
                    "stroke-linejoin": "round",
                    "aria-hidden": "true",
                }
                if halo
                else {"fill": theme.ink}
            ),
        )
        for halo in (True, False)
        for bold, size, width in (
            (False, sizes.dot_text, sizes.dot_halo),
            (True, sizes.city_text, sizes.city_halo),
        )
    }
    for spot in placed:
        anchor = {} if spot.anchor == "start" else {"text-anchor": spot.anchor}
        document.text(groups[True, spot.name.bold], spot.name.text, (spot.x, spot.y), anchor)
        ident = {"id": f"label-{spot.name.key}", "class": "label"}
        data = data_attributes({"of": spot.name.key})
        document.text(groups[False, spot.name.bold], spot.name.text, (spot.x, spot.y), ident | data | anchor)
