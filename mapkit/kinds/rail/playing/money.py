"""Money of a turn: payoffs, purchases, gifts, sales, auctions, bankruptcy (RB-P, RB-A, RB-T)."""

from mapkit.core.arrays import Floats
from mapkit.kinds.rail.playing import events
from mapkit.kinds.rail.playing.buying import (
    BUYS_EXPRESS,
    GROUPS,
    NOTHING,
    choose_purchase,
    choose_sale,
    engine_price,
    highest_bid,
    is_in_open_group,
    item_price,
    offered_item,
)
from mapkit.kinds.rail.playing.compiled import compiled
from mapkit.kinds.rail.playing.fees import hand_over, hand_over_auctioned, pay_fees, total_debt, update_raised_fee
from mapkit.kinds.rail.playing.policies import SALE_TO_BANK
from mapkit.kinds.rail.playing.state import (
    ASKED,
    BANK,
    BANKRUPT,
    BID,
    BOUGHT,
    GIFTS,
    GIVEN,
    NONE,
    OF_BANK,
    PAYOFFS,
    PURCHASE,
    PURCHASES,
    SALE,
    SETTING_UP,
    TRIPS,
    WINNER,
    State,
    ask_player,
    record_event,
)
from mapkit.kinds.rail.playing.terms import EXPRESS, SUPERCHIEF, Terms
from mapkit.kinds.rail.playing.track import TrackArrays
from mapkit.kinds.rail.playing.wealth import announce_cash
from mapkit.playing.streams import below


@compiled
def pay_trip(track: TrackArrays, state: State, terms: Terms, player: int, city: int) -> None:
    """Pay the trip to a city, and end it there (RB-P01, RB-W22)."""
    payoff_amount = track.payoff[state.city[player], city]
    state.cash[player] += payoff_amount
    state.tally[player, PAYOFFS] += payoff_amount
    state.tally[player, TRIPS] += 1
    state.visits[city] += 1
    state.city[player] = city
    state.goal[player] = NONE
    state.fallback[player] = 0
    record_event(state, events.ARRIVES, player, city, payoff_amount, 0)
    announce_cash(track, state, terms, player)


@compiled
def buy_after_payoff(track: TrackArrays, state: State, terms: Terms, player: int, minds: Floats) -> None:
    """Let a player buy as often as one payoff allows (RB-P03, RB-P08, RB-P09)."""
    for _ in range(terms.purchases):
        chosen_item = choose_purchase(track, state, terms, player, minds[player])
        if state.asks[player]:
            _list_offers(track, state, terms, player, minds[player])
            chosen_item = ask_player(state, player, PURCHASE, NONE, chosen_item)
        if chosen_item == NOTHING:
            return
        if chosen_item < NOTHING:
            engine = EXPRESS if chosen_item == BUYS_EXPRESS else SUPERCHIEF
            price_paid = engine_price(state, terms, player, engine)
            state.cash[player] -= price_paid
            state.titles[engine] -= 1
            if state.engine[player] == EXPRESS and engine == SUPERCHIEF and (terms.trade_in or terms.free_upgrade):
                state.titles[EXPRESS] += 1
            state.engine[player] = engine
            if state.first_item[player] == NONE:
                state.first_item[player] = len(track.price) + engine
            state.tally[player, BOUGHT] += 1
            record_event(state, events.ENGINE, player, engine, price_paid, 0)
        elif chosen_item >= GROUPS:
            group = chosen_item - GROUPS
            price_due = terms.group_price[group]
            state.cash[player] -= price_due
            for railroad in range(len(track.price)):
                if is_in_open_group(state, terms, group, railroad):
                    record_event(state, events.BUYS, player, railroad, price_due, group)
                    price_due = 0
                    _take_railroad(track, state, terms, player, railroad)
            _count_purchase(track, state, terms, 1)
        else:
            state.cash[player] -= track.price[chosen_item]
            record_event(state, events.BUYS, player, chosen_item, track.price[chosen_item], NONE)
            _take_railroad(track, state, terms, player, chosen_item)
            _count_purchase(track, state, terms, 1)


@compiled
def _list_offers(track: TrackArrays, state: State, terms: Terms, player: int, weights: Floats) -> None:
    """Record what the bank sells to a player, if his answer is the next that is lacking."""
    if state.question[ASKED] == state.question[GIVEN]:
        for place in range(len(state.offers)):
            state.offers[place] = item_price(track, state, terms, player, offered_item(track, place), weights)


@compiled
def _take_railroad(track: TrackArrays, state: State, terms: Terms, player: int, railroad: int) -> None:
    state.bought[railroad] = 1
    if state.first_owner[railroad] == NONE:
        state.first_owner[railroad] = player
    if state.first_item[player] == NONE:
        state.first_item[player] = railroad
    state.tally[player, BOUGHT] += 1
    if state.favoured[railroad] == player:
        state.cash[player] += terms.rebate
    hand_over(track, state, terms, railroad, player)


@compiled
def _count_purchase(track: TrackArrays, state: State, terms: Terms, change: int) -> None:
    """Count purchases and sell-backs, and give the third owner railroads that are due (RB-T02 to RB-T05)."""
    state.game[PURCHASES] += change
    if terms.third_owner == 0:
        return
    purchases_made = state.game[PURCHASES]
    gifts_due = 0 if purchases_made < terms.first_gift else 1 + (purchases_made - terms.first_gift) // terms.gift_every
    while state.game[GIFTS] < gifts_due:
        state.game[GIFTS] += 1
        unowned_count = 0
        for railroad in range(len(track.price)):
            unowned_count += state.owner[railroad] == BANK and terms.for_sale[railroad] != 0
        if unowned_count == 0:
            return
        drawn = below(state.streams, OF_BANK, unowned_count)
        for railroad in range(len(track.price)):
            if state.owner[railroad] == BANK and terms.for_sale[railroad]:
                if drawn == 0:
                    state.bought[railroad] = 1
                    record_event(state, events.GIVEN, terms.players, railroad, 0, 0)
                    hand_over(track, state, terms, railroad, terms.players)
                    break
                drawn -= 1


@compiled
def settle_fees(track: TrackArrays, state: State, terms: Terms, player: int, minds: Floats) -> None:
    """Pay the turn's fees, after necessary sales, or leave the game (RB-F01, RB-A01, RB-A12, RB-A15)."""
    while state.cash[player] < total_debt(state, terms):
        railroad = choose_sale(track, state, terms, player, minds[player])
        if railroad != NONE:
            railroad = ask_player(state, player, SALE, NONE, railroad)
            if minds[player, SALE_TO_BANK] > 0 or not _auction_railroad(track, state, terms, player, railroad, minds):
                _sell_back(track, state, terms, player, railroad)
        elif terms.engines_sold and state.engine[player] > terms.engine:
            engine = state.engine[player]
            engine_value = terms.express_price if engine == EXPRESS else terms.superchief_price
            sale_amount = engine_value * terms.sell_back_percent // 100
            state.cash[player] += sale_amount
            state.titles[engine] += 1
            state.engine[player] = terms.engine
            record_event(state, events.SELLS_ENGINE, player, engine, sale_amount, 0)
        else:
            _go_bankrupt(state, terms, player)
            return
    pay_fees(track, state, terms, player)


@compiled
def _sell_back(track: TrackArrays, state: State, terms: Terms, player: int, railroad: int) -> None:
    """Sell a railroad back to the bank, where it is for sale again (RB-A03, RB-A04, RB-T05)."""
    sale_amount = track.price[railroad] * terms.sell_back_percent // 100
    state.cash[player] += sale_amount
    record_event(state, events.SELLS_BACK, player, railroad, sale_amount, 0)
    hand_over(track, state, terms, railroad, BANK)
    _count_purchase(track, state, terms, -1)


@compiled
def lowest_next_bid(terms: Terms, high: int, opening: int) -> int:
    """Return the lowest bid that may follow a bid, 0 for none (RB-A05, RB-A06)."""
    if high == 0:
        lowest_bid = opening
    elif terms.multiples:
        lowest_bid = high + 1
    else:
        return high + terms.bid_step
    if terms.multiples:
        lowest_bid = -(-lowest_bid // terms.bid_step) * terms.bid_step
    return int(lowest_bid)


@compiled
def run_auction(
    track: TrackArrays, state: State, terms: Terms, seller: int, railroad: int, first: int, minds: Floats
) -> tuple[int, int]:
    """Let all but the seller bid in turn; return the buyer and the bid, NONE and 0 without bids (RB-A07, RB-A08).

    Args:
        track: The board.
        state: The match.
        terms: The rules.
        seller: Who sells, or NONE for the bank.
        railroad: What is sold.
        first: Who may bid first.
        minds: Weights of all players.
    """
    opening_bid = track.price[railroad] * terms.opening_percent // 100
    highest, buyer, pass_count, player = 0, NONE, 0, first
    bidders_out = 0
    while pass_count < terms.players:
        may_bid = player not in (seller, buyer) and state.playing[player] and not (bidders_out >> player) & 1
        lowest_bid = max(1, lowest_next_bid(terms, highest, opening_bid))
        does_bid = False
        if may_bid and lowest_bid <= state.cash[player]:
            own_choice = lowest_bid <= highest_bid(track, state, terms, player, railroad, minds[player])
            does_bid = ask_player(state, player, BID, railroad, int(own_choice)) != 0
        if does_bid:
            highest, buyer, pass_count = lowest_bid, player, 0
            record_event(state, events.BIDS, player, railroad, lowest_bid, 0)
        else:
            if may_bid:
                record_event(state, events.PASSES, player, railroad, 0, 0)
                if terms.may_return == 0:
                    bidders_out |= 1 << player
            pass_count += 1
        player = (player + 1) % terms.players
    return buyer, highest


@compiled
def _auction_railroad(
    track: TrackArrays, state: State, terms: Terms, seller: int, railroad: int, minds: Floats
) -> bool:
    """Auction a player's railroad, and return whether it was sold (RB-A05 to RB-A11)."""
    buyer, amount = run_auction(track, state, terms, seller, railroad, (seller + 1) % terms.players, minds)
    if buyer == NONE:
        record_event(state, events.NO_BID, seller, railroad, 0, 0)
        return False
    state.cash[buyer] -= amount
    state.cash[seller] += amount
    record_event(state, events.AUCTIONED, seller, railroad, amount, buyer)
    hand_over_auctioned(track, state, terms, seller, railroad, buyer)
    return True


@compiled
def run_opening_auctions(track: TrackArrays, state: State, terms: Terms, first: int, minds: Floats) -> None:
    """Auction a random railroad for each player; one without a bid returns to the bank in the end (RB-V13)."""
    is_auctioned = state.own_due  # of no turn yet
    for _ in range(terms.players):
        auctions_left = 0
        for railroad in range(len(track.price)):
            auctions_left += terms.for_sale[railroad] != 0 and is_auctioned[railroad] == 0
        if auctions_left == 0:
            break
        drawn = below(state.streams, SETTING_UP, auctions_left)
        for railroad in range(len(track.price)):
            if terms.for_sale[railroad] == 0 or is_auctioned[railroad]:
                continue
            if drawn == 0:
                is_auctioned[railroad] = 1
                buyer, amount = run_auction(track, state, terms, NONE, railroad, first, minds)
                if buyer == NONE:
                    record_event(state, events.NO_BID, NONE, railroad, 0, 0)
                else:
                    state.cash[buyer] -= amount
                    record_event(state, events.AUCTIONED, NONE, railroad, amount, buyer)
                    _take_railroad(track, state, terms, buyer, railroad)
                break
            drawn -= 1
    is_auctioned[:] = 0
    update_raised_fee(track, state, terms)


@compiled
def _go_bankrupt(state: State, terms: Terms, player: int) -> None:
    """Leave the game at once; the last player left wins (RB-A15 to RB-A17)."""
    record_event(state, events.BANKRUPT, player, state.cash[player], 0, 0)
    if terms.cash_kept == 0:
        state.cash[player] = 0
    state.playing[player] = 0
    state.declared[player] = 0
    state.goal[player] = NONE
    state.tally[player, BANKRUPT] += 1
    players_left, last_player = 0, NONE
    for p in range(terms.players):
        if state.playing[p]:
            players_left += 1
            last_player = p
    if players_left == 1:
        state.game[WINNER] = last_player
