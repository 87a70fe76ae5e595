"""Lines along the middle of the ink: pixels smoothed, moved to the middle of what is under them, and thinned."""

from typing import Final

import numpy as np
import shapely

from mapkit.core.arrays import Floats
from mapkit.kinds.rail.scanning.arrays import Floats32, Ints32

_SMOOTH: Final = 3
_REACH: Final = 3.0
_STEPS: Final = 13
_THIN: Final = 0.4
"""How far a thinned line may lie off, pixels of the picture."""


def line_of(rows: Ints32, columns: Ints32, ink: Floats32) -> Floats:
    """Return the points of a line in pixels of the picture, x and y, from pixels of the half-size one."""
    spots = np.stack((columns, rows), axis=1).astype(float)
    spots = _smoothed(_centred(_smoothed(spots), ink))
    full = spots * 2 + 0.5
    return np.asarray(shapely.get_coordinates(shapely.simplify(shapely.LineString(full), _THIN)))


def _smoothed(spots: Floats) -> Floats:
    """Return points each replaced by the mean of those around it; the ends stay."""
    count = len(spots)
    if count < 2 * _SMOOTH:
        return spots
    sums = np.concatenate((np.zeros((1, 2)), np.cumsum(spots, axis=0)))
    at = np.arange(count)
    reach = np.minimum(np.minimum(at, count - 1 - at), _SMOOTH)
    return np.asarray((sums[at + reach + 1] - sums[at - reach]) / (2 * reach + 1)[:, None])


def _centred(spots: Floats, ink: Floats32) -> Floats:
    """Return points moved across the line to the middle of the ink."""
    if len(spots) < 2:  # noqa: PLR2004 - a line has two ends
        return spots
    along = np.gradient(spots, axis=0)
    across = np.stack((-along[:, 1], along[:, 0]), axis=1) / np.maximum(np.hypot(*along.T), 1e-9)[:, None]
    steps = np.linspace(-_REACH, _REACH, _STEPS)
    seen = spots[:, None] + across[:, None] * steps[None, :, None]
    height, width = ink.shape
    x = np.clip(np.rint(seen[..., 0]).astype(int), 0, width - 1)
    y = np.clip(np.rint(seen[..., 1]).astype(int), 0, height - 1)
    weight = ink[y, x] * np.exp(-((steps / _REACH) ** 2))
    total = weight.sum(axis=1)
    shift = np.where(total > 0.5, (weight * steps).sum(axis=1) / np.maximum(total, 1e-9), 0.0)  # noqa: PLR2004 - some ink
    return np.asarray(spots + across * shift[:, None])
