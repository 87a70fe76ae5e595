"""Card games: both shipped ones compile and build, every check finds its mistake, and problems say what to do."""

import json
import re

import pytest
from conftest import REPOSITORY

from mapkit.core.jsontext import json_text
from mapkit.document.changes import apply
from mapkit.document.command import Draft
from mapkit.document.document import Setting
from mapkit.document.workspace import Workspace
from mapkit.kinds.cards.compiler import CompiledCards
from mapkit.kinds.cards.game import CardGame
from mapkit.kinds.cards.kind import CARDS
from mapkit.kinds.cards.tables import CardDocument

SOURCES = REPOSITORY / "sources"
BARONS = {"K10": 1, "K12": 1, "K14": 1, "K15": 3}
CAMINHOS = {"K11": 1}


def document(name: str) -> CardDocument:
    return CARDS.document_of(CARDS.read_files(SOURCES / name))


def changed(table: str, key: str, row: dict[str, object] | None) -> CompiledCards:
    draft = Draft(document("barons"))
    old = document("barons").get(table, key)
    whole = None if row is None else {**(old.model_dump(mode="json") if old is not None else {}), **row}
    change = {"table": table, "key": key, "row": whole}
    CARDS.commands.read({"kind": "set-rows", "label": "x", "rows": [change]}).edit(draft)
    return CARDS.compile(apply(document("barons"), draft.patch()), board_id="barons")


def codes(compiled: CompiledCards) -> dict[str, int]:
    found: dict[str, int] = {}
    for one in CARDS.check(compiled).findings:
        found[one.code] = found.get(one.code, 0) + 1
    return found


@pytest.mark.parametrize(("name", "wanted"), [("barons", BARONS), ("caminhos", CAMINHOS)])
def test_shipped_games_have_these_findings(name: str, wanted: dict[str, int]) -> None:
    compiled = CARDS.compile(document(name), board_id=name)
    assert compiled.problems == ()
    assert codes(compiled) == wanted


@pytest.mark.parametrize("name", ["barons", "caminhos"])
def test_bundles_are_those_of_the_sources(name: str) -> None:
    compiled = CARDS.compile(document(name), board_id=name)
    for file, text in CARDS.bundle(compiled, CARDS.check(compiled)).items():
        assert (REPOSITORY / "build" / name / file).read_text(encoding="utf-8") == text, f"run: mapkit build {name}"


def test_the_published_game_has_its_counts() -> None:
    """BA-C02, BA-C03, BA-C14 to BA-C24."""
    game = CARDS.compile(document("barons"), board_id="barons").board
    assert [one.short for one in game.holdings] == ["MS&C", "Seedy", "Rice", "DPI", "MB&S"]
    assert [one.operators for one in game.holdings] == [6, 6, 5, 4, 4]
    assert sum(len(one.certificates) for one in game.holdings) == 20
    assert sum(one.count for one in game.railroads) == 28
    assert sum(one.count for one in game.tokens) == 30
    assert {one.category: one.count for one in game.railroads} == {
        **dict.fromkeys("DEFGH", 2),
        **dict.fromkeys("BC", 3),
        "A": 4,
        "I/K": 8,
    }
    assert [(face.level, face.cost, face.income) for face in game.railroads[-1].faces] == [
        ("8a", 800, 300),
        ("8b", 400, 100),
    ]


def test_the_game_is_the_same_after_json() -> None:
    game = CARDS.compile(document("barons"), board_id="barons").board
    text = json_text(game)
    assert json_text(CardGame.model_validate(json.loads(text))) == text


@pytest.mark.slow
@pytest.mark.parametrize(
    ("table", "key", "row", "code"),
    [
        ("certificates", "seedy-10", {"percent": 20}, "K01"),
        ("certificates", "seedy-40", {"percent": 45}, "K02"),
        ("certificates", "seedy-30", {"director": True}, "K03"),
        ("tokens", "rice-operator", {"count": 4}, "K04"),
        ("railroads", "a", {"count": 5}, "K05"),
        ("faces", "a-2", {"gone_at": 7}, "K06"),
        ("faces", "g-5", {"gone_at": 5}, "K06"),
        ("effects", "once", {"effect": "fly"}, "K07"),
        ("effects", "once", {"amount": None}, "K07"),
        ("track", "v90", {"value": 60}, "K08"),
        ("track", "v350", {"end": False}, "K09"),
        ("railroads", "c", {"category": "A"}, "K13"),
        ("holdings", "rice", {"colour": "#c8322c"}, "K16"),
        ("holdings", "rice", {"name": "Seedy Brothers"}, "K17"),
        ("faces", "a-2", {"level": "6"}, "K19"),
        ("faces", "ik-8b", {"level": "7"}, "K19"),
        ("faces", "b-3", {"income": 60}, "K21"),
    ],
)
def test_each_check_finds_its_mistake(table: str, key: str, row: dict[str, object], code: str) -> None:
    found = codes(changed(table, key, row))
    assert code in found
    assert code not in BARONS


def test_incomes_of_a_card_of_two_levels_may_differ_where_the_rules_say_so() -> None:
    """D42: only I/K has two incomes, and its faces are of one number."""
    game = changed("faces", "b-3", {"income": 60}).board
    [check] = [one for one in CARDS.all_checks() if one.code == "K21"]
    assert [found.message for found in check.run(game)] == [
        "b-3 earns 60, b-2 on the same card 50; make them equal, or set rules.disputes.income to by-face"
    ]
    rules = game.rules.model_copy(update={"disputes": game.rules.disputes.model_copy(update={"income": "by-face"})})
    assert list(check.run(game.model_copy(update={"rules": rules}))) == []


def test_a_row_of_an_unknown_holding_is_a_problem_with_its_cure() -> None:
    [problem] = changed("certificates", "seedy-10", {"holding": "seedi"}).problems
    assert problem.key == "seedy-10"
    assert "seedi" in problem.message
    assert problem.cure == "write an id of it"


def test_a_railroad_without_a_face_is_a_problem() -> None:
    [problem] = changed("faces", "a-2", None).problems
    assert problem.message == "a has no face; add a row to faces.csv"


def test_wrong_settings_are_problems_and_leave_the_rest() -> None:
    draft = Draft(document("barons"))
    for key, value in (("rules.disputes.end", "never"), ("rules.limits.certificats", 8), ("rules.setup.cash", 300)):
        draft.put("settings", key, Setting(value=value))  # as a file may have it; a step is refused
    compiled = CARDS.compile(apply(document("barons"), draft.patch()), board_id="barons")
    assert sorted(one.key for one in compiled.problems) == ["rules.disputes.end", "rules.limits.certificats"]
    assert "did you mean" in next(one.message for one in compiled.problems if "certificats" in one.key)
    assert compiled.board.rules.setup.cash == 300
    assert compiled.board.rules.disputes.end == "running"


def test_each_different_card_is_a_group_of_the_drawing() -> None:
    drawing = CARDS.draw(CARDS.compile(document("barons"), board_id="barons"))
    groups = re.findall(r'<g [^>]*id="([^"]+)"', drawing)
    cards = [one for one in groups if not one.startswith(("layer-", "space-"))]
    assert len(groups) == len(set(groups))
    assert len(cards) == 5 + 20 + 13 + 5 + 1


def test_a_new_game_is_the_invented_one() -> None:
    files = {name: text.decode() for name, text in CARDS.new_files(example=True).items()}
    new = CARDS.document_of(files)
    assert new.table("railroads") == document("caminhos").table("railroads")
    assert list(CARDS.new_files(example=False)) == ["board.toml"]


@pytest.mark.parametrize("level", ["8a", "8b"])
def test_variants_leave_the_last_railroads_one_face(level: str) -> None:
    file = REPOSITORY / "variants" / "cards" / f"only-{level}.toml"
    compiled, _ = CARDS.load(Workspace(REPOSITORY), "barons", [str(file)])
    assert [face.level for face in compiled.board.railroads[-1].faces] == [level]
    assert "K06" not in codes(compiled)
