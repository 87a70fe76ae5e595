"""`mapkit payoffs check`, `repair`, `compute` and the geometry of `diff` as people run them."""

import csv
import json
import shutil
import tomllib
from pathlib import Path

import numpy as np
import pytest
from conftest import REPOSITORY, Run

import mapkit
from mapkit.core.errors import MapkitError
from mapkit.core.jsontext import json_text
from mapkit.kinds.rail.charts.payoffs.compute import compute_payoffs
from mapkit.kinds.rail.charts.payoffs.distances import board_distances
from mapkit.kinds.rail.checks.payoff_chart.check import judge_board
from mapkit.kinds.rail.model.payoffs.model import PayoffModel

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("keeping")]

SOURCES = REPOSITORY / "sources" / "usa"
CHART = SOURCES / "charts" / "payoffs.csv"


@pytest.fixture(scope="module")
def coordinates(tmp_path_factory: pytest.TempPathFactory, usa: mapkit.Board) -> Path:
    at = {m.id: m for m in usa.mileposts}
    path = tmp_path_factory.mktemp("places") / "cities.csv"
    rows = [f"{c.name},{at[c.milepost].lon:.3f},{at[c.milepost].lat:.3f}" for c in usa.cities]
    path.write_text("\n".join(["city,lon,lat", *rows]), encoding="utf-8")
    return path


def test_findings_stand_in_their_rows(run: Run) -> None:
    ran = run("payoffs", "check", CHART, "-b", "usa", "-w", REPOSITORY, "--all")
    assert ran.code == 0
    assert f"{CHART}:3: P08 accepted: Atlanta - Casper is 25.5, expected 15.4" in ran.out
    assert ran.out.count(" P08 accepted: ") == 27
    assert ran.out.count("(reason: Misprint of the print: ") == 15
    assert "by the rail and great-circle miles of the board" in ran.err
    sarif = json.loads(run("payoffs", "check", CHART, "-b", "usa", "-w", REPOSITORY, "-f", "sarif").out)
    first = next(found for found in sarif["runs"][0]["results"] if found["ruleId"] == "P08")
    place = first["locations"][0]["physicalLocation"]
    assert (first["ruleId"], place["region"]) == ("P08", {"startLine": 3})
    assert place["artifactLocation"]["uri"] == CHART.as_uri()
    assert {rule["id"] for rule in sarif["runs"][0]["tool"]["driver"]["rules"]} >= {"P02", "P08", "P12"}


def test_json_is_the_librarys_own_result(run: Run) -> None:
    found = mapkit.check_payoffs(CHART, board="usa", workspace=REPOSITORY)
    assert run("payoffs", "check", CHART, "-b", "usa", "-w", REPOSITORY, "--json").out == json_text(found)
    casper = next(c for c in found.cells if (c.a, c.b) == ("atlanta", "casper"))
    assert (casper.value, casper.suggested, casper.slip) == (25.5, 15.5, "wrong digit")
    assert len(found.cells) == 2209
    assert found.basis == "board"


def test_a_chart_is_judged_by_coordinates_alone(coordinates: Path, run: Run) -> None:
    ran = run("payoffs", "check", CHART, "--coordinates", coordinates, "--json")
    found = json.loads(ran.out)
    assert (ran.code, found["basis"], found["board"]) == (1, "coordinates", None)
    assert found["findings"][0]["elements"] == ["atlanta", "casper"]
    assert found["findings"][0]["data"]["suggested"] == 15.5
    wrong = coordinates.with_name("few.csv")
    wrong.write_text("city,lon,lat\nAlbany,-73.8,42.7\n", encoding="utf-8")
    ran = run("payoffs", "check", CHART, "-c", wrong)
    assert ran.code == 1
    assert f"'Atlanta' is not a city of {wrong}" in ran.err
    assert run("payoffs", "check", CHART, "-c", coordinates, "-b", "usa").code == 2


def test_a_cell_empty_in_one_half_is_the_same_finding_everywhere(tmp_path: Path, run: Run) -> None:
    """By `mapkit check`, `payoffs check` and `payoffs read`; with all other findings of form."""
    folder = tmp_path / "sources" / "usa"
    shutil.copytree(SOURCES, folder)
    path = folder / "charts" / "payoffs.csv"
    rows = list(csv.reader(path.read_text(encoding="utf-8").splitlines()))
    at = {name: k for k, name in enumerate(rows[0])}

    def put(row: str, column: str, value: str) -> None:
        rows[at[row]][at[column]] = value

    put("Detroit", "Little Rock", "")
    put("Albany", "Boston", "2.2")
    put("Boston", "Albany", "2.2")
    put("Miami", "Miami", "1")
    put("Seattle", "Spokane", "4")
    put("Denver", "Omaha", "0")
    put("Omaha", "Denver", "0")
    path.write_text("\n".join(",".join(row) for row in rows), encoding="utf-8")
    checked = run("check", "usa", "-w", tmp_path, "--json", "--no-drawing")
    judged = run("payoffs", "check", path, "-b", "usa", "-w", tmp_path, "--json")

    def form(text: str) -> set[str]:
        return {
            ":".join((f["code"], *sorted(f["elements"])))
            for f in json.loads(text)["findings"]
            if "P02" <= f["code"] <= "P07"
        }

    assert form(checked.out) == form(judged.out) == {
        "P02:detroit:little-rock", "P03:seattle:spokane", "P04:miami", "P06:albany:boston", "P07:denver:omaha",
    }  # fmt: skip
    (empty,) = (f for f in json.loads(judged.out)["findings"] if f["code"] == "P02")
    assert empty["place"]["row"] == at["Detroit"] + 1
    read = run("payoffs", "read", path, "-b", "usa", "-w", tmp_path)
    assert "empty cells of which the other half has an amount: 1\n" in read.out
    assert "is empty in the row of Detroit, but 9 in the row of Little Rock" in judged.out


def test_misprints_are_accepted_where_the_file_has_the_prints_amount(tmp_path: Path, run: Run) -> None:
    """A file with the print's amount has it accepted; one with another wrong amount in the same cell has not."""
    found = json.loads(run("payoffs", "check", CHART, "-b", "usa", "-w", REPOSITORY, "--json").out)
    accepted = [f["accepted"] for f in found["findings"] if f["code"] == "P08"]
    assert len(accepted) == 27
    assert None not in accepted
    other = planted(tmp_path, "other.csv", 1, 8, "26.5")
    ran = run("payoffs", "check", other, "-b", "usa", "-w", REPOSITORY)
    assert ran.code == 1
    assert "P08 error: Atlanta - Casper is 26.5" in ran.out.splitlines()[0]
    assert "(reason: " not in ran.out.splitlines()[0]


def test_a_chart_of_whole_thousands_gets_whole_suggestions(tmp_path: Path, run: Run) -> None:
    rows = list(csv.reader(CHART.read_text(encoding="utf-8").splitlines()))
    path = tmp_path / "whole.csv"
    whole = [rows[0], *([row[0], *(f"{round(float(v))}" for v in row[1:])] for row in rows[1:])]
    path.write_text("\n".join(",".join(row) for row in whole), encoding="utf-8")
    for board in ((), ("-b", "usa", "-w", REPOSITORY)):
        found = json.loads(run("payoffs", "check", path, *board, "--json").out)
        assert found["step"] == 1
        assert all((f["data"].get("suggested") or 0) % 1 == 0 for f in found["findings"])


def test_without_a_board_the_report_says_what_nobody_can_tell(tmp_path: Path, run: Run) -> None:
    chart = shutil.copy(REPOSITORY / "sources" / "mexico" / "charts" / "payoffs.csv", tmp_path)
    ran = run("payoffs", "check", chart)
    assert (ran.code, ran.out) == (0, "")
    assert "15 more amounts are far off what is expected, but the rows of the cities allow that: " in ran.err
    assert "only the board's track (--board) or another copy can tell" in ran.err


def test_the_grid_may_be_another(tmp_path: Path, run: Run) -> None:
    rows = list(csv.reader(CHART.read_text(encoding="utf-8").splitlines()))
    path = tmp_path / "fine.csv"
    fine = [rows[0], *([row[0], *(f"{float(v) / 2:g}" for v in row[1:])] for row in rows[1:])]
    path.write_text("\n".join(",".join(row) for row in fine), encoding="utf-8")
    common = ("payoffs", "check", path, "-b", "usa", "-w", REPOSITORY, "--json")
    codes = {f["code"] for f in json.loads(run(*common).out)["findings"]}
    assert "P06" in codes
    found = json.loads(run(*common, "--step", "0.25").out)
    assert "P06" not in {f["code"] for f in found["findings"]}
    assert found["step"] == 0.25
    assert found["findings"][0]["data"]["suggested"] % 0.25 == 0
    assert run(*common, "--step", "0").code == 2


def test_findings_in_json_carry_the_path(tmp_path: Path, run: Run) -> None:
    head, *rows = csv.reader(CHART.read_text(encoding="utf-8").splitlines())
    path = tmp_path / "chart.json"
    chart = {row[0]: {city: float(cell) for city, cell in zip(head[1:], row[1:], strict=True)} for row in rows}
    path.write_text(json.dumps({"chart": chart}), encoding="utf-8")
    where = "$.chart.Atlanta.Casper"
    ran = run("payoffs", "check", path, "-b", "usa", "-w", REPOSITORY, "--all")
    assert f"{path}:{where}: P08 accepted: Atlanta - Casper is 25.5" in ran.out
    found = json.loads(run("payoffs", "check", path, "-b", "usa", "-w", REPOSITORY, "--json").out)
    places = {tuple(f["elements"]): f["place"] for f in found["findings"]}
    assert places["atlanta", "casper"] == {"file": str(path), "row": None, "path": where, "lon": None, "lat": None}
    sarif = json.loads(run("payoffs", "check", path, "-b", "usa", "-w", REPOSITORY, "-f", "sarif").out)
    logical = [result["locations"][0]["logicalLocations"] for result in sarif["runs"][0]["results"]]
    assert [{"fullyQualifiedName": where}] in logical


def test_a_page_is_written(tmp_path: Path, run: Run) -> None:
    out = tmp_path / "new" / "page.html"
    ran = run("payoffs", "check", CHART, "-b", "usa", "-w", REPOSITORY, "-f", "html", "--out", out)
    assert (ran.code, ran.out) == (0, "")
    assert f"The page is {out}" in ran.err
    assert out.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert run("payoffs", "check", CHART, "-f", "html").code == 2
    refused = run("payoffs", "check", CHART, "--language", "es")
    assert (refused.code, "--format html" in refused.err) == (2, True)
    table = tmp_path / "found.csv"
    run("payoffs", "check", CHART, "-b", "usa", "-w", REPOSITORY, "-f", "csv", "--out", table)
    first = next(row for row in csv.DictReader(table.read_text(encoding="utf-8").splitlines()) if row["code"] == "P08")
    assert (first["a"], first["where"]) == ("atlanta", f"{CHART}:3")
    assert first["accepted"].startswith("Misprint of the print")


def planted(tmp_path: Path, name: str, a: int, b: int, value: str) -> Path:
    rows = list(csv.reader(CHART.read_text(encoding="utf-8").splitlines()))
    rows[a + 1][b + 1] = rows[b + 1][a + 1] = value
    path = tmp_path / name
    path.write_text("\n".join(",".join(row) for row in rows), encoding="utf-8")
    return path


def test_the_boards_geometry_decides_between_two_copies(tmp_path: Path, run: Run) -> None:
    one = planted(tmp_path, "one.csv", 0, 1, "13")
    common = ("payoffs", "diff", one, CHART, "-b", "usa", "-w", REPOSITORY, "--json")
    (cell,) = json.loads(run(*common).out)["cells"]
    assert (cell["majority"], cell["supported"], cell["stands"]) == (None, 10, 10)
    assert cell["expected"] == pytest.approx(10, abs=1)
    (cell,) = json.loads(run(*common, "--geometry", "none").out)["cells"]
    assert (cell["expected"], cell["stands"]) == (None, None)
    (cell,) = json.loads(run(*common, "--geometry", "usa").out)["cells"]
    assert (cell["expected"], cell["stands"]) == (10, 10)
    half = planted(tmp_path, "half.csv", 0, 1, "10.5")
    (cell,) = json.loads(run("payoffs", "diff", half, CHART, "-b", "usa", "-w", REPOSITORY, "--json").out)["cells"]
    assert (cell["supported"], cell["stands"]) == (None, None)
    assert run("payoffs", "diff", one, CHART, "--geometry", "board").code == 2
    assert run("payoffs", "diff", one, CHART, "-b", "usa", "--sd", "1").code == 2


def test_geometry_of_a_board_takes_a_board() -> None:
    with pytest.raises(MapkitError, match="needs the board"):
        mapkit.diff_payoffs([CHART, "usa"], geometry="board", workspace=REPOSITORY)


def test_repair_as_json(tmp_path: Path, run: Run) -> None:
    out = tmp_path / "corrected.toml"
    common = ("payoffs", "repair", CHART, "-b", "usa", "-w", REPOSITORY, "-o", out, "--json")
    found = json.loads(run(*common, "--least", "0.99").out)
    assert len(found["corrections"]) > 8
    made = tomllib.loads(out.read_text(encoding="utf-8"))
    assert found["variant"] == out.read_text(encoding="utf-8")
    assert [(o["a"], o["b"], o["value"]) for o in made["operations"]] == [
        (c["a"], c["b"], c["value"]) for c in found["corrections"]
    ]
    assert run(*common).code == 1


@pytest.fixture
def modelled(tmp_path: Path) -> Path:
    folder = tmp_path / "sources" / "usa"
    shutil.copytree(SOURCES, folder)
    config = folder / "board.toml"
    text = config.read_text(encoding="utf-8")
    model = '[payoffs]\nmodel = "rail"\nbase = 1.0\nrail = 2.0\nstep = 1.0\n\n[projection]'
    config.write_text(text.replace("[projection]", model, 1), encoding="utf-8")
    return folder


def test_compute_honours_the_model_of_the_board(modelled: Path, tmp_path: Path, run: Run) -> None:
    space = modelled.parents[1]
    out = tmp_path / "payoffs.csv"
    found = json.loads(run("payoffs", "compute", "usa", "-w", space, "--out", out, "--json").out)
    assert (found["model"]["base"], found["model"]["rail"], found["calibration"]) == (1, 2, None)
    chart = np.array(found["thousands"])
    assert (chart % 1 == 0).all()
    read = mapkit.read_payoffs(out, board="usa", workspace=REPOSITORY).chart
    assert (read.given == chart).all()
    assert "base = 1\nrail = 2\nstep = 1" in run("payoffs", "compute", "usa", "-w", space).out
    fitted = json.loads(run("payoffs", "compute", "usa", "-w", space, "--calibrate", "--json").out)
    assert fitted["model"]["rail"] == pytest.approx(1.1, abs=0.05)
    assert fitted["model"]["step"] == 1
    like = json.loads(run("payoffs", "compute", "usa", "-w", space, "--like", out, "--step", "0.5", "--json").out)
    assert like["model"]["rail"] == pytest.approx(2, abs=0.01)
    assert like["model"]["base"] == pytest.approx(1, abs=0.05)


def test_a_computed_chart_is_not_calibrated_on_itself(modelled: Path, run: Run) -> None:
    (modelled / "charts" / "payoffs.csv").unlink()
    ran = run("payoffs", "compute", "usa", "-w", modelled.parents[1], "--calibrate")
    assert ran.code == 1
    assert "--like CHART" in ran.err
    assert run("payoffs", "compute", "usa", "-w", modelled.parents[1], "--like", CHART).code == 0


@pytest.mark.parametrize("name", ["payoffs-read", "payoffs-diff", "payoffs-check", "payoffs-repair", "payoffs-compute"])
def test_results_fit_their_schemas(name: str, run: Run, tmp_path: Path) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads(run("schema", name).out)
    jsonschema.Draft202012Validator.check_schema(schema)
    common = ("-b", "usa", "-w", REPOSITORY, "--json")
    arguments = {
        "payoffs-read": ("read", CHART, *common),
        "payoffs-diff": ("diff", CHART, planted(tmp_path, "o.csv", 0, 1, "13"), *common),
        "payoffs-check": ("check", CHART, *common),
        "payoffs-repair": ("repair", CHART, *common, "-o", tmp_path / "v.toml", "--least", "0.9"),
        "payoffs-compute": ("compute", "usa", *common[2:]),
    }
    made = json.loads(run("payoffs", *arguments[name]).out)
    jsonschema.Draft202012Validator(schema).validate(made)


def test_repairs_of_another_chart_build(tmp_path: Path, run: Run) -> None:
    """The variant corrects what the board has, here 25.5; what only the file has wrong, it leaves alone."""
    out = tmp_path / "variants" / "fixed.toml"
    common = ("-b", "usa", "-w", REPOSITORY, "-o", out, "--accept", "P08:atlanta:casper")
    other = planted(tmp_path, "other.csv", 1, 8, "35.5")
    ran = run("payoffs", "repair", other, *common, "--json")
    (correction,) = json.loads(ran.out)["corrections"]
    assert (correction["was"], correction["value"]) == (25.5, 15.5)
    assert correction["reason"].startswith(f"{other}: Atlanta - Casper is 35.5, expected 15.4")
    fixed = mapkit.load("usa", variants=[str(out)], workspace=REPOSITORY).payoffs
    assert fixed.thousands[fixed.cities.index("atlanta")][fixed.cities.index("casper")] == 15.5
    out.unlink()
    lone = planted(tmp_path, "lone.csv", 3, 20, "41")
    slip = next(f for f in mapkit.check_payoffs(lone, board="usa", workspace=REPOSITORY).findings if f.accepted is None)
    own = mapkit.load("usa", workspace=REPOSITORY).payoffs.thousands[3][20]
    assert slip.data["suggested"] == own
    ran = run("payoffs", "repair", lone, *common[:-1], slip.id)
    assert (ran.code, out.exists()) == (1, False)
    assert f"has all accepted amounts already, so there is nothing to correct; only {lone} is wrong" in ran.err


def test_a_corrected_chart_keeps_its_layout(tmp_path: Path, run: Run) -> None:
    """Byte for byte but for the cells: a byte order mark, CRLF, semicolons, decimal commas, dashes, currency."""
    rows = list(csv.reader(CHART.read_text(encoding="utf-8").splitlines()))
    wide = [[f"{float(c):.1f}".replace(".", ",") if c and i and j else c for j, c in enumerate(row)]
            for i, row in enumerate(rows)]  # fmt: skip
    for k in range(1, len(rows)):
        wide[k][k] = " - "
    for name, right, wrong, mark, ends in (
        ("plain.csv", rows, "35.5", ",", "\n"), ("wide.csv", wide, "35,5", ";", "\r\n"),
    ):  # fmt: skip
        spelled = "15.5" if mark == "," else "15,5"
        bad, good = ([list(row) for row in right] for _ in range(2))
        bad[2][9] = bad[9][2] = f"{wrong} " if mark == ";" else f'"{wrong}"'
        good[2][9] = good[9][2] = bad[2][9].replace(wrong, spelled)
        text, wanted = ("\ufeff" + ends.join(mark.join(row) for row in each) + ends for each in (bad, good))
        path, out = tmp_path / name, tmp_path / f"fixed-{name}"
        path.write_bytes(text.encode())
        common = ("payoffs", "repair", path, "-b", "usa", "-w", REPOSITORY, "--accept", "P08:atlanta:casper")
        ran = run(*common, "--out", out)
        assert ran.code == 0, ran.err
        assert out.read_bytes().decode() == wanted
        assert "2 cells of the chart corrected" in ran.err
    refused = run(*common, "--out", tmp_path / "fixed.json")
    assert (refused.code, (tmp_path / "fixed.json").exists()) == (1, False)
    assert "its name must end in .csv too" in refused.err
    assert run(*common).code == 2


def test_a_corrected_json_chart_keeps_its_layout(tmp_path: Path, run: Run) -> None:
    rows = list(csv.reader(CHART.read_text(encoding="utf-8").splitlines()))
    rows[2][9] = rows[9][2] = "35.5"
    matrix = {"cities": rows[0][1:], "payoffs": [[float(c or 0) for c in row[1:]] for row in rows[1:]]}
    nested = {row[0]: dict(zip(rows[0][1:], row[1:], strict=True)) for row in rows[1:]}
    for name, data, indent in (("matrix.json", matrix, None), ("nested.json", {"payoffs": nested}, 3)):
        path, out = tmp_path / name, tmp_path / f"fixed-{name}"
        path.write_text(json.dumps(data, indent=indent), encoding="utf-8")
        common = ("-b", "usa", "-w", REPOSITORY, "--accept", "P08:atlanta:casper")
        ran = run("payoffs", "repair", path, *common, "--out", out)
        assert ran.code == 0, ran.err
        was, now = (each.read_text(encoding="utf-8") for each in (path, out))
        assert [k for k, (a, b) in enumerate(zip(was, now, strict=True)) if a != b] == [
            k for k in range(len(was)) if was.startswith("35.5", k)
        ]
        assert was.replace("35.5", "15.5") == now


@pytest.mark.parametrize("name", ["usa", "portugal", "mexico", "ireland"])
def test_every_way_to_a_boards_own_chart_gives_one_verdict(name: str, run: Run) -> None:
    """`check`, `payoffs check` of the board and of its file, with and without --board, and the editor's panel."""
    chart = REPOSITORY / "sources" / name / "charts" / "payoffs.csv"
    ways = [
        ("check", name, "-w", REPOSITORY),
        ("payoffs", "check", name, "-w", REPOSITORY),
        ("payoffs", "check", name, "-b", name, "-w", REPOSITORY),
        *([("payoffs", "check", chart, "-w", REPOSITORY)] if chart.exists() else []),
    ]
    verdicts = []
    for way in ways:
        ran = run(*way, "--json")
        found = [f for f in json.loads(ran.out)["findings"] if f["code"] > "P01" and f["code"] < "P13"]
        verdicts.append((ran.code, sorted((f["code"], f["elements"], f["severity"], f["accepted"]) for f in found)))
    panel = judge_board(mapkit.load(name, workspace=REPOSITORY)).findings
    assert [verdict == verdicts[0] for verdict in verdicts] == [True] * len(ways)
    assert verdicts[0][1] == sorted((f.code, list(f.elements), str(f.severity), f.accepted) for f in panel)
    assert verdicts[0][0] == 0
    assert len(verdicts[0][1]) == (27 if name == "usa" else 0)


def test_pairs_in_any_direction_give_the_findings_of_the_square(tmp_path: Path) -> None:
    rows = list(csv.reader(CHART.read_text(encoding="utf-8").splitlines()))
    rows[3][2] = rows[2][3] = "44"
    square, pairs, nested = (tmp_path / name for name in ("square.csv", "pairs.csv", "pairs.json"))
    square.write_text("\n".join(",".join(row) for row in rows), encoding="utf-8")
    listed = [[rows[0][j], rows[i][0], float(rows[i][j])] for i in range(1, len(rows)) for j in range(1, i)]
    for k, pair in enumerate(listed):
        if k % 3:
            pair[:2] = pair[1], pair[0]
    listed.sort(key=lambda pair: str(pair[2]) + str(pair[0])[::-1])
    pairs.write_text("from,to,payoff\n" + "\n".join(f"{a},{b},{v:g}" for a, b, v in listed), encoding="utf-8")
    nested.write_text(json.dumps(listed), encoding="utf-8")
    ids = []
    for path in (square, pairs, nested):
        found = mapkit.check_payoffs(path, board="usa", workspace=REPOSITORY)
        ids.append({(f.id, f.severity, f.accepted) for f in found.findings})
    assert ids[0] == ids[1] == ids[2]
    assert ("P08:atlanta:baltimore", "error", None) in ids[0]


def test_exact_charts_without_a_board_have_no_errors(tmp_path: Path, run: Run) -> None:
    """Computed with a base below 0, so that two trips pay less than the one that they make up; a slip stands out."""
    for name in ("ireland", "portugal"):
        board = mapkit.load(name, workspace=REPOSITORY)
        model = PayoffModel(model="rail", base=-1.2, rail=7.0, step=0.5)
        amounts = compute_payoffs(model, board_distances(board, board.payoffs.cities))
        named = {city.id: city.name for city in board.cities}
        names = [named[city] for city in board.payoffs.cities]
        path = tmp_path / f"{name}.csv"
        rows = [["city", *names], *([n, *(f"{v:g}" for v in row)] for n, row in zip(names, amounts, strict=True))]
        path.write_text("\n".join(",".join(row) for row in rows), encoding="utf-8")
        ran = run("payoffs", "check", path)
        assert (ran.code, ran.out.count("error"), ran.out.count("P08 warning") <= 1) == (0, 0, True)
        rows[9][21] = rows[21][9] = f"{amounts[8, 20] + 8:g}"
        path.write_text("\n".join(",".join(row) for row in rows), encoding="utf-8")
        assert f"P08 error: {names[8]} - {names[20]} is" in run("payoffs", "check", path).out


def test_amounts_that_mapkit_computed_are_not_judged(tmp_path: Path, run: Run) -> None:
    """Without one railroad some ways are long, which is no fault of the amounts."""
    folder = tmp_path / "sources" / "ireland"
    shutil.copytree(REPOSITORY / "sources" / "ireland", folder)
    for path in sorted((folder / "lines").glob("*.csv")):
        if path.stem == "mgwr":
            path.unlink()
    found = json.loads(run("check", "ireland", "-w", tmp_path, "--json", "--no-drawing").out)
    judged = json.loads(run("payoffs", "check", "ireland", "-w", tmp_path, "--json").out)
    assert {f["code"] for f in found["findings"] if f["code"][0] == "P" and f["code"] != "P13"} <= {"P02"}
    assert {f["code"] for f in judged["findings"]} <= {"P02"}


def test_the_chart_of_another_board_is_refused(run: Run) -> None:
    ran = run("payoffs", "check", "germany", "-b", "france", "-w", REPOSITORY)
    assert (ran.code, ran.out) == (1, "")
    assert "germany: 90 of its 90 cities (Aachen, " in ran.err
    assert "are not in France; is it a payoff chart of this board?" in ran.err


def test_a_small_chart_is_judged_by_its_form(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "small.json"
    path.write_text('[["Albany","Boston",2],["Boston","Buffalo",5],["Buffalo","Albany",3]]', encoding="utf-8")
    ran = run("payoffs", "check", path)
    assert (ran.code, ran.out) == (0, "")
    assert "3 cities, too few to judge amounts by one another; give 8 cities and 3 amounts a city at least" in ran.err
    found = json.loads(run("payoffs", "check", path, "-b", "usa", "-w", REPOSITORY, "--json").out)
    (lacking,) = [f for f in found["findings"] if f["code"] == "P02"]
    assert lacking["message"].startswith("64 of the 67 cities (")
    assert found["sd"] is None
    refused = run("payoffs", "check", path, "-f", "html", "-o", tmp_path / "page.html")
    assert (refused.code, (tmp_path / "page.html").exists()) == (1, False)
