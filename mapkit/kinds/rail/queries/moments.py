"""Earlier moments of a board: as saved, or at a step of its history."""

from typing import Annotated, Literal

from pydantic import Field

from mapkit.kinds.queries import QueryError
from mapkit.kinds.rail.compiler.compile import Compiled
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.queries.question import Asked
from mapkit.kinds.rail.tables import RailDocument

Moment = Literal["saved"] | Annotated[int, Field(ge=0)]
"""The files as they were saved last, or the number of a step (a checkpoint's, for example); 0 is the start."""


def document_at(asked: Asked, moment: Literal["now"] | Moment) -> RailDocument:
    """Return the document of a moment.

    Raises:
        QueryError: The board has no history.
        CommandError: There is no such step.
    """
    if moment == "now":
        return asked.document
    if asked.document_at is None:
        raise QueryError("this board has no history to compare with; open it as a session")
    return asked.document_at(moment)


def live_at(asked: Asked, moment: Literal["now"] | Moment) -> Compiled:
    """Return the live board of a moment, in the frame of the session; errors as for `document_at`."""
    document = document_at(asked, moment)
    return asked.live if document is asked.document else asked.live.recompile(document)


def board_at(asked: Asked, moment: Literal["now"] | Moment) -> Board:
    """Return the board of a moment, in the frame of the session; errors as for `document_at`."""
    return live_at(asked, moment).board
