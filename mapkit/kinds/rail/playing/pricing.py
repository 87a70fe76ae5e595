"""Prices by play: what railroads are worth to who buys them, alone or with all prices together."""

from collections.abc import Callable, Sequence
from statistics import NormalDist
from typing import Final, NamedTuple

import numpy as np

from mapkit.core.errors import MapkitError
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.model.pricing import Estimate, Goal, JudgedPrices, RailroadPrice
from mapkit.kinds.rail.playing.price_balancing import RARE, balance_prices
from mapkit.kinds.rail.playing.track import Flags, Floats, Ints, TrackArrays
from mapkit.kinds.rail.playing.trials import Effects
from mapkit.playing.figures import LEVEL

_Z: Final = NormalDist().inv_cdf((1 + LEVEL) / 2)
_CLEAR: Final = 3.0
"""Standard errors above 0 from which on the worth of money is known well enough to divide by."""

_REACH: Final = 0.5
"""The part of a price by which a step changes it at most: what buying adds falls evenly with the price nearby only."""

Measure = Callable[[Ints, int], Effects]
"""Plays trials with prices: those of railroads, and the number of the step."""


class Found(NamedTuple):
    """What a search found. R railroads."""

    first: Effects
    """With the printed prices."""
    prices: Floats
    """R: not rounded; NaN where nothing can be said."""
    errors: Floats
    """R: standard errors."""
    near: Ints
    """R: prices that can be paid, no farther from the last ones that were played than one step goes."""


def search(
    measure: Measure, printed: Ints, looked_for: Flags, goal: Goal, *, steps: int, unit: int, keep_sum: bool = True
) -> Found:
    """Look for prices, in steps that each play matches of their own.

    Each step says of each railroad at which price buying it would add nothing, as if what buying adds fell evenly with
    the price. The first step is far from there, so only the later ones count, each by how exact it is. `even` moves all
    prices together, in more and smaller steps (`mapkit.kinds.rail.playing.price_balancing`).

    Args:
        measure: Plays trials.
        printed: R: the prices to begin with, currency units.
        looked_for: R: 1 where the price may change.
        goal: What is looked for.
        steps: How many, 1 or more.
        unit: Prices are multiples of it.
        keep_sum: Whether even prices keep their sum.

    Raises:
        MapkitError: The matches are too few to say what money is worth.
    """
    if goal == "even":
        first, aim, error = balance_prices(
            measure,
            printed,
            looked_for,
            lambda played: _money(played)[0],
            lambda p: rounded(p, printed, unit),
            steps=steps,
            keep_sum=keep_sum,
        )
        return Found(first, aim, error, rounded(aim, printed, unit))
    seen: list[tuple[Floats, Floats]] = []
    played: list[Effects] = []
    prices = printed
    for step in range(steps):
        played.append(measure(prices, step))
        seen.append(_aimed(played, prices))
        aim, error = _together(seen[1:] or seen)
        near = np.clip(aim, prices * (1 - _REACH), prices * (1 + _REACH))
        near = np.where(np.isnan(seen[-1][0]), prices * (1 - _REACH), near)  # too dear for anybody
        prices = rounded(np.where(looked_for, near, printed), printed, unit)
    return Found(played[0], aim, error, prices)


def _together(aims: Sequence[tuple[Floats, Floats]]) -> tuple[Floats, Floats]:
    """Return the mean of what steps aim at, each by how exact it is, and its standard error; NaN where none is."""
    weights = np.array([np.nan_to_num(1 / error**2, nan=0.0) for _, error in aims])
    whole = weights.sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        aim = (weights * np.nan_to_num([aim for aim, _ in aims])).sum(axis=0) / whole
        return aim, 1 / np.sqrt(np.where(whole > 0, whole, np.nan))


def _aimed(played: Sequence[Effects], prices: Ints) -> tuple[Floats, Floats]:
    """Return the prices that the last step aims at, and their standard errors; all steps say what money is worth."""
    found = played[-1]
    money, money_error = _money(played)
    beyond = found.gain / money
    return prices + beyond, np.sqrt((found.error / money) ** 2 + (beyond * money_error / money) ** 2)


def _money(played: Sequence[Effects]) -> tuple[float, float]:
    """Return what a currency unit adds to the chance to win by all steps, and its standard error.

    Raises:
        MapkitError: The matches are too few to say.
    """
    found = played[-1]
    money = sum(step.money for step in played) / len(played)
    money_error = float(np.sqrt(sum(step.money_error**2 for step in played))) / len(played)
    if not money > _CLEAR * money_error:
        raise MapkitError(
            f"{found.matches:,} matches are too few to say what money is worth here; ask for more with --matches"
        )
    return money, money_error


def rounded(prices: Floats, printed: Ints, unit: int) -> Ints:
    """Return prices as multiples of a unit, one or more; where nothing is known the printed ones."""
    whole = np.where(np.isnan(prices), printed, np.rint(np.nan_to_num(prices) / unit) * unit)
    return np.where(np.isnan(prices), printed, np.maximum(whole, unit)).astype(np.int64)


def by_access(track: TrackArrays, unit: int) -> Ints:
    """Return prices in proportion to the chance of the cities that each railroad serves, with the same sum."""
    access = track.served @ track.chance
    return rounded(track.price.sum() * access / access.sum(), track.price, unit)


def group_prices(group_has: Flags, printed: Ints, prices: Ints, groups: Ints) -> Ints:
    """Return fixed prices of groups that follow those of their members (RB-V01)."""
    return groups + group_has.astype(np.int64) @ (prices - printed)


def judged(
    effects: Effects,
    shorts: Sequence[str],
    looked_for: Flags,
    *,
    prices: str,
    policies: Sequence[str],
) -> JudgedPrices:
    """Return how even prices are by a trial that the search did not use; what hardly anybody buys does not count."""
    bought = (effects.bought >= RARE) & ~np.isnan(effects.gain)
    known = np.flatnonzero((looked_for > 0) & bought)
    if not len(known):
        raise MapkitError("hardly any railroad is bought at these prices, so nobody can say how even they are")
    apart = effects.gain[known] - effects.gain[known].mean()
    every = looked_for > 0
    worst = int(np.argmax(np.abs(apart)))
    return JudgedPrices.model_validate(
        {
            "prices": prices,
            "policies": tuple(policies),
            "matches": effects.matches,
            "spread": _spread(effects.gain[known], effects.error[known]),
            "rights": _spread(effects.right[every], effects.right_error[every]),
            "most": _estimate(float(apart[worst]), float(effects.error[known][worst])),
            "most_of": shorts[int(known[worst])],
            "rare": tuple(shorts[int(k)] for k in np.flatnonzero((looked_for > 0) & ~bought)),
        }
    )


def _spread(values: Floats, errors: Floats) -> Estimate:
    """Return the root of the mean square of how far values are from their mean, less what chance alone makes."""
    apart, noise = values - values.mean(), errors**2
    square = float(np.mean(apart**2) - np.mean(noise) * (1 - 1 / len(values)))
    half = _Z * float(np.sqrt(np.sum(2 * noise**2 + 4 * noise * np.maximum(apart**2 - noise, 0.0)))) / len(values)
    return Estimate(value=_root(square), low=_root(square - half), high=_root(square + half))


def rows(board: Board, found: Found, looked_for: Flags) -> tuple[RailroadPrice, ...]:
    """Return what was found of each railroad, those first that add most at the printed price."""
    out = []
    for k, railroad in enumerate(board.railroads):
        known = not np.isnan(found.first.gain[k])
        aimed = bool(looked_for[k]) and not np.isnan(found.prices[k])
        out.append(
            RailroadPrice(
                railroad=railroad.id,
                short=railroad.short,
                printed=railroad.price,
                gain=_estimate(float(found.first.gain[k]), float(found.first.error[k])) if known else None,
                bought=float(found.first.bought[k]),
                worth=_estimate(float(found.prices[k]), float(found.errors[k])) if aimed else None,
                price=int(found.near[k]),
            )
        )
    return tuple(sorted(out, key=lambda row: (-(row.gain.value if row.gain else -1.0), row.railroad)))


def money_estimate(effects: Effects) -> Estimate:
    """Return what a thousand currency units are worth."""
    return _estimate(1_000 * effects.money, 1_000 * effects.money_error)


def _estimate(value: float, error: float) -> Estimate:
    return Estimate(value=value, low=value - _Z * error, high=value + _Z * error)


def _root(square: float) -> float:
    return float(np.sqrt(max(0.0, square)))
