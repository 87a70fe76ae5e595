"""The commands `mapkit destinations ...`, and builds whose charts are solved."""

import csv
import json
import signal
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from conftest import REPOSITORY, Run

import mapkit
from mapkit.console import interrupts
from mapkit.core.errors import SourceError
from mapkit.core.jsontext import json_text
from mapkit.kinds.rail.api.schemas import schema
from mapkit.kinds.rail.charts.destinations.board_charts import solve_charts
from mapkit.kinds.rail.charts.destinations.stop_requests import StopRequest
from mapkit.kinds.rail.network.destination_chances import count_chart_weights
from mapkit.kinds.rail.sources.package import load_wanted

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("keeping")]

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
    with pytest.raises(SourceError, match=r"charts/destinations\.csv: cannot be read.*solve = true"):
        mapkit.load(weighted)


def test_a_build_solves_missing_charts(weighted: Path) -> None:
    """Coast and inland weigh 72 each: 36 of 72; Boston 40, New Haven 20, Portland 12 of 72 exactly."""
    let_solve(weighted)
    board = mapkit.load(weighted)
    assert count_chart_weights(board.destinations["regions"]) == {"coast": 36, "inland": 36}
    assert count_chart_weights(board.destinations["coast"]) == {"boston": 40, "new-haven": 20, "portland": 12}
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
    found = json.loads(ran.out)["charts"]["chart"]
    assert {item["item"]: item["got"] for item in found["items"]} == {"north": 18, "south": 54}
    assert found["proven"] is True
    path.write_text("name,weight,least\nNorth,25%,\nSouth,3e9,\nEast,,80\n", encoding="utf-8")
    bad = run("destinations", "solve", path)
    assert bad.code == 1
    assert "wanted.csv:3: weight is '3e9'" in bad.err
    assert "wanted.csv:4: least is 80, more than the whole chart" in bad.err
    path.write_text("name,exactly\nNorth,20%\n", encoding="utf-8")
    assert "20%, which is 14.40/72; a chart has whole 72nds" in run("destinations", "solve", path).err


def test_bounds_and_cells_from_the_command_line(weighted: Path, run: Run) -> None:
    root = weighted.parent.parent
    ran = run(
        *("destinations", "solve", "example", "-w", root, "--json", "--seconds", "600"),
        *("--at-least", "Boston=42/72", "--at-most", "new-haven=25%", "--not-2-12", "Portland"),
        *("--exactly", "Albany=10", "--fix", "odd 7 even-7=Burlington", "--exactly", "regions:Coast=50%"),
    )
    assert ran.code == 0
    charts = json.loads(ran.out)["charts"]
    got = {item["item"]: item["got"] for chart in charts.values() for item in chart["items"]}
    assert got["boston"] >= 42
    assert got["new-haven"] <= 18
    assert got["albany"] == 10
    assert got["coast"] == 36
    columns = charts["coast"]["chart"]
    assert "portland" not in {columns[p][s] for p in ("odd", "even") for s in ("2", "12")}
    assert {charts["inland"]["chart"][p]["7"] for p in ("odd", "even")} == {"burlington"}
    assert "Inland: Albany is held at 10/72 by its ceiling of 10; its weight asks 30.00" in ran.err


def test_bounds_that_are_wrong_are_all_reported(weighted: Path, run: Run) -> None:
    ran = run(
        *("destinations", "solve", "example", "-w", weighted.parent.parent),
        *("--at-least", "Bostn=3", "--at-most", "Boston=80", "--exactly", "Boston=20%", "--fix", "odd 13=Boston"),
        *("--not-2-12", "Coast:Albany", "--fix", "Boston", "--at-least", "Boston"),
    )
    assert ran.code == 1
    assert ran.err == (
        "mapkit: --at-least Bostn=3: 'Bostn' is not a region or city to solve for (did you mean 'Boston'?); "
        "correct it\n"
        "--at-least Boston: no NAME=3/72\n"
        "--at-most Boston=80: the bound is 80, more than the whole chart; bounds are 72nds, 15/72 or 20%\n"
        "--exactly Boston=20%: the bound is 20%, which is 14.40/72; a chart has whole 72nds, so write 14/72 or "
        "15/72\n"
        "--not-2-12 Coast:Albany: 'Coast:Albany' is not a region or city to solve for (did you mean 'Albany'?); "
        "correct it\n"
        "--fix odd 13=Boston: cell: 'odd-13' is not a cell; write odd-7, even-2, or 2 for both columns\n"
        "--fix Boston: not CELL=NAME, such as 'even 7=Boston'\n"
    )


def test_a_name_in_two_charts_needs_its_chart(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "wanted.csv"
    path.write_text("chart,name,weight\nUpper East,Lille,1\nUpper East,Rest,1\nLow,Lille,1\nLow,Rest,3\n", "utf-8")
    two = run("destinations", "solve", path, "--exactly", "lille=30")
    assert "'lille' is in several charts; write Upper East:Lille or Low:Lille" in two.err
    one = run("destinations", "solve", path, "--exactly", "upper east:lille=30", "--json", "--seconds", "600")
    got = {c: {i["name"]: i["got"] for i in s["items"]} for c, s in json.loads(one.out)["charts"].items()}
    assert got == {"upper-east": {"Lille": 30, "Rest": 42}, "low": {"Lille": 18, "Rest": 54}}


def test_refusals_speak_in_names(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "wanted.csv"
    path.write_text("name,weight,least,most\nNew Haven,1,,1\nSt. John's,3,,9\n", encoding="utf-8")
    why = run("destinations", "solve", path).err
    assert why.startswith(f"mapkit: {path.name}: the most shares add to 10 of 72, so 62 is left over; raise")
    path.write_text("name,weight,cells\nNew Haven,1,odd-7\nSt. John's,3,odd-7\n", encoding="utf-8")
    assert "odd 7 is fixed for New Haven and for St. John's; keep one" in run("destinations", "solve", path).err


def interrupt_at(monkeypatch: pytest.MonkeyPatch, call: int) -> None:
    """Press Ctrl-C when the solver is called for this time."""
    calls = iter(range(1, 10_000))
    search = StopRequest.solve

    def solve(self: StopRequest, *arguments: Any) -> Any:
        if next(calls) == call:
            signal.raise_signal(signal.SIGINT)
        return search(self, *arguments)

    monkeypatch.setattr(StopRequest, "solve", solve)


@pytest.fixture
def heard() -> Iterator[None]:
    """Hear Ctrl-C, which programs in the background of a shell ignore."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("heard")
def test_ctrl_c_prints_the_best_so_far(weighted: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    before = signal.getsignal(signal.SIGINT)
    monkeypatch.setattr(interrupts, "GRACE", 0)  # of no use to a search that goes on
    interrupt_at(monkeypatch, 4)
    root = weighted.parent.parent
    ran = run("destinations", "solve", "example", "-w", root, "--seconds", "600", "--write")
    assert ran.code == 130
    assert "best so far" in ran.out
    assert "interrupted: " in ran.err
    assert "(gap " in ran.err
    assert "not begun: Coast, Inland; nothing was written" in ran.err
    assert not (weighted / "charts" / "destinations.csv").exists()
    assert signal.getsignal(signal.SIGINT) is before


def test_a_shipped_board_is_not_written(tmp_path: Path, run: Run) -> None:
    ran = run("destinations", "solve", "portugal", "--write", "-w", tmp_path)
    assert ran.code == 1
    assert "copy it first" in ran.err


def test_many_cities_without_weight_are_one_line(run: Run) -> None:
    ran = run("destinations", "solve", "usa", "-w", REPOSITORY)
    assert ran.err == (
        "mapkit: cities.csv: 67 cities have no weight (Albany, Atlanta, Baltimore, ...); give one, or use "
        'populations: --weights population, or weights = "population" under [destinations] in board.toml\n'
    )


@pytest.mark.parametrize("board", ["portugal", "mexico"])
def test_boards_of_other_countries(board: str, run: Run) -> None:
    odds = run("destinations", "odds", board, "--json", "-w", REPOSITORY)
    found = json.loads(odds.out)
    jsonschema.validate(found, schema("destination-odds"))
    for policy in (found, *found["policies"]):
        assert sum(Fraction(share) for share in policy["regions"].values()) == 1
        assert sum(Fraction(share) for share in policy["cities"].values()) == 1
    solved = mapkit.solve_destinations(board, seconds=600, workspace=REPOSITORY)
    assert solved.proven
    own = mapkit.load(board, workspace=REPOSITORY)
    assert next(iter(solved.charts)) == "regions"
    assert {item.item for chart in solved.charts.values() for item in chart.items} == {
        *(region.id for region in own.regions),
        *(city.id for city in own.cities),
    }


def test_json_is_as_its_schema_says(weighted: Path, run: Run) -> None:
    root = weighted.parent.parent
    for name, *command in (
        ("destinations", "destinations", "solve", "example", "-w", root, "--seconds", "600"),
        ("destination-regions", "destinations", "regions", "example", "-w", root, "--least", "2", "--most", "4"),
        ("destination-diff", "destinations", "diff", "usa", "usa", "-w", REPOSITORY),
        ("holding", "report", "usa", "--railroads", "PA,B&O", "-w", REPOSITORY),
    ):
        ran = run(*command, "--json")
        assert ran.code == 0, ran.err
        jsonschema.validate(json.loads(ran.out), schema(name))


def test_one_call_gives_what_the_command_prints(usa: mapkit.Board, run: Run) -> None:
    assert run("destinations", "odds", "usa", "-r", "PA,B&O", "--json", "-w", REPOSITORY).out == json_text(
        mapkit.destination_odds(usa, railroads=["PA", "b&o"])
    )
    assert run("report", "usa", "-r", "PA,B&O", "--json", "-w", REPOSITORY).out == json_text(
        mapkit.holding(usa, ["PA", "B&O"])
    )
    assert run("destinations", "regions", "portugal", "--json", "--seconds", "600", "-w", REPOSITORY).out == json_text(
        mapkit.propose_regions("portugal", seconds=600, workspace=REPOSITORY)
    )


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
    assert "B is declared as 36/72, but its cells add up to 34/72; even 3, now A, would fix both" in ran.out
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
