"""What computer players buy, bid for and sell, by their weights (RB-P03, RB-A)."""

from typing import NamedTuple

import numpy as np

from mapkit.kinds.rail.playing import policies as by
from mapkit.kinds.rail.playing.compiled import compiled
from mapkit.kinds.rail.playing.deciding import noise
from mapkit.kinds.rail.playing.fees import owed
from mapkit.kinds.rail.playing.finding import earned_by_turn, fee_of_now, mean_turn
from mapkit.kinds.rail.playing.state import BANK, NONE, State
from mapkit.kinds.rail.playing.terms import EXPRESS, FREIGHT, SUPERCHIEF, UNLIMITED, Terms
from mapkit.kinds.rail.playing.track import Floats, Ints, TrackArrays

_NEVER = 1e18

# what is bought: a railroad by its number, a group as GROUPS + its number, or an engine
NOTHING, BUYS_EXPRESS, BUYS_SUPERCHIEF = -1, -2, -3
GROUPS = 1_000_000


class Holdings(NamedTuple):
    """Who serves which city, and what counts for all railroads alike."""

    by: Ints
    """P + 2 x C: how many railroads of each owner serve a city; the bank's are the last row."""
    all: Ints
    """C: how many railroads serve it."""
    left: float
    """How far the richest player is from winning, of 1: gains count less when less of the match is left."""
    opponents: int


@compiled
def holdings(track: TrackArrays, state: State, terms: Terms, player: int) -> Holdings:
    """Return who serves which city, as a player sees it."""
    cities = len(track.chance)
    served, whole = np.zeros((terms.players + 2, cities), np.int64), np.zeros(cities, np.int64)
    for railroad in range(len(track.price)):
        owner = state.owner[railroad]
        row = terms.players + 1 if owner == BANK else owner
        for city in range(cities):
            served[row, city] += track.served[railroad, city]
            whole[city] += track.served[railroad, city]
    richest, opponents = 0, 0
    for p in range(terms.players):
        if state.playing[p]:
            richest = max(richest, state.cash[p])
            opponents += p != player
    goal = terms.net_worth if terms.net_worth > 0 else terms.win_cash
    left = max(0.0, 1.0 - richest / goal) if goal > 0 else 0.0
    return Holdings(served, whole, left, opponents)


@compiled
def _reach_gained(track: TrackArrays, state: State, held: Holdings, player: int, railroad: int) -> tuple[float, float]:
    """Return the access and the monopoly that a railroad gives a player beyond his others, as chances."""
    access, monopoly = 0.0, 0.0
    own = 1 if state.owner[railroad] == player else 0
    for city in range(len(track.chance)):
        if track.served[railroad, city]:
            mine = held.by[player, city] - own
            if mine == 0:
                access += track.chance[city]
            if held.all[city] - 1 - mine == 0:
                monopoly += track.chance[city]
    return access, monopoly


@compiled
def worth_of(
    track: TrackArrays, state: State, terms: Terms, held: Holdings, player: int, railroad: int, weights: Floats
) -> float:
    """Return what a railroad is worth to a player without its price, currency units."""
    access, monopoly = _reach_gained(track, state, held, player, railroad)
    joined, owns, needed, most = 0, 0, 0, 0.0
    for other in range(len(track.price)):
        if state.owner[other] == player and other != railroad:
            owns += 1
            joined |= track.touches[railroad, other]
    for p in range(terms.players):
        if p == player or state.playing[p] == 0:
            continue
        if state.goal[p] != NONE:
            needed += track.served[railroad, state.goal[p]]
        if weights[by.BUY_DENY] != 0:
            most = max(most, _reach_gained(track, state, held, p, railroad)[0])
    trips = weights[by.BUY_ACCESS] * access + weights[by.BUY_DENY] * most
    income = weights[by.BUY_MONOPOLY] * monopoly + weights[by.BUY_TRAFFIC] * track.traffic[railroad] / 100
    trips += income * held.opponents
    trips += weights[by.BUY_CONNECTION] if joined or owns == 0 else 0.0
    return float(trips * held.left * terms.raised_fee + weights[by.BUY_NEED] * needed * fee_of_now(state, terms))


@compiled
def engine_price(state: State, terms: Terms, player: int, engine: int) -> int:
    """Return what an engine costs a player (RB-P04 to RB-P07, RB-V08, RB-V11); UNLIMITED if he cannot buy it."""
    now = state.engine[player]
    if engine == FREIGHT or state.titles[engine] == 0 or engine < now:
        return UNLIMITED
    if engine == now and not (engine == SUPERCHIEF and terms.second_superchief):
        return UNLIMITED
    if engine == EXPRESS:
        return int(terms.express_price)
    if now == EXPRESS:
        return 0 if terms.free_upgrade else int(terms.superchief_price - terms.trade_in)
    return int(terms.superchief_price)


@compiled
def group_open(state: State, terms: Terms, group: int) -> bool:
    """Return whether the bank holds a railroad of a group (RB-V01)."""
    held = False
    for railroad in range(len(state.owner)):
        held |= in_open_group(state, terms, group, railroad)
    return held


@compiled
def in_open_group(state: State, terms: Terms, group: int, railroad: int) -> bool:
    """Return whether a group purchase would bring a railroad."""
    held = state.owner[railroad] == BANK and terms.for_sale[railroad] != 0
    return bool(held and terms.group_has[group, railroad] != 0)


@compiled
def sold_alone(state: State, terms: Terms, railroad: int) -> bool:
    """Return whether the bank sells a railroad by itself (RB-P10, RB-V01)."""
    if state.owner[railroad] != BANK or terms.for_sale[railroad] == 0:
        return False
    return bool(terms.singles or not terms.group_has[:, railroad].any())


@compiled
def reserve(track: TrackArrays, state: State, terms: Terms, held: Holdings, player: int, weights: Floats) -> float:
    """Return the cash that a player keeps: for the fees that his next trip is expected to cost.

    Each turn costs the fee for bank-held or own railroads; coming to a city that only opponents serve costs theirs, and
    leaving it again. When the bank has few railroads left the fee after sell-out counts.
    """
    if weights[by.BUY_RESERVE] == 0:
        return 0.0
    for_sale, locked = 0, 0.0
    for railroad in range(len(track.price)):
        for_sale += state.owner[railroad] == BANK and terms.for_sale[railroad] != 0
    for city in range(len(track.chance)):
        if held.by[player, city] == 0 and held.by[terms.players + 1, city] == 0:
            locked += track.chance[city]
    fee = terms.raised_fee if for_sale <= terms.players else fee_of_now(state, terms)
    turns = track.mean_steps / mean_turn(terms, state.engine[player]) + 0.5
    return float(weights[by.BUY_RESERVE] * (turns * max(terms.bank_fee, terms.own_fee) + 2 * locked * fee))


@compiled
def choose_purchase(track: TrackArrays, state: State, terms: Terms, player: int, weights: Floats) -> int:
    """Return what a player buys (RB-P03), as a number of this module's; NOTHING if nothing is worth its price.

    Who keeps a reserve keeps what the turn owes too, for it is paid before the next payoff (RB-P13). A player waits
    where something that the next payoff could pay scores so much more.
    """
    if weights[by.BUY_BUYS] <= 0:
        return NOTHING
    held = holdings(track, state, terms, player)
    cash = state.cash[player] - reserve(track, state, terms, held, player, weights)
    cash -= owed(state, terms) if weights[by.BUY_RESERVE] > 0 else 0
    soon = cash + track.mean_payoff if weights[by.BUY_PATIENCE] > 0 else cash
    best, chosen, dear = 0.0, NOTHING, 0.0
    railroads, groups = len(track.price), len(terms.group_price)
    for number in range(BUYS_SUPERCHIEF, railroads + groups):
        item = number if number < railroads else GROUPS + number - railroads
        price = _price(track, state, terms, player, item, weights)
        if price > soon:
            continue
        score = weights[by.BUY_PRICE] * price + _gain(track, state, terms, held, player, item, weights)
        if price > cash:
            dear = max(dear, score)
        elif score > best:
            best, chosen = score, item
    return NOTHING if weights[by.BUY_PATIENCE] * dear > best else chosen


@compiled
def _turns_of(engine: int, weights: Floats) -> float:
    return float(weights[by.BUY_EXPRESS] if engine == EXPRESS else weights[by.BUY_SUPERCHIEF])


@compiled
def _price(track: TrackArrays, state: State, terms: Terms, player: int, item: int, weights: Floats) -> int:
    """Return what the bank asks of a player; UNLIMITED if he cannot, or in a trial does not, buy it."""
    if item == NOTHING:
        return UNLIMITED
    if item < NOTHING:
        engine = EXPRESS if item == BUYS_EXPRESS else SUPERCHIEF
        keen = _turns_of(engine, weights) >= 0 and state.engine[player] != engine
        return engine_price(state, terms, player, engine) if keen else UNLIMITED
    if item < GROUPS:
        offered = sold_alone(state, terms, item) and state.decliner[item] != player
        return int(track.price[item]) if offered else UNLIMITED
    group = item - GROUPS
    for railroad in range(len(track.price)):
        if in_open_group(state, terms, group, railroad) and state.decliner[railroad] == player:
            return UNLIMITED
    return int(terms.group_price[group]) if group_open(state, terms, group) else UNLIMITED


@compiled
def _gain(
    track: TrackArrays, state: State, terms: Terms, held: Holdings, player: int, item: int, weights: Floats
) -> float:
    """Return what something that is for sale is worth to a player without its price, currency units."""
    gain = 0.0
    if item < NOTHING:
        engine = EXPRESS if item == BUYS_EXPRESS else SUPERCHIEF
        faster = earned_by_turn(track, terms, engine) - earned_by_turn(track, terms, state.engine[player])
        gain = _turns_of(engine, weights) * faster * held.left
    elif item < GROUPS:
        gain = worth_of(track, state, terms, held, player, item, weights)
    else:
        for railroad in range(len(track.price)):
            if in_open_group(state, terms, item - GROUPS, railroad):
                gain += worth_of(track, state, terms, held, player, railroad, weights)
    return float(gain + noise(state, player, weights[by.BUY_NOISE]))


@compiled
def highest_bid(track: TrackArrays, state: State, terms: Terms, player: int, railroad: int, weights: Floats) -> int:
    """Return the most that a player bids for a railroad; his cash without the reserve is the limit (RB-A09)."""
    held = holdings(track, state, terms, player)
    most = weights[by.SALE_BID] * track.price[railroad]
    if weights[by.SALE_USE] != 0:
        most += weights[by.SALE_USE] * worth_of(track, state, terms, held, player, railroad, weights)
    cash = state.cash[player] - reserve(track, state, terms, held, player, weights)
    return int(max(0.0, min(cash, most)))


@compiled
def choose_sale(track: TrackArrays, state: State, terms: Terms, player: int, weights: Floats) -> int:
    """Return the railroad that a player sells to raise cash (RB-A01), or NONE if he owns none."""
    held = holdings(track, state, terms, player)
    best, chosen = -1e18, NONE
    for railroad in range(len(track.price)):
        if state.owner[railroad] == player:
            score = -weights[by.SALE_CHEAP_FIRST] * track.price[railroad]
            score -= weights[by.SALE_USE] * worth_of(track, state, terms, held, player, railroad, weights)
            if score > best:
                best, chosen = score, railroad
    return chosen
