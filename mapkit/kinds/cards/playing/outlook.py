"""What a position is worth to a player: what would count at the end, and what holdings bring as they are."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from mapkit.kinds.cards.playing import trains
from mapkit.kinds.cards.playing.state import BANK, GameState
from mapkit.kinds.cards.playing.terms import CardTerms, Move

_NOT_YET: Final = 0.4
"""How much of what a holding would earn counts while it has no capital."""
_PURSE: Final = 1_000
"""Cash of a holding that may still buy something, at most: what is kept beyond it is worth nothing at the end."""
_IDLE: Final = 1e-6
"""What it is worth to do nothing, so that it comes before what brings nothing."""


@dataclass(frozen=True)
class Weights:
    """What an outlook is made of.

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


def stake(state: GameState, player: int, holding: int) -> Stake:
    """Return how a holding stands for a player."""
    return (
        state.share[player][holding],
        state.share[1 - player][holding],
        state.line[holding],
        state.till[holding],
        state.floated[holding],
        state.boss[holding],
    )


def advantage(terms: CardTerms, state: GameState, player: int, weights: Weights) -> float:
    """Return by how many dollars the outlook of a player is better than that of the other."""
    purse = weights.till if state.stack else 0.0
    total = float(state.cash[player] - state.cash[1 - player])
    for holding in range(terms.holdings):
        earned = trains.revenue(terms, state, holding)
        total += _part(terms, weights, player, stake(state, player, holding), earned, purse)
    return total


def traded(terms: CardTerms, state: GameState, weights: Weights, moves: Sequence[Move]) -> list[tuple[float, Move]]:
    """Return moves of a stock round, each with what the advantage of the player who makes it grows by, dollars.

    A trade changes cash and one holding, so it is not carried out, and only that holding is looked at.
    """
    player = state.actor
    purse = weights.till if state.stack else 0.0
    known: dict[int, tuple[Stake, int, float]] = {}
    found = []
    for move in moves:
        kind = move.kind
        if kind in ("pass", "done"):
            found.append((_IDLE, move))
            continue
        holding = move.a if kind == "start" else terms.shares[move.a].holding
        if holding not in known:
            before, earned = stake(state, player, holding), trains.revenue(terms, state, holding)
            known[holding] = before, earned, _part(terms, weights, player, before, earned, purse)
        before, earned, part = known[holding]
        money, after = after_trade(terms, state, move, holding, before)
        found.append((money + _part(terms, weights, player, after, earned, purse) - part, move))
    return found


def after_trade(terms: CardTerms, state: GameState, move: Move, holding: int, before: Stake) -> tuple[int, Stake]:
    """Return what a trade brings in cash, and how its holding stands then, as `moves.carry_out` would leave it.

    Args:
        terms: The game.
        state: Where it stands; it is not changed.
        move: A legal trade of who is to move.
        holding: What is traded.
        before: How it stands now.
    """
    player, market = state.actor, terms.game.rules.market
    own, other, line, till, floated, boss = before
    if move.kind == "start":
        line, boss, percent = move.b, player, terms.chair_percent[holding]
    else:
        percent = terms.shares[move.a].percent
        if move.kind in ("swap-up", "swap-down"):
            percent = abs(percent - terms.shares[move.b].percent)
    if move.kind in ("sell", "swap-down"):
        money = terms.values[state.sold_at.get(holding, line)] * percent // 10
        own -= percent
        if boss == player and holding not in state.sold_at:
            line = max(0, line - market.seller_down)
    else:
        money = -(terms.values[line] * percent // 10)
        own += percent
        if not floated and own + other >= market.sold_to_operate:
            initial = terms.game.rules.disputes.capital == "initial" and move.kind != "start"
            floated = True
            till += market.capital * terms.values[state.opened[holding] if initial else line]
    if boss == player and other > own:
        boss = 1 - player
    elif boss == 1 - player and own > other:
        boss = player
    return money, (own, other, line, till, floated, boss)


def _part(terms: CardTerms, weights: Weights, player: int, stands: Stake, earned: int, purse: float) -> float:
    """Return what a holding that earns so much in a round adds to the advantage of a player."""
    own, other, line, till, floated, boss = stands
    if line < 0 or not (own or other):
        return 0.0
    value, income = terms.values[line], float(earned)
    if not floated:
        income = weights.cover * terms.game.rules.market.capital * value * _NOT_YET
    elif not income:
        income = weights.cover * till
    each = 10 * value + weights.rounds * income
    if income:
        ahead = line + int(weights.rounds)
        each += 10 * weights.growth * (terms.values[min(terms.end, ahead)] - value)
    total = (own - other) / 100 * each
    if purse and boss != BANK:
        share = purse * min(till, _PURSE) / 100
        total += share * own if boss == player else -share * other
    return total
