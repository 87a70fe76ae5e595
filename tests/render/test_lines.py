"""Where lines are drawn: lanes beside each other, strands that keep apart."""

import math
import re
from dataclasses import replace
from typing import get_args

import numpy as np
import pytest
import shapely
from hard_cases import HARD_CASES, Runs, board_of
from hypothesis import given
from hypothesis import strategies as st

from mapkit.drawing.svg_page import SvgPage
from mapkit.drawing.theme.sizes import Sizes
from mapkit.kinds.rail.model.board import Board, Pattern, Piece, Style
from mapkit.kinds.rail.render.board_layers import LAYERS
from mapkit.kinds.rail.render.layout import lay_out
from mapkit.kinds.rail.render.lines.audit import audit_lines
from mapkit.kinds.rail.render.lines.bundles import BundleEnd, BundleJoins, find_bundles
from mapkit.kinds.rail.render.lines.line_patterns import PENS
from mapkit.kinds.rail.render.lines.parallel_lines import draw_lines
from mapkit.kinds.rail.render.lines.polyline import Array, cumulative_lengths, offset_line, resample_line
from mapkit.kinds.rail.render.lines.spacing import LineObstacles, Strand, spread_strands
from mapkit.kinds.rail.render.lines.tracks import draw_pattern_lines
from mapkit.kinds.rail.render.page_areas import divide_page
from mapkit.kinds.rail.render.spread.displacement import Placement, displace_board
from mapkit.kinds.rail.render.spread.warps import Steps

SIZES = Sizes()
LANE, CLEARANCE = SIZES.lane, SIZES.clearance
NOWHERE = LineObstacles(names=(), xy=np.empty((0, 2)), radius=np.empty(0))


def drawn(board: Board) -> dict[str, Array]:
    return draw_lines(board, displace_board(board, SIZES, divide_page(board)[0]), SIZES).lines


def piece(railroad: str, a: str, b: str, path: tuple[tuple[float, float], ...]) -> Piece:
    return Piece(id=f"{railroad}--{a}--{b}", railroad=railroad, a=a, b=b, miles=1.0, line=path, path=path)


def test_parallel_railroads_lie_beside_each_other_without_crossing(tiny: Board) -> None:
    # between Cedar and Dale
    lines = drawn(tiny)
    blue, red = (shapely.LineString(lines[i]) for i in ("blue--cedar--dale", "red--cedar--dale"))
    assert blue.interpolate(0.5, normalized=True).distance(red) == pytest.approx(LANE, abs=0.1)
    # blue comes from the south and red from the west, so that blue lies right of a traveller to the east
    assert blue.interpolate(0.5, normalized=True).y > red.interpolate(0.5, normalized=True).y


def test_drawn_lines_keep_direction_and_end_in_their_symbols(usa: Board) -> None:
    spots = displace_board(usa, SIZES, divide_page(usa)[0]).spots
    lines = drawn(usa)
    assert set(lines) == {p.id for p in usa.pieces}
    for p in usa.pieces:
        # the widest bundle has three lanes
        assert math.dist(lines[p.id][0], spots[p.a]) <= LANE + 0.01
        assert math.dist(lines[p.id][-1], spots[p.b]) <= LANE + 0.01


def test_bundles_run_from_west_to_east_and_hold_each_railroad_once() -> None:
    east, west = (100.0, 10.0), (0.0, 10.0)
    pieces = (
        piece("b", "east", "west", (east, west)),
        piece("a", "west", "east", (west, east)),
        Piece(
            id="a--loop", railroad="a", a="west", b="east", miles=2.0, line=(west, east), path=(west, (50, 40), east)
        ),
    )
    paths = {p.id: np.array(p.path) for p in pieces}
    placement = Placement({"east": east, "west": west}, paths, Steps(()))
    bundles = find_bundles(pieces, placement)
    assert [(b.start, b.end, [p.id for p in b.pieces]) for b in bundles] == [
        ("west", "east", ["a--loop", "b--east--west"]),
        ("west", "east", ["a--west--east"]),
    ]


def test_lines_on_top_of_each_other_are_moved_apart() -> None:
    one = resample_line(np.array([(0.0, 0.0), (80.0, 0.0)]), 1.5)
    other = resample_line(np.array([(0.0, 12.0), (10.0, 0.2), (70.0, 0.2), (80.0, 12.0)]), 1.5)
    strands = [Strand(one, ("a", "b"), 0.45), Strand(other, ("c", "d"), 0.45)]
    upper, lower = spread_strands(strands, NOWHERE, CLEARANCE)
    middle = shapely.LineString(upper).interpolate(0.5, normalized=True)
    assert middle.distance(shapely.LineString(lower)) > 0.75 * (0.9 + CLEARANCE)


def test_a_line_bends_round_a_strange_milepost() -> None:
    line = resample_line(np.array([(0.0, 0.0), (60.0, 0.0)]), 1.5)
    dot = LineObstacles(names=("x",), xy=np.array([(30.0, 0.3)]), radius=np.array([1.1]))
    (bent,) = spread_strands([Strand(line, ("a", "b"), 0.45)], dot, CLEARANCE)
    assert shapely.LineString(bent).distance(shapely.Point(30, 0.3)) > 1.1 + 0.45
    (own,) = spread_strands([Strand(line, ("a", "x"), 0.45)], dot, CLEARANCE)
    assert own == pytest.approx(line, abs=1e-6)


@given(
    points=st.lists(st.tuples(st.integers(0, 400), st.integers(0, 400)), min_size=2, max_size=9, unique=True),
    offset=st.floats(-3, 3),
)
def test_a_line_beside_begins_and_ends_at_its_ports(points: list[tuple[int, int]], offset: float) -> None:
    line = resample_line(np.array(points, dtype=float), 1.5)
    moved = offset_line(line, offset, (np.array([0.5, 0.0]), np.zeros(2)), 1.0)
    assert moved[0] == pytest.approx(line[0] + [0.5, 0.0])
    assert moved[-1] == pytest.approx(line[-1])
    assert np.isfinite(moved).all()
    assert (np.diff(cumulative_lengths(line)) <= 1.5 + 1e-9).all()


@pytest.mark.parametrize("pattern", list(PENS))
def test_every_pattern_is_drawn_in_the_railroads_colour(pattern: Pattern) -> None:
    document = SvgPage(100, 100, title="t", description="d", layers=LAYERS)
    parent = document.layers["lines"]
    line = np.array([(10.0, 10.0), (60.0, 10.0)])
    draw_pattern_lines(document, parent, Style(colour="#123456", pattern=pattern), {"x": line}, {"x": {"id": "p-x"}})
    text = document.to_text()
    assert text.count('id="p-x"') == 1
    assert 'stroke="#123456"' in text


def test_patterns_differ() -> None:
    assert len(set(PENS.values())) == len(PENS)


def test_every_pattern_has_a_pen_no_wider_than_a_lane() -> None:
    assert list(PENS) == list(get_args(Pattern))
    assert max(pen.body for pen in PENS.values()) * SIZES.line < 2 * LANE - SIZES.line


def drawing_of(pattern: Pattern, *lines: list[tuple[float, float]]) -> str:
    document = SvgPage(100, 100, title="t", description="d", layers=LAYERS)
    named = {f"x{i}": np.array(line) for i, line in enumerate(lines)}
    style = Style(colour="#123456", pattern=pattern)
    draw_pattern_lines(document, document.layers["lines"], style, named, {i: {"id": f"p-{i}"} for i in named})
    return document.to_text()


@given(length=st.integers(5, 300))
def test_dashes_fit_a_piece_with_a_dashs_middle_at_both_ends(length: int) -> None:
    text = drawing_of("dash", [(0.0, 10.0), (float(length), 10.0)])
    (dashes,) = re.findall(r'stroke-dasharray="([0-9. ]+)"', text)
    (offset,) = re.findall(r'stroke-dashoffset="([0-9.]+)"', text)
    dash, gap = map(float, dashes.split())
    assert float(offset) == pytest.approx(dash / 2, abs=0.001)
    periods = length / (dash + gap)
    assert periods == pytest.approx(max(1, round(length / (4.7 * SIZES.line))), rel=0.01)


def test_a_railroad_that_crosses_itself_has_a_casing_between() -> None:
    cross = drawing_of("solid", [(0, 0), (50, 50)], [(0, 50), (50, 0)])
    assert re.findall(r'class="(casing|track)"', cross) == ["casing", "track", "casing", "track"]
    # lines that meet at a milepost lie on one casing
    meet = drawing_of("solid", [(0, 0), (50, 50)], [(0, 0), (50, 20)])
    assert re.findall(r'class="(casing|track)"', meet) == ["casing", "track"]


def test_a_line_runs_smoothly_through_a_node() -> None:
    one = resample_line(np.array([(0.0, 0.0), (40.0, 0.0)]), 1.5)
    other = resample_line(np.array([(40.0, 0.0), (68.0, 28.0)]), 1.5)
    strands = [Strand(one, ("a", "b"), 0.65), Strand(other, ("b", "c"), 0.65)]
    joins = BundleJoins(((BundleEnd(0, at_start=False), BundleEnd(1, at_start=True)),), ())
    before, after = spread_strands(strands, NOWHERE, CLEARANCE, joins)
    into, out = before[-1] - before[-2], after[1] - after[0]
    cosine = float(into @ out) / float(np.hypot(*into) * np.hypot(*out))
    assert cosine > math.cos(math.radians(10))
    kinked, _ = spread_strands(strands, NOWHERE, CLEARANCE)
    assert kinked == pytest.approx(one, abs=1e-6)


@pytest.mark.parametrize("name", sorted(HARD_CASES))
def test_hard_cases_touch_no_strange_milepost(name: str) -> None:
    board = HARD_CASES[name]()
    assert audit_lines(lay_out(board)) == ()


def test_shipped_boards_touch_no_strange_milepost(usa: Board) -> None:
    assert audit_lines(lay_out(usa)) == ()


def test_a_line_through_a_strange_dot_and_one_off_its_dot_are_found(tiny: Board) -> None:
    layout = lay_out(tiny)
    at = {i: np.array(xy) for i, xy in layout.spots.items()}
    lines = dict(layout.lines)
    lines["red--ash--birch"] = np.array([at["ash"], at["hill"], at["birch"]])
    lines["green--dale--fir-gum"] = np.array([at["dale"], at["fir-gum"] + [0.0, -12.0]])
    faults = audit_lines(replace(layout, lines=lines))
    assert [(f.kind, f.piece, f.milepost, f.mm) for f in faults] == [
        ("off", "green--dale--fir-gum", "fir-gum", 12.0 - SIZES.city_side / 2),
        ("touches", "red--ash--birch", "hill", round(PENS["sawtooth"].body * SIZES.line / 2, 2)),
    ]


def test_lanes_go_through_dots_at_an_even_distance_and_in_order() -> None:
    layout = lay_out(HARD_CASES["five_around_a_bend"]())
    assert sorted(layout.bars) == ["four", "one", "three", "two"]
    x, y = layout.spots["one"]
    # from the left of a traveller to the south-east: who turns off left first, lies outermost on the left
    ends = [layout.lines[f"{r}--one--two"][0] for r in "beca" if r != "d"]
    heights = [end[1] for end in ends]
    assert heights == sorted(heights)
    gaps = np.diff(np.sort([layout.lines[f"{r}--one--two"][0][1] for r in "abcde"]))
    assert gaps == pytest.approx([LANE] * 4, abs=0.03)
    assert all(layout.lines[f"{r}--west--one"][-1] == pytest.approx(layout.lines[f"{r}--one--two"][0]) for r in "abcde")
    assert math.dist(*layout.bars["one"]) == pytest.approx(4 * LANE, abs=0.1)
    assert (np.mean(layout.bars["one"], axis=0)) == pytest.approx((x, y), abs=0.1)


def test_a_junction_keeps_off_a_symbol_next_to_it() -> None:
    places = {"West": (10.0, 40.0), "East": (110.0, 40.0), "South": (60.0, 80.0), "j": (60.0, 40.0), "x": (61.0, 40.0)}
    runs: Runs = {"a": [("West", "j"), ("j", "East"), ("j", "South")], "b": [("x", "South")]}
    layout = lay_out(board_of("near", places, runs, ("j",)))
    least = SIZES.dot_radius + SIZES.symbol_edge + SIZES.line + SIZES.clearance
    assert math.dist(layout.spots["j"], layout.spots["x"]) == pytest.approx(least, abs=0.01)
    assert audit_lines(layout) == ()
