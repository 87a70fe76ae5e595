"""Match from the first roll to the win (RB-S, RB-P13)."""

from mapkit.core.arrays import Floats
from mapkit.kinds.rail.playing import events
from mapkit.kinds.rail.playing.compiled import called, compiled
from mapkit.kinds.rail.playing.deciding import swaps_home
from mapkit.kinds.rail.playing.fees import full_fee, keep_established_fee, pay_fees, total_debt
from mapkit.kinds.rail.playing.money import buy_after_payoff, pay_trip, run_opening_auctions, settle_fees
from mapkit.kinds.rail.playing.moving import move_train, roll_bonus, roll_whites
from mapkit.kinds.rail.playing.state import (
    FIRST,
    LEAD_CHANGES,
    LEADER,
    NEXT,
    NO_END,
    NONE,
    SETTING_UP,
    SWAP,
    TROUBLE,
    TURNS,
    WINNER,
    WORTH_EVERY,
    WORTH_TIMES,
    Scratch,
    State,
    ask_player,
    new_turn,
    pack_scratch,
    pack_state,
    record_event,
    reset_state,
    roll_die,
)
from mapkit.kinds.rail.playing.terms import AFTER_MOVE, ALWAYS, Terms, pack_terms
from mapkit.kinds.rail.playing.track import TrackArrays, pack_track
from mapkit.kinds.rail.playing.trips import (
    GOES_ON,
    WON,
    begin_trip,
    clear_trip,
    end_match,
    roll_home,
    undeclare,
)
from mapkit.kinds.rail.playing.wealth import announce_cash, can_win, net_worth_of, stays_declared

MOST_TURNS = 20_000
"""A longer match is broken off, because no player gets enough to win."""


@called
def play(track: TrackArrays, state: State, terms: Terms, scratch: Scratch, number: int, minds: Floats) -> None:
    """Play a match, as `play_packed` does, with plain tuples as input."""
    play_packed(pack_track(*track), pack_state(*state), pack_terms(*terms), pack_scratch(*scratch), number, minds)


@compiled
def play_packed(track: TrackArrays, state: State, terms: Terms, scratch: Scratch, number: int, minds: Floats) -> None:
    """Play a match; its winner is `state.game[WINNER]`, the reason for breaking it off `state.game[TROUBLE]`.

    Args:
        track: The board.
        state: Room for the match.
        terms: The rules.
        scratch: Room for searches.
        number: Number of the match; with the seed it determines all random numbers.
        minds: Players x weights.
    """
    begin_match(track, state, terms, number, minds)
    play_turns(track, state, terms, scratch, minds, MOST_TURNS)


@called
def play_part(
    track: TrackArrays, state: State, terms: Terms, scratch: Scratch, number: int, minds: Floats, turns: int
) -> None:
    """Begin match `number`, or with a negative one play on for at most so many turns; plain tuples as input."""
    packed_track, packed_state, packed_terms = pack_track(*track), pack_state(*state), pack_terms(*terms)
    if number >= 0:
        begin_match(packed_track, packed_state, packed_terms, number, minds)
    else:
        play_turns(packed_track, packed_state, packed_terms, pack_scratch(*scratch), minds, turns)


@compiled
def begin_match(track: TrackArrays, state: State, terms: Terms, number: int, minds: Floats) -> None:
    """Set a match up: order of play, homes, and opening auctions."""
    reset_state(state, terms, number)
    first_player = _roll_for_first(state, terms)
    state.game[FIRST] = first_player
    record_event(state, events.FIRST_PLAYER, first_player, 0, 0, 0)
    for k in range(terms.players):
        _roll_home_city(track, state, terms, (first_player + k) % terms.players)
    if terms.opening_auctions:
        run_opening_auctions(track, state, terms, first_player, minds)
    state.game[NEXT] = first_player


@compiled
def play_turns(track: TrackArrays, state: State, terms: Terms, scratch: Scratch, minds: Floats, turns: int) -> None:
    """Play until the match ends, for at most so many turns, or until a question lacks its answer."""
    turns_left = turns
    while state.game[WINNER] == NONE and state.game[TROUBLE] == 0:
        player = state.game[NEXT]
        if state.playing[player]:
            if turns_left == 0:
                return
            turns_left -= 1
            state.game[TURNS] += 1
            record_event(state, events.TURN, player, 0, 0, 0)
            take_turn(track, state, terms, scratch, player, minds)
            _record_wealth(track, state, terms)
            if state.game[TURNS] >= MOST_TURNS:
                state.game[TROUBLE] = NO_END
        state.game[NEXT] = (player + 1) % terms.players
    winner = state.game[WINNER]
    if winner != NONE:
        end_match(state, winner)


@compiled
def _record_wealth(track: TrackArrays, state: State, terms: Terms) -> None:
    """Record after a turn who leads by net worth, and now and then the wealth of all; nobody decides by it."""
    turn, leader, most = state.game[TURNS], state.game[LEADER], 0
    moment = turn // (terms.players * WORTH_EVERY) - 1
    is_moment = turn % (terms.players * WORTH_EVERY) == 0 and moment < WORTH_TIMES
    if leader != NONE:
        most = net_worth_of(track, state, terms, leader)
    for p in range(terms.players):
        worth = net_worth_of(track, state, terms, p)
        if state.playing[p] and worth > most:
            leader, most = p, worth
        if is_moment:
            state.wealth[p, moment, 0] = state.cash[p]
            state.wealth[p, moment, 1] = worth
    if leader != state.game[LEADER] and state.game[LEADER] != NONE:
        state.game[LEAD_CHANGES] += 1
    state.game[LEADER] = leader
    for p in range(terms.players):
        if p == leader:
            state.led[p] = turn
        else:
            state.behind[p] = turn


@compiled
def _roll_for_first(state: State, terms: Terms) -> int:
    """Return the player who rolls highest; ties roll again, or the first to roll wins (RB-S04)."""
    while True:
        best_total, best_player, tie_count = 0, 0, 0
        for p in range(terms.players):
            total = 0
            for _ in range(terms.first_dice):
                total += roll_die(state, SETTING_UP, p, terms.sides, events.WHITE)
            record_event(state, events.ROLLS_FIRST, p, total, 0, 0)
            if total > best_total:
                best_total, best_player, tie_count = total, p, 0
            elif total == best_total:
                tie_count += 1
        if tie_count == 0 or terms.reroll_ties == 0:
            return best_player


@compiled
def _roll_home_city(track: TrackArrays, state: State, terms: Terms, player: int) -> None:
    """Roll a home city; a taken one is rolled again if the rules say so (RB-S06 to RB-S08)."""
    while True:  # it ends: there are as many homes as players (`terms_of`)
        city = roll_home(track, state, player)
        is_taken = False
        for other_player in range(terms.players):
            if other_player != player and state.home[other_player] != NONE:
                is_same = state.home[other_player] == city
                is_twin = terms.twins_are_one and track.city_place[state.home[other_player]] == track.city_place[city]
                is_taken = is_taken or is_same or bool(is_twin)
        if not is_taken or terms.homes_differ == 0:
            break
        record_event(state, events.HOME_TAKEN, player, city, 0, 0)
    state.home[player] = city
    state.city[player] = city
    state.at[player] = track.city_place[city]
    record_event(state, events.HOME, player, city, 0, 0)


@compiled
def take_turn(track: TrackArrays, state: State, terms: Terms, scratch: Scratch, player: int, minds: Floats) -> None:
    """Play one turn: trip, roll, move, payoff, purchase, bonus, fees, win (RB-P13)."""
    new_turn(state)
    state.turn[player] += 1
    is_opening = state.line[player] == NONE and state.goal[player] == NONE
    if state.due[player]:
        state.due[player] = 0
        pay_trip(track, state, terms, player, state.goal[player])
        buy_after_payoff(track, state, terms, player, minds)
    if state.goal[player] == NONE:
        trip_begun = begin_trip(track, state, terms, player, minds)
        if trip_begun == WON:
            state.game[WINNER] = player
            return
        if trip_begun != GOES_ON:
            return
        if is_opening and terms.home_swap and state.home[player] == state.city[player]:
            _offer_swap(track, state, terms, player, minds)
    engine = state.engine[player]  # the engine at the roll decides the bonus (RB-B09)
    total, earns_bonus = roll_whites(state, terms, player)
    record_event(state, events.ROLLS, player, total, 1 if earns_bonus else 0, 0)
    bonus_known = 0
    if earns_bonus and terms.timing != AFTER_MOVE and terms.trigger[engine] == ALWAYS:
        bonus_known = roll_bonus(state, terms, player)
    mileposts_left = move_train(track, state, terms, scratch, player, total, bonus_known, minds)
    is_movement_over = mileposts_left != NONE and _arrive(track, state, terms, player, 1 if earns_bonus else 0, minds)
    if earns_bonus and not is_movement_over:
        _move_bonuses(track, state, terms, scratch, player, bonus_known, minds)
    if state.game[WINNER] == NONE:
        _end_turn(track, state, terms, player, minds)


@compiled
def _move_bonuses(
    track: TrackArrays, state: State, terms: Terms, scratch: Scratch, player: int, known: int, minds: Floats
) -> None:
    """Move by bonus rolls, on a new trip where the last one ended; arriving ends it (RB-B04 to RB-B12)."""
    for _ in range(terms.bonuses):
        if state.game[TROUBLE]:
            return
        if state.goal[player] == NONE:  # bounces out (RB-B10)
            trip_begun = begin_trip(track, state, terms, player, minds)
            if trip_begun == WON:
                pay_fees(track, state, terms, player)
                state.game[WINNER] = player
            if trip_begun != GOES_ON:
                return
        distance = known if known > 0 else roll_bonus(state, terms, player)
        known = 0
        if move_train(track, state, terms, scratch, player, distance, 0, minds) != NONE:
            _arrive(track, state, terms, player, 0, minds)
            return


@compiled
def _offer_swap(track: TrackArrays, state: State, terms: Terms, player: int, minds: Floats) -> None:
    """Let a player exchange home and first destination; he is established where he starts then (RB-S11, RB-S12)."""
    if not ask_player(state, player, SWAP, NONE, int(swaps_home(track, state, player, minds[player]))):
        return
    old_home, old_goal = state.home[player], state.goal[player]
    state.home[player], state.city[player], state.goal[player] = old_goal, old_goal, old_home
    state.first_goal[player] = old_home
    state.at[player] = track.city_place[old_goal]
    state.kept_fee[player, :] = NONE  # those of the home that was
    record_event(state, events.SWAPS_HOME, player, old_goal, old_home, 0)
    for railroad in range(len(state.owner)):
        if track.serves[railroad, state.at[player]]:
            keep_established_fee(state, player, railroad, terms.bank_fee, full_fee(state, terms, player, railroad))


@compiled
def _arrive(track: TrackArrays, state: State, terms: Terms, player: int, pending: int, minds: Floats) -> bool:
    """Arrive at a destination or, declared, at home; return whether the turn's movement ends.

    Args:
        track: The board.
        state: The match.
        terms: The rules.
        player: Who arrives.
        pending: Whether a bonus is due.
        minds: Weights of all players.
    """
    if state.declared[player] == 0:
        pay_trip(track, state, terms, player, state.goal[player])
        buy_after_payoff(track, state, terms, player, minds)
        return False
    if state.goal[player] != NONE and track.city_place[state.goal[player]] == state.at[player]:
        pay_trip(track, state, terms, player, state.goal[player])  # home is the alternate too (RB-W08)
        if not can_win(track, state, terms, player, total_debt(state, terms)):
            buy_after_payoff(track, state, terms, player, minds)  # a player who wins anyway does not buy (RB-P03)
    if not pending:
        return True
    if terms.fees_first and can_win(track, state, terms, player, total_debt(state, terms)):  # RB-W10
        return True
    _lose_home_run(track, state, player)
    return False


@compiled
def _lose_home_run(track: TrackArrays, state: State, player: int) -> None:
    """Stand at home without enough to win: the alternate is the destination, or was reached (RB-W24)."""
    if state.goal[player] == NONE:
        state.declared[player] = 0
        record_event(state, events.UNDECLARED, player, 0, 0, 0)
    else:
        undeclare(track, state, player)


@compiled
def _end_turn(track: TrackArrays, state: State, terms: Terms, player: int, minds: Floats) -> None:
    """Settle the fees, then win or lose declared status by the remaining cash (RB-F01, RB-W01, RB-W24)."""
    settle_fees(track, state, terms, player, minds)
    if state.playing[player] == 0 or state.game[WINNER] != NONE:
        return
    announce_cash(track, state, terms, player)
    if state.declared[player] == 0:
        return
    at_home = state.at[player] == track.city_place[state.home[player]]
    if at_home and can_win(track, state, terms, player, 0):
        state.game[WINNER] = player
    elif at_home:
        _lose_home_run(track, state, player)
    elif not stays_declared(track, state, terms, player):
        undeclare(track, state, player)
    if state.goal[player] == NONE:
        clear_trip(state, player)
