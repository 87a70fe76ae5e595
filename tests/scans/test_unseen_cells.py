"""Places of a square chart in a picture where nothing was read though the other half has an amount."""

import pytest

from mapkit.formats.cells.table import Cell, Spot
from mapkit.kinds.rail.sources.payoffs.doubtful_cells import Entry, apply_decisions, list_unseen

CITIES = ("ash", "birch", "cedar", "elm")


def entry(i: int, j: int, how: str = "picture") -> Entry:
    """Return the cell of a row and a column: columns are 50 pixels apart, rows 30."""
    box = (50.0 * j, 30.0 * i, 50.0 * j + 20, 30.0 * i + 12)
    return i, j, Cell("7", f"chart.png:page 1, row {i + 2}, column {j + 2}", spot=Spot(1, box, 0.9, how))


def chart(how: str = "picture", *, without: tuple[tuple[int, int], ...] = ()) -> list[Entry]:
    places = [(i, j) for i in range(4) for j in range(4) if i != j and (i, j) not in without]
    return [entry(i, j, how) for i, j in places]


def test_a_place_without_a_reading_is_a_cell_to_look_at() -> None:
    ((i, j, cell),) = list_unseen(chart(without=((2, 3),)))
    assert (i, j, cell.text, cell.where) == (2, 3, "?", "chart.png:page 1, row 4")
    assert cell.problem == "the picture does not show an amount there that could be read; type it"
    assert cell.spot == Spot(1, (150.0, 60.0, 170.0, 72.0), 0.0, "picture")


@pytest.mark.parametrize(
    "entries",
    [
        chart(),
        chart(without=((2, 3), (3, 2))),
        chart("text", without=((2, 3),)),
        chart(without=tuple((i, j) for i in range(4) for j in range(i))),
        [],
    ],
    ids=["whole", "no pair", "text", "triangle", "empty"],
)
def test_nothing_is_expected_in_text_in_triangles_and_where_both_halves_are_empty(entries: list[Entry]) -> None:
    assert list_unseen(entries) == []


def test_it_is_looked_for_on_the_page_that_shows_its_row_and_its_column() -> None:
    """Four quarters on four pages; each begins at the same corner."""
    entries = []
    for i, j, cell in chart(without=((0, 2),)):
        assert cell.spot is not None
        box = (50.0 * (j % 2), 30.0 * (i % 2), 50.0 * (j % 2) + 20, 30.0 * (i % 2) + 12)
        entries.append((i, j, cell._replace(spot=cell.spot._replace(page=1 + i // 2 * 2 + j // 2, box=box))))
    ((i, j, cell),) = list_unseen(entries)
    assert cell.spot is not None
    assert (i, j, cell.spot.page, cell.spot.box) == (0, 2, 2, (0.0, 0.0, 20.0, 12.0))


def test_the_user_says_what_stands_there() -> None:
    entries = chart(without=((2, 3),))
    entries += list_unseen(entries)
    out = apply_decisions(entries, CITIES, {("cedar", "elm"): "9"}, (), "chart.png")
    assert [cell.text for i, j, cell in out if (i, j) == (2, 3)] == ["9"]
