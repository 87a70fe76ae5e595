"""Words of a page of destination charts: sums whose digits came apart, titles that touch."""

import pytest

from mapkit.formats.pdf.word import Page, Word
from mapkit.kinds.rail.sources.destinations.pages import page_table

SIZE = 33.0
PITCH = 60.0
SUMS = range(2, 13)


def roll(text: str) -> tuple[str, int] | None:
    """Return what a text such as `odd 7` rolls."""
    parity, _, total = text.partition(" ")
    return (parity.lower(), int(total)) if parity in ("Odd", "Even") and total.isdigit() else None


def word(text: str, left: float, middle: float, *, how: str = "picture") -> Word:
    """Return a word; a letter is half as wide as its font."""
    right = left + SIZE / 2 * len(text)
    box = (left, middle - SIZE / 2, right, middle + SIZE / 2)
    return Word(text, 1, box, *box, SIZE, 0.0, (left, middle), (right, middle), sure=True, how=how)


def words(text: str, left: float, middle: float) -> list[Word]:
    """Return the words of a name, a third of the font's size apart."""
    out: list[Word] = []
    for part in text.split():
        out.append(word(part, left, middle))
        left = out[-1].right + SIZE / 3
    return out


def rows(found: list[Word]) -> list[list[str]]:
    table, _ = page_table([Page(1, tuple(found), 0, 1)], file="chart.png", kind="picture", roll=roll)
    return [[cell.text for cell in row] for row in table.rows]


@pytest.mark.parametrize("lower", [40, 52])  # the font looks smaller than it is where most letters are low
def test_a_sum_whose_digits_came_apart_is_a_sum_though_names_go_on_below_it(lower: int) -> None:
    found = [*words("Minho", 300, 0), *words("Odd", 100, 40), *words("Even", 400, 40)]
    for k, total in enumerate(SUMS):
        middle = 120 + 2.5 * PITCH * k
        digits = str(total) if total != 11 else "1 1"
        found += [*words(digits, 20, middle), *words("Porto", 100, middle), *words("Viana", 400, middle)]
        found += words("do Castelo", 400, middle + lower)
    assert rows(found) == [
        ["", "Minho", ""],
        ["", "Odd", "Even"],
        *([str(total), "Porto", "Viana do Castelo"] for total in SUMS),
    ]


def test_a_name_around_the_middle_of_the_first_row_is_whole() -> None:
    """Its second line is nearly level with the sum, its first is not."""
    found = [*words("Minho", 300, 0), *words("Odd", 100, 40), *words("Even", 400, 40)]
    for k, total in enumerate(SUMS):
        middle = 120 + 2.5 * PITCH * k
        found += [*words("Figueira", 100, middle - 23), *words("da Foz", 100, middle + 14)]
        found += [*words("Porto", 400, middle), *words(str(total), 700, middle)]
    assert rows(found)[2:] == [[str(total), "Figueira da Foz", "Porto"] for total in SUMS]


def test_a_name_in_the_last_row_is_not_lost_between_two_blocks() -> None:
    """It is level with its sum, and so near to the second half of the name beside it that they make a line."""
    found = []
    for block in range(2):
        top = block * 40 * PITCH
        found += [*words("Minho", 300, top), *words("Odd", 100, top + 40), *words("Even", 400, top + 40)]
        for k, total in enumerate(SUMS):
            middle = top + 120 + 2.5 * PITCH * k
            found += [*words("Viana", 100, middle + 5), *words(str(total), 700, middle)]
            if total not in (7, 12):
                found += words("Porto", 400, middle)
                continue
            found += [*words("Figueira", 400, middle - 23), *words("da Foz", 400, middle + 21)]
    assert [row for row in rows(found) if row[0] == "12"] == [["12", "Viana", "Figueira da Foz"]] * 2


def test_a_roll_whose_digits_came_apart_is_a_roll() -> None:
    found = [*words("Regions", 300, 0), *words("Minho", 600, 0)]
    for k, total in enumerate(SUMS):
        middle = 80 + PITCH * k
        digits = str(total) if total != 11 else "1 1"
        found += [*words(f"Odd {digits}", 20, middle), *words("Porto", 300, middle), *words("Viana", 600, middle)]
    assert rows(found)[1:] == [[f"Odd {total}", "Porto", "Viana"] for total in SUMS]


def test_titles_that_touch_part_where_the_names_below_them_begin() -> None:
    """The second is wider than its names, so its last word is nearer to the third column."""
    lefts = (100.0, 227.0, 600.0)
    titles = ("Regions", "Alto Minho e Alto Douro", "Algarve")
    found = words("Odd", 100, 0)
    found += [part for left, title in zip(lefts, titles, strict=True) for part in words(title, left, 40)]
    for k, total in enumerate(SUMS):
        found += words(str(total), 20, 100 + PITCH * k)
        found += [part for left in lefts for part in words("Braga", left, 100 + PITCH * k)]
    assert rows(found)[1] == ["", *titles]
