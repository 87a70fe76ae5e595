"""Computer players: one that does anything, one that takes what looks best now, and one that looks ahead.

All three know what a player sees; nothing in the game is hidden. What a position is worth to a player is an outlook:
what would count at the end, and what the holdings would bring over some rounds as they are. The planner plays a few
moves on to the end of the sequence, with greedy players on both sides that misjudge nothing, and compares outlooks
there. Both misjudge outlooks and investors a little, so no two games are alike: the game has no other chance.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

import numpy as np

from mapkit.kinds.cards.playing import trains
from mapkit.kinds.cards.playing.moves import Move, carry_out, legal_moves
from mapkit.kinds.cards.playing.state import GameState, Phase
from mapkit.kinds.cards.playing.terms import CardTerms

Draws = np.random.Generator
Player = Callable[[CardTerms, GameState, Draws], Move]
"""Chooses a legal move for whoever is to move; `Draws` are its random numbers."""


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


GREEDY: Final = Weights()
CAREFUL: Final = Weights(noise=5.0)
QUIET: Final = Weights(noise=0.0, haggle=0.0)
_NOT_YET: Final = 0.4
"""How much of what a holding would earn counts while it has no capital."""
_PURSE: Final = 1_000
"""Cash of a holding that may still buy something, at most: what is kept beyond it is worth nothing at the end."""
_WIDTH: Final = 3
"""How many moves the planner plays on from."""
_FAR: Final = 150
"""Steps after which it stops, though the sequence goes on."""


def advantage(terms: CardTerms, state: GameState, player: int, weights: Weights) -> float:
    """Return by how many dollars the outlook of a player is better than that of the other."""
    mine, others, values = state.share[player], state.share[1 - player], terms.values
    total = float(state.cash[player] - state.cash[1 - player])
    for holding, line in enumerate(state.line):
        own, other = mine[holding], others[holding]
        if line < 0 or not (own or other):
            continue
        more, till = (own - other) / 100, state.till[holding]
        income = float(trains.revenue(terms, state, holding))
        if not state.floated[holding]:
            income = weights.cover * terms.game.rules.market.capital * values[line] * _NOT_YET
        elif not income:
            income = weights.cover * till
        each = 10 * values[line] + weights.rounds * income
        if income:
            each += 10 * weights.growth * (values[min(terms.end, line + int(weights.rounds))] - values[line])
        total += more * each
        boss = state.boss[holding]
        if state.stack and boss >= 0:
            purse = weights.till * min(till, _PURSE) / 100
            total += purse * own if boss == player else -purse * other
    return total


def _judged_advantage(terms: CardTerms, state: GameState, player: int, weights: Weights, draws: Draws) -> float:
    found = advantage(terms, state, player, weights)
    return found + weights.noise * float(draws.standard_normal()) if weights.noise else found


def random_player(terms: CardTerms, state: GameState, draws: Draws) -> Move:
    """Return any legal move, each as likely as the others."""
    moves = legal_moves(terms, state)
    return moves[int(draws.integers(len(moves)))]


def greedy_player(terms: CardTerms, state: GameState, draws: Draws) -> Move:
    """Return the move that looks best at once."""
    return _greedy(terms, state, draws, GREEDY)


def planner_player(terms: CardTerms, state: GameState, draws: Draws) -> Move:
    """Return the move that looks best at the end of the sequence, for shares and for dividends; else the greedy one."""
    if state.phase == Phase.STOCK:
        moves = [move for _, move in _ranked_trades(terms, state, QUIET, draws)[:_WIDTH]]
        return _played_on(terms, state, draws, moves)
    if state.phase == Phase.REVENUE:
        return _played_on(terms, state, draws, legal_moves(terms, state))
    return _greedy(terms, state, draws, GREEDY)


def _greedy(terms: CardTerms, state: GameState, draws: Draws, weights: Weights) -> Move:
    if state.phase == Phase.STOCK:
        return _ranked_trades(terms, state, weights, draws)[0][1]
    if state.phase == Phase.DISCARD:
        return min(legal_moves(terms, state), key=lambda move: (terms.sides[move.a].income, move))
    if state.phase == Phase.OFFER:
        return _offered(terms, state, draws, weights)
    if state.phase == Phase.CHOICE:
        investor, value = state.offered
        return Move("money" if value >= _judged(terms, investor, draws, weights) else "investor")
    return _SIMPLE[state.phase](terms, state)


def _played_on(terms: CardTerms, state: GameState, draws: Draws, moves: Sequence[Move]) -> Move:
    """Return the move after which the sequence ends best, if both go on as the greedy player does."""
    if len(moves) == 1:
        return moves[0]
    player, until = state.actor, state.sequence + 1
    best = (float("-inf"), moves[0])
    for move in moves:
        after = state.copy()
        carry_out(terms, after, move)
        for _ in range(_FAR):
            if after.phase == Phase.OVER or after.sequence >= until:
                break
            carry_out(terms, after, _greedy(terms, after, draws, QUIET))
        value = _judged_advantage(terms, after, player, CAREFUL, draws)
        if value > best[0]:
            best = (value, move)
    return best[1]


def _ranked_trades(terms: CardTerms, state: GameState, weights: Weights, draws: Draws) -> list[tuple[float, Move]]:
    """Return moves of a stock round with what they bring, the best first; to pass comes before what brings nothing."""
    player, found = state.actor, []
    for move in legal_moves(terms, state):
        after = state
        if move.kind not in ("pass", "done"):
            after = state.copy()
            carry_out(terms, after, move)
        idle = 1e-6 if after is state else 0.0
        found.append((_judged_advantage(terms, after, player, weights, draws) + idle, move))
    found.sort(key=lambda one: (-one[0], one[1]))
    return found


def _valued(terms: CardTerms, investor: int) -> float:
    """Return what an investor is worth to whoever has it: its face value, or what it brings if that is more."""
    holding, line = terms.chairs[investor]
    face = terms.game.investors[investor].value
    return max(face, terms.values[line] * terms.chair_percent[holding] / 10) if holding >= 0 else face


def _judged(terms: CardTerms, investor: int, draws: Draws, weights: Weights) -> float:
    """Return what a player takes an investor to be worth."""
    worth_of_it = _valued(terms, investor)
    return worth_of_it * (1 + weights.haggle * float(draws.standard_normal())) if weights.haggle else worth_of_it


def _offered(terms: CardTerms, state: GameState, draws: Draws, weights: Weights) -> Move:
    """Offer the investor that is worth most, for what it seems to be worth."""
    moves = legal_moves(terms, state)
    best = max({move.a for move in moves}, key=lambda investor: (_valued(terms, investor), -investor))
    judged = _judged(terms, best, draws, weights)
    return min((move for move in moves if move.a == best), key=lambda move: (abs(move.b - judged), move))


def _prioritized(terms: CardTerms, state: GameState) -> Move:
    moves = legal_moves(terms, state)
    return moves[1] if state.priority != state.actor and len(moves) > 1 else moves[0]


def _placed(terms: CardTerms, state: GameState) -> Move:
    """Place operators so that all railroads can stay, one more can come if it can be paid, and the rest is spread."""
    holding = state.holding
    there, own = terms.operators[holding] - state.net[holding], len(state.rails[holding])
    costs = [trains.cost(terms, state, holding, side) for side in trains.on_top(terms, state)]
    wants = int(bool(costs) and (min(costs) <= state.till[holding] or not own))
    plus = max(0, min(wants, there - own - wants))
    spare = there - own - 2 * plus
    network = int(spare > 1 and own > 0 and terms.game.rules.operating.network_a_round > 0)
    return Move("place", network, max(0, min(plus + max(0, spare - network) // 2, there - network - own)))


def _distributed(terms: CardTerms, state: GameState) -> Move:
    """Pay out, unless the holding has one railroad at most and can buy the next one with what it earns."""
    holding = state.holding
    costs = [trains.cost(terms, state, holding, side) for side in trains.on_top(terms, state)]
    till, earned = state.till[holding], trains.revenue(terms, state, holding)
    saves = bool(costs) and till < min(costs) <= till + earned and len(state.rails[holding]) <= 1
    return Move("withhold" if saves else "pay")


def _purchased(terms: CardTerms, state: GameState) -> Move:
    holding = state.holding
    if state.added >= state.plus or len(state.rails[holding]) >= state.keep:
        return Move("end")
    best = (0.0, Move("end"))
    for side in trains.on_top(terms, state):
        extra = trains.helped(terms, state, holding, side)
        if extra >= 0:
            price = trains.cost(terms, state, holding, side)
            gain = GREEDY.rounds * terms.sides[side].income - GREEDY.till * (price - extra) - extra
            best = max(best, (gain, Move("railroad", side)))
    for investor, at in enumerate(state.backer):
        if at == state.actor:
            gain = GREEDY.rounds * (terms.once[investor] + terms.each[investor] * len(state.rails[holding]))
            best = max(best, (gain, Move("assign", investor)))
    return best[1]


def _replied(terms: CardTerms, state: GameState) -> Move:
    _, side, price = state.deal
    return Move("accept" if price >= 3 * terms.sides[side].income else "refuse")


_SIMPLE: Final[Mapping[Phase, Callable[[CardTerms, GameState], Move]]] = MappingProxyType(
    {
        Phase.PRIORITY: _prioritized,
        Phase.OPERATORS: _placed,
        Phase.REVENUE: _distributed,
        Phase.PURCHASES: _purchased,
        Phase.ANSWER: _replied,
    }
)
PLAYERS: Final[Mapping[str, Player]] = MappingProxyType(
    {"random": random_player, "greedy": greedy_player, "planner": planner_player}
)
"""Players by name."""
ABOUT: Final[Mapping[str, str]] = MappingProxyType(
    {
        "random": "does anything that is legal, each as likely as the others",
        "greedy": "takes what looks best at once: worth at the end, and income over four rounds",
        "planner": "plays three moves on to the end of the sequence, and takes the one that ends best",
    }
)
"""What they do."""
