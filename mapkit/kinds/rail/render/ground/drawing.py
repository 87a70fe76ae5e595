"""What lies below the railroads: water, land, regions, rivers, lakes, borders and the frame."""

from typing import Final

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from mapkit.drawing.shapes import shape_d
from mapkit.drawing.svg_page import SvgPage, data_attributes
from mapkit.drawing.theme.theme import Theme
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.render.colours.railroad_styles import region_tint
from mapkit.kinds.rail.render.ground.tints import Ground
from mapkit.kinds.rail.render.page_areas import has_neatline

_GLOW: Final = ((2.5, 0.5), (1.3, 1.0))
"""How far the light bands reach from the coast, in millimetres, and their opacity."""
_GLOW_SIMPLE_MM: Final = 0.5
_RIVER_SIMPLE_MM: Final = 0.45
_LEAST_HATCH_MM: Final = 0.5
_HATCH: Final = ((45, 6.0), (135, 6.0), (0, 6.0), (90, 6.0), (22.5, 4.0), (112.5, 4.0), (67.5, 9.0), (157.5, 9.0))
"""Angles and distances of hatching, a region after the other."""


def draw_ground(document: SvgPage, board: Board, ground: Ground) -> None:
    """Fill the layers `water`, `land`, `regions`, `lakes` and `borders`."""
    theme, base = document.theme, ground.backdrop
    shore = {"stroke-width": "0.3", "stroke-linejoin": "round"}
    _water(document, board, ground)
    # Shapes end at the map's edge, and the frame covers what their pens stick out: clipping costs raster engines much.
    document.path(
        document.layers["land"],
        shape_d(base.land) or "M0,0",
        {"class": "land", "fill": theme.land, "fill-rule": "evenodd", "stroke": theme.coast} | shore,
    )
    _regions(document, board, ground)
    rivers = document.group(
        document.layers["lakes"],
        {"fill": "none", "stroke": theme.river, "stroke-width": "0.35", "stroke-linejoin": "round"}
        | {"stroke-linecap": "round"},
    )
    d = shape_d(curved(base.rivers))
    if d:
        document.path(rivers, d, {"class": "rivers"})
    lakes = document.group(document.layers["lakes"], {"fill": theme.water, "stroke": theme.lake_shore} | shore)
    for lake in base.lakes:
        document.path(lakes, shape_d(lake), {"class": "lake", "fill-rule": "evenodd"})
    _borders(document, ground)


def _water(document: SvgPage, board: Board, ground: Ground) -> None:
    theme, base = document.theme, ground.backdrop
    layer = document.layers["water"]
    document.rect(layer, (0.0, 0.0, board.page.width, board.page.height), {"class": "paper", "fill": theme.paper})
    document.rect(layer, base.area, {"class": "water", "fill": theme.water})
    if theme.coast_glow == theme.water:
        return
    glow = document.group(layer, {"class": "coast-glow", "fill": theme.coast_glow, "fill-rule": "evenodd"})
    coast = shapely.simplify(base.land, _GLOW_SIMPLE_MM)
    for width, opacity in _GLOW:
        d = shape_d(shapely.intersection(shapely.buffer(coast, width, quad_segs=4), shapely.box(*base.area)))
        if d:
            document.path(glow, d, {"fill-opacity": f"{opacity:g}"})


def _regions(document: SvgPage, board: Board, ground: Ground) -> None:
    theme = document.theme
    opacity = theme.tint_opacity if theme.tint == "fill" else 0.0
    for index, region in enumerate(board.regions):
        data = {"name": region.name, "short": region.short, "colour": region.colour, "order": index}
        document.path(
            document.layers["regions"],
            shape_d(ground.tints[region.id]) or "M0,0",
            {
                "id": f"region-{region.id}",
                "class": "region",
                "fill": region_tint(region, theme),
                "fill-opacity": f"{opacity:g}",
                "fill-rule": "evenodd",
            }
            | data_attributes(data),
            tip=region.name,
        )
    if theme.tint == "hatch":
        lines = document.group(document.layers["regions"], {"class": "hatching", "fill": "none"} | hatch_stroke(theme))
        for index, region in enumerate(board.regions):
            d = shape_d(hatched(ground.tints[region.id], index))
            if d:
                document.path(lines, d, {"class": f"hatch hatch-{index}"})


def hatch_stroke(theme: Theme) -> dict[str, str]:
    """Return how hatching is drawn."""
    return {"stroke": theme.quiet_ink, "stroke-width": "0.1", "stroke-opacity": "0.55"}


def hatched(shape: BaseGeometry, index: int, *, share: float = 1.0) -> BaseGeometry:
    """Return the hatching of a region's shape: parallel lines at the angle and distance, or a share, of its number."""
    if shape.is_empty:
        return shape
    angle, distance = _HATCH[index % len(_HATCH)]
    distance *= share
    turn = np.round(np.array([np.cos(np.radians(angle)), np.sin(np.radians(angle))]), 6)
    across = np.array([-turn[1], turn[0]])
    left, top, right, bottom = shape.bounds
    corners = np.array([(left, top), (right, top), (right, bottom), (left, bottom)])
    first, last = np.floor(min(corners @ across) / distance), np.ceil(max(corners @ across) / distance)
    start, end = min(corners @ turn), max(corners @ turn)
    steps = np.arange(first, last + 1)[:, None] * distance * across
    rules = np.asarray(shapely.linestrings(np.stack((steps + start * turn, steps + end * turn), axis=1)))
    shapely.prepare(shape)
    return shapely.MultiLineString(
        [
            part
            for piece in np.atleast_1d(np.asarray(shapely.intersection(rules, shape), dtype=object))
            for part in shapely.get_parts(piece)
            if part.geom_type == "LineString" and part.length > _LEAST_HATCH_MM
        ]
    )


def _borders(document: SvgPage, ground: Ground) -> None:
    theme, base = document.theme, ground.backdrop
    borders = document.group(
        document.layers["borders"], {"fill": "none", "stroke": theme.border, "stroke-linejoin": "round"}
    )
    for name, shape, width, dashes in (
        ("state-borders", base.state_borders, "0.22", "1.6 0.9"),
        ("country-borders", base.country_borders, "0.6", "4 1.2 1 1.2"),
    ):
        d = shape_d(shape)
        if d:
            document.path(borders, d, {"class": name, "stroke-width": width, "stroke-dasharray": dashes})
    d = shape_d(ground.edges)
    if d:
        edge = {"class": "region-borders", "stroke": theme.region_edge, "stroke-linecap": "round"}
        if theme.tint == "fill":
            edge |= {"stroke-width": "0.7", "stroke-opacity": "0.75"}
        else:
            # fine dots: no railroad is drawn so
            edge |= {"stroke-width": "0.45", "stroke-dasharray": "0.01 1.35"}
        document.path(borders, d, edge)
    left, top, right, bottom = base.area
    frame = {"stroke": theme.frame, "stroke-linejoin": "miter"}
    document.rect(borders, base.area, {"class": "frame", "stroke-width": "0.9"} | frame)
    if has_neatline(base.area):
        inner = (left + 1.3, top + 1.3, right - 1.3, bottom - 1.3)
        document.rect(borders, inner, {"class": "neatline", "stroke-width": "0.25"} | frame)


def curved(lines: BaseGeometry) -> BaseGeometry:
    """Return lines without the steps of the grid they were stored on: thinned, then with their corners cut."""
    out = []
    for part in shapely.get_parts(shapely.get_parts(lines)):
        if part.geom_type != "LineString":
            continue
        along = shapely.get_coordinates(shapely.simplify(part, _RIVER_SIMPLE_MM))
        for _ in range(2):
            inner = np.stack(((3 * along[:-1] + along[1:]) / 4, (along[:-1] + 3 * along[1:]) / 4), axis=1)
            along = np.vstack((along[:1], inner.reshape(-1, 2)[1:-1], along[-1:]))
        out.append(shapely.LineString(along))
    return shapely.MultiLineString(out)
