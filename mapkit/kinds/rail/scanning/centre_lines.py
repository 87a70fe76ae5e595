"""Centre lines of ink: pixels smoothed, moved to the middle of the ink under them, and simplified."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import shapely

from mapkit.core.arrays import Floats
from mapkit.kinds.rail.scanning.arrays import Floats32, Ints32

_SMOOTHING_REACH: Final = 3
_CENTRING_REACH: Final = 3.0
_CENTRING_STEPS: Final = 13
_SIMPLIFY_TOLERANCE: Final = 0.4
"""Tolerance of line simplification, pixels of the picture."""
_MEETING_REACH: Final = 4.0
"""Greatest distance of a loose end from the line that it joins, pixels of the picture."""
_SAME_SPOT: Final = 0.05


def trace_centre_line(rows: Ints32, columns: Ints32, ink: Floats32) -> Floats:
    """Return the points of a line in pixels of the picture, x and y, from pixels of the half-size one."""
    half_xy = np.stack((columns, rows), axis=1).astype(float)
    half_xy = _smooth_points(_centre_points(_smooth_points(half_xy), ink))
    full_xy = half_xy * 2 + 0.5
    return np.asarray(shapely.get_coordinates(shapely.simplify(shapely.LineString(full_xy), _SIMPLIFY_TOLERANCE)))


def join_loose_ends(lines: Sequence[Floats], loose: Sequence[tuple[bool, bool]]) -> list[Floats]:
    """Extend the loose ends of a railroad's lines onto the nearest other line, and add a vertex there.

    Args:
        lines: Points, x and y in pixels.
        loose: Whether the first and the last point of each is a junction on another line.
    """
    extended_lines = list(lines)
    for i, loose_ends in enumerate(loose):
        for end_index, is_loose in zip((0, -1), loose_ends, strict=True):
            if is_loose:
                _extend_end(extended_lines, i, end_index)
    return extended_lines


def _extend_end(lines: list[Floats], i: int, at: int) -> None:
    """Move one end of a line onto the nearest other line, if that is near."""
    other_numbers = [j for j, line in enumerate(lines) if j != i and len(line) > 1]
    end_point = shapely.Point(lines[i][at])
    line_distances = shapely.distance(end_point, [shapely.LineString(lines[j]) for j in other_numbers])
    if not other_numbers or line_distances.min() > _MEETING_REACH:
        return
    j = other_numbers[int(line_distances.argmin())]
    other_line = shapely.LineString(lines[j])
    distance_along = float(shapely.line_locate_point(other_line, end_point))
    meeting_xy = shapely.get_coordinates(shapely.line_interpolate_point(other_line, distance_along))
    lines[i] = np.concatenate((meeting_xy, lines[i][1:]) if at == 0 else (lines[i][:-1], meeting_xy))
    vertex_distances = np.concatenate(([0.0], np.cumsum(np.hypot(*np.diff(lines[j], axis=0).T))))
    if np.abs(vertex_distances - distance_along).min() >= _SAME_SPOT:
        lines[j] = np.insert(lines[j], int(np.searchsorted(vertex_distances, distance_along)), meeting_xy[0], axis=0)


def _smooth_points(spots: Floats) -> Floats:
    """Replace each point by the mean of those around it; the ends stay."""
    point_count = len(spots)
    if point_count < 2 * _SMOOTHING_REACH:
        return spots
    running_sums = np.concatenate((np.zeros((1, 2)), np.cumsum(spots, axis=0)))
    point_index = np.arange(point_count)
    window_reach = np.minimum(np.minimum(point_index, point_count - 1 - point_index), _SMOOTHING_REACH)
    return np.asarray(
        (running_sums[point_index + window_reach + 1] - running_sums[point_index - window_reach])
        / (2 * window_reach + 1)[:, None]
    )


def _centre_points(spots: Floats, ink: Floats32) -> Floats:
    """Move points across the line to the middle of the ink."""
    if len(spots) < 2:  # noqa: PLR2004 - a line has two ends
        return spots
    directions = np.gradient(spots, axis=0)
    normals = (
        np.stack((-directions[:, 1], directions[:, 0]), axis=1) / np.maximum(np.hypot(*directions.T), 1e-9)[:, None]
    )
    offset_steps = np.linspace(-_CENTRING_REACH, _CENTRING_REACH, _CENTRING_STEPS)
    sample_xy = spots[:, None] + normals[:, None] * offset_steps[None, :, None]
    height, width = ink.shape
    x = np.clip(np.rint(sample_xy[..., 0]).astype(int), 0, width - 1)
    y = np.clip(np.rint(sample_xy[..., 1]).astype(int), 0, height - 1)
    ink_weights = ink[y, x] * np.exp(-((offset_steps / _CENTRING_REACH) ** 2))
    weight_sums = ink_weights.sum(axis=1)
    mean_offset = (ink_weights * offset_steps).sum(axis=1) / np.maximum(weight_sums, 1e-9)
    normal_shift = np.where(weight_sums > 0.5, mean_offset, 0.0)  # noqa: PLR2004 - some ink
    return np.asarray(spots + normals * normal_shift[:, None])
