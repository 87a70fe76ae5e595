"""Bars: dots drawn out across lines that run side by side. A bar is as wide as a dot and has round ends."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from mapkit.core.arrays import Floats

_CORE: Final = 1.0
"""How much nearer the edge than its deepest pixels the core of a bar reaches, pixels."""
_LEAST_LENGTH: Final = 0.5
_MOST_LENGTH: Final = 5.0
"""How much longer than wide a bar is, in halves of its width."""
_THIN: Final = 0.3
"""How far the core of a bar spreads across it, in halves of its width."""
_SPACING: Final = 0.25
"""How near each other the spots are that stand for a bar, in halves of its width."""


@dataclass(frozen=True)
class Bar:
    """A segment that may be the core of a bar: its middle, its direction, and half its length, pixels."""

    x: float
    y: float
    along: tuple[float, float]
    reach: float

    def ends(self, angles: Floats, half: float) -> Floats:
        """Return how far the edge of the bar is from its middle at some angles, if it is twice `half` wide."""
        down = np.abs(np.cos(angles) * self.along[0] + np.sin(angles) * self.along[1])
        across = np.sqrt(np.maximum(1 - down**2, 1e-12))
        side = half / across
        cap = self.reach * down + np.sqrt(np.maximum(half**2 - (self.reach * across) ** 2, 0))
        return np.asarray(np.where(side * down <= self.reach, side, cap))

    def spots(self, half: float) -> tuple[tuple[float, float], ...]:
        """Return places along the bar; discs around them cover it."""
        steps = np.linspace(-self.reach, self.reach, max(2, round(2 * self.reach / (_SPACING * half)) + 1))
        return tuple((self.x + float(t) * self.along[0], self.y + float(t) * self.along[1]) for t in steps)


def bar_in(x: Floats, y: Floats, depth: Floats) -> Bar | None:
    """Return the segment along which a patch of ink is deepest; None if it is about as long as wide.

    Args:
        x: Pixels of the patch.
        y: Likewise.
        depth: How far each is from the edge of the ink.
    """
    most = float(depth.max())
    core = depth >= most - _CORE
    spots = np.stack((x[core], y[core]), axis=1)
    middle = spots.mean(axis=0)
    _, _, axes = np.linalg.svd(spots - middle, full_matrices=False)
    if len(axes) < 2:  # noqa: PLR2004 - a plane has two axes
        return None
    along, across = ((spots - middle) @ axis for axis in axes)
    low, high = float(along.min()), float(along.max())
    reach = (high - low) / 2
    if not _LEAST_LENGTH * most <= reach <= _MOST_LENGTH * most or float(across.std()) > _THIN * most:
        return None
    x0, y0 = middle + axes[0] * (low + high) / 2
    return Bar(float(x0), float(y0), (float(axes[0][0]), float(axes[0][1])), reach)
