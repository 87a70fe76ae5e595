"""Whether a line is near another one all along, whatever vertices they have."""

import numpy as np
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from sampling import examples

from mapkit.kinds.rail.trace.noding.coverage import is_covered_by
from mapkit.kinds.rail.trace.noding.doubles import _find_near_lines
from mapkit.kinds.rail.trace.noding.joining import node_lines

Xy = tuple[float, float]


def shapes(*lines: list[Xy]) -> NDArray[np.object_]:
    return np.array([shapely.LineString(line) for line in lines], dtype=object)


def both(one: list[Xy], other: list[Xy]) -> list[bool]:
    out: list[bool] = is_covered_by(shapes(one, other), shapes(other, one), 1.0).tolist()
    return out


# The same corners in another order: no vertex is off the other line, the diagonals are.
LEGS: list[Xy] = [(0, 0), (0, 10), (4, 10), (4, 0)]
DIAGONALS: list[Xy] = [(0, 0), (4, 10), (0, 10), (4, 0)]


def test_the_same_corners_in_another_order_are_another_line() -> None:
    assert shapely.hausdorff_distance(*shapes(LEGS, DIAGONALS)) == 0
    assert both(LEGS, DIAGONALS) == [False, False]
    gone, stays, gaps = _find_near_lines(shapes(LEGS, DIAGONALS), np.zeros(2, dtype=np.int64), 1.0)
    assert [len(gone), len(stays), len(gaps)] == [0, 0, 0]


def test_long_edges_and_many_vertices_are_one_line() -> None:
    many: list[Xy] = [(float(x), 0.9 * (x % 2)) for x in range(0, 1001, 5)]
    assert both([(0, 0), (1000, 0)], many) == [True, True]
    ways = shapes([(0, 0), (1000, 0)], [(0, 0), *many[1:-1], (1000, 0)])
    network = node_lines(ways, railroad=np.zeros(2, dtype=np.int64), tolerance=1.0)
    assert len(network.edge_a) == 1
    assert network.part_source.tolist() == [0, 1]


def test_near_is_up_to_the_tolerance() -> None:
    assert both([(0, 0), (10, 0)], [(0, 1), (10, 1)]) == [True, True]
    assert both([(0, 0), (10, 0)], [(0, 1.001), (10, 1)]) == [False, False]
    assert both([(0, 0), (10, 0)], [(0, 0), (11, 0)]) == [True, True]
    assert both([(0, 0), (10, 0)], [(0, 0), (11.01, 0)]) == [True, False]
    assert both([(0, 0), (0, 0)], [(0.5, 0), (0.5, 0)]) == [True, True]
    assert is_covered_by(shapes(), shapes(), 1.0).tolist() == []


CORNERS = st.lists(st.tuples(st.integers(0, 8), st.integers(0, 4)), min_size=2, max_size=5)


@settings(max_examples=examples(150))
@given(CORNERS, CORNERS, st.sampled_from([0.7, 1.3, 2.6]))
def test_it_is_what_many_points_of_the_line_say(one: list[Xy], other: list[Xy], tolerance: float) -> None:
    """Points lie a hundredth apart or less, so that only within that of the tolerance may they say another thing."""
    line, way = shapes(one, other)
    points = shapely.points(shapely.get_coordinates(shapely.segmentize(line, 0.01) if line.length else line))
    worst = float(shapely.distance(points, way).max())
    (answer,) = is_covered_by(shapes(one), shapes(other), tolerance).tolist()
    if abs(worst - tolerance) > 0.01:
        assert answer == (worst < tolerance)
