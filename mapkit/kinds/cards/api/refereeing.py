"""Judging logs of card games."""

from collections.abc import Sequence
from pathlib import Path

from mapkit.core.errors import MapkitError
from mapkit.formats.files import read_text
from mapkit.kinds.cards.api.games import load_cards
from mapkit.kinds.cards.playing.terms import terms_of
from mapkit.kinds.cards.refereeing.judging import CardJudgement, judge
from mapkit.kinds.cards.refereeing.reading import read_log, refuse_strangers


def referee_cards(
    log: str | Path,
    *,
    board: str | None = None,
    variants: Sequence[str] | None = None,
    workspace: str | Path | None = None,
) -> CardJudgement:
    """Follow the log of a card game, from any program, and say which step is the first to break a rule.

    The rules are those in the head of the log, if it has them.

    Args:
        log: A file of JSON lines: a head, a line a step, and the end; `docs/how-to/cards.md` describes it.
        board: As the name of `load_cards`; by default the game that the log names.
        variants: As for `load_cards`; by default those that the log names, if it names the game too.
        workspace: As for `load_cards`.

    Raises:
        SourceError: The file is not a log, with its line.
        MapkitError: As for `load_cards`; or another game was played.
    """
    head, lines = read_log(read_text(Path(log), name=str(log)), file=str(log))
    chosen = variants if variants is not None else head.variants if board is None else ()
    game = load_cards(head.game if board is None else board, variants=chosen, workspace=workspace).board
    if game.id != head.game:
        raise MapkitError(f"{log}: it is of the game {head.game!r}, and this is {game.id!r}")
    if head.rules is not None:
        game = game.model_copy(update={"rules": head.rules})
    refuse_strangers(game, lines, file=str(log))
    return judge(terms_of(game), lines, file=str(log))
