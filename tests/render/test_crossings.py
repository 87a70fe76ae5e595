"""Lines that cross away from any milepost: the board file lists them, a check names them, the picture has a bridge."""

import numpy as np
import pytest
from hard_cases import board_of

import mapkit
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.render.board import render_board
from mapkit.kinds.rail.render.lines.crossings import make_bridge

PLACES = {"Ash": (20.0, 45.0), "Birch": (100.0, 45.0), "Cedar": (60.0, 15.0), "Dale": (60.0, 75.0), "Elm": (20.0, 80.0)}
CROSS = board_of("cross", PLACES, {"dear": [("Ash", "Birch")], "east": [("Cedar", "Dale"), ("Dale", "Elm")]})
TREE = board_of("tree", PLACES, {"dear": [("Ash", "Birch"), ("Ash", "Elm")], "east": [("Ash", "Cedar")]})


def test_a_crossing_off_any_milepost_is_in_the_board_file_and_a_note() -> None:
    (crossing,) = mapkit.with_drawn(CROSS).crossings
    assert {crossing.over, crossing.under} == {"dear--ash--birch", "east--cedar--dale"}
    assert (crossing.drawn_x, crossing.drawn_y) == pytest.approx((60, 45), abs=3)
    found = [finding for finding in mapkit.check(CROSS).findings if finding.code == "R12"]
    assert [finding.elements for finding in found] == [(crossing.over, crossing.under)]
    assert "away from any milepost" in found[0].message
    text = render_board(CROSS)
    assert text.count('class="bridge"') == 1


def test_lines_that_meet_do_not_cross() -> None:
    assert mapkit.with_drawn(TREE).crossings == ()
    assert 'class="bridges"' not in render_board(TREE)
    assert mapkit.with_drawn(TREE.model_copy(update={"pieces": (), "segments": ()})).crossings == ()


def test_a_board_file_with_crossings_is_read_as_a_board() -> None:
    data = mapkit.with_drawn(CROSS).model_dump(mode="json")
    assert len(data["crossings"]) == 1
    assert Board.model_validate(data) == CROSS
    del data["crossings"]  # a file from before there were any
    assert mapkit.BoardFile.model_validate(data).crossings == ()


def test_the_united_states_have_bridges_where_lines_cross(usa: Board) -> None:
    pairs = {(one.over.split("--")[0], one.under.split("--")[0]) for one in mapkit.with_drawn(usa).crossings}
    assert pairs == {("nyc", "bo"), ("pa", "co"), ("sou", "ln"), ("up", "cbq")}


def test_the_walls_of_a_bridge_stand_beside_the_upper_line_and_span_the_lower_one() -> None:
    over, under = np.array([[0.0, 0.0], [20.0, 0.0]]), np.array([[10.0, -9.0], [10.0, 9.0]])
    for wall, side in zip(make_bridge(over, under, (10.0, 0.0), off=1.0, wide=2.0), (-1.0, 1.0), strict=True):
        assert np.allclose(wall[1:-1, 1], side)
        assert wall[1, 0] < 9.0
        assert wall[-2, 0] > 11.0
        assert abs(wall[0, 1]) > 1.0 < abs(wall[-1, 1])
