"""Boards through RB3 and back: the same graph, cities, prices and charts, and only the losses that are listed."""

from collections import Counter
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from rb3_sample import LAKELAND, edges, steps
from sampling import examples
from tiny import tiny_board

import mapkit
from mapkit.api.boards import CheckedBoard, check_board
from mapkit.core.errors import ExportError
from mapkit.core.output import write_files
from mapkit.kinds.rail.compiler.package import built_folder
from mapkit.kinds.rail.exchange.rb3.chances import (
    count_outcomes,
    find_chart_cells,
    parts_to_percents,
    percents_to_parts,
)
from mapkit.kinds.rail.exchange.rb3.cities import merge_cities
from mapkit.kinds.rail.exchange.rb3.exporting import board_to_rb3, number_dots, settle_board
from mapkit.kinds.rail.exchange.rb3.frame import RB3Frame
from mapkit.kinds.rail.exchange.rb3.importing import rb3_to_source_files
from mapkit.kinds.rail.exchange.rb3.map_placement import flat_placement, place_by_names
from mapkit.kinds.rail.exchange.rb3.model import SHIFTS, RB3File
from mapkit.kinds.rail.exchange.rb3.reading import read_rb3
from mapkit.kinds.rail.exchange.rb3.route_lines import edges_to_polylines, find_shared_shifts, sort_edge
from mapkit.kinds.rail.exchange.rb3.writing import write_rb3
from mapkit.kinds.rail.model.board import REGIONS, Board
from mapkit.kinds.rail.variants.variant import read_variant

ROOT = Path(__file__).resolve().parents[2]
REAL = ROOT.parent / "shared" / "data" / "rb3" / "U21MAP.RB3"
SHIPPED = ("usa", "portugal", "mexico")
MAPS = tuple(
    f"usa+{path.stem}"
    for path in sorted((ROOT / "variants").glob("*.toml"))
    if read_variant(path).variant.board == "usa"
)  # a variant of rules alone changes nothing that RB3 holds
Step = tuple[str, str, str]


@cache
def shipped(name: str) -> Board:
    """Return a board, or with `+VARIANT` one that a variant changed."""
    board, *variants = name.split("+")
    return mapkit.load(board, variants=variants, workspace=ROOT)


def board_of(rb3: RB3File, folder: Path) -> Board:
    files, _ = rb3_to_source_files(rb3, flat_placement(rb3))
    write_files(folder / "board", files)
    return built_folder(folder / "board")


def moves(board: Board, names: dict[str, str]) -> set[Step]:
    """Return railroad and ends of every segment, mileposts by the names given."""
    mark = {railroad.id: railroad.short for railroad in board.railroads}
    found = ((mark[s.railroad], names[s.a], names[s.b]) for s in board.segments if s.a != s.b)
    return {(r, min(a, b), max(a, b)) for r, a, b in found}


def names_here(board: Board) -> dict[str, str]:
    return {m.id: m.name for m in board.mileposts}


def nodes_of(board: Board) -> dict[str, tuple[int, int]]:
    """Return region and dot of each milepost and junction of an exported board."""
    here, places = settle_board(board, RB3Frame.of_board(board))
    return number_dots(here, merge_cities(board), places)


def names_there(board: Board, rb3: RB3File) -> dict[str, str]:
    """Return the names that mileposts of an exported board have when it is read: by the place of their dots."""
    nodes = nodes_of(board)
    city = {(r, c.dot): c.name for r, reg in enumerate(rb3.regions, 1) for c in rb3.cities if c.region == reg.code}
    code = {n: region.code for n, region in enumerate(rb3.regions, 1)}
    return {m.id: city.get(nodes[m.id]) or f"{code[nodes[m.id][0]]} {nodes[m.id][1]}" for m in board.mileposts}


@pytest.mark.parametrize("name", ["tiny", *SHIPPED, *MAPS])
def test_a_board_comes_back(name: str, tmp_path: Path) -> None:
    board = tiny_board() if name == "tiny" else shipped(name)
    rb3, _ = board_to_rb3(board)
    data = write_rb3(rb3)
    assert read_rb3(data) == rb3
    assert data == write_rb3(board_to_rb3(board)[0])
    again = board_of(read_rb3(data), tmp_path)
    there = names_there(board, rb3)
    assert moves(again, names_here(again)) == moves(board, there)
    assert len(again.junctions) == len(board.junctions)
    ours = {r.short: (r.name, r.price, r.style.colour) for r in board.railroads}
    assert {r.short: (r.name, r.price, r.style.colour) for r in again.railroads} == ours
    city_of = {c.id: there[c.milepost] for c in board.cities}
    region = {r.id: r.name for r in board.regions}
    assert {(c.name, region[c.region]) for c in board.cities if city_of[c.id] == c.name} <= {
        (c.name, {r.id: r.name for r in again.regions}[c.region]) for c in again.cities
    }
    chances = {r.name: n for r in board.regions for n in [count_outcomes(board.destinations[REGIONS], "")[r.id]]}
    theirs = count_outcomes(again.destinations[REGIONS], "")
    assert {r.name: theirs[r.id] for r in again.regions} == chances
    for one, other in zip(board.regions, again.regions, strict=True):
        want: Counter[str] = Counter()
        for city, count in count_outcomes(board.destinations[one.id], "").items():
            want[city_of[city]] += count
        new = {c.id: c.name for c in again.cities}
        assert {new[c]: n for c, n in count_outcomes(again.destinations[other.id], "").items()} == dict(want)
    row = {
        there[{c.id: c for c in board.cities}[c].milepost]: k
        for k, c in reversed(list(enumerate(board.payoffs.cities)))
    }
    names = {c.id: c.name for c in again.cities}
    for i, a in enumerate(again.payoffs.cities):
        for j, b in enumerate(again.payoffs.cities):
            if i != j:
                assert again.payoffs.thousands[i][j] == board.payoffs.thousands[row[names[a]]][row[names[b]]]


def test_a_variant_of_rules_changes_nothing_that_rb3_holds() -> None:
    (rb3, losses), (plain, others) = board_to_rb3(shipped("usa+tournament")), board_to_rb3(shipped("usa"))
    assert rb3 == plain
    assert set(losses) - set(others) == {
        "rules that differ from the standard ones",
        "the names of variants: tournament",
    }


def test_errors_of_a_board_that_comes_back_are_what_its_author_accepted(tmp_path: Path) -> None:
    """RB3 has no place for accepted findings: misprints that were accepted are errors again, and nothing else is."""
    board = shipped("usa")
    rb3, losses = board_to_rb3(board)
    assert f"accepted findings: {len(board.provenance.accepted)}, which check names again" in losses
    files, _ = rb3_to_source_files(rb3, place_by_names(rb3, file="usa.rb3"))
    write_files(tmp_path / "sources" / "again", files)
    checked = check_board("again", workspace=tmp_path)
    assert isinstance(checked, CheckedBoard)
    report = checked.found.report
    errors = {f.id for f in report.findings if f.severity == "error"}
    assert errors
    assert errors <= set(board.provenance.accepted)


def test_the_losses_of_the_tiny_board() -> None:
    assert board_to_rb3(tiny_board())[1] == (
        "cells of the destination charts: only the chances are kept",
        "twins become one city each: Fir/Gum",
        "exact places: map units of 0.518 miles across and 1.01 down",
        "names of 3 mileposts that are not cities",
        "ids of everything",
        "that 1 junction is free, for programs that do not know dots of colour 13",
        "miles of track",
        "line patterns, drawn solid: double, sawtooth",
        "colours of regions",
        "rivers, borders of states, and the exact places of names",
        "the currency USD",
        "the page, and where each element came from",
    )


def test_parallel_railroads_are_drawn_apart() -> None:
    """Both ends of a shared segment have the same shift, the railroads beside it the opposite one."""
    board = shipped("usa")
    rb3, _ = board_to_rb3(board)
    drawn: dict[tuple[tuple[int, int], tuple[int, int]], list[tuple[int, int]]] = {}
    for route in rb3.routes:
        for line in route.lines:
            for a, b in pairwise(line):
                drawn.setdefault(sort_edge(a[:2], b[:2]), []).append((a.shift, b.shift))
    shared = {pair: shifts for pair, shifts in drawn.items() if len(shifts) > 1}
    assert len(shared) > 20
    for (start, end), shifts in shared.items():
        assert all(one == other for one, other in shifts), (start, end)
        outer = sorted(one for one, _ in shifts if one)
        here, there = rb3.dot(*start), rb3.dot(*end)
        rising = (there.x - here.x) * (there.y - here.y) <= 0
        assert outer == ([1, 2] if rising else [3, 4])
        assert len({one for one, _ in shifts}) == len(shifts)


@given(st.data())
def test_lines_hold_every_segment_once(data: st.DataObject) -> None:
    nodes = [(1, n) for n in range(1, 9)]
    places = {node: (float(data.draw(st.integers(0, 9))), float(data.draw(st.integers(0, 9)))) for node in nodes}
    pairs = [sort_edge(a, b) for a in nodes for b in nodes if a < b]
    railroads = [frozenset(data.draw(st.lists(st.sampled_from(pairs), min_size=1, max_size=12))) for _ in range(3)]
    shifts = find_shared_shifts(railroads, places)
    for index, own in enumerate(railroads):
        mine = {pair: shift for (whose, pair), shift in shifts.items() if whose == index}
        lines = edges_to_polylines(own, places, mine)
        found = [(sort_edge(a[:2], b[:2]), a.shift, b.shift) for line in lines for a, b in pairwise(line)]
        assert Counter(pair for pair, _, _ in found) == Counter(own)
        for pair, one, other in found:
            if pair in mine:
                assert one == other == mine[pair]
    for pair in pairs:
        sides = [shifts[n, pair] for n, own in enumerate(railroads) if pair in own and (n, pair) in shifts]
        assert len(set(sides)) == len(sides)
        if len(sides) > 1:
            dx, dy = (sum(SHIFTS[s][k] for s in sides) for k in (0, 1))
            assert (dx, dy) == (0, 0)


@settings(max_examples=examples(25), deadline=None)
@given(st.data())
def test_random_boards_come_back(data: st.DataObject) -> None:
    """Pieces, prices and payoffs drawn at random on the tiny board's places."""
    board = random_board(data)
    try:
        rb3, losses = board_to_rb3(board)
    except ExportError as error:
        assert "has no segment" in str(error)  # noqa: PT017
        return
    data_bytes = write_rb3(rb3)
    again = read_rb3(data_bytes)
    assert again == rb3
    nodes = nodes_of(board)
    mark = {r.id: r.short for r in board.railroads}
    assert {(r, *pair) for r, own in edges(again).items() for pair in own} == {
        (mark[p.railroad], *sort_edge(nodes[p.a], nodes[p.b])) for p in board.pieces
    }
    assert [r.price for r in again.railroads] == [r.price for r in board.railroads]
    chart = board.payoffs.thousands
    at = [m.at for m in merge_cities(board)]
    assert again.payoffs == tuple(tuple(chart[i][j] for j in at[k + 1 :]) for k, i in enumerate(at[:-1]))
    assert any(loss.startswith("cells of the destination charts") for loss in losses)


def random_board(data: st.DataObject) -> Board:
    board = tiny_board()
    pieces = tuple(p for p in board.pieces if data.draw(st.booleans()))
    prices = st.integers(0, 10_000_000)
    railroads = tuple(r.model_copy(update={"price": data.draw(prices)}) for r in board.railroads)
    size = len(board.payoffs.cities)
    amounts = [[0.0] * size for _ in range(size)]
    for i in range(size):
        for j in range(i):
            amounts[i][j] = amounts[j][i] = data.draw(st.integers(0, 200)) / 2
    payoffs = board.payoffs.model_copy(update={"thousands": tuple(map(tuple, amounts))})
    return board.model_copy(update={"pieces": pieces, "railroads": railroads, "payoffs": payoffs})


@given(st.lists(st.integers(1, 30), min_size=1, max_size=22))
def test_chances_are_72nds_and_come_back(parts: list[int]) -> None:
    assume(sum(parts) <= 72)
    parts[0] += 72 - sum(parts)
    out = parts_to_percents(parts)
    assert round(sum(out), 3) == 100
    assert list(percents_to_parts({str(n): p for n, p in enumerate(out)}).values()) == parts


@given(st.lists(st.sampled_from("abcdefgh"), min_size=22, max_size=22))
def test_cells_are_found_for_the_chances_of_any_chart(items: list[str]) -> None:
    want: Counter[str] = Counter()
    for k, item in enumerate(items):
        want[item] += 6 - abs(k % 11 - 5)
    cells = find_chart_cells(want)
    assert cells is not None
    got: Counter[str] = Counter()
    for (total, _), item in cells.items():
        got[item] += 6 - abs(total - 7)
    assert (len(cells), got) == (22, want)


def test_chances_that_no_cells_give() -> None:
    assert find_chart_cells({str(n): 1 for n in range(5)} | {"x": 67}) is None  # four cells have one outcome


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"cities": "regions"}, "different regions"),
        ({"payoffs": 0.25}, "steps of 0.5"),
        ({"payoffs": None}, "is missing"),
        ({"name": 'The "Best"'}, "with a double quote"),
        ({"name": "Łódź"}, "Windows-1252"),
    ],
)
def test_boards_that_rb3_cannot_hold(change: dict[str, object], said: str) -> None:
    board = tiny_board()
    if "cities" in change:
        cities = tuple(c.model_copy(update={"region": "west"}) if c.id == "gum" else c for c in board.cities)
        board = board.model_copy(update={"cities": cities})
    elif "payoffs" in change:
        rows = [list(row) for row in board.payoffs.thousands]
        amount = change["payoffs"]
        assert amount is None or isinstance(amount, float)
        rows[0][1] = rows[1][0] = amount
        board = board.model_copy(
            update={"payoffs": board.payoffs.model_copy(update={"thousands": tuple(map(tuple, rows))})}
        )
    else:
        cities = tuple(c.model_copy(update={"name": change["name"]}) if c.id == "ash" else c for c in board.cities)
        board = board.model_copy(update={"cities": cities})
    with pytest.raises(ExportError, match=said):
        write_rb3(board_to_rb3(board)[0], "windows-1252")


def test_a_thousand_mileposts_in_a_region_are_refused() -> None:
    board = tiny_board()
    birch = next(m for m in board.mileposts if m.id == "birch")
    many = tuple(birch.model_copy(update={"id": f"m{n}"}) for n in range(1000))
    with pytest.raises(ExportError, match=r"region 'West' has 1004 .* RB3 holds 999"):
        board_to_rb3(board.model_copy(update={"mileposts": (*board.mileposts, *many)}))


def test_names_that_clash_stay_apart(tmp_path: Path) -> None:
    text = LAKELAND.replace("Beta", "alpha").replace("Gamma", "NO 2").replace("South,SO", "Regions,SO")
    board = board_of(read_rb3(text.encode()), tmp_path)
    assert len(board.cities) == 4
    assert len({m.name for m in board.mileposts}) == len(board.mileposts) == 7
    assert {r.id for r in board.regions}.isdisjoint({REGIONS})


def test_places_of_portugal_are_found_again() -> None:
    board = shipped("portugal")
    rb3, _ = board_to_rb3(board)
    placed = place_by_names(rb3, file="portugal.rb3")
    assert placed.countries == ("PT",)
    assert placed.affine is not None
    assert placed.affine.rms_miles is not None
    assert placed.affine.rms_miles < 5
    assert len(placed.found) >= 33


@pytest.mark.skipif(not REAL.exists(), reason="the published map is not committed; ../shared/data is missing")
def test_a_published_map_becomes_a_board(tmp_path: Path) -> None:
    report = mapkit.import_board(REAL, into="u21", workspace=tmp_path)
    assert (len(report.found), report.missing, report.countries) == (65, (), ("US",))
    assert report.rms_miles is not None
    assert report.rms_miles < 30
    board = mapkit.load("u21", workspace=tmp_path)
    rb3 = read_rb3(REAL)
    assert (len(board.pieces), len(board.junctions), len(board.cities)) == (750, 11, 65)
    assert {f.code for f in mapkit.check(board).errors} == {"P08"}  # misprints of the classic chart, which it has
    out, _ = board_to_rb3(board)
    assert len(steps(out)) == len(steps(rb3))
    assert out.payoffs == rb3.payoffs
    assert {c.name: round(c.percent * 0.72) for c in out.cities} == {
        c.name: round(c.percent * 0.72) for c in rb3.cities
    }
