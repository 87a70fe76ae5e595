"""The legend below the board: terrain and edges with their costs, cities and goods, lines, engines, sources."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from mapkit.core.base import Point
from mapkit.drawing.fit import Room, fit, pt
from mapkit.drawing.svg_page import Element, line_d, mm
from mapkit.kinds.hex.model.terrain import BLOCKED, PLAINS, SEA, Terrain, known_terrains
from mapkit.kinds.hex.render.palette import ink_on, pigment, terrain_fill
from mapkit.kinds.hex.render.picture.cities import draw_city_hex
from mapkit.kinds.hex.render.picture.edges import draw_edge
from mapkit.kinds.hex.render.picture.hexes import draw_marks
from mapkit.kinds.hex.render.picture.lines import draw_link, draw_major
from mapkit.kinds.hex.render.picture.pen import Pen
from mapkit.kinds.hex.render.sheet import LEGEND_COLUMN, LEGEND_ROW, legend_area
from mapkit.kinds.hex.rules.colours import GRAY, LETTERS

_SAMPLE = 9.0
_TEXT = pt(8.5)


@dataclass(frozen=True)
class Entry:
    """A sample, drawn with its middle at a point, and what it is.

    Attributes:
        what: For its data.
        said: Beside it.
        draw: Draws the sample.
    """

    what: str
    said: str
    draw: Callable[[Element, Point], None]


def draw_legend(pen: Pen) -> None:
    """Draw the legend and the board's credits."""
    left, top, right, bottom = legend_area(pen.sheet)
    layer = pen.layer("legend")
    columns = max(1, int((right - left) // LEGEND_COLUMN))
    for number, entry in enumerate(entries(pen)):
        row, column = divmod(number, columns)
        x, y = left + column * LEGEND_COLUMN, top + (row + 0.5) * LEGEND_ROW
        group = pen.page.group(layer, {"class": "legend", "data-legend": entry.what})
        entry.draw(group, (x + _SAMPLE / 2, y))
        room = Room(LEGEND_COLUMN - _SAMPLE - 2.5, LEGEND_ROW, 2)
        fitted = fit(entry.said, room, _TEXT)
        for at, line in enumerate(fitted.lines):
            down = (at - (len(fitted.lines) - 1) / 2) * fitted.size * 1.15
            pen.text(group, line, (x + _SAMPLE + 1.5, y + down), fitted.size, pen.theme.ink, anchor="start")
    sources = list(pen.board.credits)
    if pen.board.license:
        sources.append(pen.words("legend.licence", licence=pen.board.license))
    if pen.board.track and pen.board.track_is_example:
        sources.append(pen.words("legend.example_track"))
    if sources:
        fitted = fit(". ".join(one.rstrip(".") for one in sources) + ".", Room(right - left, 6.0, 2), pt(7))
        for at, line in enumerate(fitted.lines):
            y = bottom - (len(fitted.lines) - at - 0.5) * fitted.size * 1.15
            pen.text(layer, line, (left, y), fitted.size, pen.theme.quiet_ink, anchor="start")


def entries(pen: Pen) -> list[Entry]:
    """Return what the legend explains: what is on this board, and nothing else."""
    return [*_terrain(pen), *_edges(pen), *_cities(pen), *_lines(pen), *_engines(pen)]


def _terrain(pen: Pen) -> Iterator[Entry]:
    used = {hexagon.terrain for hexagon in pen.board.hexes}
    for terrain in pen.board.terrains:
        if terrain.id not in used:
            continue
        known = known_terrains().get(terrain.id)
        name = terrain.name if known is None else known.names[pen.words.base]
        said = (
            pen.words("legend.no_track", what=name) if terrain.cost is None else f"{name} {pen.thousands(terrain.cost)}"
        )
        yield Entry(f"terrain-{terrain.id}", said, _hex_sample(pen, terrain))


def _hex_sample(pen: Pen, terrain: Terrain) -> Callable[[Element, Point], None]:
    fills = {PLAINS: pen.theme.land, SEA: pen.theme.water, BLOCKED: pen.inks.blocked}
    fill = fills.get(terrain.id) or terrain_fill(terrain.id, terrain.colour, pen.theme)

    def draw(group: Element, at: Point) -> None:
        outline = _outline(pen, at)
        looks = {"fill": fill, "stroke": pen.inks.grid, "stroke-width": mm(0.2)}
        pen.page.path(group, line_d([*outline, outline[0]], closed=True), looks)
        small = pen.page.group(group, {"transform": f"translate({mm(at[0])} {mm(at[1])}) scale({_shrink(pen):.4f})"})
        draw_marks(pen, small, terrain, (0.0, 0.0))

    return draw


def _shrink(pen: Pen) -> float:
    return (LEGEND_ROW - 0.8) / pen.board.grid.size_mm


def _outline(pen: Pen, at: Point, share: float = 1.0) -> list[Point]:
    grid = pen.board.grid
    first = grid.cubes[0]
    (x, y), k = grid.centre(first), _shrink(pen) * share
    return [(at[0] + k * (cx - x), at[1] + k * (cy - y)) for cx, cy in grid.corners(first)]


def _edges(pen: Pen) -> Iterator[Entry]:
    used = {kind for edge in pen.board.edges for kind in edge.kinds}
    ridge = pen.thousands(pen.board.rules.track.ridge)
    said = {
        "ridge": pen.words("legend.ridge", cost=ridge),
        "river": pen.words("legend.river"),
        "impassable": pen.words("legend.impassable"),
        "ferry": pen.words("legend.ferry"),
    }
    for kind, words in said.items():
        if kind in used:

            def draw(group: Element, at: Point, kind: str = kind) -> None:
                half = 4.0
                ends = ((at[0] - half, at[1] + 0.8), (at[0] + half, at[1] + 0.8))
                draw_edge(pen, group, (kind,), ends, ends)

            yield Entry(f"edge-{kind}", words, draw)


def _cities(pen: Pen) -> Iterator[Entry]:
    used = {colour for city in pen.board.cities for colour in city.colours}
    style = pen.board.rules.display.cube_style
    for colour in (*LETTERS, GRAY):
        if colour not in used:
            continue
        fill, letter = pigment(colour, style, pen.theme), LETTERS.get(colour, "")

        def draw(group: Element, at: Point, colour: str = colour, fill: str = fill, letter: str = letter) -> None:
            draw_city_hex(pen, group, [colour], _outline(pen, at), _outline(pen, at, 0.86))
            if letter:
                pen.text(group, letter, at, 3.4, ink_on(fill), bold=True)

        name = pen.words(f"colour.{colour}")
        said = pen.words("legend.gray_city") if colour == GRAY else pen.words("legend.city", colour=name)
        yield Entry(f"city-{colour}", said, draw)
    if pen.board.rules.rotors.enabled and any(city.rotor for city in pen.board.cities):

        def rotor(group: Element, at: Point) -> None:
            draw_city_hex(pen, group, ["red", "blue"], _outline(pen, at), _outline(pen, at, 0.86))

        yield Entry("rotor", pen.words("legend.rotor"), rotor)
    if pen.board.cities:

        def cube(group: Element, at: Point) -> None:
            x, y = at
            looks = {"fill": pen.theme.panel, "stroke": pen.theme.ink, "stroke-width": mm(0.25)}
            pen.page.rect(group, (x - 1.4, y - 1.4, x + 1.4, y + 1.4), looks)

        yield Entry("cube", pen.words("legend.cube"), cube)


def _lines(pen: Pen) -> Iterator[Entry]:
    if pen.board.lines:
        yield Entry(
            "line",
            pen.words("legend.line"),
            lambda group, at: draw_major(pen, group, [(at[0] - 4.2, at[1]), (at[0] + 4.2, at[1])]),
        )
    if pen.board.links:
        yield Entry(
            "link",
            pen.words("legend.link"),
            lambda group, at: draw_link(pen, group, (at[0] - 4.2, at[1]), (at[0] + 4.2, at[1])),
        )


def _engines(pen: Pen) -> Iterator[Entry]:
    rules = pen.board.rules
    for level, price in zip(rules.engine.levels, (None, *rules.engine.prices), strict=True):

        def draw(group: Element, at: Point, level: int = level) -> None:
            x, y = at
            looks = {"fill": pen.theme.panel, "stroke": pen.theme.ink, "stroke-width": mm(0.3), "rx": mm(0.8)}
            pen.page.rect(group, (x - 3.0, y - 2.5, x + 3.0, y + 2.5), looks)
            pen.text(group, str(level), at, 3.6, pen.theme.ink, bold=True)

        said = (
            pen.words("legend.first_engine") if price is None else pen.words("legend.engine", cost=pen.thousands(price))
        )
        yield Entry(f"engine-{level}", said, draw)
