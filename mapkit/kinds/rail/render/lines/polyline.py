"""Polylines as arrays of shape (n, 2): length, resampling, offset."""

import numpy as np
import shapely
from numpy.typing import NDArray

Array = NDArray[np.float64]

_TINY = 1e-9
_CLOSE = 1e-4


def as_points(xy: Array) -> NDArray[np.object_]:
    """Return the vertices as shapely points."""
    return np.atleast_1d(np.asarray(shapely.points(xy), dtype=object))


def rounded(values: Array, decimals: int) -> Array:
    """Return the values rounded as Python does, by their exact decimal fractions; numpy's are off where it is close."""
    out = np.round(values, decimals)
    scaled = np.abs(values) * 10.0**decimals
    close = np.flatnonzero(np.abs(scaled - np.floor(scaled) - 0.5) < _CLOSE)
    out[close] = [round(value, decimals) for value in values[close].tolist()]
    return out


def lengths(line: Array) -> Array:
    """Return the distance along the line at each vertex, from 0."""
    x, y = (line[1:] - line[:-1]).T
    along = np.zeros(len(line))
    np.cumsum(np.sqrt(x * x + y * y), out=along[1:])
    return along


def points_at(line: Array, distances: Array) -> Array:
    """Return the points at distances along the line."""
    return _between(line, lengths(line), distances)


def resampled(line: Array, spacing: float) -> Array:
    """Return the line with evenly spaced vertices, `spacing` apart at most, at least three."""
    along = lengths(line)
    total = float(along[-1])
    count = max(3, int(np.ceil(total / spacing)) + 1)
    even = np.arange(count, dtype=np.float64)
    even *= total / (count - 1)  # as numpy's `linspace`, which takes far longer for so few
    even[-1] = total
    return _between(line, along, even)


def _between(line: Array, along: Array, distances: Array) -> Array:
    out = np.empty((len(distances), 2))
    out[:, 0] = np.interp(distances, along, line[:, 0])
    out[:, 1] = np.interp(distances, along, line[:, 1])
    return out


def normals(line: Array) -> Array:
    """Return a unit vector at each vertex, to the right of travel on a page whose y points down."""
    tangent = np.empty_like(line)
    tangent[1:-1] = line[2:] - line[:-2]
    tangent[0], tangent[-1] = line[1] - line[0], line[-1] - line[-2]
    size = np.sqrt((tangent**2).sum(axis=1, keepdims=True))
    tangent = tangent / np.maximum(size, _TINY)
    return np.column_stack((-tangent[:, 1], tangent[:, 0]))


def eased(line: Array, rounds: int) -> Array:
    """Return the line smoothed by `rounds` times the weights 1, 2, 1, which is close to a Gaussian; its ends stay.

    On vertices a step apart the Gaussian's standard deviation is `sqrt(rounds / 2)` steps.
    """
    at = line.copy()
    for _ in range(rounds):
        at[1:-1] = (at[:-2] + 2 * at[1:-1] + at[2:]) / 4
    return at


def curved(line: Array, parts: int) -> Array:
    """Return the line with each edge cut into `parts` of a smooth curve through its vertices (Catmull, Rom 1974)."""
    before = np.concatenate((2 * line[:1] - line[1:2], line[:-2]))
    after = np.concatenate((line[2:], 2 * line[-1:] - line[-2:-1]))
    here, there = line[:-1], line[1:]
    out = np.empty((len(here) * parts + 1, 2))
    for k in range(parts):
        t = k / parts
        t2, t3 = t * t, t * t * t
        out[k:-1:parts] = (
            (2 * here)
            + (there - before) * t
            + (2 * before - 5 * here + 4 * there - after) * t2
            + (3 * here - before - 3 * there + after) * t3
        ) / 2
    out[-1] = line[-1]
    return out


def beside(line: Array, offset: float, ports: tuple[Array, Array], lead: float) -> Array:
    """Return the line shifted to its right by `offset`, its ends by the vectors `ports`, with a smooth change between.

    Args:
        line: Shape (n, 2).
        offset: In millimetres.
        ports: Where the shifted line begins and ends, from the ends of the line.
        lead: Over which length an end changes to the offset.
    """
    along = lengths(line)
    total = float(along[-1])
    lead = min(lead, total / 2)
    shift = offset * normals(line)
    for port, distance in zip(ports, (along, total - along), strict=True):
        t = np.clip(distance / max(lead, _TINY), 0.0, 1.0)
        share = (t * t * (3 - 2 * t))[:, None]
        shift = share * shift + (1 - share) * port
    return line + shift
