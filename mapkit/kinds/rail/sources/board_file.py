"""Reading a board file."""

from pathlib import Path

from pydantic import ValidationError

from mapkit.core.errors import WorkspaceError
from mapkit.core.invalid import invalid
from mapkit.core.plurals import counted
from mapkit.formats.files import read_text
from mapkit.formats.json_reading import parse_json
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.model.versions import UNKNOWN_VERSION
from mapkit.kinds.rail.sources.board_validation import validate_board


def read_board(path: Path) -> Board:
    """Return the board of a `board.json`.

    Raises:
        WorkspaceError: It is missing, may not be read, or is not a board file of a version that is known.
        SourceError: It is not a UTF-8, too large, or holds what no board can be used with.
    """
    text = read_text(path, name=path.name)
    try:
        board = Board.model_validate_json(text)
    except ValidationError as error:
        first = error.errors()[0]
        if first["type"] == UNKNOWN_VERSION:
            raise WorkspaceError(f"{path.name}: {first['msg']}") from error
        if first["type"] == "json_invalid":
            parse_json(text, file=path.name)  # which says in which row
        what = invalid(first, where="" if first["loc"] else "it", otherwise="build it again")
        more = error.error_count() - 1
        others = f" (and {counted(more, 'more problem')})" if more else ""
        raise WorkspaceError(f"{path.name}: not a board file: {what}{others}") from error
    validate_board(board, path.name)
    return board
