"""Prices by play: the worth of railroads to their buyers, alone or with all prices together."""

from collections.abc import Callable, Sequence
from statistics import NormalDist
from typing import Final, NamedTuple

import numpy as np

from mapkit.core.arrays import Floats, Ints
from mapkit.core.errors import MapkitError
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.model.pricing import Estimate, Goal, JudgedPrices, RailroadPrice
from mapkit.kinds.rail.playing.price_balancing import RARE, balance_prices
from mapkit.kinds.rail.playing.track import Flags, TrackArrays
from mapkit.kinds.rail.playing.trials import Effects
from mapkit.playing.figures import LEVEL

_Z_SCORE: Final = NormalDist().inv_cdf((1 + LEVEL) / 2)
_MIN_Z_SCORE: Final = 3.0
"""Standard errors above 0 from which the worth of money is known well enough to divide by."""

_MAX_STEP_SHARE: Final = 0.5
"""Greatest share by which a step changes a price: the gain of buying is linear in the price only nearby."""

Measure = Callable[[Ints, int], Effects]
"""Plays trials with prices: those of railroads, and the number of the step."""


class PriceSearchResult(NamedTuple):
    """Result of a search. R railroads."""

    first: Effects
    """With the printed prices."""
    prices: Floats
    """R: not rounded; NaN where nothing can be said."""
    errors: Floats
    """R: standard errors."""
    near: Ints
    """R: prices that can be paid, no farther from the last ones that were played than one step goes."""


def search_prices(
    measure: Measure, printed: Ints, looked_for: Flags, goal: Goal, *, steps: int, unit: int, keep_sum: bool = True
) -> PriceSearchResult:
    """Search for prices, in steps that each play matches of their own.

    Each step estimates the price of each railroad at which buying adds nothing, by a gain linear in the price. The
    first step starts far away, so only the later ones count, weighted by their precision. `even` moves all prices
    together, in more and smaller steps (`mapkit.kinds.rail.playing.price_balancing`).

    Args:
        measure: Plays trials.
        printed: R: the prices to begin with, currency units.
        looked_for: R: 1 where the price may change.
        goal: What is looked for.
        steps: How many, 1 or more.
        unit: Prices are multiples of it.
        keep_sum: Whether even prices keep their sum.

    Raises:
        MapkitError: The matches are too few to estimate the worth of money.
    """
    if goal == "even":
        first_effects, aimed_prices, aimed_errors = balance_prices(
            measure,
            printed,
            looked_for,
            lambda played: _worth_of_money(played)[0],
            lambda p: round_prices(p, printed, unit),
            steps=steps,
            keep_sum=keep_sum,
        )
        return PriceSearchResult(first_effects, aimed_prices, aimed_errors, round_prices(aimed_prices, printed, unit))
    step_aims: list[tuple[Floats, Floats]] = []
    step_effects: list[Effects] = []
    current_prices = printed
    for step in range(steps):
        step_effects.append(measure(current_prices, step))
        last_effects = step_effects[-1]
        money, money_error = _worth_of_money(step_effects)
        price_excess = last_effects.gain / money
        step_aims.append(
            (
                current_prices + price_excess,
                np.sqrt((last_effects.error / money) ** 2 + (price_excess * money_error / money) ** 2),
            )
        )
        aimed_prices, aimed_errors = _average_aims(step_aims[1:] or step_aims)
        near_prices = np.clip(
            aimed_prices, current_prices * (1 - _MAX_STEP_SHARE), current_prices * (1 + _MAX_STEP_SHARE)
        )
        near_prices = np.where(
            np.isnan(step_aims[-1][0]), current_prices * (1 - _MAX_STEP_SHARE), near_prices
        )  # too dear for anybody
        current_prices = round_prices(np.where(looked_for, near_prices, printed), printed, unit)
    return PriceSearchResult(step_effects[0], aimed_prices, aimed_errors, current_prices)


def _average_aims(aims: Sequence[tuple[Floats, Floats]]) -> tuple[Floats, Floats]:
    """Return the mean of the prices that steps aim at, weighted by precision, and its standard error; NaN if none."""
    weights = np.array([np.nan_to_num(1 / error**2, nan=0.0) for _, error in aims])
    weight_sums = weights.sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean_aim = (weights * np.nan_to_num([aim for aim, _ in aims])).sum(axis=0) / weight_sums
        return mean_aim, 1 / np.sqrt(np.where(weight_sums > 0, weight_sums, np.nan))


def _worth_of_money(played: Sequence[Effects]) -> tuple[float, float]:
    """Return the gain in the chance to win per currency unit over all steps, and its standard error.

    Raises:
        MapkitError: The matches are too few to say.
    """
    last_effects = played[-1]
    mean_money = sum(step.money for step in played) / len(played)
    money_error = float(np.sqrt(sum(step.money_error**2 for step in played))) / len(played)
    if not mean_money > _MIN_Z_SCORE * money_error:
        raise MapkitError(
            f"{last_effects.matches:,} matches are too few to say what money is worth here; ask for more with --matches"
        )
    return mean_money, money_error


def round_prices(prices: Floats, printed: Ints, unit: int) -> Ints:
    """Round prices to multiples of a unit, one or more; unknown prices become the printed ones."""
    rounded_prices = np.where(np.isnan(prices), printed, np.rint(np.nan_to_num(prices) / unit) * unit)
    return np.where(np.isnan(prices), printed, np.maximum(rounded_prices, unit)).astype(np.int64)


def price_by_access(track: TrackArrays, unit: int) -> Ints:
    """Return prices in proportion to the chance of the cities that each railroad serves, with the same sum."""
    access_chance = track.served @ track.chance
    return round_prices(track.price.sum() * access_chance / access_chance.sum(), track.price, unit)


def group_prices(group_has: Flags, printed: Ints, prices: Ints, groups: Ints) -> Ints:
    """Return fixed prices of groups that follow those of their members (RB-V01)."""
    return groups + group_has.astype(np.int64) @ (prices - printed)


def judge_prices(
    effects: Effects,
    shorts: Sequence[str],
    looked_for: Flags,
    *,
    prices: str,
    policies: Sequence[str],
) -> JudgedPrices:
    """Return how even prices are by a trial independent of the search, without railroads that are hardly bought."""
    is_bought = (effects.bought >= RARE) & ~np.isnan(effects.gain)
    known = np.flatnonzero((looked_for > 0) & is_bought)
    if not len(known):
        raise MapkitError(
            "too few railroads are bought at these prices to compare them; lower the prices or play more matches"
        )
    off_mean = effects.gain[known] - effects.gain[known].mean()
    is_looked_for = looked_for > 0
    worst_index = int(np.argmax(np.abs(off_mean)))
    return JudgedPrices.model_validate(
        {
            "prices": prices,
            "policies": tuple(policies),
            "matches": effects.matches,
            "spread": _estimate_spread(effects.gain[known], effects.error[known]),
            "rights": _estimate_spread(effects.right[is_looked_for], effects.right_error[is_looked_for]),
            "most": _make_estimate(float(off_mean[worst_index]), float(effects.error[known][worst_index])),
            "most_of": shorts[int(known[worst_index])],
            "rare": tuple(shorts[int(k)] for k in np.flatnonzero((looked_for > 0) & ~is_bought)),
        }
    )


def _estimate_spread(values: Floats, errors: Floats) -> Estimate:
    """Return the standard deviation of values, corrected for their errors."""
    deviations, noise = values - values.mean(), errors**2
    true_variance = float(np.mean(deviations**2) - np.mean(noise) * (1 - 1 / len(values)))
    half_width = (
        _Z_SCORE
        * float(np.sqrt(np.sum(2 * noise**2 + 4 * noise * np.maximum(deviations**2 - noise, 0.0))))
        / len(values)
    )
    return Estimate(
        value=_root_of_positive(true_variance),
        low=_root_of_positive(true_variance - half_width),
        high=_root_of_positive(true_variance + half_width),
    )


def make_price_rows(board: Board, found: PriceSearchResult, looked_for: Flags) -> tuple[RailroadPrice, ...]:
    """Return the results for each railroad, those first that add most at the printed price."""
    price_rows = []
    for k, railroad in enumerate(board.railroads):
        has_gain = not np.isnan(found.first.gain[k])
        has_worth = bool(looked_for[k]) and not np.isnan(found.prices[k])
        price_rows.append(
            RailroadPrice(
                railroad=railroad.id,
                short=railroad.short,
                printed=railroad.price,
                gain=_make_estimate(float(found.first.gain[k]), float(found.first.error[k])) if has_gain else None,
                bought=float(found.first.bought[k]),
                worth=_make_estimate(float(found.prices[k]), float(found.errors[k])) if has_worth else None,
                price=int(found.near[k]),
            )
        )
    return tuple(sorted(price_rows, key=lambda row: (-(row.gain.value if row.gain else -1.0), row.railroad)))


def money_estimate(effects: Effects) -> Estimate:
    """Return the worth of a thousand currency units."""
    return _make_estimate(1_000 * effects.money, 1_000 * effects.money_error)


def _make_estimate(value: float, error: float) -> Estimate:
    return Estimate(value=value, low=value - _Z_SCORE * error, high=value + _Z_SCORE * error)


def _root_of_positive(square: float) -> float:
    return float(np.sqrt(max(0.0, square)))
