"""Improving numbers by play: a seeded search in which challengers play matches against what they come from.

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

_GROWS: Final = 1.5
_SHRINKS: Final = 0.85
_CHANGED: Final = 0.35
"""The chance of each weight to be changed in a challenger."""
_DIGITS: Final = 3


@dataclass(frozen=True)
class Race:
    """How a generation is played.

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
    """The outcome of a generation: the incumbent after it, and how the best challenger fared against the one before."""

    number: int
    weights: tuple[float, ...]
    won: Share
    better: bool
    step: float


def improved(
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
    known = Generation(0, tuple(start), share(0, 0), better=False, step=1.0)
    limits = (np.array(bounds[0]), np.array(bounds[1]))
    first = 0
    while True:
        incumbent = np.array(known.weights)
        drawn = [_challenger(rng, incumbent, np.array(scales), known.step, limits) for _ in range(race.challengers)]
        best, won, played = _raced(contest, drawn, incumbent, race, first)
        first += played
        better = won.low > 1 / race.players
        known = replace(
            known,
            number=known.number + 1,
            weights=tuple(float(value) for value in (best if better else incumbent)),
            won=won,
            better=better,
            step=known.step * (_GROWS if better else _SHRINKS),
        )
        yield known


def _challenger(
    rng: np.random.Generator, incumbent: Weights, scales: Weights, step: float, bounds: tuple[Weights, Weights]
) -> Weights:
    """Return weights near the incumbent, one of them changed at least, of three digits as files have them."""
    changed = rng.random(len(incumbent)) < _CHANGED
    free = np.flatnonzero(scales)
    changed[free[rng.integers(len(free))]] = True
    moved = np.clip(incumbent + changed * scales * step * rng.standard_normal(len(incumbent)), *bounds)
    return np.array([float(f"{value:.{_DIGITS}g}") for value in moved])


def _raced(
    contest: Contest, challengers: Sequence[Weights], incumbent: Weights, race: Race, first: int
) -> tuple[Weights, Share, int]:
    """Return the challenger that is left, what it won, and how many matches the longest race took."""
    left = [(challenger, 0.0) for challenger in challengers]
    played, more = 0, race.matches
    while True:
        left = [(one, wins + contest(one, incumbent, first + played, more)) for one, wins in left]
        played += more
        left.sort(key=lambda entry: -entry[1])
        if len(left) == 1:
            break
        left = left[: (len(left) + 1) // 2]
        more = played
    # the winner was chosen by these matches, so that they flatter it: it plays as many again
    wins = contest(left[0][0], incumbent, first + played, played)
    return left[0][0], share(wins, played), 2 * played
