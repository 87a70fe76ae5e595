"""Log of a match: events with ids in place of numbers."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final, get_args

from mapkit.core.arrays import Ints
from mapkit.core.errors import MapkitError
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.model.match import Does, MatchEvent, MatchHead
from mapkit.kinds.rail.network.playability import hash_match_board
from mapkit.kinds.rail.playing import events
from mapkit.kinds.rail.playing.batch import MatchSetup, trouble_text
from mapkit.kinds.rail.playing.match import play
from mapkit.kinds.rail.playing.moments import cash_changes
from mapkit.kinds.rail.playing.state import EVENTS, MOST_EVENTS, NONE, TROUBLE, new_scratch, new_state

_EVENT_NAMES: Final[tuple[Does, ...]] = get_args(Does)
_ENGINE_NAMES: Final = ("freight", "express", "superchief")


def play_logged_match(
    board: Board, table: MatchSetup, policies: Sequence[str], match: int
) -> tuple[MatchHead, list[MatchEvent]]:
    """Play one match and return its log.

    Args:
        board: The board, with the rules that hold.
        table: The same as arrays, with players and seed.
        policies: The name of each player's policy.
        match: Which match of the seed.

    Raises:
        MapkitError: The match cannot end, or is longer than a log may be.
    """
    state = new_state(table.track, table.terms, table.seed, listening=True)
    if table.drive is None:
        play(table.track, state, table.terms, new_scratch(table.track), match, table.minds)
    else:
        table.drive(table, state, new_scratch(table.track), match)
    if state.game[TROUBLE]:
        raise MapkitError(trouble_text(table, match, int(state.game[TROUBLE])))
    event_count = int(state.game[EVENTS])
    if event_count == MOST_EVENTS:
        raise MapkitError(f"match {match} of seed {table.seed} has more than {MOST_EVENTS:,} events; choose another")
    match_head = MatchHead(
        board=board.id,
        variants=board.variants,
        board_hash=hash_match_board(board),
        rules=board.rules,
        players=tuple(policies),
        seed=table.seed,
        match=match,
    )
    return match_head, list(_name_events(board, state.events[:event_count], [table.terms.cash] * table.terms.players))


def _name_events(board: Board, rows: Ints, cash: list[int]) -> Iterator[MatchEvent]:
    """Yield events, dice with the event that they were rolled for; `cash` is each player's starting cash."""
    event_names = _EventNames(board)
    dice: dict[int, list[int]] = {events.WHITE: [], events.COLOURED: []}
    cash.append(0)  # the third owner has none
    for code, player, first_number, second_number, third_number in rows.tolist():
        if code == events.DIE:
            dice[second_number].append(first_number)
            continue
        fields = event_names.fields(code, first_number, second_number, third_number)
        fields |= {name: tuple(pips) for name, pips in zip(("dice", "coloured"), dice.values(), strict=True) if pips}
        if player != NONE:
            fields["player"] = player + 1
        event = MatchEvent.model_validate({"does": _EVENT_NAMES[code - 1], **fields})
        changes_of_cash = cash_changes(event)
        for player_number, change in changes_of_cash:
            cash[player_number - 1] += change
        has_cash_change = bool(changes_of_cash) and player != NONE
        yield event.model_copy(update={"cash": cash[player]}) if has_cash_change else event
        dice = {events.WHITE: [], events.COLOURED: []}


class _EventNames:
    """Ids and names for the numbers of events."""

    def __init__(self, board: Board) -> None:
        self._regions = [r.id for r in board.regions]
        self._cities = [c.id for c in board.cities]
        self._places = [m.id for m in board.mileposts]
        self._segments = [s.id for s in board.segments]
        self._of = [s.railroad for s in board.segments]
        self._railroads = [r.id for r in board.railroads]
        self._groups = [g.name for g in board.rules.group_purchase.groups]

    def fields(self, code: int, one: int, two: int, three: int) -> dict[str, object]:
        """Return the fields of an event but player, dice and cash."""
        field_reader = _FIELD_READERS.get(code)
        return field_reader(self, one, two, three) if field_reader else {}

    def city(self, number: int) -> str:
        return self._cities[number]

    def region(self, number: int) -> str:
        return self._regions[number]

    def ride(self, segment: int, place: int, fee: int) -> dict[str, object]:
        ids = {"segment": self._segments[segment], "railroad": self._of[segment], "milepost": self._places[place]}
        return {**ids, "amount": fee}

    def railroad(self, number: int) -> str:
        return self._railroads[number]

    def group(self, number: int) -> dict[str, object]:
        return {} if number == NONE else {"group": self._groups[number]}


_FIELD_READERS: Final[dict[int, Callable[[_EventNames, int, int, int], dict[str, object]]]] = {
    events.HOME: lambda w, a, _b, _c: {"city": w.city(a)},
    events.SWAPS_HOME: lambda w, a, _b, _c: {"city": w.city(a)},
    events.REGION: lambda w, a, b, _c: {"region": w.region(a), "picked": bool(b)},
    events.DESTINATION: lambda w, a, b, _c: {"city": w.city(a), "alternate": bool(b)},
    events.ROLLS: lambda _w, a, b, _c: {"total": a, "bonus": bool(b)},
    events.BONUS: lambda _w, a, _b, _c: {"total": a},
    events.RIDES: lambda w, a, b, c: w.ride(a, b, c),
    events.ARRIVES: lambda w, a, b, _c: {"city": w.city(a), "amount": b},
    events.BUYS: lambda w, a, b, c: {"railroad": w.railroad(a), "amount": b, **w.group(c)},
    events.ENGINE: lambda _w, a, b, _c: {"engine": _ENGINE_NAMES[a], "amount": b},
    events.SELLS_BACK: lambda w, a, b, _c: {"railroad": w.railroad(a), "amount": b},
    events.BIDS: lambda w, a, b, _c: {"railroad": w.railroad(a), "amount": b},
    events.PASSES: lambda w, a, _b, _c: {"railroad": w.railroad(a)},
    events.AUCTIONED: lambda w, a, b, c: {"railroad": w.railroad(a), "amount": b, "other": c + 1},
    events.NO_BID: lambda w, a, _b, _c: {"railroad": w.railroad(a)},
    events.GIVEN: lambda w, a, _b, _c: {"railroad": w.railroad(a)},
    events.ESTABLISHED: lambda w, a, b, _c: {"railroad": w.railroad(a), "amount": b},
    events.PAYS_BANK: lambda _w, a, _b, _c: {"amount": a},
    events.PAYS_FEE: lambda _w, a, b, _c: {"amount": a, "other": b + 1},
    events.ROLLS_FIRST: lambda _w, a, _b, _c: {"total": a},
    events.HOME_TAKEN: lambda w, a, _b, _c: {"city": w.city(a)},
    events.GETS_SHARE: lambda _w, a, _b, _c: {"amount": a},
    events.SELLS_ENGINE: lambda _w, a, b, _c: {"engine": _ENGINE_NAMES[a], "amount": b},
    events.BANKRUPT: lambda _w, a, _b, _c: {"amount": a},
    events.ANNOUNCES: lambda _w, a, _b, _c: {"amount": a},
    events.CATCHES: lambda _w, a, b, _c: {"other": a + 1, "amount": b},
    events.WINS: lambda _w, a, _b, _c: {"amount": a},
}


def log_text(head: MatchHead, events: Sequence[MatchEvent]) -> str:
    """Return a log as JSON lines."""
    json_lines = [head.model_dump_json(), *(event.model_dump_json(exclude_none=True) for event in events)]
    return "\n".join(json_lines) + "\n"
