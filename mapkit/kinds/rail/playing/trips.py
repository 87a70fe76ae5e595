"""Trips: rolling cities, declaring, losing declared status, and winning (RB-D, RB-W)."""

from mapkit.core.arrays import Floats
from mapkit.kinds.rail.playing import events
from mapkit.kinds.rail.playing.compiled import compiled
from mapkit.kinds.rail.playing.deciding import declares, pick_region
from mapkit.kinds.rail.playing.fees import total_debt
from mapkit.kinds.rail.playing.state import (
    DECLARE,
    DESTINATIONS,
    NONE,
    REGION,
    WINNER,
    State,
    ask_player,
    record_event,
    roll_die,
)
from mapkit.kinds.rail.playing.terms import Terms
from mapkit.kinds.rail.playing.track import TrackArrays
from mapkit.kinds.rail.playing.wealth import can_win

LOST, GOES_ON, WON = range(3)
"""What became of a turn."""
_LOOKUP_SIDES = 6
"""Of lookup dice: charts have rows for the sums 2 to 12 (RB-C14)."""


@compiled
def look_up(state: State, player: int) -> tuple[int, int]:
    """Roll the lookup dice; return column and row: odd 0, even 1; the sum of the whites from 2 on (RB-D01)."""
    stream = DESTINATIONS + player
    parity = (roll_die(state, stream, player, _LOOKUP_SIDES, events.COLOURED) + 1) % 2
    white_total = roll_die(state, stream, player, _LOOKUP_SIDES, events.WHITE)
    white_total += roll_die(state, stream, player, _LOOKUP_SIDES, events.WHITE)
    return parity, white_total - 2


@compiled
def roll_home(track: TrackArrays, state: State, player: int) -> int:
    """Roll a region and a city, with no choice of the region (RB-S06, RB-S13)."""
    parity, row = look_up(state, player)
    region = track.region_cell[parity, row]
    record_event(state, events.REGION, player, region, 0, 0)
    parity, row = look_up(state, player)
    return int(track.city_cell[region, parity, row])


@compiled
def roll_city(track: TrackArrays, state: State, terms: Terms, player: int, weights: Floats) -> int:
    """Roll a region and a city; if the region is the train's own, pick one (RB-D04, RB-D05)."""
    parity, row = look_up(state, player)
    region = track.region_cell[parity, row]
    may_pick = terms.choose_region and region == track.city_region[state.city[player]]
    if may_pick:
        region = ask_player(state, player, REGION, NONE, pick_region(track, state, terms, player, weights))
    record_event(state, events.REGION, player, region, 1 if may_pick else 0, 0)
    parity, row = look_up(state, player)
    return int(track.city_cell[region, parity, row])


@compiled
def clear_trip(state: State, player: int) -> None:
    """Allow all track to be used again (RB-M08)."""
    state.used[player, :] = 0
    state.homeward[player, :] = 0
    state.fallback[player] = 0


@compiled
def end_match(state: State, player: int) -> None:
    """End the match."""
    state.game[WINNER] = player
    record_event(state, events.WINS, player, state.cash[player], 0, 0)


@compiled
def begin_trip(track: TrackArrays, state: State, terms: Terms, player: int, minds: Floats) -> int:
    """Declare or not, and roll the next destination; return LOST, GOES_ON or WON (RB-D06, RB-D07, RB-W02)."""
    clear_trip(state, player)
    weights = minds[player]
    start_place = track.city_place[state.city[player]]
    debts = total_debt(state, terms)  # of a move before a bonus; the win is reckoned after all fees (RB-W01)
    at_home = state.at[player] == track.city_place[state.home[player]]
    is_declared = can_win(track, state, terms, player, debts if at_home else 0)
    if is_declared:
        own_choice = declares(track, state, terms, player, debts, weights)
        is_declared = ask_player(state, player, DECLARE, NONE, int(own_choice)) != 0
    if is_declared:
        state.declared[player] = 1
        record_event(state, events.DECLARES, player, 0, 0, 0)
        if at_home:  # RB-W03
            return WON
    city = roll_city(track, state, terms, player, weights)
    if state.first_goal[player] == NONE:
        state.first_goal[player] = city
    is_same_place = track.city_place[city] == start_place  # a twin is the same city on the track (RB-C06)
    record_event(state, events.DESTINATION, player, city, 1 if is_declared else 0, 0)
    if is_declared:
        state.goal[player] = city
        state.due[player] = 0
        if not is_same_place or terms.alternate_loses_turn == 0:  # RB-W06
            return GOES_ON
    elif not is_same_place:
        state.goal[player] = city
        return GOES_ON
    record_event(state, events.LOSES_TURN, player, 0, 0, 0)
    return LOST


@compiled
def undeclare(track: TrackArrays, state: State, player: int) -> None:
    """Lose declared status: the alternate becomes the destination (RB-W20, RB-W23, RB-W24)."""
    state.declared[player] = 0
    state.fallback[player] = 1
    record_event(state, events.UNDECLARED, player, 0, 0, 0)
    if state.goal[player] != NONE and state.at[player] == track.city_place[state.goal[player]]:
        state.due[player] = 1
