"""Board as SVG: a picture for people, and the whole graph for an engine (`tests/svg_client.py` reads it).

Layers are groups `layer-<name>` in the order of `mapkit.kinds.rail.render.board_layers`. Elements of the board have
stable ids (`region-`, `rr-`, `p-`, `s-`, `j-`, `m-`, `c-` and the board's id), a class, and all their
values in the board file, except the geometry of the real line, in `data-` attributes.
"""

import re
from typing import Final

from mapkit.core.garbage import gc_paused
from mapkit.drawing.svg_page import SvgPage
from mapkit.drawing.theme.theme import Theme
from mapkit.geography.backdrop import Backdrop
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.render.board_layers import LAYERS
from mapkit.kinds.rail.render.board_theme import get_board_theme
from mapkit.kinds.rail.render.boxes import late as boxes
from mapkit.kinds.rail.render.ground import late
from mapkit.kinds.rail.render.ground.ground_layers import draw_ground
from mapkit.kinds.rail.render.layout import Layout, lay_out
from mapkit.kinds.rail.render.legend import draw_legend
from mapkit.kinds.rail.render.lines.crossings import draw_bridges
from mapkit.kinds.rail.render.lines.tracks import draw_railroads
from mapkit.kinds.rail.render.symbols import draw_symbols
from mapkit.kinds.rail.render.text.name_layer import draw_names, draw_region_names
from mapkit.kinds.rail.render.words import words_of

DRAWING_VERSION: Final = 1
"""Version of the picture's interface for clients, independent of that of the board file."""


def render_board(board: Board, *, theme: Theme | None = None, backdrop: Backdrop | None = None) -> str:
    """Render the board as the text of an SVG 1.1 file, in millimetres; the same board gives the same text.

    Args:
        board: The board to draw.
        theme: Its colours and sizes; those that its author chose by default.
        backdrop: Layers below the railroads; the shipped base map by default.
    """
    theme = theme or get_board_theme(board)
    return draw_board(lay_out(board, theme.sizes, backdrop), theme=theme).to_text()


@gc_paused()
def draw_board(layout: Layout, *, theme: Theme | None = None, legend: bool = True) -> SvgPage:
    """Draw a board, as `render_board`, for callers that draw more on it, or a legend of their own below it."""
    board = layout.board
    document = _draw_below_names(layout, theme or get_board_theme(board))
    _draw_text(document, layout)
    if legend:
        draw_legend(document, board, layout.strip)
        if layout.boxes.areas:
            boxes.draw_boxes(document, layout)
    return document


@gc_paused()
def draw_map_below_names(layout: Layout) -> str:
    """Draw a map before any name is placed, in its author's theme; `lettered` completes it."""
    document = _draw_below_names(layout, get_board_theme(layout.board))
    for layer in _TEXT_LAYERS:
        document.group(document.layers[layer], {"id": f"{_NAMES_PREFIX}{layer}"})
    return document.to_text()


@gc_paused()
def add_names_to_map(below: str, layout: Layout) -> str:
    """Complete the text of a map by its names; the result is that of `draw_board` without legend.

    Args:
        below: Result of `map_below` for the same board.
        layout: With names.
    """
    page = layout.board.page
    name_page = SvgPage(
        page.width, page.height, title="", description="", theme=get_board_theme(layout.board), layers=_TEXT_LAYERS
    )
    _draw_text(name_page, layout)
    for layer, layer_text in zip(_TEXT_LAYERS, _LAYER_PATTERN.findall(name_page.to_text()), strict=True):
        below = below.replace(f'\n<g id="{_NAMES_PREFIX}{layer}" />', layer_text)
    return below


def _draw_below_names(layout: Layout, theme: Theme) -> SvgPage:
    """Draw a board without names and legend."""
    board = layout.board
    board_description = (
        f"A map of {len(board.railroads)} railroads over {len(board.mileposts)} mileposts and "
        f"{len(board.segments)} segments, with {len(board.cities)} cities in {len(board.regions)} regions: "
        + ", ".join(region.name for region in board.regions)
        + ". Cities are squares, other mileposts dots; each railroad has its own colour and pattern."
    )
    document = SvgPage(
        board.page.width,
        board.page.height,
        title=words_of(board)("board.title", board=board.title),
        description=board_description,
        theme=theme,
        layers=LAYERS,
    )
    document.data({"board": board.id, "format": board.format, "version": DRAWING_VERSION})
    draw_ground(document, board, layout.ground, layout.warp)
    if board.drawing.earth_settings:
        late.draw_relief(document, layout)
        late.draw_graticule(document, layout)
    draw_railroads(document, layout)
    draw_bridges(document, layout)
    draw_symbols(document, layout)
    return document


def _draw_text(document: SvgPage, layout: Layout) -> None:
    draw_region_names(document, layout)
    settings = layout.board.drawing
    if settings.water_names or settings.compass:
        space = late.FreeSpace(layout)
        if settings.water_names:
            late.draw_water_names(document, layout, space)
        if settings.compass:
            late.draw_compass(document, layout, space)
    draw_names(document, layout)


_TEXT_LAYERS: Final = ("borders", "labels")
"""Layers with text."""
_NAMES_PREFIX: Final = "names-of-"
"""Prefix of the ids of groups that are placeholders for text."""
_LAYER_PATTERN: Final = re.compile(
    r'<g class="layer" id="layer-[a-z]+"[^<>]*?(?: />|>(.*?)</g>)(?=(?:\n<g class="layer"|</svg>))', re.DOTALL
)
