"""Charts lined up: votes, families of copies, and what geometry supports."""

import math
import random

import numpy as np
import pytest

from mapkit.core.errors import MapkitError
from mapkit.kinds.rail.charts.payoffs.chart_comparison import (
    FixedGeometry,
    PayoffDiff,
    diff_charts,
    make_names_unique,
    supported_reading,
)
from mapkit.kinds.rail.model.payoffs.chart import Matrix, PayoffChart, PayoffReading

CITIES = tuple(f"c{k:02d}" for k in range(30))


def truth() -> Matrix:
    rng = random.Random(5)  # noqa: S311 - test data
    half = np.triu(np.array([[rng.randint(2, 60) / 2 for _ in CITIES] for _ in CITIES]), 1)
    return np.asarray(half + half.T, dtype=np.float64)


def chart(name: str, matrix: Matrix, cities: tuple[str, ...] = CITIES) -> PayoffChart:
    readings = tuple(
        PayoffReading(row=i, col=j, value=float(v), text=f"{v:g}", where=f"{name}:{i + 2}:{j + 2}")
        for (i, j), v in np.ndenumerate(matrix)
        if not np.isnan(v)
    )
    return PayoffChart(name=name, file=f"{name}.csv", cities=cities, readings=readings)


def slipped(matrix: Matrix, count: int, seed: int) -> Matrix:
    """Return the chart with slips of 2 thousand in both halves, in cells of their own for each seed."""
    cells = [(i, j) for i in range(len(CITIES)) for j in range(i)]
    random.Random(0).shuffle(cells)  # noqa: S311 - test data
    out = matrix.copy()
    for i, j in cells[seed * 40 : seed * 40 + count]:
        out[i, j] = out[j, i] = out[i, j] + 2
    return out


def test_a_majority_stands_and_errors_are_counted() -> None:
    right, wrong = truth(), slipped(truth(), 3, 0)
    found = diff_charts([chart("a", right), chart("b", wrong), chart("c", right)])
    assert (len(found.cells), found.compared) == (3, 30 * 29 // 2)
    for cell in found.cells:
        i, j = CITIES.index(cell.a), CITIES.index(cell.b)
        assert (cell.majority, cell.by_family, cell.stands) == (right[i, j],) * 3
        assert [(v.value, v.charts, v.votes) for v in cell.readings] == [
            (right[i, j], ("a", "c"), 2),
            (wrong[i, j], ("b",), 1),
        ]
    assert [(c.name, c.cells, c.disagreeing, c.errors, c.alone) for c in found.charts] == [
        ("a", 435, 3, 0, 0),
        ("b", 435, 3, 3, 3),
        ("c", 435, 3, 0, 0),
    ]
    assert found.families == (("a",), ("b",), ("c",))


def test_copies_are_found_by_shared_errors_and_vote_once() -> None:
    """Two copies of one faulty chart are joined, and the fourth chart's single error is not put to them."""
    right = truth()
    source = slipped(right, 10, 0)
    copy = slipped(source, 4, 1)
    charts = [chart("source", source), chart("copy", copy), chart("x", right), chart("y", slipped(right, 5, 2)),
              chart("z", slipped(right, 6, 3))]  # fmt: skip
    found = diff_charts(charts)
    assert found.families == (("source", "copy"), ("x",), ("y",), ("z",))
    (link,) = [link for link in found.links if link.joined]
    assert (link.one, link.other, link.errors_one, link.errors_other, link.shared, link.contains) == (
        "source", "copy", 10, 14, 10, "copy",
    )  # fmt: skip
    assert link.expected == round(10 * 14 / 435, 4)
    assert link.chance == float(f"{math.comb(425, 4) / math.comb(435, 14):.3g}")  # hypergeometric
    for cell in found.cells:
        assert cell.stands == right[CITIES.index(cell.a), CITIES.index(cell.b)]


def test_two_camps_are_reported_and_geometry_decides() -> None:
    right = truth()
    source = slipped(right, 10, 0)
    charts = [chart("a", source), chart("b", source), chart("c", right), chart("d", right)]
    found = diff_charts(charts)
    assert {cell.stands for cell in found.cells} == {None}
    assert [(s.one, s.other, s.cells) for s in found.splits] == [(("a", "b"), ("c", "d"), 10)]
    assert found.families == (("a",), ("b",), ("c",), ("d",))
    judged = diff_charts(charts, geometry=FixedGeometry(chart("model", right + 0.1), 0.3))
    assert all(cell.stands == cell.supported for cell in judged.cells)
    assert judged.families == (("a", "b"), ("c",), ("d",))
    assert judged.splits == ()


def misprinted(right: Matrix) -> Matrix:
    """Return the print: the truth with four gross misprints."""
    out = right.copy()
    for i, j in ((1, 2), (3, 9), (8, 20), (11, 25)):
        out[i, j] = out[j, i] = right[i, j] + 6
    return out


def test_what_the_print_has_joins_nobody_and_is_nobodys_error() -> None:
    """Three good copies of a print with misprints, and a careful one that corrects them: no family, no errors."""
    right = truth()
    printed = misprinted(right)
    charts = [chart("own", printed), chart("x", slipped(printed, 2, 0)), chart("y", slipped(printed, 3, 1)),
              chart("careful", slipped(right, 1, 2))]  # fmt: skip
    geometry = FixedGeometry(chart("model", right), 0.3)
    for own in (charts[0], None):
        found = diff_charts(charts, geometry=geometry, own=own)
        assert found.families == (("own",), ("x",), ("y",), ("careful",))
        assert found.contested == 4
        assert {(c.name, c.errors, c.corrected) for c in found.charts} == {
            ("own", 0, 0), ("x", 2, 0), ("y", 3, 0), ("careful", 1, 4),
        }  # fmt: skip
        for cell in found.cells:
            assert cell.stands == printed[CITIES.index(cell.a), CITIES.index(cell.b)]


@pytest.mark.parametrize("seed", range(3))
def test_nine_charts_outvote_a_bad_one(seed: int) -> None:
    """Copies of a print with misprints stay eight votes, so that no cell of the bad chart is a tie."""
    printed = misprinted(truth())
    good = [chart(f"g{k}", slipped(printed, 4, k)) for k in range(7)]
    wild = printed.copy()
    rng = np.random.default_rng(seed)
    for _ in range(86):
        i, j = rng.choice(30, 2, replace=False)
        wild[i, j] = wild[j, i] = printed[i, j] + rng.choice([2, 3.5, 5])
    charts = [*good, chart("careful", truth()), chart("wild", wild)]
    found = diff_charts(charts, geometry=FixedGeometry(chart("model", truth()), 0.3), own=chart("own", printed))
    assert len(found.families) == 9
    for cell in found.cells:
        assert cell.by_family == cell.stands == printed[CITIES.index(cell.a), CITIES.index(cell.b)]


def test_copies_of_copies_do_not_outvote_a_lone_good_chart() -> None:
    """A faulty chart, its copy, and the copy's copy are one family: by the geometry, and by the board's own chart."""
    right = truth()
    bad = slipped(right, 12, 0)
    copy = slipped(bad, 2, 1)
    charts = [chart("bad", bad), chart("copy", copy), chart("copy of it", slipped(copy, 2, 2)), chart("good", right)]
    blind = diff_charts(charts)
    assert all(len(group) == 1 for group in blind.families)
    geometry = FixedGeometry(chart("model", right + 0.1), 0.3)
    judged = diff_charts(charts, geometry=geometry, own=chart("own", right))
    assert judged.families == (("bad", "copy", "copy of it"), ("good",))
    assert {c.name: c.errors for c in judged.charts} == {"bad": 12, "copy": 14, "copy of it": 16, "good": 0}
    for cell in judged.cells:
        assert cell.stands == right[CITIES.index(cell.a), CITIES.index(cell.b)]


def test_independent_slips_make_no_family() -> None:
    found = diff_charts([chart(f"x{k}", slipped(truth(), 20, k)) for k in range(5)])
    assert all(not link.joined and link.shared == 0 and link.chance == 1 for link in found.links)
    assert len(found.cells) == 100


def test_a_half_point_is_noise_to_the_geometry_and_a_copy_finds_it() -> None:
    right = truth()
    off = right.copy()
    off[3, 7] = off[7, 3] = right[3, 7] + 0.5
    geometry = FixedGeometry(chart("model", right), 0.55)
    (cell,) = diff_charts([chart("a", right), chart("b", off)], geometry=geometry).cells
    assert (cell.supported, cell.majority, cell.stands) == (None, None, None)
    (cell,) = diff_charts([chart("a", right), chart("b", off), chart("c", right)], geometry=geometry).cells
    assert cell.stands == right[3, 7]


def test_the_odds_are_those_of_student_t() -> None:
    value, odds = supported_reading([10.0, 13.0], 10.2, 0.6)
    expected = ((4 + (2.8 / 0.6) ** 2) / (4 + (0.2 / 0.6) ** 2)) ** 2.5  # densities with four degrees of freedom
    assert value == 10
    assert math.isclose(odds, expected, rel_tol=0.01)
    assert supported_reading([10.0, 10.5], 10.2, 0.6)[0] is None


def test_a_chart_with_two_readings_has_half_a_vote_for_each() -> None:
    right = truth()
    both = right.copy()
    both[2, 9] = right[2, 9] + 4
    (cell,) = diff_charts([chart("a", right), chart("b", both)]).cells
    assert [(v.value, v.votes) for v in cell.readings] == [(right[2, 9], 1.5), (right[2, 9] + 4, 0.5)]
    assert cell.majority == right[2, 9]


def test_charts_in_other_orders_and_with_other_cities_line_up() -> None:
    right = truth()
    order = list(range(29, 4, -1))
    part = right[np.ix_(order, order)]
    part[0, 1] = part[1, 0] = 99
    triangle = np.where(np.tri(30, dtype=bool), right, np.nan)
    found = diff_charts([chart("a", triangle), chart("b", part, tuple(CITIES[k] for k in order))])
    (cell,) = found.cells
    assert (cell.a, cell.b, found.compared) == ("c28", "c29", 25 * 24 // 2)
    assert [v.value for v in cell.readings] == sorted([99, right[28, 29]])


def test_the_order_of_charts_changes_nothing_but_order() -> None:
    charts = [chart("a", truth()), chart("b", slipped(truth(), 9, 0)), chart("c", slipped(truth(), 9, 1))]

    def plain(found: PayoffDiff) -> set[tuple[str, str, float | None]]:
        return {(cell.a, cell.b, cell.stands) for cell in found.cells}

    assert plain(diff_charts(charts)) == plain(diff_charts(charts[::-1]))


def test_what_cannot_be_compared() -> None:
    one = chart("a", truth())
    with pytest.raises(MapkitError, match="two charts or more"):
        diff_charts([one])
    with pytest.raises(MapkitError, match="is given twice"):
        make_names_unique([one, one])
    other = chart("b", truth(), tuple(f"x{city}" for city in CITIES))
    with pytest.raises(MapkitError, match="compare charts of one board"):
        diff_charts([one, other])
    same_name = one.model_copy(update={"file": "old/a.csv"})
    assert [c.name for c in make_names_unique([one, same_name])] == ["a.csv", "old/a.csv"]


def test_each_copy_descends_from_the_nearest_chart_whose_errors_it_has() -> None:
    first = slipped(truth(), 12, 0)
    second = slipped(first, 6, 1)
    third, other = slipped(second, 5, 2), slipped(first, 7, 3)
    i, j = np.argwhere(np.triu(first != truth(), 1))[0]
    other[i, j] = other[j, i] = truth()[i, j]  # a copyist who notices one slip
    charts = {"lone": slipped(truth(), 9, 4), "third": third, "first": first, "other": other, "second": second}
    copies = [chart(name, matrix) for name, matrix in charts.items()]
    geometry = FixedGeometry(chart("computed", truth()), 0.2)
    found = diff_charts(copies, geometry=geometry, own=chart("print", truth()))
    assert [(d.chart, d.parent, d.inherited, d.added, d.corrected) for d in found.descents] == [
        ("lone", None, 0, 9, 0),
        ("third", "second", 18, 5, 0),
        ("first", None, 0, 12, 0),
        ("other", "first", 11, 7, 1),
        ("second", "first", 12, 6, 0),
    ]
