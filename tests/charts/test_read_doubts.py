"""What a chart that was read from a picture says of its own cells."""

import numpy as np

from mapkit.kinds.rail.charts.payoffs.distances import CityDistances, great_circle
from mapkit.kinds.rail.charts.payoffs.read_doubts import doubt_by_others
from mapkit.kinds.rail.model.payoffs.chart import CellInDoubt, PayoffChart, PayoffReading, PayoffsRead, Standing

COUNT = 12
CITIES = tuple(f"city-{chr(97 + k)}" for k in range(COUNT))
RANDOM = np.random.default_rng(3)
LON, LAT = RANDOM.uniform(-100, -80, COUNT), RANDOM.uniform(30, 45, COUNT)
DISTANCES = CityDistances(CITIES, great_circle(list(LON), list(LAT)))
TRUE = np.round(DISTANCES.ground / 50) / 2 + 1
BOX = (1.0, 2.0, 3.0, 4.0)


def found(
    *, square: bool, wrong: float | None, doubts: tuple[CellInDoubt, ...] = (), how: str = "picture"
) -> PayoffsRead:
    """Return a chart that was read; `wrong` is what its cell in row 5 and column 2 says."""
    amounts = TRUE.copy()
    if wrong is not None:
        amounts[5, 2] = wrong
        if square:
            amounts[2, 5] = wrong
    readings = tuple(
        PayoffReading(
            row=i,
            col=j,
            value=float(amounts[i, j]),
            text=f"{amounts[i, j]:g}",
            where=f"chart.png:page 1, row {i}, column {j}",
            spot=Standing(page=1, box=BOX, confidence=1, how=how),
        )
        for i in range(COUNT)
        for j in range(COUNT if square else i)
        if i != j
    )
    chart = PayoffChart(name="chart", file="chart.png", cities=CITIES, readings=readings)
    return PayoffsRead(
        chart=chart, kind="picture", layout="square", diagonal=False, unit=1000, unit_why="", decimal=".", names=(),
        lacking=(), missing=(), blanks=(), not_read=(), doubted=(), in_doubt=doubts, asymmetric=(), notes=(),
    )  # fmt: skip


def test_an_amount_far_off_the_others_is_in_doubt_and_stays_as_it_was_read() -> None:
    given = found(square=False, wrong=TRUE[5, 2] * 10)
    after = doubt_by_others(given, DISTANCES)
    assert [(cell.a, cell.b, cell.candidates) for cell in after.in_doubt] == [
        ("city-f", "city-c", (f"{TRUE[5, 2] * 10:g}",))
    ]
    assert after.in_doubt[0].why == f"all other amounts lead one to expect about {TRUE[5, 2]:.1f}"
    assert after.chart == given.chart


def test_the_chart_alone_doubts_it_too() -> None:
    after = doubt_by_others(found(square=False, wrong=TRUE[5, 2] * 10), None)
    assert [(cell.a, cell.b) for cell in after.in_doubt] == [("city-f", "city-c")]


def test_what_the_picture_says_twice_or_a_pdf_itself_is_not_in_doubt() -> None:
    assert doubt_by_others(found(square=True, wrong=TRUE[5, 2] * 10), DISTANCES).in_doubt == ()
    assert doubt_by_others(found(square=False, wrong=TRUE[5, 2] * 10, how="text"), DISTANCES).in_doubt == ()
    assert doubt_by_others(found(square=False, wrong=None), DISTANCES).in_doubt == ()


def test_candidates_are_ranked_by_what_is_expected_after_the_first_reading() -> None:
    near, far = f"{TRUE[5, 2]:g}", "90"
    doubt = CellInDoubt(
        a="city-f", b="city-c", where="w", text="80", why="two readings", candidates=("80", far, near), page=1, box=BOX
    )
    after = doubt_by_others(found(square=False, wrong=80.0, doubts=(doubt,)), DISTANCES)
    assert [cell.candidates for cell in after.in_doubt] == [("80", near, far)]
