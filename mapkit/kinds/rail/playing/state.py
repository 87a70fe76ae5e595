"""State of a match: arrays that its procedures change."""

from typing import NamedTuple

import numpy as np

from mapkit.core.arrays import Floats, Ints
from mapkit.kinds.rail.playing import events
from mapkit.kinds.rail.playing.compiled import compiled
from mapkit.kinds.rail.playing.terms import Terms
from mapkit.kinds.rail.playing.track import Flags, TrackArrays
from mapkit.playing.compiling import packing
from mapkit.playing.streams import Streams, begin, below, new_streams

BANK = -1
NONE = -1

# purposes of random numbers; a player's number is added to the middle three
SETTING_UP, OF_BANK, DESTINATIONS, MOVES, DECISIONS, TRIALS = 0, 1, 2, 8, 14, 20
PURPOSES = 21
_ROLLS_PER_TURN = 1 << 10
"""Each turn has its own range of the random stream, so a player's dice do not depend on his earlier play."""

# figures of the whole match: places in `State.game`
RAISED, PURCHASES, GIFTS, TURNS, FIRST, WINNER, EVENTS, TROUBLE, LEADER, LEAD_CHANGES, NEXT = range(11)
GAME = 11
WORTH_EVERY = 10
"""Rounds between two records of wealth."""
WORTH_TIMES = 10

# reasons for breaking off a match
NO_WAY, NO_END = 1, 2

# fields of an event: code, player, then three numbers
EVENT_WIDTH = 5
MOST_EVENTS = 400_000

# decisions that players written in Python take, and places in `State.question`
PURCHASE, REGION, DECLARE, BID, SALE, SWAP = range(6)
ASKED, GIVEN, KIND, WHO, CHOICE, SUBJECT, FORK, FORK_KEY = range(8)
QUESTION = 8
MOST_ANSWERS = 1_000
"""Of a turn, all players together."""
OFFERS = 3
"""Items before the railroads in `State.offers`: two engines, and nothing."""


class State(NamedTuple):
    """State of a match. P players; the third owner of two players is number P (RB-T01)."""

    streams: Streams
    cash: Ints
    """P + 1."""
    engine: Ints
    home: Ints
    """A city."""
    city: Ints
    """The city where the trip began, or where the train stands."""
    goal: Ints
    """Target city of the trip: the destination or, while declared, the alternate; NONE before it is rolled."""
    at: Ints
    """A milepost."""
    declared: Flags
    playing: Flags
    """Whether a player is neither bankrupt nor the third owner."""
    due: Flags
    """RB-W23: stands at the alternate, and arrives at the start of the next turn."""
    announced: Flags
    """RB-I02: has announced."""
    line: Ints
    """The railroad that was ridden last."""
    turn: Ints
    """Number of turns that a player has begun."""
    fallback: Flags
    """RB-W21: heads for the alternate after losing declared status, and may use track again."""
    owner: Ints
    """R: a player, or BANK."""
    bought: Flags
    """R: whether it was ever bought (RB-F06)."""
    kept_fee: Ints
    """P x R: the fee at which a train is established (RB-F11), or NONE."""
    used: Flags
    """P x pieces: used in this trip (RB-M07)."""
    homeward: Flags
    """P x pieces: used while heading home (RB-W21)."""
    titles: Ints
    """Titles of each engine that the bank has (RB-C15)."""
    decliner: Ints
    """R: in a trial, the player who never buys it from the bank; or NONE."""
    favoured: Ints
    """R: in a trial, the player who gets part of its price back; or NONE."""
    asks: Flags
    """P: whether decisions of the player come from outside."""
    answers: Ints
    """Decisions of this turn that are taken."""
    question: Ints
    """Questions and answers of this turn: how many, and the first without an answer (`ask_player`)."""
    offers: Ints
    """Price of each item that may be bought when the question is a purchase, from SuperChief on; or UNLIMITED."""
    seen: Ints
    """What the players see at the first question without an answer: P + 1 cash, then P x 6, then R owners."""
    # of the turn that is played
    bank_due: Ints
    """1: for bank-held railroads."""
    own_due: Flags
    """R: own railroads that were ridden."""
    fee_due: Ints
    """P + 1: to each opponent."""
    due_for: Ints
    """P + 1: the railroad for which it is owed."""
    game: Ints
    """Figures of the whole match."""
    # of the whole match
    events: Ints
    """Events x 5; without rows if events are not recorded."""
    tally: Floats
    """P x figures, see `tally`."""
    ridden: Ints
    """S: rides on each segment."""
    visits: Ints
    """C: arrivals."""
    income: Ints
    """R: fees that each railroad earned for an owner."""
    first_owner: Ints
    """R: first buyer, or NONE."""
    sold_out_owner: Ints
    """R: owner when the fee was raised, or NONE."""
    first_goal: Ints
    """P: first destination, a city."""
    first_item: Ints
    """P: first purchase: a railroad, or the number of railroads plus an engine; or NONE."""
    led: Ints
    """P: the last turn, of all players' turns, at which the player led by net worth."""
    behind: Ints
    """P: the last turn at which the player did not lead."""
    wealth: Ints
    """P x times x 2: cash and net worth after each `WORTH_EVERY` rounds."""


class Scratch(NamedTuple):
    """Working arrays of searches, shared by all."""

    cost: Floats
    came: Ints
    """The arm by which a milepost was reached."""
    before: Ints
    """The milepost before it."""
    length: Ints
    """The steps to it."""
    payees: Ints
    """Bits: recipients of a fee for the steps of this turn."""
    seen: Ints
    """Number of the last search that reached a milepost; in `done`, of the last that settled it."""
    done: Ints
    banned: Ints
    """S: marked with `ban` if the segment may not be used."""
    ban: Ints
    """1."""
    search: Ints
    """1: the number of the search."""
    heap_key: Floats
    heap_item: Ints
    way: Ints
    """Arms, from the first step on."""
    spare: Ints
    """A second way."""
    toll: Floats
    """R: weighted fee of a turn on each railroad."""
    nowhere: Ints
    """M zeros: lower bounds of the steps to a milepost without known distances."""


pack_state = packing(State)
pack_scratch = packing(Scratch)

# figures of a player: places in `State.tally`
TRIPS, PAYOFFS, FEES_PAID, FEES_EARNED, BOUGHT, ROVERS, CAUGHT, BANKRUPT, STEPS_RIDDEN = range(9)
FIGURES = 9


def _zero_ints(size: int) -> Ints:
    return np.zeros(size, np.int64)


def _zero_flags(size: int) -> Flags:
    return np.zeros(size, np.uint8)


def new_state(track: TrackArrays, terms: Terms, seed: int, *, listening: bool = False) -> State:
    """Allocate the state of a match; `clear` sets it up."""
    player_count, railroad_count = terms.players, len(track.price)
    piece_shape = (player_count, track.piece_count)
    return State(
        streams=new_streams(seed, PURPOSES),
        cash=_zero_ints(player_count + 1),
        engine=_zero_ints(player_count),
        home=_zero_ints(player_count),
        city=_zero_ints(player_count),
        goal=_zero_ints(player_count),
        at=_zero_ints(player_count),
        declared=_zero_flags(player_count),
        playing=_zero_flags(player_count),
        due=_zero_flags(player_count),
        announced=_zero_flags(player_count),
        line=_zero_ints(player_count),
        turn=_zero_ints(player_count),
        fallback=_zero_flags(player_count),
        owner=_zero_ints(railroad_count),
        bought=_zero_flags(railroad_count),
        kept_fee=np.zeros((player_count, railroad_count), np.int64),
        used=np.zeros(piece_shape, np.uint8),
        homeward=np.zeros(piece_shape, np.uint8),
        titles=_zero_ints(3),
        decliner=_zero_ints(railroad_count),
        favoured=_zero_ints(railroad_count),
        asks=_zero_flags(player_count),
        answers=_zero_ints(MOST_ANSWERS),
        question=_zero_ints(QUESTION),
        offers=_zero_ints(OFFERS + railroad_count + len(terms.group_price)),
        seen=_zero_ints(7 * player_count + 1 + railroad_count),
        bank_due=_zero_ints(1),
        own_due=_zero_flags(railroad_count),
        fee_due=_zero_ints(player_count + 1),
        due_for=_zero_ints(player_count + 1),
        game=_zero_ints(GAME),
        events=np.zeros((MOST_EVENTS if listening else 0, EVENT_WIDTH), np.int64),
        tally=np.zeros((player_count, FIGURES)),
        ridden=_zero_ints(len(track.railroad)),
        visits=_zero_ints(len(track.city_place)),
        income=_zero_ints(railroad_count),
        first_owner=_zero_ints(railroad_count),
        sold_out_owner=_zero_ints(railroad_count),
        first_goal=_zero_ints(player_count),
        first_item=_zero_ints(player_count),
        led=_zero_ints(player_count),
        behind=_zero_ints(player_count),
        wealth=np.zeros((player_count, WORTH_TIMES, 2), np.int64),
    )


def new_scratch(track: TrackArrays) -> Scratch:
    """Allocate the working arrays of searches on a board."""
    place_count, segment_count, arm_count = len(track.leads) - 1, len(track.railroad), len(track.arm_to)
    return Scratch(
        cost=np.zeros(place_count),
        came=_zero_ints(place_count),
        before=_zero_ints(place_count),
        length=_zero_ints(place_count),
        payees=_zero_ints(place_count),
        seen=_zero_ints(place_count),
        done=_zero_ints(place_count),
        banned=_zero_ints(segment_count),
        ban=np.ones(1, np.int64),
        search=_zero_ints(1),
        heap_key=np.zeros(arm_count + 1),
        heap_item=_zero_ints(arm_count + 1),
        way=_zero_ints(2 * place_count),
        spare=_zero_ints(2 * place_count),
        toll=np.zeros(len(track.price)),
        nowhere=_zero_ints(place_count),
    )


@compiled
def copy_numbers(source: Ints | Floats, target: Ints | Floats, count: int) -> None:
    """Copy the first `count` numbers; assigning a slice takes far longer to compile."""
    for k in range(count):
        target[k] = source[k]


@compiled
def reset_state(state: State, terms: Terms, match: int) -> None:
    """Reset everything to the state before the first roll of a match."""
    begin(state.streams, match)
    state.cash[:] = terms.cash
    state.cash[terms.players] = 0
    state.engine[:] = terms.engine
    state.home[:] = NONE
    state.city[:] = NONE
    state.goal[:] = NONE
    state.at[:] = NONE
    state.declared[:] = 0
    state.playing[:] = 1
    state.due[:] = 0
    state.announced[:] = 0
    state.line[:] = NONE
    state.turn[:] = 0
    state.fallback[:] = 0
    state.owner[:] = BANK
    state.bought[:] = 0
    state.kept_fee[:, :] = NONE
    state.used[:, :] = 0
    state.homeward[:, :] = 0
    state.titles[:] = terms.titles
    state.game[:] = 0
    state.game[WINNER] = NONE
    state.first_owner[:] = NONE
    state.sold_out_owner[:] = NONE
    state.first_goal[:] = NONE
    state.first_item[:] = NONE
    state.game[LEADER] = NONE
    state.led[:] = 0
    state.behind[:] = 0
    state.wealth[:, :, :] = 0
    state.tally[:, :] = 0.0
    state.income[:] = 0
    for railroad in range(len(state.owner)):
        is_trial = terms.rebate > 0
        state.decliner[railroad] = below(state.streams, TRIALS, terms.players) if is_trial else NONE
        state.favoured[railroad] = below(state.streams, TRIALS, terms.players) if is_trial else NONE
    new_turn(state)


@compiled
def ask_player(state: State, player: int, kind: int, subject: int, choice: int) -> int:
    """Return the decision of a player: his own choice, unless he is asked and has answered.

    Play goes on by his own choice after the first question without an answer, which is recorded with what he sees. The
    caller then restores the state before the turn, adds the answer and plays the turn again. From answer `FORK` on all
    dice are others, so that nobody who tries out an answer sees the dice to come.
    """
    if state.asks[player] == 0:
        return choice
    number = state.question[ASKED]
    state.question[ASKED] = number + 1
    if number < state.question[GIVEN]:
        if number == state.question[FORK]:
            state.streams.key[0] = np.uint64(state.question[FORK_KEY])
        return int(state.answers[number])
    if number == state.question[GIVEN]:
        for place, value in ((KIND, kind), (WHO, player), (CHOICE, choice), (SUBJECT, subject)):
            state.question[place] = value
        players = len(state.asks)
        for p in range(players + 1):
            state.seen[p] = state.cash[p]
        for p in range(players):
            row = players + 1 + 6 * p
            state.seen[row] = state.engine[p]
            state.seen[row + 1] = state.home[p]
            state.seen[row + 2] = state.city[p]
            state.seen[row + 3] = state.goal[p]
            state.seen[row + 4] = state.at[p]
            state.seen[row + 5] = state.playing[p] + state.declared[p]
        for railroad in range(len(state.owner)):
            state.seen[7 * players + 1 + railroad] = state.owner[railroad]
    return choice


@compiled
def seek_turn_dice(state: State, player: int) -> None:
    """Move to the place of this turn's dice in the stream of a player's moves."""
    state.streams.drawn[MOVES + player] = state.turn[player] * _ROLLS_PER_TURN


@compiled
def roll_die(state: State, stream: int, player: int, sides: int, colour: int) -> int:
    """Roll a die and return its pips."""
    pips = below(state.streams, stream, sides) + 1
    record_event(state, events.DIE, player, pips, colour, 0)
    return pips


@compiled
def new_turn(state: State) -> None:
    """Clear the debts of the turn before."""
    state.bank_due[0] = 0
    state.own_due[:] = 0
    state.fee_due[:] = 0


@compiled
def record_event(state: State, code: int, player: int, one: int, two: int, three: int) -> None:
    """Record an event, if events are recorded."""
    event_number = state.game[EVENTS]
    if event_number < len(state.events):
        state.events[event_number, 0] = code
        state.events[event_number, 1] = player
        state.events[event_number, 2] = one
        state.events[event_number, 3] = two
        state.events[event_number, 4] = three
        state.game[EVENTS] = event_number + 1
