"""The board file: the contract with every client (`mapkit schema board`).

It is the board, and beside each element's true place and path (`x`, `y`, `path`: what the projection gives) where the
picture has it (`drawn_x`, `drawn_y`, `drawn_path`). `mapkit.kinds.rail.render.drawn.with_drawn` makes it.
"""

from pydantic import ConfigDict, Field, model_validator

from mapkit.core.base import Frozen, Point, Slug
from mapkit.kinds.rail.model import board
from mapkit.kinds.rail.model.versions import upgraded

_TRUE = "Where the projection puts it, mm; the picture may have it centimetres off, at `drawn_x`, `drawn_y`"
_TRUE_PATH = "Where the projection puts it, mm, from `a` to `b`; the picture has it at `drawn_path`"


class Milepost(board.Milepost):
    """A point that costs one step to enter (RB-C03, RB-C04)."""

    x: float = Field(description=_TRUE)
    y: float = Field(description=_TRUE)
    drawn_x: float = Field(description="Middle of its dot or square in the picture, mm from the left")
    drawn_y: float = Field(description="Middle of its dot or square in the picture, mm from the top")


class City(board.City):
    """A row of the charts; twins (RB-C06) name the same milepost."""

    drawn_x: float = Field(description="Middle of its square in the picture, mm; twins have one beside the other")
    drawn_y: float = Field(description="Middle of its square in the picture, mm")


class Junction(board.Junction):
    """A free junction of one railroad off any milepost."""

    x: float = Field(description=_TRUE)
    y: float = Field(description=_TRUE)
    drawn_x: float = Field(description="Its place in the picture, mm from the left")
    drawn_y: float = Field(description="Its place in the picture, mm from the top")


class Piece(board.Piece):
    """A track piece: `line` in degrees and `path` in page millimetres, from `a` to `b`."""

    path: tuple[Point, ...] = Field(description=_TRUE_PATH)
    drawn_path: tuple[Point, ...] = Field(
        description="The middle of its line in the picture, mm, from `a` to `b`; it ends within the mileposts' symbols"
    )


class Segment(board.Segment):
    """One step on one railroad (RB-M04, RB-C09); its pieces are used up together (RB-M07)."""

    path: tuple[Point, ...] = Field(description=_TRUE_PATH)
    drawn_path: tuple[Point, ...] = Field(
        description="Its line in the picture, mm, from the middle of `a`'s symbol to that of `b`'s"
    )


class Crossing(Frozen):
    """Where lines of two pieces without a common end cross in the picture: they do not connect there (RB-C10)."""

    over: Slug = Field(description="The piece whose line lies above, on a bridge")
    under: Slug = Field(description="The piece whose line lies below")
    drawn_x: float = Field(description="Where they cross in the picture, mm from the left")
    drawn_y: float = Field(description="Where they cross in the picture, mm from the top")


class BoardFile(board.Board):
    """A finished board. Every list is sorted by id, except payoff cities and regions (chart order)."""

    model_config = ConfigDict(title="Board")

    mileposts: tuple[Milepost, ...]
    cities: tuple[City, ...]
    junctions: tuple[Junction, ...]
    pieces: tuple[Piece, ...]
    segments: tuple[Segment, ...]
    crossings: tuple[Crossing, ...] = Field(
        default=(), description="Sorted; where lines of pieces without a common end cross"
    )

    @model_validator(mode="before")
    @classmethod
    def _of_any_file(cls, data: object) -> object:
        """Take the data of a board file; one of version 1 does not say where elements are drawn."""
        return upgraded(data)
