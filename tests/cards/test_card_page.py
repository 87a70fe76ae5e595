"""What the page of card games gets and asks: columns, settings, pictures, pages, changes; wrong questions."""

import base64
import io
import json
import re
from typing import Any

import pikepdf
import pytest
from conftest import REPOSITORY

from mapkit.document.changes import apply
from mapkit.document.command import Draft
from mapkit.document.workspace import Workspace
from mapkit.drawing.sheet import Sheet
from mapkit.kinds.cards.columns import MEANINGS, rule_settings, table_columns
from mapkit.kinds.cards.compiler import CompiledCards
from mapkit.kinds.cards.kind import CARDS
from mapkit.kinds.cards.render.cards import card_sheets
from mapkit.kinds.cards.render.job import CardJob
from mapkit.kinds.cards.rules.effects import EFFECTS
from mapkit.kinds.cards.rules.settings import CardRules
from mapkit.kinds.cards.tables import REFERS, CardDocument
from mapkit.kinds.queries import BoardSnapshot, QueryError
from mapkit.press.page_svg import page_svg
from mapkit.press.vector import PdfPage, PlacedPicture

SQUARE = '<svg xmlns="http://www.w3.org/2000/svg" width="10mm" height="20mm" viewBox="0 0 1 2"><rect id="r"/></svg>'


def barons() -> CompiledCards:
    compiled, _ = CARDS.load(Workspace(REPOSITORY), "barons")
    return compiled


def asked(compiled: CompiledCards, saved: CardDocument | None = None) -> BoardSnapshot[CompiledCards]:
    return BoardSnapshot(3, compiled, document_at=lambda _at: saved or compiled.document)


def ask(name: str, question: dict[str, Any], of: BoardSnapshot[CompiledCards] | None = None) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(CARDS.answer(name, json.dumps(question).encode(), of or asked(barons())).text())
    return found


def changed(*rows: tuple[str, str, dict[str, object] | None]) -> CompiledCards:
    before = barons().document
    draft = Draft(before)
    changes = [
        {"table": table, "key": key, "row": None if row is None else {**base(before, table, key), **row}}
        for table, key, row in rows
    ]
    CARDS.commands.read({"kind": "set-rows", "label": "x", "rows": changes}).edit(draft)
    return CARDS.compile(apply(before, draft.patch()), board_id="barons")


def base(document: CardDocument, table: str, key: str) -> dict[str, object]:
    old = document.get(table, key)
    return {} if old is None else old.model_dump(mode="json")


def test_every_column_that_an_author_types_is_on_the_page() -> None:
    shown = table_columns()
    assert list(shown) == [name for name in CardDocument.schema.tables if name not in ("settings", "accepted")]
    for table, some in shown.items():
        assert [one.name for one in some] == [
            one for one in CardDocument.schema.tables[table].model_fields if one != "rank"
        ]
    choices = {(table, one.name): one.names for table, some in shown.items() for one in some if one.names}
    assert choices == dict(REFERS)
    effects = next(one for one in shown["effects"] if one.name == "effect")
    assert [(one.value, one.about) for one in effects.options] == [(word, one.about) for word, one in EFFECTS.items()]
    kinds = {one.name: (one.kind, one.empty) for one in shown["faces"]}
    assert kinds == {
        "railroad": ("choice", False),
        "level": ("text", False),
        "cost": ("number", False),
        "income": ("number", False),
        "gone_at": ("number", True),
    }


def test_every_setting_of_the_rules_is_on_the_page_with_its_default() -> None:
    defaults = {
        f"rules.{group}.{name}": value
        for group, values in CardRules().model_dump().items()
        for name, value in values.items()
    }
    assert {one.key: one.default for one in rule_settings()} == defaults
    assert all(re.match(r"(BA-[A-Z]\d\d|D\d\d)", one.about) for one in rule_settings())
    bids = next(one for one in rule_settings() if one.key == "rules.setup.bids")
    assert (bids.kind, [one.value for one in bids.options]) == ("choice", ["free", "face"])


def test_every_word_of_a_list_is_explained_and_nothing_else() -> None:
    lists = {one.key: one.options for one in rule_settings() if one.options}
    lists |= {
        f"{table}.{one.name}": one.options for table, some in table_columns().items() for one in some if one.options
    }
    assert [f"{of}: {one.value}" for of, options in lists.items() for one in options if not one.about] == []
    assert {of: {one.value for one in lists[of]} for of in MEANINGS} == {
        of: set(words) for of, words in MEANINGS.items()
    }


def test_pictures_name_the_rows_that_they_show() -> None:
    found = ask("pictures", {"theme": "dark", "size": "mini", "language": "pt"})["pictures"]
    by_id = {one["id"]: one for one in found}
    assert by_id["railroad-b-b-3"]["rows"] == [["railroads", "b"], ["faces", "b-3"]]
    assert (by_id["railroad-b-b-3"]["count"], by_id["certificate-rice-40"]["rows"]) == (
        3,
        [["certificates", "rice-40"]],
    )
    assert by_id["tokens-seedy-operator"]["count"] == 6
    assert 'width="44mm"' in by_id["holding-marley"]["svg"]
    sorts = {one["sort"] for one in found}
    assert sorts == {"holding", "certificate", "railroad", "investor", "overview", "back", "track", "token"}
    known = {(table, key) for table in CardDocument.schema.tables for key in barons().document.table(table)}
    assert {tuple(row) for one in found for row in one["rows"]} <= known


def test_the_saved_game_is_drawn_beside_the_one_now() -> None:
    now = changed(("faces", "a-2", {"cost": 130}), ("holdings", "rice", {"short": "R.I."}))
    of = asked(now, barons().document)
    new, old = (
        {one["id"]: one["svg"] for one in ask("pictures", {"at": at}, of)["pictures"]} for at in ("now", "saved")
    )
    assert 'data-cost="130"' in new["railroad-a-a-2"]
    assert 'data-cost="100"' in old["railroad-a-a-2"]
    assert new["railroad-b-b-2"] == old["railroad-b-b-2"]
    rows = ask("changed", {}, of)["rows"]
    assert [(one["table"], one["key"]) for one in rows] == [("holdings", "rice"), ("faces", "a-2")]
    assert (rows[1]["before"]["cost"], rows[1]["after"]["cost"]) == (100, 130)


def test_what_is_new_or_gone_has_one_side() -> None:
    now = changed(("investors", "i30", None), ("track", "v360", {"value": 360}))
    rows = {one["key"]: one for one in ask("changed", {}, asked(now, barons().document))["rows"]}
    assert (rows["i30"]["after"], rows["v360"]["before"]) == (None, None)


@pytest.mark.slow
def test_the_pages_are_those_of_the_printout() -> None:
    found = ask("pages", {"backs": True, "bleed": 3})
    printed = ask("printed", {"backs": True, "bleed": 3})
    pdf = base64.b64decode(printed["pdf"])
    assert (printed["name"], pdf[:5]) == ("barons-a4.pdf", b"%PDF-")
    assert sum(pages for _, _, pages in found["sections"]) == len(found["pages"]) == 20
    with pikepdf.open(io.BytesIO(pdf)) as file:
        assert len(file.pages) == 20
    # every card of the game is on some page, as often as there is one
    whole = "".join(found["pages"])
    sheets: list[Sheet] = card_sheets(CardJob(barons().board))
    assert len(re.findall(r'class="(?:holding|certificate|railroad|investor|overview)"', whole)) >= len(sheets)
    assert "on both sides of the paper" in found["notes"][0]


def test_a_page_places_pictures_and_turns_them() -> None:
    page = PdfPage(100, 80, (PlacedPicture(SQUARE, 5, 6, 10, 20), PlacedPicture(SQUARE, 40, 10, 20, 10, turned=True)))
    svg = page_svg(page)
    assert svg.count("<rect id=") == 2
    assert 'viewBox="0 0 100 80"' in svg
    assert re.search(r'<svg [^>]*height="20"[^>]* x="5" y="6"', svg)
    assert 'transform="translate(40 20) rotate(-90)"' in svg


@pytest.mark.parametrize(
    ("name", "question", "said"),
    [
        ("pictures", {"theme": "clasic"}, "no theme 'clasic' (did you mean 'classic'?)"),
        ("pictures", {"size": "jumbo"}, "card size 'jumbo'"),
        ("pictures", {"language": "de"}, "'de'"),
        ("pages", {"bleed": 11}, "write 10 or less"),
        ("pages", {"colour": "red"}, "this key is unknown"),
        ("printed", {"size": "150x300"}, "choose from 40 x 60"),
        ("cards", {}, "no question 'cards'"),
    ],
)
def test_a_wrong_question_is_refused_with_its_cure(name: str, question: dict[str, Any], said: str) -> None:
    with pytest.raises(QueryError, match=re.escape(said)):
        ask(name, question)
