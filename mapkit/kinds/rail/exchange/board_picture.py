"""Drawings that several formats of one export ask for, each made once: the board, its cards, the board as a PNG."""

from collections import deque
from dataclasses import dataclass
from typing import Final

from mapkit.drawing.sheet import Sheet
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.render.board import render_board
from mapkit.kinds.rail.render.sheets import sheets
from mapkit.press.raster import svg_to_png


@dataclass(frozen=True)
class BoardPicture:
    """The whole page of a board, legend and all.

    Attributes:
        png: The picture.
        width: Pixels across.
        height: Pixels down.
    """

    png: bytes
    width: int
    height: int


_DRAWINGS: deque[tuple[Board, str]] = deque(maxlen=1)
_CARDS: deque[tuple[Board, str, tuple[Sheet, ...]]] = deque(maxlen=2)
_PICTURES: deque[tuple[Board, int, BoardPicture]] = deque(maxlen=2)

_SIZE: Final = slice(16, 24)
"""Width and height in a PNG's first chunk."""


def board_svg(board: Board) -> str:
    """Return the drawn board in the theme that its author chose, as `render_board`."""
    for known, svg in tuple(_DRAWINGS):
        if known is board:
            return svg
    svg = render_board(board)
    _DRAWINGS.append((board, svg))
    return svg


def card_sheets(board: Board, group: str) -> tuple[Sheet, ...]:
    """Return the cards of a board: those of `deeds` or `engines`."""
    for known, name, cards in tuple(_CARDS):
        if known is board and name == group:
            return cards
    cards = sheets(board, only=[group])
    _CARDS.append((board, group, cards))
    return cards


def board_picture(board: Board, longest: int) -> BoardPicture:
    """Return the drawn board.

    Args:
        board: The board.
        longest: Pixels of the longer side.

    Raises:
        PrintError: It cannot be drawn.
    """
    for known, pixels, picture in tuple(_PICTURES):
        if known is board and pixels == longest:
            return picture
    page = board.page
    width = longest if page.width >= page.height else max(int(longest * page.width / page.height), 1)
    png = svg_to_png(board_svg(board), width=width, name=board.id)
    size = png[_SIZE]
    picture = BoardPicture(png, int.from_bytes(size[:4], "big"), int.from_bytes(size[4:], "big"))
    _PICTURES.append((board, longest, picture))
    return picture
