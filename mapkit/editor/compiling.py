"""A document as the Source and Board that `mapkit build` would make of it."""

import tempfile
from pathlib import Path

from mapkit.compile import compile_board
from mapkit.editor.document import Document
from mapkit.editor.saving import all_files
from mapkit.model.board import Board
from mapkit.model.source import Source
from mapkit.output import write_files
from mapkit.sources.package import load_source


def source_of(document: Document, board: str) -> Source:
    """Return a document as `mapkit` reads it from files.

    Args:
        document: The document.
        board: The board's id.

    Raises:
        SourceError: Something in it is wrong, with file and row as `save` would write them.
        WorkspaceError: Something that a board needs is missing.
    """
    with tempfile.TemporaryDirectory(prefix="mapkit-") as folder:
        where = Path(folder) / board
        write_files(where, all_files(document))
        return load_source(where)


def board_of(document: Document, board: str) -> Board:
    """Return the board that a document gives.

    Raises:
        SourceError: As for `source_of`, or lines, projection or page do not fit together.
        WorkspaceError: As for `source_of`.
    """
    return compile_board(source_of(document, board))
