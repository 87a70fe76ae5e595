"""Polylines as arrays of shape (n, 2): length, resampling, offset."""

import numpy as np
import shapely
from numpy.typing import NDArray

Array = NDArray[np.float64]

_TINY = 1e-9


def as_points(xy: Array) -> NDArray[np.object_]:
    """Return the vertices as shapely points."""
    return np.atleast_1d(np.asarray(shapely.points(xy), dtype=object))


def lengths(line: Array) -> Array:
    """Return the distance along the line at each vertex, from 0."""
    steps = np.sqrt(((line[1:] - line[:-1]) ** 2).sum(axis=1))
    return np.concatenate(([0.0], np.cumsum(steps)))


def points_at(line: Array, distances: Array) -> Array:
    """Return the points at distances along the line."""
    along = lengths(line)
    return np.column_stack((np.interp(distances, along, line[:, 0]), np.interp(distances, along, line[:, 1])))


def resampled(line: Array, spacing: float) -> Array:
    """Return the line with evenly spaced vertices, `spacing` apart at most, at least three."""
    total = float(lengths(line)[-1])
    count = max(3, int(np.ceil(total / spacing)) + 1)
    return points_at(line, np.linspace(0.0, total, count))


def normals(line: Array) -> Array:
    """Return a unit vector at each vertex, to the right of travel on a page whose y points down."""
    tangent = np.empty_like(line)
    tangent[1:-1] = line[2:] - line[:-2]
    tangent[0], tangent[-1] = line[1] - line[0], line[-1] - line[-2]
    size = np.sqrt((tangent**2).sum(axis=1, keepdims=True))
    tangent = tangent / np.maximum(size, _TINY)
    return np.column_stack((-tangent[:, 1], tangent[:, 0]))


def beside(line: Array, offset: float, lead: float) -> Array:
    """Return the line shifted sideways by `offset`; its ends stay, and it joins them over `lead`."""
    if offset == 0.0:
        return line
    along = lengths(line)
    lead = min(lead, float(along[-1]) / 3)
    stops = np.concatenate(([lead], along[(along > lead) & (along < along[-1] - lead)], [along[-1] - lead]))
    middle = points_at(line, stops)
    return np.concatenate((line[:1], middle + offset * normals(middle), line[-1:]))
