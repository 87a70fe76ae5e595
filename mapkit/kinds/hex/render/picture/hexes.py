"""Hexagons: a quiet grid, the tint and the marks of each terrain, and labels."""

from typing import Final

from mapkit.core.base import Point
from mapkit.drawing.fit import points_to_mm
from mapkit.drawing.svg_page import Element, data_attributes, format_mm, line_path_data
from mapkit.kinds.hex.model.terrain import BLOCKED, SEA, Terrain, known_terrains
from mapkit.kinds.hex.render.palette import terrain_fill
from mapkit.kinds.hex.render.picture.pen import Pen

_PEAK_PATTERNS: Final = (
    ((-4.2, 1.2, 5.4), (4.0, 2.6, 4.6), (0.3, -1.8, 7.0)),
    ((-3.8, 2.6, 4.8), (4.4, 1.0, 5.4), (-0.2, -2.0, 6.8)),
    ((-4.6, -0.4, 5.8), (0.6, 3.0, 4.8), (4.0, -1.2, 6.4)),
    ((-1.6, -1.8, 7.0), (4.6, 1.6, 5.2), (-4.2, 3.2, 4.2)),
)
"""Peaks of a mountain: x, y and height in units, four ways."""


def draw_hexes(pen: Pen) -> None:
    """Draw every hexagon with its id and data."""
    layer, grid = pen.layer("hexes"), pen.board.grid
    city_hexes = {city.hex for city in pen.board.cities}
    for hexagon, cube in zip(pen.board.hexes, grid.cubes, strict=True):
        terrain = pen.terrains[hexagon.terrain]
        column, row = grid.place(cube)
        outline = pen.sheet.outline(cube)
        hex_data = {"hex": hexagon.id, "column": column + 1, "row": row + 1, "terrain": hexagon.terrain}
        hex_looks = {
            "id": f"hex-{hexagon.id}",
            "class": f"hex {hexagon.terrain}",
            **data_attributes(hex_data if not hexagon.art else {**hex_data, "art": hexagon.art}),
            **_hex_fill(pen, terrain),
            "stroke": pen.inks.grid,
            "stroke-width": format_mm(0.18),
            "stroke-opacity": "0.3" if terrain.id in (SEA, BLOCKED) else "1",
        }
        pen.page.path(layer, line_path_data([*outline, outline[0]], closed=True), hex_looks)
        if hexagon.id not in city_hexes:
            draw_marks(pen, layer, terrain, pen.sheet.centre(cube), (column * 7 + row * 3) % len(_PEAK_PATTERNS))
            if hexagon.label:
                top_y = min(y for _, y in outline)
                middle_x = sum(x for x, _ in outline) / len(outline)
                size = points_to_mm(6)
                drop_mm = size * (0.85 if pen.board.grid.flat else 1.9)
                label_looks = {
                    "font-size": format_mm(size),
                    "fill": pen.inks.label,
                    "text-anchor": "middle",
                    "class": "label",
                }
                pen.page.text(
                    pen.layer("labels"), hexagon.label, (middle_x, top_y + drop_mm + size * 0.35), label_looks
                )


def _hex_fill(pen: Pen, terrain: Terrain) -> dict[str, str]:
    """Return the tint of a hexagon; if the ground shows, it has none but can still be clicked."""
    known_terrain = known_terrains().get(terrain.id)
    if known_terrain is not None and known_terrain.ground:
        return {"fill": pen.theme.land, "fill-opacity": "0"}
    return {"fill": terrain_fill(terrain.id, terrain.colour, pen.theme), "fill-opacity": "0.8"}


def draw_marks(pen: Pen, layer: Element, terrain: Terrain, at: Point, way: int = 0) -> None:
    """Draw the marks that show a terrain without its colour: peaks of mountains, drops of water (RW-C03)."""
    (x, y), unit_mm = at, pen.unit
    known_terrain = known_terrains().get(terrain.id)
    marks = (
        known_terrain.marks
        if known_terrain is not None
        else "drops"
        if terrain.wet and terrain.cost is not None
        else ""
    )
    if marks == "peaks":
        for dx, dy, size in sorted(_PEAK_PATTERNS[way], key=lambda peak: peak[1]):
            _draw_peak(pen, layer, (x + dx * unit_mm, y + dy * unit_mm), size * unit_mm)
    elif marks == "drops":
        for dx, dy in ((-3.4, 1.9), (3.2, 1.5), (0.0, -2.6)):
            _draw_drop(pen, layer, (x + dx * unit_mm, y + dy * unit_mm), 2.5 * unit_mm)


def _draw_peak(pen: Pen, layer: Element, at: Point, size: float) -> None:
    """Draw a peak, light at the left, with a slope of snow."""
    (x, y), half_size, inks = at, size / 2, pen.inks
    foot_y, top_y = y + half_size * 0.8, y - half_size
    outline_looks = {"stroke": inks.peak_edge, "stroke-width": format_mm(0.14), "stroke-linejoin": "round"}
    light_side = [(x - half_size, foot_y), (x, top_y), (x + half_size * 0.2, y), (x - half_size * 0.05, foot_y)]
    dark_side = [(x, top_y), (x + half_size, foot_y), (x - half_size * 0.05, foot_y), (x + half_size * 0.2, y)]
    pen.page.path(
        layer, line_path_data([*light_side, light_side[0]], closed=True), {"fill": inks.peak_light, **outline_looks}
    )
    pen.page.path(
        layer, line_path_data([*dark_side, dark_side[0]], closed=True), {"fill": inks.peak_dark, **outline_looks}
    )


def _draw_drop(pen: Pen, layer: Element, at: Point, size: float) -> None:
    (x, y), radius_mm = at, size / 2
    drop_path = (
        f"M{format_mm(x)},{format_mm(y - size * 0.8)} "
        f"C{format_mm(x + radius_mm * 0.4)},{format_mm(y - radius_mm * 0.6)} {format_mm(x + radius_mm)},{format_mm(y)} "
        f"{format_mm(x + radius_mm)},{format_mm(y + radius_mm * 0.4)} "
        f"A{format_mm(radius_mm)},{format_mm(radius_mm)} 0 1 1 "
        f"{format_mm(x - radius_mm)},{format_mm(y + radius_mm * 0.4)} "
        f"C{format_mm(x - radius_mm)},{format_mm(y)} {format_mm(x - radius_mm * 0.4)},{format_mm(y - radius_mm * 0.6)} "
        f"{format_mm(x)},{format_mm(y - size * 0.8)}Z"
    )
    pen.page.path(
        layer, drop_path, {"fill": pen.inks.drop, "stroke": pen.inks.drop_edge, "stroke-width": format_mm(0.12)}
    )
