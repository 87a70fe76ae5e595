"""What operations leave to the board or to files: imported charts, with the board's names, and its payoff model."""

import math
from dataclasses import replace
from pathlib import Path
from typing import TypeGuard

from mapkit.core.errors import MapkitError, VariantError
from mapkit.document.command import Command
from mapkit.kinds.rail.commands.payoffs import ImportPayoffs, RecomputePayoffs
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.model.payoffs.model import PayoffModel
from mapkit.kinds.rail.sources.board_cities import of_board
from mapkit.kinds.rail.sources.payoffs.files import read_payoff_file
from mapkit.variants.applying import PlacedVariant


def with_charts(placed: PlacedVariant, board: Board, model: PayoffModel | None = None) -> PlacedVariant:
    """Return a variant whose `import-payoffs` hold the amounts of their files, and `recompute-payoffs` the model.

    Args:
        placed: The variant as read.
        board: Whose cities the charts name.
        model: What the board's own chart is computed by, `[payoffs]` of its sources; None where that is not known.

    Raises:
        VariantError: A chart is not in the variant's folder or below, or cannot be used.
    """
    folder = placed.folder or Path()
    operations: list[Command] = []
    for n, op in enumerate(placed.variant.operations):
        if _is_file(op):
            operations.append(_filled(op, f"{placed.where(n)}: operation {n + 1} ({op.kind})", folder, board))
        elif isinstance(op, RecomputePayoffs) and op.model is None and model is not None:
            operations.append(op.model_copy(update={"model": model}))
        else:
            operations.append(op)
    if all(a is b for a, b in zip(operations, placed.variant.operations, strict=True)):
        return placed
    return replace(placed, variant=placed.variant.model_copy(update={"operations": tuple(operations)}))


def chart_files(placed: PlacedVariant) -> tuple[Path, ...]:
    """Return the files of charts that `with_charts` reads."""
    folder = placed.folder or Path()
    return tuple(folder / (op.file or "") for op in placed.variant.operations if _is_file(op))


def _is_file(op: Command) -> TypeGuard[ImportPayoffs]:
    return isinstance(op, ImportPayoffs) and bool(op.file) and not op.cities


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
