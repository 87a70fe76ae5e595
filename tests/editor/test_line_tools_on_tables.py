"""Line tools on track of tables do what they do on the same track in station lists."""

import pytest
from board_helpers import open_folder
from edited import Json, commands, in_tables, small_board
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from sampling import examples

from mapkit.document.changes import apply
from mapkit.document.draft import Draft
from mapkit.kinds.rail.commands import COMMANDS, CommandError, read_command
from mapkit.kinds.rail.commands.on_track.line_rows import track_in_lines
from mapkit.kinds.rail.compiler.compile import compile_document
from mapkit.kinds.rail.editing.saving import all_files
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.reading.package import document_of
from mapkit.kinds.rail.tables import RailDocument, ranked

LINE_TOOLS = {kind for kind, model in COMMANDS.items() if model.form == "lines"}


def in_lines(document: RailDocument) -> RailDocument:
    """Return a document of tables with all track in lines; their ids are those of the line tools."""
    draft = Draft(document)
    with track_in_lines(draft) as listed:
        tables = listed.document.tables
    return RailDocument({**tables, "track": {}, "junctions": {}, "mileposts": {}})


def track_of(document: RailDocument) -> object:
    """Return what a board has of track, without the ids of junctions and pieces, which follow from former names."""
    board: Board = compile_document(document, board_id="x").board
    at = {j.id: (j.lon, j.lat) for j in board.junctions}
    return (
        sorted((m.id, m.lon, m.lat, m.kind) for m in board.mileposts),
        sorted((j.railroad, j.lon, j.lat) for j in board.junctions),
        sorted(
            (p.railroad, str(at.get(p.a, p.a)), str(at.get(p.b, p.b)), tuple(dict.fromkeys(p.line)))
            for p in board.pieces
        ),
        sorted((s.railroad, s.a, s.b, s.miles) for s in board.segments),
        sorted((c.id, c.milepost) for c in board.cities),
    )


def done(document: RailDocument, made: Json) -> RailDocument | str:
    try:
        return apply(document, read_command(made).plan(document).patch)
    except CommandError as error:
        return str(error)


def check(tabled: RailDocument, made: Json) -> RailDocument:
    """Compare a command on both forms; return the tables after it."""
    by_lines, by_tables = done(in_lines(tabled), made), done(tabled, made)
    if isinstance(by_tables, str) or isinstance(by_lines, str):
        reasons = [str(refused).replace(" (", ";").partition(";")[0] for refused in (by_tables, by_lines)]
        assert reasons[0] == reasons[1]
        return tabled
    assert not by_tables.lines
    assert compile_document(by_tables, board_id="x").problems == ()
    if not compile_document(by_lines, board_id="x").problems:
        assert track_of(by_tables) == track_of(by_lines)
    assert document_of(all_files(by_tables)) == ranked(by_tables)
    return by_tables


@pytest.fixture(scope="module")
def tabled(tmp_path_factory: pytest.TempPathFactory) -> RailDocument:
    return in_tables(open_folder(small_board(tmp_path_factory.mktemp("small"))))


def is_compared(made: Json) -> bool:
    """Return whether a command changes lines; ids of mileposts do not tell the whole name Ærø."""
    is_tool = (
        COMMANDS.current(made)["kind"] in LINE_TOOLS or "@" in str(made.get("place")) or made.get("milepost") == ""
    )
    return (
        is_tool
        and "Ærø" not in str(made)
        and made["kind"] not in ("split-line", "join-lines")
        and not (made["kind"] == "edit-place" and "name" in made and "@" in made["place"])
        and not (made["kind"] == "edit-line" and {"name", "reverse"} & made.keys())
    )


@given(data=st.data())
@settings(
    max_examples=examples(40),
    deadline=None,
    phases=[Phase.generate],
    suppress_health_check=[HealthCheck.filter_too_much],  # most commands are of other things than lines
)
def test_random_line_tools_do_the_same_on_both_forms(data: st.DataObject, tabled: RailDocument) -> None:
    document = tabled
    for _ in range(3):
        made = data.draw(commands(in_lines(document)).filter(is_compared))
        document = check(document, made)


@pytest.mark.parametrize("place", ["providence-ri", "Providence", "Providence RI"])
def test_a_milepost_of_tables_is_found_by_id_and_names(place: str, tabled: RailDocument) -> None:
    made = {"kind": "edit-place", "place": place, "lon": -71.5, "lat": 41.75}
    after = done(tabled, made)
    assert isinstance(after, RailDocument)
    assert (after.mileposts["providence-ri"].lon, after.mileposts["providence-ri"].lat) == (-71.5, 41.75)


def test_a_line_of_tables_may_lead_to_a_place_of_the_gazetteer(tabled: RailDocument) -> None:
    after = done(tabled, {"kind": "add-line", "railroad": "shore", "stops": ["Portland", "Bangor ME"]})
    assert isinstance(after, RailDocument)
    assert after.mileposts.keys() - tabled.mileposts.keys() == {"bangor-me"}
    assert after.track.keys() - tabled.track.keys() == {"shore--bangor-me--portland"}
    assert "no milepost 'Bangorx'" in str(
        done(tabled, {"kind": "add-line", "railroad": "shore", "stops": ["Portland", "Bangorx"]})
    )


def test_twins_of_tables_share_a_milepost_and_part_again(tabled: RailDocument) -> None:
    after = done(tabled, {"kind": "twin-cities", "ids": ["boston", "portland"]})
    assert isinstance(after, RailDocument)
    assert {after.cities[key].milepost for key in ("boston", "portland")} == {"boston-portland"}
    assert {"boston", "portland"} & after.mileposts.keys() == set()
    apart = done(after, {"kind": "edit-city", "id": "portland", "milepost": ""})
    assert isinstance(apart, RailDocument)
    assert (apart.cities["boston"].milepost, apart.cities["portland"].milepost) == ("boston", "portland")
    assert "boston-portland" not in apart.mileposts


def test_second_tracks_stay_where_a_line_is_cut(tabled: RailDocument) -> None:
    second = {"kind": "add-piece", "railroad": "cross", "a": "boston", "b": "worcester-ma"}
    double = done(tabled, second)
    assert isinstance(double, RailDocument)
    line, places = next(
        (key, [place for place, _ in row.stops])
        for key, row in in_lines(double).lines.items()
        if row.railroad == "cross" and ("boston", "milepost") in row.stops
    )
    index = max(places.index("boston"), places.index("worcester-ma"))
    after = done(
        double, {"kind": "add-stop", "line": line, "index": index, "stop": {"place": "Mid", "lon": -71, "lat": 42}}
    )
    assert isinstance(after, RailDocument)
    ends = sorted((row.a, row.b) for row in after.track.values() if "mid" in (row.a, row.b))
    assert ends == [("boston", "mid")] * 2 + [("mid", "worcester-ma")] * 2


def test_a_copy_of_a_copy_lays_no_second_track(tabled: RailDocument) -> None:
    line = next(key for key, row in in_lines(tabled).lines.items() if row.railroad == "cross")
    copied = done(tabled, {"kind": "copy-line", "line": line, "railroads": ["shore"], "end": 2})
    assert isinstance(copied, RailDocument)
    assert len(copied.track) == len(tabled.track) + 2
    again = done(copied, {"kind": "copy-line", "line": line, "railroads": ["shore"], "end": 2})
    assert again == copied


def test_a_line_that_ends_at_a_bend_of_another_joins_it(tabled: RailDocument) -> None:
    bend = next(p for p, kind in in_lines(tabled).lines["cross--albany--pittsfield-ma"].stops if kind == "via")
    lon, lat = map(float, bend[1:].split(","))
    made = {"kind": "add-line", "railroad": "cross", "stops": ["springfield", "burlington"]}
    other = done(tabled, made)
    assert isinstance(other, RailDocument)
    branch = next(
        key
        for key, row in in_lines(other).lines.items()
        if ("burlington", "milepost") in row.stops[:: len(row.stops) - 1] and row.railroad == "cross"
    )
    end = "start" if in_lines(other).lines[branch].stops[0][0] == "burlington" else "end"
    check(
        other, {"kind": "extend-line", "line": branch, "end": end, "stops": [{"lon": lon, "lat": lat, "kind": "via"}]}
    )
    after = done(
        other, {"kind": "extend-line", "line": branch, "end": end, "stops": [{"lon": lon, "lat": lat, "kind": "via"}]}
    )
    assert isinstance(after, RailDocument)
    assert [(row.railroad, row.lon, row.lat) for row in after.junctions.values()] == [("cross", lon, lat)]


def test_cities_keep_mileposts_without_track(tabled: RailDocument) -> None:
    line = "cross--albany--pittsfield-ma"
    after = done(tabled, {"kind": "delete-line", "lines": [line]})
    assert isinstance(after, RailDocument)
    assert tabled.mileposts.keys() - after.mileposts.keys() == {"pittsfield-ma", "worcester-ma"}


@pytest.mark.parametrize("fields", [{"name": "Main"}, {"reverse": True}])
def test_lines_of_tables_have_no_names_and_no_direction(fields: Json, tabled: RailDocument) -> None:
    made = {"kind": "edit-line", "lines": ["cross--albany--pittsfield-ma"], **fields}
    assert done(tabled, made) == ("lines of track in tables have no names and no direction; leave out name and reverse")
