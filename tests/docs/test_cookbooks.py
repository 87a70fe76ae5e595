"""The recipes of docs/cookbook/, done in order in one folder, print what the pages show."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import REPOSITORY
from walking import walk_through

COOKBOOK = REPOSITORY / "docs" / "cookbook"
USERS = ("author", "checker", "client")


def cooked(user: str, folder: Path) -> Path:
    """Do the recipes of a user in a folder."""
    walk_through((COOKBOOK / f"{user}.md").read_text(encoding="utf-8"), folder)
    return folder


def test_there_is_a_cookbook_for_each_user() -> None:
    assert sorted(path.stem for path in COOKBOOK.glob("*.md")) == sorted(USERS)


@pytest.mark.parametrize("user", ["author", "checker"])
def test_recipes_print_what_they_show(user: str, tmp_path: Path) -> None:
    cooked(user, tmp_path)


def test_programs_of_clients_run(tmp_path: Path) -> None:
    cooked("client", tmp_path)
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
