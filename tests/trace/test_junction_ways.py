"""Ways through junctions: against all simple paths of small graphs, and where those would be too many."""

from itertools import combinations, pairwise

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mapkit.core.errors import SourceError
from mapkit.kinds.rail.model.network import NetworkPiece, Origin
from mapkit.kinds.rail.trace.junction_ways import Way, find_ways_through

ORIGIN = Origin(how="generated", file="x", row=1)


def piece(a: str, b: str, number: int = 1) -> NetworkPiece:
    ident = f"x--{min(a, b)}--{max(a, b)}--{number}"
    line = ((0.0, 0.0), (1.0, 1.0))
    return NetworkPiece(id=ident, railroad="x", a=a, b=b, miles=1.0, line=line, origin=ORIGIN)


def ways(edges: list[tuple[str, str]]) -> list[Way]:
    """Return the ways; a node whose name begins with j is a junction."""
    pieces = sorted((piece(a, b, n) for n, (a, b) in enumerate(edges)), key=lambda p: p.id)
    return list(find_ways_through(pieces, {end for edge in edges for end in edge if end.startswith("j")}))


def ends(found: list[Way]) -> list[str]:
    return sorted(f"{a}-{b}" for a, _, b in found)


def test_three_arms_are_three_ways() -> None:
    assert ends(ways([("a", "j"), ("b", "j"), ("c", "j")])) == ["a-b", "a-c", "b-c"]


def test_the_longer_way_round_a_wye_is_none() -> None:
    wye = [("a", "j1"), ("b", "j2"), ("c", "j3"), ("j1", "j2"), ("j2", "j3"), ("j1", "j3")]
    found = ways(wye)
    assert ends(found) == ["a-b", "a-c", "b-c"]
    assert {len(used) for _, used, _ in found} == {3}


def test_a_second_track_has_a_way_of_its_own() -> None:
    found = ways([("a", "j1"), ("j1", "j2"), ("j1", "j2"), ("j2", "b"), ("j1", "c"), ("j2", "d")])
    assert ends(found) == ["a-b", "a-b", "a-c", "a-d", "b-c", "b-d", "c-d"]


def test_a_balloon_at_the_end_of_a_line_is_no_way() -> None:
    assert ends(ways([("a", "j"), ("b", "j"), ("j", "j")])) == ["a-b"]


def test_a_hundred_junctions_in_a_row() -> None:
    row = [f"j{n:03}" for n in range(100)]
    comb = [*pairwise(row), *((f"m{at[1:]}", at) for at in row), ("m", row[0]), ("n", row[-1])]
    found = ways(comb)
    assert len(found) == 102 * 101 // 2
    assert max(len(used) for _, used, _ in found) == 101


def test_a_ladder_whose_simple_paths_nobody_could_list() -> None:
    """Sixty loops in a row have more simple paths than there are atoms; each of the second tracks gets one way."""
    row = [f"j{n:02}" for n in range(61)]
    found = ways([*pairwise(row), *pairwise(row), ("a", row[0]), ("b", row[-1])])
    assert ends(found) == ["a-b"] * 61


def test_too_many_mileposts_without_one_between_them() -> None:
    row = [f"j{n:03}" for n in range(330)]
    with pytest.raises(SourceError, match=r"330 junctions of 'x' join 332 mileposts .* at_junctions"):
        ways([*pairwise(row), *((f"m{at[1:]}", at) for at in row), ("m", row[0]), ("n", row[-1])])


NODES = ["a", "b", "c", "j1", "j2", "j3", "j4", "j5"]


@given(st.lists(st.tuples(st.sampled_from(NODES), st.sampled_from(NODES[3:])), min_size=1, max_size=12))
def test_ways_are_the_shortest_and_leave_out_no_piece(edges: list[tuple[str, str]]) -> None:
    graph: nx.MultiGraph[str] = nx.MultiGraph()
    for n, (a, b) in enumerate(edges):
        graph.add_edge(a, b, piece(a, b, n).id)
    simple: dict[tuple[str, str], list[tuple[str, ...]]] = {}
    for a, b in combinations(sorted({*graph} & {"a", "b", "c"}), 2):
        inner = graph.subgraph([node for node in graph if node.startswith("j") or node in {a, b}])
        simple[a, b] = [tuple(edge[-1] for edge in path) for path in nx.all_simple_edge_paths(inner, a, b)]
    found = ways(edges)
    assert len(set(found)) == len(found)
    used: set[str] = set()
    firsts = set()
    for a, pieces, b in found:
        assert pieces in simple[a, b]
        if (a, b) not in firsts and len(pieces) == min(map(len, simple[a, b])):
            firsts.add((a, b))
        else:  # one for the sake of a piece that no other way uses, as short as any over it
            fresh = set(pieces) - {k for other in found if other[1] != pieces for k in other[1]}
            of_piece = [way for each in simple.values() for way in each if fresh and min(fresh) in way]
            assert not fresh or len(pieces) <= max(map(len, of_piece))
        used.update(pieces)
    assert firsts == {pair for pair, each in simple.items() if each}
    assert used == {k for each in simple.values() for way in each for k in way}
