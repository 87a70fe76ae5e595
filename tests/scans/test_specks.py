"""Specks of a picture that were read as words: they are no part of its table."""

from typing import Final

from mapkit.formats.pdf.lines import group_lines, group_slack_lines
from mapkit.formats.pdf.matrix import read_matrix_tables
from mapkit.formats.pdf.word import Page, Word

PITCH: Final = 40.0
SIZE: Final = 33.0
WIDE: Final = 90.0
NAMES: Final = ("Porto", "Évora", "Setúbal", "Póvoa")


def word(text: str, left: float, middle: float, *, wide: float = 30.0, how: str = "picture") -> Word:
    top, bottom, right = middle - SIZE / 2, middle + SIZE / 2, left + wide
    box = (left, top, right, bottom)
    return Word(text, 1, box, *box, SIZE, 0.0, (left, middle), (right, middle), sure=True, how=how)


def square() -> list[Word]:
    """Return the words of a square chart: amounts of two digits, and with a comma, which reach lower."""
    words = [word(name, 200 + WIDE * k, 10.0, wide=80) for k, name in enumerate(NAMES)]
    for r, name in enumerate(NAMES):
        middle = 10.0 + PITCH * (r + 1)
        words.append(word(name, 20, middle, wide=120))
        for c in range(len(NAMES)):
            low = (r + c) % 2 == 0
            words.append(word("10,5" if low else "11", 220 + WIDE * c, middle + (5 if low else 0), wide=40))
    return words


def rows(words: list[Word]) -> list[list[str]]:
    (table,), _ = read_matrix_tables([Page(1, tuple(words), 0, 1)], file="chart.png", kind="picture")
    return [[cell.text for cell in row] for row in table.rows]


PLAIN: Final = [
    ["", *NAMES],
    ["Porto", "10,5", "11", "10,5", "11"],
    ["Évora", "11", "10,5", "11", "10,5"],
    ["Setúbal", "10,5", "11", "10,5", "11"],
    ["Póvoa", "11", "10,5", "11", "10,5"],
]


def test_accents_that_came_off_their_names_do_not_part_rows() -> None:
    accents = [
        word("-", 25, 10.0 + 2 * PITCH - 16, wide=8),
        word("'", 70, 10.0 + 3 * PITCH - 14, wide=6),
        word("-", 45, 10.0 + 4 * PITCH - 12, wide=8),
    ]
    assert rows([*square(), *accents]) == rows(square()) == PLAIN


def test_what_is_too_low_for_a_letter_over_a_name_is_its_accent_whatever_it_was_read_as() -> None:
    accent = word("L", 25, 10.0 + 2 * PITCH - 18, wide=8)._replace(size=10.0)
    assert rows([*square(), accent]) == PLAIN
    lines = group_slack_lines([word("Évora", 20, 60.0), accent._replace(top=30.0, bottom=50.0), word("2", 200, 60.0)])
    assert [line.text for line in lines] == ["Évora 2"]


def test_a_ruled_line_that_came_apart_is_no_row() -> None:
    rule = [word("-", left, 10.0 + 2.5 * PITCH, wide=12) for left in (230.0, 410.0, 330.0)]
    assert rows([*square(), *rule]) == PLAIN


def test_the_edge_of_a_ground_is_no_amount() -> None:
    assert rows([*square(), word("1", 290, 10.0 + 2 * PITCH, wide=1.5)]) == PLAIN


def test_a_letter_of_a_standing_name_between_rows_does_not_part_the_row_below() -> None:
    high = word("e", 580, 10.0 + 2 * PITCH - 10)
    assert [line[:5] for line in rows([*square(), high])] == PLAIN
    (line,) = group_lines([high, *(one for one in square() if 85 < one.height < 100)])
    assert len(line.words) == 6


def test_marks_of_a_chart_stay() -> None:
    """Dashes in cells are empty cells, and those of a PDF are as it says."""
    marked = [one._replace(text="-") if one.text == "11" else one for one in square()]
    assert rows(marked)[1:] == [[text.replace("11", "-") for text in row] for row in PLAIN[1:]]
    told = [word("-", 25, 10.0 + 2 * PITCH - 16, wide=8, how="text"), *square()]
    assert rows(told) != PLAIN
