"""Files that commands read and write are named from the current folder, whatever the workspace is."""

import json
import shutil
from pathlib import Path

import pytest
from conftest import Run
from tiny import tiny_board

from mapkit.core.jsontext import json_text

CHART = "city,Albany,Boston,Burlington\nAlbany,0,7.5,4.5\nBoston,7.5,0,4\nBurlington,4.5,4,0\n"
PRICES = "Shore Line,9000\n"
DESTINATIONS = "chart,sum,odd,even\nregions,2,coast,inland\n"
DRAWING = {
    "type": "FeatureCollection",
    "features": [
        {
            "type": "Feature",
            "properties": {"railroad": "shore"},
            "geometry": {"type": "LineString", "coordinates": [[-72.93, 41.31], [-71.41, 41.82]]},
        }
    ],
}


@pytest.fixture
def elsewhere(example: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A workspace with the board `example`; the current folder is another one with files of all sorts."""
    here = tmp_path / "here"
    here.mkdir()
    for name, text in {
        "chart.csv": CHART,
        "prices.csv": PRICES,
        "charts.csv": DESTINATIONS,
        "line.geojson": json.dumps(DRAWING),
        "board.json": json_text(tiny_board()),
    }.items():
        (here / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(here)
    return example.parents[1]


@pytest.mark.parametrize(
    ("args", "written"),
    [
        (("payoffs", "read", "chart.csv", "--board", "example", "--out", "read.csv"), "read.csv"),
        (("payoffs", "compute", "example", "--out", "computed.csv"), "computed.csv"),
        (("railroads", "read", "prices.csv", "--board", "example", "--out", "list.csv"), "list.csv"),
        (("destinations", "read", "charts.csv", "--board", "example", "--out", "dice.csv"), "dice.csv"),
        (
            ("destinations", "solve", "example", "--weights", "population", "--seconds", "0.2", "--out", "solved.csv"),
            "solved.csv",
        ),
        (("import", "line.geojson"), ""),
        (("import", "board.json"), ""),
        (("draw", "example", "--out", "board.svg"), "board.svg"),
        (("variant", "diff", "example", "example", "--as-variant", "none.toml"), "none.toml"),
    ],
)
def test_files_are_named_from_the_current_folder(
    args: tuple[str, ...], written: str, elsewhere: Path, run: Run
) -> None:
    before = sorted(path for path in elsewhere.rglob("*") if "here" not in path.parts)
    done = run(*args, "--workspace", elsewhere)
    assert done.code == 0, done.err
    assert not written or Path(written).is_file()
    assert sorted(path for path in elsewhere.rglob("*") if "here" not in path.parts) == before


def test_a_board_is_looked_up_in_the_workspace_by_its_path_too(elsewhere: Path, run: Run) -> None:
    shutil.copytree(elsewhere / "sources", elsewhere / "more")
    done = run("check", "more/example", "--workspace", elsewhere)
    assert (done.code, done.err.splitlines()[-1]) == (0, "My board: 72 checks, 1 warning, 5 notes; --all lists them")
    assert "no board.toml there" in run("check", "more/example").err
