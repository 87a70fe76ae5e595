"""Tuning of weights by play: a (1 + lambda) evolution strategy with successive halving.

Each generation draws challengers around the incumbent and lets them race: all play some matches, the better half plays
more, until one is left. It takes over if it wins more than its share beyond doubt. All play the same dice (common
random numbers), so that luck counts for all alike. This is a (1 + lambda) evolution strategy with successive halving
(Jamieson and Talwalkar 2016); steps grow after a success and shrink after failures (Rechenberg 1973).
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mapkit.playing.figures import Share, share

Weights = NDArray[np.float64]
Contest = Callable[[Weights, Weights, int, int], float]
"""Plays matches of one challenger against incumbents: their weights, the number of the first match, and how many;
returns how many of them the challenger wins."""

_STEP_GROWTH: Final = 1.5
_STEP_DECAY: Final = 0.85
_CHANGE_CHANCE: Final = 0.35
"""The chance of each weight to be changed in a challenger."""
_WEIGHT_DIGITS: Final = 3


@dataclass(frozen=True)
class Race:
    """Matches of a generation.

    Attributes:
        players: Of a match; a challenger's share is one by so many.
        challengers: Drawn in a generation.
        matches: That each plays first; the better half plays twice as many, and so on.
    """

    players: int
    challengers: int = 8
    matches: int = 250


@dataclass(frozen=True)
class Generation:
    """Outcome of a generation: the new incumbent, and the best challenger's result against the previous one."""

    number: int
    weights: tuple[float, ...]
    won: Share
    better: bool
    step: float


def improve_weights(
    contest: Contest,
    start: Sequence[float],
    scales: Sequence[float],
    race: Race,
    *,
    seed: int,
    bounds: tuple[Sequence[float], Sequence[float]],
) -> Iterator[Generation]:
    """Yield generations without end; the same arguments yield the same.

    Args:
        contest: Plays.
        start: The first incumbent.
        scales: How far a step of 1 leads, for each weight; 0 keeps it.
        race: Players, challengers and matches.
        seed: Of the challengers.
        bounds: The least and the most that each weight may be.
    """
    rng = np.random.Generator(np.random.Philox(seed))
    generation = Generation(0, tuple(start), share(0, 0), better=False, step=1.0)
    limits = (np.array(bounds[0]), np.array(bounds[1]))
    first_match = 0
    while True:
        incumbent = np.array(generation.weights)
        challengers = [
            _draw_challenger(rng, incumbent, np.array(scales), generation.step, limits) for _ in range(race.challengers)
        ]
        best, won, played = _run_race(contest, challengers, incumbent, race, first_match)
        first_match += played
        is_better = won.low > 1 / race.players
        generation = replace(
            generation,
            number=generation.number + 1,
            weights=tuple(float(value) for value in (best if is_better else incumbent)),
            won=won,
            better=is_better,
            step=generation.step * (_STEP_GROWTH if is_better else _STEP_DECAY),
        )
        yield generation


def _draw_challenger(
    rng: np.random.Generator, incumbent: Weights, scales: Weights, step: float, bounds: tuple[Weights, Weights]
) -> Weights:
    """Return weights near the incumbent, at least one of them changed, rounded to three digits as in files."""
    is_changed = rng.random(len(incumbent)) < _CHANGE_CHANCE
    tunable = np.flatnonzero(scales)
    is_changed[tunable[rng.integers(len(tunable))]] = True
    moved_weights = np.clip(incumbent + is_changed * scales * step * rng.standard_normal(len(incumbent)), *bounds)
    return np.array([float(f"{value:.{_WEIGHT_DIGITS}g}") for value in moved_weights])


def _run_race(
    contest: Contest, challengers: Sequence[Weights], incumbent: Weights, race: Race, first: int
) -> tuple[Weights, Share, int]:
    """Return the remaining challenger, its result, and the number of matches of the longest race."""
    entrants = [(challenger, 0.0) for challenger in challengers]
    played, round_matches = 0, race.matches
    while True:
        entrants = [
            (challenger_weights, wins + contest(challenger_weights, incumbent, first + played, round_matches))
            for challenger_weights, wins in entrants
        ]
        played += round_matches
        entrants.sort(key=lambda entry: -entry[1])
        if len(entrants) == 1:
            break
        entrants = entrants[: (len(entrants) + 1) // 2]
        round_matches = played
    # the winner was chosen by these matches, so that they flatter it: it plays as many again
    wins = contest(entrants[0][0], incumbent, first + played, played)
    return entrants[0][0], share(wins, played), 2 * played
