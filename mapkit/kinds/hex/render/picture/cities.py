"""Cities as hexagons of their colours with letters; a rotor has two, its base colour above (RW-C02, RW-R01)."""

from collections.abc import Sequence
from typing import Final

from mapkit.core.base import Point
from mapkit.drawing.fit import LEADING, points_to_mm
from mapkit.drawing.svg_page import Element, data_attributes, format_mm, line_path_data
from mapkit.drawing.text_width import text_width
from mapkit.kinds.hex.model.board import HexCity
from mapkit.kinds.hex.render.names import fit_city_name
from mapkit.kinds.hex.render.palette import ink_on, pigment
from mapkit.kinds.hex.render.picture.pen import BASELINE, Pen
from mapkit.kinds.hex.rules.colours import LETTERS

_TOLERANCE: Final = 1e-9
_MOST_CUBES: Final = 6


def draw_cities(pen: Pen) -> None:
    """Draw every city with its id and data."""
    for city in pen.board.cities:
        _draw_city(pen, city)


def _draw_city(pen: Pen, city: HexCity) -> None:
    cube = pen.board.grid.hex_of(city.hex)
    if cube is None:
        return
    city_colours = shown_colours(pen, city)
    city_data = {
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
    attributes = {"id": f"city-{city.id}", "class": "city", **data_attributes(city_data)}
    group = pen.page.group(pen.layer("cities"), attributes)
    colour_names = ", ".join(pen.words(f"colour.{colour}") for colour in city_colours)
    x, y = pen.sheet.centre(cube)
    outlines = [pen.sheet.outline(cube, share) for share in (1.0, 0.93)]
    draw_city_hex(pen, group, city_colours, outlines[0], outlines[1], tip=f"{city.name}: {colour_names}")
    display = pen.board.rules.display
    if display.letters_on_cubes:
        _draw_letters(pen, group, city_colours, (x, y - 4.1 * pen.unit))
    if display.colour_names:
        at = (x, y - 8.1 * pen.unit)
        # Write the names of the colours at the top of the hexagon (RW-U05), to the width there.
        fill = pigment(city_colours[0], pen.board.rules.display.cube_style, pen.theme)
        room_mm = pen.board.grid.radius_mm * (1.2 if pen.board.grid.flat else 0.75)
        text_size = min(
            points_to_mm(6.5) * max(0.8, pen.unit), room_mm / text_width(colour_names, 1.0, family=pen.theme.family)
        )
        if text_size >= points_to_mm(4.5):
            pen.text(group, colour_names, at, text_size, ink_on(fill))
    _draw_name(pen, group, city.name, (x, y + 1.9 * pen.unit))
    _draw_cubes(pen, group, city.cubes, (x, y + 7.5 * pen.unit))


def shown_colours(pen: Pen, city: HexCity) -> list[str]:
    """Return the colours of a city from the top: those it takes; with a rotor its base and its second one."""
    second_colour = city.start if city.rotor and pen.board.rules.rotors.enabled else None
    return [city.colours[0], second_colour] if second_colour else [*city.colours]


def draw_city_hex(
    pen: Pen, group: Element, colours: Sequence[str], rim: list[Point], inner: list[Point], *, tip: str = ""
) -> None:
    """Draw a hexagon in bands of colours, with a dark rim and a light one inside."""
    style = pen.board.rules.display.cube_style
    count = len(colours)
    # Split a hexagon by horizontal lines into parts of equal height, from the top.
    top, bottom = min(y for _, y in rim), max(y for _, y in rim)
    band_height = (bottom - top) / count
    for band, colour in zip(
        [
            _clip_at_level(_clip_at_level(rim, top + i * band_height, 1.0), top + (i + 1) * band_height, -1.0)
            for i in range(count)
        ],
        colours,
        strict=True,
    ):
        band_colour = pigment(colour, style, pen.theme)
        pen.page.path(group, line_path_data([*band, band[0]], closed=True), {"fill": band_colour}, tip=tip)
    outline_looks = {"fill": "none", "stroke": pen.theme.casing, "stroke-width": format_mm(0.45)}
    pen.page.path(group, line_path_data([*inner, inner[0]], closed=True), outline_looks)
    outline_looks = {
        "fill": "none",
        "stroke": pen.theme.ink,
        "stroke-width": format_mm(0.5),
        "stroke-linejoin": "round",
    }
    pen.page.path(group, line_path_data([*rim, rim[0]], closed=True), outline_looks)


def _draw_letters(pen: Pen, group: Element, colours: Sequence[str], at: Point) -> None:
    """Write the letters of the colours, on discs of their colours if there are several (RW-U04)."""
    style = pen.board.rules.display.cube_style
    letter_fills = [(LETTERS[colour], pigment(colour, style, pen.theme)) for colour in colours if colour in LETTERS]
    letter_step = 5.0 * pen.unit
    for number, (letter, fill) in enumerate(letter_fills):
        letter_point = (at[0] + (number - (len(letter_fills) - 1) / 2) * letter_step, at[1])
        letter_size = 4.8 * pen.unit
        if len(letter_fills) > 1:
            disc_looks = {"fill": fill, "stroke": ink_on(fill), "stroke-width": format_mm(0.3)}
            pen.page.circle(group, letter_point, 2.2 * pen.unit, disc_looks)
            letter_size *= 0.7
        pen.text(group, letter, letter_point, letter_size, ink_on(fill), bold=True)


def _draw_name(pen: Pen, group: Element, name: str, at: Point) -> None:
    """Write the name on a band of its width."""
    x, y = at
    fitted_name = fit_city_name(name, pen.board.grid.size_mm, pen.theme.family)
    widest_mm = max(
        text_width(line, fitted_name.size, bold=True, family=pen.theme.family) for line in fitted_name.lines
    )
    half_width = max(pen.board.grid.size_mm * 0.5, widest_mm / 2 + 0.9)
    half_height = fitted_name.height / 2 + 0.35
    band_looks = {
        "fill": pen.theme.panel,
        "stroke": pen.theme.ink,
        "stroke-width": format_mm(0.2),
        "rx": format_mm(0.8),
    }
    pen.page.rect(
        group, (x - half_width, y - half_height, x + half_width, y + half_height), {"class": "name", **band_looks}
    )
    for number, line in enumerate(fitted_name.lines):
        baseline_offset = (
            fitted_name.size * LEADING * (number + 0.5) - fitted_name.height / 2 + BASELINE * fitted_name.size
        )
        text_looks = {
            "font-size": format_mm(fitted_name.size),
            "font-weight": "bold",
            "fill": pen.theme.ink,
            "text-anchor": "middle",
        }
        pen.page.text(group, line, (x, y + baseline_offset), text_looks)


def _draw_cubes(pen: Pen, group: Element, count: int, at: Point) -> None:
    """Draw a square for each cube of the start, with a number if there are many."""
    x, y = at
    cube_size = 2.6 * pen.unit
    shown_count = min(count, _MOST_CUBES)
    cube_looks = {"fill": pen.theme.panel, "stroke": pen.theme.ink, "stroke-width": format_mm(0.2)}
    cube_step = cube_size * 1.25 if shown_count <= 4 else cube_size * 1.08  # noqa: PLR2004 - four fit the lower part of a hexagon
    for number in range(shown_count):
        left, top = x + (number - (shown_count - 1) / 2) * cube_step - cube_size / 2, y - cube_size / 2
        pen.page.rect(group, (left, top, left + cube_size, top + cube_size), cube_looks)
    if count > _MOST_CUBES:
        pen.text(group, str(count), at, cube_size, pen.theme.ink, bold=True)


def _clip_at_level(shape: list[Point], level: float, sign: float) -> list[Point]:
    """Return the part of a convex shape on one side of a level line."""
    clipped_points: list[Point] = []
    for (x1, y1), (x2, y2) in zip(shape, [*shape[1:], shape[0]], strict=True):
        is_start_inside, is_end_inside = sign * (y1 - level) >= -_TOLERANCE, sign * (y2 - level) >= -_TOLERANCE
        if is_start_inside:
            clipped_points.append((x1, y1))
        if is_start_inside != is_end_inside:
            share = (level - y1) / (y2 - y1)
            clipped_points.append((x1 + share * (x2 - x1), level))
    return clipped_points
