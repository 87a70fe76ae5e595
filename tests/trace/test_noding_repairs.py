"""Lines drawn twice, thrice, side by side and around in small loops: nothing goes in silence, and once is enough."""

from collections import defaultdict
from collections.abc import Sequence
from random import Random
from typing import TypeAlias

import numpy as np
import shapely
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from sampling import examples

from mapkit.kinds.rail.trace.noding.joining import NodedNetwork, node_lines
from mapkit.kinds.rail.trace.noding.summary import NodingStats, Tally, summarise_noding

Xy: TypeAlias = tuple[float, float]
Line: TypeAlias = "NDArray[np.float64]"
Drawing: TypeAlias = "tuple[list[Line], list[int], list[Xy]]"  # lines, railroad of each, pins
EDGE_OF_RULE = 1e-6


def as_shapes(lines: "Sequence[Sequence[tuple[float, float]] | Line]") -> "NDArray[np.object_]":
    return np.array([shapely.LineString(line) for line in lines], dtype=object)


def noded(
    lines: "Sequence[Sequence[tuple[float, float]] | Line]",
    railroad: list[int] | None = None,
    pins: list[Xy] | None = None,
) -> NodedNetwork:
    """Node with a tolerance of 1."""
    codes = np.array(railroad if railroad is not None else [0] * len(lines), dtype=np.int64)
    return node_lines(as_shapes(lines), railroad=codes, pins=shapely.points(pins) if pins else None, tolerance=1.0)


def sources(network: NodedNetwork) -> list[list[int]]:
    """Return the source lines of each edge."""
    out: defaultdict[int, list[int]] = defaultdict(list)
    for edge, line in zip(network.part_edge.tolist(), network.part_source.tolist(), strict=True):
        out[edge].append(line)
    return [out[edge] for edge in range(len(network.edge_a))]


def repairs(network: NodedNetwork) -> list[tuple[str, int, float]]:
    return [(r.kind, r.source, round(r.size, 3)) for r in network.repairs]


def shape(network: NodedNetwork) -> list[tuple[int, list[list[float]]]]:
    """Return the edges whatever their numbers and directions."""
    out: list[tuple[int, list[list[float]]]] = []
    for line, railroad in zip(network.edge_lines, network.edge_railroad.tolist(), strict=True):
        way = (np.round(shapely.get_coordinates(line), 6) + 0.0).tolist()
        out.append((railroad, min(way, way[::-1])))
    return sorted(out)


def reports(network: NodedNetwork) -> list[tuple[str, float, float, float]]:
    return sorted((r.kind, round(r.x, 5), round(r.y, 5), round(r.size, 5)) for r in network.repairs)


def test_whole_doubles_leave_one_line_that_knows_all_its_sources() -> None:
    way: list[Xy] = [(0, 0), (20, 4), (40, 0)]
    network = noded([way, [(60, 9), (80, 9)], way[::-1], way])
    assert shape(network) == [(0, [[0, 0], [20, 4], [40, 0]]), (0, [[60, 9], [80, 9]])]
    assert sorted(sources(network)) == [[0, 2, 3], [1]]
    length = round(2 * float(np.hypot(20, 4)), 3)
    assert [(kind, size) for kind, _, size in repairs(network)] == [("doubled line", length)] * 2
    assert {(r.x, r.y) for r in network.repairs} == {(20, 4)}


def test_of_three_side_by_side_the_middle_one_stays() -> None:
    lines: list[list[Xy]] = [[(0, y), (20, y), (40, y)] for y in (0.0, 0.8, 1.6)]
    for order in ([0, 1, 2], [2, 0, 1], [1, 2, 0]):
        network = noded([lines[i] for i in order])
        (line,) = network.edge_lines
        assert line.coords[1] == (20, 0.8)
        assert sources(network) == [[0, 1, 2]]
        dropped = {order[r.source]: round(r.size, 6) for r in network.repairs if r.kind == "near-duplicate"}
        assert dropped == {0: 0.8, 2: 0.8}


def test_near_duplicates_that_part_and_rejoin_keep_the_way_round() -> None:
    straight: list[Xy] = [(x, 0) for x in range(0, 101, 10)]
    detour: list[Xy] = [(0, 0.4), (10, 0.4), (20, 0.4), (30, 0.4), (50, 12), (70, 0.4), (80, 0.4), (100, 0.4)]
    network = noded([straight, detour])
    assert [len(lines) for lines in sources(network)].count(2) == 2
    xy = network.node_xy.round(6)
    pairs = zip(network.edge_a.tolist(), network.edge_b.tolist(), strict=True)
    assert sorted(tuple(sorted((xy[a, 0], xy[b, 0]))) for a, b in pairs) == [(0, 30), (30, 70), (30, 70), (70, 100)]
    between = [line for line in network.edge_lines if round(line.bounds[0]) == 30]
    assert sorted(round(line.bounds[3]) for line in between) == [0, 12]
    sizes = [r.size for r in network.repairs if r.kind == "near-duplicate"]
    assert sizes
    assert max(sizes) <= 1


def test_a_line_along_two_others_joins_both() -> None:
    """It follows the one, changes over, and follows the other."""
    one: list[Xy] = [(x, 0) for x in range(0, 61, 10)]
    two: list[Xy] = [(x, 10) for x in range(0, 61, 10)]
    over: list[Xy] = [(0, 0.5), (10, 0.5), (20, 0.5), (30, 9.5), (40, 9.5), (50, 9.5), (60, 9.5)]
    network = noded([one, two, over])
    assert sorted(len(lines) for lines in sources(network)) == [1, 1, 1, 2, 2]
    (link,) = [i for i, lines in enumerate(sources(network)) if lines == [2]]
    ends = {tuple(network.node_xy[node].round(6)) for node in (network.edge_a[link], network.edge_b[link])}
    assert ends == {(20.0, 0.0), (30.0, 9.5)}


def test_small_loops_are_kept_or_reported() -> None:
    curl = noded([[(0, 0), (10, 0), (10.6, 0.5), (10.2, 0.9), (9.8, 0.4), (20, -1)]])
    assert len(curl.edge_a) == 1
    assert shapely.get_num_coordinates(curl.edge_lines).tolist() == [6]
    ring = noded([[(0, 0), (10, 0)], [(30, 0), (30.6, 0), (30.6, 0.6), (30, 0)]])
    assert repairs(ring) == [("short piece", 1, 2.049)]
    assert len(ring.edge_a) == 1
    stalked = noded([[(0, 0), (10, 0)], [(10, 0), (10.7, 0), (10.7, 0.7), (10, 0)]], pins=[(10, 0)])
    assert repairs(stalked) == [("short piece", 1, 2.39)]
    large = noded([[(0, 0), (10, 0)], [(10, 0), (12, 0), (12, 2), (10, 0)]])
    assert repairs(large) == []
    assert len(large.edge_a) == 2


def test_a_corridor_traced_for_each_of_its_railroads() -> None:
    """It ends with shared mileposts and parallel edges, one a railroad."""
    pins: list[Xy] = [(0, 0), (31, 5), (58, 0), (100, 3)]
    way = shapely.segmentize(shapely.LineString(pins), 6.0)
    rng = np.random.default_rng(5)
    lines = [
        shapely.get_coordinates(way) + rng.uniform(-0.3, 0.3, (shapely.get_num_coordinates(way), 2)) for _ in "abc"
    ]
    network = noded([lines[0], lines[1][::-1], lines[2]], railroad=[0, 1, 2], pins=pins)
    assert network.ambiguities == ()
    assert network.node_pin.tolist() == [0, 1, 2, 3]
    pairs = zip(network.edge_a.tolist(), network.edge_b.tolist(), strict=True)
    found = sorted(
        (railroad, *sorted(pair)) for railroad, pair in zip(network.edge_railroad.tolist(), pairs, strict=True)
    )
    assert found == [(railroad, a, a + 1) for railroad in range(3) for a in range(3)]
    assert {kind for kind, _, _ in repairs(network)} == {"end at pin"}
    assert sorted(network.edge_source.tolist()) == [0, 0, 0, 1, 1, 1, 2, 2, 2]
    stats = summarise_noding(as_shapes(lines), network)
    assert stats.joins == (Tally("milepost", 4), Tally("shared milepost", 4))
    assert stats.loose_ends == 0


def test_a_corridor_shared_for_a_part() -> None:
    """Two railroads run together between two pins and part beyond them."""
    rng = np.random.default_rng(6)
    shared = [(20.0, 0.0), (30.0, 2.0), (40.0, 1.0), (50.0, 0.0)]
    one = np.array([(0.0, 0.0), (10.0, 0.0), *shared, (70.0, 0.0)]) + rng.uniform(-0.3, 0.3, (7, 2))
    two = np.array([(0.0, 20.0), (10.0, 12.0), *shared, (70.0, 20.0)]) + rng.uniform(-0.3, 0.3, (7, 2))
    network = noded([one, two], railroad=[4, 9], pins=[(20, 0), (50, 0)])
    both = sorted(
        railroad
        for railroad, a, b in zip(network.edge_railroad.tolist(), network.edge_a, network.edge_b, strict=True)
        if {int(a), int(b)} == {0, 1}
    )
    assert both == [4, 9]
    assert len(network.edge_a) == 6


def test_two_pins_within_tolerance_are_each_passed_once() -> None:
    pins: list[Xy] = [(20, 0), (20.6, 0.1)]
    network = noded([[(0, 0), (20, 0)], [(20.6, 0.1), (40, 0)], [(20, 0), (20.6, 0.1)]], pins=pins)
    again = noded([shapely.get_coordinates(line) for line in network.edge_lines], pins=pins)
    assert shape(again) == shape(network)
    assert again.repairs == ()
    assert [doubt.kind for doubt in again.ambiguities] == ["pins within tolerance"]


def test_pins_keep_their_numbers_whatever_their_order_and_doubles() -> None:
    pins: list[Xy] = [(30, 0), (10, 0.7), (30, 0), (5, 0)]
    network = noded([[(0, 0), (40, 0)], [(0, 1.4), (20, 1.4)]], pins=pins)
    assert network.node_xy[:4].tolist() == [list(pin) for pin in pins]
    doubts = [(doubt.kind, doubt.pin, doubt.other) for doubt in network.ambiguities]
    assert doubts == [("pin between lines", 1, -1), ("pins within tolerance", 0, 2)]
    pairs = zip(network.edge_a.tolist(), network.edge_b.tolist(), strict=True)
    assert (0, 3) in [tuple(sorted(pair)) for pair in pairs]
    assert 2 not in {*network.edge_a.tolist(), *network.edge_b.tolist()}


def test_the_summary_counts() -> None:
    lines: list[list[Xy]] = [[(0, 0), (20, 0)], [(20.5, 0), (40, 0)], [(10, 0.5), (10, 9)], [(0, 0), (10, 0)]]
    network = noded(lines)
    assert summarise_noding(as_shapes(lines), network) == NodingStats(
        lines=4,
        edges=3,
        vertices_in=8,
        vertices_out=7,
        length_in=58.0,
        length_out=49.0,
        loose_ends=3,
        joins=(Tally("junction", 1), Tally("through", 2)),
        repairs=(Tally("doubled line", 1, 10.0), Tally("gap", 1, 0.5), Tally("undershoot", 1, 0.5)),
        ambiguities=(),
    )
    nothing = noded([[(1, 1), (1, 1)]])
    stats = summarise_noding(as_shapes([[(1, 1), (1, 1)]]), nothing)
    assert (stats.edges, stats.vertices_out, stats.length_out, stats.joins) == (0, 0, 0, ())
    assert stats.repairs == (Tally("doubled vertex", 1, 0.0), Tally("zero-length line", 1, 0.0))


@st.composite
def messes(draw: st.DrawFn) -> Drawing:
    """Return lines on a grid, copies of them with a shaking hand, copies that part, scribbles and parts of copies."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    lines: list[Line] = []
    kinds = draw(st.lists(st.sampled_from(["way", "shaken", "parting", "scribble", "copy"]), min_size=1, max_size=6))
    for kind in kinds:
        many = int(rng.integers(2, 7))
        line: Line
        like = lines[rng.integers(len(lines))] if lines else np.zeros((2, 2))
        if kind == "way" or not lines:
            line = np.array(rng.integers(0, 4, (many, 2)), dtype=np.float64) * 20.0
        elif kind == "shaken":
            line = np.add(like, rng.normal(0, 0.25, like.shape))
        elif kind == "parting":
            line = like + rng.normal(0, 0.2, like.shape)
            line[rng.integers(len(line))] += rng.uniform(-6, 6, 2)
        elif kind == "scribble":
            center = like[rng.integers(len(like))]
            size = rng.choice([0.3, 1.0, 2.0])
            line = np.concatenate([[center], center + rng.uniform(-1, 1, (many, 2)) * size, [center]])
        else:
            line = like[int(rng.integers(0, len(like) - 1)) :]
        if rng.random() < 0.3 and (np.abs(np.diff(line, axis=0)).sum(axis=1) > 0).all():
            line = shapely.get_coordinates(shapely.segmentize(shapely.LineString(line), float(rng.uniform(2, 9))))
        lines.append(line)
    two = draw(st.booleans())
    codes = [int(code) for code in rng.integers(0, 2, len(lines))] if two else [0] * len(lines)
    cells = draw(st.sets(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=3))
    pins = [(20.0 * x + float(rng.normal(0, 0.2)), 20.0 * y + float(rng.normal(0, 0.2))) for x, y in sorted(cells)]
    return lines, codes, pins


@settings(deadline=None, max_examples=examples(40))
@given(messes())
def test_nothing_is_dropped_in_silence(drawing: Drawing) -> None:
    """Every vertex given is within the tolerance of an edge, or a repair of its line names its place."""
    lines, codes, pins = drawing
    network = noded(lines, codes, pins)
    for number, (line, railroad) in enumerate(zip(lines, codes, strict=True)):
        edges = shapely.multilinestrings(network.edge_lines[network.edge_railroad == railroad])
        far = np.nan_to_num(shapely.distance(shapely.points(line), edges), nan=np.inf)
        mine = [repair for repair in network.repairs if repair.source == number]
        for x, y in line[far > 1 + EDGE_OF_RULE].tolist():
            assert any(np.hypot(r.x - x, r.y - y) <= r.size + 1 + EDGE_OF_RULE for r in mine), (number, x, y)


SCRIBBLE = 6.0  # tolerances


SPIKES_ALL_OVER: Drawing = (
    [
        np.array([(60, 0), (60, 60), (40, 0), (40, 20)], dtype=np.float64),
        np.array([(60, 0), (60.20302151, -0.06564278), (60.12276624, 0.27924288), (60, 0)]),
        np.array([(60, 0), (59.9929988, 0.00941822931), (59.9557795, 0.22437429), (60, 0)]),
    ],
    [0, 0, 0],
    [],
)


@settings(deadline=None, max_examples=examples(40))
@given(messes())
@example(SPIKES_ALL_OVER)
def test_every_line_is_a_source_or_was_too_short(drawing: Drawing) -> None:
    lines, codes, pins = drawing
    network = noded(lines, codes, pins)
    gone = set(range(len(lines))) - set(network.part_source.tolist())
    short = {r.source for r in network.repairs if r.kind in {"short piece", "zero-length line"}}
    assert gone <= short
    assert all(
        codes[line] == network.edge_railroad[edge]
        for edge, line in zip(network.part_edge.tolist(), network.part_source.tolist(), strict=True)
    )


@settings(deadline=None, max_examples=examples(40))
@given(messes(), st.randoms(use_true_random=False))
def test_order_and_direction_of_the_lines_change_nothing(drawing: Drawing, random: Random) -> None:
    lines, codes, pins = drawing
    network = noded(lines, codes, pins)
    order = list(range(len(lines)))
    random.shuffle(order)
    turned = [lines[i][::-1] if random.random() < 0.5 else lines[i] for i in order]
    other = noded(turned, [codes[i] for i in order], pins)
    assert shape(other) == shape(network)
    assert reports(other) == reports(network)
    assert other.ambiguities == () or len(other.ambiguities) == len(network.ambiguities)


@settings(deadline=None, max_examples=examples(40))
@given(messes())
def test_noding_again_changes_and_reports_nothing(drawing: Drawing) -> None:
    """But for scribbles no larger than a few tolerances, which may come apart once more."""
    lines, codes, pins = drawing
    assume(all(np.ptp(line, axis=0).max() > SCRIBBLE for line in lines))
    network = noded(lines, codes, pins)
    again = noded([shapely.get_coordinates(line) for line in network.edge_lines], network.edge_railroad.tolist(), pins)
    assert shape(again) == shape(network)
    assert again.repairs == ()
