"""Computer players: random, greedy, and a planner that looks ahead.

All three know what a player sees; nothing in the game is hidden. What a position is worth to a player is an outlook:
what would count at the end, and what the holdings would bring over some rounds as they are. The planner plays a few
moves on to the end of the sequence, or of the second one in the draft, with greedy players on both sides that misjudge
nothing, and compares outlooks there. Both misjudge outlooks and investors a little, so no two games are alike: the game
has no other chance.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Final

import numpy as np

from mapkit.core.errors import MapkitError
from mapkit.kinds.cards.playing import railroads
from mapkit.kinds.cards.playing.moves import carry_out, legal_moves
from mapkit.kinds.cards.playing.state import BANK, GameState, Phase
from mapkit.kinds.cards.playing.terms import CardTerms, Move, Position
from mapkit.playing.python_players import find_player as find_python_player

# Evaluation of positions: their worth at the end, and the income of holdings.

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


Draws = np.random.Generator
Player = Callable[[CardTerms, GameState, Draws], Move]
"""Chooses a legal move for whoever is to move; `Draws` are its random numbers."""


GREEDY: Final = Weights()
CAREFUL: Final = Weights(noise=5.0, haggle=0.05)
QUIET: Final = Weights(noise=0.0, haggle=0.0)
_PLANNED_MOVES: Final = 3
"""How many moves the planner plays on from."""
_DRAFT_SEQUENCES: Final = 2
"""How many sequences the planner plays on from the draft: what an investor brings shows late."""
_FINEST_GAP: Final = 60
"""Values of an investor that are no more dollars apart have none tried between them."""
_MOST_STEPS: Final = 150
"""Steps after which it stops, though the sequence goes on."""


def random_player(terms: CardTerms, state: GameState, draws: Draws) -> Move:
    """Return any legal move, each as likely as the others."""
    moves = legal_moves(terms, state)
    return moves[int(draws.integers(len(moves)))]


def greedy_player(terms: CardTerms, state: GameState, draws: Draws) -> Move:
    """Return the move with the best immediate outlook."""
    return _choose_greedily(terms, state, draws, GREEDY)


def planner_player(terms: CardTerms, state: GameState, draws: Draws) -> Move:
    """Return the move that looks best some rounds later, for the draft, shares and dividends; else as greedy."""
    if state.phase == Phase.STOCK:
        moves = [move for _, move in sorted(_judge_trades(terms, state, QUIET, draws))[:_PLANNED_MOVES]]
        return _choose_by_play(terms, state, draws, moves)
    if state.phase == Phase.REVENUE and state.stack:
        return _choose_by_play(terms, state, draws, legal_moves(terms, state))
    if state.phase == Phase.OFFER:
        return _offer_fairly(terms, state, draws)
    if state.phase == Phase.CHOICE:
        if not terms.useful[state.offered[0]]:
            return Move("money")
        return _choose_by_play(terms, state, draws, legal_moves(terms, state), _DRAFT_SEQUENCES)
    return _choose_greedily(terms, state, draws, GREEDY)


def _choose_greedily(terms: CardTerms, state: GameState, draws: Draws, weights: Weights) -> Move:
    simple_rule = _SIMPLE_RULES[state.phase]
    if simple_rule is not None:
        return simple_rule(terms, state)
    if state.phase == Phase.STOCK:
        return min(_judge_trades(terms, state, weights, draws))[1]
    if state.phase == Phase.OFFER:
        # Offer the most valuable investor for its apparent worth.
        moves = legal_moves(terms, state)
        best_investor = max(
            {move.a for move in moves}, key=lambda investor: (_value_investor(terms, investor), -investor)
        )
        judged_value = _misjudge(_value_investor(terms, best_investor), draws, weights)
        return min(
            (move for move in moves if move.a == best_investor), key=lambda move: (abs(move.b - judged_value), move)
        )
    if state.phase == Phase.CHOICE:
        investor, value = state.offered
        return Move("money" if value >= _misjudge(_value_investor(terms, investor), draws, weights) else "investor")
    raise ValueError(f"nothing is to be decided in phase {state.phase.name}")


def _choose_by_play(
    terms: CardTerms, state: GameState, draws: Draws, moves: Sequence[Move], sequences: int = 1
) -> Move:
    """Return the move with the best end of the sequence, or of a later one, if both go on as the greedy player."""
    if len(moves) == 1:
        return moves[0]
    player, best_value_and_move = state.actor, (float("-inf"), moves[0])
    for move in moves:
        value = _simulate_outcome(terms, state, player, draws, move, sequences)
        value += CAREFUL.noise * float(draws.standard_normal())
        if value > best_value_and_move[0]:
            best_value_and_move = (value, move)
    return best_value_and_move[1]


def _simulate_outcome(
    terms: CardTerms, state: GameState, player: int, draws: Draws, move: Move, sequences: int
) -> float:
    """Return the advantage of a player some sequences after a move, if both go on as the greedy player.

    Trades in another order lead to the same positions, so it is kept what those of a stock round come to.
    """
    later_state, end_sequence = state.copy(), state.sequence + sequences
    carry_out(terms, later_state, move)
    over_phase, stock_phase = Phase.OVER, Phase.STOCK  # looked up once: this loop is most of a game
    known_outcomes = _cached_outcomes(terms, later_state, end_sequence) if state.phase == stock_phase else None
    positions_met: list[Position] = []
    for _ in range(_MOST_STEPS * sequences):
        if later_state.phase == over_phase or later_state.sequence >= end_sequence:
            break
        if known_outcomes is not None and later_state.phase == stock_phase:
            position = later_state.traded()
            if position in known_outcomes:
                return _cache_outcomes(known_outcomes, positions_met, known_outcomes[position], player)
            positions_met.append(position)
        carry_out(terms, later_state, _choose_greedily(terms, later_state, draws, QUIET))
    return _cache_outcomes(known_outcomes, positions_met, estimate_advantage(terms, later_state, 0, CAREFUL), player)


def _cached_outcomes(terms: CardTerms, state: GameState, until: int) -> dict[Position, float]:
    """Return the cached outcomes of positions of this stock round; outcomes of another round are dropped."""
    cache_key = (until, state.settled())
    if cache_key not in terms.ahead:
        terms.ahead.clear()
        terms.ahead[cache_key] = {}
    return terms.ahead[cache_key]


def _cache_outcomes(known: dict[Position, float] | None, met: Sequence[Position], value: float, player: int) -> float:
    """Cache the outcome of positions for the first player, and return it for a player (zero-sum)."""
    if known is not None:
        known.update(dict.fromkeys(met, value))
    return -value if player else value


def _judge_trades(terms: CardTerms, state: GameState, weights: Weights, draws: Draws) -> list[tuple[float, Move]]:
    """Return moves of a stock round with their apparent costs, the best being the least."""
    gain_and_move = judge_trades(terms, state, weights, legal_moves(terms, state))
    if weights.noise:
        return [(-value - weights.noise * float(draws.standard_normal()), move) for value, move in gain_and_move]
    return [(-value, move) for value, move in gain_and_move]


def _value_investor(terms: CardTerms, investor: int) -> float:
    """Return the worth of an investor: its face value, or the certificate that it brings if that is more."""
    holding, line = terms.chairs[investor]
    face_value = terms.game.investors[investor].value
    return max(face_value, terms.values[line] * terms.chair_percent[holding] / 10) if holding >= 0 else face_value


def _misjudge(value: float, draws: Draws, weights: Weights) -> float:
    """Return the worth of an investor with the player's error of judgement."""
    return value * (1 + weights.haggle * float(draws.standard_normal())) if weights.haggle else value


def _offer_fairly(terms: CardTerms, state: GameState, draws: Draws) -> Move:
    """Offer an investor for the value that makes both choices equal, or for the least if it has no effect."""
    bids_by_investor: dict[int, list[int]] = {}
    for move in legal_moves(terms, state):
        bids_by_investor.setdefault(move.a, []).append(move.b)
    best_investor = max(
        bids_by_investor, key=lambda investor: (terms.useful[investor], _value_investor(terms, investor), -investor)
    )
    bid_values = sorted(set(bids_by_investor[best_investor]))
    if len(bid_values) == 1 or not terms.useful[best_investor]:
        return Move("offer", best_investor, bid_values[0])

    @cache
    def preferred(at: int) -> float:
        value = bid_values[at]
        offer_state = state.copy()
        carry_out(terms, offer_state, Move("offer", best_investor, value))
        investor_outcome, money_outcome = (
            _simulate_outcome(terms, offer_state, offer_state.actor, draws, Move(choice), _DRAFT_SEQUENCES)
            for choice in ("investor", "money")
        )
        return investor_outcome - money_outcome

    low_index, high_index = 0, len(bid_values) - 1
    while high_index - low_index > 1 and bid_values[high_index] - bid_values[low_index] > _FINEST_GAP:
        mid_index = (low_index + high_index) // 2
        low_index, high_index = (mid_index, high_index) if preferred(mid_index) > 0 else (low_index, mid_index)
    fair_value = float(
        np.interp(0.0, [preferred(high_index), preferred(low_index)], [bid_values[high_index], bid_values[low_index]])
    )
    return Move("offer", best_investor, max(0, round(_misjudge(fair_value, draws, CAREFUL))))


def _decide_priority(terms: CardTerms, state: GameState) -> Move:
    moves = legal_moves(terms, state)
    return moves[1] if state.priority != state.actor and len(moves) > 1 else moves[0]


def _place_operators(terms: CardTerms, state: GameState) -> Move:
    """Place operators so that all railroads can stay, one more can come if affordable, and the others are spread."""
    holding = state.holding
    free_operators, railroad_count = terms.operators[holding] - state.net[holding], len(state.rails[holding])
    cheapest_cost = railroads.cheapest_price(terms, state, holding)
    wants_railroad = int(cheapest_cost is not None and (cheapest_cost <= state.till[holding] or not railroad_count))
    plus_operators = max(0, min(wants_railroad, free_operators - railroad_count - wants_railroad))
    spare_operators = free_operators - railroad_count - 2 * plus_operators
    network_operators = int(
        spare_operators > 1 and railroad_count > 0 and terms.game.rules.operating.network_a_round > 0
    )
    return Move(
        "place",
        network_operators,
        max(
            0,
            min(
                plus_operators + max(0, spare_operators - network_operators) // 2,
                free_operators - network_operators - railroad_count,
            ),
        ),
    )


def _decide_dividend(terms: CardTerms, state: GameState) -> Move:
    """Pay out, unless the holding has at most one railroad and can buy the next one with its income."""
    holding = state.holding
    cheapest_cost, till = railroads.cheapest_price(terms, state, holding), state.till[holding]
    is_saving = (
        cheapest_cost is not None
        and till < cheapest_cost <= till + railroads.holding_revenue(terms, state, holding)
        and len(state.rails[holding]) <= 1
    )
    return Move("withhold" if is_saving else "pay")


def _choose_purchase(terms: CardTerms, state: GameState) -> Move:
    holding = state.holding
    if state.added >= state.plus or len(state.rails[holding]) >= state.keep:
        return Move("end")
    best_gain_and_move = (0.0, Move("end"))
    for side in railroads.top_faces(terms, state):
        extra_cost = railroads.director_contribution(terms, state, holding, side)
        if extra_cost >= 0:
            price = railroads.railroad_price(terms, state, holding, side)
            gain = GREEDY.rounds * terms.sides[side].income - GREEDY.till * (price - extra_cost) - extra_cost
            best_gain_and_move = max(best_gain_and_move, (gain, Move("railroad", side)))
    if state.actor in state.backer:
        railroad_count = len(state.rails[holding])
        for investor, at in enumerate(state.backer):
            if at == state.actor:
                gain = GREEDY.rounds * (terms.once[investor] + terms.each[investor] * railroad_count)
                best_gain_and_move = max(best_gain_and_move, (gain, Move("assign", investor)))
    return best_gain_and_move[1]


def _answer_deal(terms: CardTerms, state: GameState) -> Move:
    _, side, price = state.deal
    return Move("accept" if price >= 3 * terms.sides[side].income else "refuse")


def _choose_discard(terms: CardTerms, state: GameState) -> Move:
    return min(legal_moves(terms, state), key=lambda move: (terms.sides[move.a].income, move))


_RULES_OF_THUMB: Final[dict[Phase, Callable[[CardTerms, GameState], Move]]] = {
    Phase.PRIORITY: _decide_priority,
    Phase.OPERATORS: _place_operators,
    Phase.REVENUE: _decide_dividend,
    Phase.PURCHASES: _choose_purchase,
    Phase.ANSWER: _answer_deal,
    Phase.DISCARD: _choose_discard,
}
_SIMPLE_RULES: Final = tuple(_RULES_OF_THUMB.get(phase) for phase in Phase)
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
        "FILE.py:NAME": "your own: a function of terms, state and random numbers that returns one of legal_moves",
    }
)
"""What they do."""


def find_player(name: str) -> Player:
    """Return a computer player by name, or a function of a Python file: `FILE.py:NAME`.

    Raises:
        ChoiceError: There is none.
    """
    player = find_python_player(name, PLAYERS, Move)
    if name in PLAYERS:
        return player

    def play_legally(terms: CardTerms, state: GameState, draws: Draws) -> Move:
        move = player(terms, state, draws)
        if move not in legal_moves(terms, state):
            raise MapkitError(f"player {name} makes an illegal move: {move}; return one of legal_moves(terms, state)")
        return move

    return play_legally
