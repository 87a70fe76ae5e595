"""Commands on elements on a board with station lists: the lines follow, and the board is as the variant makes it."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from board_helpers import apply_variant, open_folder

from mapkit.core.errors import MapkitError
from mapkit.document.changes import apply
from mapkit.kinds.rail.commands import COMMANDS, read_command
from mapkit.kinds.rail.compiler.compile import Compiled, compile_document
from mapkit.kinds.rail.editing.saving import all_files
from mapkit.kinds.rail.reading.package import document_of
from mapkit.kinds.rail.tables import RailDocument, ranked
from mapkit.kinds.rail.variants.board_diff import diff_boards
from mapkit.kinds.rail.variants.variant import Variant
from mapkit.variants.variant import command_data

REPOSITORY = Path(__file__).resolve().parent.parent.parent


@pytest.fixture(scope="module")
def live() -> Compiled:
    return compile_document(open_folder(REPOSITORY / "sources" / "usa"), board_id="usa")


def done(live: Compiled, *operations: Mapping[str, object]) -> RailDocument:
    """Return the document after operations as one step; the board must be what a variant of them makes."""
    variant = Variant.model_validate({"name": "v", "operations": [{**op, "reason": "r"} for op in operations]})
    commands = [command_data(COMMANDS, op) for op in operations]
    command = commands[0] if len(commands) == 1 else {"kind": "batch", "label": "test", "commands": commands}
    out = apply(live.document, read_command(command).plan(live.document).patch)
    after = compile_document(out, board_id="usa", frame=live.frame)
    assert after.problems == ()
    assert [step.text for step in diff_boards(after.board, apply_variant(live.board, variant)).story] == []
    return out


def changed(live: Compiled, out: RailDocument) -> set[str]:
    """Return the railroads of which a line changed."""
    old, new = live.document.lines, out.lines
    return {
        row.railroad
        for key in {*old, *new}
        if old.get(key) != new.get(key)
        for row in (old.get(key), new.get(key))
        if row is not None
    }


def test_a_milepost_is_spliced_into_the_lines_of_its_railroads(live: Compiled) -> None:
    segments = ["pa--baltimore--philadelphia", "bo--baltimore--philadelphia"]
    out = done(live, {"op": "add-milepost", "id": "new-post", "name": "New Post", "segments": segments})
    assert changed(live, out) == {"pa", "bo"}
    assert len(out.lines) == len(live.document.lines)
    assert sum(("New Post", "milepost") in line.stops for line in out.lines.values()) >= 2
    for key, line in live.document.lines.items():  # what was typed stays as it was typed
        assert [stop for stop in out.lines[key].stops if stop != ("New Post", "milepost")] == list(line.stops)


def test_segments_change_hands(live: Compiled) -> None:
    given = {"op": "reassign-segments", "segments": ["pa--baltimore--philadelphia"], "railroad": "nyc"}
    assert changed(live, done(live, given)) == {"nyc", "pa"}


def test_segments_go(live: Compiled) -> None:
    out = done(live, {"op": "remove-segments", "segments": ["pa--baltimore--philadelphia"]})
    assert changed(live, out) == {"pa"}


def test_railroads_merge(live: Compiled) -> None:
    out = done(live, {"op": "merge-railroads", "railroads": ["pa", "nyc"], "into": "pa", "name": "Penn Central"})
    assert "nyc" not in out.railroads
    assert not any(place.startswith("@") for line in out.lines.values() for place, _ in line.stops)
    assert changed(live, out) == {"nyc", "pa"}


def test_a_merged_railroad_gets_no_name_of_another(live: Compiled) -> None:
    other = live.document.railroads["bo"].name
    command = read_command({"kind": "merge-railroads", "railroads": ["pa", "nyc"], "into": "pa", "name": other})
    with pytest.raises(MapkitError, match=r"name 'Baltimore and Ohio' is Baltimore and Ohio's already; choose another"):
        command.plan(live.document)


def test_a_milepost_moves_with_all_lines_through_it(live: Compiled) -> None:
    before = next(m for m in live.board.mileposts if m.id == "nacogdoches-tx" or m.kind == "dot")
    out = done(live, {"op": "move-milepost", "id": before.id, "lon": before.lon + 0.1, "lat": before.lat})
    assert out.lines == live.document.lines


def test_what_follows_in_one_step_may_build_on_what_came_before(live: Compiled) -> None:
    dot = next(m for m in live.board.mileposts if m.kind == "dot")
    out = done(
        live,
        {"op": "add-milepost", "id": "far-post", "name": "Far Post", "lon": dot.lon + 0.3, "lat": dot.lat + 0.2},
        {"op": "add-segment", "railroad": "pa", "a": dot.id, "b": "far-post"},
        {"op": "add-city", "id": "far-post", "name": "Far Post", "region": "plains", "milepost": "far-post"},
        {"op": "set-payoff", "a": "far-post", "b": "chicago", "value": 7},
        {"op": "move-city", "city": "denver", "region": "northwest", "charts": "keep"},
        {"op": "set-rule", "path": "winning.cash", "value": 150000},
    )
    assert changed(live, out) == {"pa"}
    assert out.cities["far-post"].region == "plains"


def test_what_no_list_says_stands_in_tables(live: Compiled) -> None:
    post = {"op": "add-milepost", "id": "nowhere", "name": "Nowhere", "lon": -100, "lat": 40}
    out = done(live, post)
    assert (out.lines, [*out.mileposts]) == (live.document.lines, ["nowhere"])
    out = done(live, {"op": "add-junction", "id": "pa--fork", "railroad": "pa", "lon": -77, "lat": 40})
    assert (out.lines, [*out.junctions]) == (live.document.lines, ["pa--fork"])
    second = {"op": "add-piece", "railroad": "pa", "a": "baltimore", "b": "philadelphia"}
    line = next(p for p in live.board.pieces if p.id == "pa--baltimore--philadelphia").line
    out = done(live, {**second, "line": [*line]})
    assert (out.lines, [*out.track]) == (live.document.lines, ["pa--baltimore--philadelphia--2"])
    assert document_of(all_files(out)) == ranked(out)


def test_track_leads_on_to_what_stands_in_tables(live: Compiled) -> None:
    out = done(
        live,
        {"op": "add-junction", "id": "pa--fork", "railroad": "pa", "lon": -77, "lat": 40},
        {"op": "set-rule", "path": "winning.cash", "value": 150000},
        *({"op": "add-piece", "railroad": "pa", "a": end, "b": "pa--fork"} for end in ("baltimore", "philadelphia")),
    )
    assert out.lines == live.document.lines
    assert [*out.track] == ["pa--baltimore--fork", "pa--fork--philadelphia"]


def test_a_place_that_is_not_there_is_refused(live: Compiled) -> None:
    with pytest.raises(MapkitError, match="there is no milepost 'denvr'"):
        read_command({"kind": "move-milepost", "id": "denvr", "lon": 1, "lat": 1}).plan(live.document)
