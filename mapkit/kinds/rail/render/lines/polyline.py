"""Polylines as arrays of shape (n, 2): length, resampling, offset, smoothing."""

import numpy as np
import shapely
from numpy.typing import NDArray

Array = NDArray[np.float64]

_TINY = 1e-9
_CLOSE_CALL = 1e-4


def to_shapely_points(xy: Array) -> NDArray[np.object_]:
    """Return the vertices as shapely points."""
    return np.atleast_1d(np.asarray(shapely.points(xy), dtype=object))


def round_exactly(values: Array, decimals: int) -> Array:
    """Round the values as Python does, by their exact decimal fractions; numpy's rounding is off in close cases."""
    rounded_values = np.round(values, decimals)
    scaled_values = np.abs(values) * 10.0**decimals
    close_calls = np.flatnonzero(np.abs(scaled_values - np.floor(scaled_values) - 0.5) < _CLOSE_CALL)
    rounded_values[close_calls] = [round(value, decimals) for value in values[close_calls].tolist()]
    return rounded_values


def cumulative_lengths(line: Array) -> Array:
    """Return the distance along the line at each vertex, from 0."""
    x, y = (line[1:] - line[:-1]).T
    vertex_distances = np.zeros(len(line))
    np.cumsum(np.sqrt(x * x + y * y), out=vertex_distances[1:])
    return vertex_distances


def interpolate_points(line: Array, distances: Array) -> Array:
    """Return the points at distances along the line."""
    return _interpolate(line, cumulative_lengths(line), distances)


def resample_line(line: Array, spacing: float) -> Array:
    """Resample the line with evenly spaced vertices, `spacing` apart at most, at least three."""
    vertex_distances = cumulative_lengths(line)
    total_length = float(vertex_distances[-1])
    vertex_count = max(3, int(np.ceil(total_length / spacing)) + 1)
    even_distances = np.arange(vertex_count, dtype=np.float64)
    even_distances *= total_length / (vertex_count - 1)  # same as numpy's `linspace`, but far faster for so few points
    even_distances[-1] = total_length
    return _interpolate(line, vertex_distances, even_distances)


def _interpolate(line: Array, along: Array, distances: Array) -> Array:
    interpolated = np.empty((len(distances), 2))
    interpolated[:, 0] = np.interp(distances, along, line[:, 0])
    interpolated[:, 1] = np.interp(distances, along, line[:, 1])
    return interpolated


def line_normals(line: Array) -> Array:
    """Return a unit vector at each vertex, to the right of travel with y downward."""
    tangents = np.empty_like(line)
    tangents[1:-1] = line[2:] - line[:-2]
    tangents[0], tangents[-1] = line[1] - line[0], line[-1] - line[-2]
    tangent_lengths = np.sqrt((tangents**2).sum(axis=1, keepdims=True))
    tangents = tangents / np.maximum(tangent_lengths, _TINY)
    return np.column_stack((-tangents[:, 1], tangents[:, 0]))


def smooth_polyline(line: Array, rounds: int) -> Array:
    """Smooth the line by `rounds` passes of the weights 1, 2, 1, close to a Gaussian; its ends stay.

    On vertices a step apart the Gaussian's standard deviation is `sqrt(rounds / 2)` steps.
    """
    smooth_line = line.copy()
    for _ in range(rounds):
        smooth_line[1:-1] = (smooth_line[:-2] + 2 * smooth_line[1:-1] + smooth_line[2:]) / 4
    return smooth_line


def fit_curve(line: Array, parts: int) -> Array:
    """Divide each edge of the line into `parts` of a Catmull-Rom spline (1974) through its vertices."""
    points_before = np.concatenate((2 * line[:1] - line[1:2], line[:-2]))
    points_after = np.concatenate((line[2:], 2 * line[-1:] - line[-2:-1]))
    edge_starts, edge_ends = line[:-1], line[1:]
    curve_points = np.empty((len(edge_starts) * parts + 1, 2))
    for k in range(parts):
        t = k / parts
        t2, t3 = t * t, t * t * t
        curve_points[k:-1:parts] = (
            (2 * edge_starts)
            + (edge_ends - points_before) * t
            + (2 * points_before - 5 * edge_starts + 4 * edge_ends - points_after) * t2
            + (3 * edge_starts - points_before - 3 * edge_ends + points_after) * t3
        ) / 2
    curve_points[-1] = line[-1]
    return curve_points


def offset_line(line: Array, offset: float, ports: tuple[Array, Array], lead: float) -> Array:
    """Offset the line to its right by `offset`, its ends by the vectors `ports`, with a smooth change between.

    Args:
        line: Shape (n, 2).
        offset: In millimetres.
        ports: Start and end of the shifted line, relative to the ends of the line.
        lead: Length of the change from an end to the offset.
    """
    vertex_distances = cumulative_lengths(line)
    total_length = float(vertex_distances[-1])
    lead = min(lead, total_length / 2)
    vertex_shifts = offset * line_normals(line)
    for port, end_distances in zip(ports, (vertex_distances, total_length - vertex_distances), strict=True):
        t = np.clip(end_distances / max(lead, _TINY), 0.0, 1.0)
        offset_share = (t * t * (3 - 2 * t))[:, None]
        vertex_shifts = offset_share * vertex_shifts + (1 - offset_share) * port
    return line + vertex_shifts
