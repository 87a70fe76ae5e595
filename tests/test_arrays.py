"""Boxes that meet, and groups of things that links join, against the plain definitions."""

import networkx as nx
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from sampling import examples

from mapkit.core.arrays import connected_components, distinct_values, find_intersecting_boxes, is_among, other_numbers

SIDES = st.tuples(
    st.integers(-20, 20), st.integers(-20, 20), st.sampled_from((0, 0, 1, 2, 40)), st.sampled_from((0, 0, 1, 3, 40))
)


@settings(max_examples=examples(200))
@given(st.lists(SIDES, max_size=30), st.sampled_from((1.0, 1e-9, 1e9)))
def test_meeting_finds_each_pair_of_boxes_that_touch_once(rows: list[tuple[int, int, int, int]], unit: float) -> None:
    low = np.array([(x, y) for x, y, _, _ in rows], dtype=np.float64).reshape(-1, 2) * unit
    high = np.array([(x + w, y + h) for x, y, w, h in rows], dtype=np.float64).reshape(-1, 2) * unit
    expected = [
        (i, j)
        for i in range(len(rows))
        for j in range(i + 1, len(rows))
        if (low[i] <= high[j]).all() and (low[j] <= high[i]).all()
    ]
    one, other = find_intersecting_boxes(low, high)
    assert list(zip(one.tolist(), other.tolist(), strict=True)) == expected


@settings(max_examples=examples(200))
@given(st.integers(1, 40), st.data())
def test_connected_numbers_groups_by_their_first_members(count: int, data: st.DataObject) -> None:
    node = st.integers(0, count - 1)
    links = data.draw(st.lists(st.tuples(node, node), max_size=60))
    graph: nx.Graph[int] = nx.Graph(links)
    graph.add_nodes_from(range(count))
    expected = np.empty(count, dtype=np.int64)
    for number, group in enumerate(sorted(nx.connected_components(graph), key=min)):
        expected[sorted(group)] = number
    found = connected_components(np.array(links, dtype=np.int64).reshape(-1, 2), count)
    assert found.tolist() == expected.tolist()


def test_long_boxes_among_many_small_ones_are_found() -> None:
    at = np.arange(1000.0)
    low, high = np.column_stack((at, at)), np.column_stack((at, at)) + 0.5
    low[0], high[0] = (0.0, 0.0), (0.0, 1e6)
    low[1], high[1] = (0.0, 700.25), (1e6, 700.25)
    one, other = find_intersecting_boxes(low, high)
    assert list(zip(one.tolist(), other.tolist(), strict=True)) == [(0, 1), (1, 700)]


@given(st.lists(st.integers(-5, 5)) | st.lists(st.floats(-1, 1)))
def test_distinct_numbers_are_those_of_numpy(values: list[float]) -> None:
    array = np.array(values, dtype=np.float64)
    assert distinct_values(array).tolist() == np.unique(array).tolist()
    whole = array.astype(np.int64)
    assert distinct_values(whole).tolist() == np.unique(whole).tolist()


@given(st.lists(st.integers(0, 9)))
def test_the_rest_are_those_that_are_not_gone(gone: list[int]) -> None:
    assert other_numbers(10, np.array(gone, dtype=np.int64)).tolist() == [n for n in range(10) if n not in gone]


@given(st.lists(st.integers(-5, 5)), st.lists(st.integers(-5, 5)))
def test_numbers_are_found_among_others(values: list[int], known: list[int]) -> None:
    found = is_among(np.array(values, dtype=np.int64), np.array(known, dtype=np.int64))
    assert found.tolist() == [value in known for value in values]
