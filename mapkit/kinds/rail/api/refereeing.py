"""Judging logs of matches."""

from pathlib import Path
from typing import Annotated

from mapkit.core.progress import Progress, quiet
from mapkit.formats.files import read_text
from mapkit.kinds.rail.api.loading import load
from mapkit.kinds.rail.network.playability import check_playable, hash_match_board
from mapkit.kinds.rail.refereeing.judging import judge
from mapkit.kinds.rail.refereeing.log import Judgement, parse_log, refuse_other_board
from mapkit.operations.options import Argument, Flag, Variants, Workspace


def referee(
    log: Annotated[str | Path, Argument("", "FILE.jsonl", "The log of a match, a JSON line an event.")],
    *,
    board: Annotated[
        str | Path | None, Flag("-b", "BOARD", "What it was played on; by default what it names.", reading="name")
    ] = None,
    variants: Variants | None = None,
    workspace: Workspace = None,
    progress: Progress = quiet,
) -> Judgement:
    """Find the first step of a match that breaks a rule.

    The log may come from any engine; mapkit playtest replay --out shows the form. Exit code 1 if a step is illegal.

    Args:
        log: A file of JSON lines: a head (`mapkit schema match`), then events (`mapkit schema match-event`). The rules
            are those in the head, not those of the board.
        variants: As for `load`; by default those that the log names, if it names the board too.

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
    refuse_other_board(head, hash_match_board(on), file=str(log), board=on.id)
    check_playable(on)
    progress("following the match")
    return judge(on, head, events, file=str(log))
