"""Log of a match: parsing, reading event by event, and the referee's judgement."""

import json
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NoReturn, TypeVar

from pydantic import Field, ValidationError

from mapkit.core.base import Frozen
from mapkit.core.characters import refuse_escapes
from mapkit.core.errors import MapkitError, SourceError
from mapkit.core.invalid import invalid_value_message
from mapkit.formats.json_reading import json_error_message
from mapkit.formats.rulings import Ruling
from mapkit.kinds.rail.model.match import Does, MatchEvent, MatchHead
from mapkit.kinds.rail.refereeing.misplaced import Misplaced, find_own_row
from mapkit.kinds.rail.refereeing.position import Position
from mapkit.kinds.rail.rules import book

MOST_EVENTS = 500_000
LONGEST_LINE = 200_000


class Judgement(Frozen):
    """Referee's judgement of a log."""

    file: str
    board: str
    players: tuple[str, ...]
    events: int
    turns: int
    winner: int | None = Field(description="The player who won, from 1 on; None if the log ends before")
    broken: Ruling | None = Field(description="The first illegal step; None if all are legal")

    @property
    def exit_code(self) -> int:
        """Return 1 if a step is illegal."""
        return int(self.broken is not None)

    def summary(self) -> str:
        """Return the contents of a legal log in one sentence."""
        end = "the match is not over" if self.winner is None else f"player {self.winner} wins"
        return f"{self.file}: {self.events:,} events, {self.turns:,} turns on {self.board}: all legal; {end}"


class IllegalError(Exception):
    """Step that breaks a rule."""

    def __init__(self, line: int, rule: str, message: str) -> None:
        super().__init__(message)
        self.ruling = Ruling(line=line, rule=rule, message=message)


def parse_log(text: str, *, file: str) -> tuple[MatchHead, list[MatchEvent]]:
    """Return the head and the events of a log.

    Raises:
        SourceError: It is not a log, with line and cure.
    """
    head = parse_head(text, file=file)
    lines = enumerate(text.splitlines()[1:], start=2)
    return head, [_parse_line(line, MatchEvent, file, row) for row, line in lines]


def parse_head(text: str, *, file: str, lenient: bool = False) -> MatchHead:
    """Return the head of a log; a lenient one may leave the hash of the board out.

    Raises:
        SourceError: As for `parse_log`.
    """
    refuse_escapes(text, file=file)
    lines = text.splitlines()
    if not lines:
        raise SourceError(f"{file}: it is empty; the first line of a log says what was played on")
    if len(lines) > MOST_EVENTS:
        raise SourceError(f"{file}: it has {len(lines):,} lines; a log may have {MOST_EVENTS:,}")
    long_line = next((n for n, line in enumerate(lines, start=1) if len(line) > LONGEST_LINE), None)
    if long_line is not None:
        raise SourceError(
            f"{file}:{long_line}: the line has {len(lines[long_line - 1]):,} characters; write one event a line"
        )
    return _parse_line(lines[0], MatchHead, file, 1, {"board_hash": ""} if lenient else {})


M = TypeVar("M", bound=Frozen)


def _parse_line(
    line: str, model: type[M], file: str, row: int, defaults: Mapping[str, object] = MappingProxyType({})
) -> M:
    try:
        fields = json.loads(line)
        return model.model_validate({**defaults, **fields} if isinstance(fields, dict) else fields)
    except ValidationError as error:
        raise SourceError(f"{file}:{row}: {invalid_value_message(error.errors()[0])}") from error
    except (ValueError, RecursionError) as error:
        raise SourceError(json_error_message(error, file=file, row=row)) from error


class Script:
    """Events of a log, read one by one.

    Attributes:
        lenient: Whether facts that follow from others may be left out.
    """

    lenient = False

    def __init__(self, events: Sequence[MatchEvent], position: Position) -> None:
        self._events = events
        self._at = position
        self._next = 0
        self._turn = 0  # the index of the event that began this turn

    @property
    def line(self) -> int:
        """Return the line of the last event read."""
        return self._next + 1

    def ended(self) -> bool:
        """Return whether no event is left."""
        return self._next >= len(self._events)

    def does(self) -> Does | None:
        """Return the kind of the next event; None at the end."""
        return None if self.ended() else self._events[self._next].does

    def player(self) -> int | None:
        """Return the player of the next event; None at the end."""
        return None if self.ended() else self._events[self._next].player

    def other(self) -> int | None:
        """Return the other player of the next event, if there is one."""
        return None if self.ended() else self._events[self._next].other

    def city(self) -> str | None:
        """Return the city of the next event, if there is one."""
        return None if self.ended() else self._events[self._next].city

    def accept(self) -> MatchEvent:
        """Read the next event, after its kind and player were checked."""
        self._next += 1
        return self._events[self._next - 1]

    def take(self, does: Does, player: int | None, rule: str, why: str) -> MatchEvent:
        """Read the next event, of the given kind and player.

        Args:
            does: What is due.
            player: Who is to do it; None is the bank.
            rule: The row that is broken if it is left out.
            why: Why it is due.

        Raises:
            IllegalError: Another event is next.
            EndedError: The log ends here.
        """
        if self.ended():
            raise EndedError
        event = self.accept()
        if event.does != does or event.player != player:
            self._refuse_misplaced(event, does, player, rule, why)
        if does == "turn":
            self._turn = self._next - 1
        return event

    def _refuse_misplaced(self, event: MatchEvent, does: Does, player: int | None, rule: str, why: str) -> NoReturn:
        """Raise for a misplaced event, by its own row if it breaks one, else by the row of the event that is due."""
        has_begun = self._events[self._turn].does == "turn"
        turn_events = self._events[self._turn : self._next - 1] if has_begun and self._turn < self._next - 1 else ()
        own_row = find_own_row(Misplaced(self._at, turn_events, event, does))
        found_name, due_name = _event_name(event.does, event.player), _event_name(does, player)
        if own_row is None or own_row == rule:
            self.refuse(rule, f"here is {found_name}; expected is {due_name}: {why}")
        row_title = next(row.title for row in book.rows() if row.id == own_row)
        self.refuse(own_row, f"{found_name} may not come here: {row_title}; expected is {due_name}")

    def differs(self, stated: object, due: object) -> bool:
        """Return whether a log states something else than is due."""
        return stated != due and not (self.lenient and stated is None)

    def check_cash(self, player: int, cash: int, stated: int | None) -> None:
        """Raise if the last event read states another cash than the player has."""
        if stated is not None and stated != cash:
            self.refuse("", f"player {player} has {cash:,} then, not {stated:,}")

    def refuse(self, rule: str, message: str) -> NoReturn:
        """Raise because the last event read breaks a rule."""
        raise IllegalError(self.line, rule, message)


def _event_name(does: Does, player: int | None) -> str:
    return repr(does) + (f" of player {player}" if player is not None else "")


class EndedError(Exception):
    """End of a log before the end of its match."""


def refuse_other_board(head: MatchHead, found: str, *, file: str, board: str) -> None:
    """Raise if a log is of another board, or of one that has changed.

    Raises:
        MapkitError: The hashes differ.
    """
    if head.board_hash != found:
        if head.board != board:
            raise MapkitError(f"{file}:1: the match was played on {head.board}, not {board}; give its board (--board)")
        raise MapkitError(
            f"{file}:1: {board} is not as it was in the match: its track, cities, prices or charts have another "
            "board_hash; give the board as it was then, with its variants (--board, --variant)"
        )
