"""Files for a game engine: the board with its schema, and its types for TypeScript and Python."""

from pathlib import Path
from typing import Any

from mapkit.core.errors import SourceError
from mapkit.core.jsontext import json_text, to_plain
from mapkit.exchange.plan import ExportedBoard
from mapkit.exchange.typescript import typescript_declarations
from mapkit.kinds.rail.exchange.board_parts import board_to_parts, list_reference_problems
from mapkit.kinds.rail.exchange.engine.python_types import python_module
from mapkit.kinds.rail.exchange.engine.schemas import board_schema
from mapkit.kinds.rail.exchange.format import ExportOptions
from mapkit.kinds.rail.exchange.table_reading import board_from_tables
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.model.drawing import DrawingSettings
from mapkit.kinds.rail.model.versions import INFORMATION, downgrade_board_data
from mapkit.kinds.rail.render.drawn_elements import with_drawn
from mapkit.kinds.rail.rules.rules import preset
from mapkit.kinds.rail.sources.board_file import read_board
from mapkit.kinds.rail.sources.board_validation import refuse_moved_points


class EngineFormat:
    """Board file with its schema and types for programs that read it."""

    name = "engine"
    title = "Engine files (JSON)"
    suffixes = (".json",)
    carries = "everything, with a JSON Schema, TypeScript declarations and Python dataclasses"
    loses = "nothing"

    def export(self, board: Board, options: ExportOptions) -> ExportedBoard:
        """Return `board.json` of the requested version with its schema and types."""
        schema = board_schema(options.board_version)
        is_version_1 = options.board_version == 1
        files = {
            "board.json": json_text(_board_to_version_1(board) if is_version_1 else with_drawn(board)),
            "board.schema.json": json_text(schema),
            "board.d.ts": typescript_declarations(schema),
            "board_types.py": python_module(schema),
        }
        return ExportedBoard(files, list_version_1_losses(board) if is_version_1 else ())

    def read(self, path: Path) -> Board:
        """Return the board of a board file."""
        board = read_checked_board(path)
        refuse_moved_points(board, path.name)
        return board

    def read_edited(self, path: Path, base: Board) -> Board:
        """Return the board of an edited board file; lines follow mileposts that were moved."""
        edited_parts = board_to_parts(read_checked_board(path))
        return board_from_tables(edited_parts.tables, edited_parts.rest, file=path.name, base=base)


def _board_to_version_1(board: Board) -> dict[str, Any]:
    plain_board = to_plain(board)
    if not isinstance(plain_board, dict):
        raise TypeError("a board is an object")
    return downgrade_board_data(plain_board)


def list_version_1_losses(board: Board) -> tuple[str, ...]:
    """Return a phrase for each part of a board that version 1 of the board file cannot hold."""
    lost_parts = ["where elements are drawn"]
    rules, preset_rules = board.rules, preset(board.rules.preset)
    if rules.house.words:
        lost_parts.append("house rules")
    if rules.auction.seller_ride == "own-fee" and rules.fees.own not in (0, rules.fees.bank):
        lost_parts.append("the fee for the seller's ride on an auctioned railroad")
    if any(
        getattr(rules.information, field_name) != getattr(preset_rules.information, field_name)
        for field_name in INFORMATION
    ):
        lost_parts.append("what players say about homes and cash")
    if board.drawing != DrawingSettings() or board.layers is not None or board.page.extent is not None:
        lost_parts.append("the author's theme, sizes, extent and layers")
    if board.extensions:
        lost_parts.append(f"extensions: {', '.join(board.extensions)}")
    return tuple(lost_parts)


def read_checked_board(path: Path) -> Board:
    """Return the board of a `board.json` after checking its references.

    Raises:
        WorkspaceError: As `read_board`.
        SourceError: An element refers to a missing element.
    """
    board = read_board(path)
    problems = list_reference_problems(board)
    if problems:
        raise SourceError([f"{path}: {problem}" for problem in problems])
    return board


FORMAT = EngineFormat()
