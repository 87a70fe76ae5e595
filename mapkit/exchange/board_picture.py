"""The drawn board as a PNG of a size that virtual tables and web clients take."""

import hashlib
from collections import deque
from dataclasses import dataclass
from typing import Final

from mapkit.model.board import Board
from mapkit.render.board import render_board
from mapkit.render.press.raster import svg_to_png


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


_REMEMBERED: deque[tuple[Board, int, BoardPicture]] = deque(maxlen=2)
"""The last pictures: several formats of one export ask for the same."""

_SIZE: Final = slice(16, 24)
"""Width and height in a PNG's first chunk."""


def board_picture(board: Board, longest: int) -> BoardPicture:
    """Return the drawn board.

    Args:
        board: The board.
        longest: Pixels of the longer side.

    Raises:
        PrintError: It cannot be drawn.
    """
    for known, pixels, picture in tuple(_REMEMBERED):
        if known is board and pixels == longest:
            return picture
    page = board.page
    width = longest if page.width >= page.height else max(int(longest * page.width / page.height), 1)
    png = svg_to_png(render_board(board), width=width, name=board.id)
    size = png[_SIZE]
    picture = BoardPicture(png, int.from_bytes(size[:4], "big"), int.from_bytes(size[4:], "big"))
    _REMEMBERED.append((board, longest, picture))
    return picture


def hashed_name(stem: str, png: bytes) -> str:
    """Return the name of a picture with a hash of its content: clients that cache by address fetch a changed one."""
    return f"{stem}-{hashlib.sha256(png).hexdigest()[:10]}.png"
