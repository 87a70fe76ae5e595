"""Comparison of several payoff charts: disagreements, votes, and the readings that the geometry supports."""

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Protocol

import numpy as np
import numpy.typing as npt
from pydantic import Field

from mapkit.core.base import Frozen, Slug
from mapkit.core.errors import MapkitError
from mapkit.kinds.rail.charts.payoffs.chart_families import ChartLink, Descent, find_descents, find_families, find_links
from mapkit.kinds.rail.charts.payoffs.regression import robust_scale
from mapkit.kinds.rail.model.payoffs.chart import Matrix, PayoffChart

DECISIVE = 10.0
"""Least odds at which the geometry supports a reading."""
LEAST_SD = 0.15
"""Least standard deviation, due to rounding of amounts to the half thousand."""
_DEGREES_OF_FREEDOM = 4
_MAX_ROUNDS = 8
_MIN_WITNESSES = 2
"""Number of families with a reading that proves it to be the print's."""
_CityPair = tuple[str, str]


class Geometry(Protocol):
    """Function of a model of the board that returns expected amounts."""

    def __call__(self, cities: tuple[str, ...], matrix: Matrix, /) -> tuple[Matrix, Matrix]:
        """Return `(expected, sd)`, both n x n in thousands, NaN without a prediction.

        Args:
            cities: Ids of the n cities.
            matrix: The majority chart, n x n, thousands, symmetric, NaN without a majority.
        """


class Vote(Frozen):
    """Reading and the charts that have it; a chart with two readings of a cell has half a vote for each."""

    value: float = Field(description="Thousands")
    charts: tuple[str, ...]
    votes: float
    families: float = Field(description="The same with one vote for each family of copies")


class DiffCell(Frozen):
    """Pair of cities with different amounts in the charts."""

    a: Slug
    b: Slug
    readings: tuple[Vote, ...] = Field(description="Most votes first, then the smaller value")
    lacking: tuple[str, ...] = Field(description="Charts without an amount here")
    majority: float | None = Field(description="The reading with most votes, one a chart; None if it is a tie")
    by_family: float | None = Field(description="The reading with most votes, one a family; None if it is a tie")
    expected: float | None = Field(default=None, description="What the geometry expects, thousands")
    sd: float | None = None
    supported: float | None = Field(default=None, description="The reading that the geometry supports; None: noise")
    odds: float | None = Field(default=None, description="Of the reading nearest the geometry against the next")
    own: float | None = Field(default=None, description="What the board's own printed chart has")
    stands: float | None = Field(
        description="Voted by two families or more, or by one if the geometry does not object; None: undecided"
    )


class ChartCount(Frozen):
    """Counts of one chart in the comparison."""

    name: str
    cells: int = Field(description="Pairs of cities with an amount")
    disagreeing: int = Field(description="Cells in which it is not with all others")
    errors: int = Field(description="Cells in which it has neither the reading that stands nor the geometry's")
    alone: int = Field(description="Errors that no other chart shares")
    corrected: int = Field(description="Cells in which it has what the geometry supports where the print has not")
    two_readings: int = Field(description="Cells whose two halves differ in the chart itself")


class Split(Frozen):
    """Two camps of charts with equal votes that disagree in several cells."""

    one: tuple[str, ...]
    other: tuple[str, ...]
    cells: int


class PayoffDiff(Frozen):
    """Result of a comparison of payoff charts."""

    charts: tuple[ChartCount, ...]
    cities: tuple[Slug, ...] = Field(description="Cities of any of the charts")
    compared: int = Field(description="Pairs of cities that at least two charts give")
    cells: tuple[DiffCell, ...]
    contested: int = Field(description="Cells in which the vote stands although the geometry supports another reading")
    links: tuple[ChartLink, ...]
    families: tuple[tuple[str, ...], ...]
    descents: tuple[Descent, ...] = Field(description="Which copy each chart descends from")
    splits: tuple[Split, ...] = Field(description="One of the two camps has a common source; votes cannot tell which")
    geometry: bool = Field(description="Whether a model of the geometry was asked")


def make_names_unique(charts: Sequence[PayoffChart]) -> list[PayoffChart]:
    """Return the charts with unique names: the file as given if two have the same name.

    Raises:
        MapkitError: The same file is given twice.
    """
    files = [chart.file for chart in charts]
    duplicate_file = next((file for file in files if files.count(file) > 1), None)
    if duplicate_file is not None:
        raise MapkitError(f"{duplicate_file} is given twice; give each chart once")
    names = [chart.name for chart in charts]
    return [c if names.count(c.name) == 1 else c.model_copy(update={"name": c.file}) for c in charts]


class FixedGeometry:
    """Expected amounts from a chart, such as a computed one, with the same standard deviation everywhere.

    Args:
        chart: The expected amounts.
        sd: Thousands, more than 0; None for the robust deviation of the voted amounts from it.
    """

    def __init__(self, chart: PayoffChart, sd: float | None = None) -> None:
        self.chart = chart
        self.sd = sd

    def __call__(self, cities: tuple[str, ...], matrix: Matrix, /) -> tuple[Matrix, Matrix]:
        """Return the expected chart in the order of `cities`, and the deviation."""
        aligned_amounts = self.chart.aligned(cities)
        expected = np.where(np.isnan(aligned_amounts), aligned_amounts.T, aligned_amounts)
        if self.sd is not None:
            return expected, np.full(matrix.shape, self.sd)
        residuals = (matrix - expected)[np.triu_indices(len(cities), 1)]
        uniform_sd = max(robust_scale(residuals[np.isfinite(residuals)]), LEAST_SD)
        return expected, np.full(matrix.shape, uniform_sd)


def diff_charts(
    charts: Sequence[PayoffChart], *, geometry: Geometry | None = None, own: PayoffChart | None = None
) -> PayoffDiff:
    """Compare payoff charts cell by cell.

    Votes and families depend on one another: families follow from shared errors, errors from the accepted readings, and
    these from the votes of families. Both are therefore recomputed alternately until nothing changes.

    Args:
        charts: Two or more, with different names, in thousands of the same currency.
        geometry: A model of the payoff of each pair of cities.
        own: The board's own printed chart. Its readings are the print's and connect no charts, even if they are wrong.
            It has no vote unless it is among `charts`.

    Raises:
        MapkitError: There are fewer than two charts, two of the same name, or no pair of cities in common.
    """
    names = [chart.name for chart in charts]
    if len(names) < 2 or len(set(names)) < len(names):  # noqa: PLR2004 - a comparison needs two
        raise MapkitError("give two charts or more, each once")
    cities = tuple(dict.fromkeys(city for chart in charts for city in chart.cities))
    aligned_charts = np.stack([chart.aligned(cities) for chart in charts])
    rows, cols = np.triu_indices(len(cities), 1)
    upper, lower = aligned_charts[:, rows, cols], aligned_charts[:, cols, rows]
    has_amount = ~np.isnan(upper) | ~np.isnan(lower)
    compared_pairs = int((has_amount.sum(axis=0) > 1).sum())
    if not compared_pairs:
        raise MapkitError("no two of these charts have an amount for the same two cities; compare charts of one board")
    # a cell without any amount keeps these infinities, and then lowest > highest
    lowest = np.fmin(upper, lower).min(axis=0, initial=np.inf, where=has_amount)
    highest = np.fmax(upper, lower).max(axis=0, initial=-np.inf, where=has_amount)
    differing_pairs = np.flatnonzero(highest > lowest)
    readings = {
        (cities[rows[pair_index]], cities[cols[pair_index]]): [
            tuple(
                sorted(
                    {
                        float(amount)
                        for amount in (upper[chart_index, pair_index], lower[chart_index, pair_index])
                        if not math.isnan(amount)
                    }
                )
            )
            for chart_index in range(len(charts))
        ]
        for pair_index in differing_pairs.tolist()
    }
    common_counts = {(i, j): int((has_amount[i] & has_amount[j]).sum()) for i, j in combinations(range(len(charts)), 2)}
    expectations = None
    if geometry is not None:
        expectations = _compute_expectations(
            geometry, cities, _majority_chart(cities, lowest, readings, (rows, cols), has_amount), readings
        )
    own_readings = _own_readings(own, readings)
    chart_families: tuple[tuple[str, ...], ...] = tuple((name,) for name in names)
    diff_cells = _judge_cells(names, readings, chart_families, expectations, own_readings)
    chart_links: list[ChartLink] = []
    for _ in range(_MAX_ROUNDS):
        chart_links = find_links(names, _list_indicative_errors(diff_cells, readings, len(names)), common_counts)
        previous_families, chart_families = chart_families, find_families(names, chart_links)
        diff_cells = _judge_cells(names, readings, chart_families, expectations, own_readings)
        if chart_families == previous_families:
            break
    errors_by_chart = _list_errors(diff_cells, readings, len(names))
    chart_counts = tuple(
        ChartCount(
            name=name,
            cells=int(has_amount[chart_index].sum()),
            disagreeing=sum(bool(values[chart_index]) for values in readings.values()),
            errors=len(errors_by_chart[chart_index]),
            alone=sum(
                all(
                    errors_by_chart[other_chart].get(cell) != value
                    for other_chart in errors_by_chart
                    if other_chart != chart_index
                )
                for cell, value in errors_by_chart[chart_index].items()
            ),
            corrected=sum(
                cell.supported not in (None, cell.stands) and readings[cell.a, cell.b][chart_index] == (cell.supported,)
                for cell in diff_cells
            ),
            two_readings=sum(len(values[chart_index]) > 1 for values in readings.values()),
        )
        for chart_index, name in enumerate(names)
    )
    return PayoffDiff(
        charts=chart_counts,
        cities=cities,
        compared=compared_pairs,
        cells=tuple(diff_cells),
        contested=sum(cell.supported is not None and cell.stands not in (None, cell.supported) for cell in diff_cells),
        links=tuple(chart_links),
        families=chart_families,
        descents=find_descents(names, _list_indicative_errors(diff_cells, readings, len(names)), chart_links),
        splits=_count_splits(diff_cells),
        geometry=geometry is not None,
    )


_Readings = Mapping[_CityPair, Sequence[tuple[float, ...]]]
_Expectations = Mapping[_CityPair, tuple[float, float]]


def _majority_chart(
    cities: tuple[str, ...],
    lowest: npt.NDArray[np.float64],
    readings: _Readings,
    cell_index: tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]],
    has_amount: npt.NDArray[np.bool_],
) -> Matrix:
    """Return the majority chart, n x n thousands, NaN without a reading or with a tie."""
    majority_values = np.zeros((len(cities), len(cities)))
    agreed_amounts = np.where(has_amount.any(axis=0), lowest, np.nan)
    majority_values[cell_index] = agreed_amounts
    index_by_city = {city: k for k, city in enumerate(cities)}
    for (a, b), pair_readings in readings.items():
        winning_value = _single_winner(_count_votes(pair_readings, [1.0] * len(pair_readings)))
        majority_values[index_by_city[a], index_by_city[b]] = math.nan if winning_value is None else winning_value
    upper_triangle = np.triu(majority_values, 1)
    return np.asarray(upper_triangle + upper_triangle.T, dtype=np.float64)


def _compute_expectations(
    geometry: Geometry, cities: tuple[str, ...], voted: Matrix, readings: _Readings
) -> _Expectations:
    expected, sd = geometry(cities, voted)
    index_by_city = {city: k for k, city in enumerate(cities)}
    expectation_by_pair = {}
    for a, b in readings:
        mean, spread = (
            float(expected[index_by_city[a], index_by_city[b]]),
            float(sd[index_by_city[a], index_by_city[b]]),
        )
        if math.isfinite(mean) and math.isfinite(spread) and spread > 0:
            expectation_by_pair[a, b] = mean, spread
    return expectation_by_pair


def _own_readings(own_chart: PayoffChart | None, readings: _Readings) -> Mapping[_CityPair, float]:
    """Return the board's own amounts in the contested cells, unless its two halves differ."""
    if own_chart is None:
        return {}
    index_by_city = {city: k for k, city in enumerate(own_chart.cities)}
    own_values = {}
    for a, b in readings:
        if a in index_by_city and b in index_by_city:
            both_readings = {
                float(amount)
                for amount in (
                    own_chart.given[index_by_city[a], index_by_city[b]],
                    own_chart.given[index_by_city[b], index_by_city[a]],
                )
                if not math.isnan(amount)
            }
            if len(both_readings) == 1:
                own_values[a, b] = both_readings.pop()
    return own_values


def _count_votes(values_by_chart: Sequence[tuple[float, ...]], weights: Sequence[float]) -> dict[float, float]:
    votes: dict[float, float] = {}
    for chart_values, weight in zip(values_by_chart, weights, strict=True):
        for value in chart_values:
            votes[value] = votes.get(value, 0.0) + weight / len(chart_values)
    return votes


def _single_winner(votes: Mapping[float, float]) -> float | None:
    most_votes = max(votes.values())
    leading_values = [value for value, vote_count in votes.items() if math.isclose(vote_count, most_votes)]
    return leading_values[0] if len(leading_values) == 1 else None


def _judge_cells(
    names: Sequence[str],
    readings: _Readings,
    groups: Iterable[tuple[str, ...]],
    model: _Expectations | None,
    printed: Mapping[_CityPair, float],
) -> list[DiffCell]:
    family_by_name = {name: group for group in groups for name in group}
    diff_cells = []
    for (a, b), pair_readings in readings.items():
        present_charts = {name for name, values in zip(names, pair_readings, strict=True) if values}
        weights = [
            1 / max(1, sum(other_name in present_charts for other_name in family_by_name[name])) for name in names
        ]
        votes_by_value, family_votes = (
            _count_votes(pair_readings, [1.0] * len(pair_readings)),
            _count_votes(pair_readings, weights),
        )
        by_family, own_value = _single_winner(family_votes), printed.get((a, b))
        expected, sd = (model or {}).get((a, b), (None, None))
        supported_value = odds = None
        if expected is not None and sd is not None:
            supported_value, odds = supported_reading(votes_by_value, expected, sd)
        diff_cells.append(
            DiffCell(
                a=a,
                b=b,
                readings=tuple(
                    Vote(
                        value=value,
                        charts=tuple(n for n, values in zip(names, pair_readings, strict=True) if value in values),
                        votes=round(vote_count, 6),
                        families=round(family_votes[value], 6),
                    )
                    for value, vote_count in sorted(votes_by_value.items(), key=lambda item: (-item[1], item[0]))
                ),
                lacking=tuple(name for name in names if name not in present_charts),
                majority=_single_winner(votes_by_value),
                by_family=by_family,
                expected=None if expected is None else round(expected, 3),
                sd=None if sd is None else round(sd, 3),
                supported=supported_value,
                odds=odds,
                own=own_value,
                stands=_choose_reading(family_votes, by_family, supported_value, own_value),
            )
        )
    return diff_cells


def _choose_reading(
    votes: Mapping[float, float], voted_value: float | None, supported_value: float | None, own_value: float | None
) -> float | None:
    """Return the accepted reading of a cell, or None.

    Charts are compared to find the printed amounts, and prints have misprints. A reading of two families is hardly the
    same slip twice, so it is the print's, and geometry against it contradicts the print. The geometry decides only if
    no two families agree, or if the board's own chart has the reading that it supports: the two families are then
    copies of one error that the vote took for two witnesses.
    """
    if supported_value is None or supported_value == voted_value:
        return voted_value
    if voted_value is None or votes[voted_value] < _MIN_WITNESSES or supported_value == own_value:
        return supported_value
    return voted_value


def supported_reading(values: Iterable[float], expected: float, sd: float) -> tuple[float | None, float]:
    """Return the reading that the geometry supports, or None, and the odds of the nearest against the next.

    Residuals are modelled by Student's t distribution with 4 degrees of freedom, because printed charts have misprints
    of their own, which are impossible under a normal distribution. A reading is supported from odds of 10 to 1.

    Args:
        values: Two different readings or more, thousands.
        expected: The amount that the model expects, thousands.
        sd: Its standard deviation there, thousands, more than 0.
    """
    log_densities = sorted(
        (
            (-(_DEGREES_OF_FREEDOM + 1) / 2 * math.log1p(((value - expected) / sd) ** 2 / _DEGREES_OF_FREEDOM), value)
            for value in values
        ),
        key=lambda item: (-item[0], item[1]),
    )
    odds = float(f"{min(math.exp(log_densities[0][0] - log_densities[1][0]), 1e6):.3g}")
    return (log_densities[0][1] if odds >= DECISIVE else None), odds


def _list_errors(cells: Iterable[DiffCell], readings: _Readings, count: int) -> dict[int, dict[_CityPair, float]]:
    """Return the readings of each chart that are neither accepted nor supported by the geometry.

    Undecided and split cells do not count.
    """
    errors_by_chart: dict[int, dict[_CityPair, float]] = {chart_index: {} for chart_index in range(count)}
    for cell in cells:
        if cell.stands is None:
            continue
        for chart_index, chart_values in enumerate(readings[cell.a, cell.b]):
            if len(chart_values) == 1 and chart_values[0] not in (cell.stands, cell.supported):
                errors_by_chart[chart_index][cell.a, cell.b] = chart_values[0]
    return errors_by_chart


def _list_indicative_errors(
    cells: Iterable[DiffCell], readings: _Readings, count: int
) -> dict[int, dict[_CityPair, float]]:
    """Return the errors that indicate a common source.

    They exclude readings of the board's own chart, which any good copy of the print has, and cells in which the vote
    and the geometry differ, because either may be the print's misprint.
    """
    certain_cells = [cell for cell in cells if cell.supported in (None, cell.stands)]
    own_by_pair = {(cell.a, cell.b): cell.own for cell in certain_cells}
    errors = _list_errors(certain_cells, readings, count)
    return {
        chart_index: {city_pair: value for city_pair, value in chart_errors.items() if value != own_by_pair[city_pair]}
        for chart_index, chart_errors in errors.items()
    }


def _count_splits(cells: Iterable[DiffCell]) -> tuple[Split, ...]:
    """Count the undecided cells of each disagreement of two camps with at least two charts each."""
    cells_by_camps: dict[tuple[tuple[str, ...], tuple[str, ...]], int] = {}
    for cell in cells:
        sorted_camps = sorted(vote.charts for vote in cell.readings)
        if cell.stands is None and len(sorted_camps) == 2 and min(map(len, sorted_camps)) > 1:  # noqa: PLR2004 - two camps
            cells_by_camps[sorted_camps[0], sorted_camps[1]] = (
                cells_by_camps.get((sorted_camps[0], sorted_camps[1]), 0) + 1
            )
    return tuple(
        Split(one=first_camp, other=second_camp, cells=count)
        for (first_camp, second_camp), count in sorted(cells_by_camps.items())
        if count > 1
    )
