"""Cards as pictures: the game is read back from them, they say what they are without colour, and texts fit."""

import re
from collections import defaultdict
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from conftest import REPOSITORY, Run

import mapkit
from mapkit.core.errors import ChoiceError
from mapkit.document.workspace import Workspace
from mapkit.drawing.theme.theme import THEMES
from mapkit.drawing.words.languages import LANGUAGES
from mapkit.kinds.cards.game import CardGame
from mapkit.kinds.cards.kind import CARDS
from mapkit.kinds.cards.render.cards import all_faces, card_sheets, cut_texts
from mapkit.kinds.cards.render.job import SIZES, CardJob, card_size
from mapkit.kinds.cards.render.rules_pages import card_rule_parts, rule_sheets
from mapkit.kinds.cards.render.sheet import draw_cards
from mapkit.kinds.cards.rules.settings import CardRules
from mapkit.press.page_svg import page_svg
from mapkit.press.printout import lay_out_sheets

GAMES = ("barons", "caminhos")


def game(name: str = "barons") -> CardGame:
    compiled, _ = CARDS.load(Workspace(REPOSITORY), name)
    return compiled.board


def tree(svg: str) -> ET.Element:
    return ET.fromstring(svg)  # noqa: S314 - ours


def groups(svg: str, kind: str) -> list[defaultdict[str, str]]:
    """Return the data of groups; an empty value has no attribute."""
    found = [one.attrib for one in tree(svg).iter() if one.get("class") == kind]
    return [defaultdict(str, {key.removeprefix("data-"): value for key, value in one.items()}) for one in found]


@pytest.mark.parametrize("name", GAMES)
def test_the_game_is_read_back_from_its_drawing(name: str) -> None:
    board = game(name)
    svg = draw_cards(CardJob(board))
    holdings = [
        (one["holding"], one["name"], one["short"], one["colour"], int(one["operators"]))
        for one in groups(svg, "holding")
    ]
    assert holdings == [(one.id, one.name, one.short, one.colour, one.operators) for one in board.holdings]
    shares = [(o["holding"], o["certificate"], o["percent"], o["director"]) for o in groups(svg, "certificate")]
    assert shares == [
        (holding.id, one.id, str(one.percent), "true" if one.director else "false")
        for holding in board.holdings
        for one in holding.certificates
    ]
    keys = ("railroad", "category", "name", "count", "face", "level", "cost", "income", "gone-at")
    assert [tuple(one[key] for key in keys) for one in groups(svg, "railroad")] == [
        (one.id, one.category, one.name, str(one.count), face.id, face.level, str(face.cost), str(face.income),
         "" if face.gone_at is None else str(face.gone_at))
        for one in board.railroads
        for face in one.faces
    ]  # fmt: skip
    assert [(one["investor"], one["value"], one["text"]) for one in groups(svg, "investor")] == [
        (one.id, str(one.value), one.text) for one in board.investors
    ]
    effects = [one["effects"].split() for one in groups(svg, "investor")]
    assert [[effect.split(":")[1] for effect in some] for some in effects] == [
        [effect.kind for effect in one.effects] for one in board.investors
    ]
    assert [(one["space"], one["value"], one["start"], one["end"]) for one in groups(svg, "space")] == [
        (one.id, "" if one.value is None else str(one.value), str(one.start).lower(), str(one.end).lower())
        for one in board.track
    ]


def test_the_published_game_has_sixty_cards_and_second_faces_as_backs() -> None:
    """BA-C02, BA-C25."""
    sheets = {one.id: one for one in card_sheets(CardJob(game()))}
    assert len(sheets) == 60
    assert 'id="railroad-b-b-2"' in sheets["railroad-b-1"].svg
    assert 'id="railroad-b-b-3"' in (sheets["railroad-b-1"].back or "")
    assert 'id="railroad-ik-ik-8b"' in (sheets["railroad-ik-8"].back or "")
    assert 'id="back-railroad"' in (sheets["railroad-a-1"].back or "")


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("size", [*SIZES, "40x60", "150x200"])
def test_texts_fit_in_every_size_and_language(name: str, size: str) -> None:
    board = game(name)
    for language in LANGUAGES:
        assert cut_texts(CardJob(board, size=card_size(size), language=language)) == []


def test_what_does_not_fit_is_found() -> None:
    board = game()
    long = board.investors[0].model_copy(update={"text": "much longer than a card has room for " * 30})
    board = board.model_copy(update={"investors": (long,)})
    [(face, _)] = cut_texts(CardJob(board))
    assert face == "investor-i30"
    [check] = [one for one in CARDS.all_checks() if one.code == "K18"]
    [found] = check.run(board)
    assert found.message.endswith("does not fit card investor-i30; shorten it")
    assert found.place is not None


def test_holdings_are_told_apart_without_colour() -> None:
    """Each has letters of its own, and the same game in grey still shows them with its shape and pattern."""
    job = CardJob(game())
    assert list(job.codes.values()) == ["MS", "S", "R", "D", "MB"]
    drawn = [re.sub(r"#[0-9a-f]{6}", "", svg) for svg in _certificates(job)]
    assert all(one != other for one, other in combinations(drawn, 2))


def _certificates(job: CardJob) -> list[str]:
    """Return the picture of each holding's smallest certificate, without names."""
    out = []
    for sheet in card_sheets(job):
        if sheet.id.startswith("certificate-") and sheet.id.endswith("-10"):
            root = tree(sheet.svg)
            out.append(" ".join(one.get("d", "") for one in root.iter() if one.tag.endswith("path")))
    return out


@pytest.mark.parametrize("theme", sorted(THEMES))
def test_every_theme_draws_every_face(theme: str) -> None:
    job = CardJob(game("caminhos"), THEMES[theme])
    ids = [one.attrib["id"] for one in tree(draw_cards(job)).iter() if one.get("id")]
    assert len(ids) == len(set(ids))
    assert {face.id for face in all_faces(job)} <= {*ids}


def test_the_rule_sheet_says_what_the_settings_are() -> None:
    def said(**changes: object) -> str:
        rules = CardRules.model_validate(changes)
        parts = card_rule_parts(CardJob(game().model_copy(update={"rules": rules})))
        return "\n".join(point for part in parts for point in part.points)

    plain = said()
    assert "For 2 players. Each begins with $200." in plain
    assert "The first railroad of level 4 makes all of level 2 obsolete; nobody is paid." in plain
    assert "the running operating round is completed" in plain
    assert "A removed card of two levels counts as the higher." in said(disputes={"removed": "higher"})
    assert "the operating rounds of the sequence are completed" in said(disputes={"end": "pair"})
    assert "at its face value" in said(setup={"bids": "face"})
    assert "remove the top railroad" in plain
    assert "remove the top railroad" not in said(rounds={"removes_top": False})
    assert "the marker moves down 2 lines" in said(market={"seller_down": 2})
    assert "Players pick in this order: A, B, B, A." in plain
    assert "Players pick in this order: A, B, B, A, A." in said(disputes={"fifth_investor": "drafted"})
    assert "chooses a starting value, $70, $80, $90, $100" in plain
    assert "Both faces of a card of two levels earn the same." in plain
    assert "earns what the face that is up says" in said(disputes={"income": "by-face"})
    assert "the first of either number" in said(disputes={"last_levels": "two"})
    assert "Nobody knows what some of them do" in plain


@pytest.mark.parametrize(("last", "wanted"), [(4, "1 2 3 4"), (3, "1 2 3 3")])
def test_the_rule_sheet_has_the_steps_of_a_holding(last: int, wanted: str) -> None:
    """BA-O01; D41: the printed rules number the last step 3 again."""
    rules = CardRules.model_validate({"disputes": {"last_step": last}})
    parts = card_rule_parts(CardJob(game().model_copy(update={"rules": rules})))
    assert " ".join(found[1] for part in parts if (found := re.match(r"Step (\d):", part.title))) == wanted


def test_a_rule_sheet_leaves_out_what_a_game_does_not_have() -> None:
    """A game without investors has no draft; one without second faces, none to choose."""
    board = game("caminhos").model_copy(update={"investors": ()})
    parts = card_rule_parts(CardJob(board))
    said = "\n".join(point for part in parts for point in part.points).lower()
    assert "draft" not in [part.title.lower() for part in parts]
    assert "picks an investor" not in said
    assert "two faces" not in said
    assert all(part.points for part in parts)


def test_every_language_has_a_rule_sheet_of_one_page() -> None:
    pages = {language: len(rule_sheets(CardJob(game(), language=language))) for language in LANGUAGES}
    assert pages == dict.fromkeys(LANGUAGES, 1)


@pytest.mark.slow
def test_a_printout_has_rules_track_tokens_and_cards_with_backs(tmp_path: Path) -> None:
    job = mapkit.PrintJob(duplex=True, bleed=3.0)
    done = mapkit.print_cards("barons", job, out=tmp_path / "b.pdf", workspace=REPOSITORY)
    found = {section.title: section.pages for section in done.printout.sections}
    assert found == {"Ruler": 1, "Sheets": 3, "Cards": 2 * 8}  # 60 cards, 8 a page
    again = mapkit.print_cards("barons", job, out=tmp_path / "c.pdf", workspace=REPOSITORY)
    assert again.printout.pdf == done.printout.pdf


@pytest.mark.slow
@pytest.mark.parametrize(
    ("only", "pages"), [(("rules",), 1), (("certificate",), 3), (("railroad-b", "track"), 2), (("cards",), 7)]
)
def test_parts_of_a_game_are_printed(tmp_path: Path, only: tuple[str, ...], pages: int) -> None:
    parts = mapkit.PrintedParts(only, low_ink=True)
    done = mapkit.print_cards("barons", mapkit.PrintJob(), out=tmp_path / "b.pdf", parts=parts, workspace=REPOSITORY)
    assert done.printout.pages == pages + 1  # and the ruler


@pytest.mark.parametrize(("size", "shown"), [("poker", "63.5 x 88.9 mm"), ("mini", "44 x 68 mm"), ("150x200", "")])
def test_the_ruler_has_the_outline_of_the_cards(size: str, shown: str) -> None:
    """What is larger than its page has none."""
    job = CardJob(game("caminhos"), size=card_size(size))
    pages, _, _ = lay_out_sheets(card_sheets(job), mapkit.PrintJob(), title=job.title, words=job.words)
    ruler = tree(page_svg(pages[0]))
    texts = [" ".join(one.itertext()) for one in ruler.iter() if one.tag.endswith("text")]
    assert [text for text in texts if text.startswith("a card: ")] == ([f"a card: {shown}"] if shown else [])


@pytest.mark.parametrize("size", ["pokr", "20x30", "70", "70x"])
def test_sizes_that_are_none_are_refused(size: str) -> None:
    with pytest.raises(ChoiceError, match=f"card size '{size}'"):
        card_size(size)


@pytest.mark.slow
def test_the_program_draws_and_prints_cards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    monkeypatch.chdir(tmp_path)
    for name, start in (("a.svg", b"<?xml"), ("a.png", b"\x89PNG"), ("a.pdf", b"%PDF")):
        options = ("--theme", "dark", "--language", "pt", "--card-size", "mini", "--dpi", "30", "--out", name)
        assert run("draw", "caminhos", *options).code == 0
        assert Path(name).read_bytes().startswith(start)
    assert run("draw", "caminhos", "--each", "svg", "--out", "each").code == 0
    assert {one.stem for one in Path("each").iterdir()} >= {"holding-tejo", "certificate-tejo-40", "back-railroad"}
    assert run("print", "caminhos", "--only", "track", "--language", "es").code == 0
    refused = run("print", "caminhos", "--only", "trak", "--out", "x.pdf")
    assert refused.code == 2
    assert "did you mean 'track'" in refused.err
    assert not Path("x.pdf").exists()
