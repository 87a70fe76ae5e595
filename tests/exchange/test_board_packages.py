"""Whole boards in any format become source packages that build to the same board, or to one with the losses listed."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from conftest import REPOSITORY, Run
from hypothesis import HealthCheck, given, settings
from random_boards import DRAWN_NAMES, boards
from sampling import examples
from test_round_trips import RULES, WHOLE, changed, exported, shipped, written
from tiny import tiny_board

import mapkit
from mapkit.core.errors import ChoiceError, SourceError
from mapkit.kinds.rail.exchange.registry import get_format
from mapkit.kinds.rail.exchange.source_package.importing import list_rebuild_losses
from mapkit.kinds.rail.exchange.source_package.writing import PlaceNames, board_to_source_files

ALWAYS = "where each element came from: it comes from this file now"


def same(board: mapkit.Board, again: mapkit.Board) -> bool:
    kept = {"id": board.id, "provenance": board.provenance, "variants": board.variants}
    return again.model_copy(update=kept) == board


@pytest.mark.parametrize("to", WHOLE)
def test_a_file_of_any_format_becomes_the_same_board(to: str, run: Run, tmp_path: Path) -> None:
    board = shipped("portugal")
    path = written(exported(get_format(to), board), tmp_path, get_format(to).suffixes[0])
    done = run("import", path, "--into", "copy", "--workspace", tmp_path)
    assert done.code == 0
    assert f"not kept, or made up: {ALWAYS}" in done.out
    again = mapkit.load("copy", workspace=tmp_path)
    assert same(board, again)


@pytest.mark.parametrize("name", ["usa", "portugal", "mexico"])
def test_a_shipped_board_is_the_same_when_built_again(name: str) -> None:
    board = shipped(name)
    assert list_rebuild_losses(board, board_to_source_files(board, file="x"), file="x") == (ALWAYS,)


@pytest.mark.parametrize(
    "variant", ["b-and-o-extension", "corrected-payoffs", "first-printing", "western-us", RULES[0]]
)
def test_a_variant_loses_its_name_and_states_of_dots(variant: str) -> None:
    board = changed(variant)
    lost = list_rebuild_losses(board, board_to_source_files(board, file="x"), file="x")
    assert lost[:2] == (ALWAYS, f"that these variants are in it: {variant}")
    assert all(text.startswith("milepost ") and " is now " in text for text in lost[2:])
    assert (variant in {"first-printing", "western-us"}) == (len(lost) > 2)


def test_an_import_writes_over_nothing_unasked(run: Run, tmp_path: Path) -> None:
    path = written(exported(get_format("engine"), tiny_board()), tmp_path, ".json")
    first = ("import", path, "--into", "copy", "--workspace", tmp_path)
    assert [run(*first).code, run(*first).code, run(*first, "--replace").code] == [0, 1, 0]
    (tmp_path / "sources" / "copy" / "lines" / "old.csv").write_text("x", encoding="utf-8")
    done = run(*first, "--replace")
    assert (done.code, "old.csv" in done.err) == (1, True)


def test_lines_are_taken_where_lines_are_asked_for(run: Run, tmp_path: Path) -> None:
    path = written(exported(get_format("gpkg"), tiny_board()), tmp_path, ".gpkg")
    assert "2 regions, 5 cities" in run("import", path).out
    assert f"{len(tiny_board().pieces)} lines, " in run("import", path, "--layer", "pieces").out


def test_what_no_package_says_is_reported() -> None:
    board = tiny_board()
    lone = board.mileposts[1].model_copy(update={"id": "lone", "name": "Lone", "kind": "dot"})
    longer = board.regions[0].model_copy(update={"short": "WESTERN"})
    odd = board.model_copy(
        update={"mileposts": (*board.mileposts, lone), "regions": (longer, *board.regions[1:]), "title": "Any"}
    )
    lost = list_rebuild_losses(odd, board_to_source_files(odd, file="x"), file="x")
    assert any("Lone" in text for text in lost)
    assert any("WESTERN" in text for text in lost)


def test_a_board_that_no_package_gives_is_refused(tmp_path: Path) -> None:
    board = tiny_board()
    empty = board.model_copy(update={"pieces": (), "segments": ()})
    path = written(exported(get_format("engine"), empty), tmp_path, ".json")
    with pytest.raises(SourceError, match=r"board\.json: no track"):
        mapkit.import_board(path, into="copy", workspace=tmp_path)
    with pytest.raises(ChoiceError, match="leave the countries out"):
        mapkit.import_board(path, into="copy", countries=["US"], workspace=tmp_path)
    assert not (tmp_path / "sources").exists()


def test_a_board_with_letters_that_cannot_be_drawn_is_refused() -> None:
    board = tiny_board()
    named = board.railroads[0].model_copy(update={"short": "\u07ca"})
    odd = board.model_copy(update={"railroads": (named, *board.railroads[1:])})
    with pytest.raises(SourceError, match=r"railroads\.csv:\d+: the mark '.' has Nko letters"):
        list_rebuild_losses(odd, board_to_source_files(odd, file="x"), file="x")


@settings(max_examples=examples(30), suppress_health_check=list(HealthCheck))
@given(boards(DRAWN_NAMES))
def test_any_board_is_refused_or_keeps_what_is_not_reported(board: mapkit.Board) -> None:
    """Names that no table can hold may go, with word of it; charts, prices and who serves what stay."""
    if not board.pieces:
        with pytest.raises(SourceError, match="x: no track"):
            list_rebuild_losses(board, board_to_source_files(board, file="x"), file="x")
        return
    lost = list_rebuild_losses(board, board_to_source_files(board, file="x"), file="x")
    with TemporaryDirectory() as folder:
        for name, text in board_to_source_files(board, file="x").items():
            path = Path(folder) / "sources" / "copy" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
        again = mapkit.load("copy", workspace=folder)
    assert again.payoffs == board.payoffs
    assert again.destinations == board.destinations
    assert {(r.id, r.price, r.style) for r in again.railroads} == {(r.id, r.price, r.style) for r in board.railroads}
    if lost == (ALWAYS,):
        assert same(board, again)
    assert (mapkit.diff_boards(board, again).same) == (not [t for t in lost[1:] if not t.startswith("places on")])


def test_the_workspace_of_the_repository_is_as_it_was() -> None:
    assert not (REPOSITORY / "sources" / "copy").exists()


def test_vertices_of_one_name_are_numbered_without_trying_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line of 10,000 points took 28 s while each looked for its number from 1."""
    names = PlaceNames()
    assert names.take(["Ford"]) == "Ford"
    assert names.take(["Ford"]) == "Ford 2"
    tried: list[str] = []
    free = PlaceNames.free

    def counted(self: PlaceNames, name: str) -> bool:
        tried.append(name)
        return free(self, name)

    monkeypatch.setattr(PlaceNames, "free", counted)
    assert [names.via("Ford", (0.0, 0.0)) for _ in range(500)] == [f"Ford {number}" for number in range(3, 503)]
    assert names.take(["Ford"]) == "Ford 503"
    assert len(tried) < 510
