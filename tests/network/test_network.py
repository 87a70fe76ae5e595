"""Distances, routes, chances, service and spurs, on a board whose figures can be calculated on paper."""

from fractions import Fraction
from itertools import pairwise

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tiny import chart, tiny_board

import mapkit
from mapkit.core.errors import MapkitError, UnknownNameError
from mapkit.kinds.rail.network.destination_chances import calculate_city_chances, count_chart_weights
from mapkit.kinds.rail.network.distances import count_all_pairs_moves
from mapkit.kinds.rail.network.graph import list_linked_pairs
from mapkit.kinds.rail.network.multigraph import board_to_multigraph, find_node_components, spurs
from mapkit.kinds.rail.network.report import report
from mapkit.kinds.rail.network.routes import route
from mapkit.kinds.rail.network.service import (
    calculate_access,
    calculate_monopoly,
    cities_by_railroad,
    find_connections,
    railroads_by_city,
)

BOARD = tiny_board()
MILEPOSTS = st.sampled_from([m.id for m in BOARD.mileposts])
RAILROADS = st.frozensets(st.sampled_from(["red", "green", "blue"]), min_size=1)


def networkx_moves(railroads: frozenset[str], start: str, end: str) -> int | None:
    graph: nx.Graph[str] = nx.Graph()
    graph.add_nodes_from(m.id for m in BOARD.mileposts)
    graph.add_edges_from((s.a, s.b) for s in BOARD.segments if s.railroad in railroads)
    return nx.single_source_shortest_path_length(graph, start).get(end)


@given(RAILROADS, MILEPOSTS, MILEPOSTS)
def test_distances_agree_with_another_library(railroads: frozenset[str], start: str, end: str) -> None:
    assert count_all_pairs_moves(BOARD, railroads=railroads).between(start, end) == networkx_moves(
        railroads, start, end
    )


@given(MILEPOSTS, MILEPOSTS, MILEPOSTS)
def test_distances_are_a_metric(a: str, b: str, c: str) -> None:
    found = count_all_pairs_moves(BOARD)
    ab, bc, ac, ba = (found.between(*pair) for pair in ((a, b), (b, c), (a, c), (b, a)))
    assert ab is not None and bc is not None and ac is not None  # noqa: PT018 - one board, one component
    assert ab == ba
    assert ac <= ab + bc
    assert (ab == 0) == (a == b)


@given(RAILROADS, MILEPOSTS, MILEPOSTS)
def test_a_route_is_a_walk_of_the_least_length(railroads: frozenset[str], start: str, end: str) -> None:
    moves = networkx_moves(railroads, start, end)
    if moves is None:
        with pytest.raises(MapkitError, match="there is no route from"):
            route(BOARD, start, end, railroads=railroads)
        return
    found = route(BOARD, start, end, railroads=railroads)
    assert found.mileposts == len(found.steps) == moves
    stops = [start, *(step.end for step in found.steps)]
    assert [step.start for step in found.steps] == stops[:-1]
    assert stops[-1] == end
    segments = {s.id: s for s in BOARD.segments}
    for step, (a, b) in zip(found.steps, pairwise(stops), strict=True):
        assert {segments[step.segment].a, segments[step.segment].b} == {a, b}
        assert step.railroad in railroads
    pieces = [piece for step in found.steps for piece in segments[step.segment].pieces]
    assert len(pieces) == len(set(pieces))
    assert found.miles == pytest.approx(sum(segments[s.segment].miles for s in found.steps), abs=0.01)


def test_route_of_the_sketch() -> None:
    """Ash - Dale: three moves on RED; Cedar - Fir through the free junction is one move on BLUE."""
    found = route(BOARD, "ash", "DALE")
    assert [step.segment for step in found.steps] == ["red--ash--birch", "red--birch--cedar", "red--cedar--dale"]
    assert (found.mileposts, found.miles, found.payoff, found.railroads) == (3, 155.38, 4.5, ("red",))
    through = route(BOARD, "Cedar", "gum", railroads=["BLUE"])
    assert [step.segment for step in through.steps] == ["blue--cedar--fir-gum"]
    assert (through.mileposts, through.miles, through.payoff) == (1, 87.19, None)


def test_route_between_twins_is_no_move_and_pays_nothing() -> None:
    found = route(BOARD, "Fir", "Gum")
    assert (found.mileposts, found.miles, found.payoff, found.steps) == (0, 0, 0, ())
    assert route(BOARD, "ash", "gum").payoff == 5.0


def test_unknown_names_are_offered_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match=r"'Birhc' is not a city or milepost of Tiny \(did you mean 'Birch'\?\)"):
        route(BOARD, "Birhc", "Dale")
    with pytest.raises(UnknownNameError, match=r"'GREN' is not a railroad of Tiny \(did you mean 'GREEN'\?\)"):
        route(BOARD, "Ash", "Dale", railroads=["GREN"])


def test_the_bridge_to_graph_libraries() -> None:
    graph = board_to_multigraph(BOARD)
    assert (graph.number_of_nodes(), graph.number_of_edges()) == (7, 12)
    assert graph.number_of_edges("cedar", "dale") == 2
    assert graph.edges["cedar", "dale", "red"]["miles"] == 51.58
    assert graph.edges["cedar", "dale", "red"]["id"] == "red--cedar--dale"
    ids, pairs = list_linked_pairs(BOARD)
    assert ids == tuple(m.id for m in BOARD.mileposts)
    assert {(ids[a], ids[b]) for a, b in pairs.tolist()} == {tuple(sorted(ends)) for ends in graph.edges()}
    assert len(pairs) == 10  # two pairs of mileposts are joined twice


def test_connected_parts_come_largest_first() -> None:
    assert find_node_components([("d", "c"), ("a", "b"), ("e", "f"), ("f", "g"), ("h", "h")]) == [
        ["e", "f", "g"], ["a", "b"], ["c", "d"], ["h"],
    ]  # fmt: skip
    assert find_node_components([]) == []


def test_chances_of_the_sketch() -> None:
    """The charts repeat their contents down both columns; weights 1 2 3 4 5 6 5 4 3 2 1, twice."""
    assert count_chart_weights(BOARD.destinations["regions"]) == {"west": 36, "east": 36}
    assert count_chart_weights(BOARD.destinations["east"]) == {
        "dale": 2 * (1 + 4 + 5 + 2),
        "fir": 2 * (2 + 5 + 4 + 1),
        "gum": 2 * (3 + 6 + 3),
    }
    chances = calculate_city_chances(BOARD)
    assert chances == {
        "ash": Fraction(1, 4),
        "elm": Fraction(1, 4),
        "dale": Fraction(1, 6),
        "fir": Fraction(1, 6),
        "gum": Fraction(1, 6),
    }
    assert sum(chances.values()) == 1


def test_an_empty_cell_is_unassigned() -> None:
    charts = dict(BOARD.destinations)
    charts["west"] = charts["west"].model_copy(update={"odd": {**charts["west"].odd, "7": None}})
    board = BOARD.model_copy(update={"destinations": charts})
    assert 1 - sum(calculate_city_chances(board).values()) == Fraction(36 * 6, 5184)
    assert report(board).unassigned == pytest.approx(100 * 36 * 6 / 5184, abs=1e-4)


def test_service_access_monopoly() -> None:
    assert cities_by_railroad(BOARD) == {
        "blue": {"dale", "fir", "gum"},
        "green": {"ash", "dale", "elm", "fir", "gum"},
        "red": {"ash", "dale"},
    }
    assert railroads_by_city(BOARD)["elm"] == {"green"}
    assert calculate_access(BOARD, ["red"]) == Fraction(5, 12)
    assert calculate_access(BOARD, ["red", "blue"]) == Fraction(3, 4)
    assert calculate_access(BOARD, []) == 0
    assert calculate_monopoly(BOARD, ["green"]) == Fraction(1, 4)
    assert calculate_monopoly(BOARD, ["red", "green"]) == Fraction(1, 2)
    assert calculate_monopoly(BOARD, ["red"]) == 0
    assert find_connections(BOARD) == {"blue": ("green", "red"), "green": ("blue", "red"), "red": ("blue", "green")}


def spurs_of(board: mapkit.Board) -> tuple[tuple[str, ...], ...]:
    return spurs((piece.a, piece.b) for piece in board.pieces)


def test_spurs() -> None:
    assert spurs_of(BOARD) == ()
    alone = [s for s in BOARD.segments if s.railroad == "red"]
    red = BOARD.model_copy(
        update={"segments": tuple(alone), "pieces": tuple(p for p in BOARD.pieces if p.railroad == "red")}
    )
    assert spurs_of(red) == (("cedar", "birch", "ash"), ("cedar", "dale"))  # no way round: they meet in the middle
    blue = BOARD.model_copy(update={"pieces": tuple(p for p in BOARD.pieces if p.railroad != "green")})
    assert spurs_of(blue) == (
        ("cedar", "birch", "ash"),  # Cedar - Dale is double, so the way back begins at Cedar
        ("cedar", "blue--j", "fir-gum"),  # it forks at the junction: each end has the stem
        ("cedar", "blue--j", "hill"),
    )


def test_report_of_the_sketch() -> None:
    found = report(BOARD)
    green = found.railroads[0]
    assert (green.short, green.service, green.service_exact, green.monopoly) == ("GREEN", 100.0, "1/1", 25.0)
    assert green.service_per_thousand == 12.5
    assert [(r.short, r.service) for r in found.railroads] == [("GREEN", 100.0), ("BLUE", 50.0), ("RED", 41.6667)]
    assert [row.railroads for row in found.pairs] == [("blue", "green"), ("green", "red"), ("blue", "red")]
    assert [row.access for row in found.pairs] == [100.0, 100.0, 75.0]
    assert [row.price for row in found.triples] == [24000]
    assert [(c.city, c.chance) for c in found.cities][:2] == [("ash", 25.0), ("elm", 25.0)]
    assert found.unassigned == 0


@given(st.integers(min_value=1, max_value=5))
def test_weights_of_any_full_chart_add_to_72(size: int) -> None:
    assert sum(count_chart_weights(chart(tuple("abcde"[:size]))).values()) == 72


def test_public_railroads_are_in_no_combination() -> None:
    public = tuple(r.model_copy(update={"public": r.id == "green"}) for r in BOARD.railroads)
    found = mapkit.report(BOARD.model_copy(update={"railroads": public}))
    assert [row.railroads for row in found.pairs] == [("blue", "red")]
    assert found.triples == ()
