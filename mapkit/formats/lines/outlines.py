"""Drawings that hold the outlines of lines: strokes turned into shapes, or what a tracer makes of a scan.

A railroad comes as a long thin closed shape then, and taken as a line it runs there and back. Such shapes are left out
of a file whose lines they mostly are, or become the lines along their middle.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import reduce
from typing import Final, NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray

from mapkit.core.errors import SourceError
from mapkit.core.plurals import counted
from mapkit.formats.lines.middle import middle_lines
from mapkit.formats.traced import TracedLayer

_THIN: Final = 12.0
"""An outline is at least so many times as long as it is wide on average."""
_SHORT: Final = 2.0
"""The same of one that is no wider than the others: a short stroke of the same pen."""
_AS_WIDE: Final = 1.5
_MOSTLY: Final = 0.5
"""Share of the length of a file's lines above which it is a file of outlines."""
_FLAT: Final = 1e-6
"""Width to length below which a closed line is one that was drawn there and back."""
_CORNERS: Final = 4
_PART = re.compile(r"/\d+$")


class _Outline(NamedTuple):
    """A shape with its holes: the lines that are its rings, and the area between them."""

    lines: list[int]
    area: shapely.Geometry


def with_middles(layer: TracedLayer, *, centre_lines: bool) -> TracedLayer:
    """Return a layer without its outlines, or with the lines along their middle instead, and a note of it.

    A layer that is not mostly outlines stays as it is, the same object.

    Args:
        layer: As read.
        centre_lines: Whether outlines become lines; else they are left out.

    Raises:
        SourceError: An outline is too long and thin for that; the text names its feature.
    """
    lengths = shapely.length(layer.lines)
    closed = _closed(layer)
    if lengths[closed].sum() <= _MOSTLY * lengths.sum():
        return layer
    outlines = _outlines(layer, closed)
    of_outlines = [line for outline in outlines for line in outline.lines]
    if lengths[of_outlines].sum() <= _MOSTLY * lengths.sum():
        return layer
    count = counted(len(outlines), "closed shape")
    if not centre_lines:
        note = (
            f"{layer.file}: {count} {'are outlines' if len(outlines) > 1 else 'is the outline'} of lines, which would "
            "run there and back, so they were left out; import the file again with --centre-lines to take the lines "
            "along their middle, or draw strokes without outlines"
        )
        return _taken(layer, set(of_outlines), [], note)
    made = [(outline.lines[0], line) for outline in outlines for line in _middles(layer, outline)]
    note = f"{layer.file}: {count} became {counted(len(made), 'line')} along their middle"
    return _taken(layer, set(of_outlines), made, note)


def _closed(layer: TracedLayer) -> NDArray[np.int64]:
    """Return the numbers of the lines that end where they begin."""
    first, last = (shapely.get_coordinates(shapely.get_point(layer.lines, at)) for at in (0, -1))
    return np.flatnonzero((first == last).all(axis=1) & (shapely.get_num_coordinates(layer.lines) >= _CORNERS))


def _outlines(layer: TracedLayer, closed: NDArray[np.int64]) -> list[_Outline]:
    """Return the long thin closed shapes of a layer, and the short ones of the same width, in its order."""
    groups: defaultdict[str, list[int]] = defaultdict(list)
    for number in closed.tolist():
        groups[_PART.sub("", layer.line_features[number])].append(number)
    scale = _across(layer)
    shapes: list[_Outline] = []
    for numbers in groups.values():
        rings = [shapely.make_valid(shapely.Polygon(scale(line))) for line in layer.lines[numbers]]
        shapes.append(_Outline(numbers, reduce(shapely.symmetric_difference, rings)))
    sizes = [(float(shapely.area(shape.area)), float(shapely.length(shape.area))) for shape in shapes]
    widths = [2 * area / around for area, around in sizes if _is_thin(area, around, _THIN)]
    if not widths:
        return []
    pen = _AS_WIDE * float(np.median(widths))
    return [
        shape
        for shape, (area, around) in zip(shapes, sizes, strict=True)
        if _is_thin(area, around, _THIN if 2 * area > pen * around else _SHORT)
    ]


def _is_thin(area: float, around: float, times: float) -> bool:
    """Return whether a shape is so many times as long as it is wide, and not flat."""
    return area > _FLAT * around**2 and around**2 > 4 * times * area


def _across(layer: TracedLayer, *, back: bool = False) -> Callable[[shapely.Geometry], NDArray[np.float64]]:
    """Return what gives the coordinates of a line as lengths alike in both directions, or takes them back."""
    factor = 1.0
    if layer.crs is not None and len(layer.lines):
        _, south, _, north = shapely.total_bounds(layer.lines)
        factor = max(float(np.cos(np.radians((south + north) / 2))), 0.01)
    along = np.array([1 / factor if back else factor, 1.0])
    return lambda line: np.asarray(shapely.get_coordinates(line) * along, dtype=np.float64)


def _middles(layer: TracedLayer, outline: _Outline) -> Iterator[shapely.LineString]:
    unscale = _across(layer, back=True)
    try:
        lines = middle_lines(outline.area)
    except SourceError as error:
        raise SourceError(f"{layer.line_features[outline.lines[0]]}: {error}") from error
    for line in lines:
        yield shapely.LineString(unscale(line))


def _taken(layer: TracedLayer, gone: set[int], made: list[tuple[int, shapely.LineString]], note: str) -> TracedLayer:
    """Return a layer without some lines and with others, each with what the line that it was made of has."""
    count: defaultdict[int, int] = defaultdict(int)
    rows = [(n, line, layer.line_features[n]) for n, line in enumerate(layer.lines) if n not in gone]
    for of, line in made:
        count[of] += 1
        rows.append((of, line, f"{_PART.sub('', layer.line_features[of])}/{count[of]}"))
    lines = np.empty(len(rows), dtype=np.object_)
    lines[:] = [line for _, line, _ in rows]
    return replace(
        layer,
        lines=lines,
        line_keys=tuple(layer.line_keys[n] for n, _, _ in rows),
        line_features=tuple(feature for _, _, feature in rows),
        line_levels=tuple(layer.levels[n] for n, _, _ in rows) if layer.line_levels else (),
        notes=(*layer.notes, note),
    )
