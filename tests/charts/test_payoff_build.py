"""A board without a typed payoff chart gets a computed one; the commands of the diagnosis."""

import json
import shutil
import tomllib
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import mapkit
from mapkit.cli.app import app
from mapkit.kinds.rail.api.payoffs.computing import PayoffWishes
from mapkit.kinds.rail.charts.payoffs.distances import board_distances
from mapkit.kinds.rail.model.payoffs.model import CLASSIC

pytestmark = pytest.mark.usefixtures("keeping")

SOURCES = Path(__file__).parents[2] / "sources" / "usa"
CHART = SOURCES / "charts" / "payoffs.csv"


@pytest.fixture
def without_chart(tmp_path: Path) -> Path:
    folder = tmp_path / "sources" / "usa"
    shutil.copytree(SOURCES, folder)
    (folder / "charts" / "payoffs.csv").unlink()
    return folder


def test_without_chart_and_model_the_classic_rates_hold_and_a_note_says_so(without_chart: Path) -> None:
    board = mapkit.load("usa", workspace=without_chart.parents[1])
    chicago, denver = map(board.payoffs.cities.index, ("chicago", "denver"))
    miles = board_distances(board, board.payoffs.cities).rail
    assert miles is not None
    exact = CLASSIC.base + CLASSIC.rail * miles[chicago, denver] / 100
    assert board.payoffs.thousands[chicago][denver] == pytest.approx(exact, abs=0.25)
    (note,) = (f for f in mapkit.check(board, drawing=False).findings if f.code.startswith("P"))
    assert (note.code, note.severity, note.place.file) == ("P13", "note", "board.toml")
    assert "mapkit payoffs compute usa --into table" in note.message


def test_the_classic_rates_are_those_that_the_classic_chart_gives() -> None:
    fit = mapkit.compute_payoffs(SOURCES, PayoffWishes(calibrate=True)).calibration
    assert fit is not None
    assert (round(fit.model.base, 1), round(fit.model.rail, 1)) == (CLASSIC.base, CLASSIC.rail)


@pytest.mark.slow
def test_a_chart_is_computed(without_chart: Path) -> None:
    config = without_chart / "board.toml"
    text = config.read_text(encoding="utf-8")
    config.write_text(
        text.replace("[projection]", '[payoffs]\nmodel = "rail"\nbase = -0.2\nrail = 1.1\n\n[projection]', 1),
        encoding="utf-8",
    )
    board = mapkit.load("usa", workspace=without_chart.parents[1])
    chart = np.array(board.payoffs.thousands, dtype=float)
    typed = mapkit.load(SOURCES).payoffs
    order = [typed.cities.index(city) for city in board.payoffs.cities]
    printed = np.array(typed.thousands, dtype=float)[np.ix_(order, order)]
    assert np.median(np.abs(chart - printed)) <= 0.5
    assert board.provenance.elements["payoffs"]["albany"].how == "computed"
    assert not [f for f in mapkit.check(board).findings if f.code.startswith("P")]


@pytest.mark.slow
def test_check_as_json_and_sarif_and_csv() -> None:
    run = CliRunner().invoke(app, ["payoffs", "check", str(CHART), "--board", "usa", "--json"])
    assert run.exit_code == 0
    found = json.loads(run.stdout)
    first = next(f for f in found["findings"] if f["code"] == "P08")
    assert first["accepted"].startswith("Misprint of the print: the copies agree on 25.5")
    assert first["data"]["score"] > 0.99
    casper = next(f for f in found["findings"] if f["elements"] == ["atlanta", "casper"] and f["code"] == "P08")
    assert casper["data"]["value"] == 25.5
    assert casper["data"]["suggested"] == 15.5
    sarif = CliRunner().invoke(app, ["payoffs", "check", str(CHART), "--board", "usa", "--format", "sarif"])
    assert len(json.loads(sarif.stdout)["runs"][0]["results"]) == len(found["findings"])
    rows = CliRunner().invoke(app, ["payoffs", "check", str(CHART), "--format", "csv"]).stdout.splitlines()
    assert rows[0].startswith("code,severity,a,b,value,expected,suggested")


def test_repair_writes_a_variant(tmp_path: Path) -> None:
    out = tmp_path / "corrected.toml"
    args = ["payoffs", "repair", str(CHART), "--board", "usa", "--out", str(out), "--accept", "P08:atlanta:casper"]
    assert CliRunner().invoke(app, args).exit_code == 0
    (operation,) = tomllib.loads(out.read_text(encoding="utf-8"))["operations"]
    assert operation["op"] == "set-payoff"
    assert (operation["a"], operation["b"], operation["was"], operation["value"]) == ("atlanta", "casper", 25.5, 15.5)
    assert "expected 15.4" in operation["reason"]


def test_repair_refuses_what_is_no_finding(tmp_path: Path) -> None:
    out = tmp_path / "corrected.toml"
    args = ["payoffs", "repair", str(CHART), "--board", "usa", "--out", str(out), "--accept", "P08:albany:atlanta"]
    run = CliRunner().invoke(app, args)
    assert run.exit_code != 0
    assert not out.exists()


def test_compute_writes_a_chart_that_reads_back(tmp_path: Path) -> None:
    out = tmp_path / "made.csv"
    run = CliRunner().invoke(app, ["payoffs", "compute", "usa", "--json", "--out", str(out)])
    found = json.loads(run.stdout)
    assert found["calibration"]["r2"] >= 0.985
    read = CliRunner().invoke(app, ["payoffs", "read", str(out), "--board", "usa", "--json"])
    assert read.exit_code == 0
