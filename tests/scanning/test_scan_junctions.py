"""Junctions drawn as rings: found in the ink, joined where they join, and dropped where they are only holes."""

import numpy as np
import pytest
from PIL import Image, ImageDraw

from mapkit.kinds.rail.scanning.arrays import Bools, Ints32
from mapkit.kinds.rail.scanning.ink_paths import InkWay
from mapkit.kinds.rail.scanning.junctions import (
    drop_repeated_ways,
    find_sharp_rings,
    link_through_rings,
    merge_slack_rings,
    number_rings_apart,
)
from mapkit.kinds.rail.scanning.links import Evidence, Link
from mapkit.kinds.rail.scanning.rings import find_rings, mark_rings

EVIDENCE = Evidence(40, 1.0, 0.0, 0.0, 0, 0.8, 0.0)
DOT = 5.0


def drawn(hole: tuple[float, float]) -> Bools:
    """Return three lines that meet at 60, 50, with a hole of some width and height there."""
    image = Image.new("L", (120, 100), 0)
    draw = ImageDraw.Draw(image)
    for end in ((0, 50), (110, 10), (110, 90)):
        draw.line([(60, 50), end], fill=255, width=6)
    draw.ellipse((56, 46, 64, 54), fill=255)
    draw.ellipse((60 - hole[0] / 2, 50 - hole[1] / 2, 60 + hole[0] / 2, 50 + hole[1] / 2), fill=0)
    return np.asarray(image) > 0


def test_a_ring_is_found_where_it_is() -> None:
    assert find_rings(drawn((2, 2)), DOT) == [pytest.approx((60, 50), abs=0.6)]


def test_ink_without_a_hole_has_no_ring() -> None:
    whole = drawn((2, 2))
    whole[45:56, 55:66] = True
    assert find_rings(whole, DOT) == []


def test_a_long_hole_is_no_ring() -> None:
    slit = np.zeros((40, 80), np.bool_)
    slit[12:28, 10:70] = True
    slit[19:21, 20:60] = False
    assert find_rings(slit, DOT) == []


def test_a_ring_is_marked_in_half_the_size_and_spares_symbols() -> None:
    symbol = np.full((50, 60), -1, np.int32)
    symbol[:, :30] = 0
    out = mark_rings(symbol, [(60.0, 50.0)], DOT, 7)
    assert set(np.unique(out).tolist()) == {-1, 0, 7}
    assert (out[:, :30] == 0).all()
    assert np.argwhere(out == 7).mean(axis=0) == pytest.approx((24.75, 30.5), abs=0.6)


def way(a: int, b: int, *spots: tuple[int, int]) -> InkWay:
    rows, columns = (np.array(side, np.int32) for side in zip(*spots, strict=True))
    return InkWay(a, b, rows, columns)


def spots_of(one: InkWay | Link) -> list[tuple[int, int]]:
    return list(zip(one.rows.tolist(), one.columns.tolist(), strict=True))


def test_a_ring_with_two_arms_is_a_line() -> None:
    ways = [way(0, 9, (0, 0), (0, 1)), way(1, 9, (0, 4), (0, 3))]
    (joined,) = merge_slack_rings(ways, 5)
    assert (joined.a, joined.b, spots_of(joined)) == (0, 1, [(0, 0), (0, 1), (0, 3), (0, 4)])


def test_a_row_of_holes_is_one_line() -> None:
    ways = [way(0, 8, (0, 0), (0, 1)), way(8, 9, (0, 2), (0, 3)), way(1, 9, (0, 5), (0, 4))]
    (joined,) = merge_slack_rings(ways, 5)
    assert (joined.a, joined.b, [column for _, column in spots_of(joined)]) == (0, 1, [0, 1, 2, 3, 4, 5])


def test_what_ends_at_a_hole_is_left_out() -> None:
    ways = [way(0, 1, (0, 0), (0, 9)), way(0, 8, (1, 0), (2, 0))]
    assert [(one.a, one.b) for one in merge_slack_rings(ways, 5)] == [(0, 1)]


@pytest.mark.parametrize(("apart", "count"), [(2, 1), (4, 2)])
def test_the_two_strokes_of_a_line_are_one_way(apart: int, count: int) -> None:
    """Two tracks of a railroad side by side are farther apart than the strokes of a double line."""
    steps = range(40)
    ways = [way(0, 1, *((50 + row, column) for column in steps)) for row in (0, apart)]
    other = way(0, 2, *((50, column) for column in steps))
    assert [(one.a, one.b) for one in drop_repeated_ways([*ways, other])] == [(0, 1)] * count + [(0, 2)]


def arms() -> list[InkWay]:
    """Return three ways to ring 9, from the left, from above and from below on the right."""
    steps = range(20)
    return [
        way(0, 9, *((50, column) for column in steps)),
        way(1, 9, *((30 + step, 40 - step) for step in steps)),
        way(2, 9, *((70 - step, 40 - step) for step in steps)),
    ]


def test_a_ring_with_three_arms_joins_each_two() -> None:
    kept = merge_slack_rings(arms(), 5)
    sure = (1, 0.8, 0.5)
    links = [Link(w.a, w.b, w.rows, w.columns, EVIDENCE, s) for w, s in zip(kept, sure, strict=True)]
    plain, joined, courses = link_through_rings(links, 5)
    assert plain == []
    assert sorted((link.a, link.b, link.confidence) for link in joined) == [(0, 1, 0.8), (0, 2, 0.5), (1, 2, 0.4)]
    assert [(course.a, course.b, len(course.rows)) for course in courses] == [(n, None, 20) for n in range(3)]
    first = next(link for link in joined if (link.a, link.b) == (0, 1))
    assert (spots_of(first)[0], spots_of(first)[-1]) == ((50, 0), (30, 40))


def test_rings_of_two_inks_are_two_rings() -> None:
    """Each ink has a ring 9; joined, lines would jump across the picture from one to the other."""
    by_ink = [(ink, Link(w.a, w.b, w.rows, w.columns, EVIDENCE, 1.0)) for ink in (0, 3) for w in arms()]
    renumbered = number_rings_apart(by_ink, 5)
    assert [ink for ink, _ in renumbered] == [0, 0, 0, 3, 3, 3]
    assert [(link.a, link.b) for _, link in renumbered] == [(0, 5), (1, 5), (2, 5), (0, 6), (1, 6), (2, 6)]
    _plain, joined, _courses = link_through_rings([link for _, link in renumbered], 5)
    assert len(joined) == 6
    assert max(len(link.rows) for link in joined) == 40


@pytest.mark.parametrize(("off", "count"), [(3, 0), (8, 1)])
def test_a_stroke_that_goes_past_a_ring_is_not_another_link(off: int, count: int) -> None:
    """Symbols 0 and 1 are joined through ring 9; a way that lies a stroke's width beside is the same line."""
    left = way(0, 9, *((50, column) for column in range(20)))
    right = way(1, 9, *((50, 40 - step) for step in range(20)))
    down = way(2, 9, *((70 - step, 20) for step in range(20)))
    past = way(0, 1, *((50 - off, column) for column in range(41)))
    links = [Link(w.a, w.b, w.rows, w.columns, EVIDENCE, 1.0) for w in (past, left, right, down)]
    plain, joined, _ = link_through_rings(links, 5)
    assert [(link.a, link.b) for link in plain] == [(0, 1)] * count
    assert sorted((link.a, link.b) for link in joined) == [(0, 1), (0, 2), (1, 2)]


@pytest.mark.parametrize(("rise", "sharp"), [(20, set()), (5, {9})])
def test_lines_that_part_at_a_small_angle_have_no_junction(rise: int, sharp: set[int]) -> None:
    steps = np.arange(20)
    away = (steps * rise / 20).astype(np.int32)

    def line(rows: Ints32, a: int) -> InkWay:
        return InkWay(a, 9, rows[::-1], (20 + steps[::-1]).astype(np.int32))

    ways = [line(50 - away, 1), line(50 + away, 2), way(0, 9, *((50, column) for column in range(20)))]
    assert find_sharp_rings(ways, 5) == sharp
