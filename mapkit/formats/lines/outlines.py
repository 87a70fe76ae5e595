"""Handling of drawings that hold the outlines of lines: strokes converted to shapes, or results of a tracer.

In such drawings a railroad is a long thin closed shape; read as a line, it would run there and back. If most lines of a
file are such shapes, they are left out, or replaced by their centre lines.
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
from mapkit.core.plurals import count_noun
from mapkit.formats.lines.middle import trace_centre_lines
from mapkit.formats.traced import TracedLayer

_LENGTH_TO_WIDTH: Final = 12.0
"""An outline is at least so many times as long as it is wide on average."""
_SHORT_LENGTH_TO_WIDTH: Final = 2.0
"""The same of one that is no wider than the others: a short stroke of the same pen."""
_PEN_FACTOR: Final = 1.5
_OUTLINE_SHARE: Final = 0.5
"""Share of the length of a file's lines above which it is a file of outlines."""
_FLAT_RATIO: Final = 1e-6
"""Width to length below which a closed line is one that was drawn there and back."""
_FEWEST_CORNERS: Final = 4
_PART_SUFFIX = re.compile(r"/\d+$")


class _Outline(NamedTuple):
    """A shape with its holes: the indices of its ring lines, and the area between them."""

    lines: list[int]
    area: shapely.Geometry


def replace_outlines(layer: TracedLayer, *, centre_lines: bool) -> TracedLayer:
    """Return a layer without its outlines, or with their centre lines instead, and with a note of it.

    A layer that is not mostly outlines is returned unchanged.

    Args:
        layer: As read.
        centre_lines: Whether outlines become lines; else they are left out.

    Raises:
        SourceError: An outline is too long and thin for that; the text names its feature.
    """
    lengths = shapely.length(layer.lines)
    first, last = (shapely.get_coordinates(shapely.get_point(layer.lines, at)) for at in (0, -1))
    closed_lines = np.flatnonzero(
        (first == last).all(axis=1) & (shapely.get_num_coordinates(layer.lines) >= _FEWEST_CORNERS)
    )
    if lengths[closed_lines].sum() <= _OUTLINE_SHARE * lengths.sum():
        return layer
    outlines = _find_outlines(layer, closed_lines)
    outline_lines = [line for outline in outlines for line in outline.lines]
    if lengths[outline_lines].sum() <= _OUTLINE_SHARE * lengths.sum():
        return layer
    shape_count = count_noun(len(outlines), "closed shape")
    if not centre_lines:
        verb = "are outlines" if len(outlines) > 1 else "is the outline"
        note = (
            f"{layer.file}: {shape_count} {verb} of lines, which would "
            "run there and back, so they were left out; import the file again with --centre-lines to take the lines "
            "along their middle, or draw strokes without outlines"
        )
        return _replace_lines(layer, set(outline_lines), [], note)
    centre_lines_by_source = [
        (outline.lines[0], line) for outline in outlines for line in _trace_middles(layer, outline)
    ]
    note = f"{layer.file}: {shape_count} became {count_noun(len(centre_lines_by_source), 'line')} along their middle"
    return _replace_lines(layer, set(outline_lines), centre_lines_by_source, note)


def _find_outlines(layer: TracedLayer, closed: NDArray[np.int64]) -> list[_Outline]:
    """Return the long thin closed shapes of a layer, and the short ones of equal width, in layer order."""
    lines_by_feature: defaultdict[str, list[int]] = defaultdict(list)
    for number in closed.tolist():
        lines_by_feature[_PART_SUFFIX.sub("", layer.line_features[number])].append(number)
    scale = _make_scaler(layer)
    shapes: list[_Outline] = []
    for line_numbers in lines_by_feature.values():
        ring_polygons = [shapely.make_valid(shapely.Polygon(scale(line))) for line in layer.lines[line_numbers]]
        shapes.append(_Outline(line_numbers, reduce(shapely.symmetric_difference, ring_polygons)))
    shape_sizes = [(float(shapely.area(shape.area)), float(shapely.length(shape.area))) for shape in shapes]
    thin_widths = [
        2 * area / perimeter for area, perimeter in shape_sizes if _is_thin(area, perimeter, _LENGTH_TO_WIDTH)
    ]
    if not thin_widths:
        return []
    pen_width = _PEN_FACTOR * float(np.median(thin_widths))
    return [
        shape
        for shape, (area, perimeter) in zip(shapes, shape_sizes, strict=True)
        if _is_thin(area, perimeter, _LENGTH_TO_WIDTH if 2 * area > pen_width * perimeter else _SHORT_LENGTH_TO_WIDTH)
    ]


def _is_thin(area: float, perimeter: float, length_to_width: float) -> bool:
    """Return whether a shape is so many times as long as it is wide, and not flat."""
    return area > _FLAT_RATIO * perimeter**2 and perimeter**2 > 4 * length_to_width * area


def _make_scaler(layer: TracedLayer, *, inverse: bool = False) -> Callable[[shapely.Geometry], NDArray[np.float64]]:
    """Return a function that scales coordinates to equal lengths in both directions, or back."""
    factor = 1.0
    if layer.crs is not None and len(layer.lines):
        _, south, _, north = shapely.total_bounds(layer.lines)
        factor = max(float(np.cos(np.radians((south + north) / 2))), 0.01)
    axis_factors = np.array([1 / factor if inverse else factor, 1.0])
    return lambda line: np.asarray(shapely.get_coordinates(line) * axis_factors, dtype=np.float64)


def _trace_middles(layer: TracedLayer, outline: _Outline) -> Iterator[shapely.LineString]:
    unscale = _make_scaler(layer, inverse=True)
    try:
        lines = trace_centre_lines(outline.area)
    except SourceError as error:
        raise SourceError(f"{layer.line_features[outline.lines[0]]}: {error}") from error
    for line in lines:
        yield shapely.LineString(unscale(line))


def _replace_lines(
    layer: TracedLayer, removed_lines: set[int], new_lines: list[tuple[int, shapely.LineString]], note: str
) -> TracedLayer:
    """Replace some lines of a layer; new lines inherit the attributes of their source line."""
    count_by_source: defaultdict[int, int] = defaultdict(int)
    new_rows = [(n, line, layer.line_features[n]) for n, line in enumerate(layer.lines) if n not in removed_lines]
    for source_line, line in new_lines:
        count_by_source[source_line] += 1
        new_rows.append(
            (
                source_line,
                line,
                f"{_PART_SUFFIX.sub('', layer.line_features[source_line])}/{count_by_source[source_line]}",
            )
        )
    lines = np.empty(len(new_rows), dtype=np.object_)
    lines[:] = [line for _, line, _ in new_rows]
    return replace(
        layer,
        lines=lines,
        line_keys=tuple(layer.line_keys[n] for n, _, _ in new_rows),
        line_features=tuple(feature for _, _, feature in new_rows),
        line_levels=tuple(layer.levels[n] for n, _, _ in new_rows) if layer.line_levels else (),
        line_alternates=tuple(layer.alternates[n] for n, _, _ in new_rows),
        notes=(*layer.notes, note),
    )
