"""Land below the grid: coast, lakes, rivers and hills of the earth, and land closed to track.

A board knows land and sea twice: by its hexagons, which the game is played on, and by the earth. The coast is that of
the earth near the border of both; farther in, the ground looks like what the game says that it is.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Final

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import affinity
from shapely.geometry.base import BaseGeometry

from mapkit.drawing.shapes import shape_path_data
from mapkit.drawing.svg_page import format_mm
from mapkit.geography.backdrop import Backdrop, load_backdrop
from mapkit.geography.page_map import transformer
from mapkit.geography.projection import Projection
from mapkit.geography.relief import ruggedness
from mapkit.kinds.hex.grid.earth import GridEarth
from mapkit.kinds.hex.model.terrain import BLOCKED, SEA
from mapkit.kinds.hex.render.picture.pen import Pen
from mapkit.kinds.hex.render.sheet import BoardSheet

RIM: Final = 0.14
"""How far from its border, in widths of a hexagon, an area of land or sea looks like that, whatever the earth says."""
_CORNER_RADIUS_MM: Final = 1.0
_GLOW_WIDTHS: Final = (4.5, 2.2)
_LINING_WIDTHS: Final = (1.2, 2.6, 4.4)
"""Lines in the sea along the coast, where a theme has no colours."""
_HILL_STEPS: Final = (6.5, 9.5)
_SAMPLE_STEP_MM: Final = 4.0
_KM_PER_CELL: Final = 11.0
_COAST_LEVEL: Final = "50m"
"""How fine coasts are: as those that hexagons were sampled from, so that land and terrain agree."""
_QUARTER_SEGMENTS: Final = 3


def draw_ground(pen: Pen) -> None:
    """Draw paper, sea, land, hills, rivers, lakes and the frame."""
    layer, theme, page = pen.layer("ground"), pen.theme, pen.page
    sheet = pen.sheet
    page.rect(layer, (0.0, 0.0, sheet.width, sheet.height), {"class": "paper", "fill": theme.paper})
    page.rect(layer, sheet.frame, {"class": "water", "fill": theme.water})
    land = drawn_land(pen)
    frame = shapely.box(*sheet.frame)
    if theme.coast_glow != theme.water:
        for width in _GLOW_WIDTHS:
            glow = land.buffer(width, quad_segs=_QUARTER_SEGMENTS).simplify(0.15).intersection(frame)
            shape_looks = {
                "class": "coast-glow",
                "fill": theme.coast_glow,
                "fill-opacity": "0.5",
                "fill-rule": "evenodd",
            }
            page.path(layer, shape_path_data(glow), shape_looks)
    elif theme.lines == "ink" or theme.shore == "lining":
        for width in _LINING_WIDTHS:
            lining = land.buffer(width, quad_segs=_QUARTER_SEGMENTS).simplify(0.15).boundary.intersection(frame)
            shape_looks = {"class": "lining", "fill": "none", "stroke": theme.river, "stroke-width": format_mm(0.15)}
            page.path(layer, shape_path_data(lining), shape_looks)
    coast_looks = {"stroke": theme.coast, "stroke-width": format_mm(0.3), "stroke-linejoin": "round"}
    page.path(
        layer, shape_path_data(land), {"class": "land", "fill": theme.land, "fill-rule": "evenodd", **coast_looks}
    )
    earth = pen.board.earth
    if earth is not None and theme.lines != "ink":
        for hill in load_hills(earth, sheet):
            shape_looks = {"class": "hills", "fill": pen.inks.hill, "fill-opacity": "0.11", "fill-rule": "evenodd"}
            page.path(layer, shape_path_data(hill.intersection(land)), shape_looks)
    _draw_blocked_land(pen, land)
    if earth is not None:
        rivers = shapely.intersection(load_hex_backdrop(earth, sheet).rivers, land)
        shape_looks = {"class": "rivers", "fill": "none", "stroke": theme.river, "stroke-width": format_mm(0.55)}
        page.path(
            layer, shape_path_data(rivers), {**shape_looks, "stroke-linejoin": "round", "stroke-linecap": "round"}
        )
    shape_looks = {"fill": "none", "stroke": theme.frame, "stroke-width": format_mm(0.6), "class": "frame"}
    page.rect(pen.layer("title"), sheet.frame, shape_looks)


def _draw_blocked_land(pen: Pen, land: BaseGeometry) -> None:
    """Draw the land closed to track in a quiet tint, up to the frame at the sides of the grid."""
    blocked_area = _merge_hexes(pen, lambda terrain: terrain == BLOCKED)
    if not blocked_area.is_empty:
        open_area = _merge_hexes(pen, lambda terrain: terrain != BLOCKED)
        blocked_area = blocked_area.buffer(0.6 * pen.board.grid.size_mm, quad_segs=1).difference(open_area)
        area_looks = {"class": "foreign", "fill": pen.inks.blocked, "fill-rule": "evenodd"}
        pen.page.path(pen.layer("ground"), shape_path_data(blocked_area.intersection(land)), area_looks)


def drawn_land(pen: Pen) -> BaseGeometry:
    """Return the area drawn as land, clipped to the frame."""
    board, sheet = pen.board, pen.sheet
    frame = shapely.box(*sheet.frame)
    sea_area = _merge_hexes(pen, lambda terrain: terrain == SEA)
    if board.earth is None:
        size_mm = board.grid.size_mm
        dry_area = _merge_hexes(pen, lambda terrain: terrain != SEA)
        margin_area = frame.buffer(size_mm, join_style="mitre").difference(dry_area.union(sea_area))
        land = dry_area.union(margin_area.difference(sea_area.buffer(0.6 * size_mm, quad_segs=1)))
        return _round_corners(land, 0.16 * size_mm).intersection(frame)
    closed_terrains = {terrain.id for terrain in board.terrains if terrain.cost is None or terrain.wet}
    dry_area = _merge_hexes(pen, lambda terrain: terrain not in closed_terrains)
    inset_mm = -RIM * board.grid.size_mm
    earth_backdrop = load_hex_backdrop(board.earth, sheet)
    earth_land = (
        earth_backdrop.land
        if not earth_backdrop.lakes
        else earth_backdrop.land.difference(shapely.union_all(earth_backdrop.lakes))
    )
    land = earth_land.union(dry_area.buffer(inset_mm)).difference(sea_area.buffer(inset_mm)).simplify(0.05)
    return _round_corners(land, _CORNER_RADIUS_MM).simplify(0.08).intersection(frame)


def _round_corners(shape: BaseGeometry, by: float) -> BaseGeometry:
    """Return a shape with round corners, and without parts thinner than twice the radius."""
    return (
        shape.buffer(by, quad_segs=_QUARTER_SEGMENTS)
        .buffer(-2 * by, quad_segs=_QUARTER_SEGMENTS)
        .buffer(by, quad_segs=_QUARTER_SEGMENTS)
    )


def _merge_hexes(pen: Pen, wanted: Callable[[str], bool]) -> BaseGeometry:
    """Return the hexagons of some terrain as one area."""
    hexes_and_cubes = zip(pen.board.hexes, pen.board.grid.cubes, strict=True)
    hex_outlines = [pen.sheet.outline(cube) for hexagon, cube in hexes_and_cubes if wanted(hexagon.terrain)]
    if not hex_outlines:
        return shapely.Polygon()
    return shapely.union_all(shapely.polygons(np.array(hex_outlines))).buffer(0.01, quad_segs=1)


@lru_cache(maxsize=8)
def load_hex_backdrop(earth: GridEarth, sheet: BoardSheet) -> Backdrop:
    """Return land, lakes and rivers below a grid, in millimetres of the page, turned as the grid is."""
    if not earth.turn:
        return load_backdrop(_grid_projection(earth, sheet), sheet.frame, level=_COAST_LEVEL)
    left, top = sheet.left, sheet.top
    turn_deg = earth.turn
    origin = (left, top)
    turned_bounds = affinity.rotate(shapely.box(*sheet.frame), turn_deg, origin=origin).bounds
    wide_backdrop = load_backdrop(_grid_projection(earth, sheet), turned_bounds, level=_COAST_LEVEL)
    frame = shapely.box(*sheet.frame)

    def turned(shape: BaseGeometry) -> BaseGeometry:
        return affinity.rotate(shape, -turn_deg, origin=origin).intersection(frame)

    lakes = tuple(lake for lake in map(turned, wide_backdrop.lakes) if not lake.is_empty)
    return Backdrop(
        area=sheet.frame,
        land=turned(wide_backdrop.land),
        lakes=lakes,
        states=(),
        country_borders=shapely.MultiLineString(),
        state_borders=shapely.MultiLineString(),
        rivers=turned(shapely.union_all(shapely.get_parts(wide_backdrop.rivers))),
    )


def _grid_projection(earth: GridEarth, sheet: BoardSheet) -> Projection:
    scale = 1.0 / earth.metres_per_mm
    return Projection(
        name="grid",
        crs=earth.crs,
        scale_mm_per_m=scale,
        offset_x_mm=sheet.left - earth.left * scale,
        offset_y_mm=sheet.top + earth.top * scale,
    )


@lru_cache(maxsize=8)
def load_hills(earth: GridEarth, sheet: BoardSheet) -> tuple[BaseGeometry, ...]:
    """Return the hilly areas in steps, the largest first, in millimetres of the page."""
    left, top, right, bottom = sheet.frame
    xs, ys = (
        np.arange(left + _SAMPLE_STEP_MM / 2, right, _SAMPLE_STEP_MM),
        np.arange(top + _SAMPLE_STEP_MM / 2, bottom, _SAMPLE_STEP_MM),
    )
    across_mm, down_mm = np.meshgrid(xs - sheet.left, ys - sheet.top)
    turn_rad = np.radians(earth.turn)
    east = earth.left + earth.metres_per_mm * (np.cos(turn_rad) * across_mm - np.sin(turn_rad) * down_mm)
    north = earth.top - earth.metres_per_mm * (np.sin(turn_rad) * across_mm + np.cos(turn_rad) * down_mm)
    lon, lat = transformer(earth.crs).transform(east.ravel(), north.ravel(), direction="INVERSE")
    ruggedness_steps = ruggedness(np.round(lon, 9), np.round(lat, 9)).reshape(across_mm.shape).astype(np.float64)
    blur_count = max(1, round(_KM_PER_CELL * 1000 / earth.metres_per_mm / _SAMPLE_STEP_MM))
    for _ in range(blur_count):
        padded = np.pad(ruggedness_steps, 1, mode="edge")
        blurred_rows = (padded[:-2] + 2 * padded[1:-1] + padded[2:]) / 4
        ruggedness_steps = (blurred_rows[:, :-2] + 2 * blurred_rows[:, 1:-1] + blurred_rows[:, 2:]) / 4
    frame = shapely.box(*sheet.frame)
    return tuple(
        _mask_area(np.round(ruggedness_steps, 6) >= least_step, xs, ys).intersection(frame)
        for least_step in _HILL_STEPS
    )


def _mask_area(mask: NDArray[np.bool_], xs: NDArray[np.float64], ys: NDArray[np.float64]) -> BaseGeometry:
    """Return the cells of a mask as one area with round corners."""
    row_boxes = []
    half_step = _SAMPLE_STEP_MM / 2
    for row, y in zip(mask, ys, strict=True):
        bounds = np.flatnonzero(np.diff(np.concatenate(([False], row, [False]))))
        row_boxes += [
            (xs[a] - half_step, y - half_step, xs[b - 1] + half_step, y + half_step)
            for a, b in zip(bounds[::2], bounds[1::2], strict=True)
        ]
    if not row_boxes:
        return shapely.Polygon()
    merged_area = shapely.union_all(shapely.box(*np.array(row_boxes).T))
    corner_radius = 0.9 * _SAMPLE_STEP_MM
    return (
        merged_area.buffer(corner_radius, quad_segs=2)
        .buffer(-2 * corner_radius, quad_segs=2)
        .buffer(corner_radius, quad_segs=2)
        .simplify(0.3)
    )
