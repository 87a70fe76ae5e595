"""Each command: its JSON equals the library's own result, results on stdout, talk on stderr."""

import json
from pathlib import Path

import pytest
from conftest import REPOSITORY, Run

import mapkit
from mapkit.core.jsontext import json_text
from mapkit.formats.sarif import sarif
from mapkit.kinds.rail.api.schemas import SCHEMAS, schema
from mapkit.kinds.rail.kind import RAIL
from mapkit.kinds.rail.model.board import Board

pytestmark = pytest.mark.slow

USA = REPOSITORY / "build" / "usa" / "board.json"


def test_report(usa: Board, run: Run) -> None:
    ran = run("report", USA, "--json")
    assert (ran.code, ran.out) == (0, json_text(mapkit.report(usa)))
    text = run("report", USA).out
    assert "PA        $30,000      13      28.09        0.00           0.936" in text
    assert "PA + SP      $72,000     49.05        0.00" in text
    assert "New York" in text


def test_route(usa: Board, run: Run) -> None:
    ran = run("route", "Philadelphia", "pittsburgh", "--board", USA, "--railroads", "PA,NYC", "--json")
    assert (ran.code, ran.out) == (
        0,
        json_text(mapkit.route(usa, "Philadelphia", "pittsburgh", railroads=["PA", "NYC"])),
    )
    assert run("route", "philadelphia", "Pittsburgh", "-b", USA).out == (
        "PA: Philadelphia > Harrisburg > Lewistown > Altoona > Pittsburgh\n"
        "4 mileposts, 293 miles, payoff $3,500, railroads PA\n"
    )
    assert run("route", "Minneapolis", "St. Paul", "-b", USA).out == (
        "Minneapolis/St. Paul: no move\n0 mileposts, 0 miles, payoff $0, railroads none\n"
    )


def test_route_that_is_not_there(run: Run) -> None:
    ran = run("route", "Miami", "Seattle", "-b", USA, "-r", "SAL")
    assert ran.code == 1
    assert ran.err.endswith("mapkit: there is no route from Miami to Seattle on sal; allow more railroads\n")
    ran = run("route", "Miammi", "Seattle", "-b", USA)
    assert ran.code == 1
    assert "'Miammi' is not a city or milepost of United States (did you mean 'Miami'?)" in ran.err


def test_check(usa: Board, run: Run) -> None:
    found = mapkit.check(usa)
    assert run("check", USA, "--json").out == json_text(found)
    assert run("check", USA, "-f", "sarif").out == json_text(sarif(found, RAIL.all_checks(), folder="sources/usa"))
    text = run("check", USA, "--all")
    notes = sum(finding.severity.value == "note" for finding in found.findings)
    assert "cities.csv:35: N11 note: only SAL serves Miami" in text.out
    assert text.err.endswith(f"United States: {len(found.checks)} checks, {notes} notes, 36 accepted\n")
    short = run("check", USA)
    assert short.out == ""
    assert short.err.endswith(f"{notes} notes, 36 accepted; --all lists them\n")


def test_json_is_one_of_the_formats_of_a_check(example: Path, run: Run) -> None:
    text = run("check", example, "--format", "json").out
    assert text == json_text(mapkit.check(mapkit.load(example))) == run("check", example, "--json").out


@pytest.mark.parametrize(
    ("line", "code", "says"),
    [
        ("check usa --json --format sarif", 2, "--json and --format sarif contradict each other; give one of them"),
        (
            "payoffs diff usa portugal -f csv --json",
            2,
            "--json and --format csv contradict each other; give one of them",
        ),
        ("check usa --no-drawing --drawing", 2, "--drawing and --no-drawing contradict each other; give one of them"),
        ("export usa --to engine --board-version 3", 2, "Invalid value for '--board-version': '3': write 2 or less"),
        ("playtest usa --seed x", 2, "Invalid value for '--seed': 'x': write a whole number"),
        ("playtest portugal-hex --rules ah", 2, "No such option: --rules; it is for boards of kind rail"),
        ("referee gone.jsonl", 1, "gone.jsonl: cannot be read: No such file or directory; check its name and folder"),
        ("import . --into example", 1, "mapkit: .: a folder cannot be read; name a file in it"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_sentence(
    example: Path, run: Run, monkeypatch: pytest.MonkeyPatch, line: str, code: int, says: str
) -> None:
    monkeypatch.chdir(example.parents[1])
    ran = run(*line.split())
    assert ran.code == code
    assert says in ran.err


def test_check_exits_1_with_errors(example: Path, run: Run) -> None:
    chart = example / "charts" / "payoffs.csv"
    chart.write_text(chart.read_text(encoding="utf-8").replace("Albany,0,7.5", "Albany,0,25"), encoding="utf-8")
    ran = run("check", example)
    assert ran.code == 1
    assert ran.out.startswith("charts/payoffs.csv:2: P03 error: ")
    config = example / "board.toml"
    config.write_text(
        config.read_text(encoding="utf-8") + '"P03:albany:boston" = "the author likes it so"\n', encoding="utf-8"
    )
    ran = run("check", example, "--all")
    assert ran.code == 0
    assert "P03 accepted: " in ran.out
    assert "(reason: the author likes it so)" in ran.out


def test_build_with_errors_only_when_asked(example: Path, run: Run, tmp_path: Path) -> None:
    chart = example / "charts" / "payoffs.csv"
    chart.write_text(chart.read_text(encoding="utf-8").replace("Albany,0,7.5", "Albany,0,25"), encoding="utf-8")
    out = tmp_path / "out"
    assert run("build", example, "--out", out).code == 1
    assert not out.exists()
    assert run("build", example, "--out", out, "--allow-errors").code == 0
    assert "P03" in (out / "findings.json").read_text(encoding="utf-8")


def test_build_says_where_the_picture_is(example: Path, run: Run) -> None:
    workspace = example.parent.parent
    ran = run("build", "example", "-w", workspace)
    picture = workspace / "build" / "example" / "board.svg"
    assert ran.err.splitlines()[-1] == f"The picture is {picture}"
    assert str(picture) in ran.out.splitlines()
    assert picture.is_file()
    found = json.loads(run("build", "example", "-w", workspace, "--json").out)
    assert found["picture"] == str(picture)
    assert (found["mileposts"], found["segments"], found["railroads"], found["cities"]) == (14, 15, 3, 6)


def test_a_shipped_board_builds_in_an_empty_folder(tmp_path: Path, run: Run) -> None:
    assert run("build", "usa", "-w", tmp_path).code == 0
    built = tmp_path / "build" / "usa" / "board.json"
    assert built.read_bytes() == USA.read_bytes()


def test_new_makes_a_package_that_builds_as_it_is(tmp_path: Path, run: Run) -> None:
    ran = run("new", "my-map", "-w", tmp_path)
    assert (ran.code, ran.out) == (0, f"{tmp_path / 'sources' / 'my-map'}\n")
    assert run("build", "my-map", "-w", tmp_path).code == 0
    board = mapkit.load("my-map", workspace=tmp_path)
    assert (board.id, board.title) == ("my-map", "My Map")
    assert mapkit.check(board).errors == ()


def test_new_copies_a_board(tmp_path: Path, run: Run) -> None:
    assert run("new", "copy", "--from", "usa", "-w", tmp_path).code == 0
    copied = tmp_path / "sources" / "copy"
    origin = REPOSITORY / "sources" / "usa"
    for path in origin.rglob("*.csv"):
        assert (copied / path.relative_to(origin)).read_bytes() == path.read_bytes()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("usa", "'usa' is a board that is shipped with mapkit; choose another name"),
        ("usa --from usa", "copy it: mapkit new my-usa --from usa"),
        ("copy --from usa --kind hex", "a copy of usa has the kind 'rail'; leave out --kind hex"),
    ],
)
def test_new_hides_no_shipped_board_and_ignores_no_kind(line: str, said: str, tmp_path: Path, run: Run) -> None:
    ran = run("new", *line.split(), "-w", tmp_path)
    assert ran.code
    assert said in ran.err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["My Map", "", "../up", "a/b", "ü"])
def test_new_refuses_what_is_no_name(name: str, tmp_path: Path, run: Run) -> None:
    ran = run("new", name, "-w", tmp_path)
    assert ran.code == 1
    assert "is not a name for a board" in ran.err
    assert list(tmp_path.iterdir()) == []


def test_new_never_overwrites(example: Path, run: Run) -> None:
    before = (example / "cities.csv").read_bytes()
    ran = run("new", "example", "-w", example.parent.parent)
    assert ran.code == 1
    assert "already exists" in ran.err
    assert (example / "cities.csv").read_bytes() == before


@pytest.mark.parametrize("name", sorted(SCHEMAS))
def test_schema(name: str, run: Run) -> None:
    ran = run("schema", name)
    assert (ran.code, ran.err) == (0, "")
    assert json.loads(ran.out) == schema(name)


def test_help_and_version(run: Run) -> None:
    assert "build" in run("--help").out
    assert run("--version").out == f"mapkit {mapkit.__version__}\n"
    for command in ("build", "check", "report", "route", "new", "schema"):
        assert run(command, "--help").code == 0
