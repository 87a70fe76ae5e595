"""Differences between two runs, match by match: what is alike in both cancels out.

Every figure is a ratio of two sums over matches (a mean divides by the number of matches). Of each figure the sums and
the products of its four numbers are kept, so memory does not grow with the matches, and the interval of a difference
follows from how the four vary together (the delta method). Whether two runs differ at all is asked once, of some
figures together (Hotelling, "The generalization of Student's ratio", 1931), because of many intervals some miss zero
by chance.
"""

from collections.abc import Iterable
from math import exp, isfinite, isnan, lgamma, log, log1p, sqrt
from statistics import NormalDist
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from mapkit.core.base import Frozen
from mapkit.playing.figures import LEVEL, Totals

Floats = NDArray[np.float64]

DIFFERENT: Final = 0.05
"""Below this chance two boards are called different."""
_Z: Final = NormalDist().inv_cdf((1 + LEVEL) / 2)
_TINY: Final = 1e-9
"""Shares of a variance below which it is what rounding left."""
_STEPS: Final = 500
_SMALL: Final = 1e-300


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
    """What a figure is in both runs, and by how much the second is larger; NaN where it was never counted."""

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
    four = np.concatenate([one, other], axis=2)
    return {
        "matches": np.array([len(four)], np.float64),
        "sums": four.sum(axis=0),
        "products": np.einsum("nki,nkj->kij", four, four),
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


def compared(names: Iterable[tuple[str, str, str]], totals: Totals) -> tuple[FigureDifference, ...]:
    """Return what the sums say of each figure; those that were never counted on one board are left out.

    Args:
        names: Part, id and name of each figure, in the order of the sums.
        totals: Sums of batches, see `paired_sums`.
    """
    out = []
    for (part, ident, figure), found in zip(names, differences(totals), strict=True):
        if isnan(found.one):
            continue
        out.append(
            FigureDifference(
                part=part,
                id=ident,
                figure=figure,
                a=found.one,
                b=found.other,
                difference=found.difference,
                low=found.difference - found.half,
                high=found.difference + found.half,
                saving=found.saving if isfinite(found.saving) else None,
            )
        )
    return tuple(out)


def _difference(means: Floats, products: Floats, matches: float) -> Difference:
    above_one, below_one, above_other, below_other = means.tolist()
    if below_one <= 0 or below_other <= 0:
        return Difference(*[float("nan")] * 5)
    one, other = above_one / below_one, above_other / below_other
    pull = np.array([-1 / below_one, one / below_one, 1 / below_other, -other / below_other])
    apart = products.copy()
    apart[:2, 2:] = apart[2:, :2] = 0
    alone, paired = float(pull @ apart @ pull), float(pull @ products @ pull)
    paired = 0.0 if paired < _TINY * alone else paired
    saving = alone / paired if paired > 0 else (1.0 if alone <= 0 else float("inf"))
    return Difference(one, other, other - one, _Z * sqrt(paired / matches), saving)


def chance_of_none(totals: Totals) -> float:
    """Return how often two runs of the same thing differ by as much as these: below 0.05 they are called different.

    What does not vary is left out, and so is what follows from the rest; 1 where nothing is left.
    """
    matches = float(totals["matches"][0])
    mean = totals["differences"] / matches
    spread = totals["squares"] / matches - np.outer(mean, mean)
    size = np.sqrt(np.clip(np.diag(spread), 0, None))
    kept = size > _TINY * max(1.0, float(size.max(initial=0.0)))
    if not kept.any() or matches <= len(mean) + 1:
        return 1.0
    scaled = mean[kept] / size[kept]
    values, ways = np.linalg.eigh(spread[np.ix_(kept, kept)] / np.outer(size[kept], size[kept]))
    free = values > _TINY * values.max()
    many = int(free.sum())
    square = float((((ways.T @ scaled)[free]) ** 2 / values[free]).sum()) * (matches - 1)
    ratio = square * (matches - many) / (many * (matches - 1))
    return f_above(ratio, many, matches - many)


def f_above(ratio: float, above: float, below: float) -> float:
    """Return the chance that F with these degrees of freedom is larger than a ratio."""
    if ratio <= 0:
        return 1.0
    return _beta(below / (below + above * ratio), below / 2, above / 2)


def _beta(x: float, a: float, b: float) -> float:
    """Return the regularised incomplete beta function, by its continued fraction (Lentz's method)."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - _beta(1 - x, b, a)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x)) / a
    c, d = 1.0, 1 / _off_zero(1 - (a + b) * x / (a + 1))
    out = d
    for m in range(1, _STEPS):
        for part in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 / _off_zero(1 + part * d)
            c = _off_zero(1 + part / c)
            out *= c * d
        if abs(c * d - 1) < _TINY * _TINY**0.5:
            break
    return front * out


def _off_zero(value: float) -> float:
    return value if abs(value) > _SMALL else _SMALL
