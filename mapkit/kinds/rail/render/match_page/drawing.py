"""A moment of a match on the board: trains, homes, the cities to reach, and the trip of the player on turn."""

from collections.abc import Sequence
from math import cos, pi, sin
from typing import Final

from mapkit.core.base import Point
from mapkit.drawing.svg_page import SvgPage, line_d, mm
from mapkit.drawing.theme.theme import Theme
from mapkit.kinds.rail.model.match import MatchEvent, MatchHead
from mapkit.kinds.rail.playing.moments import Moment, Standing, moment_at
from mapkit.kinds.rail.render.board import draw_board
from mapkit.kinds.rail.render.layout import Layout

COLOURS: Final = ("#0072b2", "#d55e00", "#00785a", "#a13d78", "#8a6100", "#4b4f9e", "#555555")
"""Of players and, last, the third owner: dark enough for white numbers, apart in the usual kinds of colour vision; the
numbers tell them apart in any case."""
RADIUS: Final = 3.4
"""Of a train, millimetres."""
_APART: Final = 1.15
"""Of trains at one milepost from its middle, in radii."""


def render_moment(layout: Layout, head: MatchHead, events: Sequence[MatchEvent], *, theme: Theme | None = None) -> str:
    """Return the board after some events of a match as the text of an SVG file.

    Trains are circles with their players' numbers, homes rings of the same colour, the cities that they must reach
    dashed rings. The trip of the player on turn is a line in his colour.

    Args:
        layout: Of the board.
        head: The head of the log.
        events: Those that have happened.
        theme: How the board is drawn; as its author chose by default.
    """
    moment = moment_at(layout.board, head, events)
    document = draw_board(layout, theme=theme)
    group = document.group(document.layers["labels"], {"id": "match", "data-turn": str(moment.turns)})
    if moment.on_turn:
        _draw_trip(document, group, layout, moment)
    for number, standing in enumerate(moment.standings, start=1):
        if not standing.out:
            _draw_cities(document, group, layout, number, standing)
    for number, middle in train_spots(layout, moment.standings).items():
        _draw_train(document, group, number, middle)
    return document.to_text()


def train_spots(layout: Layout, standings: Sequence[Standing]) -> dict[int, Point]:
    """Return where the train of each player, from 1 on, is drawn; trains at one milepost stand around it."""
    together: dict[str, list[int]] = {}
    for number, standing in enumerate(standings, start=1):
        if standing.at in layout.spots and not standing.out:
            together.setdefault(standing.at, []).append(number)
    out: dict[int, Point] = {}
    for place, numbers in together.items():
        x, y = layout.spots[place]
        for k, number in enumerate(numbers):
            away = RADIUS * _APART if len(numbers) > 1 else 0.0
            angle = 2 * pi * k / len(numbers) - pi / 2
            out[number] = (x + away * cos(angle), y + away * sin(angle))
    return dict(sorted(out.items()))


def _draw_trip(document: SvgPage, group: object, layout: Layout, moment: Moment) -> None:
    trip = moment.standings[moment.on_turn - 1].trip
    d = " ".join(line_d(layout.segment_lines[name]) for name in trip if name in layout.segment_lines)
    if d:
        shape = {"fill": "none", "stroke-linecap": "round", "stroke-linejoin": "round"}
        document.path(group, d, {**shape, "stroke": "#ffffff", "stroke-width": "3.4"})
        document.path(group, d, {**shape, "stroke": COLOURS[moment.on_turn - 1], "stroke-width": "2.2"})


def _draw_cities(document: SvgPage, group: object, layout: Layout, number: int, standing: Standing) -> None:
    rings = (("home", standing.home, ""), ("goal", standing.goal, "2 1.4"))
    for kind, city, dashes in rings:
        if city in layout.squares:
            ring = {"fill": "none", "stroke": COLOURS[number - 1], "stroke-width": "1", "class": f"{kind}-of-{number}"}
            more = {"stroke-dasharray": dashes} if dashes else {}
            document.circle(group, layout.squares[city], RADIUS * 1.3 + 0.55 * number, {**ring, **more})


def _draw_train(document: SvgPage, group: object, number: int, middle: Point) -> None:
    look = {"fill": COLOURS[number - 1], "stroke": "#ffffff", "stroke-width": "0.6", "class": f"train-of-{number}"}
    document.circle(group, middle, RADIUS, look)
    text = {"text-anchor": "middle", "font-weight": "bold", "font-size": mm(RADIUS * 1.35), "fill": "#ffffff"}
    document.text(group, str(number), (middle[0], middle[1] + RADIUS * 0.48), text)
