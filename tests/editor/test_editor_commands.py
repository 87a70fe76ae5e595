"""What each command does, what its label says, and what it refuses."""

from pathlib import Path

import pytest
from board_helpers import open_folder
from edited import Json, small_board

from mapkit.core.geodesy import line_miles
from mapkit.document.session import Session
from mapkit.kinds.rail.commands import COMMANDS, CommandError, read_command
from mapkit.kinds.rail.compiler.compile import compile_document
from mapkit.kinds.rail.compiler.package import built
from mapkit.kinds.rail.editing.saving import all_files
from mapkit.kinds.rail.kind import RAIL
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.reading.package import document_of
from mapkit.kinds.rail.tables import RailDocument, ranked

ELSEWHERE = {
    "add-house-rule", "choose-preset", "delete-house-rule", "edit-board", "import-payoffs", "recompute-payoffs",
    "set-rule", "solve-destinations", "switch-option",
}  # fmt: skip
"""What test_element_commands does."""


def board_of(document: RailDocument) -> Board:
    return built(compile_document(document, board_id="mymap"))


CROSS = "cross-boston-albany"
SHORE = "shore-portland-new-haven"

STORY: tuple[tuple[str, Json], ...] = (
    ("Add railroad OLD", {"kind": "add-railroad", "id": "old", "name": "Old Colony", "short": "OLD", "price": 9000}),
    ("Set price of OLD to 12000", {"kind": "edit-railroad", "id": "old", "price": 12000}),
    ("Change short, pattern of OLD", {"kind": "edit-railroad", "id": "old", "short": "OC", "pattern": "dash"}),
    ("Add Salem", {"kind": "add-city", "name": "Salem", "region": "coast", "lon": -70.9, "lat": 42.52}),
    ("Move Salem", {"kind": "edit-city", "id": "salem", "lon": -70.89, "lat": 42.521}),
    ("Rename Salem to New Salem", {"kind": "edit-city", "id": "salem", "name": "New Salem"}),
    ("Make Boston and New Salem twins", {"kind": "twin-cities", "ids": ["boston", "salem"]}),
    ("Move Boston/New Salem", {"kind": "edit-place", "place": "Boston", "lon": -71, "lat": 42.4}),
    ("Give Boston its own milepost", {"kind": "edit-city", "id": "boston", "milepost": ""}),
    (
        "Add line New Salem - Providence RI of OC",
        {
            "kind": "add-line",
            "railroad": "old",
            "stops": [
                {"place": "New Salem"},
                {"lon": -71.1, "lat": 42.2, "kind": "via"},
                {"lon": -71.2, "lat": 42.0},
                {"place": "Providence RI"},
            ],
        },
    ),
    (
        "Extend line New Salem - Providence RI to New Haven",
        {"kind": "extend-line", "line": "old-new-salem-providence-ri", "end": "end", "stops": [{"place": "New Haven"}]},
    ),
    (
        "Add milepost Halfway on line New Salem - Providence RI of OC",
        {
            "kind": "add-stop",
            "line": "old-new-salem-providence-ri",
            "index": 4,
            "stop": {"place": "Halfway", "lon": -72.1, "lat": 41.5},
        },
    ),
    ("Move Halfway", {"kind": "edit-place", "place": "halfway", "lon": -72.0, "lat": 41.6}),
    ("Rename Halfway to Midway", {"kind": "edit-place", "place": "Halfway", "name": "Midway"}),
    ("Note on Midway", {"kind": "edit-place", "place": "Midway", "note": "from the map of 1902"}),
    ("Make Midway a via", {"kind": "set-stop-kind", "place": "Midway", "to": "via"}),
    (
        "Make Quarry a milepost",
        {"kind": "set-stop-kind", "place": "@-71.10000,42.20000", "to": "milepost", "name": "Quarry"},
    ),
    (
        "Reshape line New Salem - Providence RI",
        {"kind": "move-stop", "line": "old-new-salem-providence-ri", "index": 2, "stop": {"place": "Worcester MA"}},
    ),
    (
        "Reshape line New Salem - Providence RI",
        {
            "kind": "reshape-line",
            "line": "old-new-salem-providence-ri",
            "start": 4,
            "end": 4,
            "stops": [{"lon": -72.2, "lat": 41.6, "kind": "via"}, {"lon": -72.3, "lat": 41.5, "kind": "via"}],
        },
    ),
    (
        "Delete bend from line New Salem - Providence RI",
        {"kind": "delete-stop", "line": "old-new-salem-providence-ri", "index": 4},
    ),
    (
        "Split line New Salem - Providence RI at Worcester MA",
        {"kind": "split-line", "line": "old-new-salem-providence-ri", "index": 2, "name": "Rest"},
    ),
    ("Reverse line Rest", {"kind": "edit-line", "lines": ["old-rest"], "reverse": True}),
    ("Rename line Rest to Branch", {"kind": "edit-line", "lines": ["old-rest"], "name": "Branch"}),
    (
        "Join lines New Salem - Providence RI and Branch",
        {"kind": "join-lines", "a": "old-new-salem-providence-ri", "b": "old-branch"},
    ),
    ("Copy line Boston - Albany to OC", {"kind": "copy-line", "line": CROSS, "railroads": ["old"], "end": 2}),
    (
        "Move line Boston - Springfield to VALLEY",
        {"kind": "edit-line", "lines": ["old-boston-springfield"], "railroad": "valley"},
    ),
    (
        "Delete Boston - Worcester MA of line Boston - Springfield",
        {"kind": "delete-line", "lines": ["valley-boston-springfield"], "start": 0, "end": 1},
    ),
    ("Delete line Boston - Springfield of VALLEY", {"kind": "delete-line", "lines": ["valley-boston-springfield"]}),
    (
        "Space Boston - Albany about every 25 miles (3 mileposts)",
        {"kind": "respace-lines", "lines": [CROSS], "gap_mi": 25},
    ),
    ("Delete New London CT from 1 line", {"kind": "delete-place", "place": "New London CT"}),
    ("Add region Islands", {"kind": "add-region", "name": "Islands", "short": "ISL"}),
    ("Rename region Islands to The Islands", {"kind": "edit-region", "id": "islands", "name": "The Islands"}),
    (
        "Put 2 cities in islands",
        {"kind": "set-region-of-cities", "cities": ["salem", "portland"], "region": "islands"},
    ),
    (
        "Set The Islands odd 7 to New Salem",
        {"kind": "set-cell", "chart": "islands", "parity": "odd", "total": 7, "item": "salem"},
    ),
    (
        "Swap The Islands odd 7 and even 3",
        {"kind": "swap-cells", "chart": "islands", "a": ["odd", 7], "b": ["even", 3]},
    ),
    (
        "Set chart The Islands",
        {"kind": "set-chart", "chart": "islands", "odd": {"2": "salem"}, "even": {"12": "portland"}},
    ),
    ("Declare New Salem 1/72", {"kind": "set-declared", "chart": "islands", "item": "salem", "odds": "1/72"}),
    ("Wish for Boston", {"kind": "set-wanted", "name": "Boston", "weight": "20%", "avoid": "odd-7"}),
    ("Set New Salem - Boston to 1.5", {"kind": "set-payoff", "a": "salem", "b": "boston", "thousands": 1.5}),
    ("Set 2 payoffs", {"kind": "set-payoffs", "cells": [["salem", "albany", 4], ["salem", "portland", 3.1]]}),
    (
        "Scale 2 payoffs by 1.1",
        {"kind": "scale-payoffs", "pairs": [["salem", "albany"], ["boston", "salem"]], "factor": 1.1},
    ),
    ("Round 1 payoff to 0.5", {"kind": "round-payoffs", "pairs": [["salem", "portland"]]}),
    ("Set 1 payoff", {"kind": "fill-payoffs", "pairs": [["salem", "albany"]], "thousands": None}),
    ("Set page.width", {"kind": "set-setting", "key": "page.width", "value": 500}),
    (
        "Set title, spacing.gap_mi",
        {"kind": "set-settings", "values": {"title": "New England by rail", "spacing.gap_mi": 20}},
    ),
    ("Set rules", {"kind": "set-rules", "preset": "ici", "options": ["half-time"]}),
    (
        "Accept N05:cross:rutland-vt",
        {"kind": "accept-finding", "finding": "N05:cross:rutland-vt", "reason": "meant to be so"},
    ),
    ("Rename Rutland VT to Rutland Town", {"kind": "edit-place", "place": "Rutland VT", "name": "Rutland Town"}),
    ("No longer accept N05:cross:rutland-town", {"kind": "unaccept-finding", "finding": "N05:cross:rutland-town"}),
    ("Reorder railroads", {"kind": "reorder", "table": "railroads", "keys": ["valley", "cross"]}),
    ("Add control point Boston", {"kind": "put-control-point", "x": 10, "y": 20.5, "city": "Boston"}),
    ("Delete control point 10,20.5", {"kind": "delete-control-point", "key": "10,20.5"}),
    (
        "Two prices",
        {
            "kind": "batch",
            "label": "Two prices",
            "commands": [
                {"kind": "edit-railroad", "id": "old", "price": 1},
                {"kind": "edit-railroad", "id": "shore", "price": 2},
            ],
        },
    ),
    ("Delete region The Islands, 2 cities moved", {"kind": "delete-region", "id": "islands", "move_to": "coast"}),
    ("Delete New Salem with 2 payoffs", {"kind": "delete-city", "id": "salem"}),
    ("Delete railroad OC with 1 line", {"kind": "delete-railroad", "id": "old"}),
    ("Clear chart Coast", {"kind": "clear-charts", "chart": "coast"}),
    ("Clear the payoff chart", {"kind": "clear-payoffs"}),
    ("Start the payoff chart", {"kind": "start-payoffs"}),
    ("Rules: white dice 3", {"kind": "change-rules", "values": {"movement.dice": 3}}),
    (
        "Two rows",
        {
            "kind": "set-rows",
            "label": "Two rows",
            "rows": [
                {"table": "accepted", "key": "N04:albany", "row": {"reason": "as on the map"}},
                {"table": "places", "key": "Elsewhere", "row": {"lon": -71.5, "lat": 42.5}},
            ],
        },
    ),
    (
        "Take back Setting spacing",
        {
            "kind": "set-rows",
            "label": "Take back Setting spacing",
            "rows": [
                {"table": "settings", "key": "spacing.gap_mi", "row": None},
                {"table": "settings", "key": "page.width", "row": {"value": 410}},
            ],
        },
    ),
    ("Change the id of Boston to hub", {"kind": "change-id", "city": "boston", "to": "hub"}),
)


@pytest.mark.slow
def test_every_command_does_what_its_label_says_and_is_undone(tmp_path: Path) -> None:
    session = Session(open_folder(small_board(tmp_path)), RAIL)
    for label, made in STORY:
        before = session.document
        done = session.do(made)
        assert done.label == label
        assert done.patch, label
        after = session.document
        assert document_of(all_files(after)) == ranked(after), label
        session.undo()
        assert session.document == before, label
        session.redo()
        assert session.document == after, label
    mine = {kind for kind, model in COMMANDS.items() if model.form != "track"} - ELSEWHERE
    assert mine - {COMMANDS.current(made)["kind"] for _, made in STORY} == {"place-drawings"}
    names = [line.name for line in session.document.lines.values()]
    assert sorted(names) == ["Albany - Rutland", "Boston - Albany", "New Haven - Burlington", "Portland - New Haven"]


@pytest.fixture
def document(tmp_path: Path) -> RailDocument:
    return open_folder(small_board(tmp_path))


@pytest.mark.parametrize(
    ("made", "message"),
    [
        ({"kind": "set-payof"}, r"no command 'set-payof' \(did you mean 'set-payoff'\?\)"),
        ({"kind": "set-payoff", "a": "boston", "thousands": 1}, "b is missing; add it"),
        ({"kind": "set-payoff", "a": "boston", "b": "bosten", "thousands": 1}, "did you mean 'boston'"),
        ({"kind": "set-payoff", "a": "boston", "b": "boston", "thousands": 1}, "to itself pays nothing"),
        ({"kind": "edit-city", "id": "boston", "lon": 200, "lat": 0}, "lon is 200.*: write 180 or less"),
        ({"kind": "add-city", "name": "boston", "region": "coast", "lon": 0, "lat": 0}, "city 'boston' already"),
        ({"kind": "edit-city", "id": "boston", "name": "Albany"}, "there is a city 'Albany' already"),
        (
            {"kind": "edit-railroad", "id": "shore", "short": "CROSS"},
            "reporting mark 'CROSS' is that of 'cross' already",
        ),
        ({"kind": "edit-city", "id": "boston", "milepost": ""}, "has no twin"),
        ({"kind": "delete-region", "id": "coast"}, "3 cities lie in Coast; say which region"),
        ({"kind": "add-line", "railroad": "shore", "stops": [{"place": "Boston"}, {"place": "Nowhere XX"}]}, "Nowhere"),
        (
            {
                "kind": "add-line",
                "railroad": "shore",
                "stops": [{"place": "Boston"}, {"place": "Rutland VT", "kind": "via"}],
            },
            "end at 'Rutland VT', a bend",
        ),
        ({"kind": "set-stop-kind", "place": "Portland", "to": "via"}, "end at 'Portland', a bend"),
        ({"kind": "set-stop-kind", "place": "Concord NH", "to": "via"}, "no line names"),
        ({"kind": "delete-place", "place": "Boston"}, "is a city; delete the city"),
        ({"kind": "edit-place", "place": "Rutland VT", "name": "Providence RI"}, "there is a place .* already"),
        ({"kind": "join-lines", "a": CROSS, "b": SHORE}, "one railroad"),
        ({"kind": "split-line", "line": SHORE, "index": 6}, "between its ends"),
        ({"kind": "copy-line", "line": SHORE, "railroads": ["shore"]}, "already; choose others"),
        ({"kind": "edit-line", "lines": [CROSS], "name": "Albany - Rutland"}, "has a line 'Albany - Rutland' already"),
        ({"kind": "set-setting", "key": "page.width", "value": 1}, "page.width is 1: write a number above 50"),
        ({"kind": "set-setting", "key": "page.widht", "value": 100}, "page.widht"),
        ({"kind": "set-setting", "key": "regions", "value": []}, "commands of their own"),
        ({"kind": "set-setting", "key": "spacing.railroads.shor", "value": 9}, "did you mean 'shore'"),
        ({"kind": "set-setting", "key": "title.x", "value": 9}, "title is .* and holds no x"),
        ({"kind": "set-rules", "preset": "none"}, "preset"),
        (
            {"kind": "put-control-point", "x": 1, "y": 2, "city": "47.6, -122.33"},
            "'47.6, -122.33' is not in the gazetteer",
        ),
        ({"kind": "set-declared", "chart": "coast", "item": "albany", "odds": "1/72"}, "is not in Coast"),
        ({"kind": "place-drawings"}, "no drawings; take one in with mapkit import"),
        ({"kind": "reorder", "table": "cities", "keys": ["boston", "boston"]}, "named twice"),
        (
            {"kind": "batch", "label": "x", "commands": [{"kind": "clear-payoffs"}, {"kind": "edit-city", "id": "q"}]},
            "command 2 of 2, edit-city: there is no city 'q'",
        ),
    ],
)
def test_what_does_not_fit_is_refused_with_a_sentence(document: RailDocument, made: Json, message: str) -> None:
    session = Session(document, RAIL)
    with pytest.raises(CommandError, match=message):
        session.do(made)
    assert session.document is document


def test_a_city_that_goes_leaves_a_milepost(document: RailDocument) -> None:
    session = Session(document, RAIL)
    session.do({"kind": "delete-city", "id": "springfield"})
    place = session.document.places["Springfield"]
    assert (place.lon, place.lat) == (-72.5898, 42.1015)
    assert not any("springfield" in key.split("|") for key in session.document.payoffs)
    assert all(cell.item != "springfield" for cell in session.document.destinations.values())
    before, after = board_of(document), board_of(session.document)
    assert [segment.id for segment in after.segments] == [segment.id for segment in before.segments]
    assert {m.id: m.kind for m in after.mileposts}["springfield"] == "dot"


def test_a_city_keeps_its_lines_when_it_is_renamed(document: RailDocument) -> None:
    session = Session(document, RAIL)
    session.do({"kind": "edit-city", "id": "boston", "name": "Boston MA"})
    assert all("Boston" not in {p for p, _ in line.stops} for line in session.document.lines.values())
    before, after = board_of(document), board_of(session.document)
    assert len(after.segments) == len(before.segments)
    assert "boston-ma" in {m.id for m in after.mileposts}


def test_a_milepost_goes_onto_all_stretches_of_its_railroad(document: RailDocument) -> None:
    session = Session(document, RAIL)
    session.do({"kind": "copy-line", "line": CROSS, "railroads": ["shore"], "start": 0, "end": 1})
    stop = {"place": "Halfway", "lon": -71.4, "lat": 42.3}
    session.do({"kind": "add-stop", "line": CROSS, "index": 1, "stop": stop, "railroads": ["shore"]})
    assert [p for p, _ in session.document.lines["shore-boston-worcester-ma"].stops] == [
        "Boston",
        "Halfway",
        "Worcester MA",
    ]
    assert session.document.lines[CROSS].stops[1] == ("Halfway", "milepost")


def test_a_milepost_may_go_and_the_track_keep_its_shape(document: RailDocument) -> None:
    session = Session(document, RAIL)
    miles = _miles(document)
    session.do({"kind": "delete-place", "place": "Pittsfield MA", "keep_shape": True})
    assert ("pittsfield-ma" in {m.id for m in board_of(session.document).mileposts}) is False
    assert _miles(session.document) == pytest.approx(miles, abs=1e-3)
    session.undo()
    session.do({"kind": "delete-place", "place": "Pittsfield MA"})
    assert _miles(session.document) < miles - 0.1


def test_spacing_places_mileposts_evenly_and_keeps_the_course(document: RailDocument) -> None:
    session = Session(document, RAIL)
    miles = _miles(document)
    session.do({"kind": "respace-lines", "lines": [CROSS], "gap_mi": 25})
    board = board_of(session.document)
    found = [s.miles for s in board.segments if s.railroad == "cross" and "rutland-vt" not in (s.a, s.b)]
    assert len(found) == 3 + 3  # Boston - Springfield 80 miles, Springfield - Albany 71
    assert min(found) > 25 * 0.7
    assert max(found) < 25 * 1.3
    assert _miles(session.document) == pytest.approx(miles, rel=1e-4)


def _miles(document: RailDocument) -> float:
    board = board_of(document)
    return sum(line_miles(piece.line) for piece in board.pieces if piece.railroad == "cross")


def test_a_command_reads_back_from_its_json() -> None:
    for _, made in STORY:
        command = read_command(made)
        assert read_command(command.model_dump(mode="json")) == command
