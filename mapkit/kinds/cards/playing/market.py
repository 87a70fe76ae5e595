"""Shares: selling, buying, exchanging, and who directs a holding (BA-L, BA-B, BA-D)."""

from functools import cache
from itertools import combinations

from mapkit.kinds.cards.playing.state import BANK, GameState
from mapkit.kinds.cards.playing.terms import CardTerms

_PARTS = 10
"""A share value is the price of 10 per cent (BA-M03)."""


def price(terms: CardTerms, state: GameState, certificate: int) -> int:
    """Return what a certificate costs, or brings, now (BA-B03, BA-L01)."""
    share = terms.shares[certificate]
    return terms.values[state.line[share.holding]] * share.percent // _PARTS


def selling_price(terms: CardTerms, state: GameState, certificate: int) -> int:
    """Return what a certificate brings: within a turn always the value at its first sale of the holding (BA-L06)."""
    share = terms.shares[certificate]
    line = state.sold_at.get(share.holding, state.line[share.holding])
    return terms.values[line] * share.percent // _PARTS


def in_bank(state: GameState, holding: int) -> int:
    """Return how many per cent of a holding the bank has."""
    return 100 - state.share[0][holding] - state.share[1][holding]


def room_in_bank(terms: CardTerms, state: GameState, holding: int, percent: int) -> bool:
    """Return whether the bank may take stock of a holding (BA-M05)."""
    return not state.floated[holding] or in_bank(state, holding) + percent <= terms.game.rules.limits.bank_stock


def may_sell(terms: CardTerms, state: GameState, player: int, certificate: int) -> bool:
    """Return whether a player may sell a certificate: the Director's only if the other player can take it (BA-L04)."""
    share = terms.shares[certificate]
    if state.owner[certificate] != player or not room_in_bank(terms, state, share.holding, share.percent):
        return False
    return not share.director or bool(_given_for_chair(terms, state, 1 - player, share.holding))


def sell(terms: CardTerms, state: GameState, player: int, certificate: int) -> None:
    """Sell a certificate to the bank."""
    share = terms.shares[certificate]
    _lowered(terms, state, player, share.holding, selling_price(terms, state, certificate))
    if share.director:
        other = 1 - player
        for one in _given_for_chair(terms, state, other, share.holding):
            state.owner[one] = BANK
        state.owner[certificate] = other
    else:
        state.owner[certificate] = BANK
    state.share[player][share.holding] -= share.percent
    _directed(terms, state, share.holding)


def may_swap_down(terms: CardTerms, state: GameState, player: int, mine: int, other: int) -> bool:
    """Return whether a player may exchange a certificate for a smaller one of the bank (BA-L02)."""
    one, two = terms.shares[mine], terms.shares[other]
    return (
        state.owner[mine] == player
        and state.owner[other] == BANK
        and one.holding == two.holding
        and not one.director
        and not two.director
        and two.percent < one.percent
        and room_in_bank(terms, state, one.holding, one.percent - two.percent)
    )


def swap_down(terms: CardTerms, state: GameState, player: int, mine: int, other: int) -> None:
    """Exchange a certificate for a smaller one; it counts as a sale."""
    holding = terms.shares[mine].holding
    gained = selling_price(terms, state, mine) - selling_price(terms, state, other)
    _lowered(terms, state, player, holding, gained)
    state.owner[mine], state.owner[other] = BANK, player
    state.share[player][holding] -= terms.shares[mine].percent - terms.shares[other].percent
    _directed(terms, state, holding)


def _lowered(terms: CardTerms, state: GameState, player: int, holding: int, gained: int) -> None:
    """Pay for a sale; a Director's first sale of a holding in a turn lowers its value, whatever the amount (BA-L06)."""
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
    _paid(state, player, price(terms, state, certificate))
    state.owner[certificate] = player
    state.share[player][share.holding] += share.percent
    _bought(terms, state, player, share.holding)


def starting_lines(terms: CardTerms, state: GameState, player: int, holding: int) -> list[int]:
    """Return the lines on which a player may start a holding, none if that is not allowed (BA-B02, BA-B09, BA-B10)."""
    if (
        state.line[holding] >= 0
        or state.sold[player] >> holding & 1
        or state.owner[terms.chair[holding]] != BANK
        or state.owner.count(player) >= terms.game.rules.limits.certificates
    ):
        return []
    cash, percent = state.cash[player], terms.chair_percent[holding]
    return [line for line in terms.starts if cash >= terms.values[line] * percent // _PARTS]


def start(terms: CardTerms, state: GameState, player: int, holding: int, line: int) -> None:
    """Start a holding: buy its Director's certificate at a value of one's choice."""
    state.line[holding] = state.opened[holding] = line
    buy(terms, state, player, terms.chair[holding])


def may_swap_up(terms: CardTerms, state: GameState, player: int, mine: int, other: int) -> bool:
    """Return whether a player may exchange a certificate for a larger one if he can pay (BA-B04, BA-B08)."""
    one, two = terms.shares[mine], terms.shares[other]
    holding = one.holding
    return (
        state.owner[mine] == player
        and state.owner[other] == BANK
        and holding == two.holding
        and not one.director
        and not two.director
        and two.percent > one.percent
        and not state.sold[player] >> holding & 1
        and state.share[player][holding] + two.percent - one.percent <= terms.game.rules.limits.player_stock
    )


def swap_up(terms: CardTerms, state: GameState, player: int, mine: int, other: int) -> None:
    """Exchange a certificate for a larger one; it counts as a purchase."""
    holding = terms.shares[mine].holding
    _paid(state, player, price(terms, state, other) - price(terms, state, mine))
    state.owner[mine], state.owner[other] = BANK, player
    state.share[player][holding] += terms.shares[other].percent - terms.shares[mine].percent
    _bought(terms, state, player, holding)


def _paid(state: GameState, player: int, amount: int) -> None:
    state.cash[player] -= amount
    state.bank += amount


def _bought(terms: CardTerms, state: GameState, player: int, holding: int) -> None:
    """Settle a purchase: who directs the holding, and its capital once enough is sold (BA-B12, BA-B13, D47)."""
    state.last = player
    _directed(terms, state, holding)
    market = terms.game.rules.market
    if not state.floated[holding] and 100 - in_bank(state, holding) >= market.sold_to_operate:
        state.floated[holding] = True
        initial = terms.game.rules.disputes.capital == "initial"
        capital = market.capital * terms.values[state.opened[holding] if initial else state.line[holding]]
        state.till[holding] += capital
        state.bank -= capital


def appoint(terms: CardTerms, state: GameState, player: int, holding: int, line: int) -> None:
    """Give a player the Director's certificate of a holding that begins on a line (BA-C30)."""
    state.line[holding] = state.opened[holding] = line
    state.owner[terms.chair[holding]] = player
    state.share[player][holding] = terms.chair_percent[holding]
    state.boss[holding] = player


def _directed(terms: CardTerms, state: GameState, holding: int) -> None:
    """Make whoever has most stock Director (BA-D01 to BA-D04); on equal stock nothing changes.

    The certificate follows as soon as the new Director can give as much for it, so it may wait (BA-D05).
    """
    boss = state.boss[holding]
    if boss == BANK:
        boss = state.owner[terms.chair[holding]]
    elif state.share[1 - boss][holding] > state.share[boss][holding]:
        boss = 1 - boss
    state.boss[holding] = boss
    chair = terms.chair[holding]
    if boss != BANK and state.owner[chair] == 1 - boss:
        given = _given_for_chair(terms, state, boss, holding)
        if given:
            for one in given:
                state.owner[one] = 1 - boss
            state.owner[chair] = boss


def _given_for_chair(terms: CardTerms, state: GameState, player: int, holding: int) -> tuple[int, ...]:
    """Return certificates of a player that are together worth the Director's; none if there are none."""
    own = tuple(at for at in terms.of_holding[holding] if state.owner[at] == player and not terms.shares[at].director)
    return _worth(tuple((at, terms.shares[at].percent) for at in own), terms.chair_percent[holding])


@cache
def _worth(own: tuple[tuple[int, int], ...], percent: int) -> tuple[int, ...]:
    for count in range(1, len(own) + 1):
        for some in combinations(own, count):
            if sum(part for _, part in some) == percent:
                return tuple(at for at, _ in some)
    return ()
