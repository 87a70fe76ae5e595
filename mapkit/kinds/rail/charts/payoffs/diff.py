"""Any number of payoff charts lined up: where they disagree, how they vote, and what the geometry supports."""

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Protocol

import numpy as np
import numpy.typing as npt
from pydantic import Field

from mapkit.core.base import Frozen, Slug
from mapkit.core.errors import MapkitError
from mapkit.kinds.rail.charts.payoffs.families import ChartLink, families, links
from mapkit.kinds.rail.charts.payoffs.regression import robust_scale
from mapkit.kinds.rail.model.payoffs.chart import Matrix, PayoffChart

DECISIVE = 10.0
"""Odds from which the geometry is said to support a reading."""
LEAST_SD = 0.15
"""The rounding of amounts to the half thousand alone gives this."""
_FREEDOM = 4
_ROUNDS = 8
_WITNESSES = 2
"""Families that must have a reading for it to be the print's."""
_Cell = tuple[str, str]


class Geometry(Protocol):
    """What a model of the board expects: the owner of a model passes a function of this form."""

    def __call__(self, cities: tuple[str, ...], matrix: Matrix, /) -> tuple[Matrix, Matrix]:
        """Return `(expected, sd)`, both n x n in thousands, NaN where the model says nothing.

        Args:
            cities: Ids of the n cities.
            matrix: The voted chart, n x n, thousands, symmetric, NaN where there is no majority.
        """


class Vote(Frozen):
    """A reading and the charts that have it; a chart that has two readings of a cell has half a vote for each."""

    value: float = Field(description="Thousands")
    charts: tuple[str, ...]
    votes: float
    families: float = Field(description="The same with one vote for each family of copies")


class DiffCell(Frozen):
    """Two cities for which the charts do not all give the same amount."""

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
    """A chart among the others."""

    name: str
    cells: int = Field(description="Pairs of cities with an amount")
    disagreeing: int = Field(description="Cells in which it is not with all others")
    errors: int = Field(description="Cells in which it has neither the reading that stands nor the geometry's")
    alone: int = Field(description="Errors that no other chart shares")
    corrected: int = Field(description="Cells in which it has what the geometry supports where the print has not")
    two_readings: int = Field(description="Cells whose two halves differ in the chart itself")


class Split(Frozen):
    """Two camps of charts that stand against each other, with as many votes each, in several cells."""

    one: tuple[str, ...]
    other: tuple[str, ...]
    cells: int


class PayoffDiff(Frozen):
    """What a comparison of payoff charts says."""

    charts: tuple[ChartCount, ...]
    cities: tuple[Slug, ...] = Field(description="Cities of any of the charts")
    compared: int = Field(description="Pairs of cities that at least two charts give")
    cells: tuple[DiffCell, ...]
    contested: int = Field(description="Cells in which the vote stands although the geometry supports another reading")
    links: tuple[ChartLink, ...]
    families: tuple[tuple[str, ...], ...]
    splits: tuple[Split, ...] = Field(description="One of the two camps has a common source; votes cannot tell which")
    geometry: bool = Field(description="Whether a model of the geometry was asked")


def named_apart(charts: Sequence[PayoffChart]) -> list[PayoffChart]:
    """Return the charts with names of their own: the file as given where two have the same name.

    Raises:
        MapkitError: The same file is given twice.
    """
    files = [chart.file for chart in charts]
    double = next((file for file in files if files.count(file) > 1), None)
    if double is not None:
        raise MapkitError(f"{double} is given twice; give each chart once")
    names = [chart.name for chart in charts]
    return [c if names.count(c.name) == 1 else c.model_copy(update={"name": c.file}) for c in charts]


class FixedGeometry:
    """Expected amounts from a chart, such as a computed one, with the same standard deviation everywhere.

    Args:
        chart: What is expected.
        sd: Thousands, more than 0; None for how far the voted amounts are off it, by their median.
    """

    def __init__(self, chart: PayoffChart, sd: float | None = None) -> None:
        self.chart = chart
        self.sd = sd

    def __call__(self, cities: tuple[str, ...], matrix: Matrix, /) -> tuple[Matrix, Matrix]:
        """Return the expected chart in the order of `cities`, and the deviation."""
        there = self.chart.aligned(cities)
        expected = np.where(np.isnan(there), there.T, there)
        if self.sd is not None:
            return expected, np.full(matrix.shape, self.sd)
        off = (matrix - expected)[np.triu_indices(len(cities), 1)]
        spread = max(robust_scale(off[np.isfinite(off)]), LEAST_SD)
        return expected, np.full(matrix.shape, spread)


def diff_charts(
    charts: Sequence[PayoffChart], *, geometry: Geometry | None = None, own: PayoffChart | None = None
) -> PayoffDiff:
    """Compare payoff charts cell by cell.

    Votes and families depend on one another: families follow from shared errors, errors from the reading that stands,
    and that from the votes of families. So the two are found in turn until nothing changes.

    Args:
        charts: Two or more, with different names, in thousands of the same currency.
        geometry: A model of what each pair of cities should pay.
        own: The board's own printed chart. What it has is the print, so it joins no charts, however wrong it is. It
            has no vote unless it is among `charts`.

    Raises:
        MapkitError: There are fewer than two charts, two of the same name, or no pair of cities in common.
    """
    names = [chart.name for chart in charts]
    if len(names) < 2 or len(set(names)) < len(names):  # noqa: PLR2004 - a comparison needs two
        raise MapkitError("give two charts or more, each once")
    cities = tuple(dict.fromkeys(city for chart in charts for city in chart.cities))
    stack = np.stack([chart.aligned(cities) for chart in charts])
    rows, cols = np.triu_indices(len(cities), 1)
    upper, lower = stack[:, rows, cols], stack[:, cols, rows]
    has = ~np.isnan(upper) | ~np.isnan(lower)
    compared = int((has.sum(axis=0) > 1).sum())
    if not compared:
        raise MapkitError("no two of these charts have an amount for the same two cities; are they of one board?")
    # a cell without any amount keeps these infinities, which are never more than each other
    lowest = np.fmin(upper, lower).min(axis=0, initial=np.inf, where=has)
    highest = np.fmax(upper, lower).max(axis=0, initial=-np.inf, where=has)
    split = np.flatnonzero(highest > lowest)
    readings = {
        (cities[rows[k]], cities[cols[k]]): [
            tuple(sorted({float(v) for v in (upper[c, k], lower[c, k]) if not math.isnan(v)}))
            for c in range(len(charts))
        ]
        for k in split.tolist()
    }
    common = {(i, j): int((has[i] & has[j]).sum()) for i, j in combinations(range(len(charts)), 2)}
    model = None
    if geometry is not None:
        model = _expectations(geometry, cities, _voted(cities, lowest, readings, (rows, cols), has), readings)
    printed = _printed(own, readings)
    groups: tuple[tuple[str, ...], ...] = tuple((name,) for name in names)
    cells = _judge(names, readings, groups, model, printed)
    found: list[ChartLink] = []
    for _ in range(_ROUNDS):
        found = links(names, _shared_errors(cells, readings, len(names)), common)
        before, groups = groups, families(names, found)
        cells = _judge(names, readings, groups, model, printed)
        if groups == before:
            break
    errors = _errors(cells, readings, len(names))
    counts = tuple(
        ChartCount(
            name=name,
            cells=int(has[c].sum()),
            disagreeing=sum(bool(values[c]) for values in readings.values()),
            errors=len(errors[c]),
            alone=sum(all(errors[o].get(cell) != value for o in errors if o != c) for cell, value in errors[c].items()),
            corrected=sum(
                cell.supported not in (None, cell.stands) and readings[cell.a, cell.b][c] == (cell.supported,)
                for cell in cells
            ),
            two_readings=sum(len(values[c]) > 1 for values in readings.values()),
        )
        for c, name in enumerate(names)
    )
    return PayoffDiff(
        charts=counts,
        cities=cities,
        compared=compared,
        cells=tuple(cells),
        contested=sum(cell.supported is not None and cell.stands not in (None, cell.supported) for cell in cells),
        links=tuple(found),
        families=groups,
        splits=_splits(cells),
        geometry=geometry is not None,
    )


_Readings = Mapping[_Cell, Sequence[tuple[float, ...]]]
_Model = Mapping[_Cell, tuple[float, float]]


def _voted(
    cities: tuple[str, ...],
    lowest: npt.NDArray[np.float64],
    readings: _Readings,
    at: tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]],
    has: npt.NDArray[np.bool_],
) -> Matrix:
    """Return the chart on which most agree, n x n thousands, NaN where nothing is or votes are equal."""
    out = np.zeros((len(cities), len(cities)))
    values = np.where(has.any(axis=0), lowest, np.nan)
    out[at] = values
    index = {city: k for k, city in enumerate(cities)}
    for (a, b), given in readings.items():
        majority = _winner(_tally(given, [1.0] * len(given)))
        out[index[a], index[b]] = math.nan if majority is None else majority
    upper = np.triu(out, 1)
    return np.asarray(upper + upper.T, dtype=np.float64)


def _expectations(geometry: Geometry, cities: tuple[str, ...], voted: Matrix, readings: _Readings) -> _Model:
    expected, sd = geometry(cities, voted)
    index = {city: k for k, city in enumerate(cities)}
    out = {}
    for a, b in readings:
        mean, spread = float(expected[index[a], index[b]]), float(sd[index[a], index[b]])
        if math.isfinite(mean) and math.isfinite(spread) and spread > 0:
            out[a, b] = mean, spread
    return out


def _printed(own: PayoffChart | None, readings: _Readings) -> Mapping[_Cell, float]:
    """Return what the board's own chart has in the cells that are not clear; not where its two halves differ."""
    if own is None:
        return {}
    at = {city: k for k, city in enumerate(own.cities)}
    out = {}
    for a, b in readings:
        if a in at and b in at:
            values = {float(v) for v in (own.given[at[a], at[b]], own.given[at[b], at[a]]) if not math.isnan(v)}
            if len(values) == 1:
                out[a, b] = values.pop()
    return out


def _tally(given: Sequence[tuple[float, ...]], weights: Sequence[float]) -> dict[float, float]:
    votes: dict[float, float] = {}
    for values, weight in zip(given, weights, strict=True):
        for value in values:
            votes[value] = votes.get(value, 0.0) + weight / len(values)
    return votes


def _winner(votes: Mapping[float, float]) -> float | None:
    best = max(votes.values())
    first = [value for value, count in votes.items() if math.isclose(count, best)]
    return first[0] if len(first) == 1 else None


def _judge(
    names: Sequence[str],
    readings: _Readings,
    groups: Iterable[tuple[str, ...]],
    model: _Model | None,
    printed: Mapping[_Cell, float],
) -> list[DiffCell]:
    family = {name: group for group in groups for name in group}
    out = []
    for (a, b), given in readings.items():
        present = {name for name, values in zip(names, given, strict=True) if values}
        weights = [1 / max(1, sum(other in present for other in family[name])) for name in names]
        votes, shares = _tally(given, [1.0] * len(given)), _tally(given, weights)
        by_family, own = _winner(shares), printed.get((a, b))
        expected, sd = (model or {}).get((a, b), (None, None))
        supported = odds = None
        if expected is not None and sd is not None:
            supported, odds = supported_reading(votes, expected, sd)
        out.append(
            DiffCell(
                a=a,
                b=b,
                readings=tuple(
                    Vote(
                        value=value,
                        charts=tuple(n for n, values in zip(names, given, strict=True) if value in values),
                        votes=round(count, 6),
                        families=round(shares[value], 6),
                    )
                    for value, count in sorted(votes.items(), key=lambda item: (-item[1], item[0]))
                ),
                lacking=tuple(name for name in names if name not in present),
                majority=_winner(votes),
                by_family=by_family,
                expected=None if expected is None else round(expected, 3),
                sd=None if sd is None else round(sd, 3),
                supported=supported,
                odds=odds,
                own=own,
                stands=_standing(shares, by_family, supported, own),
            )
        )
    return out


def _standing(
    votes: Mapping[float, float], voted: float | None, supported: float | None, own: float | None
) -> float | None:
    """Return the reading that stands.

    Charts are compared to find what was printed, and prints have misprints. A reading that two families have is
    hardly the same slip twice, so it is the print's, and the geometry that speaks against it speaks against the print.
    It decides only where no two families agree, or where the board's own chart has the reading that it supports: then
    those two are copies of one fault that the vote took for two witnesses.
    """
    if supported is None or supported == voted:
        return voted
    if voted is None or votes[voted] < _WITNESSES or supported == own:
        return supported
    return voted


def supported_reading(values: Iterable[float], expected: float, sd: float) -> tuple[float | None, float]:
    """Return the reading that the geometry supports, or None, and the odds of the nearest against the next.

    Residuals are taken as Student's t with 4 degrees of freedom, because printed charts have misprints of their own,
    and a normal curve would call each of them impossible. A reading is supported from odds of 10 to 1.

    Args:
        values: Two different readings or more, thousands.
        expected: What the model expects, thousands.
        sd: Its standard deviation there, thousands, more than 0.
    """
    by_height = sorted(
        ((-(_FREEDOM + 1) / 2 * math.log1p(((value - expected) / sd) ** 2 / _FREEDOM), value) for value in values),
        key=lambda item: (-item[0], item[1]),
    )
    odds = float(f"{min(math.exp(by_height[0][0] - by_height[1][0]), 1e6):.3g}")
    return (by_height[0][1] if odds >= DECISIVE else None), odds


def _errors(cells: Iterable[DiffCell], readings: _Readings, count: int) -> dict[int, dict[_Cell, float]]:
    """Return the readings of each chart that are neither the one that stands nor the one that the geometry supports.

    Undecided and split cells do not count.
    """
    out: dict[int, dict[_Cell, float]] = {c: {} for c in range(count)}
    for cell in cells:
        if cell.stands is None:
            continue
        for c, values in enumerate(readings[cell.a, cell.b]):
            if len(values) == 1 and values[0] not in (cell.stands, cell.supported):
                out[c][cell.a, cell.b] = values[0]
    return out


def _shared_errors(cells: Iterable[DiffCell], readings: _Readings, count: int) -> dict[int, dict[_Cell, float]]:
    """Return the errors that suggest a common source.

    Those are not a reading of the board's own chart, which any good copy of the print has, nor those of cells in which
    the vote and the geometry differ: either may be the print's misprint.
    """
    sure = [cell for cell in cells if cell.supported in (None, cell.stands)]
    own = {(cell.a, cell.b): cell.own for cell in sure}
    errors = _errors(sure, readings, count)
    return {c: {at: value for at, value in of.items() if value != own[at]} for c, of in errors.items()}


def _splits(cells: Iterable[DiffCell]) -> tuple[Split, ...]:
    """Count the undecided cells in which the same two camps, of two charts or more, stand against each other."""
    counts: dict[tuple[tuple[str, ...], tuple[str, ...]], int] = {}
    for cell in cells:
        camps = sorted(vote.charts for vote in cell.readings)
        if cell.stands is None and len(camps) == 2 and min(map(len, camps)) > 1:  # noqa: PLR2004 - two camps
            counts[camps[0], camps[1]] = counts.get((camps[0], camps[1]), 0) + 1
    return tuple(
        Split(one=one, other=other, cells=count) for (one, other), count in sorted(counts.items()) if count > 1
    )
