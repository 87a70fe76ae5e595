"""Judging logs of games on boards of hexagons."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mapkit.core.errors import MapkitError
from mapkit.core.progress import Progress
from mapkit.formats.game_logs import read_log
from mapkit.kinds.hex.model.board import HexBoard
from mapkit.kinds.hex.operations import load_hexes
from mapkit.kinds.hex.refereeing.judging import HexJudgement, judge
from mapkit.kinds.hex.refereeing.reading import HexLogHead, refuse_strangers


def read_game(
    text: str,
    file: str,
    board: str | Path | None,
    variants: Sequence[str] | None,
    workspace: str | Path | None,
    progress: Progress,
) -> tuple[HexBoard, HexLogHead, list[dict[str, Any]]]:
    """Return the board of a log with the rules that were played, its head and its other lines.

    Raises:
        SourceError: The text is not a log, with its line.
        MapkitError: As for `load_hexes`; or another board was played.
    """
    head, lines = read_log(text, HexLogHead, file=file)
    chosen = variants if variants is not None else head.variants if board is None else ()
    name = head.board if board is None else board
    loaded = load_hexes(name, variants=chosen, workspace=workspace, progress=progress).board
    if loaded.id != head.board:
        raise MapkitError(f"{file}: it is of the board {head.board!r}, and this is {loaded.id!r}")
    if head.rules is not None:
        loaded = loaded.model_copy(update={"rules": head.rules})
    refuse_strangers(loaded, head, lines, file=file)
    return loaded, head, lines


def judge_log(
    text: str,
    file: str,
    board: str | Path | None,
    variants: Sequence[str] | None,
    workspace: str | Path | None,
    progress: Progress,
) -> HexJudgement:
    """Find the first step of a game that breaks a rule, as `referee` does.

    Raises:
        SourceError: The text is not a log, with its line.
        MapkitError: As for `read_game`.
    """
    played, head, lines = read_game(text, file, board, variants, workspace, progress)
    return judge(played, head, lines, file=file)
