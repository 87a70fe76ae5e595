"""Drawing context of all layers of a picture."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from mapkit.core.base import Point
from mapkit.drawing.svg_page import Element, SvgPage, format_mm
from mapkit.drawing.theme.theme import Theme
from mapkit.drawing.words.language import Words
from mapkit.kinds.hex.model.board import HexBoard
from mapkit.kinds.hex.model.terrain import Terrain
from mapkit.kinds.hex.render.palette import BoardInks, board_inks
from mapkit.kinds.hex.render.sheet import BoardSheet

BASELINE = 0.345
"""From the middle of a line of text to its baseline, as a share of its size."""


@dataclass(frozen=True)
class Pen:
    """Board, its page, and its look.

    Attributes:
        board: The board.
        theme: Its colours.
        words: The language.
        sheet: Where its parts are.
        page: The page under construction.
    """

    board: HexBoard
    theme: Theme
    words: Words
    sheet: BoardSheet
    page: SvgPage

    @property
    def unit(self) -> float:
        """Return a 22nd of a hexagon's width, in millimetres."""
        return self.board.grid.size_mm / 22.0

    @cached_property
    def inks(self) -> BoardInks:
        """Return the colours of features that only boards of hexagons have."""
        return board_inks(self.theme)

    @cached_property
    def terrains(self) -> Mapping[str, Terrain]:
        """Return the terrain of the board by id."""
        return {terrain.id: terrain for terrain in self.board.terrains}

    @cached_property
    def places(self) -> Mapping[str, Point]:
        """Return city -> the centre of its hexagon on the page."""
        cubes = ((city.id, self.board.grid.hex_of(city.hex)) for city in self.board.cities)
        return {ident: self.sheet.centre(cube) for ident, cube in cubes if cube is not None}

    def layer(self, name: str) -> Element:
        """Return a layer of the page."""
        return self.page.layers[name]

    def text(
        self,
        parent: Element,
        text: str,
        at: Point,
        size: float,
        fill: str,
        *,
        bold: bool = False,
        anchor: str = "middle",
    ) -> None:
        """Write a line with its middle at a point, in a size in millimetres."""
        text_looks = {"font-size": format_mm(size), "fill": fill}
        if anchor != "start":
            text_looks["text-anchor"] = anchor
        if bold:
            text_looks["font-weight"] = "bold"
        self.page.text(parent, text, (at[0], at[1] + BASELINE * size), text_looks)

    def thousands(self, dollars: int) -> str:
        """Return dollars as printed on boards: `$12k`, `$0`."""
        if dollars == 0:
            return "$0"
        sign, amount = ("-" if dollars < 0 else ""), abs(dollars)
        return f"{sign}${self.words.plain(amount / 1000)}k" if amount % 100 == 0 else f"{sign}${amount:,}"
