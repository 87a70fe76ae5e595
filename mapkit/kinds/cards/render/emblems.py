"""Ornaments of mapkit: emblems and patterns of holdings, engines, coins, rails."""

from math import cos, pi, sin
from typing import Final

from mapkit.core.base import Area, Point
from mapkit.drawing.canvas import TextStyle
from mapkit.drawing.colours.colour import mix_colours
from mapkit.drawing.inks import ink_on
from mapkit.kinds.cards.render.pen import CardPen

_EMBLEM_SIDES: Final = (0, 4, 3, 6, 5, 8, 7)
"""Corners of emblems by number of the holding; 0 for a circle."""
_PATTERN_COUNT: Final = 6


def polygon_path(at: Point, r: float, sides: int) -> str:
    """Return the path of a regular polygon."""
    turn = -pi / 2
    corners = [(at[0] + r * cos(turn + 2 * pi * n / sides), at[1] + r * sin(turn + 2 * pi * n / sides))
               for n in range(sides)]  # fmt: skip
    return "M" + " L".join(f"{x:.2f},{y:.2f}" for x, y in corners) + "Z"


def draw_emblem(
    pen: CardPen, at: Point, r: float, number: int, letters: str, colour: str, *, ring: str | None = None
) -> None:
    """Draw the emblem of a holding: a unique shape with letters, recognisable without its colour.

    Args:
        pen: Where to.
        at: Its middle.
        r: Its radius.
        number: Of the holding, from 0.
        letters: Its letters.
        colour: Its colour.
        ring: The colour of its edge; black or white by default.
    """
    ink = ink_on(colour)
    sides = _EMBLEM_SIDES[number % len(_EMBLEM_SIDES)]
    edge_colour = ring or ink
    if sides:
        shape_radius = r * (1.18 if sides == 3 else 1.0)  # noqa: PLR2004 - a triangle has little room
        middle = (at[0], at[1] + (r * 0.16 if sides == 3 else 0.0))  # noqa: PLR2004
        pen.path(polygon_path(middle, shape_radius, sides), fill=colour, edge=edge_colour, width=r * 0.08)
    else:
        pen.circle(at, r, fill=colour, edge=edge_colour, width=r * 0.08)
    text_offset = r * (0.22 if sides == 3 else 0.0)  # noqa: PLR2004
    text_size = r * (0.95 if len(letters) == 1 else 0.75)
    half_width = r * (0.55 if sides == 3 else 0.8)  # noqa: PLR2004
    text_box = (at[0] - half_width, at[1] - r * 0.6 + text_offset, at[0] + half_width, at[1] + r * 0.6 + text_offset)
    pen.words(text_box, letters, TextStyle(text_size, bold=True, align="middle", fill=ink))


def draw_pattern(pen: CardPen, area: Area, number: int, colour: str, step: float = 2.4) -> None:
    """Draw the pattern of a holding over its colour, recognisable without seeing colours."""
    left, top, right, bottom = area
    line_ink = mix_colours(ink_on(colour), colour, 0.28)
    pattern_number = number % _PATTERN_COUNT
    line_paths: list[str] = []
    if pattern_number in (0, 2, 4):
        rising_signs = () if pattern_number == 2 else (1,)  # noqa: PLR2004
        falling_signs = () if pattern_number == 0 else (-1,)
        for sign in (*rising_signs, *falling_signs):
            line_paths += _slanting_lines(area, step * (1.6 if pattern_number == 4 else 1.0), sign)  # noqa: PLR2004
    elif pattern_number == 1:
        row_count = int((bottom - top) / step)
        for row in range(row_count):
            y = top + (row + 0.5) * (bottom - top) / row_count
            x = left + step * (0.5 if row % 2 else 1.0)
            while x < right - 0.4:
                line_paths.append(f"M{x:.2f},{y:.2f} l0.01,0")
                x += step
    elif pattern_number == 3:  # noqa: PLR2004
        x = left + step / 2
        while x < right:
            line_paths.append(f"M{x:.2f},{top:.2f} V{bottom:.2f}")
            x += step
    else:
        y = top + step / 2
        while y < bottom:
            line_paths.append(f"M{left:.2f},{y:.2f} H{right:.2f}")
            y += step
    pen.path(" ".join(line_paths), edge=line_ink, width=step * (0.3 if pattern_number == 1 else 0.16))


def _slanting_lines(area: Area, step: float, sign: int) -> list[str]:
    """Return slanting lines that end at the edges of a box."""
    left, top, right, bottom = area
    box_width, box_height = right - left, bottom - top
    line_paths = []
    line_offset = step
    while line_offset < box_width + box_height:
        x1, y1 = (line_offset, 0.0) if line_offset <= box_width else (box_width, line_offset - box_width)
        x2, y2 = (0.0, line_offset) if line_offset <= box_height else (line_offset - box_height, box_height)
        if sign < 0:
            x1, x2 = box_width - x1, box_width - x2
        line_paths.append(f"M{left + x1:.2f},{top + y1:.2f} L{left + x2:.2f},{top + y2:.2f}")
        line_offset += step
    return line_paths


def draw_rails(pen: CardPen, area: Area, ink: str, gauge: float) -> None:
    """Draw a straight track across a box, rails and sleepers, at its foot."""
    left, _, right, bottom = area
    tie_paths = []
    x = left + gauge * 0.4
    while x < right:
        tie_paths.append(f"M{x:.2f},{bottom - gauge * 0.55:.2f} v{gauge * 0.55:.2f}")
        x += gauge * 0.9
    pen.path(" ".join(tie_paths), edge=ink, width=gauge * 0.28)
    pen.path(f"M{left:.2f},{bottom - gauge * 0.7:.2f} H{right:.2f}", edge=ink, width=gauge * 0.2)


def draw_coin(pen: CardPen, at: Point, r: float, fill: str, ink: str) -> None:
    """Draw a coin with a milled edge."""
    pen.circle(at, r, fill=fill, edge=ink, width=r * 0.12)
    edge_marks = []
    for n in range(16):
        c, s = cos(n * pi / 8), sin(n * pi / 8)
        edge_marks.append(f"M{at[0] + r * 0.72 * c:.2f},{at[1] + r * 0.72 * s:.2f} L{at[0] + r * 0.86 * c:.2f},"
                     f"{at[1] + r * 0.86 * s:.2f}")  # fmt: skip
    pen.path(" ".join(edge_marks), edge=ink, width=r * 0.08)


def draw_rosette(pen: CardPen, at: Point, r: float, ink: str) -> None:
    """Draw a rosette as on share certificates: overlapping waved rings."""
    for waves, depth, turn in ((12, 0.13, 0.0), (12, 0.13, pi / 12), (24, 0.05, 0.0)):
        points = []
        for n in range(145):
            angle = 2 * pi * n / 144
            radius = r * (1 - depth - depth * cos(waves * (angle + turn)))
            points.append(f"{at[0] + radius * cos(angle):.2f},{at[1] + radius * sin(angle):.2f}")
        pen.path("M" + " L".join(points) + "Z", edge=ink, width=0.18)


def draw_top_hat(pen: CardPen, at: Point, size: float, ink: str, band: str) -> None:
    """Draw the top hat of the Director."""
    x, y = at
    s = size / 10
    pen.path(
        f"M{x - 5 * s:.2f},{y + 3 * s:.2f} H{x + 5 * s:.2f} L{x + 4.4 * s:.2f},{y + 4 * s:.2f} H{x - 4.4 * s:.2f}Z "
        f"M{x - 2.8 * s:.2f},{y + 3 * s:.2f} L{x - 3.2 * s:.2f},{y - 4 * s:.2f} H{x + 3.2 * s:.2f} "
        f"L{x + 2.8 * s:.2f},{y + 3 * s:.2f}Z",
        fill=ink,
    )
    pen.box((x - 2.9 * s, y + 0.9 * s, x + 2.9 * s, y + 2.2 * s), fill=band)


def draw_engine(pen: CardPen, area: Area, level: int, body: str, ink: str) -> None:
    """Draw an engine at the foot of a box: steam up to level 4, diesel up to 6, electric above.

    Args:
        pen: Where to.
        area: The box.
        level: The more, the more wheels and the later.
        body: Its colour.
        ink: Wheels and lines.
    """
    left, top, right, bottom = area
    scale = min((right - left) / 60, (bottom - top) / 30)
    engine_pen = pen.at((left + right - 60 * scale) / 2, bottom - 30 * scale, scale)
    if level <= 4:  # noqa: PLR2004 - levels of steam
        drivers = max(1, level - 1)
        light_colour = mix_colours("#ffffff", body, 0.35)
        smoke_colour = mix_colours("#ffffff", ink, 0.72)
        for x, y, r in ((44, 1.5, 2.2), (39, -0.5, 2.8), (33, -1.2, 2.1)):
            engine_pen.circle((x, y), r, fill=smoke_colour)
        engine_pen.path("M6,7 H19 V8.6 H17.8 V22 H7.2 V8.6 H6Z", fill=body)
        engine_pen.box((9.2, 10.4, 15.8, 15.2), fill=light_colour)
        engine_pen.path("M17,11.5 H50 Q52,11.5 52,13.5 V19.5 Q52,21.5 50,21.5 H17Z", fill=body)
        engine_pen.path("M26,11.5 V21.5 M36,11.5 V21.5", edge=light_colour, width=0.7)
        engine_pen.path("M43.5,11.5 L42.8,6 Q42.4,4.4 41.4,4 H49.6 Q48.6,4.4 48.2,6 L47.5,11.5Z", fill=ink)
        engine_pen.path("M28.5,11.5 Q28.5,8.2 31,8.2 Q33.5,8.2 33.5,11.5Z", fill=ink)
        engine_pen.box((52, 13, 53.6, 20), fill=ink)
        engine_pen.circle((53.4, 10.8), 1.5, fill=light_colour, edge=ink, width=0.5)
        engine_pen.box((5, 21.4, 54, 23.4), fill=ink)
        engine_pen.path("M52,23.4 L58,28.6 H50Z", fill=ink)
        wheel_radius = 4.1 if drivers <= 2 else 3.5  # noqa: PLR2004 - three need smaller wheels
        wheel_places: list[float] = [12 + n * (2 * wheel_radius + 0.9) for n in range(drivers)]
        for place in wheel_places:
            _draw_wheel(engine_pen, (place, 29 - wheel_radius), wheel_radius, body, ink)
        for x in (43, 48)[: 3 - min(2, drivers - 1)]:
            _draw_wheel(engine_pen, (x + 0.2, 26.6), 2.4, body, ink)
        engine_pen.path(f"M{wheel_places[0]:.2f},{29.5 - wheel_radius:.2f} H45.5", edge=light_colour, width=0.9)
    elif level <= 6:  # noqa: PLR2004
        _draw_diesel_engine(engine_pen, level - 3, body, ink)
    else:
        _draw_electric_engine(engine_pen, body, ink)


def _draw_diesel_engine(pen: CardPen, axles: int, body: str, ink: str) -> None:
    light_colour = mix_colours("#ffffff", body, 0.35)
    pen.path("M3,22.5 V12 Q3,10.5 4.5,10.5 H36 L38,5.5 H48 Q50,5.5 50.6,7.5 L52,12.5 H56 Q57.5,12.5 57.5,14 V22.5Z",
             fill=body)  # fmt: skip
    pen.path("M40,7.2 H47.4 L48.8,11.8 H38.6Z", fill=light_colour)
    pen.box((3, 17.6, 57.5, 19.4), fill=light_colour)
    pen.path(
        "M8,12.6 V16 M11,12.6 V16 M14,12.6 V16 M17,12.6 V16 M20,12.6 V16 M23,12.6 V16", edge=light_colour, width=0.8
    )
    pen.circle((55.4, 15.2), 1.0, fill=light_colour)
    pen.box((2, 22.5, 58.5, 24.2), fill=ink)
    for bogie_start in (7.0, 53.0 - 5.6 * (axles - 1)):
        for n in range(axles):
            _draw_wheel(pen, (bogie_start + 5.6 * n, 26.3), 2.7, body, ink)


def _draw_electric_engine(pen: CardPen, body: str, ink: str) -> None:
    light_colour = mix_colours("#ffffff", body, 0.35)
    pen.path("M20,6.5 L25,2 L30,6.5 M22,2 H28", edge=ink, width=0.8)
    pen.path("M0,1.7 H60", edge=ink, width=0.4)
    pen.path("M2,23 V9 Q2,7.5 3.5,7.5 H40 Q52,7.5 58.6,19.5 Q60,23 56.5,23Z", fill=body)
    pen.path("M43.5,10 Q49.5,11.2 53.2,16.2 H43.5Z", fill=light_colour)
    for x in (6, 13, 20, 27, 34):
        pen.box((x, 11, x + 4.6, 15.6), fill=light_colour, radius=0.8)
    pen.path("M2,18.4 H57.4", edge=light_colour, width=1.1)
    pen.box((2, 23, 57.5, 24.4), fill=ink)
    for x in (8, 14, 44, 50):
        _draw_wheel(pen, (x, 26.4), 2.6, body, ink)


def _draw_wheel(pen: CardPen, at: Point, r: float, body: str, ink: str) -> None:
    pen.circle(at, r, fill=ink)
    pen.circle(at, r * 0.66, fill=mix_colours("#ffffff", body, 0.25))
    spoke_paths = [f"M{at[0]:.2f},{at[1]:.2f} L{at[0] + r * 0.7 * cos(a):.2f},{at[1] + r * 0.7 * sin(a):.2f}"
              for a in (n * pi / 3 for n in range(6))]  # fmt: skip
    pen.path(" ".join(spoke_paths), edge=ink, width=r * 0.14)
    pen.circle(at, r * 0.22, fill=ink)
