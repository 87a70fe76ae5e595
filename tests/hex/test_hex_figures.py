"""Links, deliveries and the report, held against slower ways to find them."""

import heapq
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import Run
from hexagons import compiled, done, example
from hypothesis import given, settings
from hypothesis import strategies as st
from sampling import examples

from mapkit.evaluate import Evaluator
from mapkit.kinds.hex.compiler import compile_hexes
from mapkit.kinds.hex.grid.cubes import edge_between
from mapkit.kinds.hex.model.board import HexBoard
from mapkit.kinds.hex.network.deliveries import find_deliveries, short_links
from mapkit.kinds.hex.network.report import estimate_length, report_on
from mapkit.kinds.hex.network.ways import Ways, find_ways


def link_by_search(board: HexBoard, a: str, b: str) -> tuple[int, int] | None:
    """Dijkstra's method on dictionaries, written apart from the arrays."""
    homes = {city.id: board.grid.hex_of(city.hex) for city in board.cities}
    costs = {terrain.id: terrain.cost for terrain in board.terrains}
    tile = {board.grid.hex_of(hexagon.id): costs[hexagon.terrain] for hexagon in board.hexes}
    edges = {board.grid.edge_named(edge.id): edge for edge in board.edges}
    start, goal = homes[a], homes[b]
    assert start is not None
    best: dict[Any, tuple[int, int]] = {}
    waiting = [(0, 0, start)]
    while waiting:
        cost, tiles, at = heapq.heappop(waiting)
        if at == goal:
            return cost, tiles
        if at in best:
            continue
        best[at] = (cost, tiles)
        for other in board.grid.neighbours(at):
            edge = edges.get(edge_between(at, other))
            if edge is not None and "impassable" in edge.kinds:
                continue
            crossing = cost + (edge.cost if edge is not None else 0)
            laid = tile[other]
            if other == goal:
                heapq.heappush(waiting, (crossing, tiles, other))
            elif other not in homes.values() and laid is not None:
                heapq.heappush(waiting, (crossing + laid, tiles + 1, other))
    return None


def cost_of(board: HexBoard, a: str, b: str, hexes: tuple[str, ...]) -> int:
    """What a link costs, step by step."""
    costs = {terrain.id: terrain.cost for terrain in board.terrains}
    terrain = {hexagon.id: costs[hexagon.terrain] for hexagon in board.hexes}
    homes = {city.id: city.hex for city in board.cities}
    edges = {edge.id: edge.cost for edge in board.edges}
    total = sum(terrain[one] or 0 for one in hexes)
    for one, other in zip((homes[a], *hexes), (*hexes, homes[b]), strict=True):
        edge = board.grid.edge_of_hexes(one, other)
        assert edge is not None, (one, other)
        total += edges.get(board.grid.edge_id(edge), 0)
    return total


terrains = st.sampled_from(["plains", "water", "mountain", "blocked", "sea"])
kinds = st.sampled_from(["ridge", "river", "impassable"])

chained = st.tuples(
    st.sampled_from(["paint-hexes", "set-edges", "move-city"]),
    st.integers(min_value=0, max_value=10_000),
    terrains,
    st.integers(min_value=1, max_value=7),
)


@st.composite
def boards(draw: st.DrawFn) -> HexBoard:
    """Return the example with other ground."""
    document = example()
    grid = compiled(document).board.grid
    for terrain in ("mountain", "blocked", "plains"):
        hexes = draw(st.lists(st.sampled_from([grid.hex_id(one) for one in grid.cubes]), min_size=1, max_size=15))
        document = done(document, {"kind": "paint-hexes", "hexes": hexes, "terrain": terrain})
    edges = draw(st.lists(st.sampled_from([grid.edge_id(edge) for edge in grid.edges]), min_size=1, max_size=15))
    document = done(document, {"kind": "set-edges", "edges": edges, "kinds": [draw(kinds)]})
    return compiled(document).board


@given(boards())
@settings(max_examples=examples(25), deadline=None)
def test_the_cheapest_links_are_those_of_a_plain_search(board: HexBoard) -> None:
    ways = Ways(board)
    listed = {(way.a, way.b): (way.cost, way.tiles) for way in ways.all_ways()}
    for number, one in enumerate(board.cities):
        for other in board.cities[number + 1 :]:
            expected = link_by_search(board, one.id, other.id)
            assert listed.get((one.id, other.id)) == expected
            way = ways.way(one.id, other.id)
            if way is None:
                assert expected is None
                continue
            assert (way.cost, way.tiles) == expected
            assert len(way.hexes) == way.tiles
            assert cost_of(board, one.id, other.id, way.hexes) == way.cost
            back = ways.way(other.id, one.id)
            assert back is not None
            assert (back.cost, back.tiles) == expected


def deliveries_by_walking(board: HexBoard) -> Iterator[tuple[str, str, int]]:
    """All walks from a city, one link after the other, none through a city that takes the cube (RW-D04)."""
    near: dict[str, set[str]] = {city.id: set() for city in board.cities}
    for way in short_links(board, Ways(board)):
        near[way.a].add(way.b)
        near[way.b].add(way.a)
    for colour in ("red", "blue", "black", "yellow", "purple"):
        homes = {city.id for city in board.cities if colour in city.colours}
        for start in near:
            level, seen = {start}, {start}
            for links in range(1, len(near) + 1):
                level = {other for at in level for other in near[at]} - seen
                if level & homes:
                    yield start, colour, links
                    break
                seen |= level


@given(boards())
@settings(max_examples=examples(15), deadline=None)
def test_deliveries_are_those_of_walking(board: HexBoard) -> None:
    found = find_deliveries(board, short_links(board, Ways(board)))
    assert sorted((one.city, one.colour, one.links) for one in found) == sorted(deliveries_by_walking(board))


def test_the_report_of_the_example() -> None:
    board = compiled(example()).board
    found = report_on(board)
    assert found.hexes == {"mountain": 8, "plains": 53, "sea": 4, "water": 5}
    birch = next(city for city in found.cities if city.id == "birch")
    assert (birch.nearest, birch.cost, birch.tiles) == ("cedar", 2000, 1)
    first = {(one.a, one.b): (one.cubes, one.points) for one in found.first_links}
    # two cubes at each city, a fifth of all cubes of each colour; a gray city takes none
    assert first["alder", "birch"] == (0.8, 0.8)
    assert first["birch", "cedar"] == (0.4, 0.4)
    assert [level.pairs for level in found.engines][:3] == [23, 29, 31]
    assert found.engines[1].price == 5000
    assert found.income[25] == 25000


def test_turns_until_the_markers_run_out() -> None:
    """Four markers with two players, two cubes at each city: eight cubes, six actions a turn, one turn after."""
    board = compiled(example()).board
    found = estimate_length(board, 2)
    assert (found.markers, found.cubes, found.fewest_turns, found.turns_at_one, found.bag) == (4, 14, 3, 5, 111)
    assert estimate_length(board, 6).fewest_turns is None
    assert estimate_length(board, 3).cubes == 16


def test_a_printed_link_counts(tmp_path: Path) -> None:
    del tmp_path
    document = done(example(), {"kind": "add-link", "a": "alder", "b": "gorse", "cost": 500})
    board = compiled(document).board
    links = {(way.a, way.b): way for way in short_links(board, Ways(board))}
    assert (links["alder", "gorse"].cost, links["alder", "gorse"].printed) == (500, "alder-gorse")


def test_the_program_reports_and_routes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("new", "valleys", "--kind", "hex").code == 0
    text = run("report", "valleys")
    assert text.code == 0, text.err
    assert "Alder    red     birch             $4,000      2" in text.out
    data = json.loads(run("report", "valleys", "--json").out)
    assert data["links"][0]["cost"] == 2000
    found = json.loads(run("route", "Alder", "gorse", "--board", "valleys", "--json").out)
    assert (found["cost"], found["tiles"], len(found["hexes"])) == (19000, 8, 8)
    assert "$19,000, 8 tiles" in run("route", "alder", "gorse").out
    wrong = run("route", "Aldr", "gorse", "--board", "valleys")
    assert (wrong.code, "(did you mean 'Alder'?)" in wrong.err) == (1, True)
    assert run("route", "alder", "Alder", "--board", "valleys").code == 1
    drawn = run("draw", "valleys", "--theme", "dark")
    assert drawn.code == 0, drawn.err
    assert (tmp_path / "valleys-dark.svg").is_file()
    refused = run("draw", "valleys", "-o", "x.gif")
    assert (refused.code, (tmp_path / "x.gif").exists()) == (2, False)


@given(boards(), st.lists(chained, min_size=1, max_size=6))
@settings(max_examples=examples(25), deadline=None)
def test_links_after_edits_are_those_of_a_search_from_nothing(
    board: HexBoard, edits: list[tuple[str, int, str, int]]
) -> None:
    document, evaluator = example(), Evaluator()
    grid = board.grid
    hexes, edges = [grid.hex_id(one) for one in grid.cubes], [grid.edge_id(edge) for edge in grid.edges]
    for what, number, word, size in edits:
        free = [name for name in hexes if name not in {city.hex for city in board.cities}]
        if what == "paint-hexes":
            chosen = [hexes[(number * step) % len(hexes)] for step in range(1, size + 1)]
            command: dict[str, Any] = {"kind": what, "hexes": sorted(set(chosen)), "terrain": word}
        elif what == "set-edges":
            of_edge = {"plains": (), "water": ("river",), "mountain": ("ridge",)}.get(word, ("impassable",))
            command = {"kind": what, "edges": [edges[number % len(edges)]], "kinds": of_edge}
        else:
            moved = board.cities[number % len(board.cities)].id
            command = {"kind": what, "id": moved, "hex": free[number % len(free)]}
        document = done(document, command)
        live = compile_hexes(document, board_id="links", evaluator=evaluator)
        board = live.board
        ways, alone = find_ways(live.db), Ways(board)
        assert (ways.keys == alone.keys).all()
        assert (ways.reached() == alone.reached()).all()
        assert ways.all_ways() == alone.all_ways()
        first, last = board.cities[0].id, board.cities[-1].id
        assert ways.way(first, last) == alone.way(first, last)
