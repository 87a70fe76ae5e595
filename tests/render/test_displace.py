"""Mileposts moved apart where geography crowds them: room, topology, directions, land."""

import numpy as np
import pytest
import shapely
from crowded import PAGE, board_of, crowded_coast, scattered
from hypothesis import given, settings
from hypothesis import strategies as st
from sampling import examples

import mapkit
from mapkit.drawing.theme.sizes import ThemeSizes
from mapkit.kinds.rail.model.board import Board, Page
from mapkit.kinds.rail.render.board import render_board
from mapkit.kinds.rail.render.layout import lay_out
from mapkit.kinds.rail.render.lines.polyline import Array
from mapkit.kinds.rail.render.page_areas import divide_page
from mapkit.kinds.rail.render.spread.audit import find_close_dots
from mapkit.kinds.rail.render.spread.crowding import find_close_symbols, get_symbol_places, make_symbols, measure_gaps
from mapkit.kinds.rail.render.spread.displacement import Placement, displace_board
from mapkit.kinds.rail.render.spread.local_scaling import ENOUGH, average_need, measure_needs

SIZES = ThemeSizes(
    city_side=4.0, dot_radius=1.1, junction_radius=0.55, line=0.9, lane=1.35, clearance=0.5, city_text=4.0, dot_text=2.2
)
"""What the figures below are computed from, whatever the default sizes are."""
ONE, OTHER = np.array([0]), np.array([1])
PLACES = st.tuples(st.integers(60, 100), st.integers(60, 100)).map(lambda p: (p[0] / 2 + 30.0, p[1] / 2 + 30.0))


def placed(board: Board, sizes: ThemeSizes = SIZES) -> Placement:
    return displace_board(board, sizes, divide_page(board)[0])


def before(board: Board) -> dict[str, tuple[float, float]]:
    return {m.id: (m.x, m.y) for m in board.mileposts} | {j.id: (j.x, j.y) for j in board.junctions}


def shortfall(board: Board, placement: Placement) -> float:
    """By how much the pair that lacks most lacks room."""
    symbols = make_symbols(board, SIZES)
    return float(find_close_symbols(symbols, get_symbol_places(symbols, placement.spots)).lack.max(initial=0.0))


def turns(board: Board, placement: Placement) -> Array:
    """How far each segment's direction turned, in degrees."""
    old = before(board)
    ways = [
        (np.subtract(old[s.b], old[s.a]), np.subtract(placement.spots[s.b], placement.spots[s.a]))
        for s in board.segments
    ]
    return np.array([abs(np.degrees(np.arctan2(u[0] * v[1] - u[1] * v[0], u @ v))) for u, v in ways])


def growth(placement: Placement, page: Page, step: float = 1.5) -> Array:
    """The growth of the page by area, negative where it folds, at points all over it."""
    x, y = np.meshgrid(np.arange(0.0, page.width, step), np.arange(0.0, page.height, step))
    at, small = np.column_stack((x.ravel(), y.ravel())), 1e-4
    here = placement.warp(at)
    right, down = (placement.warp(at + way) - here for way in ((small, 0.0), (0.0, small)))
    return (right[:, 0] * down[:, 1] - right[:, 1] * down[:, 0]) / small**2


def round_node(board: Board, paths: dict[str, Array], node: str) -> list[str]:
    """The pieces at a node clockwise by the way they leave it, from the first by name."""
    leaving = []
    for p in board.pieces:
        if node in {p.a, p.b}:
            line = paths[p.id] if p.a == node else paths[p.id][::-1]
            leaving.append((np.arctan2(*(line[1] - line[0])[::-1]), p.id))
    names = [name for _, name in sorted(leaving)]
    first = names.index(min(names))
    return names[first:] + names[:first]


@pytest.fixture(scope="module")
def portugal() -> Board:
    return mapkit.load("portugal")


@pytest.fixture(scope="module")
def mexico() -> Board:
    return mapkit.load("mexico")


@pytest.fixture(params=["usa", "portugal", "mexico", "coast"])
def board(request: pytest.FixtureRequest) -> Board:
    return crowded_coast() if request.param == "coast" else request.getfixturevalue(request.param)


def test_a_board_with_room_is_left_alone(tiny: Board) -> None:
    placement = placed(tiny)
    assert placement.spots == before(tiny)
    assert all((placement.paths[p.id] == np.array(p.path)).all() for p in tiny.pieces)
    points = np.array([(-5.0, 3.0), (17.123456789, 400.0)])
    assert (placement.warp(points) == points).all()


@pytest.mark.parametrize(
    ("dots", "cities"),
    [((), ()), (((50.0, 50.0),), ()), ((), ((50.0, 50.0),)), (((50.0, 50.0), (54.0, 50.0)), ())],
    ids=["nothing", "one dot", "one city", "two dots just far enough apart"],
)
def test_small_boards_are_left_alone(
    dots: tuple[tuple[float, float], ...], cities: tuple[tuple[float, float], ...]
) -> None:
    crowd = board_of(dots, cities=cities)
    assert placed(crowd).spots == before(crowd)


def test_two_dots_part_along_the_line_between_them() -> None:
    crowd = board_of([(100.0, 100.0), (103.0, 100.0), (140.0, 100.0)], track=[(0, 1), (1, 2)])
    spots = placed(crowd).spots
    (ax, ay), (bx, by) = spots["d0"], spots["d1"]
    assert 4.0 <= bx - ax <= 4.3
    assert [ay, by] == pytest.approx([100.0, 100.0], abs=0.001)
    assert ax + bx == pytest.approx(203.0, abs=0.01)
    assert spots["d2"] == (140.0, 100.0)


def test_squares_keep_the_room_round_their_outlines_that_dots_keep() -> None:
    # two squares of 4 mm, corners touching; a dot under the edge of one; gap of dots: 4 - 2 * 1.1
    crowd = board_of([(100.0, 97.5)], cities=[(100.0, 100.0), (104.0, 104.0)])
    symbols = make_symbols(crowd, SIZES)
    xy = get_symbol_places(symbols, placed(crowd).spots)
    for one, other in ((0, 1), (1, 2), (0, 2)):
        gap, _ = measure_gaps(symbols, xy, np.array([one]), np.array([other]))
        assert gap[0] >= 1.8


@pytest.mark.parametrize(
    ("dots", "cities", "gap", "way"),
    [
        (((0.0, 0.0), (3.0, 4.0)), (), 5 - 2.2, (0.6, 0.8)),
        (((0.0, 5.0),), ((0.0, 0.0),), 5 - 1.1 - 2, (0.0, -1.0)),
        ((), ((0.0, 0.0), (7.0, 8.0)), 5.0, (0.6, 0.8)),
        ((), ((0.0, 0.0), (1.0, 3.0)), -1.0, (0.0, 1.0)),
    ],
    ids=["dots", "dot below a square", "corner to corner", "squares overlap"],
)
def test_gap_of_symbols(
    dots: tuple[tuple[float, float], ...],
    cities: tuple[tuple[float, float], ...],
    gap: float,
    way: tuple[float, float],
) -> None:
    crowd = board_of(dots, cities=cities)
    symbols = make_symbols(crowd, SIZES)
    got, direction = measure_gaps(symbols, get_symbol_places(symbols, before(crowd)), ONE, OTHER)
    assert got[0] == pytest.approx(gap)
    assert tuple(direction[0]) == pytest.approx(way)


def test_twins_take_the_room_of_both_squares(tiny: Board) -> None:
    symbols = make_symbols(tiny, SIZES)
    assert tuple(symbols.half[symbols.ids.index("fir-gum")]) == pytest.approx((4.2, 2.0))
    assert tuple(symbols.half[symbols.ids.index("ash")]) == (2.0, 2.0)


def test_a_junction_keeps_off_a_dot() -> None:
    crowd = board_of([(100.0, 100.0), (120.0, 100.0)], junctions=[(100.5, 100.0)], track=[(0, 2), (1, 2)])
    spots = placed(crowd).spots
    assert spots["j2"][0] - spots["d0"][0] >= 1.1 + 0.55 + 0.5


def test_every_pair_has_room_afterwards(board: Board) -> None:
    assert shortfall(board, placed(board)) == 0.0


@pytest.mark.parametrize(
    ("count", "page"), [(600, PAGE), (2000, Page(width=1000, height=730, frame=(36, 36, 964, 610)))]
)
def test_many_mileposts_anywhere(count: int, page: Page) -> None:
    crowd = scattered(count, page=page)
    placement = placed(crowd)
    assert shortfall(crowd, placement) == 0.0
    left, top, right, bottom = page.frame
    xy = np.array(list(placement.spots.values()))
    assert ((xy >= (left, top)) & (xy <= (right, bottom))).all()


def test_the_page_never_folds_and_the_frame_stays(board: Board) -> None:
    placement = placed(board)
    assert growth(placement, board.page).min() > 0.02
    left, top, right, bottom = board.page.frame
    along = np.linspace(0.0, 1.0, 301)[:, None]
    sides = [
        (np.array(a), np.array(b), axis)
        for a, b, axis in (
            ((left, top), (left, bottom), 0),
            ((right, top), (right, bottom), 0),
            ((left, top), (right, top), 1),
            ((left, bottom), (right, bottom), 1),
        )
    ]
    for a, b, axis in sides:
        moved = placement.warp(a + along * (b - a))
        assert moved[:, axis] == pytest.approx(a[axis], abs=1e-6)
        assert (np.diff(moved[:, 1 - axis]) > 0).all()


def test_directions_are_kept(usa: Board, portugal: Board, mexico: Board) -> None:
    for shipped, middle, most in ((usa, 1.5, 8.0), (portugal, 2.0, 9.0), (mexico, 1.5, 10.0)):
        turned = turns(shipped, placed(shipped))
        assert float(np.median(turned)) < middle
        assert float(turned.max()) < most


def test_crowded_parts_get_room_from_empty_ones(mexico: Board) -> None:
    places, rooms = measure_needs(mexico, SIZES)
    frame = mexico.page.frame
    warp = placed(mexico).warp
    old, new = average_need(places, rooms, frame), average_need(warp(places), rooms, frame)
    assert old.max() > 2 * ENOUGH
    assert new.max() < 0.8 * old.max()
    assert new.mean() == pytest.approx(old.mean(), rel=0.02)


def test_lines_end_at_their_spots_and_keep_their_order(board: Board) -> None:
    placement = placed(board)
    assert set(placement.paths) == {p.id for p in board.pieces}
    for p in board.pieces:
        assert tuple(placement.paths[p.id][0]) == placement.spots[p.a]
        assert tuple(placement.paths[p.id][-1]) == placement.spots[p.b]


def test_order_of_lines_round_each_place_is_kept() -> None:
    spokes = [(round(10 * np.cos(a), 3) + 100, round(10 * np.sin(a), 3) + 100) for a in np.arange(0, 6.28, 0.57)]
    near = [(100 + (x - 100) / 4, 100 + (y - 100) / 4) for x, y in spokes]
    crowd = board_of([(100.0, 100.0), *near], track=[(0, n) for n in range(1, len(near) + 1)])
    placement = placed(crowd)
    old = {p.id: np.array(p.path) for p in crowd.pieces}
    assert round_node(crowd, dict(placement.paths), "d0") == round_node(crowd, old, "d0")
    assert shortfall(crowd, placement) == 0.0


def test_lines_that_did_not_cross_do_not_cross(board: Board) -> None:
    old = [shapely.LineString(p.path) for p in board.pieces]
    new = [shapely.LineString(line) for line in placed(board).paths.values()]

    def crossing(lines: list[shapely.LineString]) -> set[tuple[int, int]]:
        found = shapely.STRtree(lines).query(lines, predicate="crosses")
        pairs = {(int(i), int(j)) for i, j in found.T if i < j}
        ends = [{p.a, p.b} for p in board.pieces]
        return {(i, j) for i, j in pairs if not ends[i] & ends[j]}

    assert crossing(new) == crossing(old)


def test_coincident_mileposts_part_towards_where_their_lines_go() -> None:
    same = (100.0, 100.0)
    crowd = board_of([same, same, (60.0, 100.0), (140.0, 100.0)], track=[(0, 3), (1, 2)])
    placement = placed(crowd)
    assert placement.spots["d0"][0] - placement.spots["d1"][0] >= 4.0
    assert placement.spots["d0"][1] == pytest.approx(100.0, abs=0.01)


@settings(max_examples=examples(25), deadline=None)
@given(st.lists(PLACES, min_size=2, max_size=14), st.integers(0, 3))
def test_any_small_crowd_finds_room(dots: list[tuple[float, float]], cities: int) -> None:
    crowd = board_of(dots[cities:], cities=dots[:cities], track=[(n, n + 1) for n in range(len(dots) - 1)])
    placement = placed(crowd)
    assert shortfall(crowd, placement) == 0.0
    assert growth(placement, crowd.page).min() > 0
    for p in crowd.pieces:
        assert tuple(placement.paths[p.id][0]) == placement.spots[p.a]
        assert tuple(placement.paths[p.id][-1]) == placement.spots[p.b]


def test_the_same_board_gives_the_same_places_whatever_was_done_before(mexico: Board) -> None:
    first = placed(mexico)
    placed(crowded_coast())
    again = placed(mexico)
    assert first.spots == again.spots
    assert all((first.paths[i] == again.paths[i]).all() for i in first.paths)


def test_a_drawn_board_has_its_dots_and_tints_where_they_were_moved(mexico: Board) -> None:
    layout = lay_out(mexico)
    moved = [m for m in mexico.mileposts if m.kind == "dot" and abs(layout.spots[m.id][0] - m.x) > 5]
    assert len(moved) > 10
    svg = render_board(mexico)
    for m in moved[:5]:
        start = svg.index(f'id="m-{m.id}"')
        x = f"{layout.spots[m.id][0]:.2f}".rstrip("0")
        assert f'data-x="{m.x:g}"' in svg[start - 400 : start + 400]
        assert x in svg[start - 400 : start + 400]


def test_close_dots_are_reported_with_their_figures(tiny: Board) -> None:
    assert find_close_dots(lay_out(tiny)) == ()
    assert find_close_dots(lay_out(crowded_coast())) == ()
    layout = lay_out(board_of([(100.0, 100.0), (130.0, 100.0), (160.0, 100.0)], cities=[(200.0, 100.0)]), SIZES)
    spots = dict(layout.spots) | {"d1": (103.0, 100.0), "c3": (160.0, 103.0)}
    found = find_close_dots(type(layout)(**{**vars(layout), "spots": spots}))
    assert [(pair.a, pair.b, pair.distance, pair.gap, pair.least_gap) for pair in found] == [
        ("c3", "d2", 3.0, -0.1, 1.8),
        ("d0", "d1", 3.0, 0.8, 1.8),
    ]


def test_what_a_page_has_no_room_for_is_reported() -> None:
    page = Page(width=60, height=60, frame=(10, 10, 24, 24))
    crowd = board_of([(11.0 + i, 11.0 + j) for i in range(0, 12, 2) for j in range(0, 12, 2)], page=page)
    layout = lay_out(crowd)
    assert len(find_close_dots(layout)) > 10
    assert all(10 <= x <= 24 and 10 <= y <= 24 for x, y in layout.spots.values())
