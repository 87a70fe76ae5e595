"""A match in sentences, for a person to follow."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Final

from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.model.match import Does, MatchEvent, MatchHead

_SENTENCES: Final[dict[Does, str]] = {
    "rolls-first": "{who} rolls {total} for the first turn",
    "first": "{who} goes first",
    "home-taken": "{who}'s home would be {city}, which is taken",
    "home": "{who}'s home is {city}",
    "swaps-home": "{who} exchanges home and destination: the home is {city}",
    "destination": "{who} must go to {city}",
    "loses-turn": "{who} is there already and loses the turn",
    "rolls": "{who} rolls {dice}",
    "bonus": "{who} rolls a bonus of {total}",
    "arrives": "{who} arrives at {city} for {amount}, and has {cash}",
    "buys": "{who} buys {railroad} for {amount}, and has {cash}",
    "engine": "{who} buys {engine} for {amount}, and has {cash}",
    "sells-back": "{who} sells {railroad} to the bank for {amount}, and has {cash}",
    "bids": "{who} bids {amount} for {railroad}",
    "passes": "{who} does not bid for {railroad}",
    "auctioned": "{other} gets {railroad} for {amount}",
    "no-bid": "nobody bids for {railroad}",
    "given": "the third owner is given {railroad}",
    "fees-rise": "the bank is sold out: fees rise",
    "fees-fall": "the bank has railroads again: fees fall",
    "established": "{who} keeps the fee of {amount} on {railroad}",
    "pays-bank": "{who} pays {amount} to the bank, and has {cash}",
    "pays-fee": "{who} pays {amount} to {other}, and has {cash}",
    "gets-share": "{who} gets {amount} of that",
    "sells-engine": "{who} sells {engine} for {amount}, and has {cash}",
    "bankrupt": "{who} is bankrupt",
    "announces": "{who} announces {amount}",
    "declares": "{who} declares and heads for home",
    "undeclared": "{who} is declared no more",
    "catches": "{who} catches {other} for {amount}, and has {cash}",
    "wins": "{who} wins with {amount}",
}
_LEFT_OUT: Final[frozenset[Does]] = frozenset({"region", "turn"})


def narrated(board: Board, head: MatchHead, events: Iterable[MatchEvent]) -> Iterator[str]:
    """Yield a match in lines: each turn after an empty line, steps of a move by one railroad together."""
    names = _Names(board, head)
    for railroad, group in groupby(events, key=lambda event: event.railroad if event.does == "rides" else None):
        steps = list(group)
        if railroad is not None:
            via = ", ".join(names.place(step.milepost) for step in steps)
            yield f"  by {names.railroad(railroad)} to {via}"
            continue
        for event in steps:
            if event.does == "turn":
                yield ""
            elif event.does not in _LEFT_OUT:
                yield names.sentence(event)


class _Names:
    """What ids and numbers are called."""

    def __init__(self, board: Board, head: MatchHead) -> None:
        self._symbol = board.units.symbol
        self._cities = {c.id: c.name for c in board.cities}
        self._places = {m.id: m.name for m in board.mileposts}
        self._railroads = {r.id: r.short for r in board.railroads}
        self._players = [f"{number} ({name})" for number, name in enumerate(head.players, start=1)]

    def place(self, ident: str | None) -> str:
        """Return the name of a milepost."""
        return self._places.get(ident or "", ident or "")

    def railroad(self, ident: str | None) -> str:
        """Return the short name of a railroad."""
        return self._railroads.get(ident or "", ident or "")

    def sentence(self, event: MatchEvent) -> str:
        """Return an event as a sentence."""
        text = _SENTENCES[event.does].format(
            who=self._player(event.player),
            other=self._player(event.other),
            city=self._cities.get(event.city or "", ""),
            railroad=self.railroad(event.railroad),
            engine=(event.engine or "").capitalize(),
            amount=self._money(event.amount),
            cash=self._money(event.cash),
            total=event.total,
            dice=" and ".join(map(str, event.dice or ())),
        )
        return text[0].upper() + text[1:]

    def _player(self, number: int | None) -> str:
        if number is None:
            return "the bank"
        return f"player {self._players[number - 1]}" if number <= len(self._players) else "the third owner"

    def _money(self, amount: int | None) -> str:
        return "" if amount is None else f"{self._symbol}{amount:,}"
