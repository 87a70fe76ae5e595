"""Judgement of the log of a match."""

from collections.abc import Sequence

from mapkit.formats.rulings import Ruling
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.model.match import MatchEvent, MatchHead
from mapkit.kinds.rail.refereeing.lenient import LenientScript
from mapkit.kinds.rail.refereeing.log import EndedError, IllegalError, Judgement, Script
from mapkit.kinds.rail.refereeing.position import Position
from mapkit.kinds.rail.refereeing.turns import Referee


def judge(
    board: Board, head: MatchHead, events: Sequence[MatchEvent], *, file: str, lenient: bool = False
) -> Judgement:
    """Follow a match and return the referee's judgement.

    Args:
        board: What it was played on.
        head: The first line of its log, with the rules.
        events: The other lines.
        file: What the log is called.
        lenient: Whether steps that follow from others may be left out.
    """
    position = Position(board, head.rules, len(head.players))
    referee = Referee(position, (LenientScript if lenient else Script)(events, position))
    broken_rule: Ruling | None = None
    try:
        referee.follow()
    except IllegalError as error:
        broken_rule = error.ruling
    except EndedError:
        pass  # a match that is not over
    return Judgement(
        file=file,
        board=board.id,
        players=head.players,
        events=len(events),
        turns=referee.turns,
        winner=None if broken_rule else referee.winner,
        broken=broken_rule,
    )
