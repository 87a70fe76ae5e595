"""Exact figures of the classic United States, and routes on boards that are not whole."""

from collections import Counter
from fractions import Fraction
from itertools import combinations
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tiny import tiny_board

import mapkit
from mapkit.core.errors import MapkitError
from mapkit.kinds.rail.network.destination_chances import calculate_city_chances
from mapkit.kinds.rail.network.distances import count_all_pairs_moves
from mapkit.kinds.rail.network.multigraph import board_to_multigraph, spurs
from mapkit.kinds.rail.network.report import report
from mapkit.kinds.rail.network.routes import route
from mapkit.kinds.rail.network.service import calculate_access


def test_chances_of_the_printed_charts(usa: mapkit.Board) -> None:
    chances = calculate_city_chances(usa)
    assert len(chances) == 67
    assert sum(chances.values()) == 1
    assert chances["san-francisco"] + chances["oakland"] == Fraction(228, 5184)  # 4.40 %
    assert chances["fargo"] == Fraction(24, 5184)  # 0.46 %


def test_all_distances_agree_with_networkx(usa: mapkit.Board) -> None:
    found = count_all_pairs_moves(usa)
    graph = nx.Graph(board_to_multigraph(usa))
    for start, lengths in nx.all_pairs_shortest_path_length(graph):
        row = found.moves[found.ids.index(start)]
        assert [lengths[ident] for ident in found.ids] == row.tolist()
    assert (found.moves == found.moves.T).all()
    assert not np.diagonal(found.moves).any()


def test_one_railroad_reaches_only_its_own_mileposts(usa: mapkit.Board) -> None:
    found = count_all_pairs_moves(usa, railroads=["rfp"])
    row = found.moves[found.ids.index("richmond")]
    on_track = {end for s in usa.segments if s.railroad == "rfp" for end in (s.a, s.b)}
    assert {ident for ident, moves in zip(found.ids, row, strict=True) if moves >= 0} == on_track
    assert found.between("richmond", "chicago") is None


def test_routes_are_as_long_as_the_distances(usa: mapkit.Board) -> None:
    found = count_all_pairs_moves(usa)
    segments = {s.id: s for s in usa.segments}
    stops = ["miami", "seattle", "portland-me", "san-diego", "fargo", "tampa", "san-francisco-oakland"]
    for start, end in combinations(stops, 2):
        way = route(usa, start, end)
        assert way.mileposts == found.between(start, end)
        assert max(Counter(p for s in way.steps for p in segments[s.segment].pieces).values()) == 1


def test_a_milepost_of_twins_pays_only_what_both_earn(usa: mapkit.Board) -> None:
    assert route(usa, "Oakland", "SAN FRANCISCO").payoff == 0
    assert route(usa, "San Francisco / Oakland", "new york").payoff == 31.5  # as printed for both
    whole = tiny_board()
    rows = [list(row) for row in whole.payoffs.thousands]
    ash, gum = (whole.payoffs.cities.index(city) for city in ("ash", "gum"))
    rows[ash][gum] = rows[gum][ash] = 6.5
    payoffs = whole.payoffs.model_copy(update={"thousands": tuple(map(tuple, rows))})
    board = whole.model_copy(update={"payoffs": payoffs})
    assert [route(board, "Ash", end).payoff for end in ("Fir", "Gum", "Fir/Gum")] == [5.0, 6.5, None]
    assert route(board, "Fir/Gum", "Dale").payoff == 1.5


def test_spurs_of_the_classic_board(usa: mapkit.Board) -> None:
    """RB-C25 names Miami and San Diego; the board has two more."""
    assert [(spur[0], spur[-1]) for spur in spurs((piece.a, piece.b) for piece in usa.pieces)] == [
        ("trilby-fl", "miami"),
        ("petersburg-va", "norfolk"),
        ("bm--lowell-ma", "portland-me"),
        ("los-angeles", "san-diego"),
    ]


@pytest.mark.parametrize("size", [2, 3])
def test_best_combinations_are_the_best_of_all(usa: mapkit.Board, size: int) -> None:
    chances = calculate_city_chances(usa)
    order = sorted(chances)
    mask = {r.railroad: np.isin(order, r.cities) for r in report(usa).railroads}
    weights = np.array([int(chances[city] * 5184) for city in order])
    reach = {
        group: int(weights[np.any([mask[r] for r in group], axis=0)].sum())
        for group in combinations(sorted(mask), size)
    }
    assert len(reach) == {2: 378, 3: 3276}[size]
    price = {r.id: r.price for r in usa.railroads}
    best = sorted(reach, key=lambda group: (-reach[group], sum(price[r] for r in group), group))[:10]
    rows = report(usa).pairs if size == 2 else report(usa).triples
    assert [row.railroads for row in rows] == best
    for row in rows:
        assert (
            Fraction(row.access_exact) == Fraction(reach[row.railroads], 5184) == calculate_access(usa, row.railroads)
        )
        assert row.price == sum(price[r] for r in row.railroads)


@given(st.sets(st.sampled_from([s.id for s in tiny_board().segments])), st.data())
def test_no_route_shares_a_piece_whatever_segments_are_left(dropped: set[str], data: st.DataObject) -> None:
    """Without all its arms joined, a junction tempts a route to pass one arm twice."""
    whole = tiny_board()
    board = whole.model_copy(update={"segments": tuple(s for s in whole.segments if s.id not in dropped)})
    mileposts = st.sampled_from([m.id for m in board.mileposts])
    start, end = data.draw(mileposts), data.draw(mileposts)
    network = board_to_multigraph(board)
    graph = nx.Graph(network)
    segments = {s.id: s for s in board.segments}
    paths: Any = nx.all_simple_edge_paths(network, start, end) if start != end else ()
    ways = [[network.edges[edge]["id"] for edge in way] for way in paths]
    apart = [way for way in ways if max(Counter(p for s in way for p in segments[s].pieces).values(), default=1) == 1]
    if start != end and not apart:
        with pytest.raises(MapkitError, match="there is no route"):
            route(board, start, end)
        return
    found = route(board, start, end)
    assert found.mileposts == (0 if start == end else min(map(len, apart)))
    assert found.mileposts >= nx.shortest_path_length(graph, start, end)
    assert max(Counter(p for s in found.steps for p in segments[s.segment].pieces).values(), default=1) == 1


def test_a_junction_whose_arms_are_not_all_joined() -> None:
    """Hill - Fir/Gum is struck out; by way of Cedar the train would pass the arm to Cedar twice.

    ```
        Cedar
          |
    Hill--J--Fir/Gum
    ```
    """
    whole = tiny_board()
    left = tuple(s for s in whole.segments if s.railroad == "blue" and s.id != "blue--fir-gum--hill")
    assert {s.id for s in left} == {"blue--cedar--dale", "blue--cedar--fir-gum", "blue--cedar--hill"}
    with pytest.raises(MapkitError, match="there is no route from Hill to Fir/Gum on Tiny; allow more railroads"):
        route(whole.model_copy(update={"segments": left}), "hill", "fir-gum")


def test_ties_go_to_fewest_changes_then_fewest_miles() -> None:
    """RED and BLUE both join Cedar and Dale: the train stays on what it rides."""
    board = tiny_board()
    assert route(board, "birch", "dale").railroads == ("red",)
    assert route(board, "hill", "dale", railroads=["blue"]).railroads == ("blue",)
    longer = tuple(
        s.model_copy(update={"miles": s.miles + 1}) if s.id == "blue--cedar--dale" else s for s in board.segments
    )
    assert route(board.model_copy(update={"segments": longer}), "cedar", "dale").railroads == ("red",)
    shorter = tuple(
        s.model_copy(update={"miles": s.miles - 1}) if s.id == "blue--cedar--dale" else s for s in board.segments
    )
    assert route(board.model_copy(update={"segments": shorter}), "cedar", "dale").railroads == ("blue",)
