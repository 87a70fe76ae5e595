"""Railroad boards that a line names, two to compare."""

from pathlib import Path

from mapkit.document.workspace import open_workspace
from mapkit.kinds.rail.api.loading import load
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.variants.variant import rail_shelf
from mapkit.variants.shelf import named_boards


def two_boards(a: str, b: str, workspace: str | Path | None) -> tuple[Board, Board]:
    """Return two boards; a variant of rules alone is applied to the board of the other.

    Raises:
        UnknownNameError: There is no board or variant of that name.
        VariantError: The variants do not fit.
    """
    named = named_boards(rail_shelf(open_workspace(workspace)), a, b)
    one, other = (load(name, variants=variants, workspace=workspace) for name, variants in named)
    return one, other
