"""Words of a level page: parted by columns, joined from pieces of characters, kept when they look like a rule."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from mapkit.formats.pdf.lines import Columns
from mapkit.formats.pdf.word import Word
from mapkit.formats.recognising.boxes import Box, join_boxes
from mapkit.formats.recognising.columns import ReadWord, mark_column_cells
from mapkit.formats.recognising.components import find_components
from mapkit.formats.recognising.deskew import HIGH, deskew_page, find_ink, remove_rules, straighten_lines

Grey = NDArray[np.uint8]
WIDE = 12
"""Pixels that a digit takes here; a point takes a third."""
PITCH = 2 * HIGH


def page_of(rows: int, wide: int = 400) -> Grey:
    return np.full((rows * PITCH + HIGH, wide), 255, dtype=np.uint8)


def written(grey: Grey, text: str, right: int, row: int, *, stem: int = 10, one: int = 4) -> Box:
    """Draw the ink of a text that ends at `right`, a 1 as a stem with room before it; return the box around it."""
    top, at = row * PITCH + HIGH // 2, right
    left = right
    for letter in reversed(text):
        ink = {".": 3, "1": one}.get(letter, stem)
        at -= 4 if letter == "." else WIDE
        left = at + (0 if letter == "." else WIDE - ink - 1)
        grey[top + (20 if letter == "." else 0) : top + HIGH, left : left + ink] = 0
    return left, top, right - 1, top + HIGH


def read(text: str, box: Box, amount: str | None = None) -> ReadWord:
    return ReadWord(box, text, 0.99, text if amount is None else amount, 0.99)


def test_words_that_reach_over_two_columns_are_cut() -> None:
    grey = page_of(6)
    words = []
    for row, (first, second) in enumerate([("8", "9.5"), ("20.5", "31.5"), ("3", "4"), ("2.5", "26.5"), ("7", "5")]):
        one, other = written(grey, first, 100, row), written(grey, second, 154, row)
        if len(second) == 4:  # so near that they are one word
            words.append(read(first + second, (one[0], one[1], other[2], other[3])))
        else:
            words += [read(first, one), read(second, other)]
        words += [read("6.5", written(grey, "6.5", right, row)) for right in (250, 350)]
    out, again = mark_column_cells(grey, words)
    assert all(one.cell for one in out)
    assert [one.text for one in out if one.text != "6.5"] == ["8", "9.5", "3", "4", "7", "5"]
    assert [box[2] - box[0] for box in again] == [38, 38, 26, 38]
    assert [box[2] for box in again] == [99, 153, 99, 153]


def test_a_one_that_stands_apart_belongs_to_its_amount() -> None:
    grey = page_of(6)
    words = []
    for row, text in enumerate(["11.5", "13.5", "2", "14.5", "9.5"]):
        box = written(grey, text, 100, row)
        if text == "11.5":
            words += [read("1", (box[0], box[1], box[0] + 4, box[3])), read("1.5", (box[0] + 12, *box[1:]))]
        else:
            words.append(read(text, box))
        words += [read(text, written(grey, text, right, row)) for right in (200, 300)]
    out, again = mark_column_cells(grey, words)
    assert sum(one.cell for one in out) == 14
    assert again == [(written(page_of(6), "11.5", 100, 0))]


def test_a_one_belongs_to_its_amount_though_some_words_reach_over_the_next_column() -> None:
    grey = page_of(8)
    words = []
    for row, text in enumerate(["13.5", "14.5", "13.5", "15.5", "16.5", "8.5", "3.5"]):
        one, other = written(grey, text, 100, row, stem=7, one=8), written(grey, "20.5", 160, row)
        if row < 2:
            words.append(read(f"{text} 20.5", (one[0], one[1], other[2], other[3])))
        else:
            words += [read(text, one), read("20.5", other)]
        words += [read("6.5", written(grey, "6.5", right, row)) for right in (250, 350)]
    again = mark_column_cells(grey, words)[1]
    assert [(box[0], box[2]) for box in again] == [(63, 99), (121, 159)] * 2


def test_one_of_two_amounts_that_begin_with_a_1_is_enough_to_join_it() -> None:
    """The other runs into the next column. The last columns of a triangle have few rows."""
    grey = page_of(8)
    words = []
    for row, text in enumerate(["13.5", "14.5", "7.5", "8.5", "6.5", "8.5", "3.5"]):
        one, other = written(grey, text, 100, row, stem=7, one=8), written(grey, "20.5", 160, row)
        if row == 0:
            words.append(read(f"{text} 20.5", (one[0], one[1], other[2], other[3])))
        else:
            words += [read(text, one), read("20.5", other)]
        words += [read("6.5", written(grey, "6.5", right, row)) for right in (250, 350)]
    again = mark_column_cells(grey, words)[1]
    assert [(box[0], box[2]) for box in again] == [(63, 99), (121, 159)]


def test_digits_read_as_letters_at_the_edge_are_cells() -> None:
    grey = page_of(5)
    words = []
    for row in range(4):
        words.append(read("Ely", (2, row * PITCH + HIGH // 2, 40, row * PITCH + HIGH // 2 + HIGH), ""))
        words.append(read("II" if row == 1 else "11", written(grey, "11", 100, row), "11"))
        words += [read("9.5", written(grey, "9.5", right, row)) for right in (200, 300)]
    out, again = mark_column_cells(grey, words)
    assert again == []
    assert [one.text for one in out if not one.cell] == ["Ely"] * 4
    assert [one.amount for one in out if one.cell and one.box[2] == 99] == ["11"] * 4


def test_the_last_cell_of_a_line_is_one_whatever_was_read_there() -> None:
    """All other lines go on to that column."""
    grey = page_of(8)
    words = []
    for row in range(7):
        words += [read("9.5", written(grey, "9.5", right, row)) for right in (100, 170, 240)]
        words.append(read("à" if row == 3 else "2", written(grey, "2", 300, row), "2"))
    out, again = mark_column_cells(grey, words)
    assert again == []
    assert [(one.text, one.amount) for one in out if one.cell and one.box[2] == 299].count(("à", "2")) == 1
    assert sum(one.cell for one in out) == 28


def test_a_name_after_the_amounts_of_a_triangle_is_no_cell() -> None:
    grey = page_of(7, 800)
    words = []
    for row in range(6):
        edges = [80 + 60 * k for k in range(row + 5)]
        words += [read("9.5", written(grey, "9.5", right, row)) for right in edges[:-1]]
        words.append(read("Ely", written(grey, "777", edges[-1], row), "1"))
    out, _ = mark_column_cells(grey, words)
    assert [one.text for one in out if not one.cell] == ["Ely"] * 6


def test_parts_of_a_faint_character_are_one_box() -> None:
    """The foot of a 2 that came apart from it; the next row stays for itself."""
    top, foot, below = (10, 0, 24, 16), (9, 18, 25, 24), (10, 40, 24, 64)
    assert join_boxes([top, foot, below]) == [(9, 0, 25, 24), below]


def test_feet_of_two_characters_that_ran_together_belong_to_both() -> None:
    """The feet of 22, wider than a character; a rule below, farther off, stays for itself."""
    first, second, feet, rule = (10, 0, 24, 18), (26, 0, 40, 18), (9, 20, 42, 24), (9, 32, 42, 35)
    assert join_boxes([first, second, feet, rule]) == [(9, 0, 42, 24), rule]


def test_letters_that_run_together_are_not_taken_for_a_rule() -> None:
    ink = np.zeros((120, 300), dtype=bool)
    for stroke in range(50, 200, 10):
        ink[20:44, stroke : stroke + 6] = True
    ink[30:33, 50:200] = True  # strokes that a blur joined
    ink[90:92, 20:160] = True
    out = remove_rules(ink, HIGH)
    assert out[20:44].sum() == ink[20:44].sum()
    assert not out[85:95].any()


def at(left: float, right: float) -> Word:
    return Word("8", 1, (0, 0, 0, 0), left, 0, right, 30, 30, 0, (left, 15), (right, 15), sure=True)


def test_an_amount_that_stands_just_beside_a_wide_column_is_in_it() -> None:
    """In a photograph columns lean; an amount in a column between others has one of its own."""
    columns = Columns()
    columns.take([at(0, 50), at(700, 750), at(1400, 1450)], beside=True)
    columns.take([at(10, 40), at(752, 762)], beside=True)
    assert columns.spans == [[0, 50], [700, 762], [1400, 1450]]
    columns.take([at(0, 50), at(350, 400), at(700, 750), at(764, 774)], beside=True)
    assert len(columns.spans) == 5


def test_grain_of_the_paper_is_no_ink_where_little_ink_is() -> None:
    random = np.random.default_rng(1)
    grey = np.asarray(random.normal(235, 14, (800, 900)).clip(0, 255), dtype=np.uint8)
    grey[100:124, 100:120] = 60
    ink = find_ink(grey)
    assert ink[102:122, 102:118].all()
    assert ink.sum() < 30 * 26


def test_a_one_before_a_column_that_few_rows_fill_belongs_to_it() -> None:
    """Of forty rows only one has 11.5 in it; its first 1 stands left of all other amounts, apart from its rest."""
    grey = page_of(40, 500)
    words = []
    for row in range(40):
        words += [read("9.5", written(grey, "9.5", right, row)) for right in (300, 450)]
        text = "11.5" if row == 20 else "9.5"
        box = written(grey, text, 150, row)
        if text == "11.5":
            words += [read("1", (box[0], box[1], box[0] + 4, box[3])), read("1.5", (box[0] + 12, *box[1:]))]
        else:
            words.append(read(text, box))
        words.append(read("9.5", written(grey, "9.5", 60, row)))
    again = mark_column_cells(grey, words)[1]
    assert again == [written(page_of(40, 500), "11.5", 150, 20)]


def test_names_whose_letters_rise_do_not_turn_a_page_of_few_words() -> None:
    """As the letters of Portalegre do; each word is far from the next."""
    grey = np.full((1100, 1700), 255, dtype=np.uint8)
    for row in range(12):
        for left in (60, 600, 1400):
            for k in range(9 if left == 600 else 1):
                top = 100 + 80 * row - k // 2
                grey[top : top + HIGH, left + 20 * k : left + 20 * k + 10] = 0
    level = deskew_page(grey)
    assert level is not None
    first, last = (level.on_picture((at, 500, at, 500)) for at in (0, level.grey.shape[1]))
    assert abs(last[1] - first[1]) < HIGH / 3


def test_lines_of_a_curled_sheet_are_straightened() -> None:
    """Rows of amounts rise and fall by half of their distance over the page."""
    grey = np.full((1500, 2400), 255, dtype=np.uint8)
    bases = {}
    for row in range(24):
        for left in range(100, 2300, 70):
            top = 100 + 55 * row + round(26 * np.sin(left / 380))
            bases[row, left] = top
            for k in range(3):
                grey[top : top + HIGH, left + 14 * k : left + 14 * k + 10] = 0
    level = deskew_page(grey)
    assert level is not None
    page = straighten_lines(level, find_components(level.grey).upright)
    boxes = find_components(page.grey).upright
    assert len(boxes) == len(bases)
    tops = np.sort([box[1] for box in boxes]).reshape(24, -1)
    assert np.ptp(tops, axis=1).max() <= 5
    for box in boxes:
        at_left, at_top, _, _ = page.on_picture(box)
        assert min(abs(at_left - x) + abs(at_top - y) for (_, x), y in bases.items()) < 8


def test_amounts_right_below_a_standing_name_are_no_part_of_it() -> None:
    """Names hang from a common edge, and the longest one reaches down to the rows."""
    grey = np.full((1400, 2000), 255, dtype=np.uint8)
    for k in range(20):
        left = 100 + 90 * k
        for letter in range(24 if k == 19 else 10 + k // 2):
            grey[50 + 16 * letter : 62 + 16 * letter, left : left + HIGH - 4] = 0
        for row in range(18):
            for digit in range(2):
                at = left - 10 + 20 * digit
                grey[445 + 46 * row : 445 + 46 * row + HIGH, at : at + 12] = 0
    components = find_components(grey)
    assert len(components.tilted) == 20
    assert len(components.upright) == 20 * 18


@given(st.lists(st.tuples(st.floats(0, 500), st.floats(1, 80)), min_size=1, max_size=20), st.floats(0, 500))
def test_a_word_stands_in_each_column_that_it_overlaps(spans: list[tuple[float, float]], left: float) -> None:
    """Columns of any width, also such as lie in others, as a title makes them."""
    columns = Columns()
    for begin, wide in spans:
        columns.take([at(begin, begin + wide)])
    word = at(left, left + 30)
    slack = min(0.15 * word.size, 10)
    overlap = [k for k, (a, b) in enumerate(columns.spans) if word.left + slack < b and word.right - slack > a]
    assert columns.under(word) == overlap
