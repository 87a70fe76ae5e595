"""What a board is made of, with its variants: what must not have changed if what was kept of it is to be taken."""

from collections.abc import Sequence
from pathlib import Path

from mapkit.core.kept import Basis
from mapkit.document.workspace import Workspace
from mapkit.kinds.rail.variants import late
from mapkit.variants.applying import PlacedVariant


def basis_of(space: Workspace, name: str | Path, variants: Sequence[str] = ()) -> Basis | None:
    """Return what a board is made of; None for a file of a board, which may have others beside it.

    Args:
        space: Where boards and variants are looked for.
        name: A board, or the folder of a source package.
        variants: Names of variants, or paths of their files.

    Raises:
        UnknownNameError: There is no such board or variant; likewise WorkspaceError and VariantError.
    """
    found = late.rail_shelf(space).order(variants) if variants else ()
    return None if space.is_board_file(str(name)) else basis_with(space.board_folder(str(name)), variants, found)


def basis_with(folder: Path, variants: Sequence[str], found: Sequence[PlacedVariant]) -> Basis:
    """Return what the board of a source package is made of, with variants as asked for and as found."""
    charts = tuple(file for placed in found for file in late.chart_files(placed))
    texts = (text for placed in found for text in (placed.file, str(placed.folder), placed.sha256))
    return Basis((folder, *charts), (*variants, *texts))
