"""Journals with the names and keys of earlier versions give the boards that today's commands give."""

import random
from pathlib import Path

import pytest
from board_helpers import open_folder
from edited import in_tables, small_board
from journals import TOPICS, Author, Pair, write_journal

from mapkit.document.frame_commands import FORMER_COMMON
from mapkit.document.session import Session
from mapkit.kinds.rail.commands import COMMANDS, CommandError
from mapkit.kinds.rail.commands.former_names import FORMER
from mapkit.kinds.rail.compiler.compile import compile_document
from mapkit.kinds.rail.editing.saving import all_files
from mapkit.kinds.rail.tables import RailDocument
from mapkit.kinds.registry import open_session

JOURNALS = 50


def tabled_board(folder: Path) -> Path:
    """Write the example with all track in tables and return its folder."""
    target = small_board(folder)
    files = all_files(in_tables(open_folder(target)))
    for path in [*target.rglob("*.csv"), target / "board.toml"]:
        path.unlink()
    for name, content in files.items():
        path = target / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return target


@pytest.mark.parametrize("seed", range(JOURNALS))
def test_a_journal_of_former_commands_gives_the_board_of_todays(seed: int, tmp_path: Path) -> None:
    board = tabled_board if seed % 3 == 2 else small_board
    former, today = (open_session(board(tmp_path / name)) for name in ("former", "today"))

    def do(session: Session[RailDocument], pair: Pair) -> bool:
        refusals = []
        for one, made in ((session, pair[0]), (today, pair[1])):
            try:
                one.do(made)
            except CommandError as error:
                refusals.append(str(error))
        assert len(refusals) in (0, 2), (pair, refusals)
        assert refusals[:1] == refusals[1:], pair
        assert session.document == today.document, pair
        return not refusals

    write_journal(former, seed, do)
    assert former.position > 0
    boards = [compile_document(one.document, board_id="x").board for one in (former, today)]
    assert boards[0] == boards[1]
    assert open_session(tmp_path / "former" / "sources" / "mymap").document == former.document  # read from its journal


def test_the_corpus_has_every_former_name(tmp_path: Path) -> None:
    author = Author(open_folder(small_board(tmp_path)), random.Random(1))  # noqa: S311 - the same again
    pairs = [pair for topic in TOPICS for pair in topic(author)]
    assert {str(former["kind"]) for former, _ in pairs} == {*FORMER, *FORMER_COMMON}
    for former, today in pairs:
        assert COMMANDS.current(former)["kind"] == today["kind"]
        assert COMMANDS.current(today) == today
