"""Panels of styles: the same study by several sorts of players, to tell effects of a board from effects of its players.

Matches take the styles in turn, each with dice of its own. An estimate is the mean over styles. It has two 95 %
intervals: one for the dice, and one for the choice of styles (Student's t over styles).
"""

from collections.abc import Callable, Iterable, Sequence
from math import sqrt
from typing import Final, NamedTuple, Self

import numpy as np
from pydantic import Field

from mapkit.core.base import Frozen
from mapkit.playing.batches import Play
from mapkit.playing.figure_table import FigureRow
from mapkit.playing.figures import LEVEL, Totals
from mapkit.playing.paired_differences import DIFFERENT, FigureDifference, difference_p_value, f_tail_probability

STYLE_STRIDE: Final = 1_000_000_000
"""Between the numbers of the first matches of two styles."""
_BISECTIONS: Final = 60
_MOST_QUANTILE: Final = 1e3


class PanelFigure(Frozen):
    """A figure by several styles of players."""

    part: str = Field(description="What it is of: match, player, seat, or what the board has, as railroad")
    id: str = Field(description="Which one: a number from 1, or an id")
    figure: str
    estimate: float = Field(description="Mean over styles")
    dice: float = Field(description="Half the width of the 95 % interval for the dice")
    players: float = Field(description="Half the width of the 95 % interval for the choice of styles")
    low: float = Field(description="Of the style with the lowest value")
    high: float = Field(description="Of the style with the highest value")
    values: tuple[float, ...] = Field(description="Of each style, in their order")
    sign: int | None = Field(description="In how many styles it lies on the side of the estimate; none without sides")
    depends: bool = Field(description="Whether it lies clearly above in one style and clearly below in another")


class StyleValue(NamedTuple):
    """Value of a figure in one style, and half the width of its interval."""

    value: float
    half: float


FigureKey = tuple[str, str, str]
"""Part, id and name of a figure."""


def play_styles(styles: Sequence[Play], first: int, matches: int) -> Totals:
    """Play matches by each style in turn, and return their sums, with the styles as the first axis.

    Args:
        styles: Play of each style; match m is of style m % S, and the match m // S of its own.
        first: The number of the first match.
        matches: How many.
    """
    style_count = len(styles)
    style_totals = []
    for number, play in enumerate(styles):
        start, end = (-((number - bound) // style_count) for bound in (first, first + matches))
        style_totals.append(play(start + number * STYLE_STRIDE, end - start))
    return {name: np.stack([totals[name] for totals in style_totals]) for name in style_totals[0]}


def pool_styles(totals: Totals) -> Totals:
    """Return the sums of all styles together."""
    return {name: sums.sum(axis=0) for name, sums in totals.items()}


def split_styles(totals: Totals) -> list[Totals]:
    """Return the sums of each style."""
    style_count = len(next(iter(totals.values())))
    return [{name: sums[number] for name, sums in totals.items()} for number in range(style_count)]


def combine_styles(key: FigureKey, values: Sequence[StyleValue], reference: float | None) -> PanelFigure:
    """Return a figure of a panel from its value in each style.

    Args:
        key: Part, id and name of the figure.
        values: One for each style.
        reference: What divides the two sides, as 0 for a difference; None if there are none.
    """
    part, ident, figure = key
    style_count, plain_values = len(values), [one.value for one in values]
    estimate = sum(plain_values) / style_count
    deviation = float(np.std(plain_values, ddof=1)) if style_count > 1 else 0.0
    sign, depends = None, False
    if reference is not None:
        side = np.sign(estimate - reference)
        sign = sum(np.sign(value - reference) == side for value in plain_values)
        clear_sides = {float(np.sign(one.value - reference)) for one in values if abs(one.value - reference) > one.half}
        depends = len(clear_sides) > 1
    return PanelFigure(
        part=part,
        id=ident,
        figure=figure,
        estimate=estimate,
        dice=sqrt(sum(one.half**2 for one in values)) / style_count,
        players=_student_quantile(style_count - 1) * deviation / sqrt(style_count) if style_count > 1 else 0.0,
        low=min(plain_values),
        high=max(plain_values),
        values=tuple(plain_values),
        sign=None if sign is None else int(sign),
        depends=depends,
    )


def combine_figures(
    by_style: Sequence[Iterable[tuple[FigureKey, StyleValue, float | None]]],
) -> tuple[PanelFigure, ...]:
    """Return the figures that all styles have, in the order of the first style.

    Args:
        by_style: The figures of each style: key, value, and what divides the two sides.
    """
    first_style, *other_styles = ({key: (value, side) for key, value, side in figures} for figures in by_style)
    return tuple(
        combine_styles(key, [value, *(figures[key][0] for figures in other_styles)], side)
        for key, (value, side) in first_style.items()
        if all(key in figures for figures in other_styles)
    )


def combine_studies(by_style: Sequence[Iterable[FigureRow]], players: int) -> tuple[PanelFigure, ...]:
    """Return the counted figures of a study by style; wins lie on a side of an even share.

    Args:
        by_style: The figures of each style.
        players: Of a game.
    """
    return combine_figures(
        [
            [
                (
                    (row.part, row.id, row.figure),
                    StyleValue(row.value, (row.high - row.low) / 2),
                    1 / players if row.figure.startswith("wins") else None,
                )
                for row in rows
                if row.trials
            ]
            for rows in by_style
        ]
    )


def combine_differences(by_style: Sequence[Iterable[FigureDifference]]) -> tuple[PanelFigure, ...]:
    """Return the differences of two boards by style."""
    return combine_figures(
        [
            [((f.part, f.id, f.figure), StyleValue(f.difference, (f.high - f.low) / 2), 0.0) for f in figures]
            for figures in by_style
        ]
    )


def _student_quantile(freedom: int) -> float:
    """Return the two-sided quantile of Student's t distribution, by bisection."""
    low, high = 0.0, _MOST_QUANTILE
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        low, high = (middle, high) if f_tail_probability(middle**2, 1, freedom) > 1 - LEVEL else (low, middle)
    return high


class PairComparison(Frozen):
    """The result of playing two boards with common random numbers; `chance` is of as much by chance, of 1."""

    a: str
    b: str
    policies: tuple[str, ...]
    matches: int
    chance: float
    different: bool
    figures: tuple[FigureDifference, ...]
    panel: tuple[PanelFigure, ...] = Field(default=(), description="Differences by style, in the order of policies")

    @classmethod
    def of_totals(
        cls,
        a: str,
        b: str,
        policies: tuple[str, ...],
        totals: Totals,
        compare: Callable[[Totals], tuple[FigureDifference, ...]],
    ) -> Self:
        """Return the comparison of the sums of a run.

        Args:
            a: The first board with its variants.
            b: The second one.
            policies: Computer players, by seat; of a panel, its styles.
            totals: Sums of the run by style, see `play_styles`.
            compare: Returns the differences of figures from sums.
        """
        pooled_totals, by_style = pool_styles(totals), split_styles(totals)
        chance = difference_p_value(pooled_totals)
        return cls(
            a=a,
            b=b,
            policies=policies,
            matches=int(pooled_totals["matches"][0]),
            chance=chance,
            different=chance < DIFFERENT,
            figures=compare(pooled_totals),
            panel=combine_differences(list(map(compare, by_style))) if len(by_style) > 1 else (),
        )
