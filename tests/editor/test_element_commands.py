"""The commands of variants in the editor: done on a board with station lists, saved, undone, done again."""

from pathlib import Path
from typing import Any

import pytest
from board_helpers import open_folder
from edited import small_board

from mapkit.document.session import Session
from mapkit.kinds.rail.commands import COMMANDS
from mapkit.kinds.rail.compiler.compile import compile_document
from mapkit.kinds.rail.editing.saving import all_files
from mapkit.kinds.rail.package import PACKAGE as RAIL
from mapkit.kinds.rail.reading.package import document_of
from mapkit.kinds.rail.tables import ranked

PAGE = {"width": 420.0, "height": 300.0, "frame": [15, 15, 405, 285]}
STORY: tuple[dict[str, Any], ...] = (
    {"kind": "add-milepost", "id": "oak", "name": "Oak", "segments": ["cross--albany--rutland-vt"]},
    {"kind": "rename-milepost", "id": "oak", "name": "Great Oak", "was": "Oak"},
    {"kind": "move-milepost", "id": "great-oak", "lon": -73.3, "lat": 43.1},
    {"kind": "start-railroad", "id": "gold", "name": "Gold", "short": "GOLD", "price": 5000, "colour": "#aabb00"},
    {"kind": "lay-line", "railroad": "gold", "mileposts": ["albany", "great-oak", "burlington"]},
    {"kind": "add-segment", "railroad": "gold", "a": "burlington", "b": "portland"},
    {
        "kind": "batch",
        "label": "Junction",
        "commands": [
            {"kind": "remove-segments", "segments": ["gold--burlington--portland"]},
            {"kind": "add-junction", "id": "gold--fork", "railroad": "gold", "lon": -72.0, "lat": 44.0},
            {"kind": "add-piece", "railroad": "gold", "a": "gold--fork", "b": "burlington"},
            {"kind": "add-piece", "railroad": "gold", "a": "gold--fork", "b": "portland"},
            {"kind": "add-piece", "railroad": "gold", "a": "gold--fork", "b": "boston"},
        ],
    },
    {"kind": "reassign-segments", "segments": ["cross--boston--worcester-ma"], "railroad": "gold"},
    {
        "kind": "split-railroad",
        "railroad": "valley",
        "segments": ["valley--burlington--rutland-vt"],
        "id": "north",
        "name": "North",
        "short": "NO",
        "price": 4000,
        "colour": "#00aa00",
    },
    {"kind": "merge-railroads", "railroads": ["valley", "north"], "into": "valley"},
    {"kind": "remove-piece", "id": "cross--albany--great-oak"},
    {"kind": "remove-milepost", "id": "great-oak"},
    {"kind": "change-railroad", "id": "valley", "price": 7000, "colour": "#123456"},
    {"kind": "make-public", "id": "valley"},
    {"kind": "add-house-rule", "title": "Ferry", "text": "A ferry leaves once a round."},
    {"kind": "remove-house-rule", "title": "Ferry"},
    {"kind": "start-region", "id": "north", "name": "North", "short": "N", "colour": "#ddeeff"},
    {"kind": "change-region", "id": "north", "name": "Far North"},
    {"kind": "make-city", "id": "worcester", "name": "Worcester", "region": "coast", "milepost": "worcester-ma"},
    {"kind": "change-city", "id": "worcester", "name": "Woostah"},
    {"kind": "move-city-to-region", "city": "burlington", "region": "north"},
    {"kind": "solve-destinations"},
    {"kind": "set-destination", "chart": "coast", "parity": "odd", "total": 2},
    {
        "kind": "swap-destinations",
        "chart": "regions",
        "first": {"parity": "odd", "total": 2},
        "second": {"parity": "even", "total": 12},
    },
    {"kind": "change-payoff", "a": "boston", "b": "worcester", "value": 1.5},
    {"kind": "scale-payoff-chart", "factor": 2},
    {"kind": "recompute-payoffs", "model": {"model": "moves", "base": 1.0, "moves": 0.5, "step": 0.5}},
    {"kind": "import-payoffs", "cities": ["boston", "albany"], "thousands": [[0, 9], [9, 0]]},
    {"kind": "remove-city", "id": "worcester"},
    {"kind": "move-city-to-region", "city": "burlington", "region": "inland", "charts": "keep"},
    {"kind": "remove-region", "id": "north"},
    {"kind": "set-rule", "path": "winning.cash", "value": 150000},
    {"kind": "switch-option", "option": "own-track-free"},
    {"kind": "choose-preset", "preset": "ici"},
    {"kind": "add-milepost", "id": "lone", "name": "Lone", "lon": -72, "lat": 43},
    {"kind": "add-junction", "id": "lone-fork", "railroad": "shore", "lon": -72, "lat": 43},
    {"kind": "delete-place", "place": "lone-fork"},
    {"kind": "change-board", "title": "Another", "page": PAGE},
    {"kind": "remove-railroad", "id": "gold"},
    {"kind": "restrict-board", "regions": ["coast"], "charts": "solve anew"},
)


@pytest.mark.slow
def test_every_command_of_variants_is_done_in_the_editor_saved_and_undone(tmp_path: Path) -> None:
    session = Session(open_folder(small_board(tmp_path)), RAIL)
    for made in STORY:
        before = session.document
        done = session.do(made)
        assert done.patch, made
        after = session.document
        assert document_of(all_files(after)) == ranked(after), made
        assert compile_document(after, board_id="x").problems == (), made
        session.undo()
        assert session.document == before, made
        session.redo()
        assert session.document == after, made
    used = {COMMANDS.current(one)["kind"] for made in STORY for one in made.get("commands", [made])}
    assert {kind for kind, model in COMMANDS.items() if model.form == "track"} - used == set()
