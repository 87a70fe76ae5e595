"""Hexagons: a quiet grid, the tint and the marks of each terrain, and labels."""

from typing import Final

from mapkit.core.base import Point
from mapkit.drawing.fit import pt
from mapkit.drawing.svg_page import Element, data_attributes, line_d, mm
from mapkit.kinds.hex.model.board import Hex
from mapkit.kinds.hex.model.terrain import BLOCKED, SEA, Terrain, known_terrains
from mapkit.kinds.hex.render.palette import terrain_fill
from mapkit.kinds.hex.render.picture.pen import Pen

_PEAKS: Final = (
    ((-4.2, 1.2, 5.4), (4.0, 2.6, 4.6), (0.3, -1.8, 7.0)),
    ((-3.8, 2.6, 4.8), (4.4, 1.0, 5.4), (-0.2, -2.0, 6.8)),
    ((-4.6, -0.4, 5.8), (0.6, 3.0, 4.8), (4.0, -1.2, 6.4)),
    ((-1.6, -1.8, 7.0), (4.6, 1.6, 5.2), (-4.2, 3.2, 4.2)),
)
"""Peaks of a mountain: x, y and height in units, four ways."""


def draw_hexes(pen: Pen) -> None:
    """Draw every hexagon with its id and data."""
    layer, grid = pen.layer("hexes"), pen.board.grid
    taken = {city.hex for city in pen.board.cities}
    for hexagon, cube in zip(pen.board.hexes, grid.cubes, strict=True):
        terrain = pen.terrains[hexagon.terrain]
        column, row = grid.place(cube)
        outline = pen.sheet.outline(cube)
        data = {"hex": hexagon.id, "column": column + 1, "row": row + 1, "terrain": hexagon.terrain}
        looks = {
            "id": f"hex-{hexagon.id}",
            "class": f"hex {hexagon.terrain}",
            **data_attributes(data if not hexagon.art else {**data, "art": hexagon.art}),
            **_fill(pen, terrain),
            "stroke": pen.inks.grid,
            "stroke-width": mm(0.18),
            "stroke-opacity": "0.3" if terrain.id in (SEA, BLOCKED) else "1",
        }
        pen.page.path(layer, line_d([*outline, outline[0]], closed=True), looks)
        if hexagon.id not in taken:
            draw_marks(pen, layer, terrain, pen.sheet.centre(cube), (column * 7 + row * 3) % len(_PEAKS))
            if hexagon.label:
                _label(pen, hexagon, outline)


def _fill(pen: Pen, terrain: Terrain) -> dict[str, str]:
    """Return the tint of a hexagon; where the ground shows, it has none but can still be clicked."""
    known = known_terrains().get(terrain.id)
    if known is not None and known.ground:
        return {"fill": pen.theme.land, "fill-opacity": "0"}
    return {"fill": terrain_fill(terrain.id, terrain.colour, pen.theme), "fill-opacity": "0.8"}


def draw_marks(pen: Pen, layer: Element, terrain: Terrain, at: Point, way: int = 0) -> None:
    """Draw what tells a terrain without its colour: peaks of mountains, drops of water (RW-C03)."""
    (x, y), u = at, pen.unit
    known = known_terrains().get(terrain.id)
    marks = known.marks if known is not None else "drops" if terrain.wet and terrain.cost is not None else ""
    if marks == "peaks":
        for dx, dy, size in sorted(_PEAKS[way], key=lambda peak: peak[1]):
            _peak(pen, layer, (x + dx * u, y + dy * u), size * u)
    elif marks == "drops":
        for dx, dy in ((-3.4, 1.9), (3.2, 1.5), (0.0, -2.6)):
            _drop(pen, layer, (x + dx * u, y + dy * u), 2.5 * u)


def _peak(pen: Pen, layer: Element, at: Point, size: float) -> None:
    """Draw a peak, light at the left, with a slope of snow."""
    (x, y), half, inks = at, size / 2, pen.inks
    foot, top = y + half * 0.8, y - half
    stroke = {"stroke": inks.peak_edge, "stroke-width": mm(0.14), "stroke-linejoin": "round"}
    light = [(x - half, foot), (x, top), (x + half * 0.2, y), (x - half * 0.05, foot)]
    dark = [(x, top), (x + half, foot), (x - half * 0.05, foot), (x + half * 0.2, y)]
    pen.page.path(layer, line_d([*light, light[0]], closed=True), {"fill": inks.peak_light, **stroke})
    pen.page.path(layer, line_d([*dark, dark[0]], closed=True), {"fill": inks.peak_dark, **stroke})


def _drop(pen: Pen, layer: Element, at: Point, size: float) -> None:
    (x, y), r = at, size / 2
    d = (
        f"M{mm(x)},{mm(y - size * 0.8)} "
        f"C{mm(x + r * 0.4)},{mm(y - r * 0.6)} {mm(x + r)},{mm(y)} {mm(x + r)},{mm(y + r * 0.4)} "
        f"A{mm(r)},{mm(r)} 0 1 1 {mm(x - r)},{mm(y + r * 0.4)} "
        f"C{mm(x - r)},{mm(y)} {mm(x - r * 0.4)},{mm(y - r * 0.6)} {mm(x)},{mm(y - size * 0.8)}Z"
    )
    pen.page.path(layer, d, {"fill": pen.inks.drop, "stroke": pen.inks.drop_edge, "stroke-width": mm(0.12)})


def _label(pen: Pen, hexagon: Hex, outline: list[Point]) -> None:
    top = min(y for _, y in outline)
    left = sum(x for x, _ in outline) / len(outline)
    size = pt(6)
    drop = size * (0.85 if pen.board.grid.flat else 1.9)
    looks = {"font-size": mm(size), "fill": pen.inks.label, "text-anchor": "middle", "class": "label"}
    pen.page.text(pen.layer("labels"), hexagon.label, (left, top + drop + size * 0.35), looks)
