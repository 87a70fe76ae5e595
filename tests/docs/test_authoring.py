"""The walk of docs/how-to/drawings.md, run as it stands there, ends with the board that it promises."""

import re
import shutil
from pathlib import Path

import pytest
from board_helpers import open_folder
from conftest import REPOSITORY, Run
from walking import steps, walk_through

import mapkit
from mapkit.kinds.rail.tables import BY_RULE

PAGE = REPOSITORY / "docs" / "how-to" / "drawings.md"
APPENDIX = "\n## Appendix"
WALK = PAGE.read_text(encoding="utf-8").partition(APPENDIX)[0]


@pytest.fixture(scope="module")
def walked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder in which the whole walk was done, every command of it printing what the page shows."""
    folder = tmp_path_factory.mktemp("walk")
    walk_through(WALK, folder)
    return folder


def test_the_page_has_every_part_of_the_walk() -> None:
    done = [step.command.split()[1] for step in steps(WALK) if step.command.startswith("mapkit")]
    assert set(done) == {"new", "scan", "import", "trace", "check", "build", "report", "route"}
    written = {step.path.removeprefix("sources/erin/") for step in steps(WALK) if step.path}
    assert {"board.toml", "cities.csv", "railroads.csv", "control_points.csv", "south.svg"} <= written


def test_the_walk_ends_with_a_board_without_errors(walked: Path) -> None:
    board = mapkit.load("erin", workspace=walked)
    assert (len(board.mileposts), len(board.segments), len(board.junctions)) == (34, 38, 2)
    assert {railroad.id for railroad in board.railroads} == {"gswr", "mgwr", "gnr"}
    places = open_folder(walked / "sources" / "erin").places.values()
    kinds = [m.kind for m in board.mileposts]
    # seven dots and a point have names of their own
    assert (kinds.count("city"), [p.note for p in places].count(BY_RULE)) == (8, 34 - 8 - 8)
    found = mapkit.check(board)
    assert (found.ok, found.errors) == (True, ())
    assert [f.code for f in found.findings if f.accepted] == ["N05", "N17"]
    assert {f.code for f in found.findings} == {"G03", "N05", "N11", "N12", "N17"}
    assert (walked / "build" / "erin" / "board.svg").is_file()
    assert mapkit.load(walked / "build" / "erin" / "board.json") == board


def test_both_ways_of_drawing_meet(walked: Path) -> None:
    """The MGWR of the geodata stops at dots of the drawing that no railroad's layer holds."""
    board = mapkit.load("erin", workspace=walked)
    for place in ("athlone", "athenry"):
        assert {s.railroad for s in board.segments if place in (s.a, s.b)} == {"gswr", "mgwr"}
    features = {board.provenance.elements["pieces"][piece.id].feature or "" for piece in board.pieces}
    assert {feature.partition("#")[0] for feature in features} == {"drawings/north.geojson", "drawings/south.svg"}


def test_station_lists_of_the_appendix_join_the_board(walked: Path, tmp_path: Path) -> None:
    copy = tmp_path / "sources" / "erin"
    shutil.copytree(walked / "sources" / "erin", copy)
    appendix = PAGE.read_text(encoding="utf-8").partition(APPENDIX)[2]
    (table,) = re.findall(r"^```csv\n(.*?)^```$", appendix, re.MULTILINE | re.DOTALL)
    (copy / "lines" / "valentia.csv").write_text(table, encoding="utf-8")
    board = mapkit.load("erin", workspace=tmp_path)
    assert {s.id for s in board.segments if "killarney" in (s.a, s.b)} == {
        "gswr--killarney--mallow",
        "gswr--killarney--tralee",
    }
    assert len(board.mileposts) == 34 + 2


SVG = "drawings/south.svg"
AGAIN = ("import", "--again", "--into", "erin")
CHECK = ("check", "erin")
IMPORT = ("import", "north.geojson", "--column", "operator")
MISTAKES: dict[str, tuple[tuple[str, str, str], tuple[str, ...]]] = {
    "a drawing in pixels needs control_points.csv": (("control_points.csv", "", ""), CHECK),
    "an affine map needs at least 3 control points": (("control_points.csv", "*", "790,632,Dublin"), CHECK),
    "place 'Galwey' is not in the gazetteer": (("control_points.csv", "Galway", "Galwey"), CHECK),
    "key 'GSW' is not a railroad of the board": ((SVG, "GS&amp;WR", "GSW"), CHECK),
    "no column 'operater' (did you mean 'operator'?)": (("", "", ""), (*IMPORT[:3], "operater")),
    "--map 'MWG': no line has this key": (("", "", ""), (*IMPORT, "--map", "MWG=mgwr")),
    "already exists; give --replace to overwrite it": (
        ("", "", ""),
        (*IMPORT, "--into", "erin", "--map", "MGW=mgwr"),
    ),
    "no line passes through the milepost 'Thurles'": ((SVG, 'cx="538"', 'cx="560"'), CHECK),
    "a second milepost 'Thurles'": ((SVG, "<title>Mallow", "<title>Thurles"), CHECK),
    "GS&WR ends at Portarlington and goes on at Kildare": ((SVG, "M 641,701", "M 634,697"), CHECK),
    "no railroad serves Cork": (("control_points.csv", "326,666", "666,326"), CHECK),
    "text is not read": ((SVG, "</svg>", "<text>Scan</text></svg>"), CHECK),
    "the file is of the board 'erin'": (
        ("", "", ""),
        ("trace", "other", "--from", "node.gpkg"),
    ),
}


def test_every_mistake_of_the_page_is_tried() -> None:
    table = PAGE.read_text(encoding="utf-8").partition("### Frequent mistakes")[2]
    assert re.findall(r"^\| `([^`]+)` \|", table, re.MULTILINE) == list(MISTAKES)


@pytest.mark.parametrize("message", MISTAKES)
def test_frequent_mistakes_say_what_the_page_says(
    message: str, walked: Path, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    (name, old, new), command = MISTAKES[message]
    folder = tmp_path / "sources" / "erin"
    shutil.copytree(walked / "sources" / "erin", folder)
    for file in ("north.geojson", "node.gpkg"):
        shutil.copy(walked / file, tmp_path)
    monkeypatch.chdir(tmp_path)
    if "other" in command:
        assert run("new", "other").code == 0
    if name and not old:
        (folder / name).unlink()
    elif name:
        text = (folder / name).read_text(encoding="utf-8")
        changed = f"x,y,city\n{new}\n" if old == "*" else text.replace(old, new, 1)
        assert changed != text
        (folder / name).write_text(changed, encoding="utf-8")
    again = run(*AGAIN) if command == CHECK else run("formats")
    ran = run(*command)
    assert message in again.out + again.err + ran.out + ran.err
