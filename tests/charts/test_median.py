"""The median of some numbers is that of NumPy."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mapkit.core.arrays import median, quantile


@given(st.lists(st.floats(-1e9, 1e9), min_size=1, max_size=30))
def test_it_is_that_of_numpy(values: list[float]) -> None:
    assert median(np.array(values)) == np.median(values)


def test_there_is_none_of_nothing_and_of_what_is_no_number() -> None:
    assert np.isnan(median(np.array([])))
    assert np.isnan(median(np.array([1.0, np.nan, 2.0])))


@given(st.lists(st.floats(-1e9, 1e9), min_size=1, max_size=30), st.floats(0, 1))
def test_a_quantile_is_that_of_numpy(values: list[float], share: float) -> None:
    assert quantile(np.array(values), share) == np.quantile(np.array(values), share)
