"""Charts that variants import: read from files beside them, with the board's names."""

import math
from dataclasses import replace
from pathlib import Path

from mapkit.core.errors import MapkitError, VariantError
from mapkit.document.command import Command
from mapkit.kinds.rail.commands.board.charts import ImportPayoffs
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.sources.board_cities import of_board
from mapkit.kinds.rail.sources.payoffs.files import read_payoff_file
from mapkit.variants.applying import PlacedVariant


def with_charts(placed: PlacedVariant, board: Board) -> PlacedVariant:
    """Return a variant whose `import-payoffs` hold the amounts of their files.

    Args:
        placed: The variant as read.
        board: Whose cities the charts name.

    Raises:
        VariantError: A chart does not lie in the variant's folder or below, or cannot be used.
    """
    if not any(isinstance(op, ImportPayoffs) and op.file and not op.cities for op in placed.variant.operations):
        return placed
    folder = placed.folder or Path()
    operations: list[Command] = [
        _filled(op, f"{placed.where(n)}: operation {n + 1} ({op.op})", folder, board)
        if isinstance(op, ImportPayoffs) and op.file and not op.cities
        else op
        for n, op in enumerate(placed.variant.operations)
    ]
    return replace(placed, variant=placed.variant.model_copy(update={"operations": tuple(operations)}))


def _filled(op: ImportPayoffs, where: str, folder: Path, board: Board) -> ImportPayoffs:
    name = op.file or ""
    path = folder / name
    if not path.resolve().is_relative_to(folder.resolve()):
        raise VariantError(f"{where}: {name!r} lies outside {folder}; put the chart beside the variant")
    known = of_board(board)
    try:
        read = read_payoff_file(path, file=name, board=known.title, cities=known.cities, payoff_unit=known.payoff_unit)
    except MapkitError as error:
        raise VariantError(f"{where}: {error}") from error
    matrix = read.chart.matrix
    cells = tuple(tuple(None if math.isnan(value) else float(value) for value in row) for row in matrix.tolist())
    return op.model_copy(update={"cities": read.chart.cities, "thousands": cells})
