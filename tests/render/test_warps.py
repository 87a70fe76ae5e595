"""Steps of a map of the page onto itself: smooth, never steeper than asked, nothing crosses the frame."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sampling import examples

from mapkit.kinds.rail.render.spread.warps import STEEPEST, Steps, WarpStep, bound_steepness, make_grid

FRAME = (10.0, 20.0, 110.0, 80.0)


def random_step(seed: int, size: float) -> WarpStep:
    x, y = make_grid(FRAME, 10.0)
    return WarpStep.of(FRAME, np.random.default_rng(seed).normal(0.0, size, (len(y), len(x), 2)))


def test_a_constant_push_along_the_frame_moves_all_alike_within() -> None:
    x, y = make_grid(FRAME, 10.0)
    knots = np.zeros((len(y), len(x), 2))
    knots[:, :, 0] = 0.5
    step = WarpStep.of(FRAME, knots)
    # the knots at the left and right edge stay, and the spline takes 1/6 of its neighbours: 0.5 inside
    assert step(np.array([(60.0, 50.0)])) == pytest.approx(np.array([(60.5, 50.0)]))
    assert step(np.array([(10.0, 50.0), (110.0, 33.0)])) == pytest.approx(np.array([(10.0, 50.0), (110.0, 33.0)]))
    assert step(np.array([(20.0, 50.0)]))[0, 0] == pytest.approx(20.0 + 0.5 * 5 / 6)


def test_the_frame_maps_to_itself_and_outside_follows_it() -> None:
    step = random_step(1, 2.0)
    edge = np.column_stack((np.full(50, 10.0), np.linspace(20.0, 80.0, 50)))
    moved = step(edge)
    assert moved[:, 0] == pytest.approx(10.0, abs=1e-9)
    outside = step(edge - (33.0, 0.0))
    assert outside - edge == pytest.approx(moved - edge - (33.0, 0.0), abs=1e-9)


@settings(max_examples=examples(60), deadline=None)
@given(st.integers(0, 10_000), st.floats(0.01, 20.0))
def test_no_step_is_steeper_than_its_bound(seed: int, size: float) -> None:
    step = random_step(seed, size)
    assert bound_steepness(step.frame, step.knots) <= STEEPEST + 1e-6
    random = np.random.default_rng(seed + 1)
    points = random.uniform((0.0, 10.0), (120.0, 90.0), (400, 2))
    others = points + random.normal(0.0, 3.0, (400, 2))
    apart = np.sqrt(((others - points) ** 2).sum(axis=1))
    change = np.sqrt(((step(others) - others - step(points) + points) ** 2).sum(axis=1))
    assert (change <= STEEPEST * apart * (1 + 1e-6)).all()


def test_steps_go_one_after_the_other() -> None:
    one, other = random_step(1, 1.0), random_step(2, 1.0)
    points = np.array([(50.0, 50.0), (5.0, 95.0)])
    assert (Steps((one, other))(points) == other(one(points))).all()
    assert (Steps(())(points) == points).all()
    assert Steps((one,))(np.empty((0, 2))).shape == (0, 2)


def test_cells_where_nothing_moves_are_skipped_to_no_effect() -> None:
    x, y = make_grid(FRAME, 5.0)
    knots = np.zeros((len(y), len(x), 2))
    knots[6, 10] = (1.0, -0.5)
    step = WarpStep.of(FRAME, knots)
    peak = step(np.array([(x[10], y[6])]))[0] - (x[10], y[6])
    assert peak == pytest.approx(np.array([1.0, -0.5]) * 4 / 9)
    far = np.array([(x[10] + 10.0, y[6]), (x[10], y[6] - 10.0), (100.0, 70.0)])
    assert step(far) == pytest.approx(far, abs=1e-9)
    near = np.array([(x[10] + 9.0, y[6])])
    assert (step(near) != near).all()
