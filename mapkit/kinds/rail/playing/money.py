"""Money of a turn: payoffs, purchases, gifts, sales, auctions, bankruptcy (RB-P, RB-A, RB-T)."""

from mapkit.kinds.rail.playing import events
from mapkit.kinds.rail.playing.buying import (
    BUYS_EXPRESS,
    GROUPS,
    NOTHING,
    choose_purchase,
    choose_sale,
    engine_price,
    highest_bid,
    in_open_group,
)
from mapkit.kinds.rail.playing.compiled import compiled
from mapkit.kinds.rail.playing.fees import hand_over, hand_over_auctioned, owed, pay_fees, set_raised
from mapkit.kinds.rail.playing.policies import SALE_TO_BANK
from mapkit.kinds.rail.playing.state import (
    BANK,
    BANKRUPT,
    BOUGHT,
    GIFTS,
    NONE,
    OF_BANK,
    PAYOFFS,
    PURCHASES,
    SETTING_UP,
    TRIPS,
    WINNER,
    State,
    tell,
)
from mapkit.kinds.rail.playing.terms import EXPRESS, SUPERCHIEF, Terms
from mapkit.kinds.rail.playing.track import Floats, TrackArrays
from mapkit.kinds.rail.playing.wealth import announce
from mapkit.playing.streams import below


@compiled
def pay_off(track: TrackArrays, state: State, terms: Terms, player: int, city: int) -> None:
    """Pay a trip, and let it end at a city (RB-P01, RB-W22)."""
    amount = track.payoff[state.city[player], city]
    state.cash[player] += amount
    state.tally[player, PAYOFFS] += amount
    state.tally[player, TRIPS] += 1
    state.visits[city] += 1
    state.city[player] = city
    state.goal[player] = NONE
    state.fallback[player] = 0
    tell(state, events.ARRIVES, player, city, amount, 0)
    announce(track, state, terms, player)


@compiled
def buy(track: TrackArrays, state: State, terms: Terms, player: int, minds: Floats) -> None:
    """Let a player buy as often as one payoff allows (RB-P03, RB-P08, RB-P09)."""
    for _ in range(terms.purchases):
        chosen = choose_purchase(track, state, terms, player, minds[player])
        if chosen == NOTHING:
            return
        if chosen < NOTHING:
            _buy_engine(state, terms, player, EXPRESS if chosen == BUYS_EXPRESS else SUPERCHIEF)
        elif chosen >= GROUPS:
            _buy_group(track, state, terms, player, chosen - GROUPS)
        else:
            state.cash[player] -= track.price[chosen]
            tell(state, events.BUYS, player, chosen, track.price[chosen], NONE)
            _take(track, state, terms, player, chosen)
            _count_purchase(track, state, terms, 1)


@compiled
def _buy_engine(state: State, terms: Terms, player: int, engine: int) -> None:
    price = engine_price(state, terms, player, engine)
    state.cash[player] -= price
    state.titles[engine] -= 1
    if state.engine[player] == EXPRESS and engine == SUPERCHIEF and (terms.trade_in or terms.free_upgrade):
        state.titles[EXPRESS] += 1
    state.engine[player] = engine
    state.tally[player, BOUGHT] += 1
    tell(state, events.ENGINE, player, engine, price, 0)


@compiled
def _buy_group(track: TrackArrays, state: State, terms: Terms, player: int, group: int) -> None:
    """Buy what the bank holds of a group for its fixed price, as one purchase (RB-V01)."""
    price = terms.group_price[group]
    state.cash[player] -= price
    for railroad in range(len(track.price)):
        if in_open_group(state, terms, group, railroad):
            tell(state, events.BUYS, player, railroad, price, group)
            price = 0
            _take(track, state, terms, player, railroad)
    _count_purchase(track, state, terms, 1)


@compiled
def _take(track: TrackArrays, state: State, terms: Terms, player: int, railroad: int) -> None:
    state.bought[railroad] = 1
    if state.first_owner[railroad] == NONE:
        state.first_owner[railroad] = player
    state.tally[player, BOUGHT] += 1
    if state.favoured[railroad] == player:
        state.cash[player] += terms.rebate
    hand_over(track, state, terms, railroad, player)


@compiled
def _count_purchase(track: TrackArrays, state: State, terms: Terms, change: int) -> None:
    """Count purchases and sell-backs, and give the third owner what is due then (RB-T02 to RB-T05)."""
    state.game[PURCHASES] += change
    if terms.third_owner == 0:
        return
    made = state.game[PURCHASES]
    due = 0 if made < terms.first_gift else 1 + (made - terms.first_gift) // terms.gift_every
    while state.game[GIFTS] < due:
        state.game[GIFTS] += 1
        unowned = 0
        for railroad in range(len(track.price)):
            unowned += state.owner[railroad] == BANK and terms.for_sale[railroad] != 0
        if unowned == 0:
            return
        drawn = below(state.streams, OF_BANK, unowned)
        for railroad in range(len(track.price)):
            if state.owner[railroad] == BANK and terms.for_sale[railroad]:
                if drawn == 0:
                    state.bought[railroad] = 1
                    tell(state, events.GIVEN, terms.players, railroad, 0, 0)
                    hand_over(track, state, terms, railroad, terms.players)
                    break
                drawn -= 1


@compiled
def settle(track: TrackArrays, state: State, terms: Terms, player: int, minds: Floats) -> None:
    """Pay the turn's fees, and sell what must be sold for them, or leave the game (RB-F01, RB-A01, RB-A12, RB-A15)."""
    while state.cash[player] < owed(state, terms):
        railroad = choose_sale(track, state, terms, player, minds[player])
        if railroad != NONE:
            if minds[player, SALE_TO_BANK] > 0 or not _auction(track, state, terms, player, railroad, minds):
                _sell_back(track, state, terms, player, railroad)
        elif terms.engines_sold and state.engine[player] > terms.engine:
            _sell_engine(state, terms, player)
        else:
            _go_bankrupt(state, terms, player)
            return
    pay_fees(track, state, terms, player)


@compiled
def _sell_back(track: TrackArrays, state: State, terms: Terms, player: int, railroad: int) -> None:
    """Sell a railroad to the bank, from which it can be bought again (RB-A03, RB-A04, RB-T05)."""
    amount = track.price[railroad] * terms.sell_back_percent // 100
    state.cash[player] += amount
    tell(state, events.SELLS_BACK, player, railroad, amount, 0)
    hand_over(track, state, terms, railroad, BANK)
    _count_purchase(track, state, terms, -1)


@compiled
def _sell_engine(state: State, terms: Terms, player: int) -> None:
    """Sell an engine to the bank at the share of its price that a railroad brings (RB-A02)."""
    engine = state.engine[player]
    price = terms.express_price if engine == EXPRESS else terms.superchief_price
    amount = price * terms.sell_back_percent // 100
    state.cash[player] += amount
    state.titles[engine] += 1
    state.engine[player] = terms.engine
    tell(state, events.SELLS_ENGINE, player, engine, amount, 0)


@compiled
def least_bid(terms: Terms, high: int, opening: int) -> int:
    """Return the lowest bid that may follow a bid, 0 for none (RB-A05, RB-A06)."""
    if high == 0:
        least = opening
    elif terms.multiples:
        least = high + 1
    else:
        return high + terms.bid_step
    if terms.multiples:
        least = -(-least // terms.bid_step) * terms.bid_step
    return int(least)


@compiled
def bid_for(
    track: TrackArrays, state: State, terms: Terms, seller: int, railroad: int, first: int, minds: Floats
) -> tuple[int, int]:
    """Let all but the seller bid in turn, and return who bid most, and what; NONE and 0 if nobody did (RB-A07, RB-A08).

    Args:
        track: The board.
        state: The match.
        terms: The rules.
        seller: Who sells, or NONE for the bank.
        railroad: What is sold.
        first: Who may bid first.
        minds: Weights of all players.
    """
    opening = track.price[railroad] * terms.opening_percent // 100
    high, buyer, passes, player = 0, NONE, 0, first
    out = 0
    while passes < terms.players:
        may = player not in (seller, buyer) and state.playing[player] and not (out >> player) & 1
        least = max(1, least_bid(terms, high, opening))
        if may and least <= highest_bid(track, state, terms, player, railroad, minds[player]):
            high, buyer, passes = least, player, 0
            tell(state, events.BIDS, player, railroad, least, 0)
        else:
            if may:
                tell(state, events.PASSES, player, railroad, 0, 0)
                if terms.may_return == 0:
                    out |= 1 << player
            passes += 1
        player = (player + 1) % terms.players
    return buyer, high


@compiled
def _auction(track: TrackArrays, state: State, terms: Terms, seller: int, railroad: int, minds: Floats) -> bool:
    """Auction a player's railroad, and return whether somebody bought it (RB-A05 to RB-A11)."""
    buyer, amount = bid_for(track, state, terms, seller, railroad, (seller + 1) % terms.players, minds)
    if buyer == NONE:
        tell(state, events.NO_BID, seller, railroad, 0, 0)
        return False
    state.cash[buyer] -= amount
    state.cash[seller] += amount
    tell(state, events.AUCTIONED, seller, railroad, amount, buyer)
    hand_over_auctioned(track, state, terms, seller, railroad, buyer)
    return True


@compiled
def open_auctions(track: TrackArrays, state: State, terms: Terms, first: int, minds: Floats) -> None:
    """Auction a random railroad for each player; one without a bid goes back to the bank after all (RB-V13)."""
    gone = state.own_due  # of no turn yet
    for _ in range(terms.players):
        left = 0
        for railroad in range(len(track.price)):
            left += terms.for_sale[railroad] != 0 and gone[railroad] == 0
        if left == 0:
            break
        drawn = below(state.streams, SETTING_UP, left)
        for railroad in range(len(track.price)):
            if terms.for_sale[railroad] == 0 or gone[railroad]:
                continue
            if drawn == 0:
                gone[railroad] = 1
                buyer, amount = bid_for(track, state, terms, NONE, railroad, first, minds)
                if buyer == NONE:
                    tell(state, events.NO_BID, NONE, railroad, 0, 0)
                else:
                    state.cash[buyer] -= amount
                    tell(state, events.AUCTIONED, NONE, railroad, amount, buyer)
                    _take(track, state, terms, buyer, railroad)
                break
            drawn -= 1
    gone[:] = 0
    set_raised(track, state, terms)


@compiled
def _go_bankrupt(state: State, terms: Terms, player: int) -> None:
    """Leave the game at once; the last player left wins (RB-A15 to RB-A17)."""
    tell(state, events.BANKRUPT, player, state.cash[player], 0, 0)
    if terms.cash_kept == 0:
        state.cash[player] = 0
    state.playing[player] = 0
    state.declared[player] = 0
    state.goal[player] = NONE
    state.tally[player, BANKRUPT] += 1
    left, last = 0, NONE
    for p in range(terms.players):
        if state.playing[p]:
            left += 1
            last = p
    if left == 1:
        state.game[WINNER] = last
