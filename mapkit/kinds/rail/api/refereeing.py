"""Judging logs of matches."""

from collections.abc import Sequence
from pathlib import Path

from mapkit.core.progress import Progress, quiet
from mapkit.formats.files import read_text
from mapkit.kinds.rail.api.loading import load
from mapkit.kinds.rail.network.played_on import board_hash, refuse_unplayable
from mapkit.kinds.rail.refereeing.judging import judge
from mapkit.kinds.rail.refereeing.log import Judgement, parse_log, refuse_other_board


def referee(
    log: str | Path,
    *,
    board: str | Path | None = None,
    variants: Sequence[str] | None = None,
    workspace: str | Path | None = None,
    progress: Progress = quiet,
) -> Judgement:
    """Follow the log of a match, from any engine, and say which step is the first to break a rule.

    The rules are those in the head of the log, not those of the board.

    Args:
        log: A file of JSON lines: a head (`mapkit schema match`), then events (`mapkit schema match-event`).
        board: As the name of `load`; by default the board that the log names.
        variants: As for `load`; by default those that the log names, if it names the board too.
        workspace: As for `load`.
        progress: Called with what is being done.

    Raises:
        SourceError: The file is not a log, with its line.
        MapkitError: As for `load`; or the match was played on another board, or on this one as it was before a change.
        BoardError: Nobody can play on the board.
    """
    text = read_text(Path(log), name=str(log))
    head, events = parse_log(text, file=str(log))
    named = board is None
    chosen = variants if variants is not None else head.variants if named else ()
    on = load(head.board if board is None else board, variants=chosen, workspace=workspace, progress=progress)
    refuse_other_board(head, board_hash(on), file=str(log), board=on.id)
    refuse_unplayable(on)
    progress("following the match")
    return judge(on, head, events, file=str(log))
