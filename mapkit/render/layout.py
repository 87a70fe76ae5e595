"""Where everything of a board lies on the page: computed once, drawn by any theme with the same sizes."""

from collections.abc import Mapping
from dataclasses import dataclass

from mapkit.model.base import Point
from mapkit.model.board import Board
from mapkit.render.backdrop import Area, Warp
from mapkit.render.displace import displace
from mapkit.render.candidates import Placed
from mapkit.render.labels import Ground, place_names
from mapkit.render.names import names_of
from mapkit.render.page_areas import page_areas
from mapkit.render.parallel import drawn_lines
from mapkit.render.polyline import Array
from mapkit.render.symbols import squares, symbol_boxes
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
    left_out: tuple[str, ...] = ()
    """Keys of names that found no room, `m-<id>` of dots."""


def lay_out(board: Board, sizes: Sizes | None = None) -> Layout:
    """Return the layout of a board; the same board and sizes give the same layout."""
    sizes = sizes or Sizes()
    area, strip = page_areas(board)
    placement = displace(board, sizes, area)
    lines = drawn_lines(board, placement, sizes)
    middles = squares(board, placement.spots, sizes)
    ground = Ground(area, symbol_boxes(board, placement.spots, middles, sizes), list(lines.values()))
    wanted = names_of(board, placement.spots, middles, sizes)
    names = place_names(wanted, ground)
    named = {spot.name.key for spot in names}
    return Layout(
        board,
        sizes,
        area,
        strip,
        placement.spots,
        middles,
        lines,
        names,
        placement.warp,
        left_out=tuple(name.key for name in wanted if name.key not in named),
    )
