"""The order of lanes: as few crossings as brute force finds, in every method."""

from itertools import permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sampling import examples

from mapkit.core.base import Point
from mapkit.kinds.rail.render.lines.lanes import CorridorEdge, count_crossings, order_lanes

EAST, WEST, NORTH, SOUTH = (1.0, 0.0), (-1.0, 0.0), (0.0, -1.0), (0.0, 1.0)


def along(start: str, end: str, railroads: str) -> CorridorEdge:
    return CorridorEdge(start, end, tuple(railroads), EAST, WEST)


def test_a_split_decides_the_order_of_a_whole_corridor() -> None:
    """At the end a turns right (south) and b left (north): b lies left all the way."""
    edges = [
        along("p", "q", "ab"),
        along("q", "r", "ab"),
        CorridorEdge("r", "s", ("a",), SOUTH, NORTH),
        CorridorEdge("r", "n", ("b",), NORTH, SOUTH),
    ]
    assert count_crossings(edges, [edge.railroads for edge in edges]) == 1
    found = order_lanes(edges)
    assert found.orders == (("b", "a"), ("b", "a"), ("a",), ("b",))
    assert (found.crossings, found.forced, found.proven) == (0, 0, True)


def test_orders_count_from_each_edges_own_start() -> None:
    """The second edge runs the other way, so its order is read from the other side."""
    edges = [
        along("p", "q", "ab"),
        CorridorEdge("r", "q", ("a", "b"), WEST, EAST),
        CorridorEdge("p", "x", ("a",), NORTH, SOUTH),
    ]
    edges.append(CorridorEdge("p", "y", ("b",), SOUTH, NORTH))
    found = order_lanes(edges)
    assert found.orders[:2] == (("a", "b"), ("b", "a"))
    assert found.crossings == 0


def test_lines_across_a_milepost_are_forced() -> None:
    edges = [along("w", "m", "a"), along("m", "e", "a")]
    edges += [CorridorEdge("m", "n", ("b",), NORTH, SOUTH), CorridorEdge("m", "s", ("b",), SOUTH, NORTH)]
    found = order_lanes(edges)
    assert (found.crossings, found.forced, found.proven) == (1, 1, True)


def test_seven_railroads_are_solved_by_votes_and_proven_by_the_bound() -> None:
    edges = [along("p", "q", "abcdefg"), along("q", "r", "abcdefg")]
    # they leave in the reverse order of their ids, from left to right
    edges += [CorridorEdge("r", name, (name,), (1.0, 3.0 - i), (-1.0, 0.0)) for i, name in enumerate("abcdefg")]
    found = order_lanes(edges)
    assert found.orders[0] == found.orders[1] == tuple("gfedcba")
    assert (found.crossings, found.proven) == (0, True)


points = st.tuples(st.integers(-9, 9), st.integers(-9, 9)).filter(any).map(lambda p: (float(p[0]), float(p[1])))


@st.composite
def networks(draw: st.DrawFn) -> list[CorridorEdge]:
    nodes = draw(st.integers(2, 5))
    edges = []
    for _ in range(draw(st.integers(2, 5))):
        start, end = draw(st.lists(st.integers(0, nodes - 1), min_size=2, max_size=2, unique=True))
        railroads = draw(st.sets(st.sampled_from("abcde"), min_size=1, max_size=3))
        leaves: tuple[Point, Point] = (draw(points), draw(points))
        edges.append(CorridorEdge(f"n{start}", f"n{end}", tuple(sorted(railroads)), *leaves))
    return edges


@pytest.mark.parametrize("limit", [1_000_000, 3])
@settings(max_examples=examples(60))
@given(edges=networks())
def test_no_orders_cross_less_than_those_called_proven(limit: int, edges: list[CorridorEdge]) -> None:
    found = order_lanes(edges, limit=limit)
    best = min(count_crossings(edges, orders) for orders in product(*(list(permutations(e.railroads)) for e in edges)))
    assert found.crossings == count_crossings(edges, found.orders)
    assert found.forced <= best <= found.crossings <= count_crossings(edges, [edge.railroads for edge in edges])
    if found.proven:
        assert found.crossings == best
    assert found.proven or limit == 3
