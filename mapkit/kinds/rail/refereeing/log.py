"""Log of a match: parsing, reading event by event, and the referee's judgement."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, NoReturn, TypeVar

from pydantic import Field, ValidationError

from mapkit.core.base import Frozen
from mapkit.core.characters import refuse_escapes
from mapkit.core.errors import MapkitError, SourceError
from mapkit.core.invalid import invalid_value_message
from mapkit.formats.json_reading import json_error_message
from mapkit.formats.rulings import Ruling
from mapkit.kinds.rail.model.match import Does, MatchEvent, MatchHead
from mapkit.kinds.rail.refereeing.position import Position, Seat
from mapkit.kinds.rail.rules import book

# Misplaced steps: the rule that such a step breaks itself, if there is one.

CONSEQUENCES: Final = frozenset(
    {"announces", "established", "fees-rise", "fees-fall", "catches", "given", "gets-share"}
)
"""Steps without a choice; each comes right after its cause."""
BEGINNING: Final = frozenset({"region", "destination", "loses-turn", "rolls"})
MOVING: Final = frozenset({"rides", "bonus", "arrives"})
AUCTION: Final = frozenset({"passes", "auctioned", "no-bid"})
SETUP: Final = frozenset({"rolls-first", "first", "home", "home-taken"})
TURN_STEPS: Final = BEGINNING | MOVING | {"buys", "engine", "declares", "swaps-home"}
"""Steps of the player on turn only."""
BONUS_ROWS: Final = MappingProxyType({"freight": "RB-B01", "express": "RB-B02", "superchief": "RB-B03"})
"""Engine -> the row that says when it rolls a bonus."""


@dataclass(frozen=True)
class Misplaced:
    """Step in place of the one that is due.

    Attributes:
        at: The match before it.
        turn: The steps of this turn before it; empty before the first turn.
        event: The step.
        due: The kind of step that is due.
    """

    at: Position
    turn: Sequence[MatchEvent]
    event: MatchEvent
    due: Does

    @property
    def done(self) -> list[Does]:
        """Return the kinds of the steps of this turn."""
        return [event.does for event in self.turn]

    @property
    def since_roll(self) -> Sequence[MatchEvent]:
        """Return the steps of this turn from its roll on; none before it."""
        return self.turn[self.done.index("rolls") :] if "rolls" in self.done else ()

    def arrivals(self) -> int:
        """Return the number of arrivals since the roll."""
        return sum(event.does == "arrives" for event in self.since_roll)

    @property
    def seat(self) -> Seat:
        """Return the seat of the player on turn."""
        return self.at.seats[self.turn[0].player or 1]

    def has_paid(self, payee: int | None) -> bool:
        """Return whether this turn's fee to a payee is paid; None is the bank."""
        return any(event.does in ("pays-bank", "pays-fee") and event.other == payee for event in self.turn)


def find_own_row(step: Misplaced) -> str | None:
    """Return the row that a misplaced step breaks itself; None if it only omits the step that is due."""
    event, due = step.event, step.due
    if event.does == due and due not in TURN_STEPS | {"turn"}:
        return None
    if due in CONSEQUENCES or due in SETUP:
        return "RB-S10" if event.does == "destination" else None
    if not step.turn:
        return _auction_row(step) if due in AUCTION and event.does in AUCTION | {"bids"} else None
    if event.does in TURN_STEPS and event.player != step.turn[0].player:
        return "RB-S05"
    return _ROWS[event.does](step) if event.does in _ROWS else None


def _turn_row(step: Misplaced) -> str | None:
    seat = step.at.seats.get(step.event.player or 0)
    if step.due != "turn":
        return None
    return "RB-A15" if seat is not None and seat.out else "RB-S05"


def _rolls_row(step: Misplaced) -> str | None:
    return None if step.due in BEGINNING | MOVING else "RB-P13"


def _lookup_row(step: Misplaced) -> str | None:
    """Return the row of a region or destination that is rolled when none is due (RB-D07, RB-B11, RB-B12)."""
    if step.due in ("region", "destination", "loses-turn", "arrives", "bonus"):
        return None
    if "loses-turn" in step.done:
        return _lost_turn_row(step)
    if step.done[-1] == "declares":
        return "RB-W03"
    if step.due in BEGINNING | MOVING or not step.arrivals() or not step.since_roll[0].bonus:
        return "RB-D07"
    return "RB-B11" if step.arrivals() == 1 else "RB-B12"


def _lost_turn_row(step: Misplaced) -> str:
    return "RB-W06" if step.seat.declared else "RB-D06"


def _loses_turn_row(step: Misplaced) -> str | None:
    return None if step.due in ("region", "destination") else _lost_turn_row(step)


def _bonus_row(step: Misplaced) -> str | None:
    """Return the row of a bonus roll that is not earned, too early, or once too often (RB-B01 to RB-B13)."""
    if step.due in BEGINNING | {"arrives"} or not step.since_roll:
        return _lost_turn_row(step) if "loses-turn" in step.done else None
    if not step.since_roll[0].bonus:
        has_bought_engine = any(event.does == "engine" for event in step.since_roll)
        return "RB-B09" if has_bought_engine else BONUS_ROWS[step.seat.engine]
    if "bonus" in step.done:
        return "RB-B12" if step.arrivals() else "RB-B07"
    if step.due == "rides":
        return "RB-B05" if getattr(step.at.rules.bonus, step.seat.engine) == "always" else "RB-B06"
    return "RB-B13"


def _rides_row(step: Misplaced) -> str | None:
    if step.due in BEGINNING | MOVING:
        return None
    if "loses-turn" in step.done:
        return _lost_turn_row(step)
    return "RB-M12" if step.arrivals() or step.seat.declared else "RB-M01"


def _arrives_row(step: Misplaced) -> str:
    seat = step.seat
    if seat.declared:
        return "RB-W08" if seat.at == step.at.milepost(seat.home) else "RB-W07"
    return "RB-P01" if seat.goal is None else "RB-M12"


def _purchase_row(step: Misplaced) -> str | None:
    """Return the row of a purchase without a payoff, after fees or after a sale (RB-P03, RB-P08, RB-P09)."""
    if step.due == "arrives":
        return None
    done = step.done
    last_arrival = max((k for k, does in enumerate(done) if does == "arrives"), default=len(done))
    purchase_count = sum(does in ("buys", "engine") for does in done[last_arrival:])
    if last_arrival == len(done) or purchase_count >= step.at.rules.purchase.per_payoff:
        return "RB-P03"
    if any(does in ("sells-back", "auctioned", "sells-engine") for does in done):
        return "RB-P08"
    return "RB-P09" if any(does in ("pays-bank", "pays-fee") for does in done) else "RB-P03"


def _sells_back_row(step: Misplaced) -> str | None:
    if step.due in ("passes", "auctioned"):
        return "RB-A10"
    if step.due == "no-bid":
        return None
    return "RB-A02" if step.due in ("bankrupt", "sells-engine") else "RB-A01"


def _auction_row(step: Misplaced) -> str | None:
    """Return the row of an auction step that is out of order or not allowed (RB-A01 to RB-A11)."""
    does = step.event.does
    if step.due == "passes":
        return "RB-A07" if does in ("bids", "passes") else "RB-A08"
    if step.due == "auctioned":
        return "RB-A10" if does == "no-bid" else "RB-A08"
    if step.due == "no-bid":
        return "RB-A11" if does == "auctioned" else "RB-A08"
    if step.due == "sells-back":
        return "RB-A11"
    return "RB-A02" if step.due in ("bankrupt", "sells-engine") else "RB-A01"


def _sells_engine_row(step: Misplaced) -> str:
    for_sale = step.at.rules.auction.engines_for_sale and step.due != "sells-back"
    return "RB-A01" if for_sale else "RB-A02"


def _pays_bank_row(step: Misplaced) -> str | None:
    position = step.at
    if position.debts.to_bank(position.rules.fees.own) and not step.has_paid(None):
        return None
    if position.debts.own and not position.rules.fees.own and not position.debts.bank:
        return "RB-F03"
    return "RB-F01" if step.due in BEGINNING | MOVING else "RB-F02"


def _pays_fee_row(step: Misplaced) -> str | None:
    owner = step.event.other or 0
    if step.at.debts.owners.get(owner) and not step.has_paid(owner):
        return None
    return "RB-F01" if step.due in BEGINNING | MOVING else "RB-F04"


def _bankrupt_row(step: Misplaced) -> str | None:
    player = step.event.player
    has_property = step.due == "sells-engine" or player in step.at.owner.values()
    return None if step.at.owed() > step.seat.cash and not has_property else "RB-A15"


def _announces_row(step: Misplaced) -> str | None:
    if step.due == "arrives":
        return None
    if step.at.rules.net_worth.enabled:
        return "RB-V10"
    seat = step.at.seats.get(step.event.player or 0)
    return "RB-I02" if seat is not None and seat.cash >= step.at.rules.information.announce_cash else "RB-I01"


def _established_row(step: Misplaced) -> str:
    if "auctioned" in step.done:
        return "RB-A14" if step.event.player == step.turn[0].player else "RB-A13"
    return "RB-S12" if "swaps-home" in step.done else "RB-F11"


def _given_row(step: Misplaced) -> str:
    third_owner_rules = step.at.rules.two_players
    if not third_owner_rules.third_owner:
        return "RB-T01"
    return "RB-T02" if step.at.purchases < third_owner_rules.first_gift_after else "RB-T03"


def _undeclared_row(step: Misplaced) -> str | None:
    seat = step.at.seats.get(step.event.player or 0)
    keeps_status = seat is None or not seat.declared or step.due == "turn"
    return "RB-W24" if keeps_status or step.due in BEGINNING | MOVING else None


def _catches_row(step: Misplaced) -> str:
    """Return the row of a catch of a train that is not declared, or not caught by moving there (RB-W13 to RB-W17)."""
    if step.seat.declared:
        return "RB-W16"
    caught_seat = step.at.seats.get(step.event.other or 0)
    if caught_seat is None or not (caught_seat.declared or caught_seat.undeclared):
        return "RB-W13"
    if caught_seat.undeclared:
        return "RB-W15"
    return "RB-W17" if caught_seat.at == step.seat.at else "RB-W13"


def _wins_row(step: Misplaced) -> str | None:
    """Return the row of a win without enough cash, away from home or undeclared; None before fees are paid."""
    at, seat = step.at, step.seat
    at_home = seat.at == at.milepost(seat.home)
    if at_home and not seat.declared and at.can_win(step.event.player or 1):
        return "RB-W04"
    is_paying = step.due in ("pays-bank", "pays-fee") and at.can_win(step.event.player or 1, at.owed())
    is_pending = step.due == "undeclared" and not any(does in ("pays-bank", "pays-fee") for does in step.done)
    return None if at_home and (is_paying or is_pending) else "RB-W01"


_ROWS: Final[Mapping[str, Callable[[Misplaced], str | None]]] = MappingProxyType(
    {
        "turn": _turn_row,
        "rolls": _rolls_row,
        "region": _lookup_row,
        "destination": _lookup_row,
        "loses-turn": _loses_turn_row,
        "bonus": _bonus_row,
        "rides": _rides_row,
        "arrives": _arrives_row,
        "buys": _purchase_row,
        "engine": _purchase_row,
        "sells-back": _sells_back_row,
        **dict.fromkeys(("bids", *sorted(AUCTION)), _auction_row),
        "sells-engine": _sells_engine_row,
        "pays-bank": _pays_bank_row,
        "pays-fee": _pays_fee_row,
        "bankrupt": _bankrupt_row,
        "announces": _announces_row,
        "established": _established_row,
        "given": _given_row,
        "undeclared": _undeclared_row,
        "catches": _catches_row,
        "wins": _wins_row,
        "fees-rise": lambda _step: "RB-F06",
        "fees-fall": lambda step: "RB-F07" if step.at.rules.fees.raised_fee_stays else "RB-F06",
        "gets-share": lambda _step: "RB-T06",
        "declares": lambda step: None if step.due == "arrives" and not step.seat.declared else "RB-W02",
        "swaps-home": lambda step: "RB-S11" if step.at.rules.setup.home_swap else None,
        **dict.fromkeys(("rolls-first", "first"), lambda _step: "RB-S04"),
        **dict.fromkeys(("home", "home-taken"), lambda _step: "RB-S06"),
    }
)
"""Kind of step -> how its row is found."""


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
