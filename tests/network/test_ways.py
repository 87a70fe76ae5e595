"""Least ways and close points by numpy agree with SciPy's."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components, shortest_path

from mapkit.core.neighbours import find_close_pairs, find_nearest, find_pairs_within
from mapkit.kinds.rail.network.shortest_paths import find_predecessors, find_shortest_paths
from mapkit.kinds.rail.render.spread.local_scaling import _cosine_transform
from mapkit.kinds.rail.render.text.independent_set import _label_components

MOST = 12
LINKS = st.dictionaries(
    st.tuples(st.integers(0, MOST - 1), st.integers(0, MOST - 1)).filter(lambda pair: pair[0] < pair[1]),
    st.integers(1, 40).map(lambda quarters: quarters / 4),
    max_size=20,
)
NUMBERS = st.integers(-40, 40).map(lambda tenths: tenths / 10)


@settings(max_examples=60)
@given(LINKS, st.lists(st.integers(0, MOST - 1), min_size=1, max_size=3))
def test_least_ways_are_those_of_dijkstra(links: dict[tuple[int, int], float], sources: list[int]) -> None:
    ends = np.array(list(links), dtype=np.int64).reshape(-1, 2)
    lengths = np.array(list(links.values()))
    graph = csr_array((lengths, (ends[:, 0], ends[:, 1])), shape=(MOST, MOST))
    expected = shortest_path(graph, method="D", directed=False, indices=sources)
    assert (find_shortest_paths(ends, lengths, MOST, sources) == expected).all()
    expected = shortest_path(graph, method="D", directed=True, indices=sources)
    assert (find_shortest_paths(ends, lengths, MOST, sources, back=False) == expected).all()


@settings(max_examples=60)
@given(links=LINKS, sources=st.lists(st.integers(0, MOST - 1), min_size=1, max_size=3), back=st.booleans())
def test_nodes_before_lead_back_by_least_ways(
    links: dict[tuple[int, int], float], sources: list[int], *, back: bool
) -> None:
    ends = np.array(list(links), dtype=np.int64).reshape(-1, 2)
    lengths = np.array(list(links.values()))
    least = find_shortest_paths(ends, lengths, MOST, sources, back=back)
    before = find_predecessors(ends, lengths, least, back=back)
    apart = links | {(b, a): length for (a, b), length in links.items()} if back else links
    for source, far, last in zip(sources, least.tolist(), before.tolist(), strict=True):
        for node in range(MOST):
            ways = [(far[a], a) for (a, b), length in apart.items() if b == node and far[a] + length == far[node]]
            assert last[node] == (-1 if node == source or far[node] == np.inf else min(ways)[1])


def test_a_link_of_no_length_is_a_way() -> None:
    found = find_shortest_paths(np.array([(0, 1), (1, 2)]), np.array([0.0, 2.5]), 4, [0])
    assert found.tolist() == [[0.0, 0.0, 2.5, np.inf]]


@settings(max_examples=60)
@given(st.integers(1, 3), st.integers(0, 8), st.integers(0, 8), st.sampled_from([0.0, 0.1, 0.7, 20.0]), st.data())
def test_close_pairs_are_all_that_are_close(axes: int, one: int, other: int, reach: float, data: st.DataObject) -> None:
    points, others = (
        np.array(data.draw(st.lists(NUMBERS, min_size=n * axes, max_size=n * axes)), dtype=np.float64).reshape(n, axes)
        for n in (one, other)
    )
    found = list(zip(*(side.tolist() for side in find_close_pairs(points, others, reach)), strict=True))
    near = [
        (i, j)
        for i in range(one)
        for j in range(other)
        if all(a - reach <= b <= a + reach for a, b in zip(points[i], others[j], strict=True))
    ]
    assert found == near
    distance = np.linalg.norm(points[:, None] - others, axis=2)
    first, second, gaps = find_pairs_within(points, others, reach)
    clear = abs(distance - reach) > 1e-9
    within = [(i, j) for i, j in zip(first.tolist(), second.tolist(), strict=True) if clear[i, j]]
    assert within == [(i, j) for i, j in np.argwhere((distance < reach) & clear).tolist()]
    assert np.allclose(gaps, distance[first, second])
    if other:
        index, far = find_nearest(points, others)
        assert np.allclose(far, distance.min(axis=1))
        assert np.allclose(distance[range(one), index], far)


def test_of_equally_near_points_the_first_counts() -> None:
    index, far = find_nearest(
        np.array([(0.0, 0.0), (2.0, 0.0)]), np.array([(1.0 + 1e-13, 0.0), (1.0, 0.0)]), tied=1e-12
    )
    assert index.tolist() == [0, 0]
    assert np.allclose(far, [1.0, 1.0])


def test_close_pairs_of_a_reach_far_below_the_extent() -> None:
    points = np.array([(0.0, 0.0, 0.0), (1e6, 1e6, 1e6), (1e6, 1e6, 1e6 + 1e-9)])
    assert [side.tolist() for side in find_close_pairs(points[1:], points, 1e-8)] == [[0, 0, 1, 1], [1, 2, 1, 2]]


@settings(max_examples=60)
@given(LINKS)
def test_labels_that_depend_on_each_other_are_connected(links: dict[tuple[int, int], float]) -> None:
    one, other = np.array(list(links), dtype=np.int64).reshape(-1, 2).T
    graph = csr_array((np.ones(len(one)), (one, other)), shape=(MOST, MOST))
    groups, marks = connected_components(graph, directed=False)
    found = _label_components(MOST, np.concatenate((one, other)), np.concatenate((other, one)))
    first, mark = np.unique(found, return_inverse=True)
    assert len(first) == groups
    assert mark.tolist() == marks.tolist()


@pytest.mark.parametrize("shape", [(2, 3), (5, 4), (9, 17)])
def test_a_second_cosine_transform_is_the_inverse(shape: tuple[int, int]) -> None:
    field = np.random.default_rng(7).normal(size=shape)
    back = _cosine_transform(_cosine_transform(field)) / (4 * (shape[0] - 1) * (shape[1] - 1))
    assert np.allclose(back, field, atol=1e-12)
    assert _cosine_transform(np.array([[1.0, 2.0], [3.0, 5.0]])).tolist() == [[11.0, -3.0], [-5.0, 1.0]]
