"""Differences between two moments of a board, by meaning."""

from mapkit.core.base import Frozen
from mapkit.kinds.protocol import QueryResult
from mapkit.kinds.rail.model.difference import BoardDiff
from mapkit.kinds.rail.queries.moments import Moment, board_at
from mapkit.kinds.rail.queries.question import Asked, question
from mapkit.kinds.rail.variants.board_diff import diff_boards


class DiffAsked(Frozen):
    """Two moments; without `after` the board as it is now."""

    before: Moment = "saved"
    after: Moment | None = None


class DifferenceFound(BoardDiff, QueryResult):
    """The difference of two boards as `mapkit variant diff` has it, and its story."""


@question("diff", DiffAsked, DifferenceFound)
def diff(ask: DiffAsked, asked: Asked) -> DifferenceFound:
    """Return the difference of two boards."""
    old = board_at(asked, ask.before)
    new = asked.live.board if ask.after is None else board_at(asked, ask.after)
    return DifferenceFound.model_construct(**dict(diff_boards(old, new)))
