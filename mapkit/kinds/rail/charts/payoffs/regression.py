"""Robust linear regression: M-estimates by reweighting, with intervals that hold under unequal noise."""

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from mapkit.core.arrays import median

Vector = NDArray[np.float64]
HUBER = 1.345
TUKEY = 4.685
"""Tuning constants of 95 % efficiency under normal noise (Maronna, Martin & Yohai, Robust Statistics, 2006)."""
MAD_TO_SD = 1.4826
TINY = 1e-9


@dataclass(frozen=True)
class Estimate:
    """Coefficients with their standard errors, and the weight of each observation."""

    coefficients: Vector
    errors: Vector
    weights: Vector
    scale: float

    def interval(self, level: float = 0.95) -> tuple[Vector, Vector]:
        """Return lower and upper bounds."""
        reach = NormalDist().inv_cdf(0.5 + level / 2) * self.errors
        return self.coefficients - reach, self.coefficients + reach


def robust_scale(residuals: Vector) -> float:
    """Return the standard deviation that the median absolute residual stands for; never 0."""
    return max(MAD_TO_SD * median(np.abs(residuals)), 1e-6) if len(residuals) else 1.0


def fit_robustly(design: Vector, target: Vector, *, loss: str = "tukey", rounds: int = 50) -> tuple[Vector, Vector]:
    """Return coefficients and weights (0 to 1) of an M-estimate; Tukey's starts from Huber's, as an MM-estimate does.

    Args:
        design: m x p; columns need not be scaled.
        target: m values.
        loss: `huber` or `tukey`.
        rounds: Reweightings at most for each loss.
    """
    size = np.maximum(np.abs(design).max(axis=0), TINY)
    scaled = design / size
    weights = np.ones(len(target))
    found = np.zeros(design.shape[1])
    for kind in ("huber",) if loss == "huber" else ("huber", "tukey"):
        for _ in range(rounds):
            root = np.sqrt(weights)
            last, found = found, np.linalg.lstsq(scaled * root[:, None], target * root, rcond=None)[0]
            if np.abs(found - last).max() < 1e-7 * (1 + np.abs(found).max()):
                break
            off = np.abs(target - scaled @ found)
            unit = np.maximum(off, TINY) / robust_scale(off)
            weights = np.minimum(1, HUBER / unit) if kind == "huber" else np.clip(1 - (unit / TUKEY) ** 2, 0, 1) ** 2
    return found / size, weights


def estimate(design: Vector, target: Vector, *, loss: str = "tukey") -> Estimate:
    """Return an M-estimate with sandwich standard errors (Huber, Robust Statistics, 1981, 7.6)."""
    coefficients, weights = fit_robustly(design, target, loss=loss)
    residual = target - design @ coefficients
    scale = robust_scale(residual)
    size = np.maximum(np.abs(design).max(axis=0), TINY)
    scaled = design / size
    unit = residual / scale
    if loss == "huber":
        psi, slope = np.clip(unit, -HUBER, HUBER), (np.abs(unit) <= HUBER).astype(float)
    else:
        inside = np.abs(unit) <= TUKEY
        share = np.where(inside, 1 - (unit / TUKEY) ** 2, 0)
        psi, slope = unit * share**2, np.where(inside, share * (1 - 5 * (unit / TUKEY) ** 2), 0)
    bread = np.linalg.pinv(scaled.T @ (scaled * slope[:, None]))
    meat = scaled.T @ (scaled * (psi**2)[:, None])
    few = len(target) / max(len(target) - design.shape[1], 1)
    errors = scale * np.sqrt(np.maximum(np.diag(bread @ meat @ bread) * few, 0)) / size
    return Estimate(coefficients, errors, weights, scale)
