"""The draft of investors and the Priority Deal, as the referee reads them (BA-S, BA-C28 to BA-C30)."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from mapkit.kinds.cards.game import Investor
from mapkit.kinds.cards.refereeing.operating import effects_of
from mapkit.kinds.cards.refereeing.position import AWAY, OPEN, SEATS, Position, foul, other

Line = Mapping[str, Any]
_PICKS: Final = (SEATS[0], SEATS[1], SEATS[1], SEATS[0])
"""Who picks, in turn (BA-S03)."""


def offer(at: Position, line: Line) -> None:
    """Judge that an investor is picked and valued (BA-S01, BA-S02)."""
    ident, value = line["investor"], line["value"]
    if at.lies[ident] != OPEN:
        foul("BA-S01", f"{ident} is offered, and somebody has it already")
    face = _investor(at, ident).value
    if at.game.rules.setup.bids == "face" and value != face:
        foul("BA-S02", f"{ident} is valued at ${value}; its face value is ${face}")
    at.offer = (ident, value)
    at.expects, at.turn = "choice", other(at.turn)


def choose(at: Position, line: Line) -> None:
    """Judge the choice between the money and the investor: the other player gets the rest (BA-S01)."""
    ident, value = at.offer
    gets = at.turn if line["move"] == "investor" else other(at.turn)
    at.cash[other(gets)] += value
    at.lies[ident] = gets
    for effect in effects_of(at.game, _investor(at, ident)):
        if effect.kind == "director":
            _chair(at, gets, effect.holding, effect.amount or 0)
        elif effect.kind == "free-railroad":
            _gift(at, effect.holding, effect.level)
    at.drafted += 1
    next_pick(at)


def next_pick(at: Position) -> None:
    """Go on with the draft; the investor that is left pays its face value to both (BA-S04, D46)."""
    left = [one for one in at.game.investors if at.lies[one.id] == OPEN]
    both = at.game.rules.disputes.fifth_investor == "both"
    if left and (not both or at.drafted < at.game.rules.setup.drafted):
        at.expects, at.turn = "offer", _PICKS[at.drafted % len(_PICKS)]
        return
    for one in left:
        at.lies[one.id] = AWAY
        for seat in SEATS:
            at.cash[seat] += one.value
    begin_stock_round(at)


def begin_stock_round(at: Position) -> None:
    """Begin a stock round: with a switch of the Priority Deal, if somebody has one left (BA-C28)."""
    at.sold = {seat: set() for seat in SEATS}
    at.passed, at.last_dealer, at.sold_this_turn = 0, "", {}
    at.expects, at.turn = "trade", at.deal
    for one in at.game.investors:
        if at.lies[one.id] in SEATS and one.id not in at.used and _switches(at, one):
            at.expects, at.turn = "priority", at.lies[one.id]
            return


def switch(at: Position, line: Line) -> None:
    """Judge that the Priority Deal is switched: once in a game, by the investor's holder (BA-C28)."""
    ident = line["investor"]
    if at.lies[ident] != at.turn or not _switches(at, _investor(at, ident)):
        foul("BA-C28", f"{at.turn} switches the Priority Deal by {ident}, which cannot do that for {at.turn}")
    if ident in at.used:
        foul("BA-C28", f"{ident} has switched the Priority Deal before; once in a game is allowed")
    at.used.add(ident)
    at.deal = other(at.deal)
    go_on(at, line)


def go_on(at: Position, _line: Line) -> None:
    """Judge that the Priority Deal is left as it is."""
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


def _investor(at: Position, ident: str) -> Investor:
    return next(one for one in at.game.investors if one.id == ident)


def _switches(at: Position, investor: Investor) -> bool:
    return any(effect.kind == "switch-priority" for effect in effects_of(at.game, investor))


def _chair(at: Position, seat: str, holding: str, value: int) -> None:
    """Give somebody the Director's certificate of a holding at a share value (BA-C30)."""
    at.line[holding] = at.first_line[holding] = at.values.index(value)
    at.holder[at.chair(holding).id] = seat
    at.director[holding] = seat


def _gift(at: Position, holding: str, level: str) -> None:
    """Give a holding the first card of the stack that has a face of a level (BA-C30)."""
    wanted = int("".join(one for one in level if one.isdigit()))
    for place, card in enumerate(at.stack):
        faces = next(one.faces for one in at.game.railroads if one.id == card)
        fits = [face.id for face in faces if face.number == wanted]
        if fits:
            del at.stack[place]
            at.trains[holding].append(fits[0])
            return
