"""A document of which some track stands in station lists and some in tables is compiled as one."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from board_helpers import apply_variant
from generated import changed, grid_document, with_row

from mapkit.core.errors import SourceError
from mapkit.core.geodesy import line_miles
from mapkit.document.changes import apply
from mapkit.document.document import RowOrigin
from mapkit.kinds.rail.commands import COMMANDS, CommandError, read_command
from mapkit.kinds.rail.compiler.compile import Compiled, compile_document
from mapkit.kinds.rail.compiler.package import compile_folder
from mapkit.kinds.rail.editing.saving import all_files
from mapkit.kinds.rail.live.checks import live_findings
from mapkit.kinds.rail.live.view import view_delta, whole_view
from mapkit.kinds.rail.reading.package import document_of
from mapkit.kinds.rail.render.board import render_board
from mapkit.kinds.rail.tables import Junction, Line, Milepost, RailDocument, Railroad, Track, ranked
from mapkit.kinds.rail.variants.board_diff import diff_boards
from mapkit.kinds.rail.variants.variant import Variant
from mapkit.kinds.registry import open_session
from mapkit.variants.variant import command_data

LISTED = grid_document(3, 11, cities=6)
START, END = "city-0", "stop-02x010"
ROWS: dict[str, dict[str, Any]] = {
    "railroads": {
        "blue": Railroad(
            rank=99, name="Blue Line", short="BLUE", price=9_000, public=False, colour="#0000ff", pattern="solid"
        )
    },
    "mileposts": {
        "far-post": Milepost(name="Far Post", lon=-110.0, lat=45.0),
        "near-post": Milepost(name="Near Post", lon=-112.0, lat=43.0),
    },
    "junctions": {"blue--fork": Junction(railroad="blue", lon=-111.0, lat=44.0)},
    "track": {
        "blue--city-0--near-post": Track(railroad="blue", a=START, b="near-post", bends=((-115.0, 41.0),)),
        "blue--fork--near-post": Track(railroad="blue", a="blue--fork", b="near-post"),
        "blue--far-post--fork": Track(railroad="blue", a="far-post", b="blue--fork"),
        "blue--fork--stop-02x010": Track(railroad="blue", a="blue--fork", b=END),
    },
}


def both(document: RailDocument = LISTED) -> RailDocument:
    """Return a document with a railroad of which all track stands in tables."""
    for table, rows in ROWS.items():
        for key, row in rows.items():
            document = with_row(document, table, key, row)
    return document


def compiled(document: RailDocument, live: Compiled | None = None) -> Compiled:
    return compile_document(document, board_id="grid") if live is None else live.recompile(document)


def test_tables_and_lists_give_one_board() -> None:
    live, listed = compiled(both()), compiled(LISTED)
    assert live.problems == ()
    board = live.board
    assert {s.id for s in board.segments} - {s.id for s in listed.board.segments} == {
        "blue--city-0--near-post",
        "blue--far-post--near-post",
        "blue--far-post--stop-02x010",
        "blue--near-post--stop-02x010",
    }
    posts = {m.id: m for m in board.mileposts}
    assert posts.keys() - {m.id for m in listed.board.mileposts} == {"far-post", "near-post"}
    assert (posts["far-post"].name, posts["far-post"].kind) == ("Far Post", "dot")
    piece = next(p for p in board.pieces if p.id == "blue--city-0--near-post")
    start = (posts[START].lon, posts[START].lat)
    assert piece.line == (start, (-115.0, 41.0), (-112.0, 43.0))
    assert piece.miles == round(line_miles(piece.line), 2)
    assert piece.path[0] == (posts[START].x, posts[START].y)
    left, top, right, bottom = board.page.frame
    assert all(left <= m.x <= right and top <= m.y <= bottom for m in board.mileposts)  # the page is fitted to both


@pytest.mark.slow
def test_checks_a_drawing_and_a_variant_take_both() -> None:
    live = compiled(both())
    before = {f.id for f in live_findings(compiled(LISTED)).findings}
    new = {f.id for f in live_findings(live).findings} - before
    assert {"N10:blue--far-post--near-post", "N12:far-post"} <= new
    assert {ident for ident in new if "blue" not in ident} == {"N04:far-post", "N12:far-post"}
    svg = render_board(live.board)
    assert "blue--far-post--near-post" in svg
    assert "row-0--" in svg
    operations = [
        {"op": "add-milepost", "id": "mid", "name": "Mid", "segments": ["blue--city-0--near-post"], "reason": "r"},
        {"op": "remove-segments", "segments": ["row-0--city-0--stop-00x001"], "reason": "r"},
    ]
    after = apply_variant(live.board, Variant.model_validate({"name": "v", "operations": operations}))
    ids = {s.id for s in after.segments}
    assert {"blue--city-0--mid", "blue--mid--near-post"} <= ids
    assert "row-0--city-0--stop-00x001" not in ids


def test_edit_by_edit_is_from_scratch() -> None:
    document = both()
    steps = [
        changed(document, "mileposts", "far-post", lon=-109.5),
        changed(document, "cities", START, lon=-119.0),
        changed(document, "places", "Stop 02x010", lat=38.6),
        with_row(document, "track", "blue--far-post--fork", None),
        with_row(document, "junctions", "blue--fork", Junction(railroad="blue", lon=-111.5, lat=44.5)),
        changed(document, "track", "blue--city-0--near-post", bends=()),
        changed(document, "cities", START, milepost="Far Post"),
        with_row(document, "railroads", "blue", None),
        with_row(document, "mileposts", "stop-02x010", Milepost(name="Stop 02x010", lon=-80.0, lat=39.0)),
        LISTED,
    ]
    live = compiled(document)
    view: dict[str, Any] = {**whole_view(live)}
    for step in [*steps, document]:
        after = compiled(step, live)
        scratch = compile_document(step, board_id="grid", frame=live.frame)
        assert after.board == scratch.board
        assert after.problems == scratch.problems
        delta: dict[str, Any] = {**view_delta(live, after)}
        for part, now in view.items():
            if part != "page":
                view[part] = {key: value for key, value in (now | delta[part]).items() if value is not None}
        assert view == whole_view(scratch)
        live = after


def test_what_did_not_change_is_the_same_object() -> None:
    live = compiled(both())
    after = compiled(changed(live.document, "mileposts", "far-post", lon=-109.5), live)
    was, now = ({p.id: p for p in board.pieces} for board in (live.board, after.board))
    assert {key for key, piece in now.items() if was[key] is not piece} == {"blue--far-post--fork"}


def test_a_railroad_may_have_both() -> None:
    document = with_row(
        both(), "track", "row-0--far-post--stop-00x001", Track(railroad="row-0", a="far-post", b="stop-00x001")
    )
    live = compiled(document)
    assert live.problems == ()
    own = {s.id for s in live.board.segments if s.railroad == "row-0"}
    assert {"row-0--far-post--stop-00x001", "row-0--city-0--stop-00x001"} <= own
    twice = with_row(
        both(), "track", "row-0--stop-00x001--stop-00x002", Track(railroad="row-0", a="stop-00x001", b="stop-00x002")
    )
    assert [(p.table, p.key) for p in compiled(twice).problems] == [("track", "row-0--stop-00x001--stop-00x002")]


def test_a_line_may_lead_to_a_milepost_of_the_table() -> None:
    stops = (("Stop 00x001", "milepost"), ("far post", "milepost"))
    line = Line(rank=9, railroad="row-0", name="branch", file="lines/row-0.csv", stops=stops)
    live = compiled(with_row(both(), "lines", "row-0-branch", line))
    assert live.problems == ()
    piece = next(p for p in live.board.pieces if p.id == "row-0--far-post--stop-00x001")
    assert piece.line[0] == (-110.0, 45.0)
    assert [m.name for m in live.board.mileposts if m.id == "far-post"] == ["Far Post"]


@pytest.mark.parametrize("place", ["far-post", "Far Post"])
def test_line_tools_lead_lines_to_mileposts_of_the_table(place: str) -> None:
    document = both()
    for command in (
        {"kind": "add-line", "railroad": "row-0", "stops": ["Stop 00x001", place]},
        {"kind": "extend-line", "line": "row-0-main", "end": "end", "stops": [{"place": place}]},
    ):
        out = apply(document, read_command(command).plan(document).patch)
        live = compiled(out)
        assert live.problems == ()
        assert any(p.railroad == "row-0" and "far-post" in (p.a, p.b) for p in live.board.pieces)
        assert document_of(all_files(out)) == ranked(out)
    new = {"kind": "add-line", "railroad": "row-0", "stops": ["Stop 00x001", {"place": place, "lon": -1, "lat": 2}]}
    with pytest.raises(CommandError, match="there is a place"):
        read_command(new).plan(document)


@pytest.mark.parametrize(
    ("row", "start"),
    [
        (Track(railroad="blue", a="far-post", b="nowhere"), "it ends at 'nowhere', which is neither a milepost nor"),
        (Track(railroad="gold", a="far-post", b="near-post"), "the railroad 'gold' is not in the table of railroads"),
    ],
)
def test_track_that_leads_nowhere_is_a_problem(row: Track, start: str) -> None:
    live = compiled(with_row(both(), "track", "x", row))
    assert [(p.table, p.key) for p in live.problems] == [("track", "x")]
    assert live.problems[0].message.startswith(start)
    assert live.board.segments == compiled(both()).board.segments


def test_provenance_says_where_rows_of_both_stand() -> None:
    document = both()
    at = {("track", "blue--far-post--fork"): RowOrigin("blue.csv", 7)}
    board = compile_document(RailDocument(document.tables, at), board_id="grid", files=()).board
    elements = board.provenance.elements
    assert elements["pieces"]["blue--far-post--fork"].where == "blue.csv:7"
    assert elements["segments"]["blue--far-post--near-post"].where == "blue.csv:7"
    assert elements["pieces"].keys() == {p.id for p in board.pieces}
    assert elements["mileposts"].keys() == {m.id for m in board.mileposts}
    assert elements["segments"].keys() == {s.id for s in board.segments}


def done(operation: Mapping[str, object]) -> RailDocument:
    """Return the document after a command on its track; the board must be what the same makes of the board."""
    live = compiled(both())
    variant = Variant.model_validate({"name": "v", "operations": [{**operation, "reason": "r"}]})
    command = read_command(command_data(COMMANDS, operation))
    out = apply(live.document, command.plan(live.document).patch)
    after = compile_document(out, board_id="grid", frame=live.frame)
    assert after.problems == ()
    assert [step.text for step in diff_boards(after.board, apply_variant(live.board, variant)).story] == []
    return out


def test_commands_change_rows_of_tables_and_leave_the_lists() -> None:
    document = both()
    moved = done({"op": "move-milepost", "id": "far-post", "lon": -109.0, "lat": 45.5})
    assert (moved.mileposts["far-post"].lon, moved.lines) == (-109.0, document.lines)
    named = done({"op": "rename-milepost", "id": "far-post", "name": "End of Track"})
    assert (named.mileposts["far-post"].name, named.lines) == ("End of Track", document.lines)
    cut = done({"op": "add-milepost", "id": "mid-post", "name": "Mid", "segments": ["blue--city-0--near-post"]})
    assert {"blue--city-0--mid-post", "blue--mid-post--near-post"} <= cut.track.keys()
    assert (cut.mileposts["mid-post"].name, cut.lines) == ("Mid", document.lines)
    gone = done({"op": "remove-segments", "segments": ["blue--city-0--near-post"]})
    assert document.track.keys() - gone.track.keys() == {"blue--city-0--near-post"}


def test_commands_change_lists_and_leave_the_tables() -> None:
    document = both()
    gone = done({"op": "remove-segments", "segments": ["row-1--stop-01x001--stop-01x002"]})
    assert gone.track == document.track
    assert gone.lines["row-1-main"] != document.lines["row-1-main"]
    given = done({"op": "reassign-segments", "segments": ["row-1--stop-01x001--stop-01x002"], "railroad": "blue"})
    assert "blue--stop-01x001--stop-01x002" in given.track
    taken = done({"op": "reassign-segments", "segments": ["blue--city-0--near-post"], "railroad": "row-0"})
    assert any(("near-post", "milepost") in line.stops for line in taken.lines.values() if line.railroad == "row-0")


def package(folder: Path) -> Path:
    for name, content in all_files(both()).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return folder


def test_a_package_holds_both(tmp_path: Path) -> None:
    files = all_files(both())
    assert str(files["track.csv"]).startswith("id,railroad,a,b,bends\nblue--city-0--near-post,blue,city-0,near-post,")
    assert document_of(files) == ranked(both())
    folder = package(tmp_path / "grid")
    made = compile_folder(folder)
    assert made.problems == ()
    assert made.board.pieces == compiled(both()).board.pieces
    assert made.board.provenance.elements["mileposts"]["far-post"].where == "mileposts.csv:2"
    assert {"mileposts.csv", "junctions.csv", "track.csv"} <= {file.path for file in made.board.provenance.sources}


def test_a_package_with_both_is_edited_and_saved(tmp_path: Path) -> None:
    folder = package(tmp_path / "grid")
    session = open_session(folder)
    session.do(read_command({"kind": "move-milepost", "id": "far-post", "lon": -109.0, "lat": 45.5}))
    session.save()
    assert "far-post,Far Post,-109.0000,45.5000" in (folder / "mileposts.csv").read_text(encoding="utf-8")
    assert open_session(folder).document == session.document
    session.undo()
    assert session.document == ranked(both())


@pytest.mark.parametrize(
    ("file", "row", "start"),
    [
        ("mileposts.csv", "far-post,Again,-100,40", "mileposts.csv:4: id 'far-post' is already in row 2"),
        ("mileposts.csv", "Far,Far,-100,40", "mileposts.csv:4: id is 'Far': write small letters"),
        ("mileposts.csv", "far,,-100,40", "mileposts.csv:4: name is empty"),
        ("junctions.csv", "far,blue,-100,140", "junctions.csv:3: lon -100, lat 140 is outside the world"),
        ("track.csv", "x,blue,far-post,near-post,-100;40", "track.csv:6: bends has '-100'; write lon lat"),
        ("track.csv", "x,blue,far-post,near-post,nan nan", "track.csv:6: bends has 'nan nan'; write lon lat"),
        ("track.csv", "x,blue,far-post,near-post,200 40", "track.csv:6: bends has '200 40'; write lon lat"),
    ],
)
def test_wrong_rows_are_reported_with_their_place(file: str, row: str, start: str) -> None:
    files = dict(all_files(both()))
    files[file] = f"{files[file]!s}{row}\n"
    with pytest.raises(SourceError) as caught:
        document_of(files)
    assert [problem[: len(start)] for problem in caught.value.problems] == [start]


def test_track_that_leads_nowhere_names_its_row(tmp_path: Path) -> None:
    folder = package(tmp_path / "grid")
    with (folder / "track.csv").open("a", encoding="utf-8") as out:
        out.write("x,blue,far-post,nowhere,\n")
    assert [str(p)[:31] for p in compile_folder(folder).problems] == ["track.csv:6: it ends at 'nowher"]
