"""`mapkit payoffs read` and `diff` as people run them."""

import csv
import json
import sys
from collections.abc import Callable, Iterator
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path

import pytest
from conftest import REPOSITORY, Run

import mapkit
from mapkit.core.jsontext import json_text
from mapkit.formats import files
from mapkit.kinds.rail.sources.payoffs.id_names import read_id_names

pytestmark = pytest.mark.usefixtures("keeping")

PAYOFFS = REPOSITORY / "sources" / "usa" / "charts" / "payoffs.csv"
FACTS = REPOSITORY.parent / "shared" / "facts" / "usa_classic_payoffs.csv"


def edited(tmp_path: Path, name: str, *changes: tuple[str, str]) -> Path:
    text = PAYOFFS.read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def test_read_says_what_was_understood(tmp_path: Path, run: Run) -> None:
    path = edited(tmp_path, "typed.csv", ("Portland OR", '"Portland, Ore."'), ("\nBoston,2,11,", "\nBoston,2,11½,"))
    ran = run("payoffs", "read", path, "--board", "usa", "-w", REPOSITORY)
    assert ran.code == 0
    assert ran.out.splitlines()[:3] == [
        f"{path}: csv, square, with the diagonal",
        "cities: 67, spelled in 67 ways: 66 exact, 1 state",
        "amounts: 4489, in thousands (amounts are 0.5 to 35, half of them up to 12.5), decimal sign .",
    ]
    assert f"Portland, Ore.  portland-or  state  {path}:1:51" in ran.out
    assert f"atlanta - boston  11     {path}:3:7  11.5    {path}:7:3" in ran.out


def test_read_as_json_is_the_librarys_own_result(run: Run) -> None:
    ran = run("payoffs", "read", PAYOFFS, "--board", "usa", "-w", REPOSITORY, "--json")
    assert ran.out == json_text(mapkit.read_payoffs(PAYOFFS, board="usa", workspace=REPOSITORY))


@pytest.mark.parametrize("option", [("--board", "portugal"), ("--kind", "pdf"), ("--pages", "3"), ("-a", "Foo=Bar")])
def test_the_chart_of_a_board_is_not_read_as_a_file(run: Run, option: tuple[str, str]) -> None:
    ran = run("payoffs", "read", "portugal", *option, "-w", REPOSITORY)
    assert ran.code == 2
    assert ran.err.startswith("mapkit: portugal is a board, and its chart is read as the board has it; leave out")


def test_read_writes_the_canonical_chart(tmp_path: Path, run: Run) -> None:
    rows = list(csv.reader(PAYOFFS.read_text(encoding="utf-8").splitlines()))
    path = tmp_path / "copied.txt"
    path.write_text("\n".join("   ".join(row[: k + 1] if k else row) for k, row in enumerate(rows)), encoding="utf-8")
    out = tmp_path / "new" / "payoffs.csv"
    ran = run("payoffs", "read", path, "-b", "usa", "-w", REPOSITORY, "--out", out)
    assert (ran.code, ran.err) == (0, f"The chart is {out}\n")
    assert out.read_bytes() == PAYOFFS.read_bytes()


def test_read_without_a_board_takes_the_names_as_they_are(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "chart.md"
    path.write_text("|   | Köln | Bonn |\n|---|---|---|\n| Köln | – | 1.5 |\n| Bonn | 1.5 | – |\n", encoding="utf-8")  # noqa: RUF001
    out = tmp_path / "payoffs.csv"
    assert run("payoffs", "read", path, "-o", out).code == 0
    assert out.read_text(encoding="utf-8") == "city,Köln,Bonn\nKöln,0,1.5\nBonn,1.5,0\n"


def test_misspelt_names_are_taken_only_with_accept(tmp_path: Path, run: Run) -> None:
    path = edited(tmp_path, "typed.csv", ("Pittsburgh", "Pitsburgh"), ("Portland ME", "Portland"))
    out = tmp_path / "payoffs.csv"
    common = ("payoffs", "read", path, "-b", "usa", "-w", REPOSITORY, "-o", out)
    ran = run(*common)
    assert ran.code == 1
    assert f"Pitsburgh  pittsburgh                {path}:1:48" in ran.out
    assert f"Portland   portland-me, portland-or  {path}:1:50" in ran.out
    assert "2 names fit nothing on the board: 'Pitsburgh', 'Portland'" in ran.err
    assert len(out.read_text(encoding="utf-8").splitlines()) == 66
    assert run(*common, "-a", "Pitsburgh=pittsburgh", "-a", "Portland=portland-me").code == 0
    assert out.read_bytes() == PAYOFFS.read_bytes()
    ran = run(*common, "-a", "Pitsburgh=pittsburgh", "-a", "Portland=portland-me", "-a", "Gary=chicago")
    assert "--accept Gary=...: the file has no such name" in ran.err


@pytest.mark.slow
def test_a_city_is_left_out_with_a_dash(tmp_path: Path, run: Run) -> None:
    """By every command that reads a chart, with a board and without; a comparison wants the name in one file only."""
    path = edited(tmp_path, "typed.csv", ("Pittsburgh", "Gary"))
    for board in (("-b", "usa", "-w", REPOSITORY), ()):
        for command in (("read", path), ("check", path), ("diff", path, PAYOFFS)):
            ran = run("payoffs", *command, *board, "-a", "Gary=-", "--json")
            assert ran.code in (0, 1)
            assert "gary" not in json.loads(ran.out)["chart" if command[0] == "read" else "cities"]
            assert ran.err == "" or command[0] == "check"
    out = tmp_path / "payoffs.csv"
    read = ("payoffs", "read", path, "-b", "usa", "-w", REPOSITORY, "-o", out)
    assert run(*read, "-a", "Gary=-").code == 0
    assert len(out.read_text(encoding="utf-8").splitlines()) == 67
    ran = run("payoffs", "diff", path, PAYOFFS, "-a", "Gary=-", "-a", "Garry=-")
    assert (ran.code, ran.err) == (1, "mapkit: --accept Garry=...: no file has such a name; correct it or drop it\n")


def test_without_a_board_a_spelling_is_accepted_as_another_name(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "chart.csv"
    path.write_text("city,Köln,Bonn\nCologne,0,1.5\nBonn,1.5,0\n", encoding="utf-8")
    out = tmp_path / "payoffs.csv"
    assert run("payoffs", "read", path, "-o", out, "-a", "Cologne=Köln").code == 0
    assert out.read_text(encoding="utf-8") == "city,Köln,Bonn\nKöln,0,1.5\nBonn,1.5,0\n"


def test_unread_cells_stay_empty_and_are_asked_for_unless_gaps_are_wanted(tmp_path: Path, run: Run) -> None:
    path = edited(tmp_path, "typed.csv", ("\nBoston,2,11,", "\nBoston,2?,-11,"))
    out = tmp_path / "payoffs.csv"
    ran = run("payoffs", "read", path, "-b", "usa", "-w", REPOSITORY, "-o", out)
    assert (ran.code, out.read_bytes()) == (1, PAYOFFS.read_bytes())  # the other half has both
    assert "2 cells of it stayed empty; settle them: --accept CITY:CITY=AMOUNT" in ran.err
    assert f"{path}:7:2  boston - albany   2?    no amount" in ran.out
    assert run("payoffs", "read", path, "-b", "usa", "-w", REPOSITORY).code == 1
    assert run("payoffs", "read", path, "-b", "usa", "-w", REPOSITORY, "-o", out, "--gaps").code == 0


@pytest.mark.parametrize(
    "options",
    [("--unit", "florins"), ("--unit", "0"), ("--decimal", ";"), ("--kind", "doc"), ("--accept", "Pitsburgh"),
     ("--accept", "=x"), ("--accept", "x=")],
)  # fmt: skip
def test_read_used_wrongly(options: tuple[str, str], run: Run) -> None:
    ran = run("payoffs", "read", PAYOFFS, *options)
    assert ran.code == 2
    assert options[0] in ran.err


def test_neither_file_nor_board(run: Run) -> None:
    ran = run("payoffs", "read", "nowhere.csv")
    assert ran.code == 1
    assert "mapkit: nowhere.csv: neither a file nor a board; boards are" in ran.err


@pytest.mark.slow
def test_diff(tmp_path: Path, run: Run) -> None:
    one = edited(tmp_path, "one.csv", ("\nAlbany,0,10,", "\nAlbany,0,13,"), ("\nAtlanta,10,", "\nAtlanta,13,"))
    two = edited(tmp_path, "two.csv", ("\nBoston,2,11,", "\nBoston,2,11.5,"))
    common = ("payoffs", "diff", one, two, "usa", "-b", "usa", "-w", REPOSITORY, "--geometry", "none")
    text = run(*common).out
    assert text.startswith("3 charts, 67 cities, 2,211 pairs of cities compared, 2 on which not all agree\n")
    assert "albany - atlanta   13       10   10        10            10      10\n" in text
    assert "atlanta - boston   11  11/11.5   11        11            11      11\n" in text
    found = json.loads(run(*common, "--json").out)
    assert found == json.loads(run(*common, "-f", "json").out)
    assert [cell["stands"] for cell in found["cells"]] == [10, 11]
    rows = list(csv.DictReader(StringIO(run(*common, "-f", "csv").out)))
    assert [(r["a"], r["b"], r["one"], r["two"], r["usa"], r["majority"]) for r in rows] == [
        ("albany", "atlanta", "13", "10", "10", "10"),
        ("atlanta", "boston", "11", "11/11.5", "11", "11"),
    ]
    both = run("payoffs", "diff", one, PAYOFFS, "-b", "usa", "-w", REPOSITORY, "-e", "usa", "--sd", "0.5").out
    assert "albany - atlanta   13       10       tie           tie  10 +- 0.5        10" in both


def test_diff_used_wrongly(run: Run) -> None:
    assert run("payoffs", "diff", PAYOFFS, "usa", "--sd", "1").code == 2
    assert run("payoffs", "diff", PAYOFFS, "usa", "--expected", "usa", "--sd", "0").code == 2
    assert run("payoffs", "diff", PAYOFFS, "usa", "-f", "xml").code == 2
    ran = run("payoffs", "diff", PAYOFFS)
    assert (ran.code, ran.err) == (1, "mapkit: give two charts or more, each once\n")


def test_the_shipped_chart_is_the_one_of_the_facts(run: Run) -> None:
    if not FACTS.is_file():
        pytest.skip("../shared/facts is not there")
    found = json.loads(run("payoffs", "diff", FACTS, "usa", "-b", "usa", "-w", REPOSITORY, "--json").out)
    assert (found["compared"], found["cells"]) == (2211, [])


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[bytes], None]]:
    """Return a function that puts bytes on standard input."""

    def put(data: bytes) -> None:
        files._copy_stdin.cache_clear()
        monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(data)))

    yield put
    files._copy_stdin.cache_clear()


def test_charts_are_read_from_standard_input(typed: Callable[[bytes], None], run: Run) -> None:
    typed(PAYOFFS.read_bytes())
    board = ("-b", "usa", "-w", REPOSITORY)
    assert run("payoffs", "read", "-", *board).out.splitlines()[0] == "-: csv, square, with the diagonal"
    assert run("payoffs", "check", "-", *board).err.startswith("-: ")
    assert "0 on which not all agree" in run("payoffs", "diff", "-", PAYOFFS, *board).out
    typed((PAYOFFS.parent / "destinations.csv").read_bytes())
    assert run("destinations", "check", "-", *board).out == "nothing found\n"
    typed((PAYOFFS.parents[1] / "railroads.csv").read_bytes())
    assert run("railroads", "read", "-", *board).out.startswith("-: csv, 28 prices")
    typed(b"city,Albany\nAlbany,x,3\n")
    ran = run("payoffs", "read", "-", *board)
    assert (ran.code, ran.err.startswith("mapkit: -:")) == (1, True)


@pytest.mark.parametrize(
    "chart",
    [
        '{"1": {"2": 2, "3": 3}, "2": {"3": 5}}',
        "[[1, 2, 2], [2, 3, 5], [3, 1, 3]]",
        '{"cities": [1, 2, 3], "thousands": [[0, 2, 3], [2, 0, 5], [3, 5, 0]]}',
        '[{"from": 1, "to": 2, "payoff": 2}, {"from": 2, "to": 3, "payoff": 5}, {"from": 3, "to": 1, "payoff": 3}]',
    ],
)
@pytest.mark.parametrize(
    "names",
    ["id,name\n1,Albany\n2,Boston\n3,Buffalo\n", '{"1": "Albany", "2": "Boston", "3": "Buffalo"}',
     '{"cities": [{"id": 1, "name": "Albany"}, {"id": 2, "name": "Boston"}, {"id": 3, "name": "Buffalo"}]}'],
)  # fmt: skip
def test_ids_get_the_names_of_another_file(chart: str, names: str, tmp_path: Path) -> None:
    (tmp_path / "chart.json").write_text(chart, encoding="utf-8")
    (tmp_path / "names").write_text(names, encoding="utf-8")
    options = mapkit.ReadOptions(names=read_id_names(tmp_path / "names"))
    found = mapkit.read_payoffs(tmp_path / "chart.json", board="usa", workspace=REPOSITORY, options=options).chart
    amounts = {frozenset((found.cities[r.row], found.cities[r.col])): r.value for r in found.readings if r.value}
    assert amounts == {
        frozenset(("albany", "boston")): 2,
        frozenset(("boston", "buffalo")): 5,
        frozenset(("albany", "buffalo")): 3,
    }


@pytest.mark.parametrize(
    ("names", "why"),
    [("id,name\n1,Albany\n1,Boston\n", "id '1' has two names; keep one"),
     ('{"1": {"2": 2}}', "no ids with names; write a table with the columns id and name"),
     ("", "the file is empty")],
)  # fmt: skip
def test_a_file_without_names_of_ids(names: str, why: str, tmp_path: Path, run: Run) -> None:
    (tmp_path / "names.txt").write_text(names, encoding="utf-8")
    ran = run("payoffs", "read", PAYOFFS, "--names", tmp_path / "names.txt")
    assert (ran.code, why in ran.err) == (1, True)


def test_names_of_rows_and_columns_are_given(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "chart.csv"
    path.write_text("city,a,b,c\nq,0,7.5,3\nr,7.5,0,5\ns,3,5,0\n", encoding="utf-8")
    (tmp_path / "rows").write_text("Albany\nBoston\nBuffalo\n", encoding="utf-8")
    out = tmp_path / "out.csv"
    given = ("payoffs", "read", path, "-b", "usa", "-w", REPOSITORY, "-o", out)
    assert run(*given, "--columns", "Albany, Boston, Buffalo", "--rows", f"@{tmp_path / 'rows'}").code == 0
    assert out.read_text(encoding="utf-8") == (
        "city,Albany,Boston,Buffalo\nAlbany,0,7.5,3\nBoston,7.5,0,5\nBuffalo,3,5,0\n"
    )
    ran = run(*given, "--columns", "Albany,Boston")
    assert "--columns gives 2 names, but the chart has 3 columns; give one for each, in their order" in ran.err
    assert "--box is given, but this is neither a PDF nor a picture" in run(*given, "--box", "0,0,9,9").err
    assert (ran := run(*given, "--box", "9,0,0,9")).code == 2
    assert "is not LEFT,TOP,RIGHT,BOTTOM, such as 40,60,550,800" in ran.err


def test_twins_are_suggested_by_their_short_forms(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "chart.csv"
    path.write_text(
        "city,Albany,Boston,San Fran/Oakland\nAlbany,0\nBoston,2\nSan Fran/Oakland,33,34\n", encoding="utf-8"
    )
    given = ("payoffs", "read", path, "-b", "usa", "-w", REPOSITORY)
    answer = "San Fran/Oakland=san-francisco/oakland"
    assert f"--accept '{answer}'" in run(*given).err
    found = json.loads(run(*given, "--json", "--accept", answer).out)["chart"]
    assert found["cities"] == ["albany", "boston", "oakland", "san-francisco"]
