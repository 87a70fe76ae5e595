"""Findings that a variant causes point at its file and line."""

from pathlib import Path

import pytest
from conftest import Run

HEAD = """\
name = "cut"
title = "Cut"
board = "mymap"
"""
MUCH = """
[[operations]]
op = "set-payoff"
a = "albany"
b = "boston"
value = 99
reason = "much"
"""
VARIANT = f"""{HEAD}
[[operations]]
op = "remove-segments"
segments = ["cross--boston--worcester-ma"]
reason = "no line"
{MUCH}
[[operations]]
op = "add-city"
id = "worcester"
name = "Worcester"
region = "inland"
milepost = "worcester-ma"
reason = "a town"
"""


@pytest.fixture
def folder(run: Run, tmp_path: Path) -> Path:
    assert run("new", "mymap", "-w", tmp_path).code == 0
    (tmp_path / "variants").mkdir()
    (tmp_path / "variants" / "cut.toml").write_text(VARIANT, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    "command", [("variant", "check", "cut"), ("check", "mymap", "--variant", "cut", "--no-drawing", "--all")]
)
def test_new_findings_point_at_the_operation_that_is_to_blame(run: Run, folder: Path, command: tuple[str, ...]) -> None:
    said = run(*command, "-w", folder)
    assert said.code == 1
    lines = {line.split(" ")[1]: line.split(" ")[0] for line in said.out.splitlines() if " N05 " not in line}
    assert lines["P02"] == lines["D03"] == "variants/cut.toml:17:"  # the row that the operation wrote
    every = run(*command, "-w", folder, *(("--all",) if "check" in command else ()))
    [only_shore] = [line for line in every.out.splitlines() if "only SHORE serves Boston" in line]
    assert only_shore.startswith("variants/cut.toml:5: N11 ")  # not the payoff of Boston, which is no line
    assert only_shore.endswith(" (see cities.csv:3) [city-of-one-railroad]")


def test_findings_of_the_base_point_where_they_did(run: Run, folder: Path) -> None:
    said = run("check", "mymap", "--variant", "cut", "--no-drawing", "-w", folder)
    [end] = [line for line in said.out.splitlines() if " N05 " in line]
    assert end.startswith("lines/cross.csv:9: N05 warning: ")
    assert "(see" not in end


WITHOUT_CROSS = f"""{HEAD}
[[operations]]
op = "remove-railroad"
id = "cross"
reason = "none"
{MUCH}"""


def test_what_lost_its_track_points_at_the_operation_that_took_it(run: Run, folder: Path) -> None:
    """The operation names the railroad, the finding the city alone."""
    (folder / "variants" / "cut.toml").write_text(WITHOUT_CROSS, encoding="utf-8")
    said = run("variant", "check", "cut", "-w", folder)
    unserved = [line.partition(" ")[0] for line in said.out.splitlines() if " N03 " in line]
    assert unserved
    assert {*unserved} == {"variants/cut.toml:5:"}
