"""Operating rounds, as the referee reads them: operators, revenue, railroads, investors, obsolescence (BA-O, BA-X)."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from mapkit.kinds.cards.game import CardGame, Effect, Investor
from mapkit.kinds.cards.refereeing.position import SEATS, Position, foul

Line = Mapping[str, Any]


def place(at: Position, line: Line) -> None:
    """Judge how operators are placed (BA-O02 to BA-O05)."""
    network, plus = line["network"], line["plus"]
    free, most = at.operators(at.holding) - at.network[at.holding], at.game.rules.operating.network_a_round
    if network > most:
        foul("BA-O05", f"{network} operators go to the network; {most} a round is the most")
    if network + plus > free:
        foul("BA-O02", f"{network + plus} operators of {at.holding} are placed, and it has {free} out of the network")
    at.network[at.holding] += network
    at.may_add, at.may_keep = plus, free - network - plus
    at.expects = "revenue" if revenue(at, at.holding) else "add"


def revenue(at: Position, holding: str) -> int:
    """Return what a holding earns; nothing without a railroad (BA-O05, BA-O06)."""
    own = at.trains[holding]
    if not own:
        return 0
    each = sum(effect.amount or 0 for effect in _effects(at, holding) if effect.kind == "income-each")
    once = sum(effect.amount or 0 for effect in _effects(at, holding) if effect.kind == "income-once")
    network = at.network[holding] * at.game.rules.operating.network_income
    return sum(at.face(one).income for one in own) + network + each * len(own) + once


def pay(at: Position, _line: Line) -> None:
    """Judge a dividend: stock of players is paid, and the value goes up (BA-O08, BA-M07)."""
    amount = revenue(at, at.holding)
    for seat in SEATS:
        at.cash[seat] += amount * at.stock(seat, at.holding) // 100
    at.line[at.holding] = min(at.top, at.line[at.holding] + at.game.rules.market.dividend_up)
    at.ends = at.ends or at.line[at.holding] == at.top
    at.expects = "add"


def withhold(at: Position, _line: Line) -> None:
    """Judge income that is kept (BA-O09)."""
    at.till[at.holding] += revenue(at, at.holding)
    at.expects = "add"


def railroad(at: Position, line: Line) -> None:
    """Judge a purchase from the stack, with the Director's help where it is allowed (BA-O03, BA-O11, BA-O15).

    A purchase takes an operator on (+), so the two readings of D48 do not differ.
    """
    _one_more(at)
    holding, ident = at.holding, line["face"]
    if ident not in [face.id for face in at.faces_on_top()]:
        top = ", ".join(face.id for face in at.faces_on_top()) or "nothing"
        foul("BA-O11", f"{ident} is bought, and on top of the stack is {top}")
    off = sum(effect.amount or 0 for effect in _effects(at, holding) if effect.kind == "discount")
    cost = at.face(ident).cost * max(0, 100 - off) // 100
    missing = cost - at.till[holding]
    boss = at.director[holding]
    if missing > 0:
        if at.trains[holding]:
            foul("BA-O15", f"{holding} is ${missing:,} short, and its Director helps only where there is no railroad")
        if at.cash[boss] < missing:
            foul("BA-O15", f"{holding} is ${missing:,} short, and {boss} has ${at.cash[boss]:,}")
        at.cash[boss] -= missing
    at.till[holding] -= cost - max(0, missing)
    at.stack.pop(0)
    at.trains[holding].append(ident)
    at.may_add -= 1
    comes(at, at.face(ident).number)


def deal(at: Position, line: Line) -> None:
    """Judge an offer for a railroad of another holding (BA-O12)."""
    _one_more(at)
    seller, ident, price = line["from"], line["face"], line["price"]
    least = at.game.rules.operating.price_between
    if seller == at.holding or ident not in at.trains[seller]:
        foul("BA-O12", f"{seller} has no railroad {ident} to sell to {at.holding}")
    if price < least:
        foul("BA-O12", f"the price is ${price}; ${least} is the least")
    if price > at.till[at.holding]:
        foul("BA-O12", f"the price is ${price:,}, and {at.holding} has ${at.till[at.holding]:,}")
    at.bargain = (seller, ident, price)
    if at.director[seller] == at.turn:
        _sold(at)
    else:
        at.expects, at.turn = "answer", at.director[seller]


def accept(at: Position, _line: Line) -> None:
    """Judge that an offer is taken."""
    _back(at)
    _sold(at)


def refuse(at: Position, _line: Line) -> None:
    """Judge that an offer is refused; it has used a place on (+), so that offers end."""
    _back(at)
    at.may_add -= 1


def assign(at: Position, line: Line) -> None:
    """Judge that an investor goes to the holding: one's own, or one of a holding that one directs (BA-O16)."""
    _one_more(at)
    ident = line["investor"]
    lies = at.lies[ident]
    if lies == at.holding:
        foul("BA-O16", f"{ident} is with {lies} already")
    if lies != at.turn and at.director.get(lies) != at.turn:
        foul("BA-O16", f"{at.turn} assigns {ident}, which is {lies if lies in SEATS else f'with {lies}'}")
    at.lies[ident] = at.holding
    at.may_add -= 1


def end(at: Position, _line: Line) -> None:
    """Judge that nothing more is added."""
    at.expects = "discard" if len(at.trains[at.holding]) > at.may_keep else "next"


def discard(at: Position, line: Line) -> None:
    """Judge that a railroad too many leaves the game (BA-O18)."""
    if line["face"] not in at.trains[at.holding]:
        foul("BA-O18", f"{at.holding} has no railroad {line['face']} to give up")
    at.trains[at.holding].remove(line["face"])
    end(at, line)


STEPS: Final[Mapping[str, tuple[str, Callable[[Position, Line], None]]]] = MappingProxyType(
    {
        "place": ("place", place),
        "pay": ("revenue", pay),
        "withhold": ("revenue", withhold),
        "railroad": ("add", railroad),
        "deal": ("add", deal),
        "assign": ("add", assign),
        "end": ("add", end),
        "accept": ("answer", accept),
        "refuse": ("answer", refuse),
        "discard": ("discard", discard),
    }
)
"""Moves of operating rounds: when they may come, and how they are judged."""


def comes(at: Position, level: int) -> None:
    """Let the first railroad of a level make others obsolete, of all holdings and without money (BA-X01 to BA-X05)."""
    if level <= at.highest:
        return
    at.highest = level
    for own in at.trains.values():
        own[:] = [one for one in own if (at.face(one).gone_at or level + 1) > level]


def top_goes(at: Position) -> None:
    """Take the top card off the stack at the end of a sequence (BA-R01, BA-R02, D45)."""
    if at.stack:
        numbers = [face.number for face in at.faces_on_top()]
        at.stack.pop(0)
        comes(at, min(numbers) if at.game.rules.disputes.removed == "lower" else max(numbers))


def effects_of(game: CardGame, investor: Investor) -> tuple[Effect, ...]:
    """Return what an investor does; listed abilities of no known investor go to those without one (D49)."""
    if investor.effects or game.rules.disputes.abilities == "open":
        return investor.effects
    without = [one.id for one in game.investors if not one.effects]
    given = dict(zip(without, game.unassigned, strict=False))
    return (given[investor.id],) if investor.id in given else ()


def _effects(at: Position, holding: str) -> list[Effect]:
    return [effect for one in at.game.investors if at.lies[one.id] == holding for effect in effects_of(at.game, one)]


def _one_more(at: Position) -> None:
    if at.may_add <= 0:
        foul("BA-O03", f"{at.holding} has no operator on (+) left for another railroad or investor")


def _sold(at: Position) -> None:
    seller, ident, price = at.bargain
    at.till[at.holding] -= price
    at.till[seller] += price
    at.trains[seller].remove(ident)
    at.trains[at.holding].append(ident)
    at.may_add -= 1


def _back(at: Position) -> None:
    at.expects, at.turn = "add", at.director[at.holding]
