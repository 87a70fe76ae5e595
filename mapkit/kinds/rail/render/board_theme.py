"""Theme of a board: its own, or another one with the sizes that the board asks for."""

from mapkit.drawing.theme.sizes import Sizes
from mapkit.drawing.theme.theme import THEMES, Theme
from mapkit.kinds.rail.model.board import Board


def get_board_theme(board: Board) -> Theme:
    """Return the theme chosen by a board's author, with the author's sizes."""
    return apply_board_sizes(None, board)


def apply_board_sizes(theme: Theme | None, board: Board) -> Theme:
    """Apply the board's own sizes to a theme, except those that the theme changes; None is the board's own theme.

    So a board keeps its layout in every shipped theme, and a theme's file has the last word.
    """
    theme = theme or THEMES[board.drawing.theme]
    usual_sizes, board_sizes = Sizes(), board.drawing.sizes
    if board_sizes == usual_sizes:
        return theme
    changed_sizes = {
        size_name: getattr(board_sizes, size_name)
        for size_name in Sizes.model_fields
        if getattr(theme.sizes, size_name) == getattr(usual_sizes, size_name) != getattr(board_sizes, size_name)
    }
    return theme.model_copy(update={"sizes": theme.sizes.model_copy(update=changed_sizes)})
