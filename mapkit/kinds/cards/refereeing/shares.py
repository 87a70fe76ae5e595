"""Stock rounds, as the referee reads them: selling, buying, exchanging, directing (BA-L, BA-B, BA-D)."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from mapkit.kinds.cards.refereeing.position import BANK, Position, foul, other

_WHOLE: Final = 100
Line = Mapping[str, Any]


def sell(at: Position, line: Line) -> None:
    """Judge a sale to the bank."""
    seat, ident = at.turn, line["certificate"]
    holding, share = at.certificate(ident)
    if at.holder[ident] != seat:
        foul("BA-L01", f"{seat} sells {ident}, which {_who(at, ident)} has")
    _bank_has_room(at, holding, share.percent)
    pays = share.percent * _selling_value(at, holding) // 10
    given: list[str] = []
    if share.director:
        given = at.pays_for_chair(other(seat), holding)
        if not given:
            foul(
                "BA-L04",
                f"{seat} sells the Director's certificate {ident}, but {other(seat)} cannot give as much for it",
            )
    _sale(at, holding, pays)
    at.holder[ident] = other(seat) if share.director else BANK
    at.holder.update(dict.fromkeys(given, BANK))
    settle_director(at, holding)


def swap_down(at: Position, line: Line) -> None:
    """Judge an exchange for a smaller certificate, which counts as a sale (BA-L02)."""
    mine, new, holding = _exchanged(at, line, "BA-L02")
    if new.percent >= mine.percent:
        foul("BA-L02", f"{new.id} is not smaller than {mine.id}")
    _bank_has_room(at, holding, mine.percent - new.percent)
    value = _selling_value(at, holding)
    _sale(at, holding, mine.percent * value // 10 - new.percent * value // 10)
    at.holder[mine.id], at.holder[new.id] = BANK, at.turn
    settle_director(at, holding)


def buy(at: Position, line: Line) -> None:
    """Judge a purchase from the bank."""
    ident = line["certificate"]
    holding, share = at.certificate(ident)
    if at.holder[ident] != BANK:
        foul("BA-B01", f"{at.turn} buys {ident}, which {_who(at, ident)} has; buy from the bank")
    if holding not in at.line:
        foul("BA-B02", f"{ident} is bought, but {holding} has not started; its Director's certificate comes first")
    _certificate_more(at)
    _not_sold_before(at, holding)
    _purchase(at, holding, share.percent * at.value(holding) // 10, share.percent)
    at.holder[ident] = at.turn
    _bought(at, holding)


def start(at: Position, line: Line) -> None:
    """Judge the start of a holding: its Director's certificate, at a value of one's choice (BA-B09, BA-B10)."""
    holding, value = line["holding"], line["at"]
    if holding in at.line:
        foul("BA-B02", f"{holding} has started already")
    if value not in [at.values[place] for place in at.starts]:
        starts = ", ".join(str(at.values[place]) for place in at.starts)
        foul("BA-B09", f"{holding} starts at {value}; it may start at {starts}")
    _certificate_more(at)
    _not_sold_before(at, holding)
    chair = at.chair(holding)
    at.line[holding] = at.first_line[holding] = at.values.index(value)
    _purchase(at, holding, chair.percent * value // 10, chair.percent)
    at.holder[chair.id] = at.turn
    _bought(at, holding)


def swap_up(at: Position, line: Line) -> None:
    """Judge an exchange for a larger certificate, which counts as a purchase (BA-B04)."""
    mine, new, holding = _exchanged(at, line, "BA-B04")
    if new.percent <= mine.percent:
        foul("BA-B04", f"{new.id} is not larger than {mine.id}")
    _not_sold_before(at, holding)
    value = at.value(holding)
    _purchase(at, holding, new.percent * value // 10 - mine.percent * value // 10, new.percent - mine.percent)
    at.holder[mine.id], at.holder[new.id] = BANK, at.turn
    _bought(at, holding)


def done(at: Position, _line: Line) -> None:
    """Judge the end of a turn after sales."""
    if not at.sold_this_turn:
        foul("BA-R03", f"{at.turn} ends a turn in which nothing was sold; pass instead")
    _over_the_limit(at)
    _next_turn(at)


def pass_(at: Position, _line: Line) -> None:
    """Judge a pass; after two in a row the round ends (BA-R04)."""
    if at.sold_this_turn:
        foul("BA-R03", f"{at.turn} passes after a sale; end the turn instead")
    _over_the_limit(at)
    at.passed += 1
    _next_turn(at)


TRADES: Final[Mapping[str, Callable[[Position, Line], None]]] = MappingProxyType(
    {"sell": sell, "swap-down": swap_down, "buy": buy, "start": start, "swap-up": swap_up, "done": done, "pass": pass_}
)


def settle_director(at: Position, holding: str) -> None:
    """Find who directs a holding now, and pass the certificate on as soon as it can (BA-D01, BA-D02, BA-D04)."""
    chair = at.chair(holding).id
    if holding not in at.director:
        at.director[holding] = at.holder[chair]
    boss = at.director[holding]
    if at.stock(other(boss), holding) > at.stock(boss, holding):
        boss = at.director[holding] = other(boss)
    if at.holder[chair] == other(boss) and (given := at.pays_for_chair(boss, holding)):
        at.holder.update(dict.fromkeys(given, other(boss)))
        at.holder[chair] = boss


def _sale(at: Position, holding: str, pays: int) -> None:
    """Pay for a sale; a Director's first one in a turn lowers the value (BA-L06), somebody else's does not (BA-L07)."""
    seat = at.turn
    at.cash[seat] += pays
    if holding not in at.sold_this_turn:
        at.sold_this_turn[holding] = at.line[holding]
        if at.director[holding] == seat:
            at.line[holding] = max(0, at.line[holding] - at.game.rules.market.seller_down)
    at.sold[seat].add(holding)
    at.last_dealer, at.passed = seat, 0


def _selling_value(at: Position, holding: str) -> int:
    return at.values[at.sold_this_turn.get(holding, at.line[holding])]


def _purchase(at: Position, holding: str, price: int, percent: int) -> None:
    seat, most = at.turn, at.game.rules.limits.player_stock
    if at.stock(seat, holding) + percent > most:
        foul("BA-M04", f"{seat} would have {at.stock(seat, holding) + percent} % of {holding}; {most} % is the limit")
    if price > at.cash[seat]:
        foul("BA-B03", f"it costs ${price:,}, and {seat} has ${at.cash[seat]:,}")
    at.cash[seat] -= price


def _bought(at: Position, holding: str) -> None:
    """End the turn of a purchase: who directs, and the capital once enough is sold (BA-B12, BA-B13, D47)."""
    at.last_dealer, at.passed = at.turn, 0
    settle_director(at, holding)
    market = at.game.rules.market
    if holding not in at.operates and _WHOLE - at.stock(BANK, holding) >= market.sold_to_operate:
        at.operates.add(holding)
        initial = at.game.rules.disputes.capital == "initial"
        at.till[holding] += market.capital * at.values[at.first_line[holding] if initial else at.line[holding]]
    _next_turn(at)


def _next_turn(at: Position) -> None:
    at.turn = other(at.turn)
    at.sold_this_turn = {}


def _exchanged(at: Position, line: Line, rule: str) -> tuple[Any, Any, str]:
    """Return the certificates of an exchange, and their holding."""
    (holding, mine), (elsewhere, new) = at.certificate(line["certificate"]), at.certificate(line["for"])
    if holding != elsewhere or mine.director or new.director:
        foul(rule, f"{mine.id} cannot be exchanged for {new.id}: both must be of one holding, and not the Director's")
    if at.holder[mine.id] != at.turn:
        foul(rule, f"{at.turn} gives {mine.id}, which {_who(at, mine.id)} has")
    if at.holder[new.id] != BANK:
        foul(rule, f"{at.turn} takes {new.id}, which {_who(at, new.id)} has; exchange with the bank")
    return mine, new, holding


def _bank_has_room(at: Position, holding: str, percent: int) -> None:
    most = at.game.rules.limits.bank_stock
    if holding in at.operates and at.stock(BANK, holding) + percent > most:
        foul("BA-M05", f"the bank would have {at.stock(BANK, holding) + percent} % of {holding}; {most} % is the limit")


def _certificate_more(at: Position) -> None:
    most = at.game.rules.limits.certificates
    if at.held(at.turn) >= most:
        foul("BA-B08", f"{at.turn} has {at.held(at.turn)} certificates; {most} is the limit, exchanges are allowed")


def _not_sold_before(at: Position, holding: str) -> None:
    if holding in at.sold[at.turn]:
        foul("BA-B06", f"{at.turn} buys stock of {holding}, and sold some in this stock round")


def _over_the_limit(at: Position) -> None:
    """Refuse to go on over the limit of certificates while something can be sold (BA-D06)."""
    seat, most = at.turn, at.game.rules.limits.certificates
    if at.held(seat) <= most:
        return
    for ident, holder in at.holder.items():
        holding, share = at.certificate(ident)
        room = holding not in at.operates or at.stock(BANK, holding) + share.percent <= at.game.rules.limits.bank_stock
        if holder == seat and room and (not share.director or at.pays_for_chair(other(seat), holding)):
            foul("BA-D06", f"{seat} has {at.held(seat)} certificates, {most} is the limit; sell first, such as {ident}")


def _who(at: Position, ident: str) -> str:
    holder = at.holder[ident]
    return "the bank" if holder == BANK else holder
