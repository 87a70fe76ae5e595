"""Inputs of drawings of pieces and cards."""

from dataclasses import dataclass
from functools import cached_property

from mapkit.core.base import Point
from mapkit.drawing.sheet import Paper
from mapkit.drawing.theme.theme import CLASSIC, Theme
from mapkit.drawing.words.language import Words
from mapkit.kinds.hex.model.board import HexBoard
from mapkit.kinds.hex.render.palette import pigment
from mapkit.kinds.hex.render.words import hex_words


@dataclass(frozen=True)
class HexJob:
    """Board, and the look of its pieces.

    Attributes:
        board: The board.
        theme: Colours.
        paper: The size of pages.
        language: Its tag.
    """

    board: HexBoard
    theme: Theme = CLASSIC
    paper: Paper = "a4"
    language: str = "en"

    @property
    def title(self) -> str:
        """Return the title of the board."""
        return self.board.title

    @cached_property
    def words(self) -> Words:
        """Return the words of the language."""
        return hex_words(self.language)

    @cached_property
    def spokes(self) -> tuple[Point, ...]:
        """Return the vectors from the centre of a hexagon to its corners by number, in millimetres."""
        grid = self.board.grid
        first_cube = grid.cubes[0]
        x, y = grid.centre(first_cube)
        return tuple((cx - x, cy - y) for cx, cy in grid.corners(first_cube))

    @property
    def box(self) -> tuple[float, float]:
        """Return width and height of a hexagon."""
        xs, ys = zip(*self.spokes, strict=True)
        return max(xs) - min(xs), max(ys) - min(ys)

    def fill(self, colour: str) -> str:
        """Return a colour of goods in the style of the board's cubes."""
        return pigment(colour, self.board.rules.display.cube_style, self.theme)

    def money(self, dollars: int) -> str:
        """Return an amount as printed on cards: `$12,000`."""
        return self.words.money("$", dollars)

    def players(self) -> int:
        """Return the largest number of players."""
        return self.board.rules.players.most
