"""Where everything of a board lies on the page: computed once, drawn by any theme with the same sizes."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from mapkit.model.base import Point
from mapkit.model.board import Board
from mapkit.render.backdrop import Area, Warp
from mapkit.render.displace import displace
from mapkit.render.labels import Placed, place_names
from mapkit.render.names import names_of
from mapkit.render.page_areas import page_areas
from mapkit.render.parallel import draw_lines
from mapkit.render.polyline import Array
from mapkit.render.symbols import bar_boxes, squares, symbol_boxes
from mapkit.render.theme import Sizes


@dataclass(frozen=True)
class Layout:
    """The geometry of a drawn board, in millimetres of the page, y downward."""

    board: Board
    sizes: Sizes
    area: Area
    """The map, a little larger than the frame."""
    strip: Area
    """The legend, below the map."""
    spots: Mapping[str, Point]
    """Milepost or junction (id) -> where it is drawn."""
    squares: Mapping[str, Point]
    """City (id) -> middle of its square."""
    lines: Mapping[str, Array]
    """Piece (id) -> its drawn line, from its `a` to its `b`."""
    names: tuple[Placed, ...]
    """Names of cities and dots, where there is room."""
    warp: Warp
    """It carries land and borders along with the mileposts."""
    bars: Mapping[str, tuple[Point, Point]] = field(default_factory=dict)
    """Dot (id) that is drawn as a bar across three lanes and more -> middles of the bar's ends."""


def lay_out(board: Board, sizes: Sizes | None = None) -> Layout:
    """Return the layout of a board; the same board and sizes give the same layout."""
    sizes = sizes or Sizes()
    area, strip = page_areas(board)
    placement = displace(board, sizes, area)
    drawn = draw_lines(board, placement, sizes)
    spots = {**placement.spots, **drawn.spots}
    middles = squares(board, spots, sizes)
    names = place_names(
        names_of(board, spots, middles, sizes),
        symbols=symbol_boxes(board, spots, middles, sizes) + bar_boxes(drawn.bars, sizes),
        lines=list(drawn.lines.values()),
        area=area,
    )
    return Layout(board, sizes, area, strip, spots, middles, drawn.lines, names, placement.warp, drawn.bars)
