"""Rows compared by key or by a matching, operations derived from them, and boards named on a line."""

import json
from pathlib import Path

import pytest
from board_helpers import apply_variant
from conftest import Run
from edits import Edit, edited, field, one
from tiny import tiny_board

import mapkit
from mapkit.core.errors import UnknownNameError
from mapkit.document.changes import changed_values, compare_rows
from mapkit.document.workspace import Workspace
from mapkit.kinds.rail.commands.on_track.segments import DeleteSegments
from mapkit.kinds.rail.commands.railroads import EditRailroad
from mapkit.kinds.rail.compiler.board_rows import document_of_board
from mapkit.kinds.rail.compiler.boards import compiled_board
from mapkit.kinds.rail.variants.apply import make_draft
from mapkit.kinds.rail.variants.variant import Variant
from mapkit.variants.deriving import Derivation
from mapkit.variants.shelf import VariantShelf, named_boards

TINY = edited(tiny_board())


def test_values_that_differ_in_the_order_of_the_second() -> None:
    assert changed_values({"a": 1, "b": 2, "gone": 3}, {"new": 4, "b": 5, "a": 1}) == {
        "new": (None, 4),
        "b": (2, 5),
        "gone": (3, None),
    }
    assert changed_values({"a": None}, {}) == {}


def test_rows_by_key_and_by_a_matching() -> None:
    before = {"a": {"x": 1}, "b": {"x": 2}, "c": {"x": 3}}
    after = {"b": {"x": 2}, "c": {"x": 4}, "d": {"x": 1}}
    assert list(compare_rows(before, after)) == [("a", None, {}), (None, "d", {}), ("c", "c", {"x": (3, 4)})]
    same = {"a": "d", "b": "b"}
    assert list(compare_rows(before, after, same)) == [("c", None, {}), (None, "c", {})]


def test_a_proposal_that_the_goal_has_not_leaves_nothing_behind() -> None:
    dear = edited(TINY, field("railroads", "red", price=1000))
    plan = Derivation(make_draft(compiled_board(TINY)), document_of_board(dear))
    start = plan.draft.document
    assert not plan.propose(EditRailroad(id="red", price=2000, reason="r"))
    assert not plan.propose(EditRailroad(id="nobody", price=1000, reason="r"))
    assert not plan.propose(DeleteSegments(segments=("red--ash--birch",), reason="r"))
    assert (plan.draft.document, plan.operations, plan.left) == (start, [], [])
    assert plan.propose_first(EditRailroad(id="red", price=price, reason="r") for price in (500, 1000, 1500))
    assert plan.operations == [EditRailroad(id="red", price=1000, reason="r")]
    plan.do(EditRailroad(id="nobody", price=1000, reason="r"))
    assert [text.partition(":")[0] for text in plan.left] == ["edit-railroad"]


def gold(data: dict[str, list[dict[str, object]]]) -> None:
    data["railroads"].append({**one(data, "railroads", "red"), "id": "gold", "name": "Gold Line", "short": "GOLD"})


@pytest.mark.parametrize(
    ("pieces", "operations"),
    [
        (["red--ash--birch", "green--ash--elm"], ["split-railroad", "reassign-segments"]),
        (["red--ash--birch", "red--birch--cedar", "red--cedar--dale"], ["split-railroad"]),
    ],
)
def test_a_railroad_from_two_others_or_from_all_of_one(pieces: list[str], operations: list[str]) -> None:
    edits: list[Edit] = [gold, *(field("pieces", piece, railroad="gold") for piece in pieces)]
    target = edited(TINY, *edits)
    made = mapkit.variant_of(TINY, target, name="gold")
    assert ([one.kind for one in made.variant.operations], made.left) == (operations, ())
    assert mapkit.diff_boards(apply_variant(TINY, made.variant), target).same


def test_boards_that_a_line_names(tmp_path: Path) -> None:
    shelf = VariantShelf(Workspace(tmp_path), Variant)
    (tmp_path / "board.json").write_text("{}", encoding="utf-8")
    assert named_boards(shelf, "usa+first-printing", "tournament") == [
        ("usa", ("first-printing",)),
        ("usa", ("tournament",)),
    ]
    assert named_boards(shelf, "first-printing") == [("usa", ("first-printing",))]
    assert named_boards(shelf, "board.json", "tournament") == [("board.json", ()), ("board.json", ("tournament",))]
    with pytest.raises(UnknownNameError, match="'tournament' and 'quick' change rules alone"):
        named_boards(shelf, "tournament", "quick")
    with pytest.raises(UnknownNameError, match="or a variant \\(did you mean 'first-printing'\\?\\)"):
        named_boards(shelf, "first-prining", "usa")


def test_former_names_do_the_same() -> None:
    assert mapkit.compare_tables is mapkit.compare
    assert mapkit.move_variant is mapkit.rebase_variant
    assert mapkit.check_variants is mapkit.check_varied_board


def test_the_commands_are_the_same_for_all_kinds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("new", "valleys", "--kind", "hex").code == 0
    assert run("new", "lines", "--from", "example").code == 0
    (tmp_path / "variants").mkdir()
    for name in ("red", "black"):
        (tmp_path / "variants" / f"{name}.toml").write_text(
            f'name = "{name}"\nboard = "valleys"\n[[operations]]\nop = "recolour-city"\nid = "fir"\n'
            f'colours = ["{name}"]\nreason = "why"\n',
            encoding="utf-8",
        )
    moved = json.loads(run("variant", "rebase", "red", "--from", "valleys", "--onto", "valleys+black", "--json").out)
    assert moved["operations"] == [
        {
            "number": 1,
            "op": "recolour-city",
            "fate": "overrides",
            "text": "city fir, colours was changed in the base too: Change 1 row of cities",
        }
    ]
    made = json.loads(run("variant", "apply", "red", "--json").out)
    assert made["rows"]["cities"] == made["cities"] > 0
    made = json.loads(run("variant", "apply", "tournament", "--board", "lines", "--json").out)
    assert (made["board"], made["variants"]) == ("lines", ["tournament"])
    assert made["rows"]["mileposts"] == made["mileposts"] > 0
    refused = run("variant", "diff", "valleys", "red", "--svg", "red.svg", "--as-variant", "variants/no.toml")
    assert (refused.code, "leave --svg out" in refused.err) == (2, True)
    assert not (tmp_path / "variants" / "no.toml").exists()
    assert run("variant", "diff", "lines", "valleys").code == 2
