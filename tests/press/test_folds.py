"""Folds of a board: in equal panels where nothing is in the way, else moved clear of names and squares."""

from functools import cache
from pathlib import Path
from zipfile import ZipFile

import pytest
from boards import shipped
from conftest import REPOSITORY, Run
from hypothesis import given, settings
from hypothesis import strategies as st
from sampling import examples

from mapkit.drawing.svg_file import read_picture
from mapkit.kinds.rail.render.board import render_board
from mapkit.press.folds import Fold, describe_fold, plan_folds
from mapkit.press.placed_texts import list_placed_texts

PAGE = '<svg xmlns="http://www.w3.org/2000/svg" width="400mm" height="300mm" viewBox="0 0 400 300">{}</svg>'


def square(x: float, y: float, name: str = "Ash") -> str:
    return f'<rect class="city" data-name="{name}" x="{x}" y="{y}" width="6" height="6"/>'


@pytest.mark.parametrize(
    ("panels", "places"),
    [(2, [("x", 200)]), (4, [("x", 200), ("y", 150)]), (6, [("x", 400 / 3), ("x", 800 / 3), ("y", 150)])],
)
def test_panels_of_an_empty_board_are_equal(panels: int, places: list[tuple[str, float]]) -> None:
    folds = plan_folds(PAGE.format(""), panels)
    assert [fold.axis for fold in folds] == [axis for axis, _ in places]
    assert [fold.at for fold in folds] == pytest.approx([at for _, at in places])
    assert all(fold.moved == 0 and not fold.crossed for fold in folds)


def test_an_upright_board_folds_across_its_longer_side() -> None:
    svg = PAGE.format("").replace(
        '"400mm" height="300mm" viewBox="0 0 400 300"', '"30mm" height="40mm" viewBox="0 0 3 4"'
    )
    assert plan_folds(svg, 2) == (Fold("y", 20.0, 0.0, ()),)


def test_a_fold_moves_to_the_nearer_side_of_a_square() -> None:
    """A square from 198 to 204 mm: the fold goes to a millimetre left of it."""
    [fold] = plan_folds(PAGE.format(square(198, 40)), 2)
    assert fold == Fold("x", 197.0, -3.0, ())
    assert describe_fold(fold, 2.0) == "fold: 394.0 mm from the left, moved by -6.0 mm; it crosses no name"


def test_what_no_shift_misses_is_reported() -> None:
    wide = "".join(square(x, 10 * n, name) for n, (x, name) in enumerate((x, f"C{x}") for x in range(170, 230, 5)))
    [fold] = plan_folds(PAGE.format(wide), 2)
    assert fold.crossed
    assert "it crosses square of C" in describe_fold(fold, 1.0)
    label = '<text x="100" y="80" font-size="20">A name that reaches over all of the middle</text>'
    [fold] = plan_folds(PAGE.format(label), 2)
    assert fold.crossed == ("A name that reaches over all of the middle",)


def test_a_city_counts_before_any_number_of_other_names() -> None:
    """The middle crosses a city alone, every place beside it two long names of stops."""
    stop = '<text data-of="m-x" x="{}" y="{}" font-size="10" text-anchor="{}">{}</text>'
    sides = ((197, "end", "a"), (203, "start", "b"))
    stops = "".join(
        stop.format(x, y, anchor, f"{name}{y} {'name ' * 12}") for x, anchor, name in sides for y in (100, 120)
    )
    [fold] = plan_folds(PAGE.format(square(197, 40) + stops), 2)
    assert len(fold.crossed) == 2
    assert "square of Ash" not in fold.crossed


@settings(max_examples=examples(30))
@given(
    places=st.lists(st.tuples(st.integers(0, 394), st.integers(0, 294)), max_size=60), panels=st.sampled_from([2, 4, 6])
)
def test_a_fold_crosses_no_more_than_equal_panels_would(places: list[tuple[int, int]], panels: int) -> None:
    squares = "".join(square(x, y, f"C{n}") for n, (x, y) in enumerate(places))
    for fold in plan_folds(PAGE.format(squares), panels):
        spans = [(x, x + 6) if fold.axis == "x" else (y, y + 6) for x, y in places]
        hit = sum(start < fold.at < end for start, end in spans)
        straight = fold.at - fold.moved
        assert hit <= sum(start - 1 < straight < end + 1 for start, end in spans)
        assert hit <= len(fold.crossed)


@cache
def drawn(board: str) -> str:
    return render_board(shipped(board))


@pytest.mark.parametrize("board", ["ireland", "portugal"])
@pytest.mark.parametrize("panels", [2, 4, 6])
def test_folds_of_shipped_boards_report_every_name_that_they_cross(board: str, panels: int) -> None:
    texts = [*list_placed_texts(read_picture(drawn(board)))]
    for fold in plan_folds(drawn(board), panels):
        start = 0 if fold.axis == "x" else 1
        crossed = {text.text.strip() for text in texts if text.box[start] < fold.at < text.box[start + 2]}
        assert crossed <= set(fold.crossed)


def test_the_preflight_says_where_folds_lie(run: Run, tmp_path: Path) -> None:
    """Ordered from the command line, in six panels."""
    out = tmp_path / "order.zip"
    command = ("print", "ireland", "--profile", "folding-board", "--panels", "6", "--out", out)
    assert run(*command, "--workspace", REPOSITORY).code == 0
    with ZipFile(out) as zipped:
        report = zipped.read("preflight.txt").decode()
    assert report.count("fold: ") == 3
    assert "it crosses " in report


def test_circles_of_cities_are_missed_as_squares_are_and_letters_along_curves_are_not_named() -> None:
    """Themes with roundels draw circles; names of seas are a text for each letter."""
    circle = '<circle class="city" data-name="Round" cx="200" cy="30" r="2"/>'
    letters = "".join(f'<text x="200" y="{y}" font-size="4">{letter}</text>' for y, letter in ((60, "S"), (70, "e")))
    (fold,) = plan_folds(PAGE.format(circle + letters), 2)
    assert fold.moved != 0
    assert fold.crossed == ()
