"""Mistakes of all files show at once, beside what checks find, each with file and row."""

import json
import shutil
from pathlib import Path

import pytest
from board_helpers import open_folder
from conftest import Run

from mapkit.kinds.rail.compiler.package import compile_folder


def replace(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def spoil(example: Path) -> None:
    """Make mistakes of three kinds in three files, and one that a check finds."""
    replace(example / "charts/payoffs.csv", "Albany,0,7.5", "Albany,0,abc")
    replace(example / "lines/valley.csv", "Springfield", "Springfeld")
    replace(example / "board.toml", "width = 400", 'width = "wide"')
    replace(example / "charts/destinations.csv", "regions,2,Coast,Inland", "regions,2,,Inland")


WHERE = [
    ("S01", "board.toml", 18),
    ("S01", "lines/valley.csv", 4),
    ("S01", "charts/payoffs.csv", 2),
    ("D01", "charts/destinations.csv", 2),
]


def test_mistakes_of_three_kinds_in_three_files_show_together(example: Path, run: Run) -> None:
    spoil(example)
    workspace = example.parent.parent
    ran = run("check", "example", "--workspace", workspace, "--json")
    assert ran.code == 1
    report = json.loads(ran.out)
    found = [(f["code"], f["place"]["file"], f["place"]["row"]) for f in report["findings"]]
    assert set(WHERE) <= set(found)
    assert [code for code, _, _ in found].count("S01") == 3
    assert {f["severity"] for f in report["findings"] if f["code"] == "S01"} == {"error"}
    assert report["checks"]["S01"] == "found"
    assert report["checks"]["P02"] == "found"  # a cell that cannot be read is empty


def test_they_show_as_text_and_sarif_too(example: Path, run: Run) -> None:
    spoil(example)
    workspace = example.parent.parent
    listed = run("check", "example", "--workspace", workspace)
    assert listed.code == 1
    for start in (
        "board.toml:18: S01 error: page.width is 'wide'",
        "lines/valley.csv:4: S01 error: place 'Springfeld",
        "charts/payoffs.csv:2: S01 error: payoff Albany - Boston is 'abc'",
        "charts/destinations.csv:2: D01 error:",
    ):
        assert any(line.startswith(start) for line in listed.out.splitlines()), listed.out
    ran = run("check", "example", "--workspace", workspace, "--format", "sarif")
    log = json.loads(ran.out)["runs"][0]
    places = [
        (r["ruleId"], at["artifactLocation"]["uri"], at.get("region", {}).get("startLine"))
        for r in log["results"]
        for at in [location["physicalLocation"] for location in r.get("locations", ())]
    ]
    assert set(WHERE) <= set(places)
    assert "S01" in {rule["id"] for rule in log["tool"]["driver"]["rules"]}


def test_build_reports_all_of_them_and_writes_nothing(example: Path, run: Run) -> None:
    spoil(example)
    workspace = example.parent.parent
    for more in ((), ("--allow-errors",)):
        ran = run("build", "example", "--workspace", workspace, *more)
        assert ran.code == 1
        for start in (
            "board.toml:18: ",
            "lines/valley.csv:4: ",
            "charts/payoffs.csv:2: ",
            "charts/destinations.csv:2: D01",
        ):
            assert any(line.startswith(start) for line in ran.err.splitlines()), ran.err
        assert not (workspace / "build").exists()


def test_ids_of_problems_stay_while_other_rows_come(example: Path) -> None:
    replace(example / "lines/valley.csv", "Springfield", "Springfeld")
    before = compile_folder(example).problems
    replace(example / "lines/cross.csv", "\n", "\n\n")
    after = compile_folder(example).problems
    assert [(p.table, p.key, p.message) for p in before] == [(p.table, p.key, p.message) for p in after]


def test_what_follows_from_a_mistake_is_not_reported(example: Path) -> None:
    """A city with wrong coordinates is named by charts and lines; only its own row is wrong."""
    replace(example / "cities.csv", "42.6526", "142.6526")
    problems = compile_folder(example).problems
    assert [(p.file, p.row) for p in problems] == [("cities.csv", 2)]
    replace(example / "cities.csv", "id,name", "ident,name")
    problems = compile_folder(example).problems
    assert [(p.file, p.row) for p in problems] == [("cities.csv", 1)]


@pytest.mark.parametrize(
    "parts", [("lines",), ("cities.csv", "charts"), ("lines", "charts", "railroads.csv", "cities.csv")]
)
def test_a_half_made_board_is_checked(parts: tuple[str, ...], example: Path, run: Run) -> None:
    for part in parts:
        path = example / part
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()
    ran = run("check", "example", "--workspace", example.parent.parent, "--json")
    assert ran.code == 1, ran.err
    report = json.loads(ran.out)
    problems = [f for f in report["findings"] if f["code"] == "S01"]
    assert problems
    assert all(f["message"] and f["elements"] for f in problems)
    assert "crashed" not in report["checks"].values()


def test_what_a_row_names_may_be_missing_and_the_row_is_read(example: Path) -> None:
    """Such a row is reported and kept, so that the board can be opened and corrected."""
    (example / "control_points.csv").write_text("x,y,city\n1,2,Nowhere at all\n3,4,Boston\n", encoding="utf-8")
    assert [point.city for point in open_folder(example).control_points.values()] == ["Nowhere at all", "Boston"]
    assert [(p.file, p.row) for p in compile_folder(example).problems] == [("control_points.csv", 2)]


@pytest.mark.skipif("\\" in str(Path("a/b")), reason="a backslash cannot stand in a file's name here")
def test_a_backslash_in_the_name_of_a_list_is_a_mistake(example: Path, run: Run) -> None:
    (example / "lines/shore.csv").rename(example / "lines/sho\\re.csv")
    ran = run("check", "example", "--workspace", example.parent.parent)
    assert ran.code == 1
    assert "lines/sho\\re.csv: S01 error: the name of the file has a backslash; rename the file" in ran.out
