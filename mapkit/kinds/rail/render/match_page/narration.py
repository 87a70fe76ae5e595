"""Narration of a match in sentences."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Final

from mapkit.drawing.words.language import Words
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.model.match import Does, MatchEvent, MatchHead

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
