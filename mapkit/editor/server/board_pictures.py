"""Small pictures of boards for the start page: of the workspace's own from their bundles, of shipped ones from here."""

from pathlib import Path
from typing import Final

from mapkit.core.errors import MissingError
from mapkit.document.workspace import Workspace
from mapkit.press.raster import svg_to_png

SHIPPED_PICTURES: Final = Path(__file__).resolve().parent.parent / "pictures"
"""Pictures of the shipped boards, made by `tools/board_pictures.py`."""
PICTURE_WIDTH: Final = 320
"""In pixels: twice the width on the page, for sharp screens."""


def read_board_picture(space: Workspace, board: str) -> tuple[bytes, str]:
    """Return a picture of a board and its media type.

    Raises:
        MissingError: There is none: it was never built.
        PrintError: The drawing in its bundle cannot be read.
    """
    drawing = space.bundle_folder(board) / "board.svg"
    if board in space.own_boards() and drawing.is_file():
        return svg_to_png(drawing.read_text(encoding="utf-8"), width=PICTURE_WIDTH, name=board), "image/png"
    picture = SHIPPED_PICTURES / f"{board}.webp"
    if board in space.boards() and picture.is_file():
        return picture.read_bytes(), "image/webp"
    raise MissingError(f"board {board!r} has no picture; build it: mapkit build {board}")
