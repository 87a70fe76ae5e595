"""Drawing of the layers below the railroads: water, land, regions, rivers, lakes, borders and the frame."""

from itertools import pairwise
from typing import Final

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from mapkit.core.base import Area
from mapkit.drawing.shapes import shape_path_data
from mapkit.drawing.svg_page import Element, SvgPage, data_attributes, format_mm, line_path_data
from mapkit.drawing.text_width import SANS
from mapkit.drawing.theme.theme import Theme
from mapkit.geography.backdrop import Backdrop, Warp
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.render.colours.railroad_styles import region_tint
from mapkit.kinds.rail.render.ground.hachures import draw_hachures
from mapkit.kinds.rail.render.ground.region_ground import RegionGround
from mapkit.kinds.rail.render.page_areas import has_neatline

_SHORE_BANDS: Final = {
    "glow": ((2.5, 0.5), (1.3, 1.0)),
    "steps": ((18.0, 0.2), (11.5, 0.25), (6.5, 0.35), (2.6, 0.5)),
}
"""How far the light bands reach from the coast, in millimetres, and their opacity."""
_LINING: Final = ((0.6, 0.2), (1.4, 0.17), (2.4, 0.14), (3.7, 0.12), (5.4, 0.1), (7.6, 0.08))
"""Distances of lines from the coast and their widths, in millimetres."""
_EDGE_BAND_MM: Final = 3.2
_WASH_SHARE: Final = 0.35
"""Opacity of a region's tint away from its coloured edge, as a share of that of the edge."""
_FRAME_GAP_MM: Final = 1.3
_FRAME_BAR_MM: Final = 12.0
_GLOW_SIMPLE_MM: Final = 0.5
_RIVER_SIMPLE_MM: Final = 0.45
_LEAST_HATCH_MM: Final = 0.5
_PEAK_MM: Final = 6.0
"""Distance between peaks of mountains."""
_LABEL_MM: Final = 4.0
"""Text of seas, bays and ranges."""
_HATCH_PATTERNS: Final = (
    (45, 6.0),
    (135, 6.0),
    (0, 6.0),
    (90, 6.0),
    (22.5, 4.0),
    (112.5, 4.0),
    (67.5, 9.0),
    (157.5, 9.0),
)
"""Angles and distances of hatching, a region after the other."""


def draw_ground(document: SvgPage, board: Board, ground: RegionGround, warp: Warp) -> None:
    """Fill the layers `water`, `land`, `regions`, `lakes` and `borders`; `warp` has moved the ground."""
    theme, base_map = document.theme, ground.backdrop
    shore_stroke = {"stroke-width": "0.3", "stroke-linejoin": "round"}
    _draw_water(document, board, ground)
    # Shapes end at the map's edge, and the frame covers their strokes beyond it: clipping is slow in raster engines.
    document.path(
        document.layers["land"],
        shape_path_data(base_map.land) or "M0,0",
        {"class": "land", "fill": theme.land, "fill-rule": "evenodd", "stroke": theme.coast} | shore_stroke,
    )
    _draw_regions(document, board, ground)
    if theme.hachures:
        draw_hachures(document, board.projection, base_map, warp)
    river_group = document.group(
        document.layers["lakes"],
        {"fill": "none", "stroke": theme.river, "stroke-width": "0.35", "stroke-linejoin": "round"}
        | {"stroke-linecap": "round"},
    )
    river_path = shape_path_data(smooth_grid_lines(base_map.rivers))
    if river_path:
        document.path(river_group, river_path, {"class": "rivers"})
    _draw_mountains(document, ground)
    lakes = document.group(document.layers["lakes"], {"fill": theme.water, "stroke": theme.lake_shore} | shore_stroke)
    for lake in base_map.lakes:
        document.path(lakes, shape_path_data(lake), {"class": "lake", "fill-rule": "evenodd"})
    _draw_borders(document, ground)
    if base_map.labels:
        label_style = {"fill": theme.quiet_ink, "font-size": format_mm(_LABEL_MM), "text-anchor": "middle"}
        if theme.family != SANS:
            label_style["font-style"] = "italic"
        labels = document.group(
            document.layers["borders"],
            label_style | {"class": "map-labels", "letter-spacing": "0.6", "pointer-events": "none"},
        )
        for name, point in base_map.labels:
            document.text(labels, name, point, {"class": "map-label"})


def _draw_mountains(document: SvgPage, ground: RegionGround) -> None:
    """Draw peaks along ridges, and in rows within outlines."""
    peaks: list[tuple[float, float]] = []
    for line in ground.backdrop.mountains:
        if not isinstance(line, shapely.LineString):
            continue
        if line.is_ring:
            area = shapely.make_valid(shapely.Polygon(line))
            left, top, right, bottom = area.bounds
            rows = np.arange(top + _PEAK_MM / 2, bottom, _PEAK_MM)
            for number, y in enumerate(rows):
                columns = np.arange(left + _PEAK_MM * (1 + number % 2) / 2, right, 1.2 * _PEAK_MM)
                is_inside = shapely.contains_xy(area, columns, np.full_like(columns, y))
                peaks += [(float(x), float(y)) for x in columns[is_inside]]
        else:
            along = np.arange(_PEAK_MM / 2, line.length, 1.1 * _PEAK_MM)
            peaks += shapely.get_coordinates(shapely.line_interpolate_point(line, along.tolist())).tolist()
    if not peaks:
        return
    theme, half_mm = document.theme, 0.4 * _PEAK_MM
    style = {"class": "mountains", "fill": "none", "stroke": theme.quiet_ink, "stroke-opacity": "0.6"}
    data = "".join(
        line_path_data([(x - half_mm, y + half_mm), (x, y - half_mm), (x + half_mm, y + half_mm)])
        + line_path_data([(x, y - half_mm), (x + 0.3 * half_mm, y + 0.5 * half_mm)])
        for x, y in sorted(peaks, key=lambda peak: (peak[1], peak[0]))
    )
    document.path(document.layers["lakes"], data, style | {"stroke-width": "0.3", "stroke-linejoin": "round"})


def _draw_water(document: SvgPage, board: Board, ground: RegionGround) -> None:
    theme, base_map = document.theme, ground.backdrop
    water_layer = document.layers["water"]
    document.rect(water_layer, (0.0, 0.0, board.page.width, board.page.height), {"class": "paper", "fill": theme.paper})
    document.rect(water_layer, base_map.area, {"class": "water", "fill": theme.water})
    if theme.shore == "lining":
        _draw_lining(document, base_map)
        return
    if theme.coast_glow == theme.water:
        return
    glow_group = document.group(water_layer, {"class": "coast-glow", "fill": theme.coast_glow, "fill-rule": "evenodd"})
    simple_coast = shapely.simplify(base_map.land, _GLOW_SIMPLE_MM)
    for width, opacity in _SHORE_BANDS[theme.shore]:
        d = shape_path_data(
            shapely.intersection(shapely.buffer(simple_coast, width, quad_segs=4), shapely.box(*base_map.area))
        )
        if d:
            document.path(glow_group, d, {"fill-opacity": f"{opacity:g}"})


def _draw_lining(document: SvgPage, base_map: Backdrop) -> None:
    """Draw lines in the sea that follow the coast, finer and wider apart the farther they are."""
    style = {"class": "lining", "fill": "none", "stroke": document.theme.coast}
    lining = document.group(document.layers["water"], style | {"stroke-linejoin": "round"})
    simple_coast = shapely.simplify(base_map.land, _GLOW_SIMPLE_MM / 2)
    sea = shapely.box(*base_map.area)
    for distance, width in _LINING:
        line = shapely.intersection(shapely.boundary(shapely.buffer(simple_coast, distance, quad_segs=4)), sea)
        if path := shape_path_data(shapely.simplify(line, _GLOW_SIMPLE_MM / 5)):
            document.path(lining, path, {"stroke-width": format_mm(width)})


def _draw_regions(document: SvgPage, board: Board, ground: RegionGround) -> None:
    theme = document.theme
    opacity = theme.tint_opacity * (_WASH_SHARE if theme.tint == "edge" else theme.tint == "fill")
    for index, region in enumerate(board.regions):
        region_data = {"name": region.name, "short": region.short, "colour": region.colour, "order": index}
        document.path(
            document.layers["regions"],
            shape_path_data(ground.tints[region.id]) or "M0,0",
            {
                "id": f"region-{region.id}",
                "class": "region",
                "fill": region_tint(region, theme),
                "fill-opacity": f"{opacity:g}",
                "fill-rule": "evenodd",
            }
            | data_attributes(region_data),
            tip=region.name,
        )
    if theme.tint == "edge":
        bands = document.group(document.layers["regions"], {"class": "edge-bands", "fill-rule": "evenodd"})
        for region in board.regions:
            simple_tint = shapely.simplify(ground.tints[region.id], _GLOW_SIMPLE_MM / 2)
            band = shapely.difference(simple_tint, shapely.buffer(simple_tint, -_EDGE_BAND_MM, quad_segs=4))
            band_style = {"fill": region_tint(region, theme), "fill-opacity": f"{theme.tint_opacity:g}"}
            document.path(bands, shape_path_data(band) or "M0,0", band_style)
    if theme.tint == "hatch":
        lines = document.group(document.layers["regions"], {"class": "hatching", "fill": "none"} | hatch_stroke(theme))
        for index, region in enumerate(board.regions):
            hatch_path = shape_path_data(make_hatching(ground.tints[region.id], index))
            if hatch_path:
                document.path(lines, hatch_path, {"class": f"hatch hatch-{index}"})


def hatch_stroke(theme: Theme) -> dict[str, str]:
    """Return the stroke attributes of hatching."""
    return {"stroke": theme.quiet_ink, "stroke-width": "0.1", "stroke-opacity": "0.55"}


def make_hatching(shape: BaseGeometry, index: int, *, share: float = 1.0) -> BaseGeometry:
    """Return the hatching of a region's shape: parallel lines at the angle and distance, or a share, of its number."""
    if shape.is_empty:
        return shape
    angle, line_distance = _HATCH_PATTERNS[index % len(_HATCH_PATTERNS)]
    line_distance *= share
    line_direction = np.round(np.array([np.cos(np.radians(angle)), np.sin(np.radians(angle))]), 6)
    across_direction = np.array([-line_direction[1], line_direction[0]])
    left, top, right, bottom = shape.bounds
    box_corners = np.array([(left, top), (right, top), (right, bottom), (left, bottom)])
    first_line, last_line = (
        np.floor(min(box_corners @ across_direction) / line_distance),
        np.ceil(max(box_corners @ across_direction) / line_distance),
    )
    line_start, line_end = min(box_corners @ line_direction), max(box_corners @ line_direction)
    steps = np.arange(first_line, last_line + 1)[:, None] * line_distance * across_direction
    hatch_lines = np.asarray(
        shapely.linestrings(np.stack((steps + line_start * line_direction, steps + line_end * line_direction), axis=1))
    )
    shapely.prepare(shape)
    return shapely.MultiLineString(
        [
            part
            for clipped_line in np.atleast_1d(np.asarray(shapely.intersection(hatch_lines, shape), dtype=object))
            for part in shapely.get_parts(clipped_line)
            if part.geom_type == "LineString" and part.length > _LEAST_HATCH_MM
        ]
    )


def _draw_borders(document: SvgPage, ground: RegionGround) -> None:
    theme, base_map = document.theme, ground.backdrop
    border_group = document.group(
        document.layers["borders"], {"fill": "none", "stroke": theme.border, "stroke-linejoin": "round"}
    )
    for class_name, border_shape, stroke_width, dashes in (
        ("state-borders", base_map.state_borders, "0.22", "1.6 0.9"),
        ("country-borders", base_map.country_borders, "0.6", "4 1.2 1 1.2"),
    ):
        border_path = shape_path_data(border_shape)
        if border_path:
            document.path(
                border_group,
                border_path,
                {"class": class_name, "stroke-width": stroke_width, "stroke-dasharray": dashes},
            )
    border_path = shape_path_data(ground.edges)
    if border_path:
        edge_style = {"class": "region-borders", "stroke": theme.region_edge, "stroke-linecap": "round"}
        if theme.is_tinted:
            edge_style |= {"stroke-width": "0.7", "stroke-opacity": "0.75"}
        else:
            # fine dots, unlike any railroad
            edge_style |= {"stroke-width": "0.45", "stroke-dasharray": "0.01 1.35"}
        document.path(border_group, border_path, edge_style)
    left, top, right, bottom = base_map.area
    frame_style = {"stroke": theme.frame, "stroke-linejoin": "miter"}
    if theme.border_frame == "band":
        document.rect(border_group, base_map.area, {"class": "frame", "stroke-width": "2.8"} | frame_style)
        return
    document.rect(border_group, base_map.area, {"class": "frame", "stroke-width": "0.9"} | frame_style)
    if has_neatline(base_map.area):
        gap = _FRAME_GAP_MM
        neatline_box = (left + gap, top + gap, right - gap, bottom - gap)
        if theme.border_frame == "bars":
            _draw_frame_bars(document, border_group, base_map.area)
        document.rect(border_group, neatline_box, {"class": "neatline", "stroke-width": "0.25"} | frame_style)


def _draw_frame_bars(document: SvgPage, group: Element, area: Area) -> None:
    """Draw bars in turn along the sides of the frame, as on maps with a scale of degrees; a whole number a side."""
    left, top, right, bottom = (side + shift for side, shift in zip(area, (0.65, 0.65, -0.65, -0.65), strict=True))
    corners = [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)]
    for start, end in pairwise(corners):
        length = abs(end[0] - start[0]) + abs(end[1] - start[1])
        bar = length / (2 * round(length / 2 / _FRAME_BAR_MM) + 1)
        style = {"class": "frame-bars", "stroke": document.theme.frame, "stroke-width": format_mm(_FRAME_GAP_MM)}
        document.path(group, line_path_data([start, end]), style | {"stroke-dasharray": f"{bar:.3f}"})


def smooth_grid_lines(lines: BaseGeometry) -> BaseGeometry:
    """Smooth lines stored on a grid: simplify them, then cut their corners (Chaikin 1974)."""
    smooth_lines = []
    for part in shapely.get_parts(shapely.get_parts(lines)):
        if part.geom_type != "LineString":
            continue
        line_points = shapely.get_coordinates(shapely.simplify(part, _RIVER_SIMPLE_MM))
        for _ in range(2):
            cut_points = np.stack(
                ((3 * line_points[:-1] + line_points[1:]) / 4, (line_points[:-1] + 3 * line_points[1:]) / 4), axis=1
            )
            line_points = np.vstack((line_points[:1], cut_points.reshape(-1, 2)[1:-1], line_points[-1:]))
        smooth_lines.append(shapely.LineString(line_points))
    return shapely.MultiLineString(smooth_lines)
