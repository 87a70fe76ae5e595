"""Legend below the board: terrain and edges with their costs, cities and goods, lines, engines, sources."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from mapkit.core.base import Point
from mapkit.drawing.fit import Room, fit_text, points_to_mm
from mapkit.drawing.svg_page import Element, format_mm, line_path_data
from mapkit.kinds.hex.model.terrain import BLOCKED, PLAINS, SEA, Terrain, known_terrains
from mapkit.kinds.hex.render.palette import ink_on, pigment, terrain_fill
from mapkit.kinds.hex.render.picture.cities import draw_city_hex
from mapkit.kinds.hex.render.picture.edges import draw_edge
from mapkit.kinds.hex.render.picture.hexes import draw_marks
from mapkit.kinds.hex.render.picture.lines import draw_link, draw_major
from mapkit.kinds.hex.render.picture.pen import Pen
from mapkit.kinds.hex.render.sheet import LEGEND_COLUMN, LEGEND_ROW, legend_area
from mapkit.kinds.hex.rules.colours import GRAY, LETTERS

_SAMPLE_WIDTH_MM = 9.0
_TEXT_SIZE = points_to_mm(8.5)


@dataclass(frozen=True)
class LegendEntry:
    """Entry of the legend: a sample, and the text beside it.

    Attributes:
        what: Identifier of the feature, for `data-legend`.
        said: Text beside the sample.
        draw: Draws the sample, centred at a point.
    """

    what: str
    said: str
    draw: Callable[[Element, Point], None]


def draw_legend(pen: Pen) -> None:
    """Draw the legend and the board's credits."""
    left, top, right, bottom = legend_area(pen.sheet)
    layer = pen.layer("legend")
    column_count = max(1, int((right - left) // LEGEND_COLUMN))
    for number, entry in enumerate(legend_entries(pen)):
        row, column = divmod(number, column_count)
        x, y = left + column * LEGEND_COLUMN, top + (row + 0.5) * LEGEND_ROW
        group = pen.page.group(layer, {"class": "legend", "data-legend": entry.what})
        entry.draw(group, (x + _SAMPLE_WIDTH_MM / 2, y))
        room = Room(LEGEND_COLUMN - _SAMPLE_WIDTH_MM - 2.5, LEGEND_ROW, 2)
        fitted_text = fit_text(entry.said, room, _TEXT_SIZE, family=pen.theme.family)
        for line_number, line in enumerate(fitted_text.lines):
            line_offset = (line_number - (len(fitted_text.lines) - 1) / 2) * fitted_text.size * 1.15
            pen.text(
                group,
                line,
                (x + _SAMPLE_WIDTH_MM + 1.5, y + line_offset),
                fitted_text.size,
                pen.theme.ink,
                anchor="start",
            )
    source_texts = list(pen.board.credits)
    if pen.board.license:
        source_texts.append(pen.words("legend.licence", licence=pen.board.license))
    if pen.board.track and pen.board.track_is_example:
        source_texts.append(pen.words("legend.example_track"))
    if source_texts:
        fitted_text = fit_text(
            ". ".join(source_text.rstrip(".") for source_text in source_texts) + ".",
            Room(right - left, 6.0, 2),
            points_to_mm(7),
            family=pen.theme.family,
        )
        for line_number, line in enumerate(fitted_text.lines):
            y = bottom - (len(fitted_text.lines) - line_number - 0.5) * fitted_text.size * 1.15
            pen.text(layer, line, (left, y), fitted_text.size, pen.theme.quiet_ink, anchor="start")


def legend_entries(pen: Pen) -> list[LegendEntry]:
    """Return the entries of the legend for all features of this board."""
    return [
        *_terrain_entries(pen),
        *_edge_entries(pen),
        *_city_entries(pen),
        *_line_entries(pen),
        *_engine_entries(pen),
    ]


def _terrain_entries(pen: Pen) -> Iterator[LegendEntry]:
    used_terrains = {hexagon.terrain for hexagon in pen.board.hexes}
    for terrain in pen.board.terrains:
        if terrain.id not in used_terrains:
            continue
        known_terrain = known_terrains().get(terrain.id)
        terrain_name = terrain.name if known_terrain is None else known_terrain.names[pen.words.base]
        entry_text = (
            pen.words("legend.no_track", what=terrain_name)
            if terrain.cost is None
            else f"{terrain_name} {pen.thousands(terrain.cost)}"
        )
        yield LegendEntry(f"terrain-{terrain.id}", entry_text, _make_hex_sample(pen, terrain))


def _make_hex_sample(pen: Pen, terrain: Terrain) -> Callable[[Element, Point], None]:
    fill_by_terrain = {PLAINS: pen.theme.land, SEA: pen.theme.water, BLOCKED: pen.inks.blocked}
    hex_fill = fill_by_terrain.get(terrain.id) or terrain_fill(terrain.id, terrain.colour, pen.theme)

    def draw(group: Element, at: Point) -> None:
        sample_outline = _sample_outline(pen, at)
        hex_looks = {"fill": hex_fill, "stroke": pen.inks.grid, "stroke-width": format_mm(0.2)}
        pen.page.path(group, line_path_data([*sample_outline, sample_outline[0]], closed=True), hex_looks)
        scaled_group = pen.page.group(
            group, {"transform": f"translate({format_mm(at[0])} {format_mm(at[1])}) scale({_sample_scale(pen):.4f})"}
        )
        draw_marks(pen, scaled_group, terrain, (0.0, 0.0))

    return draw


def _sample_scale(pen: Pen) -> float:
    return (LEGEND_ROW - 0.8) / pen.board.grid.size_mm


def _sample_outline(pen: Pen, at: Point, share: float = 1.0) -> list[Point]:
    grid = pen.board.grid
    first_cube = grid.cubes[0]
    (x, y), scale = grid.centre(first_cube), _sample_scale(pen) * share
    return [(at[0] + scale * (cx - x), at[1] + scale * (cy - y)) for cx, cy in grid.corners(first_cube)]


def _edge_entries(pen: Pen) -> Iterator[LegendEntry]:
    used_kinds = {kind for edge in pen.board.edges for kind in edge.kinds}
    ridge_cost = pen.thousands(pen.board.rules.track.ridge)
    text_by_kind = {
        "ridge": pen.words("legend.ridge", cost=ridge_cost),
        "river": pen.words("legend.river"),
        "impassable": pen.words("legend.impassable"),
        "ferry": pen.words("legend.ferry"),
    }
    for kind, entry_text in text_by_kind.items():
        if kind in used_kinds:

            def draw(group: Element, at: Point, kind: str = kind) -> None:
                half_width = 4.0
                edge_ends = ((at[0] - half_width, at[1] + 0.8), (at[0] + half_width, at[1] + 0.8))
                draw_edge(pen, group, (kind,), edge_ends, edge_ends)

            yield LegendEntry(f"edge-{kind}", entry_text, draw)


def _city_entries(pen: Pen) -> Iterator[LegendEntry]:
    used_colours = {colour for city in pen.board.cities for colour in city.colours}
    style = pen.board.rules.display.cube_style
    for colour in (*LETTERS, GRAY):
        if colour not in used_colours:
            continue
        fill, letter = pigment(colour, style, pen.theme), LETTERS.get(colour, "")

        def draw(group: Element, at: Point, colour: str = colour, fill: str = fill, letter: str = letter) -> None:
            draw_city_hex(pen, group, [colour], _sample_outline(pen, at), _sample_outline(pen, at, 0.86))
            if letter:
                pen.text(group, letter, at, 3.4, ink_on(fill), bold=True)

        colour_name = pen.words(f"colour.{colour}")
        entry_text = pen.words("legend.gray_city") if colour == GRAY else pen.words("legend.city", colour=colour_name)
        yield LegendEntry(f"city-{colour}", entry_text, draw)
    if pen.board.rules.rotors.enabled and any(city.rotor for city in pen.board.cities):

        def rotor(group: Element, at: Point) -> None:
            draw_city_hex(pen, group, ["red", "blue"], _sample_outline(pen, at), _sample_outline(pen, at, 0.86))

        yield LegendEntry("rotor", pen.words("legend.rotor"), rotor)
    if pen.board.cities:

        def cube(group: Element, at: Point) -> None:
            x, y = at
            looks = {"fill": pen.theme.panel, "stroke": pen.theme.ink, "stroke-width": format_mm(0.25)}
            pen.page.rect(group, (x - 1.4, y - 1.4, x + 1.4, y + 1.4), looks)

        yield LegendEntry("cube", pen.words("legend.cube"), cube)


def _line_entries(pen: Pen) -> Iterator[LegendEntry]:
    if pen.board.lines:
        yield LegendEntry(
            "line",
            pen.words("legend.line"),
            lambda group, at: draw_major(pen, group, [(at[0] - 4.2, at[1]), (at[0] + 4.2, at[1])]),
        )
    if pen.board.links:
        yield LegendEntry(
            "link",
            pen.words("legend.link"),
            lambda group, at: draw_link(pen, group, (at[0] - 4.2, at[1]), (at[0] + 4.2, at[1])),
        )


def _engine_entries(pen: Pen) -> Iterator[LegendEntry]:
    rules = pen.board.rules
    for level, price in zip(rules.engine.levels, (None, *rules.engine.prices), strict=True):

        def draw(group: Element, at: Point, level: int = level) -> None:
            x, y = at
            looks = {
                "fill": pen.theme.panel,
                "stroke": pen.theme.ink,
                "stroke-width": format_mm(0.3),
                "rx": format_mm(0.8),
            }
            pen.page.rect(group, (x - 3.0, y - 2.5, x + 3.0, y + 2.5), looks)
            pen.text(group, str(level), at, 3.6, pen.theme.ink, bold=True)

        entry_text = (
            pen.words("legend.first_engine") if price is None else pen.words("legend.engine", cost=pen.thousands(price))
        )
        yield LegendEntry(f"engine-{level}", entry_text, draw)
