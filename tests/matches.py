"""Matches on small boards, for tests."""

from collections.abc import Sequence

from tiny import tiny_board

from mapkit.kinds.rail.api.playtesting import read_policy, table_of
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.model.match import MatchEvent, MatchHead
from mapkit.kinds.rail.playing.log import play_logged_match
from mapkit.kinds.rail.playing.policies import Policy
from mapkit.kinds.rail.rules.rules import Rules


def board_with(rules: Rules | None = None) -> Board:
    """Return the tiny board, on which little wins, with some rules."""
    return tiny_board().model_copy(update={"rules": rules or quick()})


def quick(**more: object) -> Rules:
    """Return rules by which a match on the tiny board ends soon."""
    given: dict[str, object] = {
        "setup": {"same_home": "allowed"},
        "winning": {"cash": 60_000, "rover_payment": 10_000},
    }
    for group, settings in more.items():
        known = given.get(group)
        given[group] = {**known, **settings} if isinstance(known, dict) and isinstance(settings, dict) else settings
    return Rules.model_validate(given)


def log_of(
    board: Board, *, players: int = 3, policies: Sequence[str | Policy] = ("balanced",), seed: int = 1, match: int = 0
) -> tuple[MatchHead, list[MatchEvent]]:
    """Play a match and return its log."""
    each = list(policies) * (players if len(policies) == 1 else 1)
    minds = [policy if isinstance(policy, Policy) else read_policy(policy) for policy in each]
    names = [policy if isinstance(policy, str) else "own" for policy in each]
    return play_logged_match(board, table_of(board, minds, players, seed), names, match)
