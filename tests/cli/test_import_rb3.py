"""`mapkit import` of a whole board."""

from pathlib import Path

import pytest
from rb3_sample import LAKELAND
from typer.testing import CliRunner

from mapkit.cli.app import app


def invoke(*args: str) -> tuple[int, str]:
    found = CliRunner().invoke(app, list(args))
    return found.exit_code, found.output + str(found.exception or "")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "lake.txt").write_text(LAKELAND, encoding="utf-8")  # known by what it begins with
    return tmp_path


def test_a_map_of_no_country_becomes_a_board(folder: Path) -> None:
    args = ("import", str(folder / "lake.txt"), "--country", "none", "-w", str(folder))
    code, out = invoke(*args)
    assert (code, (folder / "sources").exists()) == (0, False), out
    assert "2 regions, 4 cities, 2 railroads, 8 dots, 7 steps" in out
    assert invoke(*args, "--into", "lake")[0] == 0
    cities = (folder / "sources/lake/cities.csv").read_text(encoding="utf-8")
    assert [line.split(",")[1] for line in cities.splitlines()[1:]] == ["Alpha", "Beta", "Gamma", "Delta"]
    code, out = invoke(*args, "--into", "lake")
    assert code == 1
    assert "--replace" in out
    assert invoke(*args, "--into", "lake", "--replace")[0] == 0
    (folder / "sources/lake/lines/old.csv").write_text("x", encoding="utf-8")
    code, out = invoke(*args, "--into", "lake", "--replace")
    assert code == 1
    assert "old.csv" in out


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("lake.txt", "--into", "Big Lake", "--country", "none"), "not a name for a board"),
        (("lake.txt", "--rings"), "--rings is for files of lines"),
        (("lake.txt", "--country", "XX"), "no country is called 'XX'"),
        (("lake.txt", "lake.txt"), "import it alone"),
    ],
)
def test_what_cannot_be_imported(folder: Path, args: tuple[str, ...], said: str) -> None:
    code, out = invoke("import", *(str(folder / arg) if arg == "lake.txt" else arg for arg in args), "-w", str(folder))
    assert code == 1
    assert said in out
    assert not (folder / "sources").exists()


def test_names_that_mean_no_place_are_refused(folder: Path) -> None:
    code, out = invoke("import", str(folder / "lake.txt"), "--into", "lake", "-w", str(folder))
    assert code == 1
    assert "--country none" in out
    assert not (folder / "sources").exists()
