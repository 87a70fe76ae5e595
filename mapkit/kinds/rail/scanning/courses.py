"""Lines along the middle of the ink: pixels smoothed, moved to the middle of what is under them, and thinned."""

from collections.abc import Sequence
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
_MEETS: Final = 4.0
"""How far off the line that it joins the end of a line may be, pixels of the picture."""
_SAME_SPOT: Final = 0.05


def line_of(rows: Ints32, columns: Ints32, ink: Floats32) -> Floats:
    """Return the points of a line in pixels of the picture, x and y, from pixels of the half-size one."""
    spots = np.stack((columns, rows), axis=1).astype(float)
    spots = _smoothed(_centred(_smoothed(spots), ink))
    full = spots * 2 + 0.5
    return np.asarray(shapely.get_coordinates(shapely.simplify(shapely.LineString(full), _THIN)))


def meeting(lines: Sequence[Floats], loose: Sequence[tuple[bool, bool]]) -> list[Floats]:
    """Return lines of a railroad whose loose ends lie on the nearest other line, which gets a vertex there.

    Args:
        lines: Points, x and y in pixels.
        loose: Whether the first and the last point of each is a junction on another line.
    """
    out = list(lines)
    for i, ends in enumerate(loose):
        for at, is_loose in zip((0, -1), ends, strict=True):
            if is_loose:
                _meet(out, i, at)
    return out


def _meet(lines: list[Floats], i: int, at: int) -> None:
    """Move one end of a line onto the nearest other line, if that is near."""
    others = [j for j, line in enumerate(lines) if j != i and len(line) > 1]
    end = shapely.Point(lines[i][at])
    far = shapely.distance(end, [shapely.LineString(lines[j]) for j in others])
    if not others or far.min() > _MEETS:
        return
    j = others[int(far.argmin())]
    other = shapely.LineString(lines[j])
    along = float(shapely.line_locate_point(other, end))
    spot = shapely.get_coordinates(shapely.line_interpolate_point(other, along))
    lines[i] = np.concatenate((spot, lines[i][1:]) if at == 0 else (lines[i][:-1], spot))
    lines[j] = _with_vertex(lines[j], spot, along)


def _with_vertex(line: Floats, spot: Floats, along: float) -> Floats:
    """Return a line with a vertex so far along it; as it is if one is there."""
    lengths = np.concatenate(([0.0], np.cumsum(np.hypot(*np.diff(line, axis=0).T))))
    if np.abs(lengths - along).min() < _SAME_SPOT:
        return line
    return np.insert(line, int(np.searchsorted(lengths, along)), spot[0], axis=0)


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
