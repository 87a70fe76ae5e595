"""Judging logs of games on boards of hexagons."""

from pathlib import Path
from typing import Annotated

from mapkit.core.errors import MapkitError
from mapkit.formats.files import read_text
from mapkit.formats.game_logs import read_log
from mapkit.kinds.hex.operations import load_hexes
from mapkit.kinds.hex.refereeing.judging import HexJudgement, judge
from mapkit.kinds.hex.refereeing.reading import HexLogHead, refuse_strangers
from mapkit.operations.options import Argument, Flag, Variants, Workspace


def referee_hexes(
    log: Annotated[str | Path, Argument("", "FILE.jsonl", "The log of a game, a JSON line a step.")],
    *,
    board: Annotated[str | None, Flag("-b", "BOARD", "The board; by default the one that the log names.")] = None,
    variants: Variants | None = None,
    workspace: Workspace = None,
) -> HexJudgement:
    """Follow the log of a game on a board of hexagons and say which step is the first to break a rule.

    The log may come from any program; mapkit playtest replay --out shows the form. Exit code 1 if a step is illegal.

    Args:
        log: A file of JSON lines: a head with the setup, a line a step, and the end; `docs/how-to/hex.md` describes
            it. The rules are those in its head, if it has them.
        board: As the name of `load_hexes`; by default the board that the log names.
        variants: As for `load_hexes`; by default those that the log names, if it names the board too.
        workspace: As for `load_hexes`.

    Raises:
        SourceError: The file is not a log, with its line.
        MapkitError: As for `load_hexes`; or another board was played.
    """
    head, lines = read_log(read_text(Path(log), name=str(log)), HexLogHead, file=str(log))
    chosen = variants if variants is not None else head.variants if board is None else ()
    loaded = load_hexes(head.board if board is None else board, variants=chosen, workspace=workspace).board
    if loaded.id != head.board:
        raise MapkitError(f"{log}: it is of the board {head.board!r}, and this is {loaded.id!r}")
    if head.rules is not None:
        loaded = loaded.model_copy(update={"rules": head.rules})
    refuse_strangers(loaded, head, lines, file=str(log))
    return judge(loaded, head, lines, file=str(log))
