"""Reading a board file."""

from pathlib import Path

from pydantic import ValidationError

from mapkit.errors import WorkspaceError
from mapkit.model.board import Board
from mapkit.sources.files import read_text


def read_board(path: Path) -> Board:
    """Return the board of a `board.json`.

    Raises:
        WorkspaceError: It is missing, may not be read, or is no board file.
        SourceError: It is no UTF-8, or too large.
    """
    text = read_text(path, name=str(path))
    try:
        return Board.model_validate_json(text)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the file"
        raise WorkspaceError(
            f"{path}: no board file: {where}: {first['msg']} ({error.error_count()} problems); build it again"
        ) from error
