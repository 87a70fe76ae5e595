"""Drawing of a moment of a match: trains, homes, the cities to reach, and the trip of the player on turn."""

from collections.abc import Sequence
from math import cos, pi, sin
from typing import Final

from mapkit.core.base import Point
from mapkit.drawing.svg_page import SvgPage, format_mm, line_path_data
from mapkit.kinds.rail.model.match import MatchEvent, MatchHead
from mapkit.kinds.rail.playing.moments import PlayerStanding, moment_at
from mapkit.kinds.rail.render.board import draw_board
from mapkit.kinds.rail.render.layout import Layout

COLOURS: Final = ("#0072b2", "#d55e00", "#00785a", "#a13d78", "#8a6100", "#4b4f9e", "#555555")
"""Of players and, last, the third owner: dark enough for white numbers, apart in the usual kinds of colour vision; the
numbers tell them apart in any case."""
RADIUS: Final = 3.4
"""Of a train, millimetres."""
_SPACING_RADII: Final = 1.15
"""Of trains at one milepost from its middle, in radii."""


def render_moment(layout: Layout, head: MatchHead, events: Sequence[MatchEvent]) -> str:
    """Draw the board after some events of a match as the text of an SVG file.

    Trains are circles with their players' numbers, homes rings of the same colour, the cities that they must reach
    dashed rings. The trip of the player on turn is a line in his colour.

    Args:
        layout: Of the board.
        head: The head of the log.
        events: Those that have happened.
    """
    match_moment = moment_at(layout.board, head, events)
    document = draw_board(layout)
    match_group = document.group(document.layers["labels"], {"id": "match", "data-turn": str(match_moment.turns)})
    if match_moment.on_turn:
        trip_segments = match_moment.standings[match_moment.on_turn - 1].trip
        trip_path = " ".join(
            line_path_data(layout.segment_lines[name]) for name in trip_segments if name in layout.segment_lines
        )
        if trip_path:
            line_style = {"fill": "none", "stroke-linecap": "round", "stroke-linejoin": "round"}
            document.path(match_group, trip_path, {**line_style, "stroke": "#ffffff", "stroke-width": "3.4"})
            document.path(
                match_group,
                trip_path,
                {**line_style, "stroke": COLOURS[match_moment.on_turn - 1], "stroke-width": "2.2"},
            )
    for number, standing in enumerate(match_moment.standings, start=1):
        if not standing.out:
            city_rings = (("home", standing.home, ""), ("goal", standing.goal, "2 1.4"))
            for kind, city, dash_pattern in city_rings:
                if city in layout.squares:
                    ring_style = {
                        "fill": "none",
                        "stroke": COLOURS[number - 1],
                        "stroke-width": "1",
                        "class": f"{kind}-of-{number}",
                    }
                    dash_style = {"stroke-dasharray": dash_pattern} if dash_pattern else {}
                    document.circle(
                        match_group, layout.squares[city], RADIUS * 1.3 + 0.55 * number, {**ring_style, **dash_style}
                    )
    for number, train_place in place_trains(layout, match_moment.standings).items():
        _draw_train(document, match_group, number, train_place)
    return document.to_text()


def place_trains(layout: Layout, standings: Sequence[PlayerStanding]) -> dict[int, Point]:
    """Return the place of each player's train, from player 1 on; trains at one milepost surround it."""
    players_at: dict[str, list[int]] = {}
    for number, standing in enumerate(standings, start=1):
        if standing.at in layout.spots and not standing.out:
            players_at.setdefault(standing.at, []).append(number)
    train_places: dict[int, Point] = {}
    for milepost_id, player_numbers in players_at.items():
        x, y = layout.spots[milepost_id]
        for k, number in enumerate(player_numbers):
            ring_radius = RADIUS * _SPACING_RADII if len(player_numbers) > 1 else 0.0
            angle = 2 * pi * k / len(player_numbers) - pi / 2
            train_places[number] = (x + ring_radius * cos(angle), y + ring_radius * sin(angle))
    return dict(sorted(train_places.items()))


def _draw_train(document: SvgPage, group: object, number: int, train_place: Point) -> None:
    circle_style = {
        "fill": COLOURS[number - 1],
        "stroke": "#ffffff",
        "stroke-width": "0.6",
        "class": f"train-of-{number}",
    }
    document.circle(group, train_place, RADIUS, circle_style)
    text_style = {
        "text-anchor": "middle",
        "font-weight": "bold",
        "font-size": format_mm(RADIUS * 1.35),
        "fill": "#ffffff",
    }
    document.text(group, str(number), (train_place[0], train_place[1] + RADIUS * 0.48), text_style)
