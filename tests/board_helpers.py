"""Short ways to boards: of a folder, with one variant, and as the files of an export."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from mapkit.core.errors import SourceError
from mapkit.core.problems import problem_lines
from mapkit.exchange.plan import ExportPlan, plan_files
from mapkit.kinds.rail.exchange.format import ExportOptions, Format
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.reading.files import read_folder
from mapkit.kinds.rail.reading.package import read_package
from mapkit.kinds.rail.tables import RailDocument
from mapkit.kinds.rail.variants.apply import apply_variants
from mapkit.variants.applying import PlacedVariant
from mapkit.variants.variant import Variant


def open_folder(folder: Path) -> RailDocument:
    """Return the document of the source package in a folder; raise an error with all its problems."""
    reading = read_package(read_folder(folder))
    if reading.problems:
        raise SourceError(problem_lines(reading.problems))
    return reading.document


def apply_variant(board: Board, variant: Variant) -> Board:
    """Return the board with one variant applied; its bases must be applied already."""
    return apply_variants(board, [PlacedVariant(variant)])


def plan_export(board: Board, formats: Sequence[Format], options: ExportOptions) -> ExportPlan:
    """Return the files of an export of a board, as the operation `export` plans them."""
    return plan_files(board.id, board.variants, [(form.name, partial(form.export, board, options)) for form in formats])
