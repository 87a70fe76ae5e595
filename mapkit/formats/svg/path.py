"""Path data of SVG flattened to polylines: curves within a tolerance, their ends exact."""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mapkit.formats.svg.units import MAX_VALUE, NUMBER, Affine, BadSvgError, parse_number, parse_numbers

Points = NDArray[np.float64]
_COMMAND_PATTERN = re.compile(r"([MmZzLlHhVvCcSsQqTtAa])")
_SEPARATOR_PATTERN = r"[\s,]*+"
_ARC_VALUES = [f"((?>{NUMBER}))"] * 3 + ["([01])"] * 2 + [f"((?>{NUMBER}))"] * 2
_ARC_PATTERN = re.compile(
    _SEPARATOR_PATTERN + _SEPARATOR_PATTERN.join(_ARC_VALUES), re.ASCII
)  # atomic, so that it never backtracks
_ARGUMENT_COUNTS = {"m": 2, "l": 2, "h": 1, "v": 1, "c": 6, "s": 4, "q": 4, "t": 2, "a": 7, "z": 0}
_MAX_SHOWN = 40


class TooMuchError(Exception):
    """A limit of the whole file is exceeded; reading stops."""


@dataclass
class Budget:
    """Number of vertices that may still be created."""

    left: int
    limit: int

    def take(self, count: float) -> None:
        """Use some of the vertices.

        Raises:
            TooMuchError: There are not so many left.
        """
        if count > self.left:
            raise TooMuchError(f"more than {self.limit} vertices; simplify the drawing or split the file")
        self.left -= int(count)


def transform_points(matrix: Affine, points: Points) -> Points:
    """Return points, shape (..., 2), transformed."""
    linear_part = np.array([[matrix.a, matrix.b], [matrix.c, matrix.d]])
    moved_points: Points = points @ linear_part + np.array([matrix.e, matrix.f])
    return moved_points


def flatten_cubics(curves: Points, tolerance: float, budget: Budget) -> Points:
    """Return the vertices after the start of a chain of cubic curves.

    Each curve is split into equal steps of its parameter, so small that no point is further than `tolerance` from its
    chord: a chord over a step h deviates by at most h^2 / 8 of the largest second derivative.

    Args:
        curves: Shape (k, 4, 2).
        tolerance: In the unit of the points.
        budget: Vertices that may be made.

    Raises:
        TooMuchError: There would be too many vertices.
    """
    max_bends = np.maximum(
        np.linalg.norm(curves[:, 0] - 2 * curves[:, 1] + curves[:, 2], axis=1),
        np.linalg.norm(curves[:, 1] - 2 * curves[:, 2] + curves[:, 3], axis=1),
    )
    step_counts = np.maximum(np.ceil(np.sqrt(0.75 * max_bends / tolerance)), 1.0)
    budget.take(float(step_counts.sum()))
    whole_counts = step_counts.astype(np.int64)
    last_steps = np.cumsum(whole_counts)
    step_numbers = np.arange(1, last_steps[-1] + 1) - np.repeat(last_steps - whole_counts, whole_counts)
    t = (step_numbers / np.repeat(whole_counts, whole_counts))[:, None]
    p0, p1, p2, p3 = (np.repeat(curves[:, i], whole_counts, axis=0) for i in range(4))
    s = 1 - t
    points: Points = s * s * s * p0 + 3 * s * s * t * p1 + 3 * s * t * t * p2 + t * t * t * p3
    return points


def flatten_sweep(
    centre: Points, axes: Points, angles: tuple[float, float], tolerance: float, budget: Budget
) -> Points:
    """Return vertices of `centre + cos(t) axes[0] + sin(t) axes[1]`, both ends included.

    Args:
        centre: Shape (2,).
        axes: Shape (2, 2), the images of the two half axes.
        angles: First and last t, in radians.
        tolerance: Largest distance of the curve from a chord.
        budget: Vertices that may be made.

    Raises:
        TooMuchError: There would be too many vertices.
    """
    widest_axis = float(np.linalg.norm(axes, 2))
    step_count = max(math.ceil(abs(angles[1] - angles[0]) * math.sqrt(widest_axis / (8 * tolerance))), 1)
    budget.take(step_count)
    t = np.linspace(angles[0], angles[1], step_count + 1)[:, None]
    points: Points = centre + np.cos(t) * axes[0] + np.sin(t) * axes[1]
    return points


@dataclass(frozen=True)
class Arc:
    """An elliptical arc by centre, in local coordinates."""

    centre: tuple[float, float]
    axes: tuple[tuple[float, float], tuple[float, float]]
    angles: tuple[float, float]


def arc_by_ends(start: tuple[float, float], end: tuple[float, float], values: list[float]) -> Arc | None:
    """Return the arc of an `A` command (SVG 1.1, F.6.5 and F.6.6); None if it is a straight line.

    Args:
        start: Where it begins.
        end: Where it ends.
        values: rx, ry, rotation in degrees, large-arc flag, sweep flag.
    """
    rx, ry, rotation, large_arc, sweep = abs(values[0]), abs(values[1]), math.radians(values[2]), values[3], values[4]
    half_x, half_y = (start[0] - end[0]) / 2, (start[1] - end[1]) / 2
    half_chord = math.hypot(half_x, half_y)
    if half_chord == 0 or min(rx, ry) <= 1e-9 * max(rx, ry):
        return None
    # Radii too small are scaled up until they reach; first roughly, so that nothing overflows below.
    radius_factor = max(half_chord / max(rx, ry), 1.0)
    rx, ry = rx * radius_factor, ry * radius_factor
    cos, sin = math.cos(rotation), math.sin(rotation)
    x, y = (cos * half_x + sin * half_y) / rx, (cos * half_y - sin * half_x) / ry
    chord_ratio = math.hypot(x, y)
    if radius_factor > 1.0 or chord_ratio > 1.0:
        rx, ry, x, y = rx * chord_ratio, ry * chord_ratio, x / chord_ratio, y / chord_ratio
        chord_ratio = 1.0
    centre_distance = math.sqrt(max(1 / (chord_ratio * chord_ratio) - 1, 0.0)) * (-1 if large_arc == sweep else 1)
    cx, cy = centre_distance * y, -centre_distance * x
    first_angle, last_angle = math.atan2(y - cy, x - cx), math.atan2(-y - cy, -x - cx)
    if sweep and last_angle < first_angle:
        last_angle += 2 * math.pi
    elif not sweep and last_angle > first_angle:
        last_angle -= 2 * math.pi
    centre_x, centre_y = cx * rx, cy * ry
    return Arc(
        (cos * centre_x - sin * centre_y + (start[0] + end[0]) / 2,
         sin * centre_x + cos * centre_y + (start[1] + end[1]) / 2),
        ((rx * cos, rx * sin), (-ry * sin, ry * cos)),
        (first_angle, last_angle),
    )  # fmt: skip


def _split_runs(data: str) -> Iterator[tuple[str, str]]:
    """Yield `(command, its arguments)`; consecutive equal commands are one run."""
    parts = _COMMAND_PATTERN.split(data)
    if parts[0].strip():
        raise BadSvgError(f"path data: {parts[0].strip()[:_MAX_SHOWN]!r} before the first command")
    letter, run_arguments = "", []
    for command, arguments in zip(parts[1::2], parts[2::2], strict=True):
        if command == letter and command not in "MmZzAa":
            run_arguments.append(arguments)
            continue
        if letter:
            yield letter, " ".join(run_arguments)
        letter, run_arguments = command, [arguments]
    if letter:
        yield letter, " ".join(run_arguments)


def _parse_arcs(text: str) -> list[float]:
    """Return the arguments of arcs; flags need no space before the next number."""
    values: list[float] = []
    position = 0
    while match := _ARC_PATTERN.match(text, position):
        values.extend(map(parse_number, match.groups()))
        position = match.end()
    remaining_text = text[position:].replace(",", " ").strip()
    if remaining_text:
        raise BadSvgError(f"path data: {remaining_text[:_MAX_SHOWN]!r} is not an arc")
    return values


def _parse_arguments(command: str, text: str) -> list[float]:
    """Return the arguments of a run."""
    command_kind = command.lower()
    values = _parse_arcs(text) if command_kind == "a" else parse_numbers(text, f"path data after {command}")
    argument_count = _ARGUMENT_COUNTS[command_kind]
    if (argument_count == 0 and values) or (argument_count and (not values or len(values) % argument_count)):
        raise BadSvgError(f"path data: {command} with {len(values)} numbers, not a multiple of {argument_count}")
    return values


class _Pen:
    """Interpreter of path data: the current point in local coordinates, subpaths in transformed ones."""

    def __init__(self, matrix: Affine, tolerance: float, budget: Budget) -> None:
        self.matrix, self.tolerance, self.budget = matrix, tolerance, budget
        self.at = self.began = np.zeros(2)
        self.mirror: tuple[str, Points] | None = None
        self.parts: list[Points] = []
        self.subpaths: list[Points] = []

    def finish(self) -> None:
        """End the subpath."""
        if self.parts:
            self.subpaths.append(np.concatenate(self.parts))
        self.parts = []

    def _append_vertices(self, points: Points, at: Points) -> None:
        """Append transformed vertices, and move to a local point."""
        if not max(np.abs(at).max(), np.abs(points).max()) <= MAX_VALUE:
            raise BadSvgError("path data: it runs out of range")
        if not self.parts:
            self.budget.take(1)
            self.parts.append(transform_points(self.matrix, self.at[None, :]))
        self.parts.append(points)
        self.at = at

    def _draw_lines(self, points: Points) -> None:
        self.budget.take(len(points))
        self._append_vertices(transform_points(self.matrix, points), points[-1])

    def run(self, command: str, values: list[float]) -> None:
        """Draw the arguments of one command."""
        is_relative, command_kind = command.islower(), command.lower()
        mirror, self.mirror = self.mirror, None
        argument_array = np.array(values)
        match command_kind:
            case "z":
                self._close_subpath()
            case "m":
                self._begin_subpath(argument_array.reshape(-1, 2), relative=is_relative)
            case "l":
                points = argument_array.reshape(-1, 2)
                self._draw_lines(self._accumulate_steps(points) if is_relative else points)
            case "h" | "v":
                axis = 0 if command_kind == "h" else 1
                points = np.tile(np.zeros(2) if is_relative else self.at, (len(argument_array), 1))
                points[:, axis] = argument_array
                self._draw_lines(self._accumulate_steps(points) if is_relative else points)
            case "a":
                for arc in argument_array.reshape(-1, 7):
                    self._draw_arc(arc, relative=is_relative)
            case "c" | "q":
                controls = argument_array.reshape(-1, 3 if command_kind == "c" else 2, 2)
                ends = self._accumulate_steps(controls[:, -1]) if is_relative else controls[:, -1]
                starts = np.concatenate([self.at[None, :], ends[:-1]])
                if is_relative:
                    controls = controls + starts[:, None, :]
                    controls[:, -1] = ends
                self._draw_curves(starts, controls, command_kind)
            case _:
                self._draw_smooth_curves(
                    argument_array.reshape(-1, 2 if command_kind == "s" else 1, 2),
                    command_kind,
                    mirror,
                    relative=is_relative,
                )

    def _accumulate_steps(self, steps: Points) -> Points:
        """Return the points that relative steps from the current point lead to."""
        return np.cumsum(np.concatenate([self.at[None, :], steps]), axis=0)[1:]

    def _close_subpath(self) -> None:
        if self.parts:
            first_point, last_point = self.parts[0][0], self.parts[-1][-1]
            if not np.array_equal(first_point, last_point):
                self.budget.take(1)
                self.parts.append(first_point[None, :])
        self.finish()
        self.at = self.began

    def _begin_subpath(self, points: Points, *, relative: bool) -> None:
        self.finish()
        absolute_points = self._accumulate_steps(points) if relative else points
        if not np.abs(absolute_points).max() <= MAX_VALUE:
            raise BadSvgError("path data: it runs out of range")
        self.at = self.began = absolute_points[0]
        if len(absolute_points) > 1:
            self._draw_lines(absolute_points[1:])

    def _draw_smooth_curves(
        self, controls: Points, kind: str, mirror: tuple[str, Points] | None, *, relative: bool
    ) -> None:
        """Draw `S` and `T`: the first control point mirrors the last one of a previous curve of the same family."""
        family = "c" if kind == "s" else "q"
        current_point, last_control = self.at, mirror[1] if mirror and mirror[0] == family else self.at
        curve_starts, full_controls = [], []
        for curve_points in controls:
            absolute_controls = curve_points + current_point if relative else curve_points
            first_control = 2 * current_point - last_control
            curve_starts.append(current_point)
            full_controls.append([first_control, *absolute_controls])
            current_point, last_control = (
                absolute_controls[-1],
                (absolute_controls[0] if family == "c" else first_control),
            )
            if not np.abs(first_control).max() <= MAX_VALUE:
                raise BadSvgError("path data: it runs out of range")
        self._draw_curves(np.array(curve_starts), np.array(full_controls), family)

    def _draw_curves(self, starts: Points, controls: Points, family: str) -> None:
        """Draw curves from all their control points, quadratic ones as equal cubic ones."""
        last_controls, ends = controls[:, -2], controls[:, -1]
        if family == "q":
            first_controls, second_controls = (
                starts + (last_controls - starts) * (2 / 3),
                ends + (last_controls - ends) * (2 / 3),
            )
        else:
            first_controls, second_controls = controls[:, 0], last_controls
        mirror = (family, last_controls[-1])
        curves = np.stack([starts, first_controls, second_controls, ends], axis=1)
        self._append_vertices(
            flatten_cubics(transform_points(self.matrix, curves), self.tolerance, self.budget), curves[-1, 3]
        )
        self.mirror = mirror

    def _draw_arc(self, values: Points, *, relative: bool) -> None:
        end = values[5:] + self.at if relative else values[5:]
        arc = arc_by_ends((self.at[0], self.at[1]), (end[0], end[1]), values[:5].tolist())
        if arc is None:
            self._draw_lines(end[None, :])
            return
        axes = transform_points(self.matrix._replace(e=0.0, f=0.0), np.array(arc.axes))
        centre = transform_points(self.matrix, np.array(arc.centre))
        points = flatten_sweep(centre, axes, arc.angles, self.tolerance, self.budget)[1:]
        points[-1] = transform_points(self.matrix, end[None, :])[0]
        self._append_vertices(points, end)


def flatten_path(data: str, matrix: Affine, *, tolerance: float, budget: Budget) -> list[Points]:
    """Return the subpaths of path data, transformed and flattened, each of shape (n, 2).

    Every command of SVG 1.1, absolute and relative. A `moveto` that nothing follows makes no subpath; a closed subpath
    ends at its first point.

    Args:
        data: The attribute `d`.
        matrix: From local coordinates to those of the result.
        tolerance: Largest distance of a curve from its polyline, in units of the result.
        budget: Vertices that may be made.

    Raises:
        BadSvgError: It cannot be read to its end.
        TooMuchError: There would be too many vertices.
    """
    pen = _Pen(matrix, tolerance, budget)
    for position, (command, text) in enumerate(_split_runs(data)):
        if position == 0 and command not in "Mm":
            raise BadSvgError(f"path data: begins with {command}, not with M")
        pen.run(command, _parse_arguments(command, text))
    pen.finish()
    return pen.subpaths
