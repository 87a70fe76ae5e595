"""Sums over matches, and what they say with which certainty."""

from collections.abc import Mapping
from math import sqrt
from statistics import NormalDist
from typing import Final, cast

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from mapkit.core.base import Frozen

Totals = Mapping[str, NDArray[np.float64]]
"""Name -> sums over matches, of any shape. Two batches together are their sums, name by name."""

LEVEL: Final = 0.95
"""The confidence of all intervals."""
_Z: Final = NormalDist().inv_cdf((1 + LEVEL) / 2)


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


def together(one: Totals, other: Totals) -> dict[str, NDArray[np.float64]]:
    """Return the totals of two batches."""
    return {name: one[name] + other[name] for name in one}


def share(hits: float, trials: float) -> Share:
    """Return a share with the interval of Wilson (1927); without trials it is 0, and anything is possible."""
    if trials <= 0:
        return Share(share=0, low=0, high=1, of=0)
    rate = hits / trials
    centre = (rate + _Z**2 / (2 * trials)) / (1 + _Z**2 / trials)
    half = _Z / (1 + _Z**2 / trials) * sqrt(rate * (1 - rate) / trials + _Z**2 / (4 * trials**2))
    low, high = (centre - half) if hits > 0 else 0.0, (centre + half) if hits < trials else 1.0
    return Share(share=rate, low=low, high=high, of=int(trials))


def mean(total: float, squares: float, trials: float) -> Mean:
    """Return a mean with the interval of the normal distribution, from a sum and a sum of squares."""
    if trials <= 0:
        return Mean(mean=0, low=0, high=0, deviation=0, of=0)
    middle = total / trials
    variance = max(0.0, squares / trials - middle**2) * (trials / (trials - 1) if trials > 1 else 0.0)
    half = _Z * sqrt(variance / trials)
    return Mean(mean=middle, low=middle - half, high=middle + half, deviation=sqrt(variance), of=int(trials))


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
    out = {name: np.array(cast("list[float]", lists[name]), np.float64) for name in like}
    for name, found in out.items():
        if found.shape != like[name].shape:
            raise ValueError(f"{name} has the shape {found.shape}, not {like[name].shape}")
    return out
