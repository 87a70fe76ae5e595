"""Statistics from sums over matches, with confidence intervals."""

from collections.abc import Mapping
from math import sqrt
from statistics import NormalDist
from typing import Final, cast

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from mapkit.core.arrays import Floats
from mapkit.core.base import Frozen

Totals = Mapping[str, NDArray[np.float64]]
"""Sums over matches by name, of any shape; the totals of two batches are added name by name."""

LEVEL: Final = 0.95
"""Confidence level of all intervals."""
_NORMAL_QUANTILE: Final = NormalDist().inv_cdf((1 + LEVEL) / 2)


class Share(Frozen):
    """A share of trials with its 95 % interval, all of 1."""

    share: float
    low: float
    high: float
    of: int = Field(description="How many trials")


class Mean(Frozen):
    """A mean with its 95 % interval."""

    mean: float
    low: float
    high: float
    deviation: float = Field(description="Standard deviation of one trial")
    of: int = Field(description="How many trials")


def add_totals(one: Totals, other: Totals) -> dict[str, NDArray[np.float64]]:
    """Add the totals of two batches, name by name."""
    return {name: one[name] + other[name] for name in one}


def share(hits: float, trials: float) -> Share:
    """Return a share with Wilson's score interval (1927); without trials, 0 with the interval from 0 to 1."""
    if trials <= 0:
        return Share(share=0, low=0, high=1, of=0)
    observed_rate = hits / trials
    centre = (observed_rate + _NORMAL_QUANTILE**2 / (2 * trials)) / (1 + _NORMAL_QUANTILE**2 / trials)
    half_width = (
        _NORMAL_QUANTILE
        / (1 + _NORMAL_QUANTILE**2 / trials)
        * sqrt(observed_rate * (1 - observed_rate) / trials + _NORMAL_QUANTILE**2 / (4 * trials**2))
    )
    low, high = (centre - half_width) if hits > 0 else 0.0, (centre + half_width) if hits < trials else 1.0
    return Share(share=observed_rate, low=low, high=high, of=int(trials))


def mean(total: float, squares: float, trials: float) -> Mean:
    """Return a mean with its normal-approximation interval, from the sum and the sum of squares of all trials."""
    if trials <= 0:
        return Mean(mean=0, low=0, high=0, deviation=0, of=0)
    sample_mean = total / trials
    variance = max(0.0, squares / trials - sample_mean**2) * (trials / (trials - 1) if trials > 1 else 0.0)
    half_width = _NORMAL_QUANTILE * sqrt(variance / trials)
    return Mean(
        mean=sample_mean,
        low=sample_mean - half_width,
        high=sample_mean + half_width,
        deviation=sqrt(variance),
        of=int(trials),
    )


def as_lists(totals: Totals) -> dict[str, object]:
    """Return totals as lists, for a file."""
    return {name: totals[name].tolist() for name in sorted(totals)}


def from_lists(lists: Mapping[str, object], like: Totals) -> dict[str, NDArray[np.float64]]:
    """Return totals from the lists of a file.

    Raises:
        ValueError: Names or shapes are not those of `like`.
    """
    if lists.keys() != like.keys():
        raise ValueError("it has other totals")
    totals = {name: np.array(cast("list[float]", lists[name]), np.float64) for name in like}
    for name, total_array in totals.items():
        if total_array.shape != like[name].shape:
            raise ValueError(f"{name} has the shape {total_array.shape}, not {like[name].shape}")
    return totals


def sum_figures(values: Floats) -> Floats:
    """Return sums and sums of squares over matches, 2 x figures, of figures by match."""
    return np.stack([values.sum(axis=0), (values**2).sum(axis=0)])


def mean_of(sums: Floats, figure: int, trials: float) -> Mean:
    """Return the mean of a figure from its sums, see `sum_figures`."""
    return mean(float(sums[0, figure]), float(sums[1, figure]), float(trials))


def widest_interval(totals: Totals) -> float:
    """Return half the width of the widest interval of a player's or seat's win rate, of 1."""
    matches = float(totals["matches"][0])
    win_counts = (*totals["wins by player"], *totals["wins by seat"])
    return max((one.high - one.low) / 2 for one in (share(count, matches) for count in win_counts))
