"""Shortest ways by rail between the cities of a chart, and the geometry that a comparison asks."""

from itertools import pairwise

import numpy as np
import pytest

import mapkit
from mapkit.kinds.rail.charts.payoffs.chart_comparison import FixedGeometry, diff_charts
from mapkit.kinds.rail.charts.payoffs.diagnosed_geometry import DiagnosedGeometry
from mapkit.kinds.rail.charts.payoffs.distances import CityDistances, board_distances, great_circle
from mapkit.kinds.rail.charts.payoffs.routes import route_trees
from mapkit.kinds.rail.model.payoffs.chart import PayoffChart, PayoffReading
from mapkit.kinds.rail.render.payoff_page.page import draw_route_board


def test_ways_are_as_long_as_the_distances(usa: mapkit.Board) -> None:
    cities = usa.payoffs.cities
    trees, distances = route_trees(usa, cities), board_distances(usa, cities)
    assert distances.rail is not None
    rng = np.random.default_rng(1)
    for a, b in rng.choice(len(cities), (60, 2)).tolist():
        way = trees.way(a, b)
        miles = sum(usa.segments[trees.segments[min(pair), max(pair)]].miles for pair in way)
        assert miles == pytest.approx(distances.rail[a, b], abs=1e-6)
        assert all(one[1] == other[0] for one, other in pairwise(way))
        assert not way or (way[0][0], way[-1][1]) == (trees.at[a], trees.at[b])


def test_twins_have_no_way_between_them(usa: mapkit.Board) -> None:
    cities = usa.payoffs.cities
    trees = route_trees(usa, cities)
    assert trees.way(cities.index("minneapolis"), cities.index("st-paul")) == []


def test_what_scripts_are_given_leads_the_same_way(usa: mapkit.Board) -> None:
    drawn = draw_route_board(usa, usa.payoffs.cities)
    ends = list(drawn.steps)
    ways = drawn.ways()
    for a, b in ((0, 66), (1, 8), (30, 31)):
        by = dict(zip(ways[a][::2], ways[a][1::2], strict=True))
        here, walked = drawn.trees.at[b], []
        while here != drawn.trees.at[a]:
            walked.append(by[here])
            here = sum(ends[by[here]]) - here
        assert walked[::-1] == drawn.route(a, b)


def chart(name: str, values: np.typing.NDArray[np.float64]) -> PayoffChart:
    n = len(values)
    return PayoffChart(
        name=name,
        file=f"{name}.csv",
        cities=tuple(f"c{k}" for k in range(n)),
        readings=tuple(
            PayoffReading(row=i, col=j, value=float(values[i, j]), text="", where=f"{name}.csv:{i + 2}:{j + 2}")
            for i in range(n)
            for j in range(n)
        ),
    )


def made() -> tuple[CityDistances, np.typing.NDArray[np.float64]]:
    rng = np.random.default_rng(8)
    ground = great_circle(rng.uniform(-110, -80, 20).tolist(), rng.uniform(30, 45, 20).tolist())
    values = np.maximum(np.round(ground * 0.012 * 2), 1) / 2
    np.fill_diagonal(values, 0)
    return CityDistances(tuple(f"c{k}" for k in range(20)), ground), values


def test_the_model_supports_the_true_reading_of_two_and_says_noise_of_half_a_step() -> None:
    distances, values = made()
    other = values.copy()
    other[2, 9] = other[9, 2] = values[2, 9] + 6
    other[3, 4] = other[4, 3] = values[3, 4] + 0.5
    geometry = DiagnosedGeometry(distances)
    found = diff_charts([chart("one", other), chart("two", values)], geometry=geometry)
    by_pair = {(cell.a, cell.b): cell for cell in found.cells}
    big, small = by_pair["c2", "c9"], by_pair["c3", "c4"]
    assert (big.supported, big.stands, big.majority) == (values[2, 9], values[2, 9], None)
    assert small.sd is not None
    assert big.expected == pytest.approx(values[2, 9], abs=4 * small.sd)


def test_the_model_says_nothing_of_cities_that_the_board_has_not_and_of_tiny_charts() -> None:
    distances, values = made()
    geometry = DiagnosedGeometry(distances)
    names = (*(f"c{k}" for k in range(19)), "elsewhere")
    expected, sd = geometry(names, values)
    assert np.isnan(expected[19]).all()
    assert np.isfinite(expected[:19, :19]).all()
    assert (sd[:19, :19] >= 0.125).all()
    assert np.isnan(geometry(names[:5], values[:5, :5])[0]).all()


def test_a_chart_as_geometry_shows_its_own_deviation() -> None:
    _, values = made()
    rng = np.random.default_rng(2)
    noise = np.triu(rng.normal(0, 0.8, values.shape), 1)
    _, sd = FixedGeometry(chart("computed", values))(tuple(f"c{k}" for k in range(20)), values + noise + noise.T)
    assert sd[0, 1] == pytest.approx(0.8, rel=0.2)
    exact = FixedGeometry(chart("computed", values))(tuple(f"c{k}" for k in range(20)), values)[1]
    assert exact[0, 1] == 0.15
