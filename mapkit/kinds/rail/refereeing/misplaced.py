"""Misplaced steps: the rule that such a step breaks itself, if there is one."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from mapkit.kinds.rail.model.match import Does, MatchEvent
from mapkit.kinds.rail.refereeing.position import Position, Seat

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
