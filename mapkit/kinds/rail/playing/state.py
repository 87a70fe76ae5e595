"""Where a match stands: arrays that its procedures change."""

from typing import NamedTuple

import numpy as np

from mapkit.kinds.rail.playing import events
from mapkit.kinds.rail.playing.compiled import compiled
from mapkit.kinds.rail.playing.terms import Terms
from mapkit.kinds.rail.playing.track import Flags, Floats, Ints, TrackArrays
from mapkit.playing.compiling import packing
from mapkit.playing.streams import Streams, begin, below, new_streams

BANK = -1
NONE = -1

# purposes of random numbers; a player's number is added to the middle three
SETTING_UP, OF_BANK, DESTINATIONS, MOVES, DECISIONS, TRIALS = 0, 1, 2, 8, 14, 20
PURPOSES = 21
_OF_A_TURN = 1 << 10
"""Rolls of a turn have places of their own, so a player's dice do not follow from how he played before."""

# what is not of one player or railroad: places in `State.game`
RAISED, PURCHASES, GIFTS, TURNS, FIRST, WINNER, EVENTS, TROUBLE = range(8)
GAME = 8

# why a match was broken off
NO_WAY, NO_END = 1, 2

# fields of an event: code, player, then three numbers
EVENT_WIDTH = 5
MOST_EVENTS = 400_000


class State(NamedTuple):
    """Where a match stands. P players; the third owner of two players is number P (RB-T01)."""

    streams: Streams
    cash: Ints
    """P + 1."""
    engine: Ints
    home: Ints
    """A city."""
    city: Ints
    """The city where the trip began, or where the train stands."""
    goal: Ints
    """The city to which the trip leads: the destination or, while declared, the alternate; NONE before it is rolled."""
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
    """How many turns a player has begun."""
    fallback: Flags
    """RB-W21: heads for the alternate after losing declared status, and may use track again."""
    owner: Ints
    """R: a player, or BANK."""
    bought: Flags
    """R: whether somebody bought it at some time (RB-F06)."""
    kept_fee: Ints
    """P x R: the fee at which a train is established (RB-F11), or NONE."""
    used: Flags
    """P x pieces: used in this trip (RB-M07)."""
    homeward: Flags
    """P x pieces: used while heading home (RB-W21)."""
    titles: Ints
    """Titles of each engine that the bank has (RB-C15)."""
    decliner: Ints
    """R: in a trial, who never buys it from the bank; or NONE."""
    favoured: Ints
    """R: in a trial, who gets part of its price back; or NONE."""
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
    """What is of no player or railroad."""
    # of the whole match
    events: Ints
    """Events x 5; without rows where nobody listens."""
    tally: Floats
    """P x figures, see `tally`."""
    ridden: Ints
    """S: how often each segment was ridden."""
    visits: Ints
    """C: arrivals."""
    income: Ints
    """R: fees that each railroad earned for an owner."""
    first_owner: Ints
    """R: who bought it first, or NONE."""
    sold_out_owner: Ints
    """R: who owned it when the fee was raised, or NONE."""


class Scratch(NamedTuple):
    """Room for searches, the same for all."""

    cost: Floats
    came: Ints
    """The arm by which a milepost was reached."""
    before: Ints
    """The milepost before it."""
    length: Ints
    """The steps to it."""
    payees: Ints
    """Bits: who gets a fee for the steps of this turn."""
    seen: Ints
    """The search in which a milepost was reached, and in which it was left for good."""
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
    """R: what a turn on each railroad costs."""
    nowhere: Ints
    """M zeros: the least steps to a milepost of which nothing is known."""


pack_state = packing(State)
pack_scratch = packing(Scratch)

# figures of a player: places in `State.tally`
TRIPS, PAYOFFS, FEES_PAID, FEES_EARNED, BOUGHT, ROVERS, CAUGHT, BANKRUPT, STEPS_RIDDEN = range(9)
FIGURES = 9


def _ints(size: int) -> Ints:
    return np.zeros(size, np.int64)


def _flags(size: int) -> Flags:
    return np.zeros(size, np.uint8)


def new_state(track: TrackArrays, terms: Terms, seed: int, *, listening: bool = False) -> State:
    """Return room for a match; `start` sets it up."""
    players, railroads = terms.players, len(track.price)
    shape = (players, track.piece_count)
    return State(
        streams=new_streams(seed, PURPOSES),
        cash=_ints(players + 1),
        engine=_ints(players),
        home=_ints(players),
        city=_ints(players),
        goal=_ints(players),
        at=_ints(players),
        declared=_flags(players),
        playing=_flags(players),
        due=_flags(players),
        announced=_flags(players),
        line=_ints(players),
        turn=_ints(players),
        fallback=_flags(players),
        owner=_ints(railroads),
        bought=_flags(railroads),
        kept_fee=np.zeros((players, railroads), np.int64),
        used=np.zeros(shape, np.uint8),
        homeward=np.zeros(shape, np.uint8),
        titles=_ints(3),
        decliner=_ints(railroads),
        favoured=_ints(railroads),
        bank_due=_ints(1),
        own_due=_flags(railroads),
        fee_due=_ints(players + 1),
        due_for=_ints(players + 1),
        game=_ints(GAME),
        events=np.zeros((MOST_EVENTS if listening else 0, EVENT_WIDTH), np.int64),
        tally=np.zeros((players, FIGURES)),
        ridden=_ints(len(track.railroad)),
        visits=_ints(len(track.city_place)),
        income=_ints(railroads),
        first_owner=_ints(railroads),
        sold_out_owner=_ints(railroads),
    )


def new_scratch(track: TrackArrays) -> Scratch:
    """Return room for searches on a board."""
    places, segments, arms = len(track.leads) - 1, len(track.railroad), len(track.arm_to)
    return Scratch(
        cost=np.zeros(places),
        came=_ints(places),
        before=_ints(places),
        length=_ints(places),
        payees=_ints(places),
        seen=_ints(places),
        done=_ints(places),
        banned=_ints(segments),
        ban=np.ones(1, np.int64),
        search=_ints(1),
        heap_key=np.zeros(arms + 1),
        heap_item=_ints(arms + 1),
        way=_ints(2 * places),
        spare=_ints(2 * places),
        toll=np.zeros(len(track.price)),
        nowhere=_ints(places),
    )


@compiled
def copy_numbers(source: Ints | Floats, target: Ints | Floats, count: int) -> None:
    """Copy the first of some numbers. To assign a slice takes far longer to compile: shapes might differ."""
    for k in range(count):
        target[k] = source[k]


@compiled
def clear(state: State, terms: Terms, match: int) -> None:
    """Set everything to how it is before the first roll of a match."""
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
    state.tally[:, :] = 0.0
    state.income[:] = 0
    for railroad in range(len(state.owner)):
        trial = terms.rebate > 0
        state.decliner[railroad] = below(state.streams, TRIALS, terms.players) if trial else NONE
        state.favoured[railroad] = below(state.streams, TRIALS, terms.players) if trial else NONE
    new_turn(state)


@compiled
def turn_dice(state: State, player: int) -> None:
    """Go to where the stream of a player's moves has the dice of this turn."""
    state.streams.drawn[MOVES + player] = state.turn[player] * _OF_A_TURN


@compiled
def roll_die(state: State, stream: int, player: int, sides: int, colour: int) -> int:
    """Roll a die and return its pips."""
    pips = below(state.streams, stream, sides) + 1
    tell(state, events.DIE, player, pips, colour, 0)
    return pips


@compiled
def new_turn(state: State) -> None:
    """Forget what the turn before owed."""
    state.bank_due[0] = 0
    state.own_due[:] = 0
    state.fee_due[:] = 0


@compiled
def tell(state: State, code: int, player: int, one: int, two: int, three: int) -> None:
    """Note an event, where somebody listens."""
    number = state.game[EVENTS]
    if number < len(state.events):
        state.events[number, 0] = code
        state.events[number, 1] = player
        state.events[number, 2] = one
        state.events[number, 3] = two
        state.events[number, 4] = three
        state.game[EVENTS] = number + 1
