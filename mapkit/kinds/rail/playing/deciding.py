"""Decisions of computer players, by their weights; they see the table, and never the dice to come."""

from typing import NamedTuple

import numpy as np

from mapkit.core.arrays import Floats, Ints
from mapkit.kinds.rail.playing import policies as by
from mapkit.kinds.rail.playing.compiled import compiled
from mapkit.kinds.rail.playing.fees import fee_on, total_debt
from mapkit.kinds.rail.playing.policies import ROUTE_FEES, ROUTE_LATER, ROUTE_LEADER, ROUTE_SHORT, ROUTE_TURN
from mapkit.kinds.rail.playing.state import BANK, DECISIONS, NONE, RAISED, Scratch, State, copy_numbers
from mapkit.kinds.rail.playing.terms import ALWAYS, ANY_DOUBLE, Terms
from mapkit.kinds.rail.playing.track import Flags, TrackArrays
from mapkit.playing.streams import share

# Path search over the track: the best way by time and fees that uses no track twice (RB-M07, RB-M10).

_REUSE_COST = 1e9
"""Cost of using track again, so high that it is used as seldom as possible (RB-W21)."""
_STEP_COST = 1e-3
"""Least cost of a step, so that of equal ways the shorter is taken."""
_MAX_TRIES = 8


@compiled
def mean_turn(terms: Terms, engine: int) -> float:
    """Return the mean number of mileposts that an engine moves in a turn."""
    white_mean = terms.dice * (terms.sides + 1) / 2
    bonus_mean = terms.bonus_dice * (terms.sides + 1) / 2
    trigger = terms.trigger[engine]
    if trigger == ALWAYS:
        return white_mean + bonus_mean
    bonus_chance = 1.0 / terms.sides if trigger == ANY_DOUBLE else 1.0 / (terms.sides * terms.sides)
    return white_mean + bonus_chance * bonus_mean


@compiled
def turn_worth(track: TrackArrays, terms: Terms, engine: int, weights: Floats) -> float:
    """Return the worth of a turn to a player: his weight times the mean earnings of a turn on this board."""
    return float(weights[ROUTE_TURN] * earned_by_turn(track, terms, engine))


@compiled
def earned_by_turn(track: TrackArrays, terms: Terms, engine: int) -> float:
    """Return the mean payoff of a trip per turn, with half of the last turn used, currency units."""
    return float(track.mean_payoff / (track.mean_steps / mean_turn(terms, engine) + 0.5))


@compiled
def current_opponent_fee(state: State, terms: Terms) -> int:
    """Return the current fee of a turn on an opponent's railroads (RB-F04, RB-F05)."""
    return int(terms.raised_fee if state.game[RAISED] else terms.fee)


@compiled
def _push_to_heap(keys: Floats, items: Ints, size: int, key: float, item: int) -> int:
    heap_index = size
    while heap_index > 0:
        parent_index = (heap_index - 1) >> 1
        if keys[parent_index] <= key:
            break
        keys[heap_index], items[heap_index] = keys[parent_index], items[parent_index]
        heap_index = parent_index
    keys[heap_index], items[heap_index] = key, item
    return size + 1


@compiled
def _pop_from_heap(keys: Floats, items: Ints, size: int) -> int:
    """Remove the least item, `items[0]`, from the heap."""
    size -= 1
    key, item = keys[size], items[size]
    heap_index = 0
    while True:
        child_index = 2 * heap_index + 1
        if child_index >= size:
            break
        if child_index + 1 < size and keys[child_index + 1] < keys[child_index]:
            child_index += 1
        if keys[child_index] >= key:
            break
        keys[heap_index], items[heap_index] = keys[child_index], items[child_index]
        heap_index = child_index
    keys[heap_index], items[heap_index] = key, item
    return size


class RiddenTrack(NamedTuple):
    """Track that a player rode on a trip, and the rules for using it again."""

    piece_of: Ints
    pieces: Ints
    used: Flags
    homeward: Flags
    once: int
    """0 where track may be used again."""
    fallback: int
    of_trip: int


@compiled
def ridden_track(track: TrackArrays, state: State, terms: Terms, player: int) -> RiddenTrack:
    """Return the track that a player rode on this trip."""
    used, homeward = state.used[player], state.homeward[player]
    fallback, of_trip = int(state.fallback[player]), int(terms.reuse_of_trip)
    return RiddenTrack(track.piece_of, track.pieces, used, homeward, int(terms.once), fallback, of_trip)


@compiled
def count_reuse(ridden: RiddenTrack, segment: int) -> int:
    """Return how often riding a segment would use track again, or -1 if that is not allowed (RB-M07, RB-W21)."""
    reuse_count = 0
    if ridden.once == 0:
        return reuse_count
    for k in range(ridden.piece_of[segment], ridden.piece_of[segment + 1]):
        piece = ridden.pieces[k]
        if ridden.used[piece]:
            if ridden.fallback and (ridden.of_trip or ridden.homeward[piece]):
                reuse_count += 1
            else:
                return -1
    return reuse_count


@compiled
def write_tolls(state: State, terms: Terms, player: int, weights: Floats, out: Floats) -> None:
    """Write the weighted fee of a turn on each railroad for a player.

    The fee weighs more if it goes to the richest opponent, and if the cash does not cover it, so that railroads must be
    sold or, on the way home, the win is lost.
    """
    most_cash = 0
    for p in range(terms.players):
        if p != player and state.playing[p]:
            most_cash = max(most_cash, state.cash[p])
    spare_cash = state.cash[player] - total_debt(state, terms)
    if state.declared[player] and terms.net_worth == 0:
        spare_cash -= terms.win_cash
    for railroad in range(len(state.owner)):
        owner = state.owner[railroad]
        fee = float(fee_on(state, terms, player, railroad))
        if fee > spare_cash:
            fee *= 1.0 + weights[ROUTE_SHORT]
        if owner not in (BANK, player) and owner < terms.players and state.cash[owner] == most_cash:
            fee *= 1.0 + weights[ROUTE_LEADER]
        out[railroad] = fee * weights[ROUTE_FEES]


class WayRequest(NamedTuple):
    """Request for a player's way to a city."""

    player: int
    start: int
    """A milepost."""
    city: int
    mileposts: int
    """Number of its steps that are left of the turn."""


class SearchRequest(NamedTuple):
    """Request for a search."""

    player: int
    start: int
    """A milepost."""
    target: int
    """Another, or the same."""
    left: Ints
    """Lower bound of the steps from each milepost to the target."""
    avoid: int
    """A milepost that the way must not touch, or NONE."""
    mileposts: int
    """How many of its steps the turn has left."""


@compiled
def find_way(
    track: TrackArrays, state: State, terms: Terms, scratch: Scratch, trip: WayRequest, weights: Floats
) -> int:
    """Find a player's way from a milepost to a city, and return its length in steps; NONE if there is none.

    The arms of the way are written into `scratch.way`. Segments marked with `scratch.ban` are left out (`new_bans`).
    """
    target, steps_left = track.city_place[trip.city], track.steps[trip.city]
    errand = SearchRequest(trip.player, trip.start, target, steps_left, NONE, trip.mileposts)
    for _ in range(_MAX_TRIES):
        length = search_way(track, state, terms, scratch, errand, weights)
        if length <= 0:
            return length
        repeated_segment = find_repeated_segment(track, scratch.way, length)
        if repeated_segment == NONE or terms.once == 0:
            return length
        scratch.banned[repeated_segment] = scratch.ban[0]
    return NONE


@compiled
def clear_bans(scratch: Scratch) -> None:
    """Allow all segments again."""
    scratch.ban[0] += 1


@compiled
def search_way(
    track: TrackArrays, state: State, terms: Terms, scratch: Scratch, errand: SearchRequest, weights: Floats
) -> int:
    """Find the cheapest way between mileposts by A*, and return its length; NONE if there is none.

    The remaining steps of the turn cost no time, and each owner's fee once (RB-F04). A longer way costs half a turn, as
    the last turn is used by half, and each further step its part of a turn. Later turns begin anywhere, so each step
    costs its part of a fee, and a step onto an opponent's track, or the first one on it, a whole fee.
    The way is written into `scratch.way`. Arrays are taken out of `track`, `state` and `scratch` before the loop,
    because reference counting in it took a third of all time.
    """
    start, target, turn = errand.start, errand.target, errand.mileposts
    if start == target:
        return 0
    scratch.search[0] += 1
    search_number, ban = scratch.search[0], scratch.ban[0]
    mean_mileposts = mean_turn(terms, state.engine[errand.player])
    worth_of_turn = turn_worth(track, terms, state.engine[errand.player], weights)
    step_cost = worth_of_turn / mean_mileposts
    write_tolls(state, terms, errand.player, weights, scratch.toll)
    ridden = ridden_track(track, state, terms, errand.player)
    leads, arm_to, arm_by, arm_railroad = track.leads, track.arm_to, track.arm_by, track.railroad
    costs, came_by, before, lengths = scratch.cost, scratch.came, scratch.before, scratch.length
    paid, seen, done, banned = scratch.payees, scratch.seen, scratch.done, scratch.banned
    keys, items, toll_of, owner_of = scratch.heap_key, scratch.heap_item, scratch.toll, state.owner
    player, avoid, steps_left, later_weight = errand.player, errand.avoid, errand.left, weights[ROUTE_LATER]
    current_line = state.line[player]
    costs[start], came_by[start], lengths[start], paid[start], seen[start] = (
        0.0,
        NONE,
        0,
        _payees_so_far(state),
        search_number,
    )
    heap_size = _push_to_heap(keys, items, 0, 0.0, start)
    while heap_size > 0:
        place, heap_size = items[0], _pop_from_heap(keys, items, heap_size)
        if done[place] == search_number:
            continue
        done[place] = search_number
        if place == target:
            return _trace_way(scratch, start, target)
        cost, length, payees = costs[place], lengths[place] + 1, paid[place]
        last_railroad = current_line if came_by[place] == NONE else arm_railroad[arm_by[came_by[place]]]
        last_owner = NONE if last_railroad == NONE else owner_of[last_railroad]
        for arm in range(leads[place], leads[place + 1]):
            to, segment = arm_to[arm], arm_by[arm]
            if done[to] == search_number or to == avoid or banned[segment] == ban:
                continue
            reuse_count = count_reuse(ridden, segment)
            if reuse_count < 0:
                continue
            owner, toll = owner_of[arm_railroad[segment]], toll_of[arm_railroad[segment]]
            payee = np.int64(1) << (0 if owner in (BANK, player) else owner + 1)
            reached_cost = cost + _STEP_COST + reuse_count * _REUSE_COST
            if length > turn:
                is_first_later = 1 if length == turn + 1 else 0
                is_entering = 1 if payee > 1 and (is_first_later or owner != last_owner) else 0
                # A step costs its part of a turn's fee, or the whole where the fee begins.
                fee_divisor = 1.0 if is_entering else mean_mileposts
                reached_cost += toll * later_weight / fee_divisor + step_cost + is_first_later * worth_of_turn / 2
            else:
                reached_cost += 0.0 if payees & payee else toll
            if seen[to] != search_number or reached_cost < costs[to]:
                seen[to], costs[to] = search_number, reached_cost
                came_by[to], before[to] = arm, place
                lengths[to], paid[to] = length, payees | payee
                remaining_cost = _least_remaining_cost(length - turn, steps_left[to], worth_of_turn, mean_mileposts)
                heap_size = _push_to_heap(keys, items, heap_size, reached_cost + remaining_cost, to)
    return NONE


@compiled
def _least_remaining_cost(beyond: int, left: int, worth: float, mean: float) -> float:
    """Return a lower bound of the cost of the remaining way, given the steps beyond this turn."""
    if beyond > 0:
        return left * (worth / mean + _STEP_COST)
    least_cost = left * _STEP_COST
    return least_cost + worth / 2 + (beyond + left) * worth / mean if beyond + left > 0 else least_cost


@compiled
def _payees_so_far(state: State) -> int:
    """Return the recipients of a fee for this turn so far as bits: the bank, then each owner."""
    payees = np.int64(1 if state.bank_due[0] > 0 else 0)
    for owner in range(len(state.fee_due)):
        if state.fee_due[owner] > 0:
            payees |= np.int64(1) << (owner + 1)
    return int(payees)


@compiled
def _trace_way(scratch: Scratch, start: int, target: int) -> int:
    """Write the arms from start to target into `scratch.way`, and return their number."""
    came, before, way = scratch.came, scratch.before, scratch.way
    length, place = 0, target
    while place != start:
        length += 1
        place = before[place]
    way_index, place = length, target
    while place != start:
        way_index -= 1
        way[way_index] = came[place]
        place = before[place]
    return length


@compiled
def find_repeated_segment(track: TrackArrays, way: Ints, length: int) -> int:
    """Return a segment of a way that shares a piece with an earlier one (RB-M07), or NONE."""
    for i in range(length):
        segment = track.arm_by[way[i]]
        if track.shares[segment] == 0:
            continue
        for j in range(i):
            other_segment = track.arm_by[way[j]]
            if track.shares[other_segment] == 0:
                continue
            for a in range(track.piece_of[segment], track.piece_of[segment + 1]):
                for b in range(track.piece_of[other_segment], track.piece_of[other_segment + 1]):
                    if track.pieces[a] == track.pieces[b]:
                        return int(segment)
    return NONE


@compiled
def draw_noise(state: State, player: int, most: float) -> float:
    """Return a random amount up to `most`, from a player's own random numbers."""
    return most * share(state.streams, DECISIONS + player) if most > 0 else 0.0


@compiled
def pick_region(track: TrackArrays, state: State, terms: Terms, player: int, weights: Floats) -> int:
    """Return the region that a player with a free choice picks (RB-D04): that of the best payoff by turn."""
    best_value, best_region = -1e18, 0
    start_city = state.city[player]
    mean_mileposts = mean_turn(terms, state.engine[player])
    for region in range(len(track.city_cell)):
        region_value = draw_noise(state, player, weights[by.REGION_NOISE])
        for parity in range(2):
            for row in range(11):
                city = track.city_cell[region, parity, row]
                city_chance = (6 - abs(row - 5)) / 72.0
                turns = track.steps[city, track.city_place[start_city]] / mean_mileposts + 1.0
                trip_gain = weights[by.REGION_PAYOFF] * track.payoff[start_city, city]
                if weights[by.REGION_ACCESS] != 0 and _has_own_service(track, state, player, city):
                    trip_gain += weights[by.REGION_ACCESS] * current_opponent_fee(state, terms)
                region_value += city_chance * trip_gain / turns
        if region_value > best_value:
            best_value, best_region = region_value, region
    return best_region


@compiled
def _has_own_service(track: TrackArrays, state: State, player: int, city: int) -> bool:
    is_served = False
    for railroad in range(len(track.price)):
        is_served |= state.owner[railroad] == player and track.served[railroad, city] != 0
    return is_served


@compiled
def swaps_home(track: TrackArrays, state: State, player: int, weights: Floats) -> bool:
    """Return whether a player exchanges home and first destination (RB-S11): for one nearer to all cities."""
    gain = track.centre[state.home[player]] - track.centre[state.goal[player]]
    return bool(gain * weights[by.HOME_CENTRE] > 0)


@compiled
def declares(track: TrackArrays, state: State, terms: Terms, player: int, debts: int, weights: Floats) -> bool:
    """Return whether a player who may declare does (RB-W02): with cash for debts and the fees of the way home."""
    if weights[by.WIN_DECLARE] <= 0:
        return False
    steps_home = track.steps[state.home[player], state.at[player]]
    if steps_home == 0:
        return True
    turns_home = steps_home / mean_turn(terms, state.engine[player])
    wanted_margin = current_opponent_fee(state, terms) * (weights[by.WIN_MARGIN] + weights[by.WIN_A_TURN] * turns_home)
    cash_beyond_goal = state.cash[player] - debts - (0 if terms.net_worth else terms.win_cash)
    return bool(cash_beyond_goal >= wanted_margin)


@compiled
def choose_way(
    track: TrackArrays,
    state: State,
    terms: Terms,
    scratch: Scratch,
    player: int,
    city: int,
    mileposts: int,
    weights: Floats,
) -> int:
    """Find the way of a player to a city with a roll, and return its length; NONE if there is none.

    He catches a declared train on the way if the rover payment is worth the turns that the detour takes (RB-W13).
    """
    clear_bans(scratch)
    start = state.at[player]
    if state.fallback[player]:  # track is used again as seldom as it must be (RB-W21), so for no detour
        return find_way(track, state, terms, scratch, WayRequest(player, start, city, mileposts), weights)
    for other in range(terms.players):
        if other != player and state.declared[other] and state.playing[other] and state.at[other] != start:
            detour = _find_detour(
                track, state, terms, scratch, Detour(player, state.at[other], city, mileposts), weights
            )
            if detour > 0:
                return detour
    return find_way(track, state, terms, scratch, WayRequest(player, start, city, mileposts), weights)


class Detour(NamedTuple):
    """Way over a milepost, the first part within a roll."""

    player: int
    over: int
    city: int
    mileposts: int


@compiled
def _find_detour(
    track: TrackArrays, state: State, terms: Terms, scratch: Scratch, detour: Detour, weights: Floats
) -> int:
    """Find a way over a milepost that is worth a rover payment (RB-W18), and return its length; 0 if there is none.

    Whoever stands there already must leave and come back (RB-W17); no player plans that.
    """
    player, over, city = detour.player, detour.over, detour.city
    start, goal = state.at[player], track.city_place[city]
    if over == goal:
        return 0
    usual_length = track.steps[city, start]
    first_length = search_way(
        track,
        state,
        terms,
        scratch,
        SearchRequest(player, start, over, scratch.nowhere, goal, detour.mileposts),
        weights,
    )
    if not 0 < first_length <= detour.mileposts:
        return 0
    copy_numbers(scratch.way, scratch.spare, first_length)
    for k in range(first_length):
        scratch.banned[track.arm_by[scratch.way[k]]] = scratch.ban[0]
    rest_length = find_way(
        track, state, terms, scratch, WayRequest(player, over, city, detour.mileposts - first_length), weights
    )
    clear_bans(scratch)
    added_turns = (first_length + rest_length - usual_length) / mean_turn(terms, state.engine[player])
    if rest_length <= 0 or weights[by.WIN_ROVER] * terms.rover <= added_turns * turn_worth(
        track, terms, state.engine[player], weights
    ):
        return 0
    for k in range(rest_length - 1, -1, -1):
        scratch.way[first_length + k] = scratch.way[k]
    copy_numbers(scratch.spare, scratch.way, first_length)
    if terms.once and find_repeated_segment(track, scratch.way, first_length + rest_length) != NONE:
        return 0
    return first_length + rest_length
