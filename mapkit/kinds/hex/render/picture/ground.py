"""The land below the grid: coast, lakes, rivers and hills as they are on the earth, and what no track may enter.

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

from mapkit.drawing.shapes import shape_d
from mapkit.drawing.svg_page import mm
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
_ROUND: Final = 1.0
_GLOWS: Final = (4.5, 2.2)
_LINING: Final = (1.2, 2.6, 4.4)
"""Lines in the sea along the coast, where a theme has no colours."""
_HILLS: Final = (6.5, 9.5)
_STEP: Final = 4.0
_KM_PER_CELL: Final = 11.0
_LEVEL: Final = "50m"
"""How fine coasts are: as those that hexagons were sampled from, so that land and terrain agree."""
_QUARTER: Final = 3


def draw_ground(pen: Pen) -> None:
    """Draw paper, sea, land, hills, rivers, lakes and the frame."""
    layer, theme, page = pen.layer("ground"), pen.theme, pen.page
    sheet = pen.sheet
    page.rect(layer, (0.0, 0.0, sheet.width, sheet.height), {"class": "paper", "fill": theme.paper})
    page.rect(layer, sheet.frame, {"class": "water", "fill": theme.water})
    land = land_of(pen)
    frame = shapely.box(*sheet.frame)
    if theme.coast_glow != theme.water:
        for width in _GLOWS:
            glow = land.buffer(width, quad_segs=_QUARTER).simplify(0.15).intersection(frame)
            looks = {"class": "coast-glow", "fill": theme.coast_glow, "fill-opacity": "0.5", "fill-rule": "evenodd"}
            page.path(layer, shape_d(glow), looks)
    elif theme.lines == "ink":
        for width in _LINING:
            line = land.buffer(width, quad_segs=_QUARTER).simplify(0.15).boundary.intersection(frame)
            looks = {"class": "lining", "fill": "none", "stroke": theme.river, "stroke-width": mm(0.15)}
            page.path(layer, shape_d(line), looks)
    edge = {"stroke": theme.coast, "stroke-width": mm(0.3), "stroke-linejoin": "round"}
    page.path(layer, shape_d(land), {"class": "land", "fill": theme.land, "fill-rule": "evenodd", **edge})
    earth = pen.board.earth
    if earth is not None and theme.lines != "ink":
        for hill in hills_of(earth, sheet):
            looks = {"class": "hills", "fill": pen.inks.hill, "fill-opacity": "0.11", "fill-rule": "evenodd"}
            page.path(layer, shape_d(hill.intersection(land)), looks)
    _foreign(pen, land)
    if earth is not None:
        rivers = shapely.intersection(backdrop_of(earth, sheet).rivers, land)
        looks = {"class": "rivers", "fill": "none", "stroke": theme.river, "stroke-width": mm(0.55)}
        page.path(layer, shape_d(rivers), {**looks, "stroke-linejoin": "round", "stroke-linecap": "round"})
    looks = {"fill": "none", "stroke": theme.frame, "stroke-width": mm(0.6), "class": "frame"}
    page.rect(pen.layer("title"), sheet.frame, looks)


def _foreign(pen: Pen, land: BaseGeometry) -> None:
    """Draw the land that no track may enter, in a quiet tint, to the frame where it is at the side of the grid."""
    blocked = _cells(pen, lambda terrain: terrain == BLOCKED)
    if not blocked.is_empty:
        rest = _cells(pen, lambda terrain: terrain != BLOCKED)
        blocked = blocked.buffer(0.6 * pen.board.grid.size_mm, quad_segs=1).difference(rest)
        looks = {"class": "foreign", "fill": pen.inks.blocked, "fill-rule": "evenodd"}
        pen.page.path(pen.layer("ground"), shape_d(blocked.intersection(land)), looks)


def land_of(pen: Pen) -> BaseGeometry:
    """Return what looks like land, clipped to the frame."""
    board, sheet = pen.board, pen.sheet
    frame = shapely.box(*sheet.frame)
    sea = _cells(pen, lambda terrain: terrain == SEA)
    if board.earth is None:
        size = board.grid.size_mm
        dry = _cells(pen, lambda terrain: terrain != SEA)
        around = frame.buffer(size, join_style="mitre").difference(dry.union(sea))
        land = dry.union(around.difference(sea.buffer(0.6 * size, quad_segs=1)))
        return _softened(land, 0.16 * size).intersection(frame)
    closed = {terrain.id for terrain in board.terrains if terrain.cost is None or terrain.wet}
    dry = _cells(pen, lambda terrain: terrain not in closed)
    inside = -RIM * board.grid.size_mm
    below = backdrop_of(board.earth, sheet)
    true = below.land if not below.lakes else below.land.difference(shapely.union_all(below.lakes))
    land = true.union(dry.buffer(inside)).difference(sea.buffer(inside)).simplify(0.05)
    return _softened(land, _ROUND).simplify(0.08).intersection(frame)


def _softened(shape: BaseGeometry, by: float) -> BaseGeometry:
    """Return a shape with round corners, and without what is thinner than twice as much."""
    return shape.buffer(by, quad_segs=_QUARTER).buffer(-2 * by, quad_segs=_QUARTER).buffer(by, quad_segs=_QUARTER)


def _cells(pen: Pen, wanted: Callable[[str], bool]) -> BaseGeometry:
    """Return the hexagons of some terrain as one area."""
    pairs = zip(pen.board.hexes, pen.board.grid.cubes, strict=True)
    some = [pen.sheet.outline(cube) for hexagon, cube in pairs if wanted(hexagon.terrain)]
    if not some:
        return shapely.Polygon()
    return shapely.union_all(shapely.polygons(np.array(some))).buffer(0.01, quad_segs=1)


@lru_cache(maxsize=8)
def backdrop_of(earth: GridEarth, sheet: BoardSheet) -> Backdrop:
    """Return land, lakes and rivers below a grid, in millimetres of the page, turned as the grid is."""
    if not earth.turn:
        return load_backdrop(_projection(earth, sheet), sheet.frame, level=_LEVEL)
    left, top = sheet.left, sheet.top
    turn = earth.turn
    origin = (left, top)
    wide = affinity.rotate(shapely.box(*sheet.frame), turn, origin=origin).bounds
    below = load_backdrop(_projection(earth, sheet), wide, level=_LEVEL)
    frame = shapely.box(*sheet.frame)

    def turned(shape: BaseGeometry) -> BaseGeometry:
        return affinity.rotate(shape, -turn, origin=origin).intersection(frame)

    lakes = tuple(lake for lake in map(turned, below.lakes) if not lake.is_empty)
    return Backdrop(
        area=sheet.frame,
        land=turned(below.land),
        lakes=lakes,
        states=(),
        country_borders=shapely.MultiLineString(),
        state_borders=shapely.MultiLineString(),
        rivers=turned(shapely.union_all(shapely.get_parts(below.rivers))),
    )


def _projection(earth: GridEarth, sheet: BoardSheet) -> Projection:
    scale = 1.0 / earth.metres_per_mm
    return Projection(
        name="grid",
        crs=earth.crs,
        scale_mm_per_m=scale,
        offset_x_mm=sheet.left - earth.left * scale,
        offset_y_mm=sheet.top + earth.top * scale,
    )


@lru_cache(maxsize=8)
def hills_of(earth: GridEarth, sheet: BoardSheet) -> tuple[BaseGeometry, ...]:
    """Return where the land is hilly, in steps, the widest area first; in millimetres of the page."""
    left, top, right, bottom = sheet.frame
    xs, ys = np.arange(left + _STEP / 2, right, _STEP), np.arange(top + _STEP / 2, bottom, _STEP)
    across, down = np.meshgrid(xs - sheet.left, ys - sheet.top)
    turn = np.radians(earth.turn)
    east = earth.left + earth.metres_per_mm * (np.cos(turn) * across - np.sin(turn) * down)
    north = earth.top - earth.metres_per_mm * (np.sin(turn) * across + np.cos(turn) * down)
    lon, lat = transformer(earth.crs).transform(east.ravel(), north.ravel(), direction="INVERSE")
    steps = ruggedness(np.round(lon, 9), np.round(lat, 9)).reshape(across.shape).astype(np.float64)
    blurs = max(1, round(_KM_PER_CELL * 1000 / earth.metres_per_mm / _STEP))
    for _ in range(blurs):
        padded = np.pad(steps, 1, mode="edge")
        rows = (padded[:-2] + 2 * padded[1:-1] + padded[2:]) / 4
        steps = (rows[:, :-2] + 2 * rows[:, 1:-1] + rows[:, 2:]) / 4
    frame = shapely.box(*sheet.frame)
    return tuple(_area(np.round(steps, 6) >= least, xs, ys).intersection(frame) for least in _HILLS)


def _area(mask: NDArray[np.bool_], xs: NDArray[np.float64], ys: NDArray[np.float64]) -> BaseGeometry:
    """Return the cells of a mask as one area with round corners."""
    boxes = []
    half = _STEP / 2
    for row, y in zip(mask, ys, strict=True):
        bounds = np.flatnonzero(np.diff(np.concatenate(([False], row, [False]))))
        boxes += [
            (xs[a] - half, y - half, xs[b - 1] + half, y + half) for a, b in zip(bounds[::2], bounds[1::2], strict=True)
        ]
    if not boxes:
        return shapely.Polygon()
    whole = shapely.union_all(shapely.box(*np.array(boxes).T))
    soft = 0.9 * _STEP
    return whole.buffer(soft, quad_segs=2).buffer(-2 * soft, quad_segs=2).buffer(soft, quad_segs=2).simplify(0.3)
