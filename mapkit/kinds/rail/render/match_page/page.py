"""Page of a match: one HTML file that fetches nothing, with the drawn board to replay it step by step."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from math import cos, pi, sin
from typing import Final

from mapkit.core.base import Frozen, Point
from mapkit.drawing.embedded_fonts import font_rules
from mapkit.drawing.svg_page import SvgPage, format_mm, line_path_data
from mapkit.drawing.theme.theme import FONT
from mapkit.drawing.words.language import Words
from mapkit.drawing.words.script import words_script
from mapkit.formats.html import content_security_policy, read_page_part, render_html
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.model.match import Does, MatchEvent, MatchHead
from mapkit.kinds.rail.network.destination_chances import calculate_city_chances
from mapkit.kinds.rail.playing.moments import Change, MatchMoment, PlayerStanding, moment_at
from mapkit.kinds.rail.render import page_map
from mapkit.kinds.rail.render.board import draw_board
from mapkit.kinds.rail.render.board_theme import get_board_theme
from mapkit.kinds.rail.render.layout import Layout, lay_out
from mapkit.kinds.rail.render.page_map.data import MapData, collect_map_data, format_inline_board, format_script_json
from mapkit.kinds.rail.render.words import words_of
from mapkit.version import __version__

# Drawing of a moment of a match: trains, homes, the cities to reach, and the trip of the player on turn.

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


# Narration of a match in sentences.

_UNTOLD_EVENTS: Final[frozenset[Does]] = frozenset({"region", "turn"})


def narrate_match(board: Board, head: MatchHead, events: Iterable[MatchEvent], words: Words) -> Iterator[str]:
    """Yield a match in lines: each turn after an empty line, steps of a move by one railroad together."""
    match_names = MatchNarrator(board, head, words)
    for railroad, event_group in groupby(events, key=lambda event: event.railroad if event.does == "rides" else None):
        group_events = list(event_group)
        if railroad is not None:
            milepost_names = ", ".join(match_names.place(step.milepost) for step in group_events)
            yield "  " + words("match.rides", railroad=match_names.railroad(railroad), places=milepost_names)
            continue
        for event in group_events:
            if event.does == "turn":
                yield ""
            elif event.does not in _UNTOLD_EVENTS:
                yield match_names.sentence(event)


class MatchNarrator:
    """Names of the ids and numbers of a match in a language."""

    def __init__(self, board: Board, head: MatchHead, words: Words) -> None:
        self._words = words
        self._symbol = board.units.symbol
        self._city_names = {c.id: c.name for c in board.cities}
        self._milepost_names = {m.id: m.name for m in board.mileposts}
        self._reporting_marks = {r.id: r.short for r in board.railroads}
        self._region_names = {r.id: r.name for r in board.regions}
        self._players = head.players

    def place(self, ident: str | None) -> str:
        """Return the name of a milepost."""
        return self._milepost_names.get(ident or "", ident or "")

    def railroad(self, ident: str | None) -> str:
        """Return the short name of a railroad."""
        return self._reporting_marks.get(ident or "", ident or "")

    def player(self, number: int | None) -> str:
        """Return the name of a player; the third owner has the number after the last, the bank none."""
        if number is None:
            return self._words("match.bank")
        if number > len(self._players):
            return self._words("match.owner")
        return self._words("match.numbered", number=number, policy=self._players[number - 1])

    def engine(self, kind: str | None) -> str:
        """Return the name of an engine."""
        return self._words(f"engine.{kind}") if kind else ""

    def sentence(self, event: MatchEvent) -> str:
        """Describe an event in a sentence."""
        event_text = self._words(
            f"event.{event.does.replace('-', '_')}",
            who=self.player(event.player),
            other=self.player(event.other),
            city=self._city_names.get(event.city or "", ""),
            region=self._region_names.get(event.region or "", ""),
            place=self.place(event.milepost),
            railroad=self.railroad(event.railroad),
            engine=self.engine(event.engine),
            amount=self._format_money(event.amount),
            cash=self._format_money(event.cash),
            total=event.total,
            dice=" + ".join(map(str, event.dice or ())),
        )
        return event_text[0].upper() + event_text[1:]

    def _format_money(self, amount: int | None) -> str:
        return "" if amount is None else self._words.money(self._symbol, amount)


# Data for the script of a match's page: the map, the players, and the changes of each event.


class OwnedRailroadData(Frozen):
    """Railroad that players own."""

    id: str
    short: str


class StepData(Frozen):
    """Event: its sentence, its player (0 for none), the turn that it begins, and its changes.

    A change is `(player, what, value)`, as in `mapkit.kinds.rail.playing.moments`, with places, cities, segments and
    railroads by position, -1 for none.
    """

    text: str
    player: int
    turn: int
    changes: tuple[tuple[int, str, int | str | bool], ...]


class MatchPageData(MapData):
    """Data of the page; `players` are names, `cash` and `engine` the starting values of all."""

    symbol: str
    railroads: tuple[OwnedRailroadData, ...]
    players: tuple[str, ...]
    cash: int
    engine: str
    engines: dict[str, str]
    steps: tuple[StepData, ...]


def collect_match_data(layout: Layout, head: MatchHead, events: Sequence[MatchEvent], words: Words) -> MatchPageData:
    """Collect the data of a page."""
    board = layout.board
    match_names = MatchNarrator(board, head, words)
    city_chance = {city: float(chance) for city, chance in calculate_city_chances(board).items()}
    start_standing = MatchMoment(board, head).standings[0]
    return MatchPageData(
        **dict(collect_map_data(layout, city_chance, texts=("match",))),
        symbol=board.units.symbol,
        railroads=tuple(OwnedRailroadData(id=r.id, short=r.short) for r in board.railroads),
        players=tuple(match_names.player(number) for number in range(1, len(head.players) + 1)),
        cash=start_standing.cash,
        engine=start_standing.engine,
        engines={kind: match_names.engine(kind) for kind in ("freight", "express", "superchief")},
        steps=_make_steps(layout, head, events, match_names),
    )


def _make_steps(
    layout: Layout, head: MatchHead, events: Sequence[MatchEvent], names: MatchNarrator
) -> tuple[StepData, ...]:
    board = layout.board
    positions_by_kind = {
        "at": {m.id: k for k, m in enumerate(board.mileposts)},
        "city": {c.id: k for k, c in enumerate(board.cities)},
        "rides": {s.id: k for k, s in enumerate(board.segments)},
        "owns": {r.id: k for k, r in enumerate(board.railroads)},
    }
    current_moment = MatchMoment(board, head)
    step_rows = []
    for event in events:
        event_changes = current_moment.take(event)
        step_rows.append(
            StepData(
                text=names.sentence(event),
                player=event.player or 0,
                turn=current_moment.turns if event.does == "turn" else 0,
                changes=tuple((c.player, c.what, _change_value(c, positions_by_kind)) for c in event_changes),
            )
        )
    return tuple(step_rows)


def _change_value(change: Change, positions_by_kind: Mapping[str, Mapping[str, int]]) -> int | str | bool:
    """Return the value of a change, ids as positions."""
    id_positions = positions_by_kind.get("city" if change.what in ("home", "goal") else change.what)
    return change.value if id_positions is None else id_positions.get(str(change.value), -1)


def render_match_page(board: Board, head: MatchHead, events: Sequence[MatchEvent]) -> str:
    """Render a match as the text of an HTML file; the same match gives the same text.

    Args:
        board: What it was played on.
        head: The head of its log.
        events: Its events.
    """
    theme = get_board_theme(board)
    board_layout = lay_out(board, theme.sizes)
    words = words_of(board)
    page_data = collect_match_data(board_layout, head, events, words)
    own_package = str(__package__)
    left, top, right, bottom = board_layout.area
    colour_rules = [
        f":root {{ --font: {FONT}; --aspect: {right - left:g} / {bottom - top:g}; }}",
        *(f".player-{k} {{ --player: {colour}; }}" for k, colour in enumerate(COLOURS, start=1)),
    ]
    style_parts = [read_page_part(page_map.__name__, "page.css"), read_page_part(own_package, "page.css")]
    page_style = "\n".join([font_rules(theme.family), *style_parts, *colour_rules])
    map_script = (read_page_part(page_map.__name__, name) for name in ("places.js", "map.js"))
    script_parts = (words_script(), *map_script, read_page_part(own_package, "page.js"))
    page_script = '"use strict";\n' + "\n".join(script_parts)
    return render_html(
        own_package,
        "page.html.jinja",
        policy=content_security_policy(page_style, page_script),
        words=words,
        style=page_style,
        script=page_script,
        data=format_script_json(page_data),
        board=board,
        heading=(
            words("match.title", board=board.title)
            if head.seed is None or head.match is None
            else words("match.heading", board=board.title, match=head.match, seed=head.seed)
        ),
        sort=words(
            "match.sort",
            rules=head.rules.preset,
            turns=words.count("match.turns", sum(event.does == "turn" for event in events)),
            events=words.count("match.events", len(events)),
        ),
        head=head,
        speeds=(1, 4, 12, 40),
        board_svg=format_inline_board(draw_board(board_layout, theme=theme)),
        story=_group_turns(list(narrate_match(board, head, events, words))),
        version=__version__,
    )


def _group_turns(lines: Sequence[str]) -> list[list[str]]:
    """Group lines: those before the first turn, then each turn."""
    line_groups: list[list[str]] = [[]]
    for line in lines:
        if line:
            line_groups[-1].append(line.strip())
        else:
            line_groups.append([])
    return [group for group in line_groups if group]
