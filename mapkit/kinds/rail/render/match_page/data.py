"""What the script of a match's page works on: the map, the players, and what each event changes."""

from collections.abc import Mapping, Sequence

from mapkit.core.base import Frozen
from mapkit.drawing.words.language import Words
from mapkit.kinds.rail.model.match import MatchEvent, MatchHead
from mapkit.kinds.rail.network.chances import city_chances
from mapkit.kinds.rail.playing.moments import Change, Moment
from mapkit.kinds.rail.render.layout import Layout
from mapkit.kinds.rail.render.match_page.narrating import MatchNames
from mapkit.kinds.rail.render.page_map.data import MapData, map_data


class OwnedData(Frozen):
    """A railroad that players own."""

    id: str
    short: str


class StepData(Frozen):
    """An event: its sentence, its player (0 is nobody), the turn that it begins, and what it changes.

    A change is `(player, what, value)`, as in `mapkit.kinds.rail.playing.moments`, with places, cities, segments and
    railroads by position, -1 for none.
    """

    text: str
    player: int
    turn: int
    changes: tuple[tuple[int, str, int | str | bool], ...]


class MatchPageData(MapData):
    """Everything that the script knows; `players` are what they are called, `cash` and `engine` what all begin with."""

    symbol: str
    railroads: tuple[OwnedData, ...]
    players: tuple[str, ...]
    cash: int
    engine: str
    engines: dict[str, str]
    steps: tuple[StepData, ...]


def match_page_data(layout: Layout, head: MatchHead, events: Sequence[MatchEvent], words: Words) -> MatchPageData:
    """Gather the data of a page."""
    board = layout.board
    names = MatchNames(board, head, words)
    chances = {city: float(chance) for city, chance in city_chances(board).items()}
    start = Moment(board, head).standings[0]
    return MatchPageData(
        **dict(map_data(layout, chances, texts=("match",))),
        symbol=board.units.symbol,
        railroads=tuple(OwnedData(id=r.id, short=r.short) for r in board.railroads),
        players=tuple(names.player(number) for number in range(1, len(head.players) + 1)),
        cash=start.cash,
        engine=start.engine,
        engines={kind: names.engine(kind) for kind in ("freight", "express", "superchief")},
        steps=_steps(layout, head, events, names),
    )


def _steps(layout: Layout, head: MatchHead, events: Sequence[MatchEvent], names: MatchNames) -> tuple[StepData, ...]:
    board = layout.board
    numbers = {
        "at": {m.id: k for k, m in enumerate(board.mileposts)},
        "city": {c.id: k for k, c in enumerate(board.cities)},
        "rides": {s.id: k for k, s in enumerate(board.segments)},
        "owns": {r.id: k for k, r in enumerate(board.railroads)},
    }
    moment = Moment(board, head)
    steps = []
    for event in events:
        changes = moment.take(event)
        steps.append(
            StepData(
                text=names.sentence(event),
                player=event.player or 0,
                turn=moment.turns if event.does == "turn" else 0,
                changes=tuple((c.player, c.what, _value(c, numbers)) for c in changes),
            )
        )
    return tuple(steps)


def _value(change: Change, numbers: Mapping[str, Mapping[str, int]]) -> int | str | bool:
    """Return the value of a change, ids as positions."""
    known = numbers.get("city" if change.what in ("home", "goal") else change.what)
    return change.value if known is None else known.get(str(change.value), -1)
