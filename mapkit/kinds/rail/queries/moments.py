"""Earlier moments of a board: as saved, or at a step of its history."""

from typing import Annotated, Literal

from pydantic import Field

from mapkit.kinds.queries import QueryError
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.queries.question import Asked

Moment = Literal["saved"] | Annotated[int, Field(ge=0)]
"""The files as they were saved last, or the number of a step (a checkpoint's, for example); 0 is the start."""


def board_at(asked: Asked, moment: Moment) -> Board:
    """Return the board of a moment, in the frame of the session.

    Raises:
        QueryError: The board has no history.
        CommandError: There is no such step.
    """
    if asked.document_at is None:
        raise QueryError("this board has no history to compare with; open it as a session")
    document = asked.document_at(moment)
    if document is asked.document:
        return asked.live.board
    return asked.live.recompile(document).board
