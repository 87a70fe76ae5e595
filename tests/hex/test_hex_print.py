"""Printouts, rule sheets and pictures of boards of hexagons, as files."""

import json
from io import BytesIO
from pathlib import Path

import pikepdf
import pytest
from conftest import Run
from hexagons import compiled, example

import mapkit
from mapkit.core.errors import ChoiceError, PrintError
from mapkit.document.workspace import Workspace
from mapkit.drawing.words.languages import LANGUAGES
from mapkit.kinds.hex.render.pieces.job import HexJob
from mapkit.kinds.hex.render.pieces.rules_pages import rule_pages, rule_parts
from mapkit.kinds.hex.rules.settings import HexRules
from mapkit.kinds.starting import new_board


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hex-print")
    new_board(Workspace(folder), "valleys", kind="hex")
    return folder


def test_a_printout_has_board_rules_pieces_and_cards(home: Path) -> None:
    out = home / "valleys.pdf"
    job = mapkit.PrintJob(duplex=True)
    done = mapkit.print_hexes("valleys", job, out=out, workspace=home)
    found = {section.title: section.pages for section in done.printout.sections if section.title != "Empty page"}
    # rules; 168 tiles on three pages, 125 cubes, markers, tokens; 16 and 6 cards, engines and 60 bonds with their backs
    assert found == {"Assembly plan": 1, "Ruler": 1, "Board": 2, "Sheets": 7, "Cards": 2 * (3 + 5)}
    with pikepdf.Pdf.open(BytesIO(out.read_bytes())) as pdf:
        assert len(pdf.pages) == done.printout.pages
    assert done.files == (out,)
    again = mapkit.print_hexes("valleys", job, out=home / "again.pdf", workspace=home)
    assert again.printout.pdf == done.printout.pdf


@pytest.mark.slow
@pytest.mark.parametrize(
    ("only", "pages"),
    [(("tiles",), 3), (("rules",), 1), (("cubes-1", "tokens"), 2), (("bond",), 4), (("pieces",), 6)],
)
def test_parts_are_printed_by_group_and_by_name(home: Path, only: tuple[str, ...], pages: int) -> None:
    done = mapkit.print_hexes(
        "valleys", mapkit.PrintJob(), out=home / "part.pdf", parts=mapkit.PrintedParts(only), workspace=home
    )
    assert done.printout.pages == pages + 1  # and the ruler


@pytest.mark.parametrize(("scale", "pages"), [(1.0, 3), (0.5, 1), (2.0, 12)])
def test_tiles_are_as_large_as_the_hexagons_that_are_printed(home: Path, scale: float, pages: int) -> None:
    parts = mapkit.PrintedParts(("tiles",))
    done = mapkit.print_hexes(
        "valleys", mapkit.PrintJob(scale=scale), out=home / "scaled.pdf", parts=parts, workspace=home
    )
    assert done.printout.pages == pages + 1  # and the ruler


def test_a_poster_is_one_page_as_large_as_the_board(home: Path) -> None:
    parts = mapkit.PrintedParts(("board",), low_ink=True)
    done = mapkit.print_hexes("valleys", mapkit.PrintJob("poster"), out=home / "p.pdf", parts=parts, workspace=home)
    assert done.printout.pages == 1


def test_what_cannot_be_printed_is_refused(home: Path) -> None:
    with pytest.raises(ChoiceError, match=r"part 'tile' is unknown \(did you mean 'tiles'\?\)"):
        mapkit.print_hexes(
            "valleys", mapkit.PrintJob(), out=home / "x.pdf", parts=mapkit.PrintedParts(("tile",)), workspace=home
        )
    with pytest.raises(PrintError, match=r"ends in \.pdf"):
        mapkit.print_hexes("valleys", mapkit.PrintJob(), out=home / "x.png", workspace=home)
    with pytest.raises(ChoiceError, match=r"x\.jpg: a picture's name ends in"):
        mapkit.draw_hexes("valleys", out=home / "x.jpg", workspace=home)
    assert not list(home.glob("x.*"))


def test_the_program_draws_and_prints(home: Path, monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    monkeypatch.chdir(home)
    for name, start in (("a.svg", b"<?xml"), ("a.png", b"\x89PNG"), ("a.pdf", b"%PDF")):
        options = ("--theme", "dark", "--language", "pt", "--dpi", "30", "--out", name)
        assert run("draw", "valleys", *options).code == 0
        assert Path(name).read_bytes().startswith(start)
    printed = run("print", "valleys", "--only", "rules", "--language", "es", "--json")
    assert printed.code == 0
    assert json.loads(printed.out)["files"] == ["valleys-a4.pdf"]


def test_the_rule_sheet_says_what_the_settings_are() -> None:
    board = compiled(example()).board

    def said(**groups: object) -> str:
        rules = HexRules.model_validate(groups)
        parts = rule_parts(HexJob(board.model_copy(update={"rules": rules})))
        return "\n".join(point for part in parts for point in part.points)

    plain = said()
    assert "A tile on plains costs $2,000, on water $3,000, on mountains $4,000; crossing a ridge costs $4,000" in plain
    assert "rotor" not in plain
    assert "mine" not in plain
    assert "each of the others pays 50 % of their own last bid" in said(auction={"style": "first-to-pass"})
    assert "There is one auction" in said(auction={"style": "worst-is-first"})
    assert "Order of the colours: red, blue." in said(rotors={"enabled": True, "wheel": ["red", "blue"]})
    assert "Each player may place 2 mines in the game, for $10,000 each" in said(mines={"enabled": True})
    assert "Each action is chosen once" in said(turn={"repeat_actions": False})


def test_every_language_has_a_rule_sheet_of_one_page() -> None:
    board = compiled(example()).board
    pages = {language: len(rule_pages(HexJob(board, language=language))) for language in LANGUAGES}
    assert pages == dict.fromkeys(LANGUAGES, 1)
