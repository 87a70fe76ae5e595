"""Comparison of two card games, or two sets of rules, by play with common random numbers."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from mapkit.core.arrays import Floats
from mapkit.kinds.cards.playing.outcome import NOBODY, Outcome
from mapkit.kinds.cards.playing.study import CardTable, play_outcomes
from mapkit.kinds.cards.playing.terms import PLAYERS
from mapkit.playing.figures import Totals
from mapkit.playing.paired_differences import FigureDifference, compare_figures, paired_sums

_MATCH_FIGURES = ("sequences", "operating rounds", "moves", "worth of the winner", "margin", "ties")
_HOLDING_FIGURES = ("operates", "income")
_SEAT_NAMES = ("A", "B")


@dataclass(frozen=True)
class CardPair:
    """Two tables with their common holdings and investors: ids, and numbers on each table."""

    one: CardTable
    other: CardTable
    holdings: tuple[tuple[str, int, int], ...]
    investors: tuple[tuple[str, int, int], ...]


def card_pair(one: CardTable, other: CardTable) -> CardPair:
    """Return two tables with their common holdings and investors, in the order of the first."""
    games = one.terms.game, other.terms.game
    holding_ids = [[holding.id for holding in game.holdings] for game in games]
    investor_ids = [[investor.id for investor in game.investors] for game in games]
    return CardPair(one, other, _match_ids(*holding_ids), _match_ids(*investor_ids))


def _match_ids(one: list[str], other: list[str]) -> tuple[tuple[str, int, int], ...]:
    return tuple(
        (element_id, number, other.index(element_id)) for number, element_id in enumerate(one) if element_id in other
    )


def card_pair_batch(pair: CardPair, first: int, matches: int) -> Totals:
    """Play games of the same numbers on both tables, and return the sums of their differences."""
    first_outcomes, second_outcomes = (play_outcomes(table, first, matches) for table in (pair.one, pair.other))
    return paired_sums(
        _figure_ratios(first_outcomes, [at for _, at, _ in pair.holdings], [at for _, at, _ in pair.investors]),
        _figure_ratios(second_outcomes, [at for _, _, at in pair.holdings], [at for _, _, at in pair.investors]),
        _chief_figures(second_outcomes) - _chief_figures(first_outcomes),
    )


def compared_cards(pair: CardPair, totals: Totals) -> tuple[FigureDifference, ...]:
    """Return the difference of each figure from the sums, without figures that were never counted on one game."""
    return compare_figures(_figure_names(pair), totals)


def _figure_names(pair: CardPair) -> Iterator[tuple[str, str, str]]:
    """Yield part, id and name of each figure, in the order of `_ratios`."""
    for name in _MATCH_FIGURES:
        yield "match", "", name
    for player in range(PLAYERS):
        yield "player", str(player + 1), "wins"
    for seat in _SEAT_NAMES:
        yield "seat", seat, "wins"
    for name in _HOLDING_FIGURES:
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


def _figure_ratios(played: list[Outcome], holdings: list[int], investors: list[int]) -> Floats:
    """Return counts and trials of each figure, games x figures x 2."""
    rows = []
    for outcome in played:
        highest_worth, lowest_worth = max(outcome.worth), min(outcome.worth)
        game_ratios = [
            (float(value), 1.0)
            for value in (
                outcome.sequences,
                outcome.rounds,
                outcome.steps,
                highest_worth,
                highest_worth - lowest_worth,
                int(outcome.winner == NOBODY),
            )
        ]
        won_by = NOBODY if outcome.winner == NOBODY else (1 - outcome.winner if outcome.swapped else outcome.winner)
        game_ratios += [(float(won_by == player), 1.0) for player in range(PLAYERS)]
        game_ratios += [(float(outcome.winner == seat), 1.0) for seat in range(PLAYERS)]
        game_ratios += [(float(outcome.operates[at]), 1.0) for at in holdings]
        game_ratios += [(float(outcome.income[at]), 1.0) for at in holdings]
        game_ratios += [_ratio_if(outcome.value[at] >= 0, outcome.value[at]) for at in holdings]
        game_ratios += [_ratio_if(outcome.boss[at] != NOBODY, outcome.boss[at] == outcome.winner) for at in holdings]
        game_ratios += [_ratio_if(outcome.backer[at] != NOBODY, outcome.price[at]) for at in investors]
        game_ratios += [
            _ratio_if(outcome.backer[at] != NOBODY, outcome.backer[at] == outcome.winner) for at in investors
        ]
        rows.append(game_ratios)
    return np.array(rows, np.float64)


def _ratio_if(counts: bool, value: float) -> tuple[float, float]:  # noqa: FBT001 - whether a value counts, and the value
    return (float(value), 1.0) if counts else (0.0, 0.0)


def _chief_figures(played: list[Outcome]) -> Floats:
    """Return the figures that are tested together, games x figures: course of a game, and winning seat."""
    figure_rows = [
        (outcome.rounds, outcome.steps, *outcome.worth, outcome.winner == 0, sum(outcome.income), sum(outcome.operates))
        for outcome in played
    ]
    return np.array(figure_rows, np.float64)
