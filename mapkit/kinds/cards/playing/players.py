"""Computer players: one that does anything, one that takes what looks best now, and one that looks ahead.

All three know what a player sees; nothing in the game is hidden. What a position is worth to a player is an outlook:
what would count at the end, and what the holdings would bring over some rounds as they are. The planner plays a few
moves on to the end of the sequence, or of the second one in the draft, with greedy players on both sides that misjudge
nothing, and compares outlooks there. Both misjudge outlooks and investors a little, so no two games are alike: the game
has no other chance.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Final

import numpy as np

from mapkit.kinds.cards.playing import trains
from mapkit.kinds.cards.playing.moves import carry_out, legal_moves
from mapkit.kinds.cards.playing.outlook import Weights, advantage, traded
from mapkit.kinds.cards.playing.state import GameState, Phase
from mapkit.kinds.cards.playing.terms import CardTerms, Move, Position

Draws = np.random.Generator
Player = Callable[[CardTerms, GameState, Draws], Move]
"""Chooses a legal move for whoever is to move; `Draws` are its random numbers."""


GREEDY: Final = Weights()
CAREFUL: Final = Weights(noise=5.0, haggle=0.05)
QUIET: Final = Weights(noise=0.0, haggle=0.0)
_WIDTH: Final = 3
"""How many moves the planner plays on from."""
_DRAFT: Final = 2
"""How many sequences the planner plays on from the draft: what an investor brings shows late."""
_FINE: Final = 60
"""Values of an investor that are no more dollars apart have none tried between them."""
_FAR: Final = 150
"""Steps after which it stops, though the sequence goes on."""


def random_player(terms: CardTerms, state: GameState, draws: Draws) -> Move:
    """Return any legal move, each as likely as the others."""
    moves = legal_moves(terms, state)
    return moves[int(draws.integers(len(moves)))]


def greedy_player(terms: CardTerms, state: GameState, draws: Draws) -> Move:
    """Return the move that looks best at once."""
    return _greedy(terms, state, draws, GREEDY)


def planner_player(terms: CardTerms, state: GameState, draws: Draws) -> Move:
    """Return the move that looks best some rounds later, in the draft and for shares and dividends; else as greedy."""
    if state.phase == Phase.STOCK:
        moves = [move for _, move in sorted(_judged_trades(terms, state, QUIET, draws))[:_WIDTH]]
        return _played_on(terms, state, draws, moves)
    if state.phase == Phase.REVENUE and state.stack:
        return _played_on(terms, state, draws, legal_moves(terms, state))
    if state.phase == Phase.OFFER:
        return _named(terms, state, draws)
    if state.phase == Phase.CHOICE:
        if not terms.useful[state.offered[0]]:
            return Move("money")
        return _played_on(terms, state, draws, legal_moves(terms, state), _DRAFT)
    return _greedy(terms, state, draws, GREEDY)


def _greedy(terms: CardTerms, state: GameState, draws: Draws, weights: Weights) -> Move:
    simple = _SIMPLE[state.phase]
    if simple is not None:
        return simple(terms, state)
    if state.phase == Phase.STOCK:
        return min(_judged_trades(terms, state, weights, draws))[1]
    if state.phase == Phase.OFFER:
        return _offered(terms, state, draws, weights)
    if state.phase == Phase.CHOICE:
        investor, value = state.offered
        return Move("money" if value >= _misjudged(_valued(terms, investor), draws, weights) else "investor")
    raise ValueError(f"nothing is to be decided in phase {state.phase.name}")


def _played_on(terms: CardTerms, state: GameState, draws: Draws, moves: Sequence[Move], sequences: int = 1) -> Move:
    """Return the move after which the sequence, or a later one, ends best, if both go on as the greedy player does."""
    if len(moves) == 1:
        return moves[0]
    player, best = state.actor, (float("-inf"), moves[0])
    for move in moves:
        value = _outcome(terms, state, player, draws, move, sequences)
        value += CAREFUL.noise * float(draws.standard_normal())
        if value > best[0]:
            best = (value, move)
    return best[1]


def _outcome(terms: CardTerms, state: GameState, player: int, draws: Draws, move: Move, sequences: int) -> float:
    """Return the advantage of a player some sequences later, if a move is made and both go on as the greedy player.

    Trades in another order lead to the same positions, so it is kept what those of a stock round come to.
    """
    after, until = state.copy(), state.sequence + sequences
    carry_out(terms, after, move)
    over, stock = Phase.OVER, Phase.STOCK  # looked up once: this loop is most of a game
    known = _known(terms, after, until) if state.phase == stock else None
    met: list[Position] = []
    for _ in range(_FAR * sequences):
        if after.phase == over or after.sequence >= until:
            break
        if known is not None and after.phase == stock:
            position = after.traded()
            if position in known:
                return _noted(known, met, known[position], player)
            met.append(position)
        carry_out(terms, after, _greedy(terms, after, draws, QUIET))
    return _noted(known, met, advantage(terms, after, 0, CAREFUL), player)


def _known(terms: CardTerms, state: GameState, until: int) -> dict[Position, float]:
    """Return what positions of this stock round are known to come to; what was known of another one is dropped."""
    stands = (until, state.settled())
    if stands not in terms.ahead:
        terms.ahead.clear()
        terms.ahead[stands] = {}
    return terms.ahead[stands]


def _noted(known: dict[Position, float] | None, met: Sequence[Position], value: float, player: int) -> float:
    """Note what positions come to for the first player; return it for a player, for one wins what the other loses."""
    if known is not None:
        known.update(dict.fromkeys(met, value))
    return -value if player else value


def _judged_trades(terms: CardTerms, state: GameState, weights: Weights, draws: Draws) -> list[tuple[float, Move]]:
    """Return moves of a stock round with what they seem to cost, so that the best is the least."""
    found = traded(terms, state, weights, legal_moves(terms, state))
    if weights.noise:
        return [(-value - weights.noise * float(draws.standard_normal()), move) for value, move in found]
    return [(-value, move) for value, move in found]


def _valued(terms: CardTerms, investor: int) -> float:
    """Return what an investor is worth to whoever has it: its face value, or what it brings if that is more."""
    holding, line = terms.chairs[investor]
    face = terms.game.investors[investor].value
    return max(face, terms.values[line] * terms.chair_percent[holding] / 10) if holding >= 0 else face


def _misjudged(value: float, draws: Draws, weights: Weights) -> float:
    """Return what a player takes an investor to be worth."""
    return value * (1 + weights.haggle * float(draws.standard_normal())) if weights.haggle else value


def _offered(terms: CardTerms, state: GameState, draws: Draws, weights: Weights) -> Move:
    """Offer the investor that is worth most, for what it seems to be worth."""
    moves = legal_moves(terms, state)
    best = max({move.a for move in moves}, key=lambda investor: (_valued(terms, investor), -investor))
    judged = _misjudged(_valued(terms, best), draws, weights)
    return min((move for move in moves if move.a == best), key=lambda move: (abs(move.b - judged), move))


def _named(terms: CardTerms, state: GameState, draws: Draws) -> Move:
    """Offer an investor for the value at which both choices end alike, or for the least if it does nothing."""
    bids: dict[int, list[int]] = {}
    for move in legal_moves(terms, state):
        bids.setdefault(move.a, []).append(move.b)
    best = max(bids, key=lambda investor: (terms.useful[investor], _valued(terms, investor), -investor))
    values = sorted(set(bids[best]))
    if len(values) == 1 or not terms.useful[best]:
        return Move("offer", best, values[0])

    @cache
    def preferred(at: int) -> float:
        return _preferred(terms, state, draws, best, values[at])

    low, high = 0, len(values) - 1
    while high - low > 1 and values[high] - values[low] > _FINE:
        middle = (low + high) // 2
        low, high = (middle, high) if preferred(middle) > 0 else (low, middle)
    fair = float(np.interp(0.0, [preferred(high), preferred(low)], [values[high], values[low]]))
    return Move("offer", best, max(0, round(_misjudged(fair, draws, CAREFUL))))


def _preferred(terms: CardTerms, state: GameState, draws: Draws, investor: int, value: int) -> float:
    """Return by how many dollars whoever is offered an investor is better off with it than with the money."""
    after = state.copy()
    carry_out(terms, after, Move("offer", investor, value))
    taken, money = (_outcome(terms, after, after.actor, draws, Move(what), _DRAFT) for what in ("investor", "money"))
    return taken - money


def _prioritized(terms: CardTerms, state: GameState) -> Move:
    moves = legal_moves(terms, state)
    return moves[1] if state.priority != state.actor and len(moves) > 1 else moves[0]


def _placed(terms: CardTerms, state: GameState) -> Move:
    """Place operators so that all railroads can stay, one more can come if it can be paid, and the rest is spread."""
    holding = state.holding
    there, own = terms.operators[holding] - state.net[holding], len(state.rails[holding])
    cost = trains.cheapest(terms, state, holding)
    wants = int(cost is not None and (cost <= state.till[holding] or not own))
    plus = max(0, min(wants, there - own - wants))
    spare = there - own - 2 * plus
    network = int(spare > 1 and own > 0 and terms.game.rules.operating.network_a_round > 0)
    return Move("place", network, max(0, min(plus + max(0, spare - network) // 2, there - network - own)))


def _distributed(terms: CardTerms, state: GameState) -> Move:
    """Pay out, unless the holding has one railroad at most and can buy the next one with what it earns."""
    holding = state.holding
    cost, till = trains.cheapest(terms, state, holding), state.till[holding]
    saves = (
        cost is not None
        and till < cost <= till + trains.revenue(terms, state, holding)
        and len(state.rails[holding]) <= 1
    )
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
    if state.actor in state.backer:
        own = len(state.rails[holding])
        for investor, at in enumerate(state.backer):
            if at == state.actor:
                gain = GREEDY.rounds * (terms.once[investor] + terms.each[investor] * own)
                best = max(best, (gain, Move("assign", investor)))
    return best[1]


def _replied(terms: CardTerms, state: GameState) -> Move:
    _, side, price = state.deal
    return Move("accept" if price >= 3 * terms.sides[side].income else "refuse")


def _discarded(terms: CardTerms, state: GameState) -> Move:
    return min(legal_moves(terms, state), key=lambda move: (terms.sides[move.a].income, move))


_RULES_OF_THUMB: Final[dict[Phase, Callable[[CardTerms, GameState], Move]]] = {
    Phase.PRIORITY: _prioritized,
    Phase.OPERATORS: _placed,
    Phase.REVENUE: _distributed,
    Phase.PURCHASES: _purchased,
    Phase.ANSWER: _replied,
    Phase.DISCARD: _discarded,
}
_SIMPLE: Final = tuple(_RULES_OF_THUMB.get(phase) for phase in Phase)
"""By phase, for a tuple is looked up faster: what is decided without counting; None for the draft and for stock."""
PLAYERS: Final[Mapping[str, Player]] = MappingProxyType(
    {"random": random_player, "greedy": greedy_player, "planner": planner_player}
)
"""Players by name."""
ABOUT: Final[Mapping[str, str]] = MappingProxyType(
    {
        "random": "does anything that is legal, each as likely as the others",
        "greedy": "takes what looks best at once: worth at the end, and income over four rounds",
        "planner": "plays the draft, three trades and the dividend on to the end of a sequence; takes what ends best",
    }
)
"""What they do."""
