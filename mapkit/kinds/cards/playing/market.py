"""Shares: selling, buying, exchanging, and the Director of a holding (BA-L, BA-B, BA-D)."""

from functools import cache
from itertools import combinations

from mapkit.kinds.cards.playing.state import BANK, GameState
from mapkit.kinds.cards.playing.terms import CardTerms

_SHARES_A_HOLDING = 10
"""A share value is the price of 10 per cent (BA-M03)."""


def certificate_price(terms: CardTerms, state: GameState, certificate: int) -> int:
    """Return the present price of a certificate (BA-B03, BA-L01)."""
    share = terms.shares[certificate]
    return terms.values[state.line[share.holding]] * share.percent // _SHARES_A_HOLDING


def selling_price(terms: CardTerms, state: GameState, certificate: int) -> int:
    """Return the proceeds of a certificate: its holding's value at the first sale of the turn (BA-L06)."""
    share = terms.shares[certificate]
    value_line = state.sold_at.get(share.holding, state.line[share.holding])
    return terms.values[value_line] * share.percent // _SHARES_A_HOLDING


def bank_percent(state: GameState, holding: int) -> int:
    """Return the per cent of a holding in the bank."""
    return 100 - state.share[0][holding] - state.share[1][holding]


def has_bank_room(terms: CardTerms, state: GameState, holding: int, percent: int) -> bool:
    """Return whether the bank may take stock of a holding (BA-M05)."""
    return not state.floated[holding] or bank_percent(state, holding) + percent <= terms.game.rules.limits.bank_stock


def may_sell(terms: CardTerms, state: GameState, player: int, certificate: int) -> bool:
    """Return whether a player may sell a certificate: the Director's only if the other player can take it (BA-L04)."""
    share = terms.shares[certificate]
    if state.owner[certificate] != player or not has_bank_room(terms, state, share.holding, share.percent):
        return False
    return not share.director or bool(_certificates_for_chair(terms, state, 1 - player, share.holding))


def sell(terms: CardTerms, state: GameState, player: int, certificate: int) -> None:
    """Sell a certificate to the bank."""
    share = terms.shares[certificate]
    _settle_sale(terms, state, player, share.holding, selling_price(terms, state, certificate))
    if share.director:
        other_player = 1 - player
        for given_certificate in _certificates_for_chair(terms, state, other_player, share.holding):
            state.owner[given_certificate] = BANK
        state.owner[certificate] = other_player
    else:
        state.owner[certificate] = BANK
    state.share[player][share.holding] -= share.percent
    _update_director(terms, state, share.holding)


def may_swap_down(terms: CardTerms, state: GameState, player: int, mine: int, other: int) -> bool:
    """Return whether a player may exchange a certificate for a smaller one of the bank (BA-L02)."""
    own_share, bank_share = terms.shares[mine], terms.shares[other]
    return (
        state.owner[mine] == player
        and state.owner[other] == BANK
        and own_share.holding == bank_share.holding
        and not own_share.director
        and not bank_share.director
        and bank_share.percent < own_share.percent
        and has_bank_room(terms, state, own_share.holding, own_share.percent - bank_share.percent)
    )


def swap_down(terms: CardTerms, state: GameState, player: int, mine: int, other: int) -> None:
    """Exchange a certificate for a smaller one; it counts as a sale."""
    holding = terms.shares[mine].holding
    cash_gained = selling_price(terms, state, mine) - selling_price(terms, state, other)
    _settle_sale(terms, state, player, holding, cash_gained)
    state.owner[mine], state.owner[other] = BANK, player
    state.share[player][holding] -= terms.shares[mine].percent - terms.shares[other].percent
    _update_director(terms, state, holding)


def _settle_sale(terms: CardTerms, state: GameState, player: int, holding: int, gained: int) -> None:
    """Pay for a sale; the Director's first sale of a holding in a turn lowers its value (BA-L06)."""
    state.cash[player] += gained
    state.bank -= gained
    if holding not in state.sold_at:
        state.sold_at[holding] = state.line[holding]
        if state.boss[holding] == player:
            state.line[holding] = max(0, state.line[holding] - terms.game.rules.market.seller_down)
    state.sold[player] |= 1 << holding
    state.last = player


def may_buy(terms: CardTerms, state: GameState, player: int, certificate: int) -> bool:
    """Return whether a player may buy a certificate of a started holding if he can pay (BA-B01 to BA-B08)."""
    share = terms.shares[certificate]
    holding = share.holding
    limits = terms.game.rules.limits
    return (
        state.owner[certificate] == BANK
        and state.line[holding] >= 0
        and not state.sold[player] >> holding & 1
        and state.owner.count(player) < limits.certificates
        and state.share[player][holding] + share.percent <= limits.player_stock
    )


def buy(terms: CardTerms, state: GameState, player: int, certificate: int) -> None:
    """Buy a certificate from the bank."""
    share = terms.shares[certificate]
    _pay_bank(state, player, certificate_price(terms, state, certificate))
    state.owner[certificate] = player
    state.share[player][share.holding] += share.percent
    _settle_purchase(terms, state, player, share.holding)


def starting_lines(terms: CardTerms, state: GameState, player: int, holding: int) -> list[int]:
    """Return the lines where a player may start a holding, none if not allowed (BA-B02, BA-B09, BA-B10)."""
    if (
        state.line[holding] >= 0
        or state.sold[player] >> holding & 1
        or state.owner[terms.chair[holding]] != BANK
        or state.owner.count(player) >= terms.game.rules.limits.certificates
    ):
        return []
    cash, percent = state.cash[player], terms.chair_percent[holding]
    return [line for line in terms.starts if cash >= terms.values[line] * percent // _SHARES_A_HOLDING]


def start(terms: CardTerms, state: GameState, player: int, holding: int, line: int) -> None:
    """Start a holding: buy its Director's certificate at a chosen value."""
    state.line[holding] = state.opened[holding] = line
    buy(terms, state, player, terms.chair[holding])


def may_swap_up(terms: CardTerms, state: GameState, player: int, mine: int, other: int) -> bool:
    """Return whether a player may exchange a certificate for a larger one if he can pay (BA-B04, BA-B08)."""
    own_share, bank_share = terms.shares[mine], terms.shares[other]
    holding = own_share.holding
    return (
        state.owner[mine] == player
        and state.owner[other] == BANK
        and holding == bank_share.holding
        and not own_share.director
        and not bank_share.director
        and bank_share.percent > own_share.percent
        and not state.sold[player] >> holding & 1
        and state.share[player][holding] + bank_share.percent - own_share.percent
        <= terms.game.rules.limits.player_stock
    )


def swap_up(terms: CardTerms, state: GameState, player: int, mine: int, other: int) -> None:
    """Exchange a certificate for a larger one; it counts as a purchase."""
    holding = terms.shares[mine].holding
    _pay_bank(state, player, certificate_price(terms, state, other) - certificate_price(terms, state, mine))
    state.owner[mine], state.owner[other] = BANK, player
    state.share[player][holding] += terms.shares[other].percent - terms.shares[mine].percent
    _settle_purchase(terms, state, player, holding)


def _pay_bank(state: GameState, player: int, amount: int) -> None:
    state.cash[player] -= amount
    state.bank += amount


def _settle_purchase(terms: CardTerms, state: GameState, player: int, holding: int) -> None:
    """Settle a purchase: the Director of the holding, and its capital once enough is sold (BA-B12, BA-B13, D47)."""
    state.last = player
    _update_director(terms, state, holding)
    market = terms.game.rules.market
    if not state.floated[holding] and 100 - bank_percent(state, holding) >= market.sold_to_operate:
        state.floated[holding] = True
        is_initial_capital = terms.game.rules.disputes.capital == "initial"
        capital = market.capital * terms.values[state.opened[holding] if is_initial_capital else state.line[holding]]
        state.till[holding] += capital
        state.bank -= capital


def appoint(terms: CardTerms, state: GameState, player: int, holding: int, line: int) -> None:
    """Give a player the Director's certificate of a holding that begins on a line (BA-C30)."""
    state.line[holding] = state.opened[holding] = line
    state.owner[terms.chair[holding]] = player
    state.share[player][holding] = terms.chair_percent[holding]
    state.boss[holding] = player


def _update_director(terms: CardTerms, state: GameState, holding: int) -> None:
    """Make the player with most stock Director (BA-D01 to BA-D04); equal stock changes nothing.

    The certificate follows as soon as the new Director can give as much for it, so it may wait (BA-D05).
    """
    director = state.boss[holding]
    if director == BANK:
        director = state.owner[terms.chair[holding]]
    elif state.share[1 - director][holding] > state.share[director][holding]:
        director = 1 - director
    state.boss[holding] = director
    chair_certificate = terms.chair[holding]
    if director != BANK and state.owner[chair_certificate] == 1 - director:
        given_certificates = _certificates_for_chair(terms, state, director, holding)
        if given_certificates:
            for given_certificate in given_certificates:
                state.owner[given_certificate] = 1 - director
            state.owner[chair_certificate] = director


def _certificates_for_chair(terms: CardTerms, state: GameState, player: int, holding: int) -> tuple[int, ...]:
    """Return certificates of a player that together equal the Director's; none if there are none."""
    own_certificates = tuple(
        certificate
        for certificate in terms.of_holding[holding]
        if state.owner[certificate] == player and not terms.shares[certificate].director
    )
    return _find_subset(
        tuple((certificate, terms.shares[certificate].percent) for certificate in own_certificates),
        terms.chair_percent[holding],
    )


@cache
def _find_subset(own: tuple[tuple[int, int], ...], percent: int) -> tuple[int, ...]:
    for count in range(1, len(own) + 1):
        for subset in combinations(own, count):
            if sum(part for _, part in subset) == percent:
                return tuple(at for at, _ in subset)
    return ()
