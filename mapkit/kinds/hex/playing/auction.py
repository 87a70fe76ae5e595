"""Auction of the first place, in three bidding styles, and the order of turns (RW-A, RW-T05)."""

from typing import Final

from mapkit.kinds.hex.playing.state import HexState, pay_bank, refuse_move
from mapkit.kinds.hex.playing.terms import NOBODY, HexTerms, Move

BID_UNIT: Final = 1000
"""Bids, and half bids rounded up, are whole thousands of dollars."""


def begin_auction(terms: HexTerms, state: HexState) -> None:
    """Begin the auction phase: the previous first player bids first (RW-A02); worst is first has one only (RW-A08)."""
    state.bids = [0] * terms.players
    state.passed = []
    if terms.board.rules.auction.style == "worst-is-first" and state.turn > 1:
        order_by_points(state)
        return
    state.phase = "auction"
    state.bidders = clockwise_from(terms, state.first)


def clockwise_from(terms: HexTerms, first: int) -> list[int]:
    """Return the players clockwise from one (RW-T05)."""
    return [(first + offset) % terms.players for offset in range(terms.players)]


def order_by_points(state: HexState) -> None:
    """Order players by points, the fewest first; of a tie, the later player of the old order (RW-A08, RW-A09, D63)."""
    places = {player: place for place, player in enumerate(state.order)}
    state.order = sorted(state.order, key=lambda player: (state.points[player], -places[player]))
    state.first = state.order[0]
    begin_actions(state)


def least_bid(terms: HexTerms, state: HexState) -> int:
    """Return the least legal bid (RW-A01)."""
    highest = max(state.bids)
    return highest + BID_UNIT if highest else max(terms.board.rules.auction.minimum_bid, BID_UNIT)


def place_bid(terms: HexTerms, state: HexState, move: Move) -> None:
    """Carry out a bid (RW-A01, RW-A02)."""
    if move.amount < least_bid(terms, state) or move.amount % BID_UNIT:
        refuse_move("RW-A01", f"a bid of ${move.amount:,}; bid ${least_bid(terms, state):,} or whole thousands more")
    player = state.bidders.pop(0)
    state.bids[player] = move.amount
    state.bidders.append(player)
    if len(state.bidders) == 1:
        end_auction(terms, state)


def pass_bid(terms: HexTerms, state: HexState, _move: Move) -> None:
    """Carry out a pass, which is final (RW-A02)."""
    state.passed.append(state.bidders.pop(0))
    if not state.bidders or (len(state.bidders) == 1 and max(state.bids)):
        end_auction(terms, state)


def end_auction(terms: HexTerms, state: HexState) -> None:
    """Let bidders pay, and order the players for the turn (RW-A03 to RW-A08, RW-A11)."""
    rules = terms.board.rules.auction
    winner = state.bidders[0] if state.bidders else NOBODY
    if winner != NOBODY:
        pay_bank(terms, state, winner, state.bids[winner])
    if rules.style == "first-to-pass":
        for player in state.passed:
            pay_bank(terms, state, player, passer_payment(terms, state.bids[player]))
        state.order = [*state.bidders, *reversed(state.passed)]
    else:
        first = winner if winner != NOBODY else (state.first + 1) % terms.players
        state.order = clockwise_from(terms, first)
    if state.executives:
        chairman = state.executives.pop(0)
        place = state.order.index(chairman)
        state.order = (
            [chairman, *(player for player in state.order if player != chairman)]
            if rules.style == "first-to-pass"
            else state.order[place:] + state.order[:place]
        )
    state.first = state.order[0]
    begin_actions(state)


def passer_payment(terms: HexTerms, bid: int) -> int:
    """Return the payment of a passer: half the own bid, rounded up to whole thousands (RW-A05)."""
    share = bid * terms.board.rules.auction.passer_pays_percent
    return -(-share // (100 * BID_UNIT)) * BID_UNIT


def begin_actions(state: HexState) -> None:
    """Begin the phase of actions; the order stays for all its rounds (RW-A11)."""
    state.phase, state.round, state.at, state.bidders = "actions", 1, 0, []
    state.actions = [[] for _ in state.cash]
