"""Numbers on the page: rounding of arrays as of single numbers, and path data."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mapkit.drawing.svg_page import format_mm, line_path_data
from mapkit.kinds.rail.render.lines.polyline import round_exactly

LENGTHS = st.floats(-2000, 2000).map(lambda value: round(value, 4)) | st.integers(-9999, 9999).map(lambda n: n / 1000)


@given(st.lists(LENGTHS, min_size=1), st.integers(1, 3))
def test_arrays_are_rounded_as_single_numbers_are(values: list[float], decimals: int) -> None:
    assert round_exactly(np.array(values), decimals).tolist() == [round(value, decimals) for value in values]


@given(st.lists(st.tuples(LENGTHS, LENGTHS), min_size=2))
def test_path_data_has_the_numbers_of_lengths(points: list[tuple[float, float]]) -> None:
    words = [f"{format_mm(x)},{format_mm(y)}" for x, y in points]
    assert line_path_data(points) == f"M{words[0]} L{' '.join(words[1:])}"
    assert line_path_data(np.array(points), closed=True) == f"M{words[0]} L{' '.join(words[1:-1])}Z"


def test_short_numbers() -> None:
    assert line_path_data([(-0.001, 10.0), (100.1, -100.0), (0.05, -0.5)]) == "M0,10 L100.1,-100 0.05,-0.5"
