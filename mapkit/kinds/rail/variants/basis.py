"""Cache basis of a board with its variants: all inputs that its results depend on."""

from collections.abc import Sequence
from pathlib import Path

from mapkit.core.kept import Basis
from mapkit.document.workspace import Workspace
from mapkit.kinds.rail.variants import late
from mapkit.variants.applying import PlacedVariant


def basis_of(space: Workspace, name: str | Path, variants: Sequence[str] = ()) -> Basis | None:
    """Return the basis of a board; None for a board file with possible files beside it.

    Args:
        space: Where boards and variants are looked for.
        name: A board, or the folder of a source package.
        variants: Names of variants, or paths of their files.

    Raises:
        UnknownNameError: There is no such board or variant; likewise WorkspaceError and VariantError.
    """
    placed_variants = late.rail_shelf(space).order(variants) if variants else ()
    return (
        None if space.is_board_file(str(name)) else basis_with(space.board_folder(str(name)), variants, placed_variants)
    )


def basis_with(folder: Path, variants: Sequence[str], found: Sequence[PlacedVariant]) -> Basis:
    """Return the basis of a source package's board, with variants as requested and as found."""
    chart_paths = tuple(file for placed in found for file in late.chart_files(placed))
    variant_keys = (text for placed in found for text in (placed.file, str(placed.folder), placed.sha256))
    return Basis((folder, *chart_paths), (*variants, *variant_keys))
