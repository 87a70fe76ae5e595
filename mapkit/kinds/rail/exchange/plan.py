"""Plan of the files of a board export."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from mapkit.exchange.plan import Exported, ExportPlan, Writes, plan_files
from mapkit.kinds.rail.exchange.format import ExportOptions, Format
from mapkit.kinds.rail.model.board import Board


def plan_export(board: Board, formats: Sequence[Format], options: ExportOptions) -> ExportPlan:
    """Plan the files of an export, as `plan_files` does.

    Raises:
        ExportError: A format cannot hold the board, or names a file outside its folder.
    """

    def writes(form: Format) -> Writes:
        def write(folder: Path | None) -> Exported:
            return form.export(board, replace(options, folder=folder))

        return write

    return plan_files(board.id, board.variants, [(form.name, writes(form)) for form in formats], options.folder)
