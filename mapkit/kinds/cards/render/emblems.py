"""Ornaments of our own: emblems and patterns of holdings, engines, coins, rails."""

from math import cos, pi, sin
from typing import Final

from mapkit.core.base import Area, Point
from mapkit.drawing.canvas import Type
from mapkit.drawing.colours.colour import mixed
from mapkit.drawing.inks import ink_on
from mapkit.kinds.cards.render.pen import CardPen

_SIDES: Final = (0, 4, 3, 6, 5, 8, 7)
"""Corners of emblems by number of the holding; 0 for a circle."""
_PATTERNS: Final = 6


def polygon_d(at: Point, r: float, sides: int, turn: float = -pi / 2) -> str:
    """Return the path of a regular polygon."""
    corners = [(at[0] + r * cos(turn + 2 * pi * n / sides), at[1] + r * sin(turn + 2 * pi * n / sides))
               for n in range(sides)]  # fmt: skip
    return "M" + " L".join(f"{x:.2f},{y:.2f}" for x, y in corners) + "Z"


def emblem(
    pen: CardPen, at: Point, r: float, number: int, letters: str, colour: str, *, ring: str | None = None
) -> None:
    """Draw the emblem of a holding: a shape and letters of its own, so that nobody needs to see its colour.

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
    sides = _SIDES[number % len(_SIDES)]
    edge = ring or ink
    if sides:
        wide = r * (1.18 if sides == 3 else 1.0)  # noqa: PLR2004 - a triangle has little room
        middle = (at[0], at[1] + (r * 0.16 if sides == 3 else 0.0))  # noqa: PLR2004
        pen.path(polygon_d(middle, wide, sides), fill=colour, edge=edge, width=r * 0.08)
    else:
        pen.circle(at, r, fill=colour, edge=edge, width=r * 0.08)
    low = r * (0.22 if sides == 3 else 0.0)  # noqa: PLR2004
    size = r * (0.95 if len(letters) == 1 else 0.75)
    half = r * (0.55 if sides == 3 else 0.8)  # noqa: PLR2004
    box = (at[0] - half, at[1] - r * 0.6 + low, at[0] + half, at[1] + r * 0.6 + low)
    pen.words(box, letters, Type(size, bold=True, align="middle", fill=ink))


def pattern(pen: CardPen, area: Area, number: int, colour: str, step: float = 2.4) -> None:
    """Draw the pattern of a holding over a ground of its colour: it is printed, so it needs no sight of colours."""
    left, top, right, bottom = area
    ink = mixed(ink_on(colour), colour, 0.28)
    kind = number % _PATTERNS
    parts: list[str] = []
    if kind in (0, 2, 4):
        rising = () if kind == 2 else (1,)  # noqa: PLR2004
        falling = () if kind == 0 else (-1,)
        for sign in (*rising, *falling):
            parts += _slants(area, step * (1.6 if kind == 4 else 1.0), sign)  # noqa: PLR2004
    elif kind == 1:
        rows = int((bottom - top) / step)
        for row in range(rows):
            y = top + (row + 0.5) * (bottom - top) / rows
            x = left + step * (0.5 if row % 2 else 1.0)
            while x < right - 0.4:
                parts.append(f"M{x:.2f},{y:.2f} l0.01,0")
                x += step
    elif kind == 3:  # noqa: PLR2004
        x = left + step / 2
        while x < right:
            parts.append(f"M{x:.2f},{top:.2f} V{bottom:.2f}")
            x += step
    else:
        y = top + step / 2
        while y < bottom:
            parts.append(f"M{left:.2f},{y:.2f} H{right:.2f}")
            y += step
    pen.path(" ".join(parts), edge=ink, width=step * (0.3 if kind == 1 else 0.16))


def _slants(area: Area, step: float, sign: int) -> list[str]:
    """Return slanting lines that end at the edges of a box."""
    left, top, right, bottom = area
    wide, high = right - left, bottom - top
    out = []
    at = step
    while at < wide + high:
        x1, y1 = (at, 0.0) if at <= wide else (wide, at - wide)
        x2, y2 = (0.0, at) if at <= high else (at - high, high)
        if sign < 0:
            x1, x2 = wide - x1, wide - x2
        out.append(f"M{left + x1:.2f},{top + y1:.2f} L{left + x2:.2f},{top + y2:.2f}")
        at += step
    return out


def rails(pen: CardPen, area: Area, ink: str, gauge: float) -> None:
    """Draw a straight track across a box, rails and sleepers, at its foot."""
    left, _, right, bottom = area
    ties = []
    x = left + gauge * 0.4
    while x < right:
        ties.append(f"M{x:.2f},{bottom - gauge * 0.55:.2f} v{gauge * 0.55:.2f}")
        x += gauge * 0.9
    pen.path(" ".join(ties), edge=ink, width=gauge * 0.28)
    pen.path(f"M{left:.2f},{bottom - gauge * 0.7:.2f} H{right:.2f}", edge=ink, width=gauge * 0.2)


def coin(pen: CardPen, at: Point, r: float, fill: str, ink: str) -> None:
    """Draw a coin with a milled edge."""
    pen.circle(at, r, fill=fill, edge=ink, width=r * 0.12)
    marks = []
    for n in range(16):
        c, s = cos(n * pi / 8), sin(n * pi / 8)
        marks.append(f"M{at[0] + r * 0.72 * c:.2f},{at[1] + r * 0.72 * s:.2f} L{at[0] + r * 0.86 * c:.2f},"
                     f"{at[1] + r * 0.86 * s:.2f}")  # fmt: skip
    pen.path(" ".join(marks), edge=ink, width=r * 0.08)


def rosette(pen: CardPen, at: Point, r: float, ink: str) -> None:
    """Draw a rosette as on share certificates: two waved rings laid over each other."""
    for waves, depth, turn in ((12, 0.13, 0.0), (12, 0.13, pi / 12), (24, 0.05, 0.0)):
        points = []
        for n in range(145):
            angle = 2 * pi * n / 144
            radius = r * (1 - depth - depth * cos(waves * (angle + turn)))
            points.append(f"{at[0] + radius * cos(angle):.2f},{at[1] + radius * sin(angle):.2f}")
        pen.path("M" + " L".join(points) + "Z", edge=ink, width=0.18)


def top_hat(pen: CardPen, at: Point, size: float, ink: str, band: str) -> None:
    """Draw a top hat: the Director's."""
    x, y = at
    s = size / 10
    pen.path(
        f"M{x - 5 * s:.2f},{y + 3 * s:.2f} H{x + 5 * s:.2f} L{x + 4.4 * s:.2f},{y + 4 * s:.2f} H{x - 4.4 * s:.2f}Z "
        f"M{x - 2.8 * s:.2f},{y + 3 * s:.2f} L{x - 3.2 * s:.2f},{y - 4 * s:.2f} H{x + 3.2 * s:.2f} "
        f"L{x + 2.8 * s:.2f},{y + 3 * s:.2f}Z",
        fill=ink,
    )
    pen.box((x - 2.9 * s, y + 0.9 * s, x + 2.9 * s, y + 2.2 * s), fill=band)


def engine(pen: CardPen, area: Area, level: int, body: str, ink: str) -> None:
    """Draw an engine that stands at the foot of a box: steam up to level 4, diesel up to 6, electric above.

    Args:
        pen: Where to.
        area: The box.
        level: The more, the more wheels and the later.
        body: Its colour.
        ink: Wheels and lines.
    """
    left, top, right, bottom = area
    scale = min((right - left) / 60, (bottom - top) / 30)
    inner = pen.at((left + right - 60 * scale) / 2, bottom - 30 * scale, scale)
    if level <= 4:  # noqa: PLR2004 - levels of steam
        _steam(inner, max(1, level - 1), body, ink)
    elif level <= 6:  # noqa: PLR2004
        _diesel(inner, level - 3, body, ink)
    else:
        _electric(inner, body, ink)


def _steam(pen: CardPen, drivers: int, body: str, ink: str) -> None:
    light = mixed("#ffffff", body, 0.35)
    smoke = mixed("#ffffff", ink, 0.72)
    for x, y, r in ((44, 1.5, 2.2), (39, -0.5, 2.8), (33, -1.2, 2.1)):
        pen.circle((x, y), r, fill=smoke)
    pen.path("M6,7 H19 V8.6 H17.8 V22 H7.2 V8.6 H6Z", fill=body)
    pen.box((9.2, 10.4, 15.8, 15.2), fill=light)
    pen.path("M17,11.5 H50 Q52,11.5 52,13.5 V19.5 Q52,21.5 50,21.5 H17Z", fill=body)
    pen.path("M26,11.5 V21.5 M36,11.5 V21.5", edge=light, width=0.7)
    pen.path("M43.5,11.5 L42.8,6 Q42.4,4.4 41.4,4 H49.6 Q48.6,4.4 48.2,6 L47.5,11.5Z", fill=ink)
    pen.path("M28.5,11.5 Q28.5,8.2 31,8.2 Q33.5,8.2 33.5,11.5Z", fill=ink)
    pen.box((52, 13, 53.6, 20), fill=ink)
    pen.circle((53.4, 10.8), 1.5, fill=light, edge=ink, width=0.5)
    pen.box((5, 21.4, 54, 23.4), fill=ink)
    pen.path("M52,23.4 L58,28.6 H50Z", fill=ink)
    r = 4.1 if drivers <= 2 else 3.5  # noqa: PLR2004 - three need smaller wheels
    places: list[float] = [12 + n * (2 * r + 0.9) for n in range(drivers)]
    for place in places:
        _wheel(pen, (place, 29 - r), r, body, ink)
    for x in (43, 48)[: 3 - min(2, drivers - 1)]:
        _wheel(pen, (x + 0.2, 26.6), 2.4, body, ink)
    pen.path(f"M{places[0]:.2f},{29.5 - r:.2f} H45.5", edge=light, width=0.9)


def _diesel(pen: CardPen, axles: int, body: str, ink: str) -> None:
    light = mixed("#ffffff", body, 0.35)
    pen.path("M3,22.5 V12 Q3,10.5 4.5,10.5 H36 L38,5.5 H48 Q50,5.5 50.6,7.5 L52,12.5 H56 Q57.5,12.5 57.5,14 V22.5Z",
             fill=body)  # fmt: skip
    pen.path("M40,7.2 H47.4 L48.8,11.8 H38.6Z", fill=light)
    pen.box((3, 17.6, 57.5, 19.4), fill=light)
    pen.path("M8,12.6 V16 M11,12.6 V16 M14,12.6 V16 M17,12.6 V16 M20,12.6 V16 M23,12.6 V16", edge=light, width=0.8)
    pen.circle((55.4, 15.2), 1.0, fill=light)
    pen.box((2, 22.5, 58.5, 24.2), fill=ink)
    for start in (7.0, 53.0 - 5.6 * (axles - 1)):
        for n in range(axles):
            _wheel(pen, (start + 5.6 * n, 26.3), 2.7, body, ink)


def _electric(pen: CardPen, body: str, ink: str) -> None:
    light = mixed("#ffffff", body, 0.35)
    pen.path("M20,6.5 L25,2 L30,6.5 M22,2 H28", edge=ink, width=0.8)
    pen.path("M0,1.7 H60", edge=ink, width=0.4)
    pen.path("M2,23 V9 Q2,7.5 3.5,7.5 H40 Q52,7.5 58.6,19.5 Q60,23 56.5,23Z", fill=body)
    pen.path("M43.5,10 Q49.5,11.2 53.2,16.2 H43.5Z", fill=light)
    for x in (6, 13, 20, 27, 34):
        pen.box((x, 11, x + 4.6, 15.6), fill=light, radius=0.8)
    pen.path("M2,18.4 H57.4", edge=light, width=1.1)
    pen.box((2, 23, 57.5, 24.4), fill=ink)
    for x in (8, 14, 44, 50):
        _wheel(pen, (x, 26.4), 2.6, body, ink)


def _wheel(pen: CardPen, at: Point, r: float, body: str, ink: str) -> None:
    pen.circle(at, r, fill=ink)
    pen.circle(at, r * 0.66, fill=mixed("#ffffff", body, 0.25))
    spokes = [f"M{at[0]:.2f},{at[1]:.2f} L{at[0] + r * 0.7 * cos(a):.2f},{at[1] + r * 0.7 * sin(a):.2f}"
              for a in (n * pi / 3 for n in range(6))]  # fmt: skip
    pen.path(" ".join(spokes), edge=ink, width=r * 0.14)
    pen.circle(at, r * 0.22, fill=ink)
