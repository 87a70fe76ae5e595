"""Former names of operations of play, one for each kind of board; deprecated."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mapkit.api.playtesting import ladder, playtest, playtest_compare, replay
from mapkit.kinds.registry import get_game
from mapkit.playing.game import GameRun, Laddered, PlayCompared, PlayTested, ReplayFiles
from mapkit.playing.panels import PairComparison

CardPlayTested = HexPlayTested = PlayTested
CardsCompared = HexesCompared = PlayCompared
CardComparison = HexComparison = PairComparison
HexesLaddered = Laddered
playtest_cards = playtest_hexes = playtest
playtest_compare_cards = playtest_compare_hexes = playtest_compare
ladder_hexes = ladder


def _replay_lines(
    board: str | Path,
    how: GameRun | None = None,
    *,
    match: int = 0,
    log: str | Path | None = None,
    **more: Any,  # noqa: ANN401
) -> tuple[str, ...]:
    """Return a game in words, and write its log; deprecated, see `replay`."""
    lines: tuple[str, ...] = replay(board, how, match=match, show=ReplayFiles(log), **more).lines
    return lines


replay_cards = replay_hexes = _replay_lines


def hex_players(board: str | None = None) -> Mapping[str, str]:
    """Return what each computer player of boards of hexagons does; deprecated, see `list_policies`."""
    del board
    return {name: one.about for name, one in get_game("hex").policies().items()}


def card_players(board: str | None = None) -> Mapping[str, str]:
    """Return what each computer player of card games does; deprecated, see `list_policies`."""
    del board
    return {name: one.about for name, one in get_game("cards").policies().items()}
