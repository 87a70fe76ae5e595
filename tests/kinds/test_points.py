"""A kind of board brings its tables, commands, compiler, checks and drawing; everything else is the frame's."""

import json
import tomllib
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest
from conftest import Run
from doors import door, let_in, line
from points import POINTS, Document, Spot
from starlette.testclient import TestClient

from mapkit.core.addons import plugins
from mapkit.core.errors import SourceError
from mapkit.document.changes import Conflict, apply, difference, invert, row_json
from mapkit.document.command import CommandError
from mapkit.document.disk import merge
from mapkit.document.document import RowOrigin
from mapkit.document.frame_commands import rows_command
from mapkit.document.session import Session
from mapkit.document.workspace import Workspace
from mapkit.editor.server.app import make_app
from mapkit.editor.server.hub import Hub
from mapkit.kinds.registry import get_kind, kind_names, kind_of, open_session, register
from mapkit.variants.writing import variant_text

BOARD = """\
# kept
title = "Three lakes"
kind = "points"

[accepted]
"A01:far-lake:mud-lake" = "twins"
"""
TABLE = """\
id,name,x,y,colour
big-lake,Big Lake,10,20,#112233
mud-lake,Mud Lake,50,30,
far-lake,Mud Lake,90,40.5,
"""
DOOR = door(8124)
HOST = "http://127.0.0.1:8124"


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kind is known by its name, as a program that brings it makes it."""
    monkeypatch.setattr("mapkit.kinds.registry._KINDS", {"rail": "mapkit.kinds.rail.kind:RAIL"})
    register("points", "points:POINTS")


def test_an_installed_package_brings_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mapkit.kinds.registry._KINDS", {"rail": "mapkit.kinds.rail.kind:RAIL"})
    with pytest.raises(SourceError, match="the kinds are rail"):
        get_kind("points")
    point = EntryPoint("points", "points:POINTS", "mapkit.kinds")
    monkeypatch.setattr(plugins, "entry_points", lambda group: [point] if group == "mapkit.kinds" else [])
    plugins.list_plugins.cache_clear()
    try:
        assert get_kind("points").name == "points"
        assert kind_names() == ("points", "rail")
    finally:
        plugins.list_plugins.cache_clear()


@pytest.fixture
def lakes(tmp_path: Path) -> Path:
    """A workspace that holds a board of points; returns its source package."""
    folder = tmp_path / "sources" / "lakes"
    folder.mkdir(parents=True)
    (folder / "board.toml").write_text(BOARD, encoding="utf-8")
    (folder / "points.csv").write_text(TABLE, encoding="utf-8")
    return folder


def move(ident: str, x: float, y: float) -> dict[str, Any]:
    return {"kind": "move-point", "id": ident, "x": x, "y": y}


def spot(document: Document, key: str) -> Spot:
    found = document.get("points", key)
    assert isinstance(found, Spot)
    return found


def test_a_board_says_its_kind(lakes: Path) -> None:
    assert kind_of(lakes) is POINTS
    (lakes / "board.toml").write_text('title = "x"\nkind = "pionts"\n', encoding="utf-8")
    with pytest.raises(SourceError, match=r"'pionts', .*\(did you mean 'points'\?\); the kinds are points, rail"):
        open_session(lakes)
    with pytest.raises(
        SourceError, match=r"kind is 'hexagons', which is not a kind of board; the kinds are points, rail"
    ):
        get_kind("hexagons")


def test_files_become_rows_that_know_where_they_stand(lakes: Path) -> None:
    document: Document = open_session(lakes).document
    assert [*document.table("points")] == ["big-lake", "mud-lake", "far-lake"]
    assert spot(document, "far-lake") == Spot(name="Mud Lake", x=90, y=40.5, rank=3)
    origin = document.origin("points", "far-lake")
    assert origin is not None
    assert (origin.file, origin.row) == ("points.csv", 4)


def test_all_mistakes_of_all_rows_show_at_once(lakes: Path, run: Run) -> None:
    (lakes / "points.csv").write_text("id,name,x,y\na,A,1,here\nb,,2,3\na,C,4,5\n", encoding="utf-8")
    found = POINTS.read(POINTS.read_files(lakes))
    assert [str(problem) for problem in found.problems] == [
        "points.csv:2: y is 'here': write a number",
        "points.csv:3: name is empty; fill it in",
        "points.csv:4: id 'a' is already in row 2; rename one, or remove it",
    ]
    with pytest.raises(SourceError) as refused:
        open_session(lakes)
    assert len(refused.value.problems) == 3
    ended = run("check", "lakes", "--workspace", lakes.parent.parent)
    assert ended.code == 1
    assert [line.split(" ")[:3] for line in ended.out.splitlines()] == [
        [f"points.csv:{row}:", "S01", "error:"] for row in (2, 3, 4)
    ]


def test_steps_are_kept_undone_and_saved(lakes: Path) -> None:
    session = open_session(lakes)
    session.do(move("big-lake", 11, 21))
    session.do({"kind": "add-point", "id": "new-lake", "name": "New Lake", "x": 5, "y": 6})
    with pytest.raises(CommandError, match=r"point 'mud-lak' is not on this board \(did you mean 'mud-lake'\?\)"):
        session.do(move("mud-lak", 1, 1))

    again = open_session(lakes)
    assert again.document == session.document
    assert [step["label"] for step in again.history()["steps"]] == ["Opened", "Move big-lake", "Add New Lake"]
    again.undo()
    assert again.document.get("points", "new-lake") is None
    assert again.save() == ("points.csv",)
    assert (lakes / "points.csv").read_text(encoding="utf-8") == (
        "id,name,x,y,colour\nbig-lake,Big Lake,11,21,#112233\nmud-lake,Mud Lake,50,30,\nfar-lake,Mud Lake,90,40.5,\n"
    )
    assert not open_session(lakes).unsaved


def test_a_table_keeps_its_columns_until_a_row_needs_more(lakes: Path) -> None:
    table = lakes / "points.csv"
    table.write_text("y,colour,x,id,name\n20.0,, 10 ,big,Big\n30,,50,mud,Mud\n", encoding="utf-8")
    session = open_session(lakes)
    session.do(move("mud", 51, 31))
    session.save()
    assert table.read_text(encoding="utf-8") == "y,colour,x,id,name\n20.0,, 10 ,big,Big\n31,#336699,51,mud,Mud\n"
    table.write_text("y,x,id,name\n20.0, 10 ,big,Big\n30,50,mud,Mud\n", encoding="utf-8")
    session = open_session(lakes)
    session.do({"kind": "add-point", "id": "new", "name": "New", "x": 5, "y": 6})
    session.save()
    assert table.read_text(encoding="utf-8") == (
        "id,name,x,y,colour\nbig,Big,10,20,#336699\nmud,Mud,50,30,#336699\nnew,New,5,6,#336699\n"
    )


def test_commands_of_the_frame_are_commands_of_the_kind(lakes: Path) -> None:
    session = open_session(lakes)
    start = session.document
    session.do({"kind": "batch", "label": "Both", "commands": [move("big-lake", 1, 1), move("mud-lake", 2, 2)]})
    session.do({"kind": "set-setting", "key": "title", "value": "Lakes"})
    session.do({"kind": "unaccept-finding", "finding": "A01:far-lake:mud-lake"})
    session.save()
    assert tomllib.loads((lakes / "board.toml").read_text(encoding="utf-8")) == {"title": "Lakes", "kind": "points"}
    assert (lakes / "board.toml").read_text(encoding="utf-8").startswith("# kept\n")
    session.goto(0)
    assert session.document == start
    with pytest.raises(CommandError, match="a board keeps its kind"):
        session.do({"kind": "set-setting", "key": "kind", "value": "rail"})
    with pytest.raises(CommandError, match="no command 'move-city'"):
        session.do({"kind": "move-city", "id": "big-lake"})


def test_a_difference_is_a_command(lakes: Path) -> None:
    session = open_session(lakes)
    start = session.document
    session.do(move("big-lake", 1, 1))
    session.do({"kind": "remove-point", "id": "mud-lake"})
    session.do({"kind": "add-point", "id": "new-lake", "name": "New Lake", "x": 5, "y": 6})
    command = POINTS.commands.read(rows_command(difference(start, session.document), "All of it"))
    assert apply(start, command.plan(start).patch) == session.document


def test_a_changed_row_no_longer_knows_its_file(lakes: Path) -> None:
    start: Document = open_session(lakes).document
    after = apply(start, POINTS.commands.read(move("big-lake", 1, 1)).plan(start).patch)
    assert after.origin("points", "big-lake") is None
    assert after.origin("points", "mud-lake") == start.origin("points", "mud-lake")


def test_a_row_that_is_again_as_in_its_file_knows_where_it_stands(lakes: Path) -> None:
    session = open_session(lakes)
    session.do(move("mud-lake", 1, 1))
    assert session.document.origin("points", "mud-lake") is None
    session.undo()
    assert session.document.origin("points", "mud-lake") == RowOrigin("points.csv", 3)
    session.do({"kind": "remove-point", "id": "big-lake"})
    session.save()
    assert session.document.origins == {
        ("points", "mud-lake"): RowOrigin("points.csv", 2),
        ("points", "far-lake"): RowOrigin("points.csv", 3),
    }


def test_checks_find_accept_and_point_to_the_row(lakes: Path, run: Run) -> None:
    workspace = ("--workspace", lakes.parent.parent)
    assert run("check", "lakes", "--all", *workspace) == (
        0,
        "points.csv:4: A01 accepted: 2 points are called Mud Lake; rename one (reason: twins) [same-name]\n",
        "".join(f"check lakes: {stage} ...\n" for stage in ("reading the sources", "compiling", "checking"))
        + "Three lakes: 2 checks, 1 accepted\n",
    )
    assert run("do", "lakes", json.dumps(move("big-lake", 101, 1)), *workspace).code == 0
    ended = run("check", "lakes", "--format", "sarif", *workspace)
    (result, _) = json.loads(ended.out)["runs"][0]["results"]
    assert (ended.code, result["ruleId"]) == (1, "A02")
    assert result["locations"][0]["physicalLocation"]["region"] == {"startLine": 2}


def test_a_build_writes_board_drawing_and_findings(lakes: Path, run: Run) -> None:
    space = lakes.parent.parent
    assert run("build", "lakes", "--workspace", space).code == 0
    bundle = space / "build" / "lakes"
    assert sorted(path.name for path in bundle.iterdir()) == ["board.json", "board.svg", "bundle.json", "findings.json"]
    assert json.loads((bundle / "board.json").read_text(encoding="utf-8"))["kind"] == "points"
    assert '<circle id="big-lake" cx="10" cy="20" r="2" fill="#112233"/>' in (bundle / "board.svg").read_text(
        encoding="utf-8"
    )
    run("do", "lakes", json.dumps(move("big-lake", 10, 200)), "--workspace", space)
    refused = run("build", "lakes", "--workspace", space)
    assert (refused.code, refused.err.splitlines()[-1]) == (
        1,
        "points.csv:2: A02 error: Big Lake is off the page; move it [off-the-page]",
    )


def test_a_new_board_of_a_kind(tmp_path: Path, run: Run) -> None:
    assert run("new", "my-points", "--kind", "points", "--workspace", tmp_path).code == 0
    folder = tmp_path / "sources" / "my-points"
    assert tomllib.loads((folder / "board.toml").read_text(encoding="utf-8")) == {
        "title": "My Points",
        "kind": "points",
    }
    assert open_session(folder).package is POINTS
    assert "not a kind of board" in run("new", "other", "--kind", "pints", "--workspace", tmp_path).err


VARIANTS = {
    "raised": 'op = "move-point"\nid = "big-lake"\nx = 12\ny = 22\nreason = "the dam"',
    "mud": 'op = "move-point"\nid = "mud-lake"\nx = 51\ny = 31\nreason = "surveyed again"',
    "sunk": 'op = "move-point"\nid = "big-lake"\nx = 13\ny = 23\nreason = "the dam broke"',
}


@pytest.fixture
def varied(lakes: Path) -> Path:
    """The workspace of the board, with variants of it."""
    space = lakes.parent.parent
    (space / "variants").mkdir()
    for name, text in VARIANTS.items():
        head = f'name = "{name}"\nboard = "lakes"\n\n[[operations]]\n'
        (space / "variants" / f"{name}.toml").write_text(f"{head}{text}\n", encoding="utf-8")
    return space


def test_a_variant_is_a_list_of_commands(varied: Path, run: Run) -> None:
    assert run("build", "lakes", "--variant", "raised", "--variant", "mud", "--workspace", varied).code == 0
    board = json.loads((varied / "build" / "lakes+raised+mud" / "board.json").read_text(encoding="utf-8"))
    assert [(point["id"], point["x"], point["place"]["file"], point["place"]["row"]) for point in board["points"]] == [
        ("big-lake", 12, "variants/raised.toml", 4),
        ("mud-lake", 51, "variants/mud.toml", 4),
        ("far-lake", 90, "points.csv", 4),
    ]


def test_variants_that_contradict_each_other_are_refused(varied: Path, run: Run) -> None:
    refused = run("check", "lakes", "--variant", "raised", "--variant", "sunk", "--workspace", varied)
    assert refused.code == 1
    clash = "variants/sunk.toml:4: sunk and raised (variants/raised.toml:4) contradict each other on point big-lake, x"
    assert clash in refused.err
    (varied / "variants" / "mud.toml").write_text('name = "mud"\nboard = "usa"\n', encoding="utf-8")
    strange = run("check", "lakes", "--variant", "mud", "--workspace", varied)
    assert "'mud' is for the board 'usa', not 'lakes'" in strange.err


def test_a_difference_is_a_variant(varied: Path) -> None:
    start: Document = open_session(varied / "sources" / "lakes").document
    after = apply(start, POINTS.commands.read({"kind": "remove-point", "id": "mud-lake"}).plan(start).patch)
    after = apply(after, POINTS.commands.read(move("far-lake", 80, 8)).plan(after).patch)
    command = rows_command(difference(start, after), "Drained") | {"reason": "drained"}
    variant = POINTS.variant_model(name="drained", operations=(POINTS.commands.read(command),))
    (varied / "variants" / "drained.toml").write_text(variant_text(variant), encoding="utf-8")
    assert POINTS.vary(Workspace(varied), start, "lakes", ("drained",)) == after


def test_what_is_for_railroads_says_so(lakes: Path, run: Run) -> None:
    refused = run("report", "lakes", "--workspace", lakes.parent.parent)
    message = (
        "mapkit: board.toml: kind is 'points', but this command is for boards of railroads; give a board of kind 'rail'"
    )
    assert (refused.code, refused.err.splitlines()[-1]) == (1, message)


@pytest.fixture
def page(lakes: Path) -> Iterator[TestClient]:
    """A browser that opened the editor of the board."""
    with TestClient(make_app(Hub(open_session(lakes)), DOOR), base_url=HOST) as client:
        let_in(client, DOOR)
        yield client


def test_the_editor_shows_and_changes_it(page: TestClient, lakes: Path) -> None:
    assert "plain.js" in page.get("/").text
    assert page.get("/static/plain.js").status_code == 200
    with line(page, DOOR) as spoken:
        hello = spoken.receive_json()
        assert (hello["type"], hello["kind"], hello["title"]) == ("hello", "points", "Three lakes")
        assert hello["view"]["fields"]["points"] == ["name", "x", "y", "colour"]
        assert '<circle id="mud-lake" cx="50"' in hello["view"]["svg"]
        spoken.send_json({"type": "do", "id": "1", "seen": 0, "command": move("mud-lake", 55, 300)})
        heard: dict[str, Any] = {}
        while not {"changed", "done"} <= heard.keys() or "A02:mud-lake" not in ids_of(heard):
            message = spoken.receive_json()
            heard[message["type"]] = message
    (change,) = heard["changed"]["changes"]
    assert (change["key"], change["after"]["y"]) == ("mud-lake", 300)
    assert '<circle id="mud-lake" cx="55"' in heard["changed"]["view"]["svg"]
    (found,) = [one for one in heard["findings"]["findings"] if one["id"] == "A02:mud-lake"]
    assert (found["x"], found["y"]) == (55, 300)
    assert spot(open_session(lakes).document, "mud-lake").y == 300


def ids_of(heard: dict[str, Any]) -> set[str]:
    return {one["id"] for one in heard.get("findings", {}).get("findings", ())}


def test_two_sessions_meet_in_the_journal(lakes: Path) -> None:
    one: Session[Document] = open_session(lakes)
    other: Session[Document] = open_session(lakes)
    one.do(move("big-lake", 1, 1))
    other.refresh()
    assert spot(other.document, "big-lake").x == 1


def test_a_row_that_both_made_the_same_does_not_hide_other_rows_of_the_disk() -> None:
    far, moved, mud = Spot(name="Far", x=1, y=2), Spot(name="Far", x=3, y=2), Spot(name="Mud", x=5, y=6, rank=1)
    before = Document({"points": {"far": far}})
    mine = Document({"points": {"far": moved}})
    merged = merge(before, mine, Document({"points": {"far": moved, "mud": mud}}))
    assert merged.conflicts == ()
    assert apply(mine, merged.patch).table("points") == {"far": moved, "mud": mud}


def test_rows_that_were_changed_here_and_on_disk_are_conflicts() -> None:
    far, here, there = (Spot(name="Far", x=x, y=2) for x in (1, 3, 9))
    bog, drier = (Spot(name="Bog", x=x, y=6, rank=1) for x in (5, 6))
    mine = Document({"points": {"far": here, "bog": bog}})
    origin = RowOrigin("points.csv", 3)
    disk = Document({"points": {"far": there, "bog": drier}}, {("points", "bog"): origin, ("points", "far"): origin})
    merged = merge(Document({"points": {"far": far, "bog": bog}}), mine, disk)
    assert merged.conflicts == (Conflict(table="points", key="far", mine=row_json(here), theirs=row_json(there)),)
    merged_rows, their_rows = apply(mine, merged.patch), apply(mine, merged.theirs)
    assert merged_rows.table("points") == {"far": here, "bog": drier}
    assert their_rows.table("points") == {"far": there, "bog": bog}
    assert (merged_rows.origin("points", "bog"), their_rows.origin("points", "far")) == (origin, origin)
    assert apply(merged_rows, invert(merged.patch)) == mine
