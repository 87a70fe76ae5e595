"""The walk of docs/how-to/drafting.md, run as it stands there; its table has the figures of the shipped boards."""

import re
from pathlib import Path

import pytest
from conftest import REPOSITORY
from walking import walk_through

import mapkit
from mapkit.kinds.rail.drafting.figures import measure_board

PAGE = (REPOSITORY / "docs" / "how-to" / "drafting.md").read_text(encoding="utf-8")
EXPLAINED = (REPOSITORY / "docs" / "explanation" / "drafts.md").read_text(encoding="utf-8")


def test_the_walk_ends_with_a_board_without_errors(tmp_path: Path) -> None:
    walk_through(PAGE, tmp_path)
    board = mapkit.load("ireland", workspace=tmp_path)
    assert (len(board.cities), len(board.railroads)) == (24, 7)
    assert mapkit.check(board, drawing=False).ok
    assert (tmp_path / "build" / "ireland" / "board.svg").is_file()


@pytest.mark.parametrize(
    ("column", "name"), [(1, "usa"), (2, "mexico"), (3, "portugal"), (4, "great-britain"), (5, "ireland"), (6, "india")]
)
def test_the_table_has_the_figures_of_the_shipped_boards(column: int, name: str) -> None:
    table = EXPLAINED.partition("\n## Against")[2].partition("\n## ")[0]
    rows = [line.strip("| ").split(" | ") for line in table.splitlines() if "|" in line]
    said = {row[0]: row[column] for row in rows[2:]}
    figures = measure_board(mapkit.load(name, workspace=REPOSITORY))
    assert said["cities, railroads, mileposts"] == f"{figures.cities}, {figures.railroads}, {figures.mileposts}"
    assert said["edges a node, contracted to cities and junctions"] == f"{figures.edges_a_node:.2f}"
    assert said["city-to-city detour, mean"] == f"{figures.detour:.2f}"
    assert said["railroads a city"] == f"{figures.railroads_a_city:.2f}"
    assert said["chance of the likeliest city"] == f"{figures.likeliest * 100:.1f} %"
    assert said["mileposts of a trip"] == f"{figures.trip:.1f}"
    assert said["what a milepost of a trip pays, thousands"] == f"{figures.payoff / figures.trip:.2f}"
    assert said["mean price, in payoffs"] == f"{figures.price:.2f}"
    assert re.fullmatch(r"\d+\.\d", said["trips of a game"])
    assert float(said["trips of a game"]) == pytest.approx(figures.trips, abs=0.05)
