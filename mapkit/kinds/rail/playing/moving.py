"""Movement: dice, steps, rides, catching declared trains, arriving (RB-M, RB-B, RB-W13 to RB-W20)."""

from mapkit.core.arrays import Floats
from mapkit.kinds.rail.playing import events
from mapkit.kinds.rail.playing.compiled import compiled
from mapkit.kinds.rail.playing.deciding import choose_way
from mapkit.kinds.rail.playing.fees import ride_railroad
from mapkit.kinds.rail.playing.state import (
    CAUGHT,
    MOVES,
    NO_WAY,
    NONE,
    ROVERS,
    STEPS_RIDDEN,
    TROUBLE,
    Scratch,
    State,
    record_event,
    roll_die,
    seek_turn_dice,
)
from mapkit.kinds.rail.playing.terms import ALWAYS, ANY_DOUBLE, Terms
from mapkit.kinds.rail.playing.track import TrackArrays
from mapkit.kinds.rail.playing.trips import undeclare
from mapkit.kinds.rail.playing.wealth import announce_cash

_HIGHEST_PIPS = 6
_MAX_BITS = 62
"""Numbers of pips above count as different; dice with so many sides show doubles seldom."""


@compiled
def roll_whites(state: State, terms: Terms, player: int) -> tuple[int, bool]:
    """Roll the white dice; return their sum, and whether it earns the engine a bonus (RB-M01, RB-B01 to RB-B03)."""
    seek_turn_dice(state, player)
    pips_seen, double_count, six_count, pip_total = 0, 0, 0, 0
    for _ in range(terms.dice):
        pips = roll_die(state, MOVES + player, player, terms.sides, events.WHITE)
        pip_total += pips
        six_count += pips == _HIGHEST_PIPS
        if pips < _MAX_BITS:
            double_count += (pips_seen >> pips) & 1
            pips_seen |= 1 << pips
    trigger = terms.trigger[state.engine[player]]
    if trigger == ALWAYS:
        return pip_total, True
    return pip_total, (double_count > 0 if trigger == ANY_DOUBLE else six_count > 1)


@compiled
def roll_bonus(state: State, terms: Terms, player: int) -> int:
    """Roll the coloured dice (RB-B04)."""
    total = 0
    for _ in range(terms.bonus_dice):
        total += roll_die(state, MOVES + player, player, terms.sides, events.COLOURED)
    record_event(state, events.BONUS, player, total, 0, 0)
    return total


@compiled
def target_city(state: State, player: int) -> int:
    """Return the target city of a train: home while declared (RB-W07)."""
    return int(state.home[player] if state.declared[player] else state.goal[player])


@compiled
def move_train(
    track: TrackArrays,
    state: State,
    terms: Terms,
    scratch: Scratch,
    player: int,
    mileposts: int,
    known: int,
    minds: Floats,
) -> int:
    """Move a train, and return the mileposts left on arrival, or NONE if it does not arrive (RB-M11, RB-M12).

    Args:
        track: The board.
        state: The match.
        terms: The rules.
        scratch: Room for searches.
        player: Who moves.
        mileposts: What was rolled.
        known: Mileposts of a bonus that is rolled already (RB-B05).
        minds: Weights of all players.
    """
    city = target_city(state, player)
    if state.at[player] == track.city_place[city]:  # RB-W06 without the loss of a turn: at home, or at the alternate
        return mileposts
    way_length = choose_way(track, state, terms, scratch, player, city, mileposts + known, minds[player])
    if way_length <= 0:
        state.game[TROUBLE] = NO_WAY
        return NONE
    for k in range(min(way_length, mileposts)):
        next_arm = scratch.way[k]
        _ride_step(track, state, terms, player, track.arm_by[next_arm], track.arm_to[next_arm])
    return mileposts - way_length if way_length <= mileposts else NONE


@compiled
def _ride_step(track: TrackArrays, state: State, terms: Terms, player: int, segment: int, to: int) -> None:
    """Go to the next milepost, and catch every declared train there (RB-W13, RB-W15, RB-W19)."""
    ride_fee = ride_railroad(state, terms, player, track.railroad[segment])
    for k in range(track.piece_of[segment], track.piece_of[segment + 1]):
        state.used[player, track.pieces[k]] = 1
        if state.declared[player]:
            state.homeward[player, track.pieces[k]] = 1
    state.at[player] = to
    state.ridden[segment] += 1
    state.tally[player, STEPS_RIDDEN] += 1
    record_event(state, events.RIDES, player, segment, to, ride_fee)
    for other_player in range(terms.players):
        if (
            other_player != player
            and state.declared[other_player]
            and state.playing[other_player]
            and state.at[other_player] == to
        ):
            rover_payment = min(terms.rover, state.cash[other_player])
            state.cash[other_player] -= rover_payment
            state.cash[player] += rover_payment
            state.tally[player, ROVERS] += 1
            state.tally[other_player, CAUGHT] += 1
            record_event(state, events.CATCHES, player, other_player, rover_payment, 0)
            announce_cash(track, state, terms, player)
            undeclare(track, state, other_player)
