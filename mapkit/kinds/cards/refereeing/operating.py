"""Referee's checks of operating rounds: operators, revenue, railroads, investors, obsolescence (BA-O, BA-X)."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from mapkit.formats.rulings import raise_foul
from mapkit.kinds.cards.game import CardGame, Effect, Investor
from mapkit.kinds.cards.refereeing.position import SEATS, Position

Line = Mapping[str, Any]


def place(at: Position, line: Line) -> None:
    """Check the placement of operators (BA-O02 to BA-O05)."""
    network, plus = line["network"], line["plus"]
    free_operators, most_in_network = (
        at.operators(at.holding) - at.network[at.holding],
        at.game.rules.operating.network_a_round,
    )
    if network > most_in_network:
        raise_foul("BA-O05", f"{network} operators go to the network; {most_in_network} a round is the most")
    if network + plus > free_operators:
        raise_foul(
            "BA-O02",
            f"{network + plus} operators of {at.holding} are placed, and it has {free_operators} out of the network",
        )
    at.network[at.holding] += network
    at.may_add, at.may_keep = plus, free_operators - network - plus
    at.expects = "revenue" if revenue(at, at.holding) else "add"


def revenue(at: Position, holding: str) -> int:
    """Return the income of a holding; 0 without a railroad (BA-O05, BA-O06)."""
    own_railroads = at.trains[holding]
    if not own_railroads:
        return 0
    income_each = sum(effect.amount or 0 for effect in _holding_effects(at, holding) if effect.kind == "income-each")
    income_once = sum(effect.amount or 0 for effect in _holding_effects(at, holding) if effect.kind == "income-once")
    network_income = at.network[holding] * at.game.rules.operating.network_income
    return (
        sum(at.face(face_id).income for face_id in own_railroads)
        + network_income
        + income_each * len(own_railroads)
        + income_once
    )


def pay(at: Position, _line: Line) -> None:
    """Pay a dividend to the players by their stock, and raise the share value (BA-O08, BA-M07)."""
    dividend = revenue(at, at.holding)
    for seat in SEATS:
        at.cash[seat] += dividend * at.stock(seat, at.holding) // 100
    at.line[at.holding] = min(at.top, at.line[at.holding] + at.game.rules.market.dividend_up)
    at.ends = at.ends or at.line[at.holding] == at.top
    at.expects = "add"


def withhold(at: Position, _line: Line) -> None:
    """Keep income in the holding (BA-O09)."""
    at.till[at.holding] += revenue(at, at.holding)
    at.expects = "add"


def railroad(at: Position, line: Line) -> None:
    """Check a purchase from the stack, with the Director's help if allowed (BA-O03, BA-O11, BA-O15).

    Every purchase requires an operator on (+), so both readings of D48 give the same result.
    """
    _require_operator(at)
    holding, face_id = at.holding, line["face"]
    if face_id not in [face.id for face in at.faces_on_top()]:
        top_faces = ", ".join(face.id for face in at.faces_on_top()) or "nothing"
        raise_foul("BA-O11", f"{face_id} is bought, and on top of the stack is {top_faces}")
    discount_percent = sum(effect.amount or 0 for effect in _holding_effects(at, holding) if effect.kind == "discount")
    price = at.face(face_id).cost * max(0, 100 - discount_percent) // 100
    missing_cash = price - at.till[holding]
    director = at.director[holding]
    if missing_cash > 0:
        if at.trains[holding]:
            raise_foul(
                "BA-O15",
                f"{holding} is ${missing_cash:,} short, and its Director helps only where there is no railroad",
            )
        if at.cash[director] < missing_cash:
            raise_foul("BA-O15", f"{holding} is ${missing_cash:,} short, and {director} has ${at.cash[director]:,}")
        at.cash[director] -= missing_cash
    at.till[holding] -= price - max(0, missing_cash)
    at.stack.pop(0)
    at.trains[holding].append(face_id)
    at.may_add -= 1
    remove_obsolete(at, at.face(face_id).number)


def deal(at: Position, line: Line) -> None:
    """Check an offer for a railroad of another holding (BA-O12)."""
    _require_operator(at)
    seller, face_id, price = line["from"], line["face"], line["price"]
    least_price = at.game.rules.operating.price_between
    if seller == at.holding or face_id not in at.trains[seller]:
        raise_foul("BA-O12", f"{seller} has no railroad {face_id} to sell to {at.holding}")
    if price < least_price:
        raise_foul("BA-O12", f"the price is ${price}; ${least_price} is the least")
    if price > at.till[at.holding]:
        raise_foul("BA-O12", f"the price is ${price:,}, and {at.holding} has ${at.till[at.holding]:,}")
    at.bargain = (seller, face_id, price)
    if at.director[seller] == at.turn:
        _carry_out_deal(at)
    else:
        at.expects, at.turn = "answer", at.director[seller]


def accept(at: Position, _line: Line) -> None:
    """Carry out an accepted offer."""
    _return_turn(at)
    _carry_out_deal(at)


def refuse(at: Position, _line: Line) -> None:
    """Carry out a refusal; the offer still uses up a place on (+), so that offers cannot go on forever."""
    _return_turn(at)
    at.may_add -= 1


def assign(at: Position, line: Line) -> None:
    """Check the assignment of an investor of the player, or of a holding under the player's control (BA-O16)."""
    _require_operator(at)
    ident = line["investor"]
    lies = at.lies[ident]
    if lies == at.holding:
        raise_foul("BA-O16", f"{ident} is with {lies} already")
    if lies != at.turn and at.director.get(lies) != at.turn:
        raise_foul("BA-O16", f"{at.turn} assigns {ident}, which is {lies if lies in SEATS else f'with {lies}'}")
    at.lies[ident] = at.holding
    at.may_add -= 1


def end(at: Position, _line: Line) -> None:
    """End the additions to the holding; a discard comes next if it has too many railroads."""
    at.expects = "discard" if len(at.trains[at.holding]) > at.may_keep else "next"


def discard(at: Position, line: Line) -> None:
    """Check the discard of an excess railroad (BA-O18)."""
    if line["face"] not in at.trains[at.holding]:
        raise_foul("BA-O18", f"{at.holding} has no railroad {line['face']} to give up")
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
"""Moves of operating rounds: the required value of `Position.expects`, and the function that checks the move."""


def remove_obsolete(at: Position, level: int) -> None:
    """Remove from all holdings the railroads that the first one of a level makes obsolete (BA-X01 to BA-X05)."""
    if level <= at.highest:
        return
    at.highest = level
    for own_railroads in at.trains.values():
        own_railroads[:] = [face_id for face_id in own_railroads if (at.face(face_id).gone_at or level + 1) > level]


def remove_top_card(at: Position) -> None:
    """Remove the top card of the stack at the end of a sequence (BA-R01, BA-R02, D45)."""
    if at.stack:
        card_levels = [face.number for face in at.faces_on_top()]
        at.stack.pop(0)
        remove_obsolete(at, min(card_levels) if at.game.rules.disputes.removed == "lower" else max(card_levels))


def effects_of(game: CardGame, investor: Investor) -> tuple[Effect, ...]:
    """Return the effects of an investor; with D49 as `listed`, unassigned ones go in order to investors without any."""
    if investor.effects or game.rules.disputes.abilities == "open":
        return investor.effects
    investors_without_effects = [investor_row.id for investor_row in game.investors if not investor_row.effects]
    effect_by_investor = dict(zip(investors_without_effects, game.unassigned, strict=False))
    return (effect_by_investor[investor.id],) if investor.id in effect_by_investor else ()


def _holding_effects(at: Position, holding: str) -> list[Effect]:
    return [
        effect
        for investor in at.game.investors
        if at.lies[investor.id] == holding
        for effect in effects_of(at.game, investor)
    ]


def _require_operator(at: Position) -> None:
    if at.may_add <= 0:
        raise_foul("BA-O03", f"{at.holding} has no operator on (+) left for another railroad or investor")


def _carry_out_deal(at: Position) -> None:
    seller, face_id, price = at.bargain
    at.till[at.holding] -= price
    at.till[seller] += price
    at.trains[seller].remove(face_id)
    at.trains[at.holding].append(face_id)
    at.may_add -= 1


def _return_turn(at: Position) -> None:
    at.expects, at.turn = "add", at.director[at.holding]
