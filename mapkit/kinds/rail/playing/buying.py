"""Purchases, bids and sales of computer players, by their weights (RB-P03, RB-A)."""

from typing import NamedTuple

import numpy as np

from mapkit.core.arrays import Floats, Ints
from mapkit.kinds.rail.playing import policies as by
from mapkit.kinds.rail.playing.compiled import compiled
from mapkit.kinds.rail.playing.deciding import current_opponent_fee, draw_noise, earned_by_turn, mean_turn
from mapkit.kinds.rail.playing.fees import total_debt
from mapkit.kinds.rail.playing.state import BANK, NONE, OFFERS, State
from mapkit.kinds.rail.playing.terms import EXPRESS, FREIGHT, SUPERCHIEF, UNLIMITED, Terms
from mapkit.kinds.rail.playing.track import TrackArrays

# items: a railroad by its number, a group as GROUPS + its number, or an engine
NOTHING, BUYS_EXPRESS, BUYS_SUPERCHIEF = -1, -2, -3
GROUPS = 1_000_000


class Holdings(NamedTuple):
    """Service of cities by owner, and the figures common to all railroads."""

    by: Ints
    """P + 2 x C: number of railroads of each owner that serve a city; the bank is the last row."""
    all: Ints
    """C: number of railroads that serve it."""
    left: float
    """Share of the winning amount that the richest player lacks: gains count less late in the match."""
    opponents: int


@compiled
def compute_holdings(track: TrackArrays, state: State, terms: Terms, player: int) -> Holdings:
    """Return the service of each city by owner, from a player's point of view."""
    city_count = len(track.chance)
    owner_service, total_service = np.zeros((terms.players + 2, city_count), np.int64), np.zeros(city_count, np.int64)
    for railroad in range(len(track.price)):
        owner = state.owner[railroad]
        owner_row = terms.players + 1 if owner == BANK else owner
        for city in range(city_count):
            owner_service[owner_row, city] += track.served[railroad, city]
            total_service[city] += track.served[railroad, city]
    richest, opponents = 0, 0
    for p in range(terms.players):
        if state.playing[p]:
            richest = max(richest, state.cash[p])
            opponents += p != player
    winning_amount = terms.net_worth if terms.net_worth > 0 else terms.win_cash
    goal_share_left = max(0.0, 1.0 - richest / winning_amount) if winning_amount > 0 else 0.0
    return Holdings(owner_service, total_service, goal_share_left, opponents)


@compiled
def _reach_gained(track: TrackArrays, state: State, held: Holdings, player: int, railroad: int) -> tuple[float, float]:
    """Return the access and the monopoly that a railroad adds for a player, as chances."""
    access, monopoly = 0.0, 0.0
    own_count = 1 if state.owner[railroad] == player else 0
    for city in range(len(track.chance)):
        if track.served[railroad, city]:
            other_service = held.by[player, city] - own_count
            if other_service == 0:
                access += track.chance[city]
            if held.all[city] - 1 - other_service == 0:
                monopoly += track.chance[city]
    return access, monopoly


@compiled
def worth_of(
    track: TrackArrays, state: State, terms: Terms, held: Holdings, player: int, railroad: int, weights: Floats
) -> float:
    """Return the worth of a railroad to a player without its price, currency units."""
    access, monopoly = _reach_gained(track, state, held, player, railroad)
    is_connected, railroads_owned, opponents_coming, most_denied = 0, 0, 0, 0.0
    for other_railroad in range(len(track.price)):
        if state.owner[other_railroad] == player and other_railroad != railroad:
            railroads_owned += 1
            is_connected |= track.touches[railroad, other_railroad]
    for p in range(terms.players):
        if p == player or state.playing[p] == 0:
            continue
        if state.goal[p] != NONE:
            opponents_coming += track.served[railroad, state.goal[p]]
        if weights[by.BUY_DENY] != 0:
            most_denied = max(most_denied, _reach_gained(track, state, held, p, railroad)[0])
    trip_gains = weights[by.BUY_ACCESS] * access + weights[by.BUY_DENY] * most_denied
    income = weights[by.BUY_MONOPOLY] * monopoly + weights[by.BUY_TRAFFIC] * track.traffic[railroad] / 100
    trip_gains += income * held.opponents
    trip_gains += weights[by.BUY_CONNECTION] if is_connected or railroads_owned == 0 else 0.0
    return float(
        trip_gains * held.left * terms.raised_fee
        + weights[by.BUY_NEED] * opponents_coming * current_opponent_fee(state, terms)
    )


@compiled
def engine_price(state: State, terms: Terms, player: int, engine: int) -> int:
    """Return the price of an engine to a player (RB-P04 to RB-P07, RB-V08, RB-V11), or UNLIMITED."""
    current_engine = state.engine[player]
    if engine == FREIGHT or state.titles[engine] == 0 or engine < current_engine:
        return UNLIMITED
    if engine == current_engine and not (engine == SUPERCHIEF and terms.second_superchief):
        return UNLIMITED
    if engine == EXPRESS:
        return int(terms.express_price)
    if current_engine == EXPRESS:
        return 0 if terms.free_upgrade else int(terms.superchief_price - terms.trade_in)
    return int(terms.superchief_price)


@compiled
def is_group_open(state: State, terms: Terms, group: int) -> bool:
    """Return whether the bank holds a railroad of a group (RB-V01)."""
    is_held = False
    for railroad in range(len(state.owner)):
        is_held |= is_in_open_group(state, terms, group, railroad)
    return is_held


@compiled
def is_in_open_group(state: State, terms: Terms, group: int, railroad: int) -> bool:
    """Return whether a group purchase would include a railroad."""
    is_held = state.owner[railroad] == BANK and terms.for_sale[railroad] != 0
    return bool(is_held and terms.group_has[group, railroad] != 0)


@compiled
def is_sold_alone(state: State, terms: Terms, railroad: int) -> bool:
    """Return whether the bank sells a railroad by itself (RB-P10, RB-V01)."""
    if state.owner[railroad] != BANK or terms.for_sale[railroad] == 0:
        return False
    return bool(terms.singles or not terms.group_has[:, railroad].any())


@compiled
def compute_reserve(
    track: TrackArrays, state: State, terms: Terms, held: Holdings, player: int, weights: Floats
) -> float:
    """Return the cash that a player keeps for the expected fees of his next trip.

    Each turn costs the fee for bank-held or own railroads; coming to a city that only opponents serve costs theirs, and
    leaving it again. When the bank has few railroads left the fee after sell-out counts.
    """
    if weights[by.BUY_RESERVE] == 0:
        return 0.0
    railroads_left, locked_chance = 0, 0.0
    for railroad in range(len(track.price)):
        railroads_left += state.owner[railroad] == BANK and terms.for_sale[railroad] != 0
    for city in range(len(track.chance)):
        if held.by[player, city] == 0 and held.by[terms.players + 1, city] == 0:
            locked_chance += track.chance[city]
    opponent_fee = terms.raised_fee if railroads_left <= terms.players else current_opponent_fee(state, terms)
    mean_turns = track.mean_steps / mean_turn(terms, state.engine[player]) + 0.5
    return float(
        weights[by.BUY_RESERVE] * (mean_turns * max(terms.bank_fee, terms.own_fee) + 2 * locked_chance * opponent_fee)
    )


@compiled
def offered_item(track: TrackArrays, place: int) -> int:
    """Return the item at a place of `State.offers`."""
    number = BUYS_SUPERCHIEF + place
    return number if number < len(track.price) else GROUPS + number - len(track.price)


@compiled
def choose_purchase(track: TrackArrays, state: State, terms: Terms, player: int, weights: Floats) -> int:
    """Return the best purchase of a player (RB-P03), as a number of this module; NOTHING if none is worth its price.

    A player with a reserve also keeps the debt of the turn, which is paid before the next payoff (RB-P13). A patient
    player waits if an item that the next payoff could pay for scores that much more.
    """
    if weights[by.BUY_BUYS] <= 0:
        return NOTHING
    city_service = compute_holdings(track, state, terms, player)
    free_cash = state.cash[player] - compute_reserve(track, state, terms, city_service, player, weights)
    free_cash -= total_debt(state, terms) if weights[by.BUY_RESERVE] > 0 else 0
    cash_next_payoff = free_cash + track.mean_payoff if weights[by.BUY_PATIENCE] > 0 else free_cash
    best_score, best_item, best_later_score = 0.0, NOTHING, 0.0
    railroads, groups = len(track.price), len(terms.group_price)
    for place in range(OFFERS + railroads + groups):
        item = offered_item(track, place)
        price = item_price(track, state, terms, player, item, weights)
        if price > cash_next_payoff:
            continue
        gain = 0.0
        if item < NOTHING:
            engine = EXPRESS if item == BUYS_EXPRESS else SUPERCHIEF
            gain_by_turn = earned_by_turn(track, terms, engine) - earned_by_turn(track, terms, state.engine[player])
            gain = _turns_of_engine(engine, weights) * gain_by_turn * city_service.left
        elif item < GROUPS:
            gain = worth_of(track, state, terms, city_service, player, item, weights)
        else:
            for railroad in range(len(track.price)):
                if is_in_open_group(state, terms, item - GROUPS, railroad):
                    gain += worth_of(track, state, terms, city_service, player, railroad, weights)
        score = weights[by.BUY_PRICE] * price + float(gain + draw_noise(state, player, weights[by.BUY_NOISE]))
        if price > free_cash:
            best_later_score = max(best_later_score, score)
        elif score > best_score:
            best_score, best_item = score, item
    return NOTHING if weights[by.BUY_PATIENCE] * best_later_score > best_score else best_item


@compiled
def _turns_of_engine(engine: int, weights: Floats) -> float:
    return float(weights[by.BUY_EXPRESS] if engine == EXPRESS else weights[by.BUY_SUPERCHIEF])


@compiled
def item_price(track: TrackArrays, state: State, terms: Terms, player: int, item: int, weights: Floats) -> int:
    """Return the bank's price of an item for a player; UNLIMITED if he cannot, or in a trial does not, buy it."""
    if item == NOTHING:
        return UNLIMITED
    if item < NOTHING:
        engine = EXPRESS if item == BUYS_EXPRESS else SUPERCHIEF
        is_wanted = _turns_of_engine(engine, weights) >= 0 and state.engine[player] != engine
        return engine_price(state, terms, player, engine) if is_wanted else UNLIMITED
    if item < GROUPS:
        is_offered = is_sold_alone(state, terms, item) and state.decliner[item] != player
        return int(track.price[item]) if is_offered else UNLIMITED
    group = item - GROUPS
    for railroad in range(len(track.price)):
        if is_in_open_group(state, terms, group, railroad) and state.decliner[railroad] == player:
            return UNLIMITED
    return int(terms.group_price[group]) if is_group_open(state, terms, group) else UNLIMITED


@compiled
def highest_bid(track: TrackArrays, state: State, terms: Terms, player: int, railroad: int, weights: Floats) -> int:
    """Return a player's highest bid for a railroad, limited by his cash without the reserve (RB-A09)."""
    city_service = compute_holdings(track, state, terms, player)
    highest_offer = weights[by.SALE_BID] * track.price[railroad]
    if weights[by.SALE_USE] != 0:
        highest_offer += weights[by.SALE_USE] * worth_of(track, state, terms, city_service, player, railroad, weights)
    free_cash = state.cash[player] - compute_reserve(track, state, terms, city_service, player, weights)
    return int(max(0.0, min(free_cash, highest_offer)))


@compiled
def choose_sale(track: TrackArrays, state: State, terms: Terms, player: int, weights: Floats) -> int:
    """Return the railroad that a player sells to raise cash (RB-A01), or NONE if he owns none."""
    city_service = compute_holdings(track, state, terms, player)
    best_score, railroad_to_sell = -1e18, NONE
    for railroad in range(len(track.price)):
        if state.owner[railroad] == player:
            score = -weights[by.SALE_CHEAP_FIRST] * track.price[railroad]
            score -= weights[by.SALE_USE] * worth_of(track, state, terms, city_service, player, railroad, weights)
            if score > best_score:
                best_score, railroad_to_sell = score, railroad
    return railroad_to_sell
