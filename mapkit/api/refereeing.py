"""Logs of games on boards of every kind, judged by the rules."""

from pathlib import Path
from typing import Annotated, Any, Final

from mapkit.core.errors import ChoiceError, SourceError
from mapkit.core.progress import Progress, quiet
from mapkit.document.workspace import open_workspace
from mapkit.formats.files import read_text
from mapkit.formats.game_logs import GivenLog
from mapkit.kinds.registry import DEFAULT, get_referee, kind_named, kind_of_file
from mapkit.operations.options import Argument, Flag, Variants, Workspace

_RAIL_MARK: Final = '"mapkit/match"'
"""Format in the head of a log of a game on a railroad board."""
_HEAD_CHARACTERS: Final = 200


def referee(
    log: Annotated[str | Path, Argument("", "FILE.jsonl", "The log of a game, a JSON line a step.")],
    *,
    board: Annotated[
        str | Path | None, Flag("-b", "BOARD", "What it was played on; by default what it names.", reading="name")
    ] = None,
    variants: Variants | None = None,
    lenient: bool = False,
    workspace: Workspace = None,
    progress: Progress = quiet,
) -> Any:  # noqa: ANN401 - a judgement of the kind
    """Find the first step of a game that breaks a rule.

    The log may come from any program; mapkit playtest replay --out shows the form. Exit code 1 if a step is illegal.

    Args:
        log: A file of JSON lines: a head with the setup, a line a step, and the end (`mapkit schema match` and `mapkit
            schema match-event` for railroad boards; `docs/how-to/hex.md` and `docs/how-to/cards.md` for others). The
            rules are those in the head, if it has them.
        variants: As for `load`; by default those that the log names, if it names the board too.
        lenient: Read a log of people or of another program: steps that follow from others may be left out, names may
            stand for ids and routes for segments (railroad boards).

    Raises:
        SourceError: The file is not a log, with its line.
        MapkitError: As for `load`; or the game was played on another board, or on this one as it was before a change.
        BoardError: The board cannot be played.
    """
    text = read_text(Path(log), name=str(log))
    named = None if board is None else kind_named({"board": str(board), "workspace": open_workspace(workspace).root})
    logged = kind_of_file(Path(log))
    if named not in (None, logged) and (logged != DEFAULT or _RAIL_MARK in text[:_HEAD_CHARACTERS]):
        raise SourceError(
            f"{log}:1: the game was played on a board of kind {logged!r}, but {board} is of kind {named!r}; give its "
            "board (--board)"
        )
    if lenient and (named or logged) != DEFAULT:
        raise ChoiceError(f"--lenient is for games on railroad boards, and {log} is of kind {named or logged!r}")
    return get_referee(named or logged)(GivenLog(text, str(log), board, variants, workspace, progress, lenient))


referee_cards = referee_hexes = referee
"""Former names, deprecated."""
