"""The board as SVG: a picture for people, and the whole graph for an engine (`mapkit.render.reader`).

Layers are groups `layer-<name>` in the order of `mapkit.render.document.LAYERS`. Elements of the board have
stable ids (`region-`, `rr-`, `p-`, `s-`, `j-`, `m-`, `c-` and the board's id), a class, and everything that the
board file says of them, geometry of the real line aside, in `data-` attributes.
"""

from mapkit.model.board import Board
from mapkit.render.backdrop import Backdrop, load_backdrop
from mapkit.render.document import Document, data_attributes
from mapkit.render.draw_names import draw_names, draw_region_names
from mapkit.render.layout import Layout, lay_out
from mapkit.render.legend import draw_legend
from mapkit.render.shapes import shape_d
from mapkit.render.symbols import draw_symbols
from mapkit.render.theme import CLASSIC, Theme
from mapkit.render.tints import region_tints
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
    ground = backdrop or layout.backdrop or load_backdrop(board.projection, layout.area, layout.warp)
    _ground(document, layout, ground)
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


def _ground(document: Document, layout: Layout, ground: Backdrop) -> None:
    board, theme = layout.board, document.theme
    page = (0.0, 0.0, board.page.width, board.page.height)
    clip = {"clip-path": document.clip_to("map-area", ground.area)}
    water = document.layers["water"]
    document.rect(water, page, {"class": "paper", "fill": theme.paper})
    document.rect(water, ground.area, {"class": "water", "fill": theme.water})
    shore = {"stroke-width": "0.3", "stroke-linejoin": "round"}
    document.path(
        document.group(document.layers["land"], clip),
        shape_d(ground.land) or "M0,0",
        {"class": "land", "fill": theme.land, "fill-rule": "evenodd", "stroke": theme.coast} | shore,
    )
    tints = region_tints(board, ground, layout.spots)
    for index, region in enumerate(board.regions):
        data = {"name": region.name, "short": region.short, "colour": region.colour, "order": index}
        document.path(
            document.layers["regions"],
            shape_d(tints[region.id]) or "M0,0",
            {
                "id": f"region-{region.id}",
                "class": "region",
                "fill": region.colour,
                "fill-opacity": f"{theme.tint_opacity:g}",
                "fill-rule": "evenodd",
            }
            | data_attributes(data),
            tip=region.name,
        )
    lakes = document.group(document.layers["lakes"], clip | {"fill": theme.water, "stroke": theme.lake_shore} | shore)
    for lake in ground.lakes:
        document.path(lakes, shape_d(lake), {"class": "lake", "fill-rule": "evenodd"})
    borders = document.group(
        document.layers["borders"], {"fill": "none", "stroke": theme.border, "stroke-linejoin": "round"}
    )
    for name, shape, width, dashes in (
        ("state-borders", ground.state_borders, "0.25", "1.6 0.9"),
        ("country-borders", ground.country_borders, "0.6", "4 1.2 1 1.2"),
    ):
        d = shape_d(shape)
        if d:
            document.path(borders, d, {"class": name, "stroke-width": width, "stroke-dasharray": dashes})
    frame = {"class": "frame", "stroke": theme.quiet_ink, "stroke-width": "0.5"}
    document.rect(borders, ground.area, frame)
