"""The commands `mapkit destinations ...`, and builds whose charts are solved."""

import csv
import json
from pathlib import Path

import pytest
from conftest import REPOSITORY, Run

import mapkit
from mapkit.charts.solved import solve_charts
from mapkit.errors import WorkspaceError
from mapkit.network.chances import chart_weights
from mapkit.sources.package import load_wanted

WEIGHTS = {"albany": 30, "boston": 40, "burlington": 12, "new-haven": 20, "portland": 12, "springfield": 30}


@pytest.fixture
def weighted(example: Path) -> Path:
    """The small example with weights, and no destination charts."""
    rows = (example / "cities.csv").read_text(encoding="utf-8").splitlines()
    body = [f"{row}{WEIGHTS[row.split(',')[0]]}" for row in rows[1:]]
    (example / "cities.csv").write_text("\n".join([rows[0], *body]) + "\n", encoding="utf-8")
    (example / "charts" / "destinations.csv").unlink()
    return example


def let_solve(folder: Path) -> None:
    path = folder / "board.toml"
    path.write_text(path.read_text(encoding="utf-8") + "\n[destinations]\nsolve = true\n", encoding="utf-8")


def test_missing_charts_are_an_error_that_says_what_to_do(weighted: Path) -> None:
    with pytest.raises(WorkspaceError, match=r"charts/destinations\.csv: cannot be read.*solve = true"):
        mapkit.load(weighted)


def test_a_build_solves_missing_charts(weighted: Path) -> None:
    """Coast and inland weigh 72 each: 36 of 72; Boston 40, New Haven 20, Portland 12 of 72 exactly."""
    let_solve(weighted)
    board = mapkit.load(weighted)
    assert chart_weights(board.destinations["regions"]) == {"coast": 36, "inland": 36}
    assert chart_weights(board.destinations["coast"]) == {"boston": 40, "new-haven": 20, "portland": 12}
    origins = board.provenance.elements["destinations"]
    assert {(o.how, o.file) for o in origins.values()} == {("solved", "cities.csv")}
    assert mapkit.load(weighted) == board


def test_wishes_bind(weighted: Path) -> None:
    (weighted / "charts" / "wanted.csv").write_text(
        "name,exactly,avoid,cells\nBoston,36/72,2 12,\nPortland,,,odd-7\n", encoding="utf-8"
    )
    _, _, rows = load_wanted(weighted)
    solved = solve_charts(rows, seconds=600)["coast"]
    got = {item.item: item.got for item in solved.items}
    assert got["boston"] == 36
    assert solved.chart.odd["7"] == "portland"
    assert "boston" not in {c[t] for c in (solved.chart.odd, solved.chart.even) for t in ("2", "12")}


def test_populations_of_the_classic_board() -> None:
    config, cities, rows = load_wanted(REPOSITORY / "sources" / "usa", weights="population")
    weight = {row.item: int(row.weight or 0) for row in rows if row.chart != "regions"}
    assert len(config.regions) == 7
    assert len(weight) == len(cities) == 67
    assert max(weight, key=weight.__getitem__) == "new-york"
    assert weight["new-york"] > 7_000_000
    assert weight["st-paul"] > 250_000
    assert 50_000 < weight["portland-me"] < 100_000
    assert weight["portland-or"] > 500_000


def test_solve_writes_the_charts(weighted: Path, run: Run) -> None:
    root = weighted.parent.parent
    ran = run("destinations", "solve", "example", "-w", root, "--write", "--seconds", "600")
    assert ran.code == 0
    assert "largest deviation 0.000, sum 0.000" in ran.out
    assert mapkit.load(weighted).destinations["coast"].odd["2"] is not None
    again = run("destinations", "check", weighted / "charts" / "destinations.csv", "--board", "example", "-w", root)
    assert (again.code, again.out.strip()) == (0, "nothing found")


def test_solve_of_a_file_and_its_mistakes(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "wanted.csv"
    path.write_text("name,weight\nNorth,25%\nSouth,75%\n", encoding="utf-8")
    ran = run("destinations", "solve", path, "--json", "--seconds", "600")
    found = json.loads(ran.out)["chart"]
    assert {item["item"]: item["got"] for item in found["items"]} == {"north": 18, "south": 54}
    assert found["proven"] is True
    path.write_text("name,weight,least\nNorth,25%,\nSouth,3e9,\nEast,,80\n", encoding="utf-8")
    bad = run("destinations", "solve", path)
    assert bad.code == 1
    assert "wanted.csv:3: weight is '3e9'" in bad.err
    assert "wanted.csv:4: least is 80, more than the whole chart" in bad.err
    path.write_text("name,exactly\nNorth,20%\n", encoding="utf-8")
    assert "20%, which is 14.40/72; a chart gives whole 72nds" in run("destinations", "solve", path).err


def test_odds_in_all_forms(tmp_path: Path, run: Run) -> None:
    ran = run("destinations", "odds", "usa", "--csv", "-r", "PA", "--svg", tmp_path / "odds.svg", "-w", REPOSITORY)
    assert ran.code == 0
    rows = {row["id"]: row for row in csv.DictReader(ran.out.splitlines())}
    assert rows["northeast"]["exact"] == "5/24"
    assert rows["northeast"]["random %"] == "18.996"
    assert rows["san-francisco"]["exact"] == "5/216"
    assert "network %" in rows["northeast"]
    picture = (tmp_path / "odds.svg").read_text(encoding="utf-8")
    assert picture.count('class="odds-circle"') == 65  # 67 cities, two pairs of twins
    assert 'data-percent="4.3981"' in picture
    needs = run("destinations", "odds", "usa", "--svg", tmp_path / "x.svg", "--policy", "network", "-w", REPOSITORY)
    assert needs.code == 1
    assert not (tmp_path / "x.svg").exists()


def test_declared_odds_of_a_file(tmp_path: Path, run: Run) -> None:
    chart = tmp_path / "chart.csv"
    chart.write_text("sum,odd,even\n" + "".join(f"{s},A,{'A' if s == 3 else 'B'}\n" for s in range(2, 13)), "utf-8")
    odds = tmp_path / "odds.csv"
    odds.write_text("name,odds\nA,36/72\nB,50%\n", encoding="utf-8")
    ran = run("destinations", "check", chart, "--declared", odds)
    assert ran.code == 0
    assert ran.out.count("D06 warning") == 2
    assert "B is declared 36/72, but its cells add to 34/72; even 3, now A, would mend it" in ran.out
    differ = run("destinations", "diff", chart, chart)
    assert differ.out.strip() == "no difference"


def test_regions_are_proposed(run: Run) -> None:
    ran = run(
        "destinations", "regions", "usa", "--weights", "population", "--json", "--seconds", "60", "-w", REPOSITORY
    )
    found = json.loads(ran.out)
    assert len(found["regions"]) == 7
    assert sum(len(region["cities"]) for region in found["regions"]) == 67
    assert all(8 <= len(region["cities"]) <= 12 for region in found["regions"])
