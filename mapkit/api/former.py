"""Former names of operations, one for each kind of board; deprecated."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from mapkit.api.importing import import_tables
from mapkit.api.outputs import Drawn, draw, export
from mapkit.api.printing import Printed, print_board
from mapkit.drawing.look import Look
from mapkit.kinds.registry import DEFAULT, get_operations
from mapkit.press.job import PrintJob

HexLook = Look
export_hexes = export_cards = export
draw_hexes = draw
print_hexes = print_board
import_hexes, import_cards = partial(import_tables, kind="hex"), partial(import_tables, kind="cards")


def CardLook(  # noqa: N802 - it was a class
    theme: str = "board",
    language: str = "board",
    size: str = "poker",
    brightness: int = 0,
    contrast: int = 0,
    **more: Any,  # noqa: ANN401
) -> tuple[Look, str]:
    """Return a look, and the size of cards."""
    return Look(theme, language, brightness, contrast, **more), size


def draw_cards(board: str | Path, *, look: tuple[Look, str] | None = None, **options: Any) -> Drawn:  # noqa: ANN401
    """Draw the cards of a game."""
    chosen, size = look or (Look(), "poker")
    return draw(board, look=chosen, card_size=size, **options)


def print_cards(board: str | Path, job: PrintJob | None = None, *, size: str = "poker", **options: Any) -> Printed:  # noqa: ANN401
    """Print a card game."""
    return print_board(board, job, card_size=size, **options)


def hex_formats() -> Sequence[Any]:
    """Return the formats of boards of hexagons."""
    found: Sequence[Any] = get_operations("hex").formats.list_all()[0]
    return found


def card_formats() -> Sequence[Any]:
    """Return the formats of card games."""
    found: Sequence[Any] = get_operations("cards").formats.list_all()[0]
    return found


def list_formats() -> tuple[list[Any], list[str]]:
    """Return the formats of railroad boards, and the errors of plug-ins that cannot be loaded."""
    found, wrong = get_operations(DEFAULT).formats.list_all()
    return list(found), list(wrong)
