"""What the tables alone say: returns, earnings, the fewest rounds."""

from collections.abc import Sequence
from math import ceil
from typing import Final

from mapkit.kinds.cards.playing.terms import CardTerms, Side

SHOWN_ROUNDS: Final = 12
"""Operating rounds for which gains of a railroad are given."""


def pays_after(side: Side) -> int | None:
    """Return after how many operating rounds a railroad has earned its cost; None if it earns nothing."""
    return ceil(side.cost / side.income) if side.income else None


def gains(side: Side, rounds: int = SHOWN_ROUNDS) -> tuple[int, ...]:
    """Return earnings less cost after 1, 2, 3 ... operating rounds."""
    return tuple(side.income * count - side.cost for count in range(1, rounds + 1))


def capitals(terms: CardTerms) -> tuple[int, int]:
    """Return the capital of a holding that starts on the lowest and on the highest value (BA-B12)."""
    values = [terms.values[line] for line in terms.starts]
    return terms.game.rules.market.capital * min(values), terms.game.rules.market.capital * max(values)


def best_incomes(terms: CardTerms, holding: int) -> tuple[int, ...]:
    """Return the most that a holding earns with 0, 1, 2 ... railroads, as many as it has operators for.

    Operators that keep no railroad are in the network (BA-O05). Without a railroad it earns nothing (BA-O06).
    """
    operators, each = terms.operators[holding], terms.game.rules.operating.network_income
    cards = sorted(_incomes(terms), reverse=True)[:operators]
    return (0, *(sum(cards[:count]) + each * (operators - count) for count in range(1, len(cards) + 1)))


def income_for(terms: CardTerms, holding: int, money: int) -> int:
    """Return the most that railroads for so much money earn; there are as many of each as there are cards.

    The order of the stack is left aside, so this is a bound from above. A knapsack over cards, in steps of the greatest
    amount that divides all costs.
    """
    step = _step([side.cost for side in terms.sides], money)
    if not step:
        return 0
    room, operators = money // step, terms.operators[holding]
    best = [[0] * (room + 1) for _ in range(operators + 1)]
    for sort, sides in enumerate(terms.of_sort):
        for _ in range(terms.game.railroads[sort].count):
            _put(best, [(terms.sides[at].cost // step, terms.sides[at].income) for at in sides])
    return max(row[room] for row in best)


def _put(best: list[list[int]], faces: Sequence[tuple[int, int]]) -> None:
    """Add a card, of which one face is bought, to the best incomes by number of cards and money."""
    for count in range(len(best) - 1, 0, -1):
        before, row = best[count - 1], best[count]
        for money in range(len(row) - 1, -1, -1):
            for cost, income in faces:
                if cost <= money:
                    row[money] = max(row[money], before[money - cost] + income)


def _step(costs: Sequence[int], money: int) -> int:
    """Return the greatest amount that divides all costs; money is cut down to it."""
    found = 0
    for cost in costs:
        while cost:
            found, cost = cost, found % cost  # noqa: PLW2901 - Euclid
    return found if 0 < found <= money else 0


def _incomes(terms: CardTerms) -> list[int]:
    return [
        max(terms.sides[at].income for at in sides)
        for sort, sides in enumerate(terms.of_sort)
        for _ in range(terms.game.railroads[sort].count)
    ]


def fewest_rounds(terms: CardTerms) -> tuple[int, int]:
    """Return the operating rounds until the track ends for a holding that pays whenever it can (BA-O08, BA-R06, D50).

    It buys its first railroad in its first round and pays from the second on. One that an investor starts with a
    railroad pays in the first.

    Returns:
        From the start that is quickest, and from the one that is slowest; 0 where no dividend moves a value.
    """
    up, pair = terms.game.rules.market.dividend_up, terms.game.rules.rounds.operating
    if not up:
        return 0, 0
    starts = [(line, 1) for line in terms.starts]
    starts += [
        (line, 0) for (holding, line), (to, _) in zip(terms.chairs, terms.gifts, strict=True) if 0 <= holding == to
    ]
    rounds = [waits + ceil((terms.end - line) / up) for line, waits in starts]
    if terms.game.rules.disputes.end == "pair":
        rounds = [pair * ceil(count / pair) for count in rounds]
    return min(rounds), max(rounds)
