"""From files to a board and back: tables, settings, problems with their cures, commands, undo."""

import json
from pathlib import Path
from typing import Any

import pytest
from conftest import Run
from hexagons import compiled, done, example, example_texts
from hypothesis import given, settings
from hypothesis import strategies as st
from sampling import examples

from mapkit.document.command import CommandError
from mapkit.document.session import Session
from mapkit.document.workspace import Workspace
from mapkit.kinds.hex.kind import HEX
from mapkit.kinds.hex.model.board import HexBoard
from mapkit.kinds.hex.tables import CityRow, EdgeRow, HexDocument, HexRow
from mapkit.kinds.starting import new_board


@pytest.fixture(name="valleys")
def _valleys() -> HexDocument:
    return example()


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    return new_board(Workspace(tmp_path), "valleys", kind="hex")


def edges_by_name(board: HexBoard) -> dict[str, tuple[tuple[str, ...], int]]:
    return {edge.id: (edge.kinds, edge.cost) for edge in board.edges}


def test_the_example_is_a_board_without_problems(valleys: HexDocument) -> None:
    found = compiled(valleys)
    board = found.board
    assert found.problems == ()
    assert (board.title, board.grid.columns, board.grid.rows, len(board.hexes)) == ("New board", 10, 7, 70)
    assert [city.name for city in board.cities][:2] == ["Alder", "Birch"]
    assert board.cities[0].cubes_for(3) == 3
    assert board.cities[0].cubes_for(2) == 2
    assert board.cities[2].gray
    assert edges_by_name(board)["5-4--6-4"] == (("ridge",), 4000)
    assert board.rules.end.markers_for(2) == 4
    assert board.rules.end.markers_for(6) is None
    assert (board.track[0].points, board.track[-1].points, board.track_is_example) == (0, 60, True)
    assert HexBoard.model_validate_json(board.model_dump_json()) == board


def test_files_are_written_as_they_were_read(valleys: HexDocument) -> None:
    files = example_texts()
    assert HEX.plan_files(valleys, valleys, files).write == {}
    again = HEX.plan_files(valleys, HexDocument(), {}).write
    assert HEX.document_of(again) == valleys
    for name, text in files.items():
        if name.endswith(".csv"):
            assert again[name] == text, name


def test_parts_that_did_not_change_are_taken_from_before(valleys: HexDocument) -> None:
    first = compiled(valleys)
    after = done(valleys, {"kind": "paint-hexes", "hexes": ["1-1"], "terrain": "mountain"})
    second = HEX.compile(after, board_id="valleys", evaluator=first.evaluator)
    assert second.board.cities is first.board.cities
    assert second.board == compiled(after).board
    assert HEX.compile(after, board_id="valleys", evaluator=first.evaluator).board is second.board


@pytest.mark.parametrize(
    ("file", "row", "problem"),
    [
        (
            "hexes.csv",
            "11-1,mountain,",
            (
                "hexes.csv:19: hexagon '11-1' is not on the grid of 10 columns and 7 rows, counted from 1; correct it, "
                "or make the grid larger"
            ),
        ),
        (
            "hexes.csv",
            "B3,mountain,",
            "hexes.csv:19: hexagon 'B3' is a label; write column and row: 2-3",
        ),
        (
            "hexes.csv",
            "1-1,montain,",
            (
                "hexes.csv:19: 'montain' is not a terrain (did you mean 'mountain'?); correct it, or "
                "add it to terrains.csv"
            ),
        ),
        (
            "edges.csv",
            "1-1--3-1,ridge,",
            "edges.csv:10: 1-1 and 3-1 share no edge on a grid of offset odd-q; the neighbours of 1-1 are 2-1, 1-2",
        ),
        (
            "edges.csv",
            "6-4--5-4,river,",
            "edges.csv:10: the edge of 6-4--5-4 is there already as 5-4--6-4; put all of it in one row",
        ),
        (
            "edges.csv",
            "1-1--1-2,rigde,",
            "edges.csv:10: kinds.0 is 'rigde': write 'ridge', 'river', 'impassable' or 'ferry'",
        ),
        (
            "cities.csv",
            "holm,Holm,2-2,red,2,,false,,,,false",
            "cities.csv:9: Holm is in 2-2, where Alder is; move one of them to another hexagon",
        ),
        (
            "cities.csv",
            "holm,Holm,12-2,red,2,,false,,,,false",
            (
                "cities.csv:9: Holm: hexagon '12-2' is not on the grid of 10 columns and 7 rows, counted from 1; "
                "correct it, or make the grid larger"
            ),
        ),
        (
            "cities.csv",
            "holm,Holm,1-2,green,2,,false,,,,false",
            "cities.csv:9: colours.0 is 'green': write 'red', 'blue', 'black', 'yellow', 'purple' or 'gray'",
        ),
        (
            "links.csv",
            "l,alder,brich,,0,bank,",
            (
                "links.csv:3: 'brich' is not a city of this board (did you mean 'birch'?); write the id of one "
                "in cities.csv"
            ),
        ),
        ("lines.csv", "l,Line,4,alder birch alder", "lines.csv:3: 'alder' is there twice; name each city once"),
        (
            "track.csv",
            "x,4",
            "track.csv:63: 'x' is not a space of the track; write its points, such as 12 or -3, as the id",
        ),
    ],
)
def test_each_mistake_is_a_problem_with_its_row_and_cure(file: str, row: str, problem: str) -> None:
    files = example_texts()
    files[file] += f"{row}\n"
    read = HEX.read(files)
    found = (*read.problems, *compiled(read.document).problems)
    assert [str(one) for one in found] == [problem]


def test_a_wrong_edge_does_not_hide_those_below_it() -> None:
    files = example_texts()
    files["edges.csv"] += "6-4--5-4,river,\n1-1--3-1,ridge,\n1-1--1-2,river,1500\n"
    found = compiled(HEX.read(files).document)
    assert [problem.row for problem in found.problems] == [10, 11]
    assert edges_by_name(found.board)["1-1--1-2"] == (("river",), 1500)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("[grid]\ncolumns = 2000\nrows = 500", "2,000 by 500 are 1,000,000 hexagons; have at most 20,000"),
        ("[grid]\noffset = 'odd'", "grid.offset is 'odd': write 'odd-r', 'even-r', 'odd-q' or 'even-q'"),
        (
            "[grid]\noffset = 'odd-r'\norientation = 'flat'",
            (
                "grid.orientation is 'flat', but rows of the offset 'odd-r' belong to pointy hexagons; write odd-q or "
                "even-q as grid.offset, or leave the orientation out"
            ),
        ),
        (
            "[grid]\nterrain = 'plain'",
            "grid.terrain is 'plain', which is not a terrain (did you mean 'plains'?); name one that is",
        ),
        ("[earth]\ncrs = 'EPSG:3763'\nleft = 0\ntop = 0", "earth.metres_per_mm is missing; add it"),
        ("[rules.track]\nplains = -1", "rules.track.plains is -1: write 0 or more"),
        (
            "[rules]\noptions = ['rotor']",
            (
                "rules.options: there is no option 'rotor' (did you mean 'rotors'?); the options are first-to-pass, "
                "worst-is-first, rotors, mines, fewer-markers"
            ),
        ),
        ("tilte = 'x'", "tilte is 'x': this key is unknown; remove it (did you mean 'title'?)"),
        ("grid = 3", "grid is 3; write it as a table, [grid]"),
    ],
)
def test_each_wrong_setting_is_a_problem(line: str, problem: str) -> None:
    read = HEX.read({"board.toml": f'title = "x"\nkind = "hex"\n{line}\n'})
    assert [one.message for one in compiled(read.document).problems] == [problem]


def test_painting_one_many_and_all_that_lie_together(valleys: HexDocument) -> None:
    after = done(valleys, {"kind": "paint-hexes", "hexes": ["1-1", "1-2"], "terrain": "water"})
    assert after.get("hexes", "1-1") == HexRow(terrain="water", rank=18)
    after = done(after, {"kind": "flood-hexes", "hex": "1-2", "terrain": "plains"})
    assert after.get("hexes", "1-1") is after.get("hexes", "1-2") is None
    assert after == valleys
    sea = done(valleys, {"kind": "flood-hexes", "hex": "1-7", "terrain": "water"})
    wet = {key for key, row in sea.table("hexes").items() if isinstance(row, HexRow) and row.terrain == "water"}
    assert {"1-7", "2-7", "1-6", "3-7"} <= wet
    own = done(
        valleys,
        {"kind": "set-terrain", "id": "moor", "name": "Moor", "cost": 2500, "colour": "#8a9a5b"},
        {"kind": "paint-hexes", "hexes": ["1-1"], "terrain": "moor"},
    )
    assert compiled(own).board.hexes[0].terrain == "moor"


def test_edges_are_named_in_either_order(valleys: HexDocument) -> None:
    after = done(valleys, {"kind": "set-edges", "edges": ["6-4--5-4"], "kinds": ["river", "ferry"], "cost": 500})
    assert edges_by_name(compiled(after).board)["5-4--6-4"] == (("river", "ferry"), 500)
    cleared = done(after, {"kind": "set-edges", "edges": ["5-4--6-4"]})
    assert "5-4--6-4" not in cleared.table("edges")
    river = done(valleys, {"kind": "set-edges", "edges": ["1-1--1-2"], "kinds": ["river"]})
    assert edges_by_name(compiled(river).board)["1-1--1-2"] == (("river",), 0)


def test_cities_come_move_change_and_go(valleys: HexDocument) -> None:
    after = done(
        valleys,
        {"kind": "add-city", "name": "Hazel", "hex": "1-2", "colours": ["purple"]},
        {"kind": "move-city", "id": "hazel", "hex": "1-3"},
        {"kind": "rename-city", "id": "hazel", "name": "Hazelton"},
        {"kind": "recolour-city", "id": "hazel", "colours": ["red", "blue"]},
        {"kind": "set-city", "id": "hazel", "cubes": 3, "rotor": True, "start": "black"},
        {"kind": "add-link", "a": "hazel", "b": "alder", "cost": 6000},
        {"kind": "set-major-line", "id": "west", "name": "West", "points": 3, "cities": ["hazel", "alder"]},
    )
    row = after.get("cities", "hazel")
    assert isinstance(row, CityRow)
    assert (row.name, row.hex, row.colours, row.cubes, row.rotor, row.start) == (
        *("Hazelton", "1-3", ("red", "blue"), 3),
        *(True, "black"),
    )
    assert set(after.table("links")) == {"cedar-overseas", "hazel-alder"}
    gone = done(after, {"kind": "remove-city", "id": "hazel"})
    assert gone == valleys


@pytest.mark.parametrize(
    ("command", "refusal"),
    [
        ({"kind": "paint-hexes", "hexes": ["99-1"], "terrain": "water"}, "hexagon '99-1' is not on the grid"),
        ({"kind": "paint-hexes", "hexes": ["1-1"], "terrain": "wather"}, "terrain 'wather' is not on this board"),
        ({"kind": "flood-hexes", "hex": "1-1", "terrain": "plains"}, "are plains already; choose another terrain"),
        ({"kind": "set-edges", "edges": ["1-1--3-1"], "kinds": ["ridge"]}, "share no edge"),
        ({"kind": "add-city", "name": "X", "hex": "2-2"}, "Alder is in hexagon 2-2 already"),
        ({"kind": "add-city", "id": "alder", "name": "X", "hex": "1-2"}, "there is a city 'alder' already"),
        ({"kind": "move-city", "id": "aldr", "hex": "1-2"}, "city 'aldr' is not on this board (did you mean 'alder'?)"),
        ({"kind": "set-city", "id": "alder"}, "nothing to set"),
        ({"kind": "add-link", "a": "alder", "b": "alder"}, "leads nowhere"),
        ({"kind": "add-link", "a": "alder"}, "needs a name"),
        ({"kind": "resize-grid"}, "nothing is added or cut"),
        ({"kind": "resize-grid", "left": -2}, "Alder would be off the grid"),
        ({"kind": "resize-grid", "right": 2000, "bottom": 2000}, "are more than 20,000"),
        ({"kind": "cut-board", "columns": [0, 3]}, "columns 0 to 3 are not on a grid of 10 columns"),
        ({"kind": "join-board", "board": "usa", "side": "east"}, "no board of hexagons 'usa' is shipped"),
        ({"kind": "set-setting", "key": "grid.offset", "value": "odd"}, "grid.offset is 'odd'"),
        ({"kind": "set-terrain", "id": "sea", "name": "S", "colour": "#000000"}, "one that every board has"),
    ],
)
def test_a_command_that_does_not_fit_says_why(valleys: HexDocument, command: dict[str, Any], refusal: str) -> None:
    with pytest.raises(CommandError) as error:
        done(valleys, command)
    assert refusal in str(error.value)


def shape(document: HexDocument) -> tuple[set[frozenset[str]], dict[str, str]]:
    """Return which cities lie at which edges, and the terrain of each city's neighbours, whatever they are called."""
    board = compiled(document).board
    terrain = {hexagon.id: hexagon.terrain for hexagon in board.hexes}
    around = {}
    for city in board.cities:
        cube = board.grid.hex_of(city.hex)
        assert cube is not None
        around[city.id] = " ".join(
            terrain[board.grid.hex_id(other)] if other in board.grid else "" for other in cube.neighbours()
        )
    return {frozenset(edge.kinds) for edge in board.edges}, around


@given(st.integers(0, 3), st.integers(0, 3), st.integers(0, 3), st.integers(0, 3), st.sampled_from(["odd-q", "even-r"]))
@settings(max_examples=examples(15))
def test_what_is_added_can_be_cut_off_again(left: int, top: int, right: int, bottom: int, offset: str) -> None:
    files = example_texts()
    del files["edges.csv"], files["lines.csv"]
    files["board.toml"] = files["board.toml"].replace('"odd-q"', f'"{offset}"') + (
        '[earth]\ncrs = "EPSG:3763"\nmetres_per_mm = 1000\nleft = 0\ntop = 0\n'
    )
    start = HEX.document_of(files)
    if not left + top + right + bottom:
        return
    sides = {"left": left, "top": top, "right": right, "bottom": bottom}
    grown = done(start, {"kind": "resize-grid", **sides})
    before, after = compiled(start).board, compiled(grown).board
    for city, moved in zip(before.cities, after.cities, strict=True):
        one, other = before.grid.hex_of(city.hex), after.grid.hex_of(moved.hex)
        assert one is not None
        assert other is not None
        assert before.earth is not None
        assert after.earth is not None
        assert before.earth.metres(before.grid.centre(one)) == pytest.approx(
            after.earth.metres(after.grid.centre(other)), abs=1
        )
    cut = done(grown, {"kind": "resize-grid", **{side: -count for side, count in sides.items()}})
    for table in ("hexes", "cities", "links"):
        assert cut.table(table) == start.table(table)


def test_edges_move_with_the_grid(valleys: HexDocument) -> None:
    after = compiled(done(valleys, {"kind": "resize-grid", "left": 1, "top": 2}))
    assert after.problems == ()
    assert after.board.grid.offset == "even-q"
    assert edges_by_name(after.board)["6-6--7-6"] == (("ridge",), 4000)


def test_a_cut_board_loses_what_is_cut_off(valleys: HexDocument) -> None:
    after = compiled(done(valleys, {"kind": "cut-board", "columns": [1, 5]}))
    assert after.problems == ()
    assert {city.id for city in after.board.cities} == {"alder", "birch", "cedar"}
    assert [line.cities for line in after.board.lines] == [("alder", "birch")]
    assert all(not edge.id.startswith("6") for edge in after.board.edges)


@pytest.mark.parametrize("side", ["east", "west", "north", "south"])
@pytest.mark.parametrize("other", ["odd-q", "even-q"])
def test_two_boards_are_joined_along_a_side(valleys: HexDocument, side: str, other: str) -> None:
    tables = {
        "settings": {
            "grid.columns": {"value": 3},
            "grid.rows": {"value": 4},
            "grid.offset": {"value": other},
            "grid.terrain": {"value": "water"},
        },
        "cities": {
            "alder": {"name": "Alder", "hex": "1-1", "colours": ["red"]},
            "oak": {"name": "Oak", "hex": "3-4", "colours": ["blue"]},
        },
        "edges": {"1-1--1-2": {"kinds": ["ridge"]}},
        "lines": {"valley-line": {"name": "Valley", "points": 2, "cities": ["alder", "oak"]}},
    }
    command = {"kind": "join-board", "board": "other", "tables": tables, "side": side}
    found = compiled(done(valleys, command))
    board = found.board
    assert found.problems == ()
    assert [city.id for city in board.cities][-2:] == ["alder-other", "oak"]
    assert board.lines[-1].cities == ("alder-other", "oak")
    assert sum(hexagon.terrain == "water" for hexagon in board.hexes) == 12 + 5
    kept = [hexagon.terrain for hexagon in compiled(valleys).board.hexes if hexagon.terrain != "plains"]
    assert sum(hexagon.terrain not in ("plains", "blocked") for hexagon in board.hexes) == 12 + len(kept)
    assert len(board.edges) == 1 + len(compiled(valleys).board.edges)
    twelve = board.grid.hex_of(board.cities[-1].hex)
    assert twelve is not None
    # the two boards touch
    ours = {board.grid.hex_of(city.hex) for city in board.cities[:-2]}
    assert len(ours) == 7


def test_steps_are_undone_and_saved(folder: Path) -> None:
    session: Session[HexDocument] = Session.open(folder, HEX)
    before = session.document
    session.do({"kind": "set-edges", "edges": ["1-1--1-2"], "kinds": ["ridge", "river"]})
    session.do({"kind": "recolour-city", "id": "alder", "colours": ["blue", "red"]})
    session.save()
    text = (folder / "edges.csv").read_text(encoding="utf-8")
    assert "1-1--1-2,ridge river,\n" in text
    assert "alder,Alder,2-2,blue red,2" in (folder / "cities.csv").read_text(encoding="utf-8")
    session.undo()
    session.undo()
    assert session.document == before
    assert isinstance(before.get("edges", "5-4--6-4"), EdgeRow)


def test_the_program_makes_builds_and_checks_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("new", "valleys", "--kind", "hex").code == 0
    built = run("build", "valleys")
    assert built.code == 0, built.err
    board = json.loads((tmp_path / "build" / "valleys" / "board.json").read_text(encoding="utf-8"))
    assert (board["kind"], board["title"], len(board["hexes"])) == ("hex", "Valleys", 70)
    first = (tmp_path / "build" / "valleys" / "board.svg").read_bytes()
    assert run("build", "valleys").code == 0
    assert (tmp_path / "build" / "valleys" / "board.svg").read_bytes() == first
    refused = run("do", "valleys", '{"kind": "move-city", "id": "alder", "hex": "40-1"}')
    assert (refused.code, refused.err.count("Traceback")) == (1, 0)
    assert "hexagon '40-1' is not on the grid of 10 columns" in refused.err
