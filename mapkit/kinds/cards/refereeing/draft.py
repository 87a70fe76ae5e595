"""Referee's checks of the draft of investors and the Priority Deal (BA-S, BA-C28 to BA-C30)."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from mapkit.formats.rulings import raise_foul
from mapkit.kinds.cards.game import Investor
from mapkit.kinds.cards.refereeing.operating import effects_of
from mapkit.kinds.cards.refereeing.position import AWAY, OPEN, SEATS, Position, other_seat

Line = Mapping[str, Any]
_PICK_ORDER: Final = (SEATS[0], SEATS[1], SEATS[1], SEATS[0])
"""Who picks, in turn (BA-S03)."""


def offer(at: Position, line: Line) -> None:
    """Check the choice and value of an offered investor (BA-S01, BA-S02)."""
    investor_id, value = line["investor"], line["value"]
    if at.lies[investor_id] != OPEN:
        raise_foul("BA-S01", f"{investor_id} is offered, but it has an owner already")
    face_value = _find_investor(at, investor_id).value
    if at.game.rules.setup.bids == "face" and value != face_value:
        raise_foul("BA-S02", f"{investor_id} is valued at ${value}; its face value is ${face_value}")
    at.offer = (investor_id, value)
    at.expects, at.turn = "choice", other_seat(at.turn)


def choose(at: Position, line: Line) -> None:
    """Check the choice between the money and the investor: the other player gets the other (BA-S01)."""
    investor_id, value = at.offer
    winner = at.turn if line["move"] == "investor" else other_seat(at.turn)
    at.cash[other_seat(winner)] += value
    at.lies[investor_id] = winner
    for effect in effects_of(at.game, _find_investor(at, investor_id)):
        if effect.kind == "director":
            _appoint_director(at, winner, effect.holding, effect.amount or 0)
        elif effect.kind == "free-railroad":
            _give_railroad(at, effect.holding, effect.level)
    at.drafted += 1
    next_pick(at)


def next_pick(at: Position) -> None:
    """Go on with the draft; a remaining investor pays its face value to both players (BA-S04, D46)."""
    undrafted = [investor for investor in at.game.investors if at.lies[investor.id] == OPEN]
    is_paid_to_both = at.game.rules.disputes.fifth_investor == "both"
    if undrafted and (not is_paid_to_both or at.drafted < at.game.rules.setup.drafted):
        at.expects, at.turn = "offer", _PICK_ORDER[at.drafted % len(_PICK_ORDER)]
        return
    for investor in undrafted:
        at.lies[investor.id] = AWAY
        for seat in SEATS:
            at.cash[seat] += investor.value
    begin_stock_round(at)


def begin_stock_round(at: Position) -> None:
    """Begin a stock round, first with a switch of the Priority Deal if one is left (BA-C28)."""
    at.sold = {seat: set() for seat in SEATS}
    at.passed, at.last_dealer, at.sold_this_turn = 0, "", {}
    at.expects, at.turn = "trade", at.deal
    for investor in at.game.investors:
        if at.lies[investor.id] in SEATS and investor.id not in at.used and _can_switch(at, investor):
            at.expects, at.turn = "priority", at.lies[investor.id]
            return


def switch(at: Position, line: Line) -> None:
    """Check a switch of the Priority Deal: once in a game, by the investor's holder (BA-C28)."""
    investor_id = line["investor"]
    if at.lies[investor_id] != at.turn or not _can_switch(at, _find_investor(at, investor_id)):
        raise_foul(
            "BA-C28", f"{at.turn} switches the Priority Deal by {investor_id}, which cannot do that for {at.turn}"
        )
    if investor_id in at.used:
        raise_foul("BA-C28", f"{investor_id} has switched the Priority Deal before; once in a game is allowed")
    at.used.add(investor_id)
    at.deal = other_seat(at.deal)
    go_on(at, line)


def go_on(at: Position, _line: Line) -> None:
    """Accept the Priority Deal without a switch."""
    at.expects, at.turn = "trade", at.deal


STEPS: Final[Mapping[str, tuple[str, Callable[[Position, Line], None]]]] = MappingProxyType(
    {
        "offer": ("offer", offer),
        "money": ("choice", choose),
        "investor": ("choice", choose),
        "switch": ("priority", switch),
        "go-on": ("priority", go_on),
    }
)
"""Moves before a stock round: when they may come, and how they are judged."""


def _find_investor(at: Position, ident: str) -> Investor:
    return next(one for one in at.game.investors if one.id == ident)


def _can_switch(at: Position, investor: Investor) -> bool:
    return any(effect.kind == "switch-priority" for effect in effects_of(at.game, investor))


def _appoint_director(at: Position, seat: str, holding: str, value: int) -> None:
    """Give a player the Director's certificate of a holding at a share value (BA-C30)."""
    at.line[holding] = at.first_line[holding] = at.values.index(value)
    at.holder[at.chair(holding).id] = seat
    at.director[holding] = seat


def _give_railroad(at: Position, holding: str, level: str) -> None:
    """Give a holding the first card of the stack that has a face of a level (BA-C30)."""
    wanted_level = int("".join(one for one in level if one.isdigit()))
    for place, card in enumerate(at.stack):
        card_faces = next(one.faces for one in at.game.railroads if one.id == card)
        fitting_faces = [face.id for face in card_faces if face.number == wanted_level]
        if fitting_faces:
            del at.stack[place]
            at.trains[holding].append(fitting_faces[0])
            return
