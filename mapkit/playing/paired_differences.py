"""Paired differences between two runs, match by match, so that common luck cancels out.

Every figure is a ratio of two sums over matches (a mean divides by the number of matches). Only the sums and products
of its four numbers are stored, so memory does not grow with the matches, and the interval of a difference follows from
their covariance (the delta method). Whether two runs differ at all is tested once, for several figures together
(Hotelling, "The generalization of Student's ratio", 1931), because among many intervals some miss zero by chance.
"""

from collections.abc import Iterable
from math import exp, isfinite, isnan, lgamma, log, log1p, sqrt
from statistics import NormalDist
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from mapkit.core.arrays import Floats
from mapkit.core.base import Frozen
from mapkit.playing.figures import LEVEL, Totals

DIFFERENT: Final = 0.05
"""Below this chance two boards are called different."""
_NORMAL_QUANTILE: Final = NormalDist().inv_cdf((1 + LEVEL) / 2)
_TINY: Final = 1e-9
"""Shares of a variance below which it is what rounding left."""
_MAX_STEPS: Final = 500
_SMALLEST_DIVISOR: Final = 1e-300


class FigureDifference(Frozen):
    """A figure on both boards, with the 95 % interval of its difference."""

    part: str = Field(description="What it is of: match, player, seat, or what the board has, as railroad")
    id: str = Field(description="Which one: a number from 1, or an id")
    figure: str
    a: float
    b: float
    difference: float = Field(description="B less A")
    low: float
    high: float
    saving: float | None = Field(
        description="How many times larger the variance of the difference would be with independent runs; none if the "
        "difference is the same in all matches"
    )


class Difference(NamedTuple):
    """Values of a figure in both runs, and their difference; NaN if it was never counted."""

    one: float
    other: float
    difference: float
    half: float
    """Half the width of the 95 % interval of the difference."""
    saving: float
    """How many times larger the variance were if the two runs had nothing in common."""


def paired_sums(one: Floats, other: Floats, together: Floats) -> dict[str, NDArray[np.float64]]:
    """Return the sums of a batch.

    Args:
        one: N matches x K figures x 2: above and below the line, of the first run.
        other: Likewise of the second, in the same matches.
        together: N x C: differences, the second less the first, of what is tested together.
    """
    stacked_figures = np.concatenate([one, other], axis=2)
    return {
        "matches": np.array([len(stacked_figures)], np.float64),
        "sums": stacked_figures.sum(axis=0),
        "products": np.einsum("nki,nkj->kij", stacked_figures, stacked_figures),
        "differences": together.sum(axis=0),
        "squares": together.T @ together,
    }


def differences(totals: Totals) -> list[Difference]:
    """Return the difference of each figure."""
    matches = float(totals["matches"][0])
    return [
        _difference(sums / matches, products / matches, matches)
        for sums, products in zip(totals["sums"], totals["products"], strict=True)
    ]


def compare_figures(names: Iterable[tuple[str, str, str]], totals: Totals) -> tuple[FigureDifference, ...]:
    """Return the difference of each figure; figures that were never counted on one board are left out.

    Args:
        names: Part, id and name of each figure, in the order of the sums.
        totals: Sums of batches, see `paired_sums`.
    """
    figure_differences = []
    for (part, ident, figure), difference in zip(names, differences(totals), strict=True):
        if isnan(difference.one):
            continue
        figure_differences.append(
            FigureDifference(
                part=part,
                id=ident,
                figure=figure,
                a=difference.one,
                b=difference.other,
                difference=difference.difference,
                low=difference.difference - difference.half,
                high=difference.difference + difference.half,
                saving=difference.saving if isfinite(difference.saving) else None,
            )
        )
    return tuple(figure_differences)


def _difference(means: Floats, products: Floats, matches: float) -> Difference:
    above_one, below_one, above_other, below_other = means.tolist()
    if below_one <= 0 or below_other <= 0:
        return Difference(*[float("nan")] * 5)
    one, other = above_one / below_one, above_other / below_other
    gradient = np.array([-1 / below_one, one / below_one, 1 / below_other, -other / below_other])
    unpaired_products = products.copy()
    unpaired_products[:2, 2:] = unpaired_products[2:, :2] = 0
    unpaired_variance, paired_variance = (
        float(gradient @ unpaired_products @ gradient),
        float(gradient @ products @ gradient),
    )
    paired_variance = 0.0 if paired_variance < _TINY * unpaired_variance else paired_variance
    saving = (
        unpaired_variance / paired_variance
        if paired_variance > 0
        else (1.0 if unpaired_variance <= 0 else float("inf"))
    )
    return Difference(one, other, other - one, _NORMAL_QUANTILE * sqrt(paired_variance / matches), saving)


def difference_p_value(totals: Totals) -> float:
    """Return the p-value of Hotelling's T-squared test: how often two equal boards would differ by as much.

    Figures without variance, and those that depend linearly on others, are left out; 1 if none remains.
    """
    matches = float(totals["matches"][0])
    mean_differences = totals["differences"] / matches
    covariance = totals["squares"] / matches - np.outer(mean_differences, mean_differences)
    deviations = np.sqrt(np.clip(np.diag(covariance), 0, None))
    is_varying = deviations > _TINY * max(1.0, float(deviations.max(initial=0.0)))
    if not is_varying.any() or matches <= len(mean_differences) + 1:
        return 1.0
    scaled_means = mean_differences[is_varying] / deviations[is_varying]
    eigenvalues, eigenvectors = np.linalg.eigh(
        covariance[np.ix_(is_varying, is_varying)] / np.outer(deviations[is_varying], deviations[is_varying])
    )
    is_independent = eigenvalues > _TINY * eigenvalues.max()
    independent_count = int(is_independent.sum())
    t_squared = float((((eigenvectors.T @ scaled_means)[is_independent]) ** 2 / eigenvalues[is_independent]).sum()) * (
        matches - 1
    )
    f_ratio = t_squared * (matches - independent_count) / (independent_count * (matches - 1))
    return f_tail_probability(f_ratio, independent_count, matches - independent_count)


def f_tail_probability(ratio: float, above: float, below: float) -> float:
    """Return the upper tail probability of the F distribution with these degrees of freedom."""
    if ratio <= 0:
        return 1.0
    return _incomplete_beta(below / (below + above * ratio), below / 2, above / 2)


def _incomplete_beta(x: float, a: float, b: float) -> float:
    """Return the regularised incomplete beta function, by its continued fraction (Lentz's method)."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - _incomplete_beta(1 - x, b, a)
    prefactor = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x)) / a
    c, d = 1.0, 1 / _avoid_zero(1 - (a + b) * x / (a + 1))
    fraction = d
    for m in range(1, _MAX_STEPS):
        for coefficient in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 / _avoid_zero(1 + coefficient * d)
            c = _avoid_zero(1 + coefficient / c)
            fraction *= c * d
        if abs(c * d - 1) < _TINY * _TINY**0.5:
            break
    return prefactor * fraction


def _avoid_zero(value: float) -> float:
    return value if abs(value) > _SMALLEST_DIVISOR else _SMALLEST_DIVISOR
