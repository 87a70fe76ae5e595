"""Paper money: amounts that pay for everything on the board, and notes that stay out of what nobody asked for."""

import math

import pytest
from conftest import REPOSITORY
from tiny import tiny_board

import mapkit
from mapkit.kinds.rail.render.sheets import sheets
from mapkit.kinds.rail.render.sheets.bills import ACROSS, DOWN, choose_note_amounts


@pytest.mark.parametrize(
    ("name", "amounts"),
    [("usa", (500, 1_000, 5_000, 10_000, 50_000, 100_000)), ("portugal", (500, 1_000, 5_000, 10_000, 50_000, 100_000))],
)
def test_amounts_of_shipped_boards(name: str, amounts: tuple[int, ...]) -> None:
    board = mapkit.load(REPOSITORY / "build" / name / "board.json")
    assert choose_note_amounts(board) == amounts
    due = {round(value * board.units.payoff) for row in board.payoffs.thousands for value in row if value}
    due |= {railroad.price for railroad in board.railroads}
    assert math.gcd(*due) % amounts[0] == 0


def test_a_board_in_whole_thousands_needs_no_smaller_notes() -> None:
    board = tiny_board()
    whole = tuple(
        tuple(None if value is None else float(round(value)) for value in row) for row in board.payoffs.thousands
    )
    railroads = tuple(r.model_copy(update={"price": 4_000}) for r in board.railroads)
    payoffs = board.payoffs.model_copy(update={"thousands": whole})
    assert choose_note_amounts(board.model_copy(update={"payoffs": payoffs, "railroads": railroads}))[0] == 1_000


@pytest.mark.parametrize(("name", "lines"), [("tiny", 3), ("portugal", 5)])
def test_every_note_shows_as_many_railroads(name: str, lines: int) -> None:
    board = tiny_board() if name == "tiny" else mapkit.load(REPOSITORY / "build" / name / "board.json")
    colours = {railroad.style.colour for railroad in board.railroads}
    for sheet in sheets(board, only=["money"]):
        assert sum(f'stroke="{colour}"' in sheet.svg for colour in colours) == lines, sheet.id


def test_notes_are_drawn_only_if_they_are_asked_for() -> None:
    board = tiny_board()
    assert not any(sheet.id.startswith("money") for sheet in sheets(board))
    found = sheets(board, only=["money"])
    assert [sheet.id for sheet in found] == [f"money-{amount}" for amount in choose_note_amounts(board)]
    for sheet, amount in zip(found, choose_note_amounts(board), strict=True):
        assert sheet.svg.count(f">${amount:,}<") == 5 * ACROSS * DOWN
