"""Ladder of entrants that play each other in pairs: wins, and a rating of each.

Two entrants alternate around the table, and each match is played twice with the same dice: the second time with their
places exchanged. Batches rotate through the pairs, so that an interrupted run has played all pairs about equally.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import log
from typing import Final

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from mapkit.core.base import Frozen
from mapkit.core.errors import ChoiceError
from mapkit.core.plurals import count_noun
from mapkit.playing.batches import BATCH
from mapkit.playing.figures import Share, Totals, share

Contest = Callable[[Sequence[int], int, int], Totals]
"""Plays matches: who sits at each place, the number of the first match, and how many; returns "wins by player"
(places), "wins by seat" and "matches"."""
_FEWEST: Final = 2
_MOST: Final = 40
_FIT_ROUNDS: Final = 500
_ELO_SCALE: Final = 400 / log(10)
_SURE: Final = log(19)
"""Log of the likelihood ratio that decides a sequential test with errors of 5 % on both sides."""
_FAR: Final = 1_000.0


@dataclass(frozen=True)
class Schedule:
    """Schedule of the batches of a ladder.

    Attributes:
        entrants: How many there are.
        places: At a table.
        matches: Of each pair, rounded up to equal batches at both line-ups.
        most: Matches of a batch.
    """

    entrants: int
    places: int
    matches: int
    most: int = BATCH

    @property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """The pairs, in order of play."""
        return tuple(combinations(range(self.entrants), 2))

    @property
    def rounds(self) -> int:
        """How many batches each pair plays, half of them at each line-up."""
        return -(-self.matches // (2 * self.most)) * 2

    @property
    def batch_size(self) -> int:
        """How many matches a batch has."""
        return -(-self.matches // self.rounds)

    @property
    def all_matches(self) -> int:
        """Total number of matches."""
        return self.rounds * self.batch_size * len(self.pairs)

    def line_up(self, batch: int) -> tuple[int, tuple[int, ...], int]:
        """Return the index of a batch's pair, the entrant at each place, and the number of the first match."""
        pair, turn = batch % len(self.pairs), batch // len(self.pairs)
        first, second = self.pairs[pair]
        pair_order = (first, second) if turn % 2 == 0 else (second, first)
        return pair, tuple(pair_order[place % 2] for place in range(self.places)), turn // 2 * self.batch_size


def play_ladder(schedule: Schedule, contest: Contest, start: int, matches: int) -> Totals:
    """Play part of a ladder, from match `start` of all on, and return its sums.

    "wins" has the wins of both entrants of each pair, "matches" how many matches each pair has played, and "seats" the
    wins by order of play, of all matches.
    """
    wins = np.zeros((len(schedule.pairs), 2))
    played_matches = np.zeros(len(schedule.pairs))
    seat_wins = np.zeros(schedule.places)
    batch_size, next_match, end = schedule.batch_size, start, start + matches
    while next_match < end:
        batch_end = min(end, (next_match // batch_size + 1) * batch_size)
        pair, line_up, first = schedule.line_up(next_match // batch_size)
        batch_totals = contest(line_up, first + next_match % batch_size, batch_end - next_match)
        for place, entrant in enumerate(line_up):
            wins[pair, int(entrant == schedule.pairs[pair][1])] += batch_totals["wins by player"][place]
        played_matches[pair] += batch_end - next_match
        seat_wins += batch_totals["wins by seat"]
        next_match = batch_end
    return {"wins": wins, "matches": played_matches, "seats": seat_wins}


def distance_to_verdict(totals: Totals, difference: float) -> float:
    """Return how far the least clear pair of a ladder is from a verdict: 1 or less if all pairs are told apart.

    Wald's sequential test: each wins one half and `difference` more, or less, of both's matches, with errors of 5 %.
    """
    step = log((0.5 + difference) / (0.5 - difference))
    leads = np.abs(totals["wins"][:, 0] - totals["wins"][:, 1]) * step
    return float(np.minimum(_FAR, _SURE / np.maximum(leads, _SURE / _FAR)).max())


class Rung(Frozen):
    """One policy of a ladder."""

    policy: str
    rating: float = Field(description="On the scale of Elo, mean 0: 400 more are odds of 10 to 1 against one opponent")
    margin: float = Field(description="Half the width of its 95 % interval")
    against: dict[str, Share] = Field(
        description="Its share of the wins against each other policy, half of the places being its own"
    )


class Ladder(Frozen):
    """Policies that played each other in pairs, the best first."""

    board: str
    preset: str | None = Field(default=None, description="Of the rules; none where the kind of board has no presets")
    options: tuple[str, ...] = ()
    players: int
    seed: int
    matches: int = Field(description="In all")
    rungs: tuple[Rung, ...]
    seats: tuple[Share, ...] = Field(description="Win rate by order of play, whoever sits there")


def refuse_entrants(names: Sequence[str]) -> None:
    """Refuse entrants that make no ladder.

    Raises:
        ChoiceError: Fewer than two, more than 40, or one twice.
    """
    repeated = next((name for name in names if names.count(name) > 1), None)
    if repeated is not None:
        raise ChoiceError(f"policy {repeated!r} is named {names.count(repeated)} times; name each policy once")
    if not _FEWEST <= len(names) <= _MOST:
        count_text = count_noun(len(names), "policy", "policies")
        raise ChoiceError(f"{count_text} in a ladder ({', '.join(names)}); name {_FEWEST} to {_MOST}")


def rank_entrants(names: Sequence[str], schedule: Schedule, totals: Totals) -> tuple[tuple[Rung, ...], int]:
    """Return the entrants of a ladder, the best first, and the number of matches played.

    Args:
        names: The entrants.
        schedule: Their pairs.
        totals: Sums of `play_ladder`.
    """
    entrant_count = len(names)
    wins = np.zeros((entrant_count, entrant_count))
    for pair, (a, b) in enumerate(schedule.pairs):
        wins[a, b], wins[b, a] = totals["wins"][pair]
    rated, margins = ratings(wins)
    rungs = [
        Rung(
            policy=names[k],
            rating=float(rated[k]),
            margin=float(margins[k]),
            against={names[j]: share(wins[k, j], wins[k, j] + wins[j, k]) for j in range(entrant_count) if j != k},
        )
        for k in range(entrant_count)
    ]
    return tuple(sorted(rungs, key=lambda rung: (-rung.rating, rung.policy))), int(totals["matches"].sum())


def ratings(wins: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return ratings and the half widths of their 95 % intervals, on the scale of Elo, mean 0.

    A difference of 400 is odds of 10 to 1. The model is that of Bradley and Terry (1952), fitted by the iteration of
    Hunter (2004), with half a win added on each side, so that entrants without a win have a rating too.

    Args:
        wins: Row against column.
    """
    entrant_count = len(wins)
    smoothed_wins = wins + 0.5 * (1 - np.eye(entrant_count))
    games = smoothed_wins + smoothed_wins.T
    strength = np.ones(entrant_count)
    for _ in range(_FIT_ROUNDS):
        expected_games = games / (strength[:, None] + strength[None, :])
        strength = smoothed_wins.sum(axis=1) / expected_games.sum(axis=1)
        strength /= np.exp(np.log(strength).mean())
    win_rates = strength[:, None] / (strength[:, None] + strength[None, :])
    information = -games * win_rates * (1 - win_rates)
    np.fill_diagonal(information, -information.sum(axis=1) + np.diag(information))
    standard_errors = np.sqrt(np.diag(np.linalg.pinv(information)))
    return _ELO_SCALE * np.log(strength), 1.959964 * _ELO_SCALE * standard_errors
