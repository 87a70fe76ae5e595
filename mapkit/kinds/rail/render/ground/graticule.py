"""Graticule of a map: meridians and parallels with their degrees in the margin; and a compass where there is room."""

from typing import Final

import numpy as np
import shapely

from mapkit.drawing.shapes import shape_path_data
from mapkit.drawing.svg_page import SvgPage, format_mm, line_path_data
from mapkit.geography.backdrop import place_lines
from mapkit.geography.page_map import PageMap
from mapkit.kinds.rail.render.ground.free_space import FreeSpace
from mapkit.kinds.rail.render.layout import Layout

_POLE_DEG: Final = 85.0
"""Meridians end there."""
_TEXT_MM: Final = 2.4
_LEAST_MARGIN_MM: Final = 3.0
_EDGE_MM: Final = 0.05
_RADII_MM: Final = (16.0, 14.0, 12.0, 10.0, 8.0, 6.5, 5.0)
_LETTER_SHARE: Final = 0.45
_LINE: Final = "0.15"


def draw_graticule(document: SvgPage, layout: Layout) -> None:
    """Draw meridians and parallels, as many degrees apart as the board says, in the layer `borders`."""
    step = layout.board.drawing.graticule
    if step is None:
        return
    theme, (left, top, right, _) = document.theme, layout.area
    meridians = np.arange(-180, 180, step)
    parallels = np.arange(-np.floor(_POLE_DEG / step) * step, _POLE_DEG + step / 2, step)
    lines = [shapely.LineString([(lon, -_POLE_DEG), (lon, _POLE_DEG)]) for lon in meridians]
    lines += [shapely.LineString([(-180, lat), (180, lat)]) for lat in parallels]
    page_lines = place_lines(lines, layout.board.projection, layout.area, layout.warp)
    style = {"class": "graticule", "fill": "none", "stroke": theme.quiet_ink, "stroke-width": _LINE}
    data = "".join(shape_path_data(line) for line in page_lines)
    if data:
        document.path(document.layers["borders"], data, style | {"stroke-opacity": "0.55", "pointer-events": "none"})
    if min(left, top, layout.board.page.width - right) < _LEAST_MARGIN_MM:
        return
    words = {"class": "degrees", "fill": theme.quiet_ink, "font-size": format_mm(_TEXT_MM), "pointer-events": "none"}
    labels = document.group(document.layers["borders"], words)
    is_english = layout.board.drawing.language == "en"
    for number, line in enumerate(page_lines):
        is_meridian = number < len(meridians)
        degrees = float(meridians[number]) if is_meridian else float(parallels[number - len(meridians)])
        sign = ("E", "W" if is_english else "O") if is_meridian else ("N", "S")
        text = f"{abs(degrees):g}°" + (sign[degrees < 0] if degrees % 180 else "")
        for x, y in shapely.get_coordinates(shapely.boundary(line)).tolist():
            if is_meridian and y < top + _EDGE_MM:
                document.text(labels, text, (x, top - 0.8), {"text-anchor": "middle"})
            elif not is_meridian and x < left + _EDGE_MM:
                document.text(labels, text, (left - 0.8, y + _TEXT_MM / 3), {"text-anchor": "end"})
            elif not is_meridian and x > right - _EDGE_MM:
                document.text(labels, text, (right + 0.8, y + _TEXT_MM / 3), {})


def draw_compass(document: SvgPage, layout: Layout, space: FreeSpace) -> None:
    """Draw a compass on the emptiest water, else on empty land, as far from the middle of the map as it can be."""
    left, top, right, bottom = space.area
    for room, radius in ((room, radius) for room in (space.sea & space.free, space.free) for radius in _RADII_MM):
        free = space.shrink(room, radius * (1 + _LETTER_SHARE))
        rows, columns = np.nonzero(free)
        if len(rows):
            x = left + (columns + 0.5) * space.cell_mm
            y = top + (rows + 0.5) * space.cell_mm
            farthest = int(np.argmax(np.hypot(x - (left + right) / 2, y - (top + bottom) / 2)))
            _draw_rose(document, layout, (float(x[farthest]), float(y[farthest])), radius)
            return


def _draw_rose(document: SvgPage, layout: Layout, middle: tuple[float, float], radius: float) -> None:
    theme, projection = document.theme, layout.board.projection
    (lon,), (lat,) = PageMap(projection).to_degrees(np.array([middle]))
    (x0, y0), (x1, y1) = PageMap(projection).to_page([(lon, lat), (lon, min(lat + 1.0, 90.0))])
    north = float(np.arctan2(x1 - x0, y0 - y1))
    rose = document.group(document.layers["borders"], {"class": "compass", "pointer-events": "none"})
    ring = {"fill": "none", "stroke": theme.quiet_ink, "stroke-width": format_mm(radius / 60)}
    for share in (0.72, 0.78):
        document.circle(rose, middle, share * radius, ring)
    for length, first in ((0.62, 1), (1.0, 0)):  # the four main points lie over the others
        for point in range(first, 8, 2):
            angle = north + point * np.pi / 4
            tip, *sides = (
                (middle[0] + r * np.sin(a), middle[1] - r * np.cos(a))
                for r, a in ((length * radius, angle), *((0.17 * radius, angle + s * np.pi / 4) for s in (-1, 1)))
            )
            for side, fill in zip(sides, (theme.quiet_ink, theme.panel), strict=True):
                edge = {"stroke": theme.quiet_ink, "stroke-width": format_mm(radius / 90), "stroke-linejoin": "round"}
                document.path(rose, line_path_data([middle, tip, side, middle], closed=True), {"fill": fill} | edge)
    size = _LETTER_SHARE * radius * 0.75
    letter = (middle[0] + 1.22 * radius * np.sin(north), middle[1] - 1.22 * radius * np.cos(north))
    style = {"fill": theme.quiet_ink, "font-size": format_mm(size), "font-weight": "bold", "text-anchor": "middle"}
    turn = {"transform": f"rotate({format_mm(float(np.degrees(north)))} {format_mm(letter[0])} {format_mm(letter[1])})"}
    document.text(rose, "N", (letter[0], letter[1] + size / 3), style | turn)
