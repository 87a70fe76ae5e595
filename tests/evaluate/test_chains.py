"""Boards after chains of edits are those of their documents compiled from nothing.

`MAPKIT_CHAIN=1000 pytest tests/evaluate/test_chains.py -k five` makes chains of 1,000 edits; a normal run takes fewer.
"""

import os
import random
from functools import cache
from typing import Any

import pytest
from board_helpers import open_folder
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
from mapkit.kinds.rail.compiler.compile import compile_document
from mapkit.kinds.rail.kind import RAIL

pytestmark = pytest.mark.slow

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
    return apply(document, (Change(table=name, key=key, before=None, after=row, origin=None),))


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


def shipped(name: str) -> Any:
    """Return the document of a folder of `sources/`."""
    folder = REPOSITORY / "sources" / name
    return open_folder(folder) if FIVE[name] is RAIL else FIVE[name].read(FIVE[name].read_files(folder)).document


FIVE: dict[str, Any] = {"ireland": RAIL, "portugal": RAIL, "mexico-hex": HEX, "western-us-hex": HEX, "caminhos": CARDS}
EDITS = int(os.environ.get("MAPKIT_CHAIN", "0")) or examples(40, least=6)


def moved(row: Any, rng: random.Random) -> Any:
    """Change a position, a price or another number of a row."""
    numbers = {key: value for key, value in row if isinstance(value, float | int) and not isinstance(value, bool)}
    numbers.pop("rank", None)
    if not numbers:
        return row
    key = rng.choice(sorted(numbers))
    step = 0.01 if isinstance(numbers[key], float) else 1
    return row.model_copy(update={key: round(numbers[key] + rng.choice((-step, step)), 5)})


def changed(document: Document, first: Document, rng: random.Random) -> Document:
    """Drop, copy, move or restore a random row, or now and then restore all of them."""
    if rng.random() < 0.02:
        return first
    name = rng.choice([name for name in first.schema.tables if first.table(name) and name != "files"])
    keys = sorted(first.table(name))
    key, how = rng.choice(keys), rng.choice(("drop", "copy", "move", "move", "restore", "restore", "restore"))
    row = document.get(name, key)
    after = {
        "drop": None,
        "copy": document.get(name, rng.choice(keys)),
        "move": moved(row, rng) if row is not None and name != "settings" else row,
        "restore": first.get(name, key),
    }[how]
    return apply(document, (Change(table=name, key=key, before=None, after=after, origin=None),))


@pytest.mark.slow
@pytest.mark.parametrize("name", FIVE)
def test_chains_on_five_boards_are_boards_from_nothing(name: str) -> None:
    kind, first, evaluator = FIVE[name], shipped(name), Evaluator()
    document: Any = first
    rng = random.Random(1830)  # noqa: S311 - no secret
    for _ in range(EDITS):
        document = changed(document, first, rng)
        live = kind.compile(document, board_id=name, evaluator=evaluator)
        fresh = (
            compile_document(document, board_id=name, frame=live.frame)
            if kind is RAIL
            else kind.compile(document, board_id=name)
        )
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
