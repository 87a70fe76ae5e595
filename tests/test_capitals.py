"""The same workspace gives the same answers where capitals count and where they do not, as on Windows and macOS."""

import json
from pathlib import Path

import pytest
from capitals import NoCapitals
from conftest import Run

from mapkit.core.output import write_files

pytestmark = pytest.mark.usefixtures("system")


@pytest.fixture(params=["capitals count", "capitals do not count"])
def system(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run a test on Linux, and on what a file system of Windows or macOS is like."""
    if request.param == "capitals do not count":
        NoCapitals(tmp_path, monkeypatch)
        (tmp_path / "Probe").touch()
        assert (tmp_path / "pROBE").is_file()
        (tmp_path / "probe").unlink()
        assert not list(tmp_path.iterdir())


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_board_is_found_by_its_own_capitals(tmp_path: Path, example: Path, run: Run) -> None:
    for name, meant in (("Example", "example"), ("USA", "usa")):
        ran = run("check", name, "-w", tmp_path)
        assert ran.code == 1
        assert f"board {name!r} is neither in {tmp_path / 'sources'} nor shipped" in ran.err
        assert f"did you mean {meant!r}?" in ran.err
    assert run("check", "example", "-w", tmp_path).code == 0
    assert names(example.parent) == ["example"]


def test_files_of_a_board_have_the_capitals_of_the_documents(tmp_path: Path, example: Path, run: Run) -> None:
    (example / "cities.csv").rename(example / "Cities.csv")
    ran = run("check", "example", "-w", tmp_path)
    assert ran.code == 1
    assert "Cities.csv: S01 error: mapkit looks for cities.csv, and not all systems find it so; rename it" in ran.out
    (example / "board.toml").rename(example / "aside")
    (example / "aside").rename(example / "Board.toml")
    ran = run("build", "example", "-w", tmp_path)
    assert ran.code == 1
    assert "Board.toml: mapkit looks for board.toml, and not all systems find it so; rename it" in ran.err


def test_folders_and_endings_have_small_letters_too(tmp_path: Path, example: Path, run: Run) -> None:
    (example / "charts").rename(example / "Charts")
    (example / "lines" / "shore.csv").rename(example / "lines" / "shore.CSV")
    ran = run("check", "example", "-w", tmp_path)
    assert ran.code == 1
    assert "Charts: mapkit looks for charts, and not all systems find it so; rename it" in ran.out
    assert "lines/shore.CSV: S01 error: the ending of a table is .csv, in small letters; rename it" in ran.out


def test_a_new_board_or_variant_is_not_one_in_other_capitals(tmp_path: Path, run: Run) -> None:
    write_files(tmp_path, {"sources/Lake/notes.txt": "mine", "variants/Dear.toml": "mine"})
    ran = run("new", "lake", "-w", tmp_path)
    assert (ran.code, "Lake already exists" in ran.err) == (1, True)
    ran = run("variant", "new", "dear", "-w", tmp_path)
    assert (ran.code, "Dear.toml already exists" in ran.err) == (1, True)
    assert (tmp_path / "variants" / "Dear.toml").read_text(encoding="utf-8") == "mine"


def test_a_drawing_does_not_take_the_place_of_one_in_other_capitals(tmp_path: Path, example: Path, run: Run) -> None:
    line = {"type": "LineString", "coordinates": [[-73.75, 42.65], [-72.59, 42.1], [-71.06, 42.36]]}
    feature = {"type": "Feature", "properties": {"railroad": "shore"}, "geometry": line}
    data = json.dumps({"type": "FeatureCollection", "features": [feature]})
    write_files(tmp_path, {"one/rail.geojson": data, "two/Rail.geojson": data})
    first = run("import", tmp_path / "one" / "rail.geojson", "--into", "example", "-w", tmp_path)
    assert first.code == 0, first.err
    before = (example / "drawings" / "rail.geojson").read_bytes()
    ran = run("import", tmp_path / "two" / "Rail.geojson", "--into", "example", "-w", tmp_path)
    assert ran.code == 1
    assert "drawings/Rail.geojson: rail.geojson is there, and Windows and macOS take both for one" in ran.err
    assert names(example / "drawings") == ["notes.csv", "rail.geojson"]
    assert (example / "drawings" / "rail.geojson").read_bytes() == before


def test_a_file_takes_the_place_of_one_in_other_capitals_that_goes(tmp_path: Path) -> None:
    write_files(tmp_path, {"Rail.csv": "old"})
    write_files(tmp_path, {"rail.csv": "new"}, remove=["Rail.csv"])
    assert {path.name: path.read_text(encoding="utf-8") for path in tmp_path.iterdir()} == {"rail.csv": "new"}


def test_a_picture_is_not_written_over_one_in_other_capitals(tmp_path: Path, example: Path, run: Run) -> None:
    write_files(tmp_path, {"Map.svg": "mine"})
    ran = run("draw", "example", "-w", tmp_path, "--out", tmp_path / "map.svg")
    assert ran.code == 1
    assert "Map.svg is there, and Windows and macOS take both for one" in ran.err
    assert (tmp_path / "Map.svg").read_text(encoding="utf-8") == "mine"
    assert names(tmp_path) == ["Map.svg", "sources"]
    assert names(example.parent) == ["example"]
