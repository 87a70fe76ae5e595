"""Path data of SVG flattened to polylines; curves within a tolerance, their ends exact."""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mapkit.formats.svg.units import MAX_VALUE, NUMBER, Affine, BadSvgError, number, numbers

Points = NDArray[np.float64]
_COMMANDS = re.compile(r"([MmZzLlHhVvCcSsQqTtAa])")
_SEPARATOR = r"[\s,]*+"
_ARC_VALUES = [f"((?>{NUMBER}))"] * 3 + ["([01])"] * 2 + [f"((?>{NUMBER}))"] * 2
_ARC = re.compile(_SEPARATOR + _SEPARATOR.join(_ARC_VALUES), re.ASCII)  # atomic, so that it never backtracks
_ARGUMENTS = {"m": 2, "l": 2, "h": 1, "v": 1, "c": 6, "s": 4, "q": 4, "t": 2, "a": 7, "z": 0}
_SHOWN = 40


class TooMuchError(Exception):
    """A limit of the whole file; reading stops."""


@dataclass
class Budget:
    """How many vertices may still be made."""

    left: int
    limit: int

    def take(self, count: float) -> None:
        """Use some.

        Raises:
            TooMuchError: There are not so many left.
        """
        if count > self.left:
            raise TooMuchError(f"more than {self.limit} vertices; simplify the drawing or split the file")
        self.left -= int(count)


def move(matrix: Affine, points: Points) -> Points:
    """Return points, shape (..., 2), transformed."""
    linear = np.array([[matrix.a, matrix.b], [matrix.c, matrix.d]])
    moved: Points = points @ linear + np.array([matrix.e, matrix.f])
    return moved


def flatten_cubics(curves: Points, tolerance: float, budget: Budget) -> Points:
    """Return the vertices after the start of a chain of cubic curves.

    Each curve is cut into equal steps of its parameter, so many that no point of it is further than `tolerance` from
    its chord: a chord over a step h is off by at most h^2 / 8 of the largest second derivative.

    Args:
        curves: Shape (k, 4, 2).
        tolerance: In the unit of the points.
        budget: Vertices that may be made.

    Raises:
        TooMuchError: There would be too many vertices.
    """
    bend = np.maximum(
        np.linalg.norm(curves[:, 0] - 2 * curves[:, 1] + curves[:, 2], axis=1),
        np.linalg.norm(curves[:, 1] - 2 * curves[:, 2] + curves[:, 3], axis=1),
    )
    steps = np.maximum(np.ceil(np.sqrt(0.75 * bend / tolerance)), 1.0)
    budget.take(float(steps.sum()))
    count = steps.astype(np.int64)
    last = np.cumsum(count)
    step = np.arange(1, last[-1] + 1) - np.repeat(last - count, count)
    t = (step / np.repeat(count, count))[:, None]
    p0, p1, p2, p3 = (np.repeat(curves[:, i], count, axis=0) for i in range(4))
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
    widest = float(np.linalg.norm(axes, 2))
    steps = max(math.ceil(abs(angles[1] - angles[0]) * math.sqrt(widest / (8 * tolerance))), 1)
    budget.take(steps)
    t = np.linspace(angles[0], angles[1], steps + 1)[:, None]
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
    rx, ry, turn, large, sweep = abs(values[0]), abs(values[1]), math.radians(values[2]), values[3], values[4]
    half_x, half_y = (start[0] - end[0]) / 2, (start[1] - end[1]) / 2
    chord = math.hypot(half_x, half_y)
    if chord == 0 or min(rx, ry) <= 1e-9 * max(rx, ry):
        return None
    # Radii too small are scaled up until they reach; first roughly, so that nothing overflows below.
    grow = max(chord / max(rx, ry), 1.0)
    rx, ry = rx * grow, ry * grow
    cos, sin = math.cos(turn), math.sin(turn)
    x, y = (cos * half_x + sin * half_y) / rx, (cos * half_y - sin * half_x) / ry
    off = math.hypot(x, y)
    if grow > 1.0 or off > 1.0:
        rx, ry, x, y = rx * off, ry * off, x / off, y / off
        off = 1.0
    far = math.sqrt(max(1 / (off * off) - 1, 0.0)) * (-1 if large == sweep else 1)
    cx, cy = far * y, -far * x
    first, last = math.atan2(y - cy, x - cx), math.atan2(-y - cy, -x - cx)
    if sweep and last < first:
        last += 2 * math.pi
    elif not sweep and last > first:
        last -= 2 * math.pi
    centre_x, centre_y = cx * rx, cy * ry
    return Arc(
        (cos * centre_x - sin * centre_y + (start[0] + end[0]) / 2,
         sin * centre_x + cos * centre_y + (start[1] + end[1]) / 2),
        ((rx * cos, rx * sin), (-ry * sin, ry * cos)),
        (first, last),
    )  # fmt: skip


def _runs(data: str) -> Iterator[tuple[str, str]]:
    """Yield `(command, its arguments)`; the same command repeated is one run."""
    parts = _COMMANDS.split(data)
    if parts[0].strip():
        raise BadSvgError(f"path data: {parts[0].strip()[:_SHOWN]!r} before the first command")
    letter, held = "", []
    for command, arguments in zip(parts[1::2], parts[2::2], strict=True):
        if command == letter and command not in "MmZzAa":
            held.append(arguments)
            continue
        if letter:
            yield letter, " ".join(held)
        letter, held = command, [arguments]
    if letter:
        yield letter, " ".join(held)


def _arc_values(text: str) -> list[float]:
    """Return the arguments of arcs, whose flags may stand without a space before what follows."""
    values: list[float] = []
    position = 0
    while match := _ARC.match(text, position):
        values.extend(map(number, match.groups()))
        position = match.end()
    rest = text[position:].replace(",", " ").strip()
    if rest:
        raise BadSvgError(f"path data: {rest[:_SHOWN]!r} is not an arc")
    return values


def _values(command: str, text: str) -> list[float]:
    """Return the arguments of a run."""
    kind = command.lower()
    values = _arc_values(text) if kind == "a" else numbers(text, f"path data after {command}")
    size = _ARGUMENTS[kind]
    if (size == 0 and values) or (size and (not values or len(values) % size)):
        raise BadSvgError(f"path data: {command} with {len(values)} numbers, not a multiple of {size}")
    return values


class _Pen:
    """Draws path data: the current point in local coordinates, subpaths in transformed ones."""

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

    def _add(self, points: Points, at: Points) -> None:
        """Append transformed vertices; go to a local point."""
        if not max(np.abs(at).max(), np.abs(points).max()) <= MAX_VALUE:
            raise BadSvgError("path data: it runs out of range")
        if not self.parts:
            self.budget.take(1)
            self.parts.append(move(self.matrix, self.at[None, :]))
        self.parts.append(points)
        self.at = at

    def _straight(self, points: Points) -> None:
        self.budget.take(len(points))
        self._add(move(self.matrix, points), points[-1])

    def _curves(self, curves: Points) -> None:
        self._add(flatten_cubics(move(self.matrix, curves), self.tolerance, self.budget), curves[-1, 3])

    def run(self, command: str, values: list[float]) -> None:
        """Draw the arguments of one command."""
        relative, kind = command.islower(), command.lower()
        mirror, self.mirror = self.mirror, None
        array = np.array(values)
        match kind:
            case "z":
                self._close()
            case "m":
                self._move(array.reshape(-1, 2), relative=relative)
            case "l":
                points = array.reshape(-1, 2)
                self._straight(self._chain(points) if relative else points)
            case "h" | "v":
                axis = 0 if kind == "h" else 1
                points = np.tile(np.zeros(2) if relative else self.at, (len(array), 1))
                points[:, axis] = array
                self._straight(self._chain(points) if relative else points)
            case "a":
                for arc in array.reshape(-1, 7):
                    self._arc(arc, relative=relative)
            case "c" | "q":
                self._free_curves(array.reshape(-1, 3 if kind == "c" else 2, 2), kind, relative=relative)
            case _:
                self._smooth_curves(array.reshape(-1, 2 if kind == "s" else 1, 2), kind, mirror, relative=relative)

    def _chain(self, steps: Points) -> Points:
        """Return where relative steps lead from the current point."""
        return np.cumsum(np.concatenate([self.at[None, :], steps]), axis=0)[1:]

    def _close(self) -> None:
        if self.parts:
            first, last = self.parts[0][0], self.parts[-1][-1]
            if not np.array_equal(first, last):
                self.budget.take(1)
                self.parts.append(first[None, :])
        self.finish()
        self.at = self.began

    def _move(self, points: Points, *, relative: bool) -> None:
        self.finish()
        chain = self._chain(points) if relative else points
        if not np.abs(chain).max() <= MAX_VALUE:
            raise BadSvgError("path data: it runs out of range")
        self.at = self.began = chain[0]
        if len(chain) > 1:
            self._straight(chain[1:])

    def _free_curves(self, controls: Points, kind: str, *, relative: bool) -> None:
        """Draw `C` and `Q`: control points and end of each curve are given."""
        ends = self._chain(controls[:, -1]) if relative else controls[:, -1]
        starts = np.concatenate([self.at[None, :], ends[:-1]])
        if relative:
            controls = controls + starts[:, None, :]
            controls[:, -1] = ends
        self._draw_curves(starts, controls, kind)

    def _smooth_curves(self, controls: Points, kind: str, mirror: tuple[str, Points] | None, *, relative: bool) -> None:
        """Draw `S` and `T`: the first control point mirrors the last one of the curve before, if it was of the kind."""
        family = "c" if kind == "s" else "q"
        at, last = self.at, mirror[1] if mirror and mirror[0] == family else self.at
        starts, full = [], []
        for given in controls:
            rest = given + at if relative else given
            first = 2 * at - last
            starts.append(at)
            full.append([first, *rest])
            at, last = rest[-1], (rest[0] if family == "c" else first)
            if not np.abs(first).max() <= MAX_VALUE:
                raise BadSvgError("path data: it runs out of range")
        self._draw_curves(np.array(starts), np.array(full), family)

    def _draw_curves(self, starts: Points, controls: Points, family: str) -> None:
        """Draw curves by all their control points; quadratic ones as the cubic ones that they equal."""
        control, ends = controls[:, -2], controls[:, -1]
        if family == "q":
            first, second = starts + (control - starts) * (2 / 3), ends + (control - ends) * (2 / 3)
        else:
            first, second = controls[:, 0], control
        mirror = (family, control[-1])
        self._curves(np.stack([starts, first, second, ends], axis=1))
        self.mirror = mirror

    def _arc(self, values: Points, *, relative: bool) -> None:
        end = values[5:] + self.at if relative else values[5:]
        arc = arc_by_ends((self.at[0], self.at[1]), (end[0], end[1]), values[:5].tolist())
        if arc is None:
            self._straight(end[None, :])
            return
        axes = move(self.matrix._replace(e=0.0, f=0.0), np.array(arc.axes))
        centre = move(self.matrix, np.array(arc.centre))
        points = flatten_sweep(centre, axes, arc.angles, self.tolerance, self.budget)[1:]
        points[-1] = move(self.matrix, end[None, :])[0]
        self._add(points, end)


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
    for position, (command, text) in enumerate(_runs(data)):
        if position == 0 and command not in "Mm":
            raise BadSvgError(f"path data: begins with {command}, not with M")
        pen.run(command, _values(command, text))
    pen.finish()
    return pen.subpaths
