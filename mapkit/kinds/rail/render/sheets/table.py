"""A table for screens: places for decks of cards, and a mat a player for what is theirs."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from mapkit.core.base import Area
from mapkit.drawing.canvas import Canvas, Type
from mapkit.drawing.colours.colour import mixed
from mapkit.drawing.fit import pt
from mapkit.drawing.inks import WHITE, ink_on
from mapkit.drawing.sheet import CARD
from mapkit.drawing.theme.theme import CLASSIC, Theme
from mapkit.kinds.rail.render.sheets.chips import PLAYERS

_EDGE: Final = 8.0
_LABEL: Final = 10.0
_MAT: Final = (215.0, 132.0)
_ACROSS: Final = 2
_TOKEN: Final = 16.0


@dataclass(frozen=True)
class TableLayout:
    """Where what lies on the table, in millimetres.

    Attributes:
        width: Of the whole table.
        height: Of the whole table.
        bank: The strip with the decks.
        decks: Middles of the decks.
        mats: A mat for each player.
    """

    width: float
    height: float
    bank: Area
    decks: tuple[tuple[float, float], ...]
    mats: tuple[Area, ...]

    def spot(self, player: int, number: int) -> tuple[float, float]:
        """Return the middle of the place for a player's token, counted from 0."""
        left, top, _, _ = self.mats[player]
        return left + _EDGE + _TOKEN * (number + 0.5), top + 2 * _LABEL + 2.0


def lay_table(decks: int, players: int) -> TableLayout:
    """Return a table for so many decks of cards and players."""
    step = CARD[0] + 2 * _EDGE
    width = max(_ACROSS * (_MAT[0] + _EDGE), decks * step) + _EDGE
    bank = (_EDGE, _EDGE, width - _EDGE, 2 * _EDGE + _LABEL + CARD[1])
    middles = tuple((_EDGE + step * (k + 0.5), _EDGE + _LABEL + CARD[1] / 2 + _EDGE / 2) for k in range(decks))
    mats = []
    for player in range(players):
        x = _EDGE + player % _ACROSS * (_MAT[0] + _EDGE)
        y = bank[3] + _EDGE + player // _ACROSS * (_MAT[1] + _EDGE)
        mats.append((x, y, x + _MAT[0], y + _MAT[1]))
    height = max([bank[3], *(mat[3] for mat in mats)]) + _EDGE
    return TableLayout(width, height, bank, middles, tuple(mats))


def table_svg(
    table: TableLayout, decks: Sequence[str], players: Sequence[str], title: str, theme: Theme = CLASSIC
) -> str:
    """Return the picture of a table, its decks and mats named."""
    canvas = Canvas((table.width, table.height), theme, title=title, description="A table for cards and markers")
    felt = "#2f5d50"
    canvas.box((0.0, 0.0, table.width, table.height), fill=felt)
    canvas.box(table.bank, fill=mixed(felt, WHITE, 0.8), radius=4.0)
    label = Type(pt(16), bold=True, align="middle", fill=WHITE)
    for (x, y), name in zip(table.decks, decks, strict=True):
        half = (CARD[0] / 2, CARD[1] / 2)
        canvas.words((x - half[0], table.bank[1] + 1, x + half[0], y - half[1]), name, label)
        canvas.box((x - half[0], y - half[1], x + half[0], y + half[1]), edge=WHITE, width=0.5, radius=2.6)
    for player, (left, top, right, bottom) in enumerate(table.mats):
        colour = PLAYERS[player]
        ground = mixed(colour, theme.paper, 0.22)
        canvas.box((left, top, right, bottom), fill=ground, edge=colour, width=1.2, radius=4.0)
        canvas.box((left, top, right, top + _LABEL), fill=colour, radius=4.0)
        head = Type(pt(18), bold=True, fill=ink_on(colour))
        canvas.words((left + 5, top, right - 5, top + _LABEL), f"{player + 1}  {players[player]}", head)
    return canvas.to_text()
