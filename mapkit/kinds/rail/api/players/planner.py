"""Player that looks ahead: it plays matches to their ends after each purchase that it may make.

Candidates race by successive halving (Jamieson and Talwalkar 2016) on common dice, as challengers do in
`mapkit.playing.tuning`. Its model of all players is `tuned`; it decides otherwise only if that is better beyond the
standard error.
"""

from collections.abc import Sequence
from math import sqrt
from typing import ClassVar, Final

import numpy as np

from mapkit.kinds.rail.api.players.questions import Outcome, Question

_FIRST_MATCHES: Final = 4
"""That each candidate plays first; the better half plays twice as many, and so on."""
_FINAL_MATCHES: Final = 32
"""Of the last candidate and the choice of `tuned`, with other dice than the race."""
_MOST_CANDIDATES: Final = 6
_STANDARD_ERRORS: Final = 1.0


class Planner:
    """Player who tries purchases and declarations out."""

    based_on: ClassVar = "tuned"

    def decide(self, question: Question) -> str:
        """Return the option after which it fares best."""
        if question.decision not in ("purchase", "declare") or len(question.options) == 1:
            return question.choice
        candidates, matches = _pick_candidates(question), _FIRST_MATCHES
        while len(candidates) > 2:  # noqa: PLR2004 - the last two are compared below
            values = {one: sum(_values_of(question, question.try_out(one, matches))) for one in candidates}
            others = sorted(candidates[1:], key=lambda one: -values[one])
            candidates, matches = [question.choice, *others[: max(1, len(others) // 2)]], 2 * matches
        own, other = (_values_of(question, question.try_out(one, _FINAL_MATCHES, 1_000)) for one in candidates)
        gains = np.array(other) - np.array(own)
        is_better = gains.mean() > _STANDARD_ERRORS * gains.std(ddof=1) / sqrt(len(gains))
        return candidates[1] if is_better else question.choice


def _pick_candidates(question: Question) -> list[str]:
    """Return the choice of `tuned`, to buy nothing, and the dearest of the rest."""
    rest = sorted((one for one in question.options if one != question.choice), key=lambda o: (-_price(question, o), o))
    if question.decision == "purchase" and question.choice != "nothing":
        rest = ["nothing", *(one for one in rest if one != "nothing")]
    return [question.choice, *rest[: _MOST_CANDIDATES - 1]]


def _price(question: Question, option: str) -> int:
    return question.prices.get(option, 0)


def _values_of(question: Question, outcomes: Sequence[Outcome]) -> list[float]:
    """Return the value of each end: 1 for a win, and the lead in cash as a share of the winning cash."""
    winning_cash = max(1, question.board.rules.winning.cash)
    return [one.won + float(np.clip(one.lead / winning_cash, -1, 1)) for one in outcomes]
