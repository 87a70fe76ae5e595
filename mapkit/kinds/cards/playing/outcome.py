"""Figures of one game by computer players."""

from dataclasses import dataclass

from mapkit.kinds.cards.playing import railroads
from mapkit.kinds.cards.playing.match import make_draws, players_by_seat
from mapkit.kinds.cards.playing.moves import begin_game, carry_out
from mapkit.kinds.cards.playing.players import find_player
from mapkit.kinds.cards.playing.state import BANK, GameState, Phase, player_worth
from mapkit.kinds.cards.playing.terms import PLAYERS as SEATS
from mapkit.kinds.cards.playing.terms import CardTerms

NOBODY = -1


@dataclass
class Outcome:
    """Figures of a game; seats are 0 and 1, -1 stands for none. Money is whole dollars.

    Args:
        swapped: Whether the first player sits in seat 1.
        steps: How many moves there were.
        sequences: Sequences of rounds, the last one counted.
        rounds: Operating rounds.
        worth: Of each seat at the end (BA-R07).
        winner: The seat with more; nobody in a tie.
        value: Share value of each holding at the end; nobody has started it: -1.
        operates: Whether each holding has come to operate.
        boss: The Director of each holding at the end.
        income: What each holding earned.
        backer: Who got each investor in the draft.
        price: The value that was named for it then, what the other one got.
        level: The sequence in which each level came, 0 for never.
        level_round: How many operating rounds were over then, -1 for never.
        bought: How many railroads were bought with each face up.
    """

    swapped: bool
    steps: int
    sequences: int
    rounds: int
    worth: tuple[int, int]
    winner: int
    value: list[int]
    operates: list[bool]
    boss: list[int]
    income: list[int]
    backer: list[int]
    price: list[int]
    level: list[int]
    level_round: list[int]
    bought: list[int]


def railroad_levels(terms: CardTerms) -> tuple[int, ...]:
    """Return the levels of railroads, the lowest first."""
    return tuple(sorted({side.level for side in terms.sides}))


def play_outcome(terms: CardTerms, names: tuple[str, ...], seed: int, match: int) -> Outcome:
    """Play a game, and return its figures; it is the game of `steps` with the same arguments."""
    state, draws = begin_game(terms), make_draws(seed, match)
    players = [find_player(name) for name in players_by_seat(names, match)]
    levels = railroad_levels(terms)
    income_by_holding, price_by_investor = [0] * terms.holdings, [0] * terms.investors
    backer_by_investor, sequence_by_level, round_by_level = (
        [NOBODY] * terms.investors,
        [0] * len(levels),
        [NOBODY] * len(levels),
    )
    operating_rounds, bought_by_side = terms.game.rules.rounds.operating, [0] * len(terms.sides)
    while state.phase != Phase.OVER:
        move = players[state.actor](terms, state, draws)
        if move.kind in ("pay", "withhold"):
            income_by_holding[state.holding] += railroads.holding_revenue(terms, state, state.holding)
        elif move.kind == "railroad":
            bought_by_side[move.a] += 1
        elif move.kind in ("money", "investor"):
            investor, value = state.offered
            price_by_investor[investor] = value
            backer_by_investor[investor] = state.actor if move.kind == "investor" else 1 - state.actor
        level_before, sequence = state.reached, state.sequence
        rounds_over = (sequence - 1) * operating_rounds + (state.round if state.holding >= 0 else 0)
        carry_out(terms, state, move)
        if state.reached != level_before:
            for number, level in enumerate(levels):
                if level_before < level <= state.reached:
                    sequence_by_level[number], round_by_level[number] = sequence, rounds_over
    return _make_outcome(
        terms,
        state,
        match,
        income_by_holding,
        backer_by_investor,
        price_by_investor,
        (sequence_by_level, round_by_level),
        bought_by_side,
    )


def _make_outcome(
    terms: CardTerms,
    state: GameState,
    match: int,
    income: list[int],
    backer: list[int],
    price: list[int],
    levels: tuple[list[int], list[int]],
    bought: list[int],
) -> Outcome:
    first_worth, second_worth = (player_worth(terms, state, seat) for seat in range(SEATS))
    return Outcome(
        swapped=match % SEATS == 1,
        steps=state.steps,
        sequences=state.sequence,
        rounds=(state.sequence - 1) * terms.game.rules.rounds.operating + state.round,
        worth=(first_worth, second_worth),
        winner=NOBODY if first_worth == second_worth else int(second_worth > first_worth),
        value=[terms.values[line] if line >= 0 else -1 for line in state.line],
        operates=list(state.floated),
        boss=[NOBODY if boss == BANK else boss for boss in state.boss],
        income=income,
        backer=backer,
        price=price,
        level=levels[0],
        level_round=levels[1],
        bought=bought,
    )
