"""Judging logs of card games."""

from typing import Any

from mapkit.core.errors import MapkitError
from mapkit.formats.game_logs import GivenLog, read_log
from mapkit.kinds.cards.game import CardGame
from mapkit.kinds.cards.operations import load_cards
from mapkit.kinds.cards.playing.terms import compile_terms
from mapkit.kinds.cards.refereeing.judging import CardJudgement, judge
from mapkit.kinds.cards.refereeing.reading import CardLogHead, refuse_strangers


def read_game(log: GivenLog) -> tuple[CardGame, CardLogHead, list[dict[str, Any]]]:
    """Return the game of a log with the rules that were played, its head and its other lines.

    Raises:
        SourceError: The text is not a log, with its line.
        MapkitError: As for `load_cards`; or another game was played.
    """
    head, lines = read_log(log.text, CardLogHead, file=log.file)
    name, variants = log.choose_board(head.game, head.variants)
    game = load_cards(name, variants=variants, workspace=log.workspace, progress=log.progress).board
    if game.id != head.game:
        raise MapkitError(f"{log.file}: it is of the game {head.game!r}, and this is {game.id!r}")
    if head.rules is not None:
        game = game.model_copy(update={"rules": head.rules})
    refuse_strangers(game, lines, file=log.file)
    return game, head, lines


def judge_log(log: GivenLog) -> CardJudgement:
    """Find the first step of a game that breaks a rule, as `referee` does.

    Raises:
        SourceError: The text is not a log, with its line.
        MapkitError: As for `read_game`.
    """
    game, _, lines = read_game(log)
    return judge(compile_terms(game), lines, file=log.file)
