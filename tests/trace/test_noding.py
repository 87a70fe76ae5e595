"""Lines become a network: what meets is joined, what was drawn amiss is repaired and reported, doubts are reported."""

from collections import Counter
from typing import TypeAlias

import networkx as nx
import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from sampling import examples

from mapkit.kinds.rail.trace.noding.joining import NodedNetwork, join_noded, node_lines

Xy = tuple[float, float]
Cell = tuple[int, int]
Graph: TypeAlias = "nx.MultiGraph[tuple[int, Cell]]"  # railroad and cell


def noded(*lines: list[Xy], railroad: list[int] | None = None, pins: list[Xy] | None = None) -> NodedNetwork:
    """Node with a tolerance of 1."""
    shapes = np.array([shapely.LineString(line) for line in lines], dtype=object)
    codes = np.array(railroad or [0] * len(lines))
    return node_lines(shapes, railroad=codes, pins=shapely.points(pins) if pins else None, tolerance=1.0)


def ends(network: NodedNetwork) -> list[tuple[Xy, Xy]]:
    xy = [(round(x, 6), round(y, 6)) for x, y in network.node_xy.tolist()]
    pairs = [sorted((xy[a], xy[b])) for a, b in zip(network.edge_a, network.edge_b, strict=True)]
    return sorted((a, b) for a, b in pairs)


def repairs(network: NodedNetwork) -> list[tuple[str, Xy, float]]:
    return [(r.kind, (round(r.x, 6), round(r.y, 6)), round(r.size, 6)) for r in network.repairs]


CROSS = [((-10.0, 0.0), (0.0, 0.0)), ((0.0, -10.0), (0.0, 0.0)), ((0.0, 0.0), (0.0, 10.0)), ((0.0, 0.0), (10.0, 0.0))]
TEE = [((-10.0, 0.0), (0.0, 0.0)), ((0.0, 0.0), (0.0, 10.0)), ((0.0, 0.0), (10.0, 0.0))]


def test_lines_of_one_railroad_that_cross_join() -> None:
    network = noded([(-10, 0), (10, 0)], [(0, -10), (0, 10)])
    assert ends(network) == CROSS
    assert network.repairs == ()
    assert network.ambiguities == ()
    assert sorted(network.edge_source.tolist()) == [0, 0, 1, 1]


def test_lines_of_two_railroads_that_cross_do_not_connect() -> None:
    """RB-C10."""
    network = noded([(-10, 0), (10, 0)], [(0, -10), (0, 10)], railroad=[0, 1])
    assert ends(network) == [((-10, 0), (10, 0)), ((0, -10), (0, 10))]
    assert sorted(network.edge_railroad.tolist()) == [0, 1]


def test_lines_of_two_railroads_connect_at_a_pin() -> None:
    network = noded([(-10, 0), (10, 0)], [(0, -10), (0, 10)], railroad=[0, 1], pins=[(0.1, 0.2)])
    assert network.node_pin.tolist() == [0, -1, -1, -1, -1]
    assert network.node_xy[0].tolist() == [0.1, 0.2]
    assert [pair for pair in ends(network) if (0.1, 0.2) not in pair] == []
    assert len(network.edge_a) == 4
    lines = [line.coords for line in network.edge_lines]
    assert all((0.1, 0.2) in (line[0], line[-1]) for line in lines)


def test_a_pin_is_the_junction_if_one_is_there() -> None:
    network = noded([(-10, 0), (10, 0)], [(0, 0.4), (0, 10)], pins=[(0.3, 0.3)])
    assert len(network.node_xy) == 4
    assert len(network.edge_a) == 3
    assert all((0.3, 0.3) in pair for pair in ends(network))
    assert repairs(network) == [("end at pin", (0, 0.4), 0.316228)]


def test_a_pin_off_every_line_is_a_node_without_edges() -> None:
    network = noded([(-10, 0), (10, 0)], pins=[(0, 5)])
    assert network.node_pin.tolist() == [0, -1, -1]
    assert ends(network) == [((-10, 0), (10, 0))]


def test_undershoot_overshoot_and_gap() -> None:
    short = noded([(-10, 0), (10, 0)], [(0, 0.5), (0, 10)])
    assert ends(short) == TEE
    assert repairs(short) == [("undershoot", (0, 0.5), 0.5)]
    long = noded([(-10, 0), (10, 0)], [(0, -0.5), (0, 10)])
    assert ends(long) == TEE
    assert repairs(long) == [("overshoot", (0, -0.5), 0.5)]
    gap = noded([(-10, 0), (0, 0)], [(0.5, 0), (10, 0)])
    assert ends(gap) == [((-10, 0), (10, 0))]
    assert repairs(gap) == [("gap", (0.5, 0), 0.5)]
    assert [gap.part_edge.tolist(), gap.part_source.tolist()] == [[0, 0], [0, 1]]


def test_farther_than_the_tolerance_stays_apart() -> None:
    network = noded([(-10, 0), (10, 0)], [(0, 1.5), (0, 10)])
    assert ends(network) == [((-10, 0), (10, 0)), ((0, 1.5), (0, 10))]
    network = noded([(-10, 0), (10, 0)], [(0, -1.5), (0, 10)])
    assert len(network.edge_a) == 4


def test_doubled_vertices_spikes_and_lines_of_no_length() -> None:
    network = noded([(-10, 0), (0, 0), (0, 0), (4, 0), (4.005, 0), (10, 0)], [(30, 0), (30, 0)])
    assert repairs(network) == [
        ("doubled vertex", (0, 0), 0),
        ("doubled vertex", (4.005, 0), 0.005),
        ("doubled vertex", (30, 0), 0),
        ("zero-length line", (30, 0), 0),
    ]
    assert network.edge_lines[0].coords[:] == [(-10, 0), (0, 0), (4, 0), (10, 0)]
    spike = noded([(-10, 0), (0, 0), (5, 5), (5.5, 5.5), (5, 5), (0, 10)])
    assert ("spike", (5.5, 5.5), 0.707107) in repairs(spike)
    assert ends(spike) == [((-10, 0), (0, 10))]


def test_a_branch_drawn_out_and_back_is_a_branch() -> None:
    network = noded([(-10, 0), (0, 0), (0, 10), (0, 0), (10, 0)])
    assert ends(network) == TEE
    assert repairs(network) == [("doubled line", (0, 5), 10)]


def test_doubled_lines_and_near_duplicates() -> None:
    double = noded([(0, 0), (5, 1), (10, 0)], [(10, 0), (5, 1), (0, 0)])
    assert ends(double) == [((0, 0), (10, 0))]
    assert [kind for kind, _, _ in repairs(double)] == ["doubled line"]
    part = noded([(0, 0), (10, 0)], [(5, 0), (15, 0)])
    assert ends(part) == [((0, 0), (15, 0))]
    assert repairs(part) == [("doubled line", (7.5, 0), 5)]
    near = noded([(0, 0), (20, 0), (40, 0)], [(0, 0.3), (10, -0.3), (30, 0.3), (40, 0.2)])
    assert len(near.edge_a) == 1
    assert "near-duplicate" in [kind for kind, _, _ in repairs(near)]
    leaving = noded([(0, 0), (10, 0), (20, 0), (40, 0)], [(0, 0.3), (10, 0.3), (20, 0.3), (30, 20)])
    assert len(leaving.edge_a) == 3
    assert ((20.0, 0.0), (40.0, 0.0)) in ends(leaving)


def test_two_ways_between_the_same_nodes_stay_two() -> None:
    network = noded([(0, 0), (10, 0)], [(0, 0), (5, 5), (10, 0)], pins=[(0, 0), (10, 0)])
    assert ends(network) == [((0, 0), (10, 0))] * 2


def test_loops_and_rings() -> None:
    ring = noded([(0, 0), (10, 0), (10, 10), (0, 10), (0, 0)])
    assert ends(ring) == [((0, 0), (0, 0))]
    stalk = noded([(-10, 0), (0, 0)], [(0, 0), (10, -5), (10, 5), (0, 0)])
    assert ends(stalk) == [((-10, 0), (0, 0)), ((0, 0), (0, 0))]
    halves = noded([(0, 0), (5, 5), (10, 0)], [(10, 0), (5, -5), (0, 0)])
    assert [a == b for a, b in ends(halves)] == [True]
    crossing_itself = noded([(-10, 0), (10, 0), (10, 10), (0, 10), (0, -10)])
    assert len(crossing_itself.edge_a) == 3


def test_a_pin_between_two_lines_is_reported_and_not_guessed() -> None:
    network = noded([(0, 0), (20, 0)], [(0, 1.4), (20, 1.4)], pins=[(10, 0.7)])
    (doubt,) = network.ambiguities
    assert (doubt.kind, doubt.pin, doubt.railroad, doubt.lines) == ("pin between lines", 0, 0, (0, 1))
    assert len(network.edge_a) == 2
    on_one = noded([(0, 0), (20, 0)], [(0, 0.9), (5, 3), (20, 3)], pins=[(10, 0)])
    assert on_one.ambiguities == ()


def test_two_pins_within_tolerance_are_reported_and_stay_two() -> None:
    network = noded([(0, 0), (20, 0)], pins=[(10, 0), (10.8, 0)])
    (doubt,) = network.ambiguities
    assert (doubt.kind, doubt.pin, doubt.other) == ("pins within tolerance", 0, 1)
    assert ends(network) == [((0, 0), (10, 0)), ((10, 0), (10.8, 0)), ((10.8, 0), (20, 0))]


def test_nothing_and_nonsense() -> None:
    none = np.empty(0, dtype=object)
    empty = node_lines(none, railroad=np.empty(0, dtype=np.int64), tolerance=1.0)
    assert len(empty.node_xy) == len(empty.edge_a) == 0
    only_pins = node_lines(none, railroad=np.empty(0, dtype=np.int64), pins=shapely.points([(1, 2)]), tolerance=1.0)
    assert only_pins.node_pin.tolist() == [0]
    assert len(join_noded(none, railroad=np.empty(0, dtype=np.int64)).edge_a) == 0
    with pytest.raises(ValueError, match="tolerance 0 is not above 0"):
        node_lines(none, railroad=np.empty(0, dtype=np.int64), tolerance=0)
    with pytest.raises(ValueError, match="1 lines, but 0 railroads"):
        node_lines(np.array([shapely.LineString([(0, 0), (1, 1)])]), railroad=np.empty(0, np.int64), tolerance=1)


def test_long_chains_merge_and_keep_their_vertices() -> None:
    xy = np.stack([np.arange(3000.0) * 5, np.arange(3000.0) % 7], axis=1)
    every = np.asarray(shapely.linestrings(np.stack([xy[:-1], xy[1:]], axis=1)))
    pieces = every[np.random.default_rng(1).permutation(2999)]
    for network in (
        node_lines(pieces, railroad=np.zeros(2999, dtype=np.int64), tolerance=1.0),
        join_noded(pieces, railroad=np.zeros(2999, dtype=np.int64)),
    ):
        (line,) = network.edge_lines
        assert line.normalize().equals(shapely.LineString(xy).normalize())
        assert set(network.part_source.tolist()) == set(range(2999))


def test_noded_lines_join_in_exact_places_only() -> None:
    lines = shapely.linestrings([[(0, 0), (5, 0)], [(5, 0), (9, 0)], [(5, 0.1), (5, 5)], [(9, 0), (9, 9)]])
    network = join_noded(lines, railroad=np.array([0, 0, 0, 1]), pins=shapely.points([(0, 0)]))
    assert ends(network) == [((0, 0), (9, 0)), ((5, 0.1), (5, 5)), ((9, 0), (9, 9))]
    assert network.node_pin.tolist().count(0) == 1


SIDE = 4
CELLS = [(x, y) for x in range(SIDE) for y in range(SIDE)]
STEPS = [(a, b) for a in CELLS for b in CELLS if a < b and abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1]


@st.composite
def drawings(draw: st.DrawFn) -> tuple[Graph, set[tuple[int, int]], list[list[Xy]], list[int]]:
    """Return networks on a grid, one for each of two railroads, and lines that draw them badly.

    Every step is drawn by itself: broken in two, ends up to 0.35 short or long, bent by up to 0.1 between.
    """
    seed = draw(st.integers(0, 2**32 - 1))
    rng = np.random.default_rng(seed)
    pins = draw(st.sets(st.sampled_from(CELLS), max_size=6))
    graph: Graph = nx.MultiGraph()
    lines: list[list[Xy]] = []
    codes: list[int] = []
    for railroad in (3, 8):
        for step in sorted(draw(st.sets(st.sampled_from(STEPS), min_size=1, max_size=14))):
            graph.add_edge((railroad, step[0]), (railroad, step[1]))
            a, b = (np.array(end) * 20.0 for end in step)
            along = (b - a) / 20
            ends_ = [a + along * rng.uniform(-0.35, 0.35), b + along * rng.uniform(-0.35, 0.35)]
            inner = [a + along * s + along[::-1] * rng.uniform(-0.1, 0.1) for s in (4.0, 8.0, 12.0, 16.0)]
            broken = draw(st.booleans())
            points = [ends_[0], *inner, ends_[1]]
            pieces = [points[:3], [points[2] + along * rng.uniform(0, 0.3), *points[3:]]] if broken else [points]
            for piece in pieces:
                lines.append([(float(x), float(y)) for x, y in (piece if rng.random() < 0.5 else piece[::-1])])
                codes.append(railroad)
    order = rng.permutation(len(lines))
    return graph, pins, [lines[i] for i in order], [codes[i] for i in order]


def expected(graph: Graph, pins: set[tuple[int, int]]) -> Counter[tuple[int, tuple[Xy, Xy]]]:
    """Return the edges between pins, junctions and ends; rings without any, as a loop at no place."""
    graph = graph.copy()
    for node in list(graph):
        if node[1] not in pins and graph.degree(node) == 2:
            ways = [other for _, other in graph.edges(node)]
            if ways != [node] and ways[0] != node:
                graph.remove_node(node)
                graph.add_edge(*ways)
    out: Counter[tuple[int, tuple[Xy, Xy]]] = Counter()
    for a, b in graph.edges():
        free_ring = a == b and graph.degree(a) == 2 and a[1] not in pins
        low, high = sorted([a[1], b[1]])
        out[a[0], ((-1.0, -1.0), (-1.0, -1.0)) if free_ring else (low, high)] += 1
    return out


@pytest.mark.slow
@settings(deadline=None, max_examples=examples(200))
@given(drawings())
def test_a_network_badly_drawn_comes_back(
    drawing: tuple[Graph, set[tuple[int, int]], list[list[Xy]], list[int]],
) -> None:
    graph, pins, lines, codes = drawing
    network = noded(*lines, railroad=codes, pins=[(20.0 * x, 20.0 * y) for x, y in sorted(pins)])
    cells = [(round(x / 20), round(y / 20)) for x, y in network.node_xy.tolist()]
    degree = Counter([*network.edge_a.tolist(), *network.edge_b.tolist()])
    found: Counter[tuple[int, tuple[Xy, Xy]]] = Counter()
    for railroad, a, b in zip(network.edge_railroad.tolist(), network.edge_a, network.edge_b, strict=True):
        free_ring = a == b and degree[a] == 2 and network.node_pin[a] < 0
        low, high = sorted([cells[a], cells[b]])
        found[railroad, ((-1.0, -1.0), (-1.0, -1.0)) if free_ring else (low, high)] += 1
    assert found == expected(graph, pins)
    assert network.ambiguities == ()
    for line, a, b in zip(network.edge_lines, network.edge_a, network.edge_b, strict=True):
        assert line.coords[0] == tuple(network.node_xy[a])
        assert line.coords[-1] == tuple(network.node_xy[b])


@settings(deadline=None, max_examples=examples(50))
@given(drawings())
def test_the_order_of_lines_changes_no_place(
    drawing: tuple[Graph, set[tuple[int, int]], list[list[Xy]], list[int]],
) -> None:
    _, pins, lines, codes = drawing
    at = [(20.0 * x, 20.0 * y) for x, y in sorted(pins)]
    one = noded(*lines, railroad=codes, pins=at)
    two = noded(*lines[::-1], railroad=codes[::-1], pins=at)
    assert ends(one) == ends(two)
    assert repairs(one) == repairs(two)


def test_a_crowd_of_ends_is_reported_and_not_made_one_node() -> None:
    network = noded(*([(0.9 * i, 0.0), (30.0 * i, 50.0)] for i in range(8)))
    (doubt,) = network.ambiguities
    assert (doubt.kind, doubt.x, doubt.y, doubt.lines) == ("crowded", 0, 0, tuple(range(8)))
    assert network.node_xy[:, 0].max() == 210
    assert len(network.edge_a) >= 8
