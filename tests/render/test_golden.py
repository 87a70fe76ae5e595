"""Golden pictures of every theme and of hard cases; see `tests/pictures.py` for what a failure shows."""

from functools import cache
from io import BytesIO

import numpy as np
import pytest
from conftest import REPOSITORY
from hard_cases import HARD_CASES
from pictures import assert_picture, difference, side_by_side
from PIL import Image

import mapkit
from mapkit.drawing.theme.theme import THEMES
from mapkit.kinds.rail.render.board import draw_board
from mapkit.kinds.rail.render.layout import lay_out

BOARDS = ("usa", "portugal", "mexico")


@cache
def loaded(board: str) -> mapkit.Board:
    return mapkit.load(board, workspace=REPOSITORY)


@pytest.mark.parametrize("theme", sorted(THEMES))
@pytest.mark.parametrize("board", BOARDS)
def test_boards_look_as_they_did(board: str, theme: str) -> None:
    look = THEMES[theme]
    drawn = draw_board(lay_out(loaded(board), look.sizes), theme=look)
    assert_picture(f"{board}-{theme}", drawn.to_text(), width=900)


@pytest.mark.parametrize("case", sorted(HARD_CASES))
def test_hard_cases_look_as_they_did(case: str) -> None:
    board = HARD_CASES[case]()
    assert_picture(f"hard-{case.replace('_', '-')}", draw_board(lay_out(board)).to_text(), width=700)


def test_a_moved_dot_is_a_difference() -> None:
    white = Image.new("RGB", (200, 100), "white")
    dotted = white.copy()
    dotted.paste((0, 0, 0), (50, 50, 56, 56))
    found = difference(white, dotted)
    assert found is not None
    assert found.share == pytest.approx(36 / 20_000)
    assert difference(white, white.resize((100, 100))) is None
    shown = np.asarray(side_by_side(white, dotted, found))
    assert shown.shape == (100, 620, 3)
    assert tuple(shown[52, 2 * 210 + 52]) == (255, 0, 0)


def test_failures_are_kept_to_look_at(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path_factory.mktemp("golden")
    monkeypatch.setattr("pictures.GOLDEN", folder)
    monkeypatch.setattr("pictures.FAILED", folder / "failed")
    square = '<svg xmlns="http://www.w3.org/2000/svg" width="10mm" height="10mm" viewBox="0 0 10 10">{}</svg>'
    monkeypatch.setenv("MAPKIT_GOLDEN", "write")
    assert_picture("square", square.format('<rect width="5" height="5" fill="#aa0000"/>'), width=100)
    monkeypatch.delenv("MAPKIT_GOLDEN")
    assert_picture("square", square.format('<rect width="5" height="5" fill="#aa0000"/>'), width=100)
    with pytest.raises(AssertionError, match="of the pixels differ"):
        assert_picture("square", square.format('<rect width="6" height="5" fill="#aa0000"/>'), width=100)
    shown = Image.open(BytesIO((folder / "failed" / "square.png").read_bytes()))
    assert shown.size == (320, 100)
    with pytest.raises(AssertionError, match="is missing"):
        assert_picture("circle", square.format(""), width=100)
