"""Robust linear regression: M-estimates by iterative reweighting, with intervals valid under unequal noise."""

from dataclasses import dataclass
from statistics import NormalDist
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mapkit.core.arrays import median

Vector = NDArray[np.float64]
HUBER = 1.345
TUKEY = 4.685
"""Tuning constants of 95 % efficiency under normal noise (Maronna, Martin & Yohai, Robust Statistics, 2006)."""
MAD_TO_SD = 1.4826
TINY = 1e-9
_MOST_ROUNDS: Final = 50
"""Of reweighting, for each loss."""


@dataclass(frozen=True)
class Estimate:
    """Coefficients with their standard errors, and the weight of each observation."""

    coefficients: Vector
    errors: Vector
    weights: Vector
    scale: float

    def interval(self) -> tuple[Vector, Vector]:
        """Return lower and upper bounds of 95 % intervals."""
        half_width = NormalDist().inv_cdf(0.975) * self.errors
        return self.coefficients - half_width, self.coefficients + half_width


def robust_scale(residuals: Vector) -> float:
    """Return the standard deviation that corresponds to the median absolute residual; never 0."""
    return max(MAD_TO_SD * median(np.abs(residuals)), 1e-6) if len(residuals) else 1.0


def fit_robustly(design: Vector, target: Vector, *, loss: str = "tukey") -> tuple[Vector, Vector]:
    """Return coefficients and weights (0 to 1) of an M-estimate; Tukey's starts from Huber's (MM-estimate).

    Args:
        design: m x p; columns need not be scaled.
        target: m values.
        loss: `huber` or `tukey`.
    """
    column_scale = np.maximum(np.abs(design).max(axis=0), TINY)
    scaled_design = design / column_scale
    weights = np.ones(len(target))
    coefficients = np.zeros(design.shape[1])
    for loss_name in ("huber",) if loss == "huber" else ("huber", "tukey"):
        for _ in range(_MOST_ROUNDS):
            root_weights = np.sqrt(weights)
            last_coefficients, coefficients = (
                coefficients,
                np.linalg.lstsq(scaled_design * root_weights[:, None], target * root_weights, rcond=None)[0],
            )
            if np.abs(coefficients - last_coefficients).max() < 1e-7 * (1 + np.abs(coefficients).max()):
                break
            absolute_residuals = np.abs(target - scaled_design @ coefficients)
            scaled_residuals = np.maximum(absolute_residuals, TINY) / robust_scale(absolute_residuals)
            weights = (
                np.minimum(1, HUBER / scaled_residuals)
                if loss_name == "huber"
                else np.clip(1 - (scaled_residuals / TUKEY) ** 2, 0, 1) ** 2
            )
    return coefficients / column_scale, weights


def estimate(design: Vector, target: Vector, *, loss: str = "tukey") -> Estimate:
    """Return an M-estimate with sandwich standard errors (Huber, Robust Statistics, 1981, 7.6)."""
    coefficients, weights = fit_robustly(design, target, loss=loss)
    residuals = target - design @ coefficients
    scale = robust_scale(residuals)
    column_scale = np.maximum(np.abs(design).max(axis=0), TINY)
    scaled_design = design / column_scale
    scaled_residuals = residuals / scale
    if loss == "huber":
        psi, psi_slope = np.clip(scaled_residuals, -HUBER, HUBER), (np.abs(scaled_residuals) <= HUBER).astype(float)
    else:
        is_inside = np.abs(scaled_residuals) <= TUKEY
        bisquare_factor = np.where(is_inside, 1 - (scaled_residuals / TUKEY) ** 2, 0)
        psi, psi_slope = (
            scaled_residuals * bisquare_factor**2,
            np.where(is_inside, bisquare_factor * (1 - 5 * (scaled_residuals / TUKEY) ** 2), 0),
        )
    sandwich_bread = np.linalg.pinv(scaled_design.T @ (scaled_design * psi_slope[:, None]))
    sandwich_meat = scaled_design.T @ (scaled_design * (psi**2)[:, None])
    degrees_correction = len(target) / max(len(target) - design.shape[1], 1)
    standard_errors = (
        scale
        * np.sqrt(np.maximum(np.diag(sandwich_bread @ sandwich_meat @ sandwich_bread) * degrees_correction, 0))
        / column_scale
    )
    return Estimate(coefficients, standard_errors, weights, scale)
