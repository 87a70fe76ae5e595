"""Comparison of two boards, or sets of rules, played with the same dice: differences of all figures."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np

from mapkit.core.arrays import Floats
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.model.comparison import Comparison, PlayedOn
from mapkit.kinds.rail.playing.batch import MOMENTS, MatchSetup, PlayedMatches, owners_and_winners, play_matches
from mapkit.kinds.rail.playing.state import (
    BANKRUPT,
    BOUGHT,
    FEES_EARNED,
    FEES_PAID,
    PAYOFFS,
    ROVERS,
    STEPS_RIDDEN,
    TRIPS,
)
from mapkit.kinds.rail.rules.active_options import options_on
from mapkit.playing.figures import Totals
from mapkit.playing.paired_differences import DIFFERENT, FigureDifference, difference_p_value, paired_sums
from mapkit.playing.paired_differences import compare_figures as compare_named_figures
from mapkit.playing.panels import combine_differences, pool_styles, split_styles

_MATCH_FIGURES: Final = {
    "trips": TRIPS,
    "payoffs": PAYOFFS,
    "fees": FEES_PAID,
    "fees earned": FEES_EARNED,
    "purchases": BOUGHT,
    "mileposts": STEPS_RIDDEN,
    "bankruptcies": BANKRUPT,
    "rovers": ROVERS,
}
_MOMENT_TITLES: Final = {
    "first": "wins of the first buyer",
    "sell-out": "wins of the owner at sell-out",
    "end": "wins of the owner at the end",
}


class TablePair(NamedTuple):
    """Two tables, and their common railroads: ids, and numbers on each."""

    one: MatchSetup
    other: MatchSetup
    railroads: tuple[str, ...]
    at_one: tuple[int, ...]
    at_other: tuple[int, ...]


def make_pair(one: MatchSetup, other: MatchSetup, ids_one: Sequence[str], ids_other: Sequence[str]) -> TablePair:
    """Return two tables with their common railroads, in the order of the first."""
    common_ids = [ident for ident in ids_one if ident in ids_other]
    numbers_by_table = tuple(
        tuple(ids.index(ident) for ident in common_ids) for ids in (list(ids_one), list(ids_other))
    )
    return TablePair(one, other, tuple(common_ids), numbers_by_table[0], numbers_by_table[1])


def play_pair_batch(pair: TablePair, first: int, matches: int) -> Totals:
    """Play matches of the same numbers on both tables, and return the sums of their differences.

    Raises:
        MapkitError: As for `play_matches`.
    """
    played_one, played_other = (play_matches(table, first, matches) for table in (pair.one, pair.other))
    players = pair.one.terms.players
    joint_differences = _joint_figures(played_other, players) - _joint_figures(played_one, players)
    return paired_sums(
        _figure_ratios(played_one, pair.at_one, players),
        _figure_ratios(played_other, pair.at_other, players),
        joint_differences,
    )


def _figure_names(pair: TablePair) -> Iterator[tuple[str, str, str]]:
    """Yield part, id and name of each figure, in the order of `_figure_ratios`."""
    yield "match", "", "rounds"
    yield "match", "", "sold out"
    for name in _MATCH_FIGURES:
        yield "match", "", name
    for player in range(pair.one.terms.players):
        yield "player", str(player + 1), "wins"
    for seat in range(pair.one.terms.players):
        yield "seat", str(seat + 1), "wins"
    for ident in pair.railroads:
        yield "railroad", ident, "fees"
    for moment in MOMENTS:
        for ident in pair.railroads:
            yield "railroad", ident, _MOMENT_TITLES[moment]


def _figure_ratios(played: PlayedMatches, railroads: Sequence[int], players: int) -> Floats:
    """Return, matches x figures x 2, counts and the numbers that they are counted of."""
    by_match = played.tally.sum(axis=1)
    match_figures = [
        played.rounds[:, None],
        played.sold_out[:, None],
        by_match[:, list(_MATCH_FIGURES.values())],
        played.winner[:, None] == np.arange(players),
        played.seat[:, None] == np.arange(players),
        played.income[:, railroads],
    ]
    figure_values = np.concatenate([part.astype(np.float64) for part in match_figures], axis=1)
    ratio_parts = [np.stack([figure_values, np.ones_like(figure_values)], axis=2)]
    for moment in range(len(MOMENTS)):
        owned, won_by_owner = owners_and_winners(played, moment, players)
        ratio_parts.append(np.stack([won_by_owner[:, railroads], owned[:, railroads]], axis=2).astype(np.float64))
    return np.concatenate(ratio_parts, axis=1)


def _joint_figures(played: PlayedMatches, players: int) -> Floats:
    """Return, matches x figures, the figures of the joint test: course of the match, and the winner's seat."""
    is_winning_seat = played.seat[:, None] == np.arange(players - 1)
    by_match = played.tally.sum(axis=1)[:, [TRIPS, PAYOFFS, FEES_PAID, BOUGHT, BANKRUPT, ROVERS]]
    return np.concatenate([played.rounds[:, None], by_match, is_winning_seat.astype(np.float64)], axis=1)


def compare_figures(pair: TablePair, totals: Totals) -> tuple[FigureDifference, ...]:
    """Return the differences from the sums; figures that were never counted on one board are left out."""
    return compare_named_figures(_figure_names(pair), totals)


def make_comparison(
    boards: tuple[Board, Board], pairs: Sequence[TablePair], line_ups: Sequence[Sequence[str]], totals: Totals
) -> Comparison:
    """Return how play on two boards differs.

    Args:
        boards: Both boards, with the rules that were played.
        pairs: Their tables, for each style of a panel; a single one if policies were chosen.
        line_ups: The name of each player's policy, likewise.
        totals: Sums of batches by style, see `play_styles`.
    """
    pooled_totals = pool_styles(totals)
    chance = difference_p_value(pooled_totals)
    style_figures = [compare_figures(pairs[0], one) for one in split_styles(totals)]
    return Comparison(
        a=_played_on(boards[0], pairs[0].one.seed),
        b=_played_on(boards[1], pairs[0].other.seed),
        policies=tuple(line_ups[0]) if len(line_ups) == 1 else tuple(line_up[0] for line_up in line_ups),
        players=len(line_ups[0]),
        matches=int(pooled_totals["matches"][0]),
        chance=chance,
        different=chance < DIFFERENT,
        figures=compare_figures(pairs[0], pooled_totals),
        panel=() if len(line_ups) == 1 else combine_differences(style_figures),
    )


def _played_on(board: Board, seed: int) -> PlayedOn:
    return PlayedOn(
        board=board.id,
        variants=board.variants,
        preset=board.rules.preset,
        options=options_on(board.rules),
        seed=seed,
    )
