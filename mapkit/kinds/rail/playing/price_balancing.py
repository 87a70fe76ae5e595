"""Even prices by play: all prices are moved together until buying any railroad adds as much.

What buying adds does not fall evenly with the price. It drops where nobody can pay any more at the start, and it
depends on the prices of others. So each step plays all railroads at new prices and moves each price by as much as it
seems too low or too high; later steps move less (Robbins and Monro, "A stochastic approximation method", 1951). The
mean of the later half is the result (Polyak and Juditsky, "Acceleration of stochastic approximation by averaging",
1992).
"""

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from mapkit.kinds.rail.playing.track import Flags, Floats, Ints
from mapkit.kinds.rail.playing.trials import Effects

RARE: Final = 0.1
"""What fewer matches than this share buy is too dear to say of what buying it adds."""
_BOLD: Final = 0.8
"""The part of the way that early steps go."""
_FALL: Final = 0.15
"""The part of its price by which a railroad becomes cheaper that is too dear."""
_DOWN: Final = 0.5
_UP: Final = 1.7
"""Times its price that a railroad costs at the least and at the most after a step."""
_RECENT: Final = 6
"""Steps that say how fast what buying adds falls with the price."""
_FEW: Final = 3
"""Steps from which on they say so."""


def balance_prices(
    measure: Callable[[Ints, int], Effects],
    printed: Ints,
    looked_for: Flags,
    value_of_money: Callable[[Sequence[Effects]], float],
    pay: Callable[[Floats], Ints],
    *,
    steps: int,
    keep_sum: bool,
) -> tuple[Effects, Floats, Floats]:
    """Look for even prices.

    Args:
        measure: Plays trials with prices: those of railroads, currency units, and the number of the step.
        printed: R: the prices to begin with.
        looked_for: R: 1 where the price may change.
        value_of_money: Returns what a currency unit adds to the chance to win, by all that was played.
        pay: Rounds prices to what can be paid.
        steps: How many times to play, 1 or more.
        keep_sum: Whether all prices keep their sum; else buying is to add nothing.

    Returns:
        What was found with the printed prices; R prices, not rounded; R standard errors of these.

    Raises:
        MapkitError: As `value_of_money`.
    """
    prices, half = printed, steps // 2
    played: list[tuple[Ints, Effects]] = []
    aims: list[Floats] = []
    noise: list[Floats] = []
    for step in range(steps):
        found = measure(prices, step)
        played.append((prices, found))
        slope = _slopes(played[-_RECENT:], value_of_money([effects for _, effects in played]))
        known = (found.bought >= RARE) & ~np.isnan(found.gain)
        far = _BOLD if step < half else _BOLD * (half + 1) / (step + 1)
        counts = known & (looked_for > 0)
        level = np.average(found.gain[counts], weights=1 / slope[counts]) if keep_sum and counts.any() else 0.0
        move = np.where(known, far * (np.nan_to_num(found.gain) - level) / slope, -_FALL * prices)
        aim = np.where(looked_for > 0, np.clip(prices + move, prices * _DOWN, prices * _UP), printed)
        aim = _same_sum(aim, printed, looked_for) if keep_sum else aim
        aims.append(aim)
        noise.append(np.where(known, np.nan_to_num(found.error) / slope, _FALL * prices))
        prices = pay(aim)
    later = slice(half, None)
    error = np.sqrt(np.mean(np.square(noise[later]), axis=0) / len(noise[later]))
    return played[0][1], np.mean(aims[later], axis=0), error


def _same_sum(prices: Floats, printed: Ints, looked_for: Flags) -> Floats:
    """Return prices of the same sum as the printed ones; what is not looked for keeps its price."""
    free = looked_for > 0
    share = printed[free].sum() / prices[free].sum() if free.any() else 1.0
    return np.where(free, prices * share, printed)


def _slopes(played: Sequence[tuple[Ints, Effects]], money: float) -> Floats:
    """Return how fast what buying a railroad adds falls with its price: as money says, or faster if play shows it."""
    prices = np.array([at for at, _ in played], np.float64)
    gains = np.array([np.where(found.bought >= RARE, found.gain, np.nan) for _, found in played])
    out = np.full(prices.shape[1], money)
    for k in range(len(out)):
        known = ~np.isnan(gains[:, k])
        spread = prices[known, k] - prices[known, k].mean() if known.any() else np.zeros(0)
        if known.sum() >= _FEW and spread.any():
            out[k] = max(money, -float(spread @ gains[known, k] / (spread @ spread)))
    return out
