"""Decisions of computer players, by their weights; they see the table, and never the dice to come."""

from typing import NamedTuple

from mapkit.kinds.rail.playing import policies as by
from mapkit.kinds.rail.playing.compiled import compiled
from mapkit.kinds.rail.playing.state import DECISIONS, NONE, Scratch, State, copy_numbers
from mapkit.kinds.rail.playing.terms import Terms
from mapkit.kinds.rail.playing.track import Floats, TrackArrays
from mapkit.kinds.rail.playing.way_search import (
    SearchRequest,
    WayRequest,
    clear_bans,
    current_opponent_fee,
    find_repeated_segment,
    find_way,
    mean_turn,
    search_way,
    turn_worth,
)
from mapkit.playing.streams import share


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
