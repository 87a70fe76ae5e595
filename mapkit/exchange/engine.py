"""Files for a game engine: the board with its schema, and its types for TypeScript and Python."""

from pathlib import Path

from mapkit.errors import SourceError
from mapkit.exchange.form import Exported, ExportOptions
from mapkit.exchange.parts import strangers, take_apart
from mapkit.exchange.schemas import board_schema
from mapkit.exchange.table_reading import board_of_tables
from mapkit.exchange.types_python import python_module
from mapkit.exchange.types_typescript import typescript
from mapkit.jsontext import json_text
from mapkit.model.board import Board
from mapkit.sources.board_file import read_board


class EngineFormat:
    """The board file itself, and what helps a program to read it."""

    name = "engine"
    title = "Engine files (JSON)"
    suffixes = (".json",)
    carries = "everything, with a JSON Schema, TypeScript declarations and Python dataclasses"
    loses = "nothing"

    def export(self, board: Board, options: ExportOptions) -> Exported:  # noqa: ARG002 - all exports take options
        """Return `board.json` and its companions."""
        schema = board_schema()
        return Exported(
            {
                "board.json": json_text(board),
                "board.schema.json": json_text(schema),
                "board.d.ts": typescript(schema),
                "board_types.py": python_module(schema),
            }
        )

    def read(self, path: Path) -> Board:
        """Return the board of a board file."""
        return board_in(path)

    def read_edited(self, path: Path, base: Board) -> Board:
        """Return the board of a board file that was edited; lines follow mileposts that were moved."""
        parts = take_apart(board_in(path))
        return board_of_tables(parts.tables, parts.rest, file=path.name, base=base)


def board_in(path: Path) -> Board:
    """Return the board of a `board.json`, whose elements name only what is there.

    Raises:
        WorkspaceError: As `read_board`.
        SourceError: An element names what is not there.
    """
    board = read_board(path)
    problems = strangers(board)
    if problems:
        raise SourceError([f"{path}: {problem}" for problem in problems])
    return board


FORMAT = EngineFormat()
