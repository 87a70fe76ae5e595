"""Judging logs of matches."""

from mapkit.formats.game_logs import GivenLog
from mapkit.kinds.rail.api.loading import load
from mapkit.kinds.rail.network.playability import check_playable, hash_match_board
from mapkit.kinds.rail.refereeing.judging import judge
from mapkit.kinds.rail.refereeing.lenient import write_ids
from mapkit.kinds.rail.refereeing.log import Judgement, parse_head, parse_log, refuse_other_board


def judge_log(log: GivenLog) -> Judgement:
    """Find the first step of a match that breaks a rule, as `referee` does.

    Raises:
        SourceError: The text is not a log, with its line.
        MapkitError: As for `load`; or the match was played on another board, or on this one as it was before a change.
        BoardError: Nobody can play on the board.
    """
    head = parse_head(log.text, file=log.file, lenient=log.lenient)
    name, variants = log.choose_board(head.board, head.variants)
    on = load(name, variants=variants, workspace=log.workspace, progress=log.progress)
    head, events = parse_log(write_ids(log.text, on, file=log.file) if log.lenient else log.text, file=log.file)
    if head.board_hash or not log.lenient:
        refuse_other_board(head, hash_match_board(on), file=log.file, board=on.id)
    check_playable(on)
    log.progress("following the match")
    return judge(on, head, events, file=log.file, lenient=log.lenient)
