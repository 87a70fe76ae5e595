"""The tutorials and the recipes, done in order in one folder each, print what the pages show."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import REPOSITORY
from walking import walk_through

import mapkit

DOCS = REPOSITORY / "docs"


def walked(page: str, folder: Path) -> Path:
    """Do all steps of a page in a folder."""
    walk_through((DOCS / f"{page}.md").read_text(encoding="utf-8"), folder)
    return folder


@pytest.mark.parametrize("page", ["how-to/recipes", "tutorials/chart"])
def test_pages_print_what_they_show(page: str, tmp_path: Path) -> None:
    walked(page, tmp_path)


def test_station_lists_lead_to_a_board_without_errors_or_warnings(tmp_path: Path) -> None:
    walked("tutorials/station-lists", tmp_path)
    board = mapkit.load("sardinia", workspace=tmp_path)
    assert (len(board.railroads), len(board.cities), len(board.mileposts), len(board.junctions)) == (3, 8, 28, 0)
    found = mapkit.check(board)
    assert found.ok
    assert {finding.severity for finding in found.findings} == {"note"}
    assert (tmp_path / "build" / "sardinia" / "board.svg").is_file()


def test_programs_of_clients_run(tmp_path: Path) -> None:
    walked("tutorials/client", tmp_path)
    printed = {}
    for program in ("cities", "roll", "payoff", "route"):
        done = subprocess.run(
            [sys.executable, f"{program}.py"],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=True,
            encoding="utf-8",
        )
        printed[program] = done.stdout.splitlines()
    board = json.loads((tmp_path / "dist" / "engine" / "board.json").read_text(encoding="utf-8"))
    assert [line.rpartition(" ")[0].rpartition(" ")[0] for line in printed["cities"]] == [
        city["name"] for city in board["cities"]
    ]
    assert (printed["payoff"], printed["route"]) == (["7.5"], ["4"])
    region, city = printed["roll"][0].split()
    assert city in {*board["destinations"][region]["odd"].values(), *board["destinations"][region]["even"].values()}
