"""Track that several railroads share: found, cut at each other's nodes, laid together."""

from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from sampling import examples

from mapkit.kinds.rail.trace.corridors.finding import Corridors, find_corridors
from mapkit.kinds.rail.trace.noding.joining import NodedNetwork, node_lines

Line = Sequence[tuple[float, float]]


def noded(lines: Sequence[tuple[int, Line]], pins: Line = ()) -> NodedNetwork:
    shapes = np.array([shapely.LineString(line) for _, line in lines], dtype=object)
    return node_lines(
        shapes,
        railroad=np.array([railroad for railroad, _ in lines]),
        pins=np.array([shapely.Point(pin) for pin in pins], dtype=object),
        tolerance=1.0,
    )


def corridors(lines: Sequence[tuple[int, Line]], pins: Line = ()) -> tuple[NodedNetwork, Corridors]:
    network = noded(lines, pins)
    found = find_corridors(network, tolerance=1.0)
    check_invariants(network, found)
    return network, found


def check_invariants(network: NodedNetwork, found: Corridors) -> None:
    """Assert what holds for all: whole edges, lines from site to site, one line a corridor, no railroad twice."""
    sections = list(zip(found.section_edge, found.section_a, found.section_b, found.section_lines, strict=True))
    for edge in range(len(network.edge_a)):
        own = [row for row in sections if row[0] == edge]
        assert own[0][1] == found.node_site[network.edge_a[edge]]
        assert own[-1][2] == found.node_site[network.edge_b[edge]]
        assert all(one[2] == two[1] for one, two in pairwise(own))
    for _, a, b, line in sections:
        ends = shapely.get_coordinates(line)[[0, -1]]
        assert ends.tolist() == found.site_xy[[a, b]].tolist()
    groups = defaultdict(list)
    for number, corridor in enumerate(found.section_corridor.tolist()):
        groups[corridor].append(number)
    for corridor, members in groups.items():
        railroads = [int(network.edge_railroad[found.section_edge[number]]) for number in members]
        assert len(set(railroads)) == len(railroads)
        shape = found.section_lines[corridor]
        assert all(
            found.section_lines[n].equals_exact(shape) or found.section_lines[n].reverse().equals_exact(shape)
            for n in members
        )


def sites_of(network: NodedNetwork, found: Corridors, railroad: int) -> list[tuple[str, float, float]]:
    """Return kind and rounded place of every site that a railroad passes."""
    own = network.edge_railroad[found.section_edge] == railroad
    sites = {*found.section_a[own].tolist(), *found.section_b[own].tolist()}
    return sorted((found.site_kind[s], *np.round(found.site_xy[s], 1).tolist()) for s in sites)


def shared_length(found: Corridors) -> float:
    """Return the length of the sections that are not alone."""
    count = np.bincount(found.section_corridor, minlength=len(found.section_lines))
    return float(sum(line.length for line, n in zip(found.section_lines, count, strict=True) if n > 1))


PINS: Line = ((0, 0), (100, 0))
MAIN = (0, ((0, 0), (100, 0)))


def test_a_junction_of_one_railroad_cuts_the_other() -> None:
    network, found = corridors([MAIN, (1, ((0, 0), (100, 0))), (1, ((40, 0), (40, 30)))], PINS)
    assert sites_of(network, found, 0) == [("junction", 40, 0), ("milepost", 0, 0), ("milepost", 100, 0)]
    assert shared_length(found) == 100
    assert found.repairs == ()


def test_an_end_on_shared_track_is_a_milepost_of_both() -> None:
    network, found = corridors([MAIN, (1, ((0, 0), (60, 0.5)))], PINS)
    assert sites_of(network, found, 0) == [("end", 60, 0.5), ("milepost", 0, 0), ("milepost", 100, 0)]
    assert shared_length(found) == pytest.approx(60, abs=0.01)


def test_a_pin_of_one_railroad_half_way_is_a_milepost_of_both() -> None:
    network, found = corridors([MAIN, (1, ((0, 0), (35, 0.2), (100, 0)))], [*PINS, (35, 0.4)])
    assert sites_of(network, found, 0) == sites_of(network, found, 1)
    assert ("milepost", 35, 0.4) in sites_of(network, found, 0)
    assert len(set(found.section_corridor.tolist())) == 2


def test_where_lines_part_off_any_node_both_are_cut() -> None:
    network, found = corridors([MAIN, (1, ((0, 0.4), (30, -0.3), (60, 0), (60, 40)))], [*PINS, (60, 40)])
    for railroad in (0, 1):
        (place,) = [(x, y) for kind, x, y in sites_of(network, found, railroad) if kind == "junction"]
        assert place == pytest.approx((60, 0), abs=1.1)
    (repair,) = found.repairs
    assert (repair.kind, repair.source) == ("offset from shared track", 1)
    assert repair.size == pytest.approx(0.3, abs=0.01)


def test_lines_traced_twice_by_hand_become_one() -> None:
    random = np.random.default_rng(3)
    wavy = [(x, 0.4 * y) for x, y in zip(range(2, 99), random.uniform(-1, 1, 97), strict=True)]
    other = [(x + 0.3, 0.4 * y) for x, y in zip(range(2, 99), random.uniform(-1, 1, 97), strict=True)]
    lines = [(0, ((0, 0), *wavy, (100, 0))), (1, ((100, 0), *reversed(other), (0, 0)))]
    _, found = corridors(lines, PINS)
    assert len(found.section_edge) == 2
    assert len(set(found.section_corridor.tolist())) == 1
    assert [(r.kind, r.source) for r in found.repairs] == [("offset from shared track", 1)]
    assert 0.1 < found.repairs[0].size < 1


@pytest.mark.parametrize(
    "other",
    [
        ((50, -30), (50, 30)),
        ((0, -20), (100, 20)),
        ((20, 30), (48, 0.5), (52, 0.5), (80, 30)),
        ((0, 1.3), (100, 1.3)),
        ((45, 0.3), (45, 30)),
        ((100, 0), (200, 0)),
        ((97, 0.2), (200, 0)),
    ],
    ids=[
        "crosses",
        "crosses aslant",
        "touches for 4",
        "passes beside",
        "ends on it",
        "goes on",
        "overlaps by 3",
    ],
)
def test_railroads_that_only_meet_share_nothing(other: Line) -> None:
    network, found = corridors([MAIN, (1, other)])
    assert len(found.section_edge) == len(network.edge_a) == 2
    assert len(set(found.section_corridor.tolist())) == 2
    assert found.node_site.tolist() == list(range(len(network.node_xy)))
    assert [line.wkb for line in found.section_lines] == [line.wkb for line in network.edge_lines]


def test_short_edges_in_a_row_are_one_shared_stretch() -> None:
    branches = [(1, ((x, 0.0), (x, 30.0))) for x in range(34, 64, 4)]
    network, found = corridors([MAIN, (1, ((0, 0), (100, 0))), *branches], PINS)
    assert [x for kind, x, _ in sites_of(network, found, 0) if kind == "junction"] == list(range(34, 64, 4))
    assert shared_length(found) == 200 / 2


def test_lines_of_one_railroad_share_nothing_here() -> None:
    network, found = corridors([MAIN, (0, ((0, 5), (100, 5)))])
    assert found.section_lines.tolist() == network.edge_lines.tolist()


def test_the_tolerance_is_above_nothing() -> None:
    with pytest.raises(ValueError, match="not above 0"):
        find_corridors(noded([MAIN]), tolerance=0)


def test_nothing_gives_nothing() -> None:
    found = find_corridors(noded([], PINS), tolerance=1.0)
    assert (len(found.section_edge), found.site_kind) == (0, ("milepost", "milepost"))


STEP = 20
SPOTS = 10
STUBS = [(0.0, 25.0), (12.5, 21.65), (0.0, -25.0), (12.5, -21.65)]


@st.composite
def railroads(draw: st.DrawFn) -> list[tuple[int, int, frozenset[int]]]:
    """Draw where each railroad begins and ends on a straight line of ten spots, and its branches between."""
    out = []
    for _ in range(draw(st.integers(2, 4))):
        low, high = sorted(draw(st.sets(st.integers(0, SPOTS), min_size=2, max_size=2)))
        inner = st.sampled_from(range(low + 1, high)) if high - low > 1 else st.nothing()
        out.append((low, high, frozenset(draw(st.sets(inner, max_size=3)) if high - low > 1 else ())))
    return out


@settings(max_examples=examples(150))
@given(railroads(), st.integers(0, 2**32 - 1))
def test_every_railroad_has_every_site_of_the_others_where_it_runs_with_them(
    drawn: list[tuple[int, int, frozenset[int]]], seed: int
) -> None:
    """All leave the line at both ends, at angles of their own, and are drawn with noise."""
    random = np.random.default_rng(seed)
    lines: list[tuple[int, Line]] = []
    for number, (low, high, branches) in enumerate(drawn):
        dx, dy = STUBS[number]
        x = np.arange(STEP * low, STEP * high + 0.1, 2.0)
        y = random.uniform(-0.25, 0.25, len(x))
        track = list(zip(x.tolist(), y.tolist(), strict=True))
        lines.append((number, ((track[0][0] + dx, dy), *track, (track[-1][0] + dx, dy))))
        lines += [(number, ((STEP * at, 0.0), (STEP * at + dx, dy))) for at in sorted(branches)]
    network, found = corridors(lines)
    xy, edges = found.site_xy, network.edge_railroad[found.section_edge]
    on_line = np.abs(xy[:, 1]) < 3
    for number, (low, high, branches) in enumerate(drawn):
        expected = set(branches)
        for other, (its_low, its_high, its_branches) in enumerate(drawn):
            first, last = max(low, its_low), min(high, its_high)
            if other != number and first < last:
                expected |= {first, last} | {at for at in its_branches if first <= at <= last}
        ends = np.concatenate((found.section_a[edges == number], found.section_b[edges == number]))
        places = xy[[site for site in set(ends.tolist()) if on_line[site]], 0] / STEP
        assert np.abs(places - np.round(places)).max(initial=0) < 3 / STEP
        assert sorted(np.round(places).astype(int).tolist()) == sorted(expected)
    for spot in range(SPOTS):
        middle = shapely.Point(STEP * (spot + 0.5), 0)
        running = {number for number, (low, high, _) in enumerate(drawn) if low <= spot < high}
        here = [n for n, line in enumerate(found.section_lines) if line.distance(middle) < 1]
        assert {int(edges[n]) for n in here} == running
        assert len({int(found.section_corridor[n]) for n in here}) == min(1, len(running))
