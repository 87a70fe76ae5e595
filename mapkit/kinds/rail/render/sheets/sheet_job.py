"""Common inputs of sheets."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from mapkit.drawing.sheet import Paper
from mapkit.drawing.theme.theme import Theme
from mapkit.drawing.words.language import Words
from mapkit.kinds.rail.model.board import Board, Style
from mapkit.kinds.rail.render.colours.railroad_styles import choose_railroad_styles
from mapkit.kinds.rail.render.layout import Layout
from mapkit.kinds.rail.render.words import words_of
from mapkit.kinds.rail.rules.rules import Engine


@dataclass(frozen=True)
class SheetJob:
    """Common inputs of sheets; without a layout, sheets that need one lay the board out."""

    board: Board
    theme: Theme
    paper: Paper
    layout: Layout | None = None

    @property
    def title(self) -> str:
        """Title of the board."""
        return self.board.title

    @cached_property
    def styles(self) -> Mapping[str, Style]:
        """Style of each railroad in the theme, by id."""
        return choose_railroad_styles(self.board, self.theme)

    @property
    def names(self) -> dict[str, str]:
        """Names of cities and regions, by id."""
        board = self.board
        return {region.id: region.name for region in board.regions} | {city.id: city.name for city in board.cities}

    @property
    def words(self) -> Words:
        """Words of the board's language."""
        return words_of(self.board)

    def money(self, amount: float) -> str:
        """Return an amount in currency units as players read it; halves of a unit in decimals."""
        return self.words.money(self.board.units.symbol, amount)

    def sort_key(self, name: str) -> tuple[str, str]:
        """Return the sort key of a name in the board's language."""
        return self.words.sort_key(name)

    def dice(self, count: int, kind: Literal["coloured", "white"]) -> str:
        """Describe a number of dice in words: `the coloured die`, `two white dice`."""
        return self.words.count(f"dice.{kind}", count, words=self.words.number_word(count))

    def engine(self, engine: Engine) -> str:
        """Return the name of an engine."""
        return self.words(f"engine.{engine}")
