"""Ways through the track: the best one by time and fees that uses no track twice (RB-M07, RB-M10)."""

from typing import NamedTuple

import numpy as np

from mapkit.kinds.rail.playing.compiled import compiled
from mapkit.kinds.rail.playing.fees import fee_on, owed
from mapkit.kinds.rail.playing.policies import ROUTE_FEES, ROUTE_LATER, ROUTE_LEADER, ROUTE_SHORT, ROUTE_TURN
from mapkit.kinds.rail.playing.state import BANK, NONE, RAISED, Scratch, State
from mapkit.kinds.rail.playing.terms import ALWAYS, ANY_DOUBLE, Terms
from mapkit.kinds.rail.playing.track import Flags, Floats, Ints, TrackArrays

_AGAIN = 1e9
"""The cost of using track again: as few times as there must be (RB-W21)."""
_TIE = 1e-3
"""What a step costs at least, so that of equal ways the shorter is taken."""
_TRIES = 8


@compiled
def mean_turn(terms: Terms, engine: int) -> float:
    """Return how many mileposts an engine moves in a turn, on average."""
    white = terms.dice * (terms.sides + 1) / 2
    bonus = terms.bonus_dice * (terms.sides + 1) / 2
    trigger = terms.trigger[engine]
    if trigger == ALWAYS:
        return white + bonus
    chance = 1.0 / terms.sides if trigger == ANY_DOUBLE else 1.0 / (terms.sides * terms.sides)
    return white + chance * bonus


@compiled
def turn_worth(track: TrackArrays, terms: Terms, engine: int, weights: Floats) -> float:
    """Return what a turn is worth to a player: by his weight, and by what trips of this board earn in a turn."""
    return float(weights[ROUTE_TURN] * earned_by_turn(track, terms, engine))


@compiled
def earned_by_turn(track: TrackArrays, terms: Terms, engine: int) -> float:
    """Return the mean payoff of a trip over its turns, of which the last is used by half, currency units."""
    return float(track.mean_payoff / (track.mean_steps / mean_turn(terms, engine) + 0.5))


@compiled
def fee_of_now(state: State, terms: Terms) -> int:
    """Return what a turn on an opponent's railroads costs (RB-F04, RB-F05)."""
    return int(terms.raised_fee if state.game[RAISED] else terms.fee)


@compiled
def _push(keys: Floats, items: Ints, size: int, key: float, item: int) -> int:
    at = size
    while at > 0:
        above = (at - 1) >> 1
        if keys[above] <= key:
            break
        keys[at], items[at] = keys[above], items[above]
        at = above
    keys[at], items[at] = key, item
    return size + 1


@compiled
def _pop(keys: Floats, items: Ints, size: int) -> int:
    """Take the least away; it was `items[0]`."""
    size -= 1
    key, item = keys[size], items[size]
    at = 0
    while True:
        below = 2 * at + 1
        if below >= size:
            break
        if below + 1 < size and keys[below + 1] < keys[below]:
            below += 1
        if keys[below] >= key:
            break
        keys[at], items[at] = keys[below], items[below]
        at = below
    keys[at], items[at] = key, item
    return size


class Behind(NamedTuple):
    """What a player rode on a trip, and how far it counts."""

    piece_of: Ints
    pieces: Ints
    used: Flags
    homeward: Flags
    once: int
    """0 where track may be used again."""
    fallback: int
    of_trip: int


@compiled
def behind(track: TrackArrays, state: State, terms: Terms, player: int) -> Behind:
    """Return what a player rode on this trip."""
    used, homeward = state.used[player], state.homeward[player]
    fallback, of_trip = int(state.fallback[player]), int(terms.reuse_of_trip)
    return Behind(track.piece_of, track.pieces, used, homeward, int(terms.once), fallback, of_trip)


@compiled
def times_used(ridden: Behind, segment: int) -> int:
    """Return how often a player would use track again by riding a segment, or -1 if he must not (RB-M07, RB-W21)."""
    again = 0
    if ridden.once == 0:
        return again
    for k in range(ridden.piece_of[segment], ridden.piece_of[segment + 1]):
        piece = ridden.pieces[k]
        if ridden.used[piece]:
            if ridden.fallback and (ridden.of_trip or ridden.homeward[piece]):
                again += 1
            else:
                return -1
    return again


@compiled
def tolls(state: State, terms: Terms, player: int, weights: Floats, out: Floats) -> None:
    """Write for each railroad what a turn on it counts for a player.

    That is the fee; more if it goes to the richest opponent, and more if the cash does not cover it, so that railroads
    must be sold or, on the way home, the win is lost.
    """
    richest = 0
    for p in range(terms.players):
        if p != player and state.playing[p]:
            richest = max(richest, state.cash[p])
    spare = state.cash[player] - owed(state, terms)
    if state.declared[player] and terms.net_worth == 0:
        spare -= terms.win_cash
    for railroad in range(len(state.owner)):
        owner = state.owner[railroad]
        fee = float(fee_on(state, terms, player, railroad))
        if fee > spare:
            fee *= 1.0 + weights[ROUTE_SHORT]
        if owner not in (BANK, player) and owner < terms.players and state.cash[owner] == richest:
            fee *= 1.0 + weights[ROUTE_LEADER]
        out[railroad] = fee * weights[ROUTE_FEES]


class Trip(NamedTuple):
    """A way that a player looks for."""

    player: int
    start: int
    """A milepost."""
    city: int
    mileposts: int
    """How many of its steps the turn has left."""


class Errand(NamedTuple):
    """What a search looks for."""

    player: int
    start: int
    """A milepost."""
    target: int
    """Another, or the same."""
    left: Ints
    """For each milepost at most the steps to the target."""
    avoid: int
    """A milepost that the way must not touch, or NONE."""
    mileposts: int
    """How many of its steps the turn has left."""


@compiled
def find_way(track: TrackArrays, state: State, terms: Terms, scratch: Scratch, trip: Trip, weights: Floats) -> int:
    """Find a player's way from a milepost to a city, and return its length in steps; NONE if there is none.

    The arms of the way stand in `scratch.way`. Segments that are marked with `scratch.ban` are left out (`new_bans`).
    """
    target, left = track.city_place[trip.city], track.steps[trip.city]
    errand = Errand(trip.player, trip.start, target, left, NONE, trip.mileposts)
    for _ in range(_TRIES):
        length = search(track, state, terms, scratch, errand, weights)
        if length <= 0:
            return length
        twice = shared_twice(track, scratch.way, length)
        if twice == NONE or terms.once == 0:
            return length
        scratch.banned[twice] = scratch.ban[0]
    return NONE


@compiled
def new_bans(scratch: Scratch) -> None:
    """Allow all segments again."""
    scratch.ban[0] += 1


@compiled
def search(track: TrackArrays, state: State, terms: Terms, scratch: Scratch, errand: Errand, weights: Floats) -> int:
    """Find the cheapest way from a milepost to another, and return its length; NONE if there is none.

    The steps that the turn has left cost no time, and each owner's fee once (RB-F04). A way that goes on costs half a
    turn, as the last turn is not used whole, and each further step its part of a turn. Later turns begin anywhere, so
    each step costs its part of a fee there, and coming onto an opponent's track, or beginning on it, the rest of one.
    The way is written into `scratch.way`. The search is A*. Arrays are taken out of `track`, `state` and `scratch`
    before the loop: each access in it would count references, which took a third of all time.
    """
    start, target, turn = errand.start, errand.target, errand.mileposts
    if start == target:
        return 0
    scratch.search[0] += 1
    now, ban = scratch.search[0], scratch.ban[0]
    mean = mean_turn(terms, state.engine[errand.player])
    worth = turn_worth(track, terms, state.engine[errand.player], weights)
    step = worth / mean
    tolls(state, terms, errand.player, weights, scratch.toll)
    ridden = behind(track, state, terms, errand.player)
    leads, arm_to, arm_by, lines = track.leads, track.arm_to, track.arm_by, track.railroad
    costs, came, before, lengths = scratch.cost, scratch.came, scratch.before, scratch.length
    paid, seen, done, banned = scratch.payees, scratch.seen, scratch.done, scratch.banned
    keys, items, toll_of, owner_of = scratch.heap_key, scratch.heap_item, scratch.toll, state.owner
    player, avoid, left, later = errand.player, errand.avoid, errand.left, weights[ROUTE_LATER]
    line = state.line[player]
    costs[start], came[start], lengths[start], paid[start], seen[start] = 0.0, NONE, 0, _payees_so_far(state), now
    size = _push(keys, items, 0, 0.0, start)
    while size > 0:
        place, size = items[0], _pop(keys, items, size)
        if done[place] == now:
            continue
        done[place] = now
        if place == target:
            return _trace(scratch, start, target)
        cost, length, payees = costs[place], lengths[place] + 1, paid[place]
        last = line if came[place] == NONE else lines[arm_by[came[place]]]
        last_owner = NONE if last == NONE else owner_of[last]
        for arm in range(leads[place], leads[place + 1]):
            to, segment = arm_to[arm], arm_by[arm]
            if done[to] == now or to == avoid or banned[segment] == ban:
                continue
            again = times_used(ridden, segment)
            if again < 0:
                continue
            railroad = lines[segment]
            owner = owner_of[railroad]
            payee = np.int64(1) << (0 if owner in (BANK, player) else owner + 1)
            reached = cost + _TIE + again * _AGAIN
            toll = toll_of[railroad]
            if length > turn:
                first = 1 if length == turn + 1 else 0
                enters = 1 if payee > 1 and (first or owner != last_owner) else 0
                reached += _of_a_later_turn(toll * later, mean, enters) + step + first * worth / 2
            else:
                reached += 0.0 if payees & payee else toll
            if seen[to] != now or reached < costs[to]:
                seen[to], costs[to] = now, reached
                came[to], before[to] = arm, place
                lengths[to], paid[to] = length, payees | payee
                rest = _rest(length - turn, left[to], worth, mean)
                size = _push(keys, items, size, reached + rest, to)
    return NONE


@compiled
def _of_a_later_turn(toll: float, mean: float, enters: int) -> float:
    """Return what of a fee a step counts: its part of a turn, or the whole where a turn's fee begins."""
    return toll if enters else toll / mean


@compiled
def _rest(beyond: int, left: int, worth: float, mean: float) -> float:
    """Return what a way of so many more steps costs at least, when so many steps are beyond those of the turn."""
    if beyond > 0:
        return left * (worth / mean + _TIE)
    rest = left * _TIE
    return rest + worth / 2 + (beyond + left) * worth / mean if beyond + left > 0 else rest


@compiled
def _payees_so_far(state: State) -> int:
    """Return as bits who gets a fee for this turn already: the bank, then each owner."""
    payees = np.int64(1 if state.bank_due[0] > 0 else 0)
    for owner in range(len(state.fee_due)):
        if state.fee_due[owner] > 0:
            payees |= np.int64(1) << (owner + 1)
    return int(payees)


@compiled
def _trace(scratch: Scratch, start: int, target: int) -> int:
    """Write the arms from start to target into `scratch.way`, and return how many there are."""
    came, before, way = scratch.came, scratch.before, scratch.way
    length, place = 0, target
    while place != start:
        length += 1
        place = before[place]
    at, place = length, target
    while place != start:
        at -= 1
        way[at] = came[place]
        place = before[place]
    return length


@compiled
def shared_twice(track: TrackArrays, way: Ints, length: int) -> int:
    """Return a segment of a way that shares a piece with an earlier one (RB-M07), or NONE."""
    for i in range(length):
        segment = track.arm_by[way[i]]
        if track.shares[segment] == 0:
            continue
        for j in range(i):
            other = track.arm_by[way[j]]
            if track.shares[other] == 0:
                continue
            for a in range(track.piece_of[segment], track.piece_of[segment + 1]):
                for b in range(track.piece_of[other], track.piece_of[other + 1]):
                    if track.pieces[a] == track.pieces[b]:
                        return int(segment)
    return NONE
