"""The diagnosis of payoff charts: planted slips are found, named and corrected; good charts are left alone."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from payoff_trials import Charts, crowded_rows, exchanges
from sampling import examples

import mapkit
from mapkit.core.cancellation import CancelledError, cancel_when
from mapkit.core.errors import MapkitError
from mapkit.kinds.rail.charts.payoffs import triangles
from mapkit.kinds.rail.charts.payoffs.compute import calibrate, compute_payoffs
from mapkit.kinds.rail.charts.payoffs.diagnosis import Diagnosis, diagnose, find_equal_rows, infer_step, merge_readings
from mapkit.kinds.rail.charts.payoffs.distances import CityDistances, board_distances, great_circle
from mapkit.kinds.rail.charts.payoffs.regression import estimate
from mapkit.kinds.rail.charts.payoffs.structural_slips import Structure
from mapkit.kinds.rail.charts.payoffs.triangles import blame_triangles
from mapkit.kinds.rail.charts.payoffs.typing_slips import TYPED, Slip, slip_outcomes
from mapkit.kinds.rail.checks.payoff_chart.findings import CERTAIN
from mapkit.kinds.rail.checks.payoff_chart.form import choose_likelier_reading
from mapkit.kinds.rail.model.payoffs.model import PayoffModel

Charted = tuple[NDArray[np.float64], CityDistances]


@pytest.fixture(scope="module")
def classic() -> Charted:
    board = mapkit.load("usa")
    return np.array(board.payoffs.thousands, dtype=float), board_distances(board, board.payoffs.cities)


@pytest.fixture(scope="module")
def computed(classic: Charted) -> Charted:
    _, distances = classic
    chart = compute_payoffs(PayoffModel(model="rail", base=-0.2, rail=1.1), distances)
    noise = np.triu(np.random.default_rng(3).normal(0, 0.55, chart.shape), 1)
    noisy = np.maximum(np.round((chart + noise + noise.T) / 0.5), 1) * 0.5
    return np.where(chart > 0, noisy, 0.0), distances


def cell(found: Diagnosis, one: int, other: int) -> int:
    i, j = sorted((one, other))
    return next(k for k in range(len(found.scores.rows)) if (found.scores.rows[k], found.scores.cols[k]) == (i, j))


def test_outcomes_of_slips() -> None:
    assert set(slip_outcomes(Slip.SWAPPED, 12.5)) == {2150, 1520}
    assert set(slip_outcomes(Slip.DROPPED, 12.5)) == {250, 150, 1200}
    assert set(slip_outcomes(Slip.DOUBLED, 9)) == {9900}
    assert slip_outcomes(Slip.DECIMAL, 12.5) == {12500: 1.0}


@given(st.sampled_from(TYPED), st.integers(1, 120))
def test_outcomes_are_chances_and_never_the_truth(slip: Slip, half: int) -> None:
    found = slip_outcomes(slip, half / 2)
    assert half * 50 not in found
    assert not found or sum(found.values()) == pytest.approx(1)


def test_classic_misprints(classic: Charted) -> None:
    chart, distances = classic
    found = diagnose(chart, distances)
    names = [
        (distances.cities[found.scores.rows[k]], distances.cities[found.scores.cols[k]]) for k in found.flagged[:10]
    ]
    assert names[0] == ("atlanta", "casper")
    assert {("dallas", "memphis"), ("fort-worth", "memphis"), ("butte", "chattanooga")} <= set(names)
    assert found.structure == ()
    assert len(found.flagged) < 40


def test_without_a_board_the_worst_are_found_too(classic: Charted) -> None:
    chart, _ = classic
    found = diagnose(chart, None)
    assert found.basis == "chart"
    first = found.order[0]
    assert chart[found.scores.rows[first], found.scores.cols[first]] == 25.5
    assert found.scores.suggested[first] == 15.5


@pytest.mark.parametrize("step", [0.5, 1])
def test_slips_in_a_chart_of_shortest_paths_are_found_alone(classic: Charted, step: float) -> None:
    _, distances = classic
    right = compute_payoffs(PayoffModel(model="rail", base=0, rail=4, step=step), distances)
    found = diagnose(right, None, step=step)
    assert len(found.flagged) == len(found.structure) == 0
    rng, typed, planted = np.random.default_rng(8), right.copy(), set[tuple[int, int]]()
    for i, j in zip(*np.nonzero(np.triu(right > 8, 1)), strict=True):
        if rng.random() < 0.006:
            typed[i, j] = typed[j, i] = right[i, j] + rng.choice([-6, -4, 4, 6])
            planted.add((int(i), int(j)))
    found = diagnose(typed, None, step=step)
    flagged = {(int(found.scores.rows[k]), int(found.scores.cols[k])) for k in found.flagged}
    assert len(planted) > 5
    assert len(flagged & planted) >= 0.8 * len(planted)
    assert len(flagged - planted) <= 2


@pytest.mark.parametrize("name", ["ireland", "portugal"])
def test_alone_only_triangles_prove_an_amount_wrong(name: str) -> None:
    """An unusual amount beside planted slips is doubted at most."""
    charts = Charts(name)
    assert charts.distances.rail is not None
    right = np.where(charts.paid, np.maximum(np.round(charts.distances.rail * 0.06), 1), 0)
    right = np.triu(right) + np.triu(right).T
    found_count = 0
    for seed in range(3):
        rng, typed, planted = np.random.default_rng(seed), right.copy(), set[tuple[int, int]]()
        for k in rng.choice(np.flatnonzero(np.triu(right > 6)), 10, replace=False):
            i, j = divmod(int(k), len(right))
            typed[i, j] = typed[j, i] = right[i, j] + rng.choice([-5, -3, 3, 5])
            planted.add((i, j))
        found = diagnose(typed, None, step=1)
        cells = list(zip(found.scores.rows.tolist(), found.scores.cols.tolist(), strict=True))
        certain = {cells[k] for k in found.flagged if found.scores.score[k] >= CERTAIN and found.proved[k]}
        assert certain <= planted
        found_count += len(planted & {cells[k] for k in found.flagged})
    assert found_count >= 27


@pytest.mark.parametrize(("board", "rate", "step"), [("japan", 0.5, 1.0), ("portugal", 0.5, 1.0), ("mexico", 0.6, 0.5)])
def test_a_chart_that_pays_for_moves_has_no_alarms(board: str, rate: float, step: float) -> None:
    loaded = mapkit.load(board)
    distances = board_distances(loaded, loaded.payoffs.cities)
    assert distances.moves is not None
    chart = np.maximum(np.round(distances.moves * rate / step), 1) * step
    np.fill_diagonal(chart, 0)
    found = diagnose(np.where(distances.twins, 0, chart), distances, step=step)
    assert len(found.flagged) == len(found.structure) == 0
    assert found.fit.sd[np.triu_indices(len(chart), 1)].min() >= step / 4


def test_cities_of_one_milepost_are_known_by_their_rows(classic: Charted) -> None:
    chart, distances = classic
    assert (find_equal_rows(chart) == distances.twins).all()
    slipped = chart.copy()
    slipped[0, 1] = slipped[1, 0] = 0
    assert (find_equal_rows(slipped) == distances.twins).all()


def test_a_good_chart_has_few_alarms(computed: Charted) -> None:
    chart, distances = computed
    found = diagnose(chart, distances)
    assert len(found.flagged) <= 2
    assert found.structure == ()
    assert found.scores.rough == 0


@pytest.mark.parametrize(("slip", "wrong"), [(Slip.SWAPPED, 50), (Slip.DECIMAL, 125), (Slip.DOUBLED, 122.5)])
def test_a_typing_slip_is_named_and_corrected(computed: Charted, slip: Slip, wrong: float) -> None:
    chart, distances = computed
    right = {50: 5.0, 125: 12.5, 122.5: 12.5}[wrong]
    rows, cols = np.nonzero(np.triu(chart == right, 1))
    i, j = int(rows[0]), int(cols[0])
    typed = chart.copy()
    typed[i, j] = typed[j, i] = wrong
    found = diagnose(typed, distances)
    k = cell(found, i, j)
    assert found.order[0] == k
    assert found.scores.score[k] > 0.99
    assert found.scores.suggested[k] == right
    if slip is not Slip.SWAPPED:  # 5 for 50 is a lost point as well
        assert found.scores.slip[k] is slip


def side_by_side(chart: NDArray[np.float64], least: float) -> tuple[int, int]:
    """Return a cell whose right neighbour holds another amount, by so much or more, far from the diagonal."""
    return next(
        (i, j)
        for i in range(4, len(chart))
        for j in range(i + 4, len(chart) - 1)
        if least <= abs(chart[i, j] - chart[i, j + 1]) < least + 1 and min(chart[i, j], chart[i, j + 1]) > 4
    )


def test_two_neighbours_that_were_exchanged_name_each_other(computed: Charted) -> None:
    chart, distances = computed
    i, j = side_by_side(chart, 3)
    typed = chart.copy()
    typed[i, [j, j + 1]] = typed[[j, j + 1], i] = chart[i, [j + 1, j]]
    found = diagnose(typed, distances)
    assert found.structure == ()
    for here in (j, j + 1):
        k = cell(found, i, here)
        assert found.scores.score[k] > 0.99
        assert found.scores.slip[k] is Slip.EXCHANGED
        assert found.scores.suggested[k] == chart[i, here]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "least"), [("portugal", 0.85), ("mexico", 0.85)])
def test_exchanges_are_found_on_other_boards(name: str, least: float) -> None:
    """Of exchanges with 2 to 3 thousand between them, at noise of 0.55; tests/bench/payoffs has the full study."""
    charts = Charts(name)
    seen = exchanges(charts, trials=examples(40), rng=np.random.default_rng(3))
    assert np.mean(seen.first) >= least
    assert seen.moved <= 0.05


@pytest.mark.slow
@pytest.mark.parametrize("rows", [3, 5])
def test_many_bad_cells_in_the_same_rows_do_not_hide_one_another(rows: int) -> None:
    """86 wrong amounts of 2,211: of 3 thousand and more all, of 2 to 3 thousand 8 of 11."""
    seen = crowded_rows(Charts("usa"), rows=rows, trials=examples(20), rng=np.random.default_rng(3))
    assert np.mean(seen[3]) >= 0.95
    assert np.mean(seen[2]) >= 8 / 11


def test_an_inserted_digit_is_taken_out(computed: Charted) -> None:
    chart, distances = computed
    rows, cols = np.nonzero(np.triu(chart == 6, 1))
    i, j = int(rows[0]), int(cols[0])
    typed = chart.copy()
    typed[i, j] = typed[j, i] = 16
    found = diagnose(typed, distances)
    k = cell(found, i, j)
    assert (found.scores.slip[k], found.scores.suggested[k]) == (Slip.INSERTED, 6)
    assert slip_outcomes(Slip.INSERTED, 6)[1600] == slip_outcomes(Slip.INSERTED, 6)[6500]
    assert 6600 not in slip_outcomes(Slip.INSERTED, 6)


@pytest.mark.parametrize("name", ["portugal", "mexico"])
def test_a_good_chart_alone_has_no_errors_but_detours(name: str) -> None:
    """Cities around a bay or up a valley are further apart than the chart alone can tell, and agree on it."""
    found = diagnose(np.array(mapkit.load(name).payoffs.thousands, dtype=float), None)
    assert len(found.flagged) == 0
    assert len(found.detours) > 10


@pytest.mark.parametrize("seed", range(4))
def test_an_island_is_not_called_wrong(seed: int) -> None:
    """A made-up country with a bay that all trips go around: alone, its chart has no errors, and a slip is found."""
    rng = np.random.default_rng(seed)
    places = rng.uniform(0, 1000, (30, 2))
    around = np.abs(places[:, None] - places[None]).sum(axis=2)
    west = (places[:, 0] < 500) & (places[:, 1] > 300)
    east = (places[:, 0] >= 500) & (places[:, 1] > 300)
    bay = (west[:, None] & east[None]) | (east[:, None] & west[None])
    south = (places[:, 1][:, None] - 300) + (places[:, 1][None] - 300)
    across = np.abs(places[:, 0][:, None] - places[:, 0][None])
    miles = np.where(bay, np.maximum(around, south + across), around)
    chart = np.maximum(np.round(miles * 0.02 / 0.5), 1) * 0.5 * (1 - np.eye(30))
    good = diagnose(chart, None)
    assert not (good.scores.score >= 0.9).any()
    i, j = np.unravel_index(int(chart.argmax()), chart.shape)
    chart[i, j] = chart[j, i] = chart[i, j] / 2
    assert diagnose(chart, None).order[0] == cell(diagnose(chart, None), int(i), int(j))


def test_the_step_is_inferred(classic: Charted) -> None:
    chart, _ = classic
    whole = np.round(chart)
    assert infer_step(chart) == 0.5
    assert infer_step(whole) == 1
    assert infer_step(chart / 2) == 0.25
    assert infer_step(chart / 2, least=0.5) == 0.5
    whole[3, 4] = whole[4, 3] = 7.5
    assert infer_step(whole) == 1
    assert infer_step(np.zeros((3, 3))) == 0.01


def test_a_shifted_row_is_found_and_moved_back(computed: Charted) -> None:
    chart, distances = computed
    typed = chart.copy()
    part = np.arange(20, 40)
    typed[40, part] = typed[part, 40] = np.append(chart[40, 19], chart[40, part[:-1]])
    (slip,) = diagnose(typed, distances).structure
    assert slip.kind is Structure.SHIFTED
    assert slip.cities[0] == 40
    assert slip.shift == 1
    corrected = {col: value for _, col, _, value in slip.cells}
    assert all(corrected[c] == chart[40, c] for c in range(22, 39))


def test_exchanged_cities_are_found(computed: Charted) -> None:
    chart, distances = computed
    order = np.arange(len(chart))
    order[[3, 50]] = 50, 3
    (slip,) = diagnose(chart[np.ix_(order, order)], distances).structure
    assert slip.kind is Structure.EXCHANGED
    assert slip.cities == (3, 50)


def test_a_scaled_row_is_found(computed: Charted) -> None:
    chart, distances = computed
    typed = chart.copy()
    typed[30] = typed[:, 30] = np.round(chart[30] * 1.609344 * 2) / 2
    (slip,) = diagnose(typed, distances).structure
    assert slip.kind is Structure.SCALED
    assert slip.cities == (30,)
    assert slip.factor == pytest.approx(1.609344, rel=0.03)


def test_two_readings_are_told_apart(computed: Charted) -> None:
    chart, distances = computed
    typed = chart.copy()
    typed[2, 20] += 6
    found = diagnose(typed, distances)
    assert np.isnan(found.values[2, 20])
    better, chance = choose_likelier_reading(typed[2, 20], typed[20, 2], found.fit.expected[2, 20], found.fit.sd[2, 20])
    assert better == chart[2, 20]
    assert chance > 0.99


def test_gaps_are_predicted(computed: Charted) -> None:
    chart, distances = computed
    typed = chart.copy()
    typed[5, 9] = typed[9, 5] = np.nan
    assert diagnose(typed, distances).fit.expected[5, 9] == pytest.approx(chart[5, 9], abs=2)


def test_too_small_a_chart_is_refused() -> None:
    with pytest.raises(MapkitError, match="8 cities"):
        diagnose(np.ones((5, 5)) - np.eye(5), None)


def test_one_slip_that_breaks_many_triangles_is_one_finding() -> None:
    place = np.arange(12.0)
    chart = np.abs(place[:, None] - place) * 2
    chart[0, 11] = chart[11, 0] = 60
    total, blamed = blame_triangles(chart, np.zeros_like(chart), tolerance=0.75)
    assert total == 10
    assert [(b.row, b.col, b.explained, b.too_large) for b in blamed] == [(0, 11, 10, True)]


@pytest.mark.parametrize("worse", [(0, 5), (6, 11)])
def test_each_slip_is_blamed_for_its_own_triangles_alone(worse: tuple[int, int]) -> None:
    place = np.arange(12.0)
    chart = np.abs(place[:, None] - place) * 2
    chart[0, 5] = chart[5, 0] = 40
    chart[6, 11] = chart[11, 6] = 60
    badness = np.zeros_like(chart)
    badness[worse] = 1
    total, blamed = blame_triangles(chart, badness, tolerance=0.75)
    assert total == 20
    assert (blamed[0].row, blamed[0].col) == worse
    assert {(b.row, b.col, b.explained, b.too_large, b.worst) for b in blamed} == {
        (0, 5, 10, True, 30),
        (6, 11, 10, True, 50),
    }


def test_only_the_worst_triangles_and_enough_of_one_cell_are_blamed(monkeypatch: pytest.MonkeyPatch) -> None:
    place = np.arange(12.0)
    chart = np.abs(place[:, None] - place) * 2
    chart[0, 5] = chart[5, 0] = 40
    chart[6, 11] = chart[11, 6] = 60
    np.fill_diagonal(chart, -100)
    none = np.zeros_like(chart)
    assert [b.explained for b in blame_triangles(chart, none, tolerance=0.75, fewest=10)[1]] == [10, 10]
    assert blame_triangles(chart, none, tolerance=0.75, fewest=11) == (20, [])
    monkeypatch.setattr(triangles, "BLAMED", 1)
    assert len(blame_triangles(chart, none, tolerance=0.75)[1]) == 1
    monkeypatch.setattr(triangles, "MOST", 7)
    total, blamed = blame_triangles(chart, none, tolerance=0.75)
    assert (total, [(b.row, b.col, b.explained) for b in blamed]) == (7, [(6, 11, 7)])


def test_calibration_on_the_classic_chart(classic: Charted) -> None:
    chart, distances = classic
    fit = calibrate(chart, distances)
    assert fit.r2 >= 0.985
    assert fit.cells == 2209
    assert (fit.largest[0].a, fit.largest[0].b) == ("atlanta", "casper")
    assert all(p.low < p.value < p.high for p in fit.parameters)


@settings(max_examples=examples(25), deadline=None)
@given(st.integers(0, 10_000), st.sampled_from([0.5, 1.0, 0.25]))
def test_a_computed_chart_keeps_its_form(seed: int, step: float) -> None:
    rng = np.random.default_rng(seed)
    ground = great_circle(rng.uniform(-100, -90, 9).tolist(), rng.uniform(30, 40, 9).tolist())
    moves = np.ceil(ground / 30)
    moves[0, 1] = moves[1, 0] = 0
    distances = CityDistances(tuple("abcdefghi"), ground, ground * 1.2, moves)
    chart = compute_payoffs(PayoffModel(model="rail", base=-0.2, rail=1.1, step=step), distances)
    assert (chart == chart.T).all()
    assert chart[0, 1] == 0
    assert (np.diagonal(chart) == 0).all()
    paid = ~np.eye(9, dtype=bool) & ~distances.twins
    assert (chart[paid] >= step).all()
    assert (np.round(chart / step) == chart / step).all()


def test_calibration_finds_the_model_again(classic: Charted) -> None:
    _, distances = classic
    chart = compute_payoffs(PayoffModel(model="rail", base=0.4, rail=1.3), distances)
    chart[0, 5] = chart[5, 0] = 99
    fit = calibrate(chart, distances)
    assert fit.model.base == pytest.approx(0.4, abs=0.02)
    assert fit.model.rail == pytest.approx(1.3, abs=0.002)


def test_intervals_cover_the_truth_at_their_level() -> None:
    rng = np.random.default_rng(1)
    hits = 0
    for _ in range(200):
        x = rng.uniform(0, 1, 150)
        low, high = estimate(np.stack([np.ones(150), x], 1), 1 + 2 * x + rng.normal(0, 0.2 + x, 150)).interval()
        hits += low[1] <= 2 <= high[1]
    assert 180 <= hits <= 198


def test_one_reading() -> None:
    chart = np.array([[0, 1.0, np.nan], [2.0, 0, 3.0], [4.0, np.nan, 0]])
    made = merge_readings(chart)
    assert np.isnan(made[0, 1])
    assert made[0, 2] == made[2, 0] == 4
    assert made[1, 2] == 3


@pytest.mark.slow
def test_a_diagnosis_is_stopped_wherever_it_is(computed: Charted) -> None:
    chart, distances = computed
    asked = 0

    def at(stop: int) -> bool:
        nonlocal asked
        asked += 1
        return asked > stop

    with cancel_when(lambda: at(10**9)):
        whole = diagnose(chart, distances)
    parts, asked = asked, 0
    assert parts > 30
    for stop in range(0, parts, 7):
        asked = 0
        with pytest.raises(CancelledError), cancel_when(lambda stop=stop: at(stop)):  # type: ignore[misc]
            diagnose(chart, distances)
        assert asked == stop + 1
    # and one after those is as if nothing had been
    assert np.array_equal(diagnose(chart, distances).scores.score, whole.scores.score)
