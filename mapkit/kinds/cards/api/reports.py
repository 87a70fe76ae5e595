"""Reports on card games."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from mapkit.core.errors import ChoiceError
from mapkit.core.progress import Progress, quiet
from mapkit.kinds.cards.analysis.by_play import report_of
from mapkit.kinds.cards.analysis.report import CardReport
from mapkit.kinds.cards.api.games import load_cards
from mapkit.kinds.cards.playing.match import known_players
from mapkit.kinds.cards.playing.study import CardTable
from mapkit.kinds.cards.playing.terms import terms_of

GAMES: Final = 200
MOST: Final = 100_000


def card_report(
    name: str,
    *,
    games: int = GAMES,
    policy: str = "greedy",
    seed: int = 1,
    variants: Sequence[str] = (),
    workspace: str | Path | None = None,
    progress: Progress = quiet,
) -> CardReport:
    """Report on a card game: railroads, holdings, rounds and investors, from the tables and by play.

    Args:
        name: As for `load_cards`.
        games: How many games are played for what the tables alone do not say.
        policy: The computer player of both seats: `random`, `greedy`, `planner`.
        seed: Of the random numbers.
        variants: As for `load_cards`.
        workspace: As for `load_cards`.
        progress: Called with how many games are played.

    Raises:
        BoardError: The game has errors, or cannot be played.
        ChoiceError: A number is out of range, or there is no such player.
        MapkitError: As for `load_cards`.
    """
    if not 1 <= games <= MOST:
        raise ChoiceError(f"{games} games; ask for 1 to {MOST:,}")
    if not 0 <= seed < 1 << 64:
        raise ChoiceError(f"the seed is {seed}; choose a number from 0 to 2**64 - 1")
    names = known_players((policy,))
    game = load_cards(name, variants=variants, workspace=workspace).board
    return report_of(CardTable(terms_of(game), names, seed), games, variants=variants, progress=progress)
