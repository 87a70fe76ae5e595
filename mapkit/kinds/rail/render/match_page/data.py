"""Data for the script of a match's page: the map, the players, and the changes of each event."""

from collections.abc import Mapping, Sequence

from mapkit.core.base import Frozen
from mapkit.drawing.words.language import Words
from mapkit.kinds.rail.model.match import MatchEvent, MatchHead
from mapkit.kinds.rail.network.destination_chances import calculate_city_chances
from mapkit.kinds.rail.playing.moments import Change, MatchMoment
from mapkit.kinds.rail.render.layout import Layout
from mapkit.kinds.rail.render.match_page.narration import MatchNarrator
from mapkit.kinds.rail.render.page_map.data import MapData, collect_map_data


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
