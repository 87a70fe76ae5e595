"""Table for screens: places for decks of cards, and a mat for the things of each player."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from mapkit.core.base import Area
from mapkit.drawing.canvas import Canvas, TextStyle
from mapkit.drawing.colours.colour import mix_colours
from mapkit.drawing.fit import points_to_mm
from mapkit.drawing.inks import WHITE, ink_on
from mapkit.drawing.sheet import CARD
from mapkit.drawing.theme.theme import CLASSIC
from mapkit.kinds.rail.render.sheets.chips import PLAYERS

_EDGE_MM: Final = 8.0
_LABEL_MM: Final = 10.0
_MAT_SIZE_MM: Final = (215.0, 132.0)
_MATS_ACROSS: Final = 2
_TOKEN_MM: Final = 16.0


@dataclass(frozen=True)
class TableLayout:
    """Places of everything on the table, in millimetres.

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
        return left + _EDGE_MM + _TOKEN_MM * (number + 0.5), top + 2 * _LABEL_MM + 2.0


def lay_table(decks: int, players: int) -> TableLayout:
    """Lay out a table for numbers of decks of cards and players."""
    deck_step = CARD[0] + 2 * _EDGE_MM
    table_width = max(_MATS_ACROSS * (_MAT_SIZE_MM[0] + _EDGE_MM), decks * deck_step) + _EDGE_MM
    bank_area = (_EDGE_MM, _EDGE_MM, table_width - _EDGE_MM, 2 * _EDGE_MM + _LABEL_MM + CARD[1])
    deck_places = tuple(
        (_EDGE_MM + deck_step * (k + 0.5), _EDGE_MM + _LABEL_MM + CARD[1] / 2 + _EDGE_MM / 2) for k in range(decks)
    )
    mat_areas = []
    for player in range(players):
        x = _EDGE_MM + player % _MATS_ACROSS * (_MAT_SIZE_MM[0] + _EDGE_MM)
        y = bank_area[3] + _EDGE_MM + player // _MATS_ACROSS * (_MAT_SIZE_MM[1] + _EDGE_MM)
        mat_areas.append((x, y, x + _MAT_SIZE_MM[0], y + _MAT_SIZE_MM[1]))
    table_height = max([bank_area[3], *(mat[3] for mat in mat_areas)]) + _EDGE_MM
    return TableLayout(table_width, table_height, bank_area, deck_places, tuple(mat_areas))


def draw_table(table: TableLayout, decks: Sequence[str], players: Sequence[str], title: str) -> str:
    """Draw a table, its decks and mats named."""
    table_canvas = Canvas(
        (table.width, table.height), CLASSIC, title=title, description="A table for cards and markers"
    )
    felt_colour = "#2f5d50"
    table_canvas.box((0.0, 0.0, table.width, table.height), fill=felt_colour)
    table_canvas.box(table.bank, fill=mix_colours(felt_colour, WHITE, 0.8), radius=4.0)
    deck_type = TextStyle(points_to_mm(16), bold=True, align="middle", fill=WHITE)
    for (x, y), deck_name in zip(table.decks, decks, strict=True):
        half = (CARD[0] / 2, CARD[1] / 2)
        table_canvas.words((x - half[0], table.bank[1] + 1, x + half[0], y - half[1]), deck_name, deck_type)
        table_canvas.box((x - half[0], y - half[1], x + half[0], y + half[1]), edge=WHITE, width=0.5, radius=2.6)
    for player, (left, top, right, bottom) in enumerate(table.mats):
        player_colour = PLAYERS[player]
        mat_colour = mix_colours(player_colour, CLASSIC.paper, 0.22)
        table_canvas.box((left, top, right, bottom), fill=mat_colour, edge=player_colour, width=1.2, radius=4.0)
        table_canvas.box((left, top, right, top + _LABEL_MM), fill=player_colour, radius=4.0)
        head_type = TextStyle(points_to_mm(18), bold=True, fill=ink_on(player_colour))
        table_canvas.words((left + 5, top, right - 5, top + _LABEL_MM), f"{player + 1}  {players[player]}", head_type)
    return table_canvas.to_text()
