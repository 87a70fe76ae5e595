"""Rules in the editor: options, settings and the marked rule sheet, all from the models."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sampling import examples

from mapkit.document.document import Setting
from mapkit.document.session import Session
from mapkit.evaluate import Evaluator
from mapkit.kinds.rail.commands import CommandError
from mapkit.kinds.rail.commands.rules import RulesState, read_rules
from mapkit.kinds.rail.compiler.compile import compile_document
from mapkit.kinds.rail.editing.config import config_of
from mapkit.kinds.rail.queries import Asked, answer
from mapkit.kinds.rail.rules import book
from mapkit.kinds.rail.rules.options import is_on
from mapkit.kinds.rail.rules.paths import descriptions, flatten_nested
from mapkit.kinds.rail.rules.rules import Rules
from mapkit.kinds.rail.tables import RailDocument
from mapkit.kinds.registry import open_session

_EVALUATORS: dict[str, Evaluator] = {}


def asked_of(session: Session[RailDocument]) -> Asked:
    def at(moment: Any) -> RailDocument:
        return session.saved_document if moment == "saved" else session.document_at(moment)

    key = str(session.folder)
    known = _EVALUATORS.setdefault(key, Evaluator())
    live = compile_document(session.document, board_id=session.board, evaluator=known)
    return Asked(session.revision, live, session.folder, at)


def ask(session: Session[RailDocument], name: str, **body: object) -> dict[str, Any]:
    reply: dict[str, Any] = json.loads(answer(name, json.dumps(body).encode(), asked_of(session)).text())
    return reply


def typed(session: Session[RailDocument]) -> dict[str, object]:
    rows = session.document.table("settings").items()
    return {key: row.value for key, row in rows if key.startswith("rules") and isinstance(row, Setting)}


def change(session: Session[RailDocument], **fields: object) -> Rules:
    session.do({"kind": "change-rules", **fields})
    return config_of(session.document).rules


def test_every_option_and_setting_of_the_models_is_there(example: Path) -> None:
    found = ask(open_session(example), "rules")
    assert [option["id"] for option in found["options"]] == list(book.options())
    shown = {setting["path"] for group in found["groups"] for setting in group["settings"]}
    assert shown == set(descriptions(Rules)) - {"preset"}
    assert all(setting["about"] for group in found["groups"] for setting in group["settings"])


def test_a_bundle_is_switched_on_and_one_of_its_options_off(example: Path) -> None:
    session = open_session(example)
    start = session.document
    rules = change(session, on=["half-time"])
    assert typed(session) == {"rules.options": ["half-time"]}
    assert rules.options.extra_starting_cash == 20_000
    rules = change(session, off=["free-upgrade"])
    assert not rules.options.free_upgrade
    assert rules.options.software_lookup
    rules = change(session, on=["extra-cash=5000"])
    assert rules.options.extra_starting_cash == 5000
    while session.position:
        session.undo()
    assert session.document == start


def test_single_settings_are_set_and_taken_back_to_the_presets(example: Path) -> None:
    session = open_session(example)
    assert change(session, values={"fees.own": 0}).fees.own == 0
    assert typed(session) == {"rules.fees.own": 0}
    assert change(session, values={"fees.own": None}).fees.own == 1000
    assert typed(session) == {}
    assert change(session, values={"net_worth.target.two": 400_000}).net_worth.target.two == 400_000


def test_a_setting_of_an_option_spells_the_option_out(example: Path) -> None:
    session = open_session(example)
    change(session, on=["half-time"])
    rules = change(session, values={"options.opening_auctions": False})
    assert not rules.options.opening_auctions
    assert rules.options.free_upgrade
    assert "rules.options" not in typed(session)


def test_what_contradicts_itself_is_refused_in_a_sentence(example: Path) -> None:
    session = open_session(example)
    change(session, on=["own-track-free"])
    before = session.document
    with pytest.raises(CommandError, match=r"option own-track-free contradicts option own-track-pays: fees\.own"):
        change(session, on=["own-track-pays"])
    with pytest.raises(CommandError, match="did you mean 'half-time'"):
        change(session, on=["halftime"])
    with pytest.raises(CommandError, match=r"no setting 'fees.owner'"):
        change(session, values={"fees.owner": 1})
    with pytest.raises(CommandError, match="the preset ah plays by no-home-swap"):
        change(session, off=["no-home-swap"])
    assert session.document == before
    refused = {option["id"]: option["refused"] for option in ask(session, "rules")["options"]}
    assert "contradicts" in refused["own-track-pays"]
    tried = ask(session, "rules-try", change={"kind": "edit-rules", "on": ["own-track-pays"]})
    assert "contradicts" in tried["refused"]


@settings(max_examples=examples(25))
@given(st.lists(st.tuples(st.sampled_from(sorted(book.options())), st.booleans()), max_size=5))
def test_what_is_not_refused_is_as_it_says(steps: list[tuple[str, bool]]) -> None:
    state = RulesState(RailDocument())
    refusals: list[str] = []
    for ident, on in steps:
        kept = (list(state.names), dict(state.single))
        try:
            (state.switch_on if on else state.switch_off)(ident)
            rules = read_rules(state.data())
        except CommandError as error:
            refusals.append(str(error))
            state.names, state.single = kept
            continue
        assert is_on(ident, flatten_nested(rules.model_dump())) == on
    assert all(refusals)


def test_the_rule_sheet_marks_what_changed(example: Path) -> None:
    session = open_session(example)
    change(session, on=["half-time"])
    sheet = ask(session, "rules")["sheet"]
    assert [point["mark"] for point in sheet["options"]] == ["new"]
    marks = {(point["mark"], point["text"]) for section in sheet["sections"] for point in section["points"]}
    start = next(text for mark, text in marks if mark == "new" and "$40,000 ($20,000 and $20,000 extra)" in text)
    assert ("gone", start.replace("$40,000 ($20,000 and $20,000 extra)", "$20,000")) in marks
    session.save()
    sheet = ask(session, "rules")["sheet"]
    assert {point["mark"] for section in sheet["sections"] for point in section["points"]} == {""}
    sheet = ask(session, "rules", against=0)["sheet"]
    assert "new" in {point["mark"] for section in sheet["sections"] for point in section["points"]}
