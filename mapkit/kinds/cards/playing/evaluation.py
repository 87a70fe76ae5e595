"""Evaluation of positions: their worth at the end, and the income of holdings."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from mapkit.kinds.cards.playing import railroads
from mapkit.kinds.cards.playing.state import BANK, GameState
from mapkit.kinds.cards.playing.terms import CardTerms, Move

_UNFLOATED_SHARE: Final = 0.4
"""How much of what a holding would earn counts while it has no capital."""
_MOST_USEFUL_TILL: Final = 1_000
"""Cash of a holding that may still buy something, at most: what is kept beyond it is worth nothing at the end."""
_IDLE_VALUE: Final = 1e-6
"""What it is worth to do nothing, so that it comes before what brings nothing."""


@dataclass(frozen=True)
class Weights:
    """Weights of an evaluation.

    Args:
        rounds: Operating rounds over which income counts.
        growth: How much of the rise of a share value with each of them counts.
        till: How much of the cash of holdings that a player directs counts, by its shares, while there are railroads to
            buy.
        cover: Income that a holding without a railroad is expected to buy, as a share of its till.
        noise: By how many dollars a position is misjudged, a standard deviation.
        haggle: By what share of its worth an investor is misjudged, a standard deviation.
    """

    rounds: float = 4.0
    growth: float = 0.6
    till: float = 0.25
    cover: float = 0.12
    noise: float = 15.0
    haggle: float = 0.15


Stake = tuple[int, int, int, int, bool, int]
"""How a holding stands, as far as a trade changes it: a plain tuple, for many are made.

Per cent of the player who judges, and of the other; line of its share value; its cash, dollars; whether it may operate;
its Director.
"""


def holding_stake(state: GameState, player: int, holding: int) -> Stake:
    """Return the state of a holding for a player."""
    return (
        state.share[player][holding],
        state.share[1 - player][holding],
        state.line[holding],
        state.till[holding],
        state.floated[holding],
        state.boss[holding],
    )


def estimate_advantage(terms: CardTerms, state: GameState, player: int, weights: Weights) -> float:
    """Return the advantage of a player's outlook over that of the other, in dollars."""
    till_weight = weights.till if state.stack else 0.0
    total_advantage = float(state.cash[player] - state.cash[1 - player])
    for holding in range(terms.holdings):
        earned = railroads.holding_revenue(terms, state, holding)
        total_advantage += _holding_advantage(
            terms, weights, player, holding_stake(state, player, holding), earned, till_weight
        )
    return total_advantage


def judge_trades(
    terms: CardTerms, state: GameState, weights: Weights, moves: Sequence[Move]
) -> list[tuple[float, Move]]:
    """Return moves of a stock round with the gain in advantage of their player, dollars.

    A trade changes cash and one holding, so it is not carried out, and only that holding is looked at.
    """
    player = state.actor
    till_weight = weights.till if state.stack else 0.0
    holding_values: dict[int, tuple[Stake, int, float]] = {}
    gain_and_move = []
    for move in moves:
        kind = move.kind
        if kind in ("pass", "done"):
            gain_and_move.append((_IDLE_VALUE, move))
            continue
        holding = move.a if kind == "start" else terms.shares[move.a].holding
        if holding not in holding_values:
            stake_before, earned = (
                holding_stake(state, player, holding),
                railroads.holding_revenue(terms, state, holding),
            )
            holding_values[holding] = (
                stake_before,
                earned,
                _holding_advantage(terms, weights, player, stake_before, earned, till_weight),
            )
        stake_before, earned, advantage_before = holding_values[holding]
        money, stake_after = after_trade(terms, state, move, holding, stake_before)
        gain_and_move.append(
            (
                money + _holding_advantage(terms, weights, player, stake_after, earned, till_weight) - advantage_before,
                move,
            )
        )
    return gain_and_move


def after_trade(terms: CardTerms, state: GameState, move: Move, holding: int, stake: Stake) -> tuple[int, Stake]:
    """Return the cash of a trade, and the state of its holding after it, as `moves.carry_out` would leave it.

    Args:
        terms: The game.
        state: Where it stands; it is not changed.
        move: A legal trade of who is to move.
        holding: What is traded.
        stake: How it stands now.
    """
    player, market = state.actor, terms.game.rules.market
    own_percent, other_percent, value_line, till_cash, is_floated, director = stake
    if move.kind == "start":
        value_line, director, percent = move.b, player, terms.chair_percent[holding]
    else:
        percent = terms.shares[move.a].percent
        if move.kind in ("swap-up", "swap-down"):
            percent = abs(percent - terms.shares[move.b].percent)
    if move.kind in ("sell", "swap-down"):
        cash_gained = terms.values[state.sold_at.get(holding, value_line)] * percent // 10
        own_percent -= percent
        if director == player and holding not in state.sold_at:
            value_line = max(0, value_line - market.seller_down)
    else:
        cash_gained = -(terms.values[value_line] * percent // 10)
        own_percent += percent
        if not is_floated and own_percent + other_percent >= market.sold_to_operate:
            is_initial_capital = terms.game.rules.disputes.capital == "initial" and move.kind != "start"
            is_floated = True
            till_cash += market.capital * terms.values[state.opened[holding] if is_initial_capital else value_line]
    if director == player and other_percent > own_percent:
        director = 1 - player
    elif director == 1 - player and own_percent > other_percent:
        director = player
    return cash_gained, (own_percent, other_percent, value_line, till_cash, is_floated, director)


def _holding_advantage(
    terms: CardTerms, weights: Weights, player: int, stands: Stake, earned: int, purse: float
) -> float:
    """Return the contribution of a holding with an income in a round to the advantage of a player."""
    own_percent, other_percent, value_line, till_cash, is_floated, director = stands
    if value_line < 0 or not (own_percent or other_percent):
        return 0.0
    value, income = terms.values[value_line], float(earned)
    if not is_floated:
        income = weights.cover * terms.game.rules.market.capital * value * _UNFLOATED_SHARE
    elif not income:
        income = weights.cover * till_cash
    worth_a_hundred = 10 * value + weights.rounds * income
    if income:
        line_ahead = value_line + int(weights.rounds)
        worth_a_hundred += 10 * weights.growth * (terms.values[min(terms.end, line_ahead)] - value)
    holding_total = (own_percent - other_percent) / 100 * worth_a_hundred
    if purse and director != BANK:
        till_share = purse * min(till_cash, _MOST_USEFUL_TILL) / 100
        holding_total += till_share * own_percent if director == player else -till_share * other_percent
    return holding_total
