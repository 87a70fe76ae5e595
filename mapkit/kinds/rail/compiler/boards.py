"""Existing boards in the form of a compiled document, without making anything again."""

from typing import Any, ClassVar, Final, Self

from mapkit.document.draft import Draft, Index
from mapkit.evaluate import Evaluator
from mapkit.kinds.rail.compiler.assembling import BOARD_ID
from mapkit.kinds.rail.compiler.base_board import BASE, BaseBoard
from mapkit.kinds.rail.compiler.board_rows import document_of_board
from mapkit.kinds.rail.compiler.compile import Compiled, compile_document
from mapkit.kinds.rail.compiler.frame import FRAME, Frame
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.tables import RailDocument


class Start(Index):
    """A document without sources, compiled; a draft's commands find it as an index.

    Args:
        compiled: The document and its board.
    """

    tables: ClassVar[tuple[str, ...]] = ()

    def __init__(self, compiled: Compiled) -> None:
        self.compiled = compiled

    @classmethod
    def of(cls, draft: Draft[Any]) -> Self:
        """Return the board of a draft's document before it was changed."""
        return cls(compile_document(draft.base, board_id="board"))


_KEPT: Final = 4
_RECENT: dict[int, tuple[Board, Compiled]] = {}
"""Boards that variants were applied to last: they are tried one after the other."""


def compiled_board(board: Board) -> Compiled:
    """Return a board with its document."""
    found = _RECENT.pop(id(board), None)
    if found is None or found[0] is not board:
        found = (board, of_board(board, document_of_board(board)))
    _RECENT[id(board)] = found
    while len(_RECENT) > _KEPT:
        _RECENT.pop(next(iter(_RECENT)), None)
    return found[1]


def of_board(board: Board, document: RailDocument) -> Compiled:
    """Return a board as compiled from its document.

    Args:
        board: The board.
        document: Its document (`document_of_board`).
    """
    evaluator = Evaluator({BASE: BaseBoard(board, document), FRAME: Frame(board.projection, board.page)})
    return Compiled(board.id, document, board, (), evaluator, evaluator.reader(document, **{BOARD_ID: board.id}))
