"""State of a match after each event of its log: positions, cash, engines and railroads of players."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.model.match import MatchEvent, MatchHead

What = Literal["home", "at", "goal", "cash", "engine", "declared", "out", "rides", "begins", "owns"]
"""What an event changes: the milepost `at`, a city, an amount; a segment ridden or a trip begun; a railroad owned."""


class Change(NamedTuple):
    """Single change by an event; `player` 0 is the bank."""

    player: int
    what: What
    value: str | int | bool


@dataclass
class PlayerStanding:
    """State of a player; ids of a milepost, of cities and of the segments of this trip."""

    cash: int
    engine: str
    at: str = ""
    home: str = ""
    goal: str = ""
    declared: bool = False
    out: bool = False
    trip: list[str] = field(default_factory=list)


class MatchMoment:
    """Match after some of its events.

    Attributes:
        standings: The players, from the first on.
        owner: Railroad -> player from 1 on; those of the bank are left out.
        on_turn: The player whose turn it is; 0 before the first turn.
        turns: How many turns have begun.
    """

    def __init__(self, board: Board, head: MatchHead) -> None:
        match_rules = head.rules
        starting_cash = match_rules.setup.starting_cash + match_rules.options.extra_starting_cash
        self.standings = [PlayerStanding(starting_cash, match_rules.setup.starting_engine) for _ in head.players]
        self.owner: dict[str, int] = {}
        self.on_turn = 0
        self.turns = 0
        self._rules = match_rules
        self._milepost = {city.id: city.milepost for city in board.cities}

    def take(self, event: MatchEvent) -> list[Change]:
        """Apply the next event, and return its changes."""
        if event.does == "turn":
            self.on_turn = event.player or 0
            self.turns += 1
        changes = [*self._place_changes(event), *self._holding_changes(event), *self._make_cash_changes(event)]
        for change in changes:
            self._apply_change(change)
        return changes

    def _apply_change(self, change: Change) -> None:
        if change.what == "owns":
            if change.player:
                self.owner[str(change.value)] = change.player
            else:
                self.owner.pop(str(change.value), None)
            return
        standing = self.standings[change.player - 1]
        if change.what == "rides":
            standing.trip.append(str(change.value))
        elif change.what == "begins":
            standing.trip.clear()
        else:
            setattr(standing, change.what, change.value)

    def _place_changes(self, event: MatchEvent) -> Iterator[Change]:
        """Yield positions and destinations of players, and whether they are declared or out."""
        player, city = event.player or 0, event.city or ""
        match event.does:
            case "home":
                yield from (Change(player, "home", city), Change(player, "at", self._milepost.get(city, "")))
            case "swaps-home":
                yield from (Change(player, "goal", self.standings[player - 1].home), Change(player, "home", city))
                yield Change(player, "at", self._milepost.get(city, ""))
            case "destination":
                yield from (Change(player, "goal", city), Change(player, "begins", value=True))
            case "arrives":
                yield Change(player, "goal", "")
            case "loses-turn" if not self.standings[player - 1].declared:
                yield Change(player, "goal", "")
            case "rides":
                yield from (Change(player, "at", event.milepost or ""), Change(player, "rides", event.segment or ""))
            case "declares" | "undeclared":
                yield Change(player, "declared", event.does == "declares")
            case "bankrupt":
                yield from (Change(player, "out", value=True), Change(player, "goal", ""))
            case _:
                pass

    def _holding_changes(self, event: MatchEvent) -> Iterator[Change]:
        """Yield railroads and engines that change hands."""
        player, railroad = event.player or 0, event.railroad or ""
        match event.does:
            case "buys" | "given":
                yield Change(player, "owns", railroad)
            case "auctioned":
                yield Change(event.other or 0, "owns", railroad)
            case "sells-back":
                yield Change(0, "owns", railroad)
            case "engine":
                yield Change(player, "engine", event.engine or "")
            case "sells-engine":
                yield Change(player, "engine", self._rules.setup.starting_engine)
            case _:
                pass

    def _make_cash_changes(self, event: MatchEvent) -> Iterator[Change]:
        for player, amount in cash_changes(event):
            if player <= len(self.standings):  # the third owner keeps no cash
                yield Change(player, "cash", self.standings[player - 1].cash + amount)
        if event.does == "bankrupt" and self._rules.auction.bankrupt_cash == "to-bank":
            yield Change(event.player or 0, "cash", 0)


_INCOME_EVENTS = ("arrives", "sells-back", "sells-engine", "gets-share")
_PAYMENT_EVENTS = ("buys", "engine", "pays-bank")


def cash_changes(event: MatchEvent) -> tuple[tuple[int, int], ...]:
    """Return the players, from 1 on, with the change of their cash by an event, currency units."""
    amount, player, other = event.amount or 0, event.player or 0, event.other or 0
    player_changes: tuple[tuple[int, int], ...] = ()
    if event.does in _INCOME_EVENTS:
        player_changes = ((player, amount),)
    elif event.does in _PAYMENT_EVENTS:
        player_changes = ((player, -amount),)
    elif event.does == "pays-fee":
        player_changes = ((player, -amount), (other, amount))
    elif event.does == "auctioned":
        player_changes = ((other, -amount), (player, amount))
    elif event.does == "catches":
        player_changes = ((player, amount), (other, -amount))
    return tuple((player_number, change) for player_number, change in player_changes if player_number)


def moment_at(board: Board, head: MatchHead, events: Iterable[MatchEvent]) -> MatchMoment:
    """Return a match after some events."""
    moment = MatchMoment(board, head)
    for event in events:
        moment.take(event)
    return moment
