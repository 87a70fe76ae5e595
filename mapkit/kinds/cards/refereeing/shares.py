"""Referee's checks of stock rounds: selling, buying, exchanging, directing (BA-L, BA-B, BA-D)."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from mapkit.formats.rulings import raise_foul
from mapkit.kinds.cards.refereeing.position import BANK, Position, other_seat

_WHOLE_PERCENT: Final = 100
Line = Mapping[str, Any]


def sell(at: Position, line: Line) -> None:
    """Check a sale to the bank."""
    seat, ident = at.turn, line["certificate"]
    holding, share = at.certificate(ident)
    if at.holder[ident] != seat:
        raise_foul("BA-L01", f"{seat} sells {ident}, which {_holder_text(at, ident)} has")
    _require_bank_room(at, holding, share.percent)
    proceeds = share.percent * _selling_value(at, holding) // 10
    given_certificates: list[str] = []
    if share.director:
        given_certificates = at.pays_for_chair(other_seat(seat), holding)
        if not given_certificates:
            raise_foul(
                "BA-L04",
                f"{seat} sells the Director's certificate {ident}, but {other_seat(seat)} cannot give as much for it",
            )
    _settle_sale(at, holding, proceeds)
    at.holder[ident] = other_seat(seat) if share.director else BANK
    at.holder.update(dict.fromkeys(given_certificates, BANK))
    settle_director(at, holding)


def swap_down(at: Position, line: Line) -> None:
    """Check an exchange for a smaller certificate, counted as a sale (BA-L02)."""
    own_share, bank_share, holding = _check_exchange(at, line, "BA-L02")
    if bank_share.percent >= own_share.percent:
        raise_foul("BA-L02", f"{bank_share.id} is not smaller than {own_share.id}")
    _require_bank_room(at, holding, own_share.percent - bank_share.percent)
    selling_value = _selling_value(at, holding)
    _settle_sale(at, holding, own_share.percent * selling_value // 10 - bank_share.percent * selling_value // 10)
    at.holder[own_share.id], at.holder[bank_share.id] = BANK, at.turn
    settle_director(at, holding)


def buy(at: Position, line: Line) -> None:
    """Check a purchase from the bank."""
    ident = line["certificate"]
    holding, share = at.certificate(ident)
    if at.holder[ident] != BANK:
        raise_foul("BA-B01", f"{at.turn} buys {ident}, which {_holder_text(at, ident)} has; buy from the bank")
    if holding not in at.line:
        raise_foul(
            "BA-B02", f"{ident} is bought, but {holding} has not started; its Director's certificate comes first"
        )
    _require_certificate_room(at)
    _refuse_sold_before(at, holding)
    _pay_purchase(at, holding, share.percent * at.value(holding) // 10, share.percent)
    at.holder[ident] = at.turn
    _settle_purchase(at, holding)


def start(at: Position, line: Line) -> None:
    """Check the start of a holding: its Director's certificate, at a chosen value (BA-B09, BA-B10)."""
    holding, value = line["holding"], line["at"]
    if holding in at.line:
        raise_foul("BA-B02", f"{holding} has started already")
    if value not in [at.values[place] for place in at.starts]:
        start_values = ", ".join(str(at.values[place]) for place in at.starts)
        raise_foul("BA-B09", f"{holding} starts at {value}; it may start at {start_values}")
    _require_certificate_room(at)
    _refuse_sold_before(at, holding)
    chair_certificate = at.chair(holding)
    at.line[holding] = at.first_line[holding] = at.values.index(value)
    _pay_purchase(at, holding, chair_certificate.percent * value // 10, chair_certificate.percent)
    at.holder[chair_certificate.id] = at.turn
    _settle_purchase(at, holding)


def swap_up(at: Position, line: Line) -> None:
    """Check an exchange for a larger certificate, counted as a purchase (BA-B04)."""
    own_share, bank_share, holding = _check_exchange(at, line, "BA-B04")
    if bank_share.percent <= own_share.percent:
        raise_foul("BA-B04", f"{bank_share.id} is not larger than {own_share.id}")
    _refuse_sold_before(at, holding)
    share_value = at.value(holding)
    _pay_purchase(
        at,
        holding,
        bank_share.percent * share_value // 10 - own_share.percent * share_value // 10,
        bank_share.percent - own_share.percent,
    )
    at.holder[own_share.id], at.holder[bank_share.id] = BANK, at.turn
    _settle_purchase(at, holding)


def done(at: Position, _line: Line) -> None:
    """Check the end of a turn after sales."""
    if not at.sold_this_turn:
        raise_foul("BA-R03", f"{at.turn} ends a turn in which nothing was sold; pass instead")
    _refuse_over_limit(at)
    _change_turn(at)


def pass_turn(at: Position, _line: Line) -> None:
    """Check a pass; after two in a row the round ends (BA-R04)."""
    if at.sold_this_turn:
        raise_foul("BA-R03", f"{at.turn} passes after a sale; end the turn instead")
    _refuse_over_limit(at)
    at.passed += 1
    _change_turn(at)


TRADES: Final[Mapping[str, Callable[[Position, Line], None]]] = MappingProxyType(
    {
        "sell": sell,
        "swap-down": swap_down,
        "buy": buy,
        "start": start,
        "swap-up": swap_up,
        "done": done,
        "pass": pass_turn,
    }
)


def settle_director(at: Position, holding: str) -> None:
    """Update the Director of a holding, and pass the certificate on as soon as possible (BA-D01, BA-D02, BA-D04)."""
    chair_id = at.chair(holding).id
    if holding not in at.director:
        at.director[holding] = at.holder[chair_id]
    director = at.director[holding]
    if at.stock(other_seat(director), holding) > at.stock(director, holding):
        director = at.director[holding] = other_seat(director)
    if at.holder[chair_id] == other_seat(director) and (given_certificates := at.pays_for_chair(director, holding)):
        at.holder.update(dict.fromkeys(given_certificates, other_seat(director)))
        at.holder[chair_id] = director


def _settle_sale(at: Position, holding: str, pays: int) -> None:
    """Pay for a sale; the first one in a turn lowers the value if the Director sells (BA-L06, BA-L07)."""
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


def _pay_purchase(at: Position, holding: str, price: int, percent: int) -> None:
    seat, most_percent = at.turn, at.game.rules.limits.player_stock
    if at.stock(seat, holding) + percent > most_percent:
        raise_foul(
            "BA-M04",
            f"{seat} would have {at.stock(seat, holding) + percent} % of {holding}; {most_percent} % is the limit",
        )
    if price > at.cash[seat]:
        raise_foul("BA-B03", f"it costs ${price:,}, and {seat} has ${at.cash[seat]:,}")
    at.cash[seat] -= price


def _settle_purchase(at: Position, holding: str) -> None:
    """End the turn of a purchase: the Director, and the capital once enough is sold (BA-B12, BA-B13, D47)."""
    at.last_dealer, at.passed = at.turn, 0
    settle_director(at, holding)
    market = at.game.rules.market
    if holding not in at.operates and _WHOLE_PERCENT - at.stock(BANK, holding) >= market.sold_to_operate:
        at.operates.add(holding)
        is_initial_capital = at.game.rules.disputes.capital == "initial"
        at.till[holding] += (
            market.capital * at.values[at.first_line[holding] if is_initial_capital else at.line[holding]]
        )
    _change_turn(at)


def _change_turn(at: Position) -> None:
    at.turn = other_seat(at.turn)
    at.sold_this_turn = {}


def _check_exchange(at: Position, line: Line, rule: str) -> tuple[Any, Any, str]:
    """Return the certificates of an exchange, and their holding."""
    (holding, own_share), (other_holding, bank_share) = at.certificate(line["certificate"]), at.certificate(line["for"])
    if holding != other_holding or own_share.director or bank_share.director:
        raise_foul(
            rule,
            f"{own_share.id} cannot be exchanged for {bank_share.id}: both must be of one holding, "
            "and not the Director's",
        )
    if at.holder[own_share.id] != at.turn:
        raise_foul(rule, f"{at.turn} gives {own_share.id}, which {_holder_text(at, own_share.id)} has")
    if at.holder[bank_share.id] != BANK:
        raise_foul(
            rule,
            f"{at.turn} takes {bank_share.id}, which {_holder_text(at, bank_share.id)} has; exchange with the bank",
        )
    return own_share, bank_share, holding


def _require_bank_room(at: Position, holding: str, percent: int) -> None:
    most_percent = at.game.rules.limits.bank_stock
    if holding in at.operates and at.stock(BANK, holding) + percent > most_percent:
        raise_foul(
            "BA-M05",
            f"the bank would have {at.stock(BANK, holding) + percent} % of {holding}; {most_percent} % is the limit",
        )


def _require_certificate_room(at: Position) -> None:
    most_certificates = at.game.rules.limits.certificates
    if at.held(at.turn) >= most_certificates:
        raise_foul(
            "BA-B08",
            f"{at.turn} has {at.held(at.turn)} certificates; {most_certificates} is the limit, exchanges are allowed",
        )


def _refuse_sold_before(at: Position, holding: str) -> None:
    if holding in at.sold[at.turn]:
        raise_foul("BA-B06", f"{at.turn} buys stock of {holding}, and sold some in this stock round")


def _refuse_over_limit(at: Position) -> None:
    """Raise if a player over the limit of certificates goes on while a sale is possible (BA-D06)."""
    seat, most_certificates = at.turn, at.game.rules.limits.certificates
    if at.held(seat) <= most_certificates:
        return
    for ident, holder in at.holder.items():
        holding, share = at.certificate(ident)
        has_room = (
            holding not in at.operates or at.stock(BANK, holding) + share.percent <= at.game.rules.limits.bank_stock
        )
        if holder == seat and has_room and (not share.director or at.pays_for_chair(other_seat(seat), holding)):
            raise_foul(
                "BA-D06",
                f"{seat} has {at.held(seat)} certificates, {most_certificates} is the limit; sell first, "
                f"such as {ident}",
            )


def _holder_text(at: Position, ident: str) -> str:
    holder = at.holder[ident]
    return "the bank" if holder == BANK else holder
