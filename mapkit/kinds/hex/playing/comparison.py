"""Comparison of two boards of hexagons, or two sets of rules, by play with common random numbers."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from mapkit.core.arrays import Floats
from mapkit.kinds.hex.playing.outcome import HexOutcome
from mapkit.kinds.hex.playing.study import MATCH_FIGURES, HexTable, play_outcomes
from mapkit.kinds.hex.rules.colours import GOODS
from mapkit.playing.figures import Totals
from mapkit.playing.paired_differences import FigureDifference, compare_figures, paired_sums


@dataclass(frozen=True)
class HexPair:
    """Two tables with their common cities: ids, and numbers on each table."""

    one: HexTable
    other: HexTable
    cities: tuple[tuple[str, int, int], ...]


def hex_pair(one: HexTable, other: HexTable) -> HexPair:
    """Return two tables with their common cities, in the order of the first."""
    first_ids, second_ids = ([city.id for city in table.terms.board.cities] for table in (one, other))
    return HexPair(
        one,
        other,
        tuple((city, first_ids.index(city), second_ids.index(city)) for city in first_ids if city in second_ids),
    )


def hex_pair_batch(pair: HexPair, first: int, matches: int) -> Totals:
    """Play games of the same numbers on both tables, and return the sums of their differences."""
    first_outcomes, second_outcomes = (play_outcomes(table, first, matches) for table in (pair.one, pair.other))
    return paired_sums(
        _figure_ratios(first_outcomes, [number for _, number, _ in pair.cities]),
        _figure_ratios(second_outcomes, [number for _, _, number in pair.cities]),
        _chief_figures(second_outcomes) - _chief_figures(first_outcomes),
    )


def compared_hexes(pair: HexPair, totals: Totals) -> tuple[FigureDifference, ...]:
    """Return the difference of each figure from the sums."""
    return compare_figures(_figure_names(pair), totals)


def _figure_names(pair: HexPair) -> Iterator[tuple[str, str, str]]:
    """Yield part, id and name of each figure, in the order of `_figure_ratios`."""
    players = pair.one.terms.players
    for name in (*MATCH_FIGURES, "ties", "stalled", "mean points", "mean bonds"):
        yield "match", "", name.replace("_", " ")
    for what in ("wins", "points", "bonds"):
        for seat in range(players):
            yield "seat", str(seat + 1), what
    for colour in GOODS:
        yield "colour", colour, "cubes left"
    for city, _, _ in pair.cities:
        yield "city", city, "used"


def _figure_ratios(outcomes: list[HexOutcome], cities: list[int]) -> Floats:
    """Return counts and trials of each figure, games x figures x 2."""
    rows = [
        [
            *(getattr(outcome, name) for name in MATCH_FIGURES),
            outcome.winner < 0,
            outcome.stalled,
            sum(outcome.points) / len(outcome.points),
            sum(outcome.bonds) / len(outcome.bonds),
            *(outcome.winner == seat for seat in range(len(outcome.points))),
            *outcome.points,
            *outcome.bonds,
            *outcome.left,
            *(outcome.used[city] for city in cities),
        ]
        for outcome in outcomes
    ]
    counts = np.array(rows, np.float64)
    return np.stack([counts, np.ones_like(counts)], axis=2)


def _chief_figures(outcomes: list[HexOutcome]) -> Floats:
    """Return the figures that are tested together, games x figures."""
    rows = [
        (
            one.turns,
            one.deliveries,
            one.bids,
            sum(one.points),
            sum(one.bonds),
            one.winner == 0,
            one.points[0],
            sum(one.left),
        )
        for one in outcomes
    ]
    return np.array(rows, np.float64)
