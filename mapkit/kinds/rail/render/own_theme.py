"""The theme that a board is drawn in: its own, or another one with the sizes that the board asks for."""

from mapkit.drawing.theme.sizes import Sizes
from mapkit.drawing.theme.theme import THEMES, Theme
from mapkit.kinds.rail.model.board import Board


def theme_of(board: Board) -> Theme:
    """Return the theme that a board's author chose, with the author's sizes."""
    return dressed(None, board)


def dressed(theme: Theme | None, board: Board) -> Theme:
    """Return a theme with the board's own sizes where it leaves them as usual; None is the board's own theme.

    So a board keeps its layout in every shipped theme, and a theme's file has the last word.
    """
    theme = theme or THEMES[board.drawing.theme]
    usual, asked = Sizes(), board.drawing.sizes
    if asked == usual:
        return theme
    own = {
        name: getattr(asked, name)
        for name in Sizes.model_fields
        if getattr(theme.sizes, name) == getattr(usual, name) != getattr(asked, name)
    }
    return theme.model_copy(update={"sizes": theme.sizes.model_copy(update=own)})
