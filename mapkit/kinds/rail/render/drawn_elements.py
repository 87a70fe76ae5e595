"""Drawn places and paths of a board's elements, for the board file."""

from mapkit.core.base import Point
from mapkit.core.garbage import gc_paused
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.model.file import BoardFile, Crossing
from mapkit.kinds.rail.render.layout import Layout, lay_out
from mapkit.kinds.rail.render.lines.polyline import Array


@gc_paused()
def with_drawn(board: Board, layout: Layout | None = None) -> BoardFile:
    """Return the board with the drawn place and path of every element, as in the board file.

    Args:
        board: The board.
        layout: Its layout; made again by default, unless it was made lately.
    """
    layout = layout or lay_out(board, text=False)
    spots, squares, piece_lines, ways = layout.spots, layout.squares, layout.thin_lines, layout.segment_lines
    drawn_elements = {
        "mileposts": tuple(m.model_copy(update=_drawn_place(spots[m.id])) for m in board.mileposts),
        "cities": tuple(c.model_copy(update=_drawn_place(squares[c.id])) for c in board.cities),
        "junctions": tuple(j.model_copy(update=_drawn_place(spots[j.id])) for j in board.junctions),
        "pieces": tuple(p.model_copy(update={"drawn_path": _drawn_path(piece_lines[p.id])}) for p in board.pieces),
        "segments": tuple(s.model_copy(update={"drawn_path": _drawn_path(ways[s.id])}) for s in board.segments),
        "crossings": tuple(Crossing(over=c.over, under=c.under, drawn_x=c.x, drawn_y=c.y) for c in layout.crossings),
    }
    return BoardFile.model_construct(**{**dict(board), **drawn_elements})


def _drawn_place(spot: Point) -> dict[str, float]:
    return {"drawn_x": round(float(spot[0]), 2), "drawn_y": round(float(spot[1]), 2)}


def _drawn_path(line: Array) -> tuple[Point, ...]:
    return tuple((round(x, 2), round(y, 2)) for x, y in line.tolist())
