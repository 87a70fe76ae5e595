"""Railroads' initials along their lines, and names of regions."""

import numpy as np
import pytest
import shapely
from tiny import tiny_board

from mapkit.drawing.theme.sizes import ThemeSizes
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.render.layout import Layout, lay_out
from mapkit.kinds.rail.render.lines.polyline import cumulative_lengths
from mapkit.kinds.rail.render.text.initials import divide_into_runs


@pytest.fixture(scope="module")
def layout(usa: Board) -> Layout:
    return lay_out(usa)


def test_runs_cover_every_piece_once(usa: Board, layout: Layout) -> None:
    for railroad in usa.railroads:
        own = [p.id for p in usa.pieces if p.railroad == railroad.id]
        total = sum(cumulative_lengths(layout.lines[ident])[-1] for ident in own)
        found = divide_into_runs(usa, railroad.id, layout.lines)
        assert sum(cumulative_lengths(run.line)[-1] for run in found) == pytest.approx(total)


def test_a_ring_and_its_part_are_told_apart() -> None:
    board = tiny_board()
    lines = {p.id: np.array(p.path) for p in board.pieces}
    green = divide_into_runs(board, "green", lines)
    assert len({run.part for run in green}) == len({frozenset(c) for c in components(board, "green")})


def components(board: Board, railroad: str) -> list[set[str]]:
    found: list[set[str]] = []
    for piece in board.pieces:
        if piece.railroad == railroad:
            ends = {piece.a, piece.b}
            touched = [c for c in found if c & ends]
            found = [c for c in found if not c & ends] + [ends.union(*touched)]
    return found


def test_every_part_of_every_railroad_has_its_initials_or_is_reported(usa: Board, layout: Layout) -> None:
    left_out = {key for key in layout.left_out if key.startswith("rr-")}
    marked = {f"rr-{mark.railroad}" for mark in layout.initials}
    assert marked | left_out == {f"rr-{r.id}" for r in usa.railroads}
    assert left_out == set()


def test_initials_lie_on_or_beside_their_own_line_and_touch_no_other(usa: Board, layout: Layout) -> None:
    owner = {p.id: p.railroad for p in usa.pieces}
    half = layout.sizes.line / 2
    for mark in layout.initials:
        shape = shapely.Polygon(mark.corners)
        for ident, line in layout.lines.items():
            away = shape.distance(shapely.LineString(line))
            if owner[ident] != mark.railroad:
                assert away > half
        own = min(
            shape.distance(shapely.LineString(layout.lines[i])) for i in layout.lines if owner[i] == mark.railroad
        )
        assert own <= (4.0 if mark.beside else 0.0)


def test_initials_read_from_the_left(layout: Layout) -> None:
    assert all(-90 <= mark.angle <= 90 for mark in layout.initials)
    for mark in layout.initials:
        (x0, y0), (x1, y1) = mark.corners[0], mark.corners[1]
        assert x1 > x0 - 1e-6
        assert np.degrees(np.arctan2(y1 - y0, x1 - x0)) == pytest.approx(mark.angle, abs=0.2) or abs(mark.angle) == 90


def test_long_railroads_carry_their_initials_often(usa: Board, layout: Layout) -> None:
    owner = {p.id: p.railroad for p in usa.pieces}
    total = {r.id: 0.0 for r in usa.railroads}
    for ident, line in layout.lines.items():
        total[owner[ident]] += float(cumulative_lengths(line)[-1])
    count = {r: sum(m.railroad == r for m in layout.initials) for r in total}
    assert [r for r in total if count[r] < total[r] / 400] == []


def test_names_of_regions_stand_on_their_ground(usa: Board, layout: Layout) -> None:
    assert [name.region for name in layout.region_names] == [r.id for r in usa.regions]
    for name in layout.region_names:
        assert layout.ground.tints[name.region].covers(shapely.box(*name.box))


def test_dots_can_go_unnamed(usa: Board) -> None:
    found = lay_out(usa, ThemeSizes(dot_names="none"))
    assert {spot.name.key for spot in found.names} == {f"c-{c.id}" for c in usa.cities}
    assert found.left_out == ()
