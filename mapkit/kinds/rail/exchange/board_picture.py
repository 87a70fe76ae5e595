"""Cached drawings that several formats of one export share: the board, its cards, the board as a PNG."""

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
    """Picture of the whole page of a board, legend and all.

    Attributes:
        png: The picture.
        width: Pixels across.
        height: Pixels down.
    """

    png: bytes
    width: int
    height: int


_SVG_CACHE: deque[tuple[Board, str]] = deque(maxlen=1)
_CARD_CACHE: deque[tuple[Board, str, tuple[Sheet, ...]]] = deque(maxlen=2)
_PICTURE_CACHE: deque[tuple[Board, int, BoardPicture]] = deque(maxlen=2)

_PNG_SIZE_BYTES: Final = slice(16, 24)
"""Width and height in a PNG's first chunk."""


def board_svg(board: Board) -> str:
    """Return the drawn board in the theme that its author chose, as `render_board`."""
    for cached_board, svg in tuple(_SVG_CACHE):
        if cached_board is board:
            return svg
    svg = render_board(board)
    _SVG_CACHE.append((board, svg))
    return svg


def card_sheets(board: Board, group: str) -> tuple[Sheet, ...]:
    """Return the cards of a board: those of `deeds` or `engines`."""
    for cached_board, cached_group, cards in tuple(_CARD_CACHE):
        if cached_board is board and cached_group == group:
            return cards
    cards = sheets(board, only=[group])
    _CARD_CACHE.append((board, group, cards))
    return cards


def board_picture(board: Board, longest: int) -> BoardPicture:
    """Return the drawn board as a PNG.

    Args:
        board: The board.
        longest: Pixels of the longer side.

    Raises:
        PrintError: It cannot be drawn.
    """
    for cached_board, cached_px, picture in tuple(_PICTURE_CACHE):
        if cached_board is board and cached_px == longest:
            return picture
    page = board.page
    width_px = longest if page.width >= page.height else max(int(longest * page.width / page.height), 1)
    png_bytes = svg_to_png(board_svg(board), width=width_px, name=board.id)
    size_bytes = png_bytes[_PNG_SIZE_BYTES]
    picture = BoardPicture(png_bytes, int.from_bytes(size_bytes[:4], "big"), int.from_bytes(size_bytes[4:], "big"))
    _PICTURE_CACHE.append((board, longest, picture))
    return picture
