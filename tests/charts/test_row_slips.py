"""Slips in one half of a square chart: one finding names the cause."""

from collections.abc import Callable

import numpy as np
import pytest
from conftest import REPOSITORY

import mapkit
from mapkit.kinds.rail.charts.payoffs.diagnosis import diagnose
from mapkit.kinds.rail.charts.payoffs.distances import CityDistances, board_distances
from mapkit.kinds.rail.charts.payoffs.row_slips import Matrix, undo_row_slips
from mapkit.kinds.rail.charts.payoffs.structural_slips import Structure
from mapkit.kinds.rail.checks.payoff_chart.check import check_chart
from mapkit.kinds.rail.model.payoffs.chart import PayoffChart, PayoffReading


@pytest.fixture(scope="module", params=["ireland", "mexico"])
def chart(request: pytest.FixtureRequest) -> tuple[Matrix, CityDistances]:
    board = mapkit.load(request.param, workspace=REPOSITORY)
    return np.array(board.payoffs.thousands, dtype=float), board_distances(board, board.payoffs.cities)


def typed(right: Matrix, kind: str, city: int, other: int) -> Matrix:
    rows = right.copy()
    if kind == "exchanged":
        rows[[city, other]] = right[[other, city]]
    elif kind == "repeated":
        rows[city] = right[other]
    elif kind == "turned":
        rows = right[np.roll(np.arange(len(right)), 1)]
    else:
        rows[city, other:] = right[city, other - 1 : -1]
    return rows


@pytest.mark.parametrize("axis", ["row", "column"])
@pytest.mark.parametrize(("kind", "city", "other"), [("exchanged", 5, 6), ("repeated", 12, 3), ("shifted", 8, 15)])
def test_one_finding_names_the_cause(
    chart: tuple[Matrix, CityDistances], axis: str, kind: str, city: int, other: int
) -> None:
    right, distances = chart
    wrong = typed(right, kind, city, other)
    wrong = wrong if axis == "row" else wrong.T
    mended, slips = undo_row_slips(wrong, distances)
    assert [(slip.axis, slip.kind) for slip in slips] == [(axis, kind)]
    assert city in (slips[0].city, *slips[0].others)
    assert np.array_equal(mended, right)
    readings = tuple(
        PayoffReading(row=i, col=j, value=float(value), text=f"{value:g}", where=f"chart.csv:{i + 2}:{j + 2}")
        for (i, j), value in np.ndenumerate(wrong)
    )
    typed_chart = PayoffChart(name="chart", file="chart.csv", cities=distances.cities, readings=readings)
    found = check_chart(typed_chart, distances=distances, names={}, step=None)
    (finding,) = [one for one in found.findings if one.code == "P03"]
    assert f"the {axis}{'s' if kind == 'exchanged' else ''} of " in finding.message


@pytest.mark.parametrize("axis", ["row", "column"])
def test_rows_all_in_the_next_place_are_one_slip(chart: tuple[Matrix, CityDistances], axis: str) -> None:
    right, distances = chart
    wrong = typed(right, "turned", 0, 0)
    mended, slips = undo_row_slips(wrong if axis == "row" else wrong.T, distances)
    assert [(slip.axis, slip.kind, len(slip.others)) for slip in slips] == [(axis, "exchanged", len(right) - 1)]
    assert np.array_equal(mended, right)


@pytest.mark.parametrize("axis", ["row", "column"])
@pytest.mark.parametrize(("city", "other"), [(9, 10), (4, 30)])
def test_gaps_in_a_triangle_show_exchanged_rows(
    chart: tuple[Matrix, CityDistances], axis: str, city: int, other: int
) -> None:
    right, distances = chart
    triangle = np.where(np.tri(len(right), k=-1, dtype=bool), right, np.nan)
    wrong = typed(triangle, "exchanged", city, other) if axis == "row" else triangle.copy()
    if axis == "column":
        wrong[:, [city, other]] = triangle[:, [other, city]]
    mended, slips = undo_row_slips(wrong, distances)
    assert [(slip.axis, slip.kind) for slip in slips] == [(axis, "exchanged")]
    assert np.array_equal(mended, triangle, equal_nan=True)


@pytest.mark.parametrize("half", [np.tril, np.triu])
def test_a_row_of_a_triangle_that_repeats_another_is_one_slip(
    chart: tuple[Matrix, CityDistances], half: Callable[[Matrix, int], Matrix]
) -> None:
    right, distances = chart
    wrong = right.copy()
    columns = np.flatnonzero(half(np.ones_like(right), -1 if half is np.tril else 1)[24])
    columns = columns[columns != 23]
    wrong[24, columns] = wrong[columns, 24] = right[23, columns]
    (slip,) = diagnose(wrong, distances).structure
    assert (slip.kind, slip.cities) == (Structure.REPEATED, (24, 23))


def test_single_slips_are_none_of_a_row(chart: tuple[Matrix, CityDistances]) -> None:
    right, distances = chart
    rng, wrong = np.random.default_rng(4), right.copy()
    for i, j in rng.integers(0, len(right), (40, 2)).tolist():
        wrong[i, j] = right[i, j] + rng.choice([-1, 1, 2])
    undone, slips = undo_row_slips(wrong, distances)
    assert (undone == wrong).all()
    assert slips == []


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("city_count", [1, 2, 4, 5, 9])
def test_any_chart_keeps_its_shape(city_count: int) -> None:
    generator = np.random.default_rng(city_count)
    for _ in range(60):
        given = generator.integers(0, generator.integers(1, 9), (city_count, city_count)).astype(float)
        given[generator.random(given.shape) < generator.random()] = np.nan
        ground = generator.random(given.shape)
        corrected, _ = undo_row_slips(given, CityDistances((), ground + ground.T))
        assert corrected.shape == given.shape
