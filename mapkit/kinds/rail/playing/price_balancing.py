"""Balanced prices: all prices are moved together until buying any railroad adds as much.

The gain of buying is not linear in the price. It drops where players cannot pay at the start, and it depends on the
prices of other railroads. So each step plays all railroads at new prices and moves each price by its estimated error;
later steps move less (Robbins and Monro, "A stochastic approximation method", 1951). The
mean of the later half is the result (Polyak and Juditsky, "Acceleration of stochastic approximation by averaging",
1992).
"""

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from mapkit.core.arrays import Floats, Ints
from mapkit.kinds.rail.playing.track import Flags
from mapkit.kinds.rail.playing.trials import Effects

RARE: Final = 0.1
"""A railroad bought in a smaller share of matches is too expensive to estimate its gain."""
_EARLY_STEP: Final = 0.8
"""Share of the estimated error by which early steps move a price."""
_PRICE_CUT: Final = 0.15
"""Share by which the price of a too expensive railroad falls in a step."""
_MIN_FACTOR: Final = 0.5
_MAX_FACTOR: Final = 1.7
"""Limits of the factor by which a step changes a price."""
_RECENT_STEPS: Final = 6
"""Number of recent steps for estimating how fast the gain falls with the price."""
_MIN_STEPS: Final = 3
"""Fewest steps for that estimate."""


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
    """Search for balanced prices by stochastic approximation.

    Args:
        measure: Plays trials with prices: those of railroads, currency units, and the number of the step.
        printed: R: the prices to begin with.
        looked_for: R: 1 where the price may change.
        value_of_money: Returns the gain in the chance to win per currency unit, over all steps.
        pay: Rounds prices to amounts that can be paid.
        steps: How many times to play, 1 or more.
        keep_sum: Whether all prices keep their sum; else buying is to add nothing.

    Returns:
        Effects at the printed prices; R prices, not rounded; R standard errors of these.

    Raises:
        MapkitError: As `value_of_money`.
    """
    prices, early_steps = printed, steps // 2
    played_prices: list[tuple[Ints, Effects]] = []
    aim_prices: list[Floats] = []
    aim_errors: list[Floats] = []
    for step in range(steps):
        step_effects = measure(prices, step)
        played_prices.append((prices, step_effects))
        gain_slopes = _estimate_slopes(
            played_prices[-_RECENT_STEPS:], value_of_money([effects for _, effects in played_prices])
        )
        is_known = (step_effects.bought >= RARE) & ~np.isnan(step_effects.gain)
        step_share = _EARLY_STEP if step < early_steps else _EARLY_STEP * (early_steps + 1) / (step + 1)
        is_counted = is_known & (looked_for > 0)
        common_gain = (
            np.average(step_effects.gain[is_counted], weights=1 / gain_slopes[is_counted])
            if keep_sum and is_counted.any()
            else 0.0
        )
        price_moves = np.where(
            is_known, step_share * (np.nan_to_num(step_effects.gain) - common_gain) / gain_slopes, -_PRICE_CUT * prices
        )
        aimed_prices = np.where(
            looked_for > 0, np.clip(prices + price_moves, prices * _MIN_FACTOR, prices * _MAX_FACTOR), printed
        )
        aimed_prices = _scale_to_sum(aimed_prices, printed, looked_for) if keep_sum else aimed_prices
        aim_prices.append(aimed_prices)
        aim_errors.append(np.where(is_known, np.nan_to_num(step_effects.error) / gain_slopes, _PRICE_CUT * prices))
        prices = pay(aimed_prices)
    later_steps = slice(early_steps, None)
    standard_errors = np.sqrt(np.mean(np.square(aim_errors[later_steps]), axis=0) / len(aim_errors[later_steps]))
    return played_prices[0][1], np.mean(aim_prices[later_steps], axis=0), standard_errors


def _scale_to_sum(prices: Floats, printed: Ints, looked_for: Flags) -> Floats:
    """Scale the free prices so that all keep the sum of the printed ones."""
    is_free = looked_for > 0
    sum_ratio = printed[is_free].sum() / prices[is_free].sum() if is_free.any() else 1.0
    return np.where(is_free, prices * sum_ratio, printed)


def _estimate_slopes(played: Sequence[tuple[Ints, Effects]], money: float) -> Floats:
    """Estimate how fast the gain of buying each railroad falls with its price, at least by the worth of money."""
    prices_played = np.array([step_prices for step_prices, _ in played], np.float64)
    gains = np.array([np.where(step_effects.bought >= RARE, step_effects.gain, np.nan) for _, step_effects in played])
    gain_slopes = np.full(prices_played.shape[1], money)
    for k in range(len(gain_slopes)):
        is_known = ~np.isnan(gains[:, k])
        price_spread = prices_played[is_known, k] - prices_played[is_known, k].mean() if is_known.any() else np.zeros(0)
        if is_known.sum() >= _MIN_STEPS and price_spread.any():
            gain_slopes[k] = max(money, -float(price_spread @ gains[is_known, k] / (price_spread @ price_spread)))
    return gain_slopes
