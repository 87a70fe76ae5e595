"""Reader of a board file."""

from pathlib import Path

from pydantic import ValidationError

from mapkit.core.errors import WorkspaceError
from mapkit.core.invalid import invalid_value_message
from mapkit.core.plurals import count_noun
from mapkit.formats.files import read_text
from mapkit.formats.json_reading import parse_json
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.model.versions import UNKNOWN_VERSION
from mapkit.kinds.rail.sources.board_validation import validate_board


def read_board(path: Path) -> Board:
    """Return the board of a `board.json`.

    Raises:
        WorkspaceError: The file is missing or unreadable, or is not a board file of a known version.
        SourceError: The file is not UTF-8, is too large, or is semantically invalid.
    """
    text = read_text(path, name=path.name)
    try:
        board = Board.model_validate_json(text)
    except ValidationError as error:
        first_error = error.errors()[0]
        if first_error["type"] == UNKNOWN_VERSION:
            raise WorkspaceError(f"{path.name}: {first_error['msg']}") from error
        data = parse_json(text, file=path.name)  # of a text that is not JSON it raises an error with the row
        kind = data.get("kind") if isinstance(data, dict) else None
        if isinstance(kind, str) and kind != "rail":
            raise WorkspaceError(
                f"{path.name}: is a board of kind {kind}, which is read from its folder; name that, or make one with "
                f"mapkit import {path.name} --into NAME"
            ) from error
        problem = invalid_value_message(
            first_error, where="" if first_error["loc"] else "it", otherwise="build it again"
        )
        other_count = error.error_count() - 1
        others_text = f" (and {count_noun(other_count, 'more problem')})" if other_count else ""
        raise WorkspaceError(f"{path.name}: not a board file: {problem}{others_text}") from error
    validate_board(board, path.name)
    return board
