"""Two card games, or two sets of rules, played with the same random numbers: which figures differ, and by how much."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from mapkit.kinds.cards.playing.outcome import NOBODY, Outcome
from mapkit.kinds.cards.playing.study import CardTable, Floats, outcomes
from mapkit.kinds.cards.playing.terms import PLAYERS
from mapkit.playing.comparing import FigureDifference, compared, paired_sums
from mapkit.playing.figures import Totals

_OF_MATCH = ("sequences", "operating rounds", "moves", "worth of the winner", "margin", "ties")
_OF_HOLDING = ("operates", "income")
_SEATS = ("A", "B")


@dataclass(frozen=True)
class CardPair:
    """Two tables, and the holdings and investors that both have: their ids, and their numbers on each."""

    one: CardTable
    other: CardTable
    holdings: tuple[tuple[str, int, int], ...]
    investors: tuple[tuple[str, int, int], ...]


def card_pair(one: CardTable, other: CardTable) -> CardPair:
    """Return two tables with the holdings and investors that both have, in the order of the first."""
    games = one.terms.game, other.terms.game
    holdings = [[holding.id for holding in game.holdings] for game in games]
    investors = [[investor.id for investor in game.investors] for game in games]
    return CardPair(one, other, _both(*holdings), _both(*investors))


def _both(one: list[str], other: list[str]) -> tuple[tuple[str, int, int], ...]:
    return tuple((ident, at, other.index(ident)) for at, ident in enumerate(one) if ident in other)


def card_pair_batch(pair: CardPair, first: int, matches: int) -> Totals:
    """Play games of the same numbers on both, and return the sums of their differences."""
    one, other = (outcomes(table, first, matches) for table in (pair.one, pair.other))
    return paired_sums(
        _ratios(one, [at for _, at, _ in pair.holdings], [at for _, at, _ in pair.investors]),
        _ratios(other, [at for _, _, at in pair.holdings], [at for _, _, at in pair.investors]),
        _chief(other) - _chief(one),
    )


def compared_cards(pair: CardPair, totals: Totals) -> tuple[FigureDifference, ...]:
    """Return what the sums say of each figure; those that were never counted on one game are left out."""
    return compared(_names(pair), totals)


def _names(pair: CardPair) -> Iterator[tuple[str, str, str]]:
    """Yield part, id and name of each figure, in the order of `_ratios`."""
    for name in _OF_MATCH:
        yield "match", "", name
    for player in range(PLAYERS):
        yield "player", str(player + 1), "wins"
    for seat in _SEATS:
        yield "seat", seat, "wins"
    for name in _OF_HOLDING:
        for ident, _, _ in pair.holdings:
            yield "holding", ident, name
    for ident, _, _ in pair.holdings:
        yield "holding", ident, "value at the end"
    for ident, _, _ in pair.holdings:
        yield "holding", ident, "wins of the Director"
    for ident, _, _ in pair.investors:
        yield "investor", ident, "paid in the draft"
    for ident, _, _ in pair.investors:
        yield "investor", ident, "wins of who has it"


def _ratios(played: list[Outcome], holdings: list[int], investors: list[int]) -> Floats:
    """Return, games x figures x 2, what is counted and of how many."""
    rows = []
    for one in played:
        mine = [(float(value), 1.0) for value in _of_match(one)]
        won_by = NOBODY if one.winner == NOBODY else (1 - one.winner if one.swapped else one.winner)
        mine += [(float(won_by == player), 1.0) for player in range(PLAYERS)]
        mine += [(float(one.winner == seat), 1.0) for seat in range(PLAYERS)]
        mine += [(float(one.operates[at]), 1.0) for at in holdings]
        mine += [(float(one.income[at]), 1.0) for at in holdings]
        mine += [_if(one.value[at] >= 0, one.value[at]) for at in holdings]
        mine += [_if(one.boss[at] != NOBODY, one.boss[at] == one.winner) for at in holdings]
        mine += [_if(one.backer[at] != NOBODY, one.price[at]) for at in investors]
        mine += [_if(one.backer[at] != NOBODY, one.backer[at] == one.winner) for at in investors]
        rows.append(mine)
    return np.array(rows, np.float64)


def _if(counts: bool, value: float) -> tuple[float, float]:  # noqa: FBT001 - whether a value counts, and the value
    return (float(value), 1.0) if counts else (0.0, 0.0)


def _of_match(one: Outcome) -> tuple[int, ...]:
    best, least = max(one.worth), min(one.worth)
    return one.sequences, one.rounds, one.steps, best, best - least, int(one.winner == NOBODY)


def _chief(played: list[Outcome]) -> Floats:
    """Return, games x figures, what is tested together: how a game went, and from which seat it was won."""
    rows = [(one.rounds, one.steps, *one.worth, one.winner == 0, sum(one.income), sum(one.operates)) for one in played]
    return np.array(rows, np.float64)
