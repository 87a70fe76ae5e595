"""Cities as hexagons of their colours with letters; a rotor has two, its base colour above (RW-C02, RW-R01)."""

from collections.abc import Sequence
from typing import Final

from mapkit.core.base import Point
from mapkit.drawing.fit import LEADING, pt
from mapkit.drawing.svg_page import Element, data_attributes, line_d, mm
from mapkit.drawing.text_width import text_width
from mapkit.kinds.hex.model.board import HexCity
from mapkit.kinds.hex.render.names import city_name
from mapkit.kinds.hex.render.palette import ink_on, pigment
from mapkit.kinds.hex.render.picture.pen import BASELINE, Pen
from mapkit.kinds.hex.rules.colours import LETTERS

_SLACK: Final = 1e-9
_MOST_CUBES: Final = 6


def draw_cities(pen: Pen) -> None:
    """Draw every city with its id and data."""
    for city in pen.board.cities:
        _city(pen, city)


def _city(pen: Pen, city: HexCity) -> None:
    cube = pen.board.grid.hex_of(city.hex)
    if cube is None:
        return
    colours = shown_colours(pen, city)
    data = {
        "city": city.id,
        "name": city.name,
        "hex": city.hex,
        "colours": city.colours,
        "cubes": city.cubes,
        "cubes-by-players": tuple(f"{players}:{count}" for players, count in city.cubes_by_players.items()),
        "rotor": city.rotor,
        "start": city.start or "",
        "wheel": city.wheel,
        "twins": city.twins,
        "port": city.port,
    }
    attributes = {"id": f"city-{city.id}", "class": "city", **data_attributes(data)}
    group = pen.page.group(pen.layer("cities"), attributes)
    said = ", ".join(pen.words(f"colour.{colour}") for colour in colours)
    x, y = pen.sheet.centre(cube)
    outlines = [pen.sheet.outline(cube, share) for share in (1.0, 0.93)]
    draw_city_hex(pen, group, colours, outlines[0], outlines[1], tip=f"{city.name}: {said}")
    display = pen.board.rules.display
    if display.letters_on_cubes:
        _letters(pen, group, colours, (x, y - 4.1 * pen.unit))
    if display.colour_names:
        _colour_names(pen, group, colours, said, (x, y - 8.1 * pen.unit))
    _name(pen, group, city.name, (x, y + 1.9 * pen.unit))
    _cubes(pen, group, city.cubes, (x, y + 7.5 * pen.unit))


def shown_colours(pen: Pen, city: HexCity) -> list[str]:
    """Return the colours of a city from the top: those that it takes; with a rotor its base and its second one."""
    second = city.start if city.rotor and pen.board.rules.rotors.enabled else None
    return [city.colours[0], second] if second else [*city.colours]


def draw_city_hex(
    pen: Pen, group: Element, colours: Sequence[str], rim: list[Point], inner: list[Point], *, tip: str = ""
) -> None:
    """Draw a hexagon in bands of colours, with a dark rim and a light one inside."""
    style = pen.board.rules.display.cube_style
    for part, colour in zip(_bands(rim, len(colours)), colours, strict=True):
        fill = pigment(colour, style, pen.theme)
        pen.page.path(group, line_d([*part, part[0]], closed=True), {"fill": fill}, tip=tip)
    edge = {"fill": "none", "stroke": pen.theme.casing, "stroke-width": mm(0.45)}
    pen.page.path(group, line_d([*inner, inner[0]], closed=True), edge)
    edge = {"fill": "none", "stroke": pen.theme.ink, "stroke-width": mm(0.5), "stroke-linejoin": "round"}
    pen.page.path(group, line_d([*rim, rim[0]], closed=True), edge)


def _letters(pen: Pen, group: Element, colours: Sequence[str], at: Point) -> None:
    """Write the letters of the colours; several stand on discs of their colours (RW-U04)."""
    style = pen.board.rules.display.cube_style
    letters = [(LETTERS[colour], pigment(colour, style, pen.theme)) for colour in colours if colour in LETTERS]
    step = 5.0 * pen.unit
    for number, (letter, fill) in enumerate(letters):
        spot = (at[0] + (number - (len(letters) - 1) / 2) * step, at[1])
        size = 4.8 * pen.unit
        if len(letters) > 1:
            looks = {"fill": fill, "stroke": ink_on(fill), "stroke-width": mm(0.3)}
            pen.page.circle(group, spot, 2.2 * pen.unit, looks)
            size *= 0.7
        pen.text(group, letter, spot, size, ink_on(fill), bold=True)


def _colour_names(pen: Pen, group: Element, colours: Sequence[str], said: str, at: Point) -> None:
    """Write the names of the colours at the top of the hexagon (RW-U05), as large as the top is wide."""
    fill = pigment(colours[0], pen.board.rules.display.cube_style, pen.theme)
    wide = pen.board.grid.radius_mm * (1.2 if pen.board.grid.flat else 0.75)
    size = min(pt(6.5) * max(0.8, pen.unit), wide / text_width(said, 1.0))
    if size >= pt(4.5):
        pen.text(group, said, at, size, ink_on(fill))


def _name(pen: Pen, group: Element, name: str, at: Point) -> None:
    """Write the name on a band that is as wide as it."""
    x, y = at
    fitted = city_name(name, pen.board.grid.size_mm)
    widest = max(text_width(line, fitted.size, bold=True) for line in fitted.lines)
    half = max(pen.board.grid.size_mm * 0.5, widest / 2 + 0.9)
    high = fitted.height / 2 + 0.35
    looks = {"fill": pen.theme.panel, "stroke": pen.theme.ink, "stroke-width": mm(0.2), "rx": mm(0.8)}
    pen.page.rect(group, (x - half, y - high, x + half, y + high), {"class": "name", **looks})
    for number, line in enumerate(fitted.lines):
        down = fitted.size * LEADING * (number + 0.5) - fitted.height / 2 + BASELINE * fitted.size
        words = {"font-size": mm(fitted.size), "font-weight": "bold", "fill": pen.theme.ink, "text-anchor": "middle"}
        pen.page.text(group, line, (x, y + down), words)


def _cubes(pen: Pen, group: Element, count: int, at: Point) -> None:
    """Draw a square for each cube of the start; of many, how many."""
    x, y = at
    size = 2.6 * pen.unit
    shown = min(count, _MOST_CUBES)
    looks = {"fill": pen.theme.panel, "stroke": pen.theme.ink, "stroke-width": mm(0.2)}
    step = size * 1.25 if shown <= 4 else size * 1.08  # noqa: PLR2004 - four fit the lower part of a hexagon
    for number in range(shown):
        left, top = x + (number - (shown - 1) / 2) * step - size / 2, y - size / 2
        pen.page.rect(group, (left, top, left + size, top + size), looks)
    if count > _MOST_CUBES:
        pen.text(group, str(count), at, size, pen.theme.ink, bold=True)


def _bands(outline: list[Point], count: int) -> list[list[Point]]:
    """Return a hexagon cut by level lines into parts of one height, from the top."""
    top, bottom = min(y for _, y in outline), max(y for _, y in outline)
    step = (bottom - top) / count
    return [_cut(_cut(outline, top + i * step, 1.0), top + (i + 1) * step, -1.0) for i in range(count)]


def _cut(shape: list[Point], level: float, sign: float) -> list[Point]:
    """Return the part of a convex shape on one side of a level line."""
    out: list[Point] = []
    for (x1, y1), (x2, y2) in zip(shape, [*shape[1:], shape[0]], strict=True):
        in1, in2 = sign * (y1 - level) >= -_SLACK, sign * (y2 - level) >= -_SLACK
        if in1:
            out.append((x1, y1))
        if in1 != in2:
            share = (level - y1) / (y2 - y1)
            out.append((x1 + share * (x2 - x1), level))
    return out
