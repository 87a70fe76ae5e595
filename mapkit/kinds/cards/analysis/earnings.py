"""Figures from the tables of a game: returns, earnings, the fewest rounds."""

from collections.abc import Sequence
from math import ceil, gcd
from typing import Final

from mapkit.kinds.cards.playing.terms import CardTerms, Side

SHOWN_ROUNDS: Final = 12
"""Operating rounds for which gains of a railroad are given."""


def pays_after(side: Side) -> int | None:
    """Return the number of operating rounds until a railroad has earned its cost; None if it earns nothing."""
    return ceil(side.cost / side.income) if side.income else None


def cumulative_gains(side: Side, rounds: int = SHOWN_ROUNDS) -> tuple[int, ...]:
    """Return earnings less cost after 1, 2, 3 ... operating rounds."""
    return tuple(side.income * count - side.cost for count in range(1, rounds + 1))


def starting_capitals(terms: CardTerms) -> tuple[int, int]:
    """Return the capital of a holding that starts on the lowest and on the highest value (BA-B12)."""
    start_values = [terms.values[line] for line in terms.starts]
    return terms.game.rules.market.capital * min(start_values), terms.game.rules.market.capital * max(start_values)


def best_incomes(terms: CardTerms, holding: int) -> tuple[int, ...]:
    """Return the highest income of a holding with 0, 1, 2 ... railroads, up to one for each operator.

    Operators that keep no railroad are in the network (BA-O05). Without a railroad it earns nothing (BA-O06).
    """
    operators, network_income = terms.operators[holding], terms.game.rules.operating.network_income
    card_incomes = sorted(
        [
            max(terms.sides[at].income for at in sides)
            for sort, sides in enumerate(terms.of_sort)
            for _ in range(terms.game.railroads[sort].count)
        ],
        reverse=True,
    )[:operators]
    return (
        0,
        *(
            sum(card_incomes[:count]) + network_income * (operators - count)
            for count in range(1, len(card_incomes) + 1)
        ),
    )


def income_for(terms: CardTerms, holding: int, money: int) -> int:
    """Return an upper bound of the income of railroads for an amount of money (knapsack problem).

    The order of the stack is left aside, so this is a bound from above. A knapsack over cards, in steps of the greatest
    amount that divides all costs.
    """
    divisor = gcd(*(side.cost for side in terms.sides))
    money_step = divisor if 0 < divisor <= money else 0
    if not money_step:
        return 0
    step_count, operators = money // money_step, terms.operators[holding]
    best_incomes_by_count = [[0] * (step_count + 1) for _ in range(operators + 1)]
    for sort, sides in enumerate(terms.of_sort):
        for _ in range(terms.game.railroads[sort].count):
            _add_card(
                best_incomes_by_count, [(terms.sides[at].cost // money_step, terms.sides[at].income) for at in sides]
            )
    return max(row[step_count] for row in best_incomes_by_count)


def _add_card(best: list[list[int]], faces: Sequence[tuple[int, int]]) -> None:
    """Add a card to the best incomes by number of cards and money; one of its faces can be bought."""
    for count in range(len(best) - 1, 0, -1):
        smaller_row, current_row = best[count - 1], best[count]
        for money in range(len(current_row) - 1, -1, -1):
            for cost, income in faces:
                if cost <= money:
                    current_row[money] = max(current_row[money], smaller_row[money - cost] + income)


def fewest_rounds(terms: CardTerms) -> tuple[int, int]:
    """Return the fewest operating rounds until a holding that always pays ends the track (BA-O08, BA-R06, D50).

    It buys its first railroad in its first round and pays from the second on. One that an investor starts with a
    railroad pays in the first.

    Returns:
        From the start that is quickest, and from the one that is slowest; 0 where no dividend moves a value.
    """
    lines_up, operating_rounds = terms.game.rules.market.dividend_up, terms.game.rules.rounds.operating
    if not lines_up:
        return 0, 0
    starting_lines = [(line, 1) for line in terms.starts]
    starting_lines += [
        (line, 0)
        for (holding, line), (gift_holding, _) in zip(terms.chairs, terms.gifts, strict=True)
        if 0 <= holding == gift_holding
    ]
    round_counts = [rounds_waited + ceil((terms.end - line) / lines_up) for line, rounds_waited in starting_lines]
    if terms.game.rules.disputes.end == "pair":
        round_counts = [operating_rounds * ceil(count / operating_rounds) for count in round_counts]
    return min(round_counts), max(round_counts)
