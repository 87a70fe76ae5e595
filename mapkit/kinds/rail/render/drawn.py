"""Where the picture has each element of a board, for the board file."""

from typing import Any, TypeVar

from pydantic import BaseModel

from mapkit.core.base import Point
from mapkit.core.collecting import uncollected
from mapkit.kinds.rail.model import file as board_file
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.model.file import BoardFile
from mapkit.kinds.rail.render.layout import Layout, lay_out
from mapkit.kinds.rail.render.lines.polyline import Array

T = TypeVar("T", bound=BaseModel)


@uncollected()
def with_drawn(board: Board, layout: Layout | None = None) -> BoardFile:
    """Return the board with the drawn place and path of every element, as the board file has it.

    Args:
        board: The board.
        layout: Its layout; made again by default, unless it was made lately.
    """
    layout = layout or lay_out(board, text=False)
    spots, squares, lines, ways = layout.spots, layout.squares, layout.thin_lines, layout.segment_lines
    mileposts = (_beside(board_file.Milepost, m, **_place(spots[m.id])) for m in board.mileposts)
    cities = (_beside(board_file.City, c, **_place(squares[c.id])) for c in board.cities)
    junctions = (_beside(board_file.Junction, j, **_place(spots[j.id])) for j in board.junctions)
    pieces = (_beside(board_file.Piece, p, drawn_path=_path(lines[p.id])) for p in board.pieces)
    segments = (_beside(board_file.Segment, s, drawn_path=_path(ways[s.id])) for s in board.segments)
    return _beside(
        BoardFile,
        board,
        mileposts=tuple(mileposts),
        cities=tuple(cities),
        junctions=tuple(junctions),
        pieces=tuple(pieces),
        segments=tuple(segments),
        crossings=tuple(
            board_file.Crossing(over=c.over, under=c.under, drawn_x=c.x, drawn_y=c.y) for c in layout.crossings
        ),
    )


def _beside(kind: type[T], given: BaseModel, **drawn: Any) -> T:  # noqa: ANN401 - of any field
    """Return what is there, which is a board's and was checked, and beside it what is drawn, as another kind."""
    return kind.model_construct(**{**dict(given), **drawn})


def _place(spot: Point) -> dict[str, float]:
    return {"drawn_x": round(float(spot[0]), 2), "drawn_y": round(float(spot[1]), 2)}


def _path(line: Array) -> tuple[Point, ...]:
    return tuple((round(x, 2), round(y, 2)) for x, y in line.tolist())
