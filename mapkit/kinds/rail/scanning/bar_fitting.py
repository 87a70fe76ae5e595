"""Bars: dots extended across lines that run side by side. A bar is as wide as a dot and has round ends."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from mapkit.core.arrays import Floats

_CORE_DEPTH: Final = 1.0
"""Depth of the core of a bar below its deepest pixels, pixels."""
_MIN_LENGTH: Final = 0.5
_MAX_LENGTH: Final = 5.0
"""Limits of half the length of a bar's core, in halves of its width."""
_MAX_CORE_SPREAD: Final = 0.3
"""Greatest spread of the core across the bar, in halves of its width."""
_SPOT_SPACING: Final = 0.25
"""Distance between the spots along a bar, in halves of its width."""


@dataclass(frozen=True)
class Bar:
    """Segment that may be the core of a bar: its middle, its direction, and half its length, pixels."""

    x: float
    y: float
    along: tuple[float, float]
    reach: float

    def ends(self, angles: Floats, half: float) -> Floats:
        """Return the distance of the bar's edge from its middle at some angles, for a width of twice `half`."""
        along_share = np.abs(np.cos(angles) * self.along[0] + np.sin(angles) * self.along[1])
        across_share = np.sqrt(np.maximum(1 - along_share**2, 1e-12))
        side_distance = half / across_share
        cap_distance = self.reach * along_share + np.sqrt(np.maximum(half**2 - (self.reach * across_share) ** 2, 0))
        return np.asarray(np.where(side_distance * along_share <= self.reach, side_distance, cap_distance))

    def spots(self, half: float) -> tuple[tuple[float, float], ...]:
        """Return points along the bar; discs around them cover it."""
        steps = np.linspace(-self.reach, self.reach, max(2, round(2 * self.reach / (_SPOT_SPACING * half)) + 1))
        return tuple((self.x + float(t) * self.along[0], self.y + float(t) * self.along[1]) for t in steps)


def find_bar(x: Floats, y: Floats, depth: Floats) -> Bar | None:
    """Return the segment through the deepest ink of a patch; None if the patch is about as long as wide.

    Args:
        x: Pixels of the patch.
        y: Likewise.
        depth: How far each is from the edge of the ink.
    """
    max_depth = float(depth.max())
    is_core = depth >= max_depth - _CORE_DEPTH
    core_xy = np.stack((x[is_core], y[is_core]), axis=1)
    core_middle = core_xy.mean(axis=0)
    _, _, axes = np.linalg.svd(core_xy - core_middle, full_matrices=False)
    if len(axes) < 2:  # noqa: PLR2004 - a plane has two axes
        return None
    along, across = ((core_xy - core_middle) @ axis for axis in axes)
    first_along, last_along = float(along.min()), float(along.max())
    reach = (last_along - first_along) / 2
    if (
        not _MIN_LENGTH * max_depth <= reach <= _MAX_LENGTH * max_depth
        or float(across.std()) > _MAX_CORE_SPREAD * max_depth
    ):
        return None
    x0, y0 = core_middle + axes[0] * (first_along + last_along) / 2
    return Bar(float(x0), float(y0), (float(axes[0][0]), float(axes[0][1])), reach)
