"""Hachures: short strokes down the slopes of rugged land, as engravers drew mountains before contour lines.

The shipped grid of ruggedness has no heights, so that strokes run from rugged land to plainer land.
"""

from typing import Final

import numpy as np
import shapely

from mapkit.core.base import Area
from mapkit.drawing.svg_page import SvgPage, format_mm
from mapkit.geography.backdrop import Backdrop, Warp
from mapkit.geography.page_map import PageMap
from mapkit.geography.projection import Projection
from mapkit.geography.relief import CELLS_PER_DEGREE, ruggedness
from mapkit.kinds.rail.render.lines.polyline import Array

_STEP_MM: Final = 1.7
_MARGIN_MM: Final = 20.0
"""How far beyond the map strokes may come from, where crowded parts are drawn apart."""
_LEAST_RUGGEDNESS: Final = 4.5
_LEAST_SLOPE: Final = 0.3
"""In steps of ruggedness from one cell of the shipped grid to the next."""
_WIDTHS: Final = ((4.5, 0.1), (7.5, 0.15), (10.5, 0.21))
"""Least ruggedness and width of strokes, in millimetres."""
_BLUR_SHARE: Final = 0.6
"""Standard deviation of the blur, in cells of the shipped grid."""
_METRES_PER_CELL: Final = 111_320 / CELLS_PER_DEGREE


def draw_hachures(document: SvgPage, projection: Projection, base_map: Backdrop, warp: Warp) -> None:
    """Draw the hachures of a map of the earth into the layer `regions`."""
    if projection.plane is not None:
        return
    steepness, strokes = list_hachures(projection, base_map.area, warp)
    dry_land = shapely.difference(base_map.land, shapely.union_all(list(base_map.lakes)))
    shapely.prepare(dry_land)
    is_dry = shapely.contains_xy(dry_land, strokes[:, :, 0], strokes[:, :, 1]).all(axis=1)
    steepness, strokes = steepness[is_dry], strokes[is_dry]
    style = {"class": "hachures", "fill": "none", "stroke": document.theme.border, "stroke-linecap": "round"}
    group = document.group(document.layers["regions"], style | {"pointer-events": "none"})
    limits = [least for least, _ in _WIDTHS[1:]]
    for number, (_, width) in enumerate(_WIDTHS):
        drawn = strokes[np.digitize(steepness, limits) == number]
        data = "".join(f"M{x0:.1f},{y0:.1f} L{x1:.1f},{y1:.1f}" for x0, y0, x1, y1 in drawn.reshape(-1, 4).tolist())
        if data:
            document.path(group, data, {"stroke-width": format_mm(width)})


def list_hachures(projection: Projection, area: Area, warp: Warp) -> tuple[Array, Array]:
    """Return the ruggedness below each stroke, and the strokes on the page, shape (n, 2, 2), from the top downhill."""
    left, top, right, bottom = area
    xs = np.arange(left - _MARGIN_MM, right + _MARGIN_MM, _STEP_MM)
    ys = np.arange(top - _MARGIN_MM, bottom + _MARGIN_MM, _STEP_MM)
    x, y = np.meshgrid(xs, ys)
    lon, lat = PageMap(projection).to_degrees(np.column_stack((x.ravel(), y.ravel())))
    is_on_earth = np.isfinite(lon) & np.isfinite(lat)
    lon, lat = np.where(is_on_earth, lon, 0.0), np.where(is_on_earth, lat, 0.0)
    steps = np.where(is_on_earth, ruggedness(np.round(lon, 9), np.round(lat, 9)), 0).reshape(x.shape).astype(np.float64)
    cell_steps = projection.scale_mm_per_m * _METRES_PER_CELL / _STEP_MM
    for _ in range(max(2, round(1.5 * (_BLUR_SHARE * cell_steps) ** 2))):
        steps = (steps + np.roll(steps, 1, 0) + np.roll(steps, -1, 0)) / 3
        steps = (steps + np.roll(steps, 1, 1) + np.roll(steps, -1, 1)) / 3
    down_y, down_x = -np.gradient(steps, axis=0), -np.gradient(steps, axis=1)
    slope = np.hypot(down_x, down_y)
    is_drawn = (np.round(steps, 6) >= _LEAST_RUGGEDNESS) & (np.round(slope * cell_steps, 6) >= _LEAST_SLOPE)
    rows, columns = np.nonzero(is_drawn)
    # moved off the grid by a hash of row and column, so that strokes stand in no rows
    keys = (rows.astype(np.uint64) * np.uint64(73_856_093)) ^ (columns.astype(np.uint64) * np.uint64(19_349_663))
    hashes = np.column_stack((keys * np.uint64(2_654_435_761), keys * np.uint64(2_246_822_519)))
    shift = (hashes % np.uint64(1 << 32)).astype(np.float64) / (1 << 32) - 0.5
    starts = np.column_stack((x[is_drawn], y[is_drawn])) + 0.9 * _STEP_MM * shift
    downhill = np.column_stack((down_x[is_drawn], down_y[is_drawn])) / slope[is_drawn][:, None]
    lengths = 0.7 + 0.1 * steps[is_drawn]
    ends = starts + downhill * lengths[:, None]
    strokes = np.stack((warp(starts), warp(ends)), axis=1)
    inside = (strokes > (left, top)).all(axis=(1, 2)) & (strokes < (right, bottom)).all(axis=(1, 2))
    return steps[is_drawn][inside], strokes[inside]
