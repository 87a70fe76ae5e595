"""A board from nothing gets its payoff chart: computed by default, written as a chart or a table, holes named."""

import csv
import json
import tomllib
from pathlib import Path

import pytest
from conftest import Run

import mapkit
from mapkit.core.errors import MapkitError
from mapkit.kinds.rail.api.payoffs.computing import PayoffWishes
from mapkit.kinds.rail.charts.payoffs.compute import compute_payoffs, scale_model
from mapkit.kinds.rail.charts.payoffs.distances import board_distances
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.model.payoffs.model import CLASSIC


@pytest.fixture
def bare(example: Path) -> Path:
    """The small example without a chart and without a model."""
    (example / "charts/payoffs.csv").unlink()
    config = example / "board.toml"
    head, _, rest = config.read_text(encoding="utf-8").partition("# what a trip pays")
    config.write_text(head + "# Findings" + rest.partition("# Findings")[2], encoding="utf-8")
    return example


def findings(run: Run, folder: Path) -> list[dict[str, object]]:
    ran = run("check", folder.name, "--workspace", folder.parents[1], "--json")
    found: list[dict[str, object]] = json.loads(ran.out)["findings"]
    return found


def table(folder: Path) -> list[list[str]]:
    return list(csv.reader((folder / "charts/payoffs.csv").read_text(encoding="utf-8").splitlines()))


def test_a_board_without_a_chart_is_computed_and_reported(bare: Path, run: Run) -> None:
    space = bare.parents[1]
    assert [f["code"] for f in findings(run, bare) if str(f["code"]).startswith("P")] == ["P13"]
    ran = run("payoffs", "compute", "example", "-w", space)
    assert ran.code == 0
    assert "rail = 1.1" in ran.out
    assert "the rates of the classic United States chart" in ran.out
    assert run("build", "example", "-w", space).code == 0


def test_new_boards_have_the_table(tmp_path: Path, run: Run) -> None:
    assert run("new", "first", "--workspace", tmp_path).code == 0
    config = tomllib.loads((tmp_path / "sources/first/board.toml").read_text(encoding="utf-8"))
    assert config["payoffs"] == {"model": "rail", "base": 0, "rail": 5, "step": 0.5}
    board = mapkit.load("first", workspace=tmp_path)
    computed = mapkit.compute_payoffs("first", workspace=tmp_path)
    assert computed.thousands == board.payoffs.thousands  # its chart is what its table gives


def test_into_table_writes_a_model_and_undo_takes_it_back(bare: Path, run: Run) -> None:
    space, config = bare.parents[1], bare / "board.toml"
    ran = run("payoffs", "compute", "example", "-w", space, "--mean", "12", "--into", "table")
    assert (ran.code, "written: board.toml" in ran.err) == (0, True)
    model = tomllib.loads(config.read_text(encoding="utf-8"))["payoffs"]
    assert (model["model"], sorted(model)) == ("rail", ["base", "model", "rail", "step"])
    found = mapkit.compute_payoffs("example", workspace=space)
    assert found.mean == pytest.approx(12, abs=0.2)
    assert found.thousands == mapkit.load("example", workspace=space).payoffs.thousands
    assert not [f for f in findings(run, bare) if f["code"] == "P13"]
    assert run("undo", "example", "-w", space).code == 0
    assert "payoffs" not in tomllib.loads(config.read_text(encoding="utf-8"))


def test_a_chart_that_is_there_already_is_said_so_and_an_empty_table_stays(bare: Path, run: Run) -> None:
    space, config = bare.parents[1], bare / "board.toml"
    head, _, _ = config.read_text(encoding="utf-8").partition("# Findings")
    config.write_text(f"{head}# Findings\n[accepted]\n", encoding="utf-8")
    compute = ("payoffs", "compute", "example", "-w", space, "--mean", "12", "--into", "table")
    assert "written: board.toml" in run(*compute).err
    written = config.read_text(encoding="utf-8")
    assert "# Findings\n[accepted]\n" in written
    assert "no file was written: the board has this chart already" in run(*compute).err
    assert config.read_text(encoding="utf-8") == written


def test_into_chart_writes_the_amounts(bare: Path, run: Run) -> None:
    space = bare.parents[1]
    wanted = mapkit.compute_payoffs("example", PayoffWishes(like="usa"), workspace=space)
    assert run("payoffs", "compute", "example", "-w", space, "--like", "usa", "--into", "chart").code == 0
    board = mapkit.load("example", workspace=space)
    assert dict(zip(board.payoffs.cities, board.payoffs.thousands, strict=True)) == dict(
        zip(wanted.cities, wanted.thousands, strict=True)
    )
    assert board.provenance.elements["payoffs"]["albany"].how == "table"


def test_like_another_board_takes_its_rates(bare: Path) -> None:
    """A chart is fitted to the distances of its own cities, not of those that it does not name."""
    found = mapkit.compute_payoffs("example", PayoffWishes(like="usa"), workspace=bare.parents[1])
    own = mapkit.compute_payoffs("usa", PayoffWishes(calibrate=True))
    assert (found.model, found.calibration) == (own.model, own.calibration)


def test_like_a_chart_of_other_cities_says_to_name_the_board(bare: Path, run: Run, usa_chart: Path) -> None:
    ran = run("payoffs", "compute", "example", "-w", bare.parents[1], "--like", usa_chart)
    assert ran.code == 1
    assert "for the chart of another board name the board: --like BOARD" in ran.err


@pytest.fixture
def usa_chart() -> Path:
    return Path(__file__).parents[2] / "sources/usa/charts/payoffs.csv"


def test_missing_keeps_what_is_typed(example: Path, run: Run) -> None:
    space, path = example.parents[1], example / "charts/payoffs.csv"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("Albany,0,7.5,", "Albany,0,99,").replace("Boston,7.5,0,12.5", "Boston,99,0,"), "utf-8")
    path.write_text(path.read_text(encoding="utf-8").replace("Burlington,7.5,12.5,", "Burlington,7.5,,"), "utf-8")
    (missing,) = (f for f in findings(run, example) if f["code"] == "P02")  # one finding for both directions
    assert missing["elements"] == ["boston", "burlington"]
    assert "mapkit payoffs compute example --missing --into chart" in str(missing["message"])
    ran = run("payoffs", "compute", "example", "-w", space, "--missing", "--into", "chart")
    assert "2 empty cells were computed" in ran.out
    rows = {row[0]: row for row in table(example)}
    assert (rows["Albany"][2], rows["Boston"][3], rows["Burlington"][2]) == ("99", "12.5", "12.5")
    assert run("payoffs", "compute", "example", "-w", space, "--missing", "--into", "table").code == 1


def test_a_city_that_the_chart_lacks_is_one_finding_and_is_filled_in(example: Path, run: Run) -> None:
    path = example / "charts/payoffs.csv"
    rows = [row[:-1] for row in table(example)[:-1]]
    path.write_text("\n".join(",".join(row) for row in rows) + "\n", encoding="utf-8")
    (lacks,) = (f for f in findings(run, example) if f["code"] == "P02")
    assert lacks["elements"] == ["springfield"]
    assert run("payoffs", "compute", "example", "-w", example.parents[1], "--missing", "--into", "chart").code == 0
    assert not [f for f in findings(run, example) if f["code"] == "P02"]
    assert {row[0]: row for row in table(example)}["Springfield"][1:] == ["3.5", "4", "8.5", "3", "9", "0"]


def test_an_empty_row_is_one_finding(example: Path, run: Run) -> None:
    path = example / "charts/payoffs.csv"
    rows = table(example)
    at = rows[0].index("Boston")
    empty = [
        [("" if "Boston" in (row[0], rows[0][n]) and n not in (0, at) else v) for n, v in enumerate(row)]
        for row in rows
    ]
    for row in empty[1:]:
        row[at] = "0" if row[0] == "Boston" else ""
    empty[0] = rows[0]
    path.write_text("\n".join(",".join(row) for row in empty) + "\n", encoding="utf-8")
    (found,) = (f for f in findings(run, example) if f["code"] == "P02")
    assert found["elements"] == ["boston"]
    assert "no amounts for Boston" in str(found["message"])


def test_cities_that_nothing_joins_are_named_and_all_other_checks_run(bare: Path, run: Run) -> None:
    shore = [
        "Portland,milepost",
        "Portsmouth NH,milepost",
        "Boston,milepost",
        "Providence RI,milepost",
        "New Haven,milepost",
    ]
    lines = ("North", "North", "South", "South", "South")
    rows = [f"SHORE,{line},{n},{place}" for n, (line, place) in enumerate(zip(lines, shore, strict=True), start=1)]
    (bare / "lines/shore.csv").write_text("railroad,line,seq,place,kind\n" + "\n".join(rows) + "\n", encoding="utf-8")
    found = findings(run, bare)
    codes = {f["code"] for f in found}
    assert {"N01", "N02", "P02"} <= codes
    assert "S01" not in codes
    (cells,) = (f for f in found if f["code"] == "P02")
    assert cells["elements"] == ["portland"]
    assert "between Portland and the other 5 cities" in str(cells["message"])
    place = cells["place"]
    assert isinstance(place, dict)
    assert (place["file"], place["row"]) == ("cities.csv", 6)
    ran = run("payoffs", "compute", "example", "-w", bare.parents[1])
    assert "10 cells stay empty" in ran.out


def test_rates_that_no_model_may_have_are_refused(usa: Board) -> None:
    distances = board_distances(usa, usa.payoffs.cities)
    with pytest.raises(MapkitError, match=r"base would be -2000 thousand, and a model may say 1000 at most"):
        scale_model(CLASSIC, 10_000)
    assert compute_payoffs(scale_model(CLASSIC, 2), distances)[0][1] == pytest.approx(
        2 * (usa.payoffs.thousands[0][1] or 0), abs=2
    )
