"""Where lines are drawn: lanes beside each other, strands that keep apart."""

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from mapkit.model.board import Board, Pattern, Piece, Style
from mapkit.render.displace import Placement, displace
from mapkit.render.document import Document
from mapkit.render.page_areas import page_areas
from mapkit.render.parallel import drawn_lines, find_bundles
from mapkit.render.polyline import Array, beside, lengths, resampled
from mapkit.render.spacing import Obstacles, Strand, spread
from mapkit.render.theme import Sizes
from mapkit.render.tracks import PENS, stroke

SIZES = Sizes()
LANE, CLEARANCE = SIZES.lane, SIZES.clearance
NOWHERE = Obstacles(names=(), xy=np.empty((0, 2)), radius=np.empty(0))


def drawn(board: Board) -> dict[str, Array]:
    return drawn_lines(board, displace(board, SIZES, page_areas(board)[0]), SIZES)


def piece(railroad: str, a: str, b: str, path: tuple[tuple[float, float], ...]) -> Piece:
    return Piece(id=f"{railroad}--{a}--{b}", railroad=railroad, a=a, b=b, miles=1.0, line=path, path=path)


def test_parallel_railroads_lie_beside_each_other_in_a_fixed_order(tiny: Board) -> None:
    # between Cedar and Dale
    lines = drawn(tiny)
    blue, red = (shapely.LineString(lines[i]) for i in ("blue--cedar--dale", "red--cedar--dale"))
    assert blue.interpolate(0.5, normalized=True).distance(red) == pytest.approx(LANE, abs=0.1)
    # blue comes first, so it lies left of a traveller to the east: higher on the page
    assert blue.interpolate(0.5, normalized=True).y < red.interpolate(0.5, normalized=True).y


def test_drawn_lines_keep_direction_and_ends(usa: Board) -> None:
    spots = displace(usa, SIZES, page_areas(usa)[0]).spots
    lines = drawn(usa)
    assert set(lines) == {p.id for p in usa.pieces}
    for p in usa.pieces:
        assert tuple(lines[p.id][0]) == pytest.approx(spots[p.a], abs=0.01)
        assert tuple(lines[p.id][-1]) == pytest.approx(spots[p.b], abs=0.01)


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
    placement = Placement({"east": east, "west": west}, paths, lambda points: points)
    bundles = find_bundles(pieces, placement)
    assert [(b.start, b.end, [p.id for p in b.pieces]) for b in bundles] == [
        ("west", "east", ["a--loop", "b--east--west"]),
        ("west", "east", ["a--west--east"]),
    ]


def test_lines_on_top_of_each_other_are_moved_apart() -> None:
    one = resampled(np.array([(0.0, 0.0), (80.0, 0.0)]), 1.5)
    other = resampled(np.array([(0.0, 12.0), (10.0, 0.2), (70.0, 0.2), (80.0, 12.0)]), 1.5)
    strands = [Strand(one, ("a", "b"), 0.45), Strand(other, ("c", "d"), 0.45)]
    upper, lower = spread(strands, NOWHERE, CLEARANCE)
    middle = shapely.LineString(upper).interpolate(0.5, normalized=True)
    assert middle.distance(shapely.LineString(lower)) > 0.75 * (0.9 + CLEARANCE)


def test_a_line_bends_round_a_strange_milepost() -> None:
    line = resampled(np.array([(0.0, 0.0), (60.0, 0.0)]), 1.5)
    dot = Obstacles(names=("x",), xy=np.array([(30.0, 0.3)]), radius=np.array([1.1]))
    (bent,) = spread([Strand(line, ("a", "b"), 0.45)], dot, CLEARANCE)
    assert shapely.LineString(bent).distance(shapely.Point(30, 0.3)) > 1.1 + 0.45
    (own,) = spread([Strand(line, ("a", "x"), 0.45)], dot, CLEARANCE)
    assert own == pytest.approx(line, abs=1e-6)


@given(
    points=st.lists(st.tuples(st.integers(0, 400), st.integers(0, 400)), min_size=2, max_size=9, unique=True),
    offset=st.floats(-3, 3),
)
def test_a_line_beside_keeps_its_ends(points: list[tuple[int, int]], offset: float) -> None:
    line = resampled(np.array(points, dtype=float), 1.5)
    moved = beside(line, offset, 1.0)
    assert moved[0] == pytest.approx(line[0])
    assert moved[-1] == pytest.approx(line[-1])
    assert np.isfinite(moved).all()
    assert (np.diff(lengths(line)) <= 1.5 + 1e-9).all()


@pytest.mark.parametrize("pattern", list(PENS))
def test_every_pattern_is_drawn_in_the_railroads_colour(pattern: Pattern) -> None:
    document = Document(100, 100, title="t", description="d")
    parent = document.layers["lines"]
    line = np.array([(10.0, 10.0), (60.0, 10.0)])
    stroke(document, parent, Style(colour="#123456", pattern=pattern), {"x": line}, {"x": {"id": "p-x"}})
    text = document.to_text()
    assert text.count('id="p-x"') == 1
    assert 'stroke="#123456"' in text


def test_patterns_differ() -> None:
    assert len(set(PENS.values())) == len(PENS)
