"""Tiles cover a picture, share exactly the overlap, and take the fewest sheets."""

from math import ceil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mapkit.core.errors import ChoiceError, PrintError
from mapkit.press.impose import fit_grid
from mapkit.press.paper import PAPERS, paper_size
from mapkit.press.printout import overlap_crosses
from mapkit.press.tiling import MARKS, Tile, plan_tiles

SIDES = st.floats(50, 1500)
PAPER = st.sampled_from(sorted(PAPERS))


@given(width=SIDES, height=SIDES, paper=PAPER, margin=st.floats(0, 12), overlap=st.floats(0, 20))
def test_tiles_cover_the_picture_with_exactly_the_overlap(
    width: float, height: float, paper: str, margin: float, overlap: float
) -> None:
    plan = plan_tiles(width, height, PAPERS[paper], margin=margin, overlap=overlap)
    at = {(tile.row, tile.column): tile for tile in plan.tiles}
    assert len(at) == len(plan.tiles) == plan.rows * plan.columns
    assert len({tile.label for tile in plan.tiles}) == len(plan.tiles)
    assert {(tile.left, tile.top) for tile in plan.tiles if tile.row == tile.column == 0} == {(0, 0)}
    last = at[plan.rows - 1, plan.columns - 1]
    assert last.left + last.width == pytest.approx(width, abs=1e-6)
    assert last.top + last.height == pytest.approx(height, abs=1e-6)
    for (row, column), tile in at.items():
        right, below = at.get((row, column + 1)), at.get((row + 1, column))
        if right:
            assert tile.left + tile.width - right.left == pytest.approx(overlap, abs=1e-6)
            assert right.top == tile.top
        if below:
            assert tile.top + tile.height - below.top == pytest.approx(overlap, abs=1e-6)
        x, y = plan.corner(tile)
        assert min(x, y) >= margin + MARKS - 1e-6
        assert x + tile.width <= plan.paper[0] - margin - MARKS + 1e-6
        assert y + tile.height <= plan.paper[1] - margin - MARKS + 1e-6


@given(width=SIDES, height=SIDES, paper=PAPER, overlap=st.floats(0, 20))
def test_no_way_to_lay_the_paper_takes_fewer_sheets(width: float, height: float, paper: str, overlap: float) -> None:
    plan = plan_tiles(width, height, PAPERS[paper], margin=5, overlap=overlap)
    short, long = (side - 2 * (5 + MARKS) for side in PAPERS[paper])

    def needed(across: float, down: float) -> int:
        return max(1, ceil((width - overlap) / (across - overlap) - 1e-6)) * max(
            1, ceil((height - overlap) / (down - overlap) - 1e-6)
        )

    assert len(plan.tiles) == min(needed(short, long), needed(long, short))


@given(width=st.floats(300, 1500), height=st.floats(300, 1500), overlap=st.floats(1, 20))
def test_neighbours_show_the_same_crosses(width: float, height: float, overlap: float) -> None:
    plan = plan_tiles(width, height, PAPERS["a4"], margin=5, overlap=overlap)
    at = {(tile.row, tile.column): tile for tile in plan.tiles}
    for (row, column), tile in at.items():
        right = at.get((row, column + 1))
        if right:
            shared = {(round(x, 6), round(y, 6)) for x, y in overlap_crosses(plan, tile) if x > right.left}
            assert shared == {
                (round(x, 6), round(y, 6)) for x, y in overlap_crosses(plan, right) if x < tile.left + tile.width
            }
            assert len(shared) >= 2
            assert {x for x, _ in shared} == {round(right.left + overlap / 2, 6)}


def test_the_united_states_take_18_sheets_of_a4_and_8_of_a3() -> None:
    for paper, sheets in (("a4", (6, 3)), ("letter", (6, 3)), ("a3", (4, 2)), ("tabloid", (3, 3))):
        plan = plan_tiles(1000, 730, PAPERS[paper], margin=5, overlap=10)
        assert (plan.columns, plan.rows) == sheets, paper


def test_columns_have_letters_and_rows_have_numbers() -> None:
    plan = plan_tiles(5000, 500, PAPERS["a4"], margin=5, overlap=50)
    labels = [tile.label for tile in plan.tiles if tile.row == 1]
    assert labels[:2] == ["A2", "B2"]
    assert labels[17:20] == ["R2", "S2", "T2"]
    assert [Tile(0, column, 0, 0, 1, 1).label for column in (25, 26, 51, 52)] == ["Z1", "AA1", "AZ1", "BA1"]


@pytest.mark.parametrize(
    ("margin", "overlap", "words"),
    [
        (5, 80, "62 mm at most"),
        (5, -1, "below 0"),
        (100, 10, "nothing is left"),
    ],
)
def test_what_does_not_fit_the_paper_is_refused(margin: float, overlap: float, words: str) -> None:
    with pytest.raises(PrintError, match=words):
        plan_tiles(1000, 730, PAPERS["a4"], margin=margin, overlap=overlap)


def test_hundreds_of_sheets_are_refused() -> None:
    with pytest.raises(PrintError, match=r"would take [0-9]+ sheets; 200 are the limit"):
        plan_tiles(4000, 3000, PAPERS["a4"], margin=5, overlap=10)


def test_an_unknown_paper_is_refused_with_the_nearest() -> None:
    with pytest.raises(ChoiceError, match=r"paper 'leter' is unknown \(did you mean 'letter'\?\); papers are a4"):
        paper_size("leter")


@pytest.mark.parametrize(
    ("paper", "bleed", "grid"),
    [("a4", 0, (3, 3)), ("letter", 0, (3, 3)), ("a4", 3, (4, 2)), ("letter", 3, (3, 2)), ("a3", 0, (6, 3))],
)
def test_cards_stand_nine_to_a_page(paper: str, bleed: float, grid: tuple[int, int]) -> None:
    found = fit_grid((63, 88), PAPERS[paper], margin=5, bleed=bleed)
    assert (found.columns, found.rows) == grid
    for place in range(found.per_page):
        x, y = found.corner(place)
        back, same = found.corner(place, mirrored=True)
        assert x + back + 63 == pytest.approx(found.paper[0])
        assert y == same
        assert x - bleed >= 5 - 1e-6
        assert y - bleed >= 5 - 1e-6
    assert found.corner(1)[0] - found.corner(0)[0] == pytest.approx(63 + 2 * bleed)


def test_a_card_larger_than_the_paper_is_refused() -> None:
    with pytest.raises(PrintError, match="a card of 300 x 400 mm"):
        fit_grid((300, 400), PAPERS["a4"], margin=5, bleed=0)
