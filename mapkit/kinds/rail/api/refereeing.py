"""Judging logs of matches."""

from collections.abc import Sequence
from pathlib import Path

from mapkit.core.progress import Progress
from mapkit.kinds.rail.api.loading import load
from mapkit.kinds.rail.network.playability import check_playable, hash_match_board
from mapkit.kinds.rail.refereeing.judging import judge
from mapkit.kinds.rail.refereeing.lenient import write_ids
from mapkit.kinds.rail.refereeing.log import Judgement, parse_head, parse_log, refuse_other_board


def judge_log(
    text: str,
    file: str,
    board: str | Path | None,
    variants: Sequence[str] | None,
    workspace: str | Path | None,
    progress: Progress,
    lenient: bool = False,  # noqa: FBT001 - as the referees of all kinds are called
) -> Judgement:
    """Find the first step of a match that breaks a rule, as `referee` does.

    Raises:
        SourceError: The text is not a log, with its line.
        MapkitError: As for `load`; or the match was played on another board, or on this one as it was before a change.
        BoardError: Nobody can play on the board.
    """
    head = parse_head(text, file=file, lenient=lenient)
    named = board is None
    chosen = variants if variants is not None else head.variants if named else ()
    on = load(head.board if board is None else board, variants=chosen, workspace=workspace, progress=progress)
    head, events = parse_log(write_ids(text, on, file=file) if lenient else text, file=file)
    if head.board_hash or not lenient:
        refuse_other_board(head, hash_match_board(on), file=file, board=on.id)
    check_playable(on)
    progress("following the match")
    return judge(on, head, events, file=file, lenient=lenient)
