"""A command written once, in one place, is at once usable everywhere: this file is the place."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal

import pytest
from board_helpers import apply_variant
from conftest import Run
from edited import small_board
from edits import edited, renamed
from tiny import tiny_board

from mapkit.core.base import Slug
from mapkit.document.command import Names
from mapkit.document.session import Session
from mapkit.kinds.rail.commands.command import COMMANDS, Command, CommandError, Draft
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.package import PACKAGE
from mapkit.kinds.rail.tables import RailDocument, Railroad
from mapkit.kinds.rail.variants.apply import apply_variants
from mapkit.kinds.rail.variants.as_variant import variant_of
from mapkit.kinds.rail.variants.rebase import rebase
from mapkit.kinds.rail.variants.variant import Variant, parse_variant

TEXT = """name = "mine"
[[operations]]
op = "double-price"
id = "red"
reason = "Dearer."
"""


class DoublePrice(Command):
    """Double the price of a railroad."""

    kind: Literal["double-price"] = "double-price"
    id: Annotated[Slug, Names("railroad")]

    def edit(self, draft: Draft) -> str:
        """Plan it."""
        draft.need("railroads", self.id, "railroad")
        railroad = draft.rows("railroads", Railroad)[self.id]
        if railroad.public:
            raise CommandError(f"{self.id!r} is never sold")
        draft.update("railroads", self.id, price=2 * railroad.price)
        return f"Double the price of {railroad.short}"

    @classmethod
    def explain(cls, before: RailDocument, after: RailDocument) -> Iterator[Command]:  # type: ignore[override]
        """Yield one for each railroad that costs twice as much."""
        for ident, railroad in before.railroads.items():
            if ident in after.railroads and after.railroads[ident].price == 2 * railroad.price:
                yield cls(id=ident)


@pytest.fixture(autouse=True)
def registered() -> Iterator[None]:
    COMMANDS.command("railroads")(DoublePrice)
    yield
    COMMANDS.forget("double-price")


def price(board: Board, ident: str) -> int:
    return next(r.price for r in board.railroads if r.id == ident)


def test_in_the_journal_and_by_mapkit_do(tmp_path: Path, run: Run) -> None:
    folder = small_board(tmp_path)
    session = Session.open(folder, PACKAGE)
    before = session.document.railroads["shore"].price
    assert session.do({"kind": "double-price", "id": "shore"}).label.startswith("Double the price of")
    made = run("do", "mymap", json.dumps({"kind": "double-price", "id": "shore"}), "--workspace", str(tmp_path))
    assert made.code == 0, made.err
    session = Session.open(folder, PACKAGE)
    assert session.document.railroads["shore"].price == 4 * before
    session.undo()
    assert session.document.railroads["shore"].price == 2 * before


def test_in_a_variant_file() -> None:
    placed = parse_variant(TEXT, file="variants/mine.toml")
    board = apply_variants(tiny_board(), [placed])
    assert price(board, "red") == 20000
    assert board.provenance.elements["railroads"]["red"].row == 2


def test_in_a_difference() -> None:
    target = apply_variant(tiny_board(), parse_variant(TEXT, file="v.toml").variant)
    found = variant_of(tiny_board(), target, name="found")
    assert [(one.kind, one.id) for one in found.variant.operations] == [("double-price", "red")]  # type: ignore[attr-defined]
    assert found.left == ()


def test_in_a_rebase() -> None:
    tiny = edited(tiny_board())
    mine = parse_variant(TEXT, file="v.toml").variant
    found = rebase(mine, tiny, edited(tiny, renamed("red", "crimson")))
    assert [one.fate for one in found.operations] == ["adapted"]
    assert found.variant.operations == (DoublePrice(id="crimson", reason="Dearer."),)
    assert isinstance(found.variant, Variant)
