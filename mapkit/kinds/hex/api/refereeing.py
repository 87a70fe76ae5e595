"""Judging logs of games on boards of hexagons."""

from typing import Any

from mapkit.core.errors import MapkitError
from mapkit.formats.game_logs import GivenLog, read_log
from mapkit.kinds.hex.model.board import HexBoard
from mapkit.kinds.hex.operations import load_hexes
from mapkit.kinds.hex.refereeing.judging import HexJudgement, judge
from mapkit.kinds.hex.refereeing.reading import HexLogHead, refuse_strangers


def read_game(log: GivenLog) -> tuple[HexBoard, HexLogHead, list[dict[str, Any]]]:
    """Return the board of a log with the rules that were played, its head and its other lines.

    Raises:
        SourceError: The text is not a log, with its line.
        MapkitError: As for `load_hexes`; or another board was played.
    """
    head, lines = read_log(log.text, HexLogHead, file=log.file)
    name, variants = log.choose_board(head.board, head.variants)
    loaded = load_hexes(name, variants=variants, workspace=log.workspace, progress=log.progress).board
    if loaded.id != head.board:
        raise MapkitError(f"{log.file}: it is of the board {head.board!r}, and this is {loaded.id!r}")
    if head.rules is not None:
        loaded = loaded.model_copy(update={"rules": head.rules})
    refuse_strangers(loaded, head, lines, file=log.file)
    return loaded, head, lines


def judge_log(log: GivenLog) -> HexJudgement:
    """Find the first step of a game that breaks a rule, as `referee` does.

    Raises:
        SourceError: The text is not a log, with its line.
        MapkitError: As for `read_game`.
    """
    played, head, lines = read_game(log)
    return judge(played, head, lines, file=log.file)
