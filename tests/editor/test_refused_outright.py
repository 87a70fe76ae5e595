"""What a check of the board refuses outright is refused as a step, with the same words."""

from pathlib import Path

import pytest
from board_helpers import open_folder
from edited import Json, small_board

from mapkit.core.errors import SourceError
from mapkit.core.problems import problem_lines
from mapkit.document.draft import Draft
from mapkit.document.session import Session
from mapkit.document.workspace import Workspace
from mapkit.kinds.hex.commands import COMMANDS
from mapkit.kinds.hex.compiler import compile_hexes
from mapkit.kinds.rail.commands import CommandError
from mapkit.kinds.rail.commands.command import read_command
from mapkit.kinds.rail.compiler.compile import compile_document
from mapkit.kinds.rail.editing.saving import all_files
from mapkit.kinds.rail.kind import RAIL
from mapkit.kinds.rail.reading.files import Folder
from mapkit.kinds.rail.reading.package import read_package
from mapkit.kinds.rail.tables import RailDocument
from mapkit.kinds.registry import open_session
from mapkit.kinds.starting import new_board

PWN = "../../../pwn"


@pytest.fixture
def document(tmp_path: Path) -> RailDocument:
    return open_folder(small_board(tmp_path))


def setting(key: str, value: object) -> Json:
    return {"kind": "set-setting", "key": key, "value": value}


def rows(table: str, key: str, **row: object) -> Json:
    return {"kind": "set-rows", "label": "x", "rows": [{"table": table, "key": key, "row": row}]}


def done_all_the_same(document: RailDocument, made: Json) -> RailDocument:
    """Return the document with a step that is not judged."""
    draft = Draft(document)
    read_command(made).edit(draft)
    return draft.document


def refusal(document: RailDocument, made: Json) -> str:
    session = Session(document, RAIL)
    with pytest.raises(CommandError) as refused:
        session.do(made)
    assert session.document is document
    assert session.position == 0
    return str(refused.value)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("made", "said"),
    [
        (
            setting("projection", {"name": "crs", "crs": "/etc/passwd"}),
            "projection 'crs' ('/etc/passwd') cannot show this board",
        ),
        (setting("projection", {"name": "crs"}), "projection 'crs' ('') cannot show this board"),
        (setting("projection", {"name": "albers", "lat_1": 0, "lat_2": 0}), "cannot show this board"),
        (setting("page.margin", 2000), "the margins and the legend fill the page of"),
        (setting("page.legend", 4000), "the margins and the legend fill the page of"),
        (setting("layers.land", "layers/none.geojson"), "layers.land names 'layers/none.geojson', which is not in"),
        (setting("gazetteer.countries", ["MX"]), "is not in the gazetteer"),
        (setting("title", "地図"), "the title '地図' has Chinese letters"),
        ({"kind": "edit-railroad", "id": "shore", "name": "鉄道"}, "the railroad '鉄道' has Chinese letters"),
        ({"kind": "edit-city", "id": "boston", "name": "東京 B"}, "the city '東京 B' has Chinese letters"),
        (
            {"kind": "batch", "label": "x", "commands": [setting("page.width", 100), setting("page.margin", 60)]},
            "the margins and the legend fill the page of 100 x",
        ),
    ],
)
def test_a_step_is_refused_in_the_words_of_a_check(document: RailDocument, made: Json, said: str) -> None:
    text = refusal(document, made)
    assert said in text
    problems = compile_document(done_all_the_same(document, made), board_id="x").problems
    unplaced = [str(problem) if problem.table == "settings" else problem.message for problem in problems]
    assert any(problem in text or problem.removeprefix("board.toml: ") in text for problem in unplaced)


@pytest.mark.parametrize(
    "made",
    [
        rows("cities", PWN, name="Pwn", region="coast", lon=-71.0, lat=43.0),
        rows("cities", "pwn", name="Pwn", region="nowhere", lon=-71.0, lat=43.0),
        rows("cities", "pwn", name="Boston", region="coast", lon=-71.0, lat=43.0),
        rows("railroads", PWN, name="Pwn", short="PW", price=1, public=False, colour="#000000", pattern="solid"),
        rows("mileposts", PWN, name="Pwn", lon=-71.0, lat=43.0),
        rows("mileposts", "pwn", name="Pwn", lon=900.0, lat=43.0),
        rows("junctions", PWN, railroad="shore", lon=-71.0, lat=43.0),
        rows("payoff_cities", PWN),
        rows("wanted", "pwn", name="Pwn"),
    ],
)
def test_rows_that_files_may_not_have_are_refused_in_the_words_of_a_check(document: RailDocument, made: Json) -> None:
    files = all_files(done_all_the_same(document, made))
    problems = read_package(Folder(files)).problems
    assert problems
    batched = {"kind": "batch", "label": "x", "commands": [made]}
    for step in (made, batched):
        assert refusal(document, step) == "; ".join(problem_lines(problems))


@pytest.mark.parametrize(
    "made",
    [
        rows("lines", PWN, railroad="shore", name="X", file="lines/x.csv", stops=[["Boston", "milepost"]]),
        rows("destinations", PWN, item=None),
        rows("payoffs", f"{PWN}|x", thousands=3),
        rows("control_points", PWN, x=1, y=2, lon=3, lat=4),
        rows("compiled", PWN, value=3),
    ],
)
def test_rows_that_would_not_be_read_again_are_refused(document: RailDocument, made: Json) -> None:
    table, key = made["rows"][0]["table"], made["rows"][0]["key"]
    assert refusal(document, made) == f"{table} {key!r} would change when it is saved and read again; correct it"


def test_an_id_of_a_region_is_an_id(document: RailDocument) -> None:
    text = refusal(document, rows("regions", PWN, name="Pwn", short="PW", colour="#000000"))
    assert text.endswith(f"id is {PWN!r}: write small letters and digits, joined by hyphens, such as new-york-ny")


def test_a_crs_for_drawings_must_be_one(document: RailDocument) -> None:
    text = refusal(document, setting("tracing.crs", "/etc/passwd"))
    assert text == "tracing.crs: unknown CRS '/etc/passwd'; give one like EPSG:4326"
    session = Session(document, RAIL)
    session.do(setting("tracing.crs", "EPSG:2154"))
    assert session.document.settings["tracing.crs"].value == "EPSG:2154"


def test_what_was_wrong_before_does_not_refuse_a_step(document: RailDocument) -> None:
    wrong = done_all_the_same(document, setting("page.margin", 2000))
    session = Session(wrong, RAIL)
    session.do(setting("projection", {"name": "crs", "crs": "EPSG:3857"}))
    session.do(setting("page.margin", 10))
    assert compile_document(session.document, board_id="x").problems == ()


@pytest.mark.parametrize(
    ("kind", "table", "row"),
    [("hex", "components", {"kind": "other"}), ("cards", "railroads", {"category": "A", "name": "Q"})],
)
def test_an_id_that_is_a_path_is_refused_whatever_the_kind(tmp_path: Path, kind: str, table: str, row: Json) -> None:
    folder = new_board(Workspace(tmp_path), "mine", kind=kind)
    session = open_session(folder)
    with pytest.raises(CommandError, match="an id is not a path; write small letters and digits, joined by hyphens"):
        session.do(rows(table, PWN, **row))
    assert session.position == 0
    file = folder / f"{table}.csv"
    lines = file.read_text(encoding="utf-8").splitlines()
    file.write_text("\n".join([*lines, PWN + lines[1][lines[1].index(",") :], ""]), encoding="utf-8")
    with pytest.raises(SourceError, match="an id is not a path"):
        open_session(folder)


@pytest.mark.parametrize("kind", ["rail", "hex", "cards"])
@pytest.mark.parametrize(
    ("key", "value", "said"),
    [("crs", "x", "crs is 'x': this key is unknown; remove it"), ("title", 5, "title is 5: write a text")],
)
def test_a_setting_that_board_toml_may_not_have_is_refused_whatever_the_kind_and_the_command(
    tmp_path: Path, kind: str, key: str, value: object, said: str
) -> None:
    folder = new_board(Workspace(tmp_path), "mine", kind=kind)
    session = open_session(folder)
    for made in (setting(key, value), rows("settings", key, value=value)):
        with pytest.raises(CommandError) as refused:
            session.do(made)
        assert str(refused.value).partition(" (did you mean")[0] == said
    assert session.position == 0


@pytest.mark.parametrize("kind", ["hex", "cards"])
def test_a_board_keeps_its_kind_whatever_the_command(tmp_path: Path, kind: str) -> None:
    session = open_session(new_board(Workspace(tmp_path), "mine", kind=kind))
    taken_out: Json = {
        "kind": "set-rows",
        "label": "x",
        "rows": [{"table": "settings", "key": "kind", "row": None}],
    }
    for made in (rows("settings", "kind", value="rail"), setting("kind", "rail"), taken_out):
        with pytest.raises(CommandError, match="a board keeps its kind; make a new board of the other kind"):
            session.do(made)
    session.do(rows("settings", "kind", value=kind))


def test_a_setting_is_a_value_or_holds_others(document: RailDocument) -> None:
    session = Session(document, RAIL)
    session.do(setting("page.width", 900))
    with pytest.raises(CommandError) as refused:
        session.do(rows("settings", "page", value="x"))
    assert str(refused.value).startswith("page is 'x' and holds no ")


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (rows("cities", "yew", name="Yew", hex="99-99"), "hexagon '99-99' is not on the grid"),
        (rows("links", "x", a="fir", b="nowhere"), "nowhere"),
        (rows("terrains", "plains", name="Mine", cost=1, colour="#000000"), "terrain 'plains' is one that every board"),
        (rows("edges", "1-1--9-9", kinds=["ridge"]), "hexagon '9-9' is not on the grid"),
    ],
)
def test_rows_of_hexagons_that_a_check_refuses_are_refused_in_its_words(tmp_path: Path, made: Json, said: str) -> None:
    session = open_session(new_board(Workspace(tmp_path), "mine", kind="hex"))
    before = session.document
    with pytest.raises(CommandError) as refused:
        session.do(made)
    assert said in str(refused.value)
    draft = Draft(before)
    COMMANDS.read(made).edit(draft)
    problems = compile_hexes(draft.document, board_id="x").problems
    assert "; ".join(map(str, problems)) == str(refused.value)
    assert session.document is before
