"""A board as a document, everything in tables, and compiled from it again."""

import pytest
from boards import shipped
from hypothesis import given, settings
from random_boards import boards
from sampling import examples

from mapkit.core.jsontext import json_text
from mapkit.document.document import Document
from mapkit.kinds.rail.compiler.board_rows import document_of_board
from mapkit.kinds.rail.compiler.boards import of_board
from mapkit.kinds.rail.compiler.compile import compile_document
from mapkit.kinds.rail.model.board import Board


def tables(document: Document) -> dict[str, dict[str, object]]:
    return {name: dict(document.table(name)) for name in document.schema.tables}


@pytest.mark.parametrize("name", ["usa", "portugal", "mexico"])
def test_a_shipped_board_comes_back_byte_for_byte(name: str) -> None:
    board = shipped(name)
    document = document_of_board(board)
    text = json_text(board)
    compiled = compile_document(document, board_id=board.id)
    assert compiled.problems == ()
    assert json_text(compiled.board) == text
    again = of_board(board, document).recompile(document).board
    assert json_text(again) == text
    assert all(one is other for one, other in zip(again.pieces, board.pieces, strict=True))
    assert tables(document_of_board(again)) == tables(document)


@given(boards())
@settings(max_examples=examples(40))
def test_any_board_comes_back(board: Board) -> None:
    document = document_of_board(board)
    again = of_board(board, document).recompile(document).board
    # of segments of which no origin is said, one is
    assert again.model_copy(update={"provenance": board.provenance}) == board
    assert again.provenance.accepted == board.provenance.accepted
