"""Boards of hexagons and card games after chains of edits are those of their documents compiled from nothing."""

from functools import cache
from typing import Any

import pytest
from boards import REPOSITORY
from hypothesis import given, settings
from hypothesis import strategies as st
from sampling import examples

from mapkit.core.findings import Finding
from mapkit.document.changes import Change, apply
from mapkit.document.document import Document
from mapkit.evaluate import Evaluator
from mapkit.kinds.cards.kind import CARDS
from mapkit.kinds.hex.kind import HEX

KINDS: dict[str, Any] = {"hex": HEX, "cards": CARDS}


@cache
def start(kind: str) -> Document:
    files = KINDS[kind].new_files(example=True)
    found: Document = KINDS[kind].read({name: data.decode() for name, data in files.items()}).document
    return found


EDIT = st.tuples(st.integers(0, 999), st.integers(0, 999), st.sampled_from(["drop", "copy", "restore", "setting"]))


def edited(document: Document, edit: tuple[int, int, str], first: Document) -> Document:
    """Drop a row, make it say what another of its table says, take it from the start again, or change a setting."""
    number, other, how = edit
    names = [name for name in first.schema.tables if first.table(name) and name not in ("files", "settings")]
    name = "settings" if how == "setting" else names[number % len(names)]
    keys = sorted(first.table(name))
    key, second = keys[number % len(keys)], keys[other % len(keys)]
    row = {
        "drop": None,
        "copy": document.get(name, second),
        "restore": first.get(name, key),
        "setting": document.get(name, second) if other % 3 else first.get(name, key),
    }[how]
    return apply(document, (Change.model_construct(table=name, key=key, before=None, after=row, origin=None),))


def shown(found: Any) -> list[Finding]:
    return list(found.as_json()["findings"])


@pytest.mark.slow
@pytest.mark.parametrize("name", KINDS)
@settings(max_examples=examples(15), deadline=None)
@given(edits=st.lists(EDIT, min_size=1, max_size=12))
def test_boards_after_edits_are_those_from_nothing(name: str, edits: list[tuple[int, int, str]]) -> None:
    kind, document, evaluator = KINDS[name], start(name), Evaluator()
    for edit in edits:
        document = edited(document, edit, start(name))
        live = kind.compile(document, board_id=name, evaluator=evaluator)
        fresh = kind.compile(document, board_id=name)
        assert live.board == fresh.board
        assert live.board.model_dump_json() == fresh.board.model_dump_json()
        assert live.problems == fresh.problems
        assert shown(kind.findings(live)) == shown(kind.findings(fresh))


def test_the_shipped_game_of_hexagons_is_compiled_once() -> None:
    document = HEX.read(HEX.read_files(REPOSITORY / "sources" / "mexico-hex")).document
    live = HEX.compile(document, board_id="mexico-hex")
    again = HEX.compile(
        type(document)({**document.tables}, document.origins), board_id="mexico-hex", evaluator=live.evaluator
    )
    assert again.board is live.board
