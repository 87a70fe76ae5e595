"""Operations on whole pictures, against what they mean pixel by pixel."""

import tracemalloc

import numpy as np
import pytest

from mapkit.kinds.rail.scanning.arrays import connected_components, dilate_mask, find_deep_pixels, halve_mask


def some(seed: int, share: float = 0.1) -> np.ndarray:
    return np.random.default_rng(seed).random((31, 43)) < share


@pytest.mark.parametrize("reach", range(1, 8))
def test_a_widened_mask_reaches_as_far_as_it_should(reach: int) -> None:
    mask = some(reach, 0.01)
    expected = np.zeros_like(mask)
    for y, x in zip(*np.nonzero(mask), strict=True):
        expected[max(0, y - reach) : y + reach + 1, max(0, x - reach) : x + reach + 1] = True
    assert (dilate_mask(mask, reach) == expected).all()


def test_deep_pixels_are_as_far_from_the_nearest_pixel_outside_as_asked() -> None:
    mask = ~some(5, 0.02)
    mask[:, :5] = True
    outside_y, outside_x = np.nonzero(~mask)
    squares = {(y, x): int(((outside_y - y) ** 2 + (outside_x - x) ** 2).min()) for y in range(31) for x in range(43)}
    rows, columns, squared_distances = find_deep_pixels(mask, 2, 5)
    found = dict(zip(zip(rows.tolist(), columns.tolist(), strict=True), squared_distances.tolist(), strict=True))
    assert found == {pixel: square for pixel, square in squares.items() if 4 <= square < 25}


def test_groups_touch_and_lie_apart() -> None:
    ys, xs = np.nonzero(some(7, 0.3))
    found = connected_components(ys, xs)
    assert sorted(int(i) for group in found for i in group) == list(range(len(ys)))
    near = np.maximum(np.abs(ys[:, None] - ys), np.abs(xs[:, None] - xs)) <= 1
    for n, group in enumerate(found):
        for other in found[n + 1 :]:
            assert not near[np.ix_(group, other)].any()
        reached = {int(group[0])}
        while len(grown := {int(j) for i in reached for j in np.flatnonzero(near[i])}) > len(reached):
            reached = grown
        assert reached == {int(i) for i in group}


def test_groups_are_in_the_order_of_their_first_pixels() -> None:
    ys, xs = np.array([0, 5, 0, 1, 4, 2]), np.array([9, 5, 0, 1, 4, 8])
    assert [group.tolist() for group in connected_components(ys, xs)] == [[0], [1, 4], [2, 3], [5]]
    assert connected_components(ys[:0], xs[:0]) == []


def test_a_large_patch_takes_a_run_a_row() -> None:
    ys, xs = np.nonzero(np.ones((1500, 1500), dtype=bool))
    tracemalloc.start()
    (patch,) = connected_components(ys, xs)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(patch) == 1500 * 1500
    assert most < 120 * len(patch)  # bytes a pixel


def test_half_a_picture_holds_the_shares_of_four_pixels() -> None:
    mask = some(9, 0.5)
    assert halve_mask(mask)[3, 4] == mask[6:8, 8:10].mean()
    assert halve_mask(mask).shape == (15, 21)
