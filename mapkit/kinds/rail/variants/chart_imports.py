"""Completion of variant operations from files and boards: imported charts and payoff models."""

import math
from dataclasses import replace
from pathlib import Path
from typing import TypeGuard

from mapkit.core.errors import MapkitError, VariantError
from mapkit.document.command import Command
from mapkit.kinds.rail.commands.payoffs import ImportPayoffs, RecomputePayoffs
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.model.payoffs.model import PayoffModel
from mapkit.kinds.rail.sources.board_cities import cities_of_board
from mapkit.kinds.rail.sources.payoffs.files import read_payoff_file
from mapkit.variants.applying import PlacedVariant


def fill_in_charts(placed: PlacedVariant, board: Board, model: PayoffModel | None = None) -> PlacedVariant:
    """Return a variant with amounts of imported charts and the board's payoff model filled in.

    Args:
        placed: The variant as read.
        board: Whose cities the charts name.
        model: What the board's own chart is computed by, `[payoffs]` of its sources; None where that is not known.

    Raises:
        VariantError: A chart is not in the variant's folder or below, or cannot be used.
    """
    folder = placed.folder or Path()
    operations: list[Command] = []
    for number, operation in enumerate(placed.variant.operations):
        if _is_file_import(operation):
            where = f"{placed.where(number)}: operation {number + 1} ({operation.kind})"
            file_name = operation.file or ""
            path = folder / file_name
            if not path.resolve().is_relative_to(folder.resolve()):
                raise VariantError(f"{where}: {file_name!r} lies outside {folder}; put the chart beside the variant")
            board_names = cities_of_board(board)
            try:
                payoffs_read = read_payoff_file(
                    path,
                    file=file_name,
                    board=board_names.title,
                    cities=board_names.cities,
                    payoff_unit=board_names.payoff_unit,
                )
            except MapkitError as error:
                raise VariantError(f"{where}: {error}") from error
            matrix = payoffs_read.chart.matrix
            amount_rows = tuple(
                tuple(None if math.isnan(value) else float(value) for value in row) for row in matrix.tolist()
            )
            operations.append(
                operation.model_copy(update={"cities": payoffs_read.chart.cities, "thousands": amount_rows})
            )
        elif isinstance(operation, RecomputePayoffs) and operation.model is None and model is not None:
            operations.append(operation.model_copy(update={"model": model}))
        else:
            operations.append(operation)
    if all(a is b for a, b in zip(operations, placed.variant.operations, strict=True)):
        return placed
    return replace(placed, variant=placed.variant.model_copy(update={"operations": tuple(operations)}))


def chart_files(placed: PlacedVariant) -> tuple[Path, ...]:
    """Return the chart files that `with_charts` reads."""
    folder = placed.folder or Path()
    return tuple(folder / (op.file or "") for op in placed.variant.operations if _is_file_import(op))


def _is_file_import(op: Command) -> TypeGuard[ImportPayoffs]:
    return isinstance(op, ImportPayoffs) and bool(op.file) and not op.cities
