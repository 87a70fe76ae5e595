"""Shapes of SVG: marks with their centres, and polylines of all others."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from mapkit.formats.drawn_page import DrawnPage
from mapkit.formats.svg.path import Budget, Points, flatten_path, transform_points
from mapkit.formats.svg.tree import SODIPODI, SvgNode
from mapkit.formats.svg.units import Affine, BadSvgError, Size, check_limits, parse_length, parse_numbers

_MAX_DOT_SHARE = 0.04
"""Size of a dot on the page, as a share of the longer side."""
_MIN_ROUNDNESS = 0.75
"""Isoperimetric quotient of dots: 1 for a circle, 0.785 for a square."""
_MAX_OPENING = 0.01
_VERTICAL_ATTRIBUTES = {"y", "cy", "y1", "y2", "height", "ry"}


class SvgMark(NamedTuple):
    """A circle, ellipse or rectangle: centre and half sizes in local coordinates."""

    x: float
    y: float
    half_x: float
    half_y: float
    round: bool


def read_lengths(node: SvgNode, size: Size | None, *names: str) -> list[float]:
    """Return coordinates and sizes of an element in user units; 0 if absent or `auto`.

    Raises:
        BadSvgError: One cannot be read.
    """
    values = []
    for name in names:
        attribute_text = node.attributes.get(name, "").strip()
        reference_length = None
        if size:
            reference_length = (
                size.diagonal if name == "r" else size.height if name in _VERTICAL_ATTRIBUTES else size.width
            )
        values.append(0.0 if attribute_text in {"", "auto"} else parse_length(attribute_text, reference_length, name))
    return values


def read_mark(node: SvgNode, size: Size | None) -> SvgMark | None:
    """Return the mark that an element draws, None if it is a line.

    Raises:
        BadSvgError: One of its lengths cannot be read.
    """
    match node.tag:
        case "rect":
            x, y, width, height = read_lengths(node, size, "x", "y", "width", "height")
            return SvgMark(x + width / 2, y + height / 2, width / 2, height / 2, round=False)
        case "circle":
            x, y, radius = read_lengths(node, size, "cx", "cy", "r")
            return SvgMark(x, y, radius, radius, round=True)
        case "ellipse":
            x, y, rx, ry = read_lengths(node, size, "cx", "cy", "rx", "ry")
            return SvgMark(x, y, rx or ry, ry or rx, round=True)
        case "path" if _is_circle(node):
            x, y, rx, ry = (
                parse_length(node.attributes.get(f"{SODIPODI}{n}", "0"), None, n) for n in ("cx", "cy", "rx", "ry")
            )
            return SvgMark(x, y, rx, ry, round=True)
    return None


def _is_circle(node: SvgNode) -> bool:
    """Return whether a path is a whole circle of an Inkscape before 0.91."""
    if node.attributes.get(f"{SODIPODI}type") != "arc":
        return False
    start_angle, end_angle = (node.attributes.get(f"{SODIPODI}{name}") for name in ("start", "end"))
    if start_angle is None or end_angle is None:
        return True
    try:
        swept_angle = abs(float(end_angle) - float(start_angle))
    except ValueError:
        return False
    return math.isclose(swept_angle, math.tau, abs_tol=1e-3)


def extent(mark: SvgMark, matrix: Affine) -> tuple[float, float]:
    """Return width and height of a mark on the page."""
    xs, ys = (matrix.a * mark.half_x, matrix.c * mark.half_y), (matrix.b * mark.half_x, matrix.d * mark.half_y)
    if mark.round:
        return 2 * math.hypot(*xs), 2 * math.hypot(*ys)
    return 2 * (abs(xs[0]) + abs(xs[1])), 2 * (abs(ys[0]) + abs(ys[1]))


def dot_centre(lines: Sequence[Points], page: DrawnPage) -> tuple[float, float] | None:
    """Return the centre of a small circle or square that was turned into a path; None for all other shapes."""
    if not lines:
        return None
    outline = lines[0]
    size = outline.max(axis=0) - outline.min(axis=0)
    perimeter = float(np.hypot(*np.diff(outline, axis=0).T).sum())
    is_closed = float(np.hypot(*(outline[0] - outline[-1]))) <= _MAX_OPENING * perimeter
    if not is_closed or size.max() > _MAX_DOT_SHARE * max(page.width, page.height) or size.max() > 1.5 * size.min():
        return None
    x, y = (outline - outline[0]).T
    area = abs(float(np.dot(x[:-1], y[1:]) - np.dot(x[1:], y[:-1]))) / 2
    if 4 * math.pi * area < _MIN_ROUNDNESS * perimeter**2:
        return None
    centre = (outline.max(axis=0) + outline.min(axis=0)) / 2
    return float(centre[0]), float(centre[1])


def check_point(x: float, y: float) -> tuple[float, float]:
    """Return a point of the page.

    Raises:
        BadSvgError: It is out of range.
    """
    return check_limits(x, "x"), check_limits(y, "y")


def read_subpaths(
    node: SvgNode, matrix: Affine, size: Size | None, *, tolerance: float, budget: Budget
) -> list[Points]:
    """Return the polylines of a path, polyline, polygon or line, transformed.

    Args:
        node: The element.
        matrix: From its coordinates to the page.
        size: What percentages refer to.
        tolerance: Largest distance of a curve from its polyline, in pixels of the page.
        budget: Vertices that may be made.

    Raises:
        BadSvgError: The shape cannot be read.
        TooMuchError: There would be too many vertices.
    """
    if node.tag == "path":
        data = node.attributes.get("d", "")
        return [] if data.strip() == "none" else flatten_path(data, matrix, tolerance=tolerance, budget=budget)
    if node.tag == "line":
        values = read_lengths(node, size, "x1", "y1", "x2", "y2")
    else:
        values = parse_numbers(node.attributes.get("points", ""), "points")
    if len(values) % 2:
        raise BadSvgError(f"points: {len(values)} numbers, so one has no y")
    if not values:
        return []
    vertices = np.array(values).reshape(-1, 2)
    if node.tag == "polygon" and (vertices[0] != vertices[-1]).any():
        vertices = np.concatenate([vertices, vertices[:1]])
    budget.take(len(vertices))
    moved_vertices = transform_points(matrix, vertices)
    largest_coordinates = np.abs(moved_vertices).max(axis=0)
    check_point(float(largest_coordinates[0]), float(largest_coordinates[1]))
    return [moved_vertices]
