"""What is kept of an editor's port: only its owner reads it, and a second `mapkit edit` finds the server by it."""

import json
import os
import stat
from http.client import HTTPConnection
from pathlib import Path

import pytest

from mapkit.editor.server.run import _listen_again, listen
from mapkit.editor.server.session_store import (
    MOST,
    StoredSession,
    address_of_running,
    new_secret,
    read_sessions,
    store_session,
)

ONE = StoredSession(port=40_001, secret="a" * 32)
TWO = StoredSession(port=40_002, secret="b" * 32)


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MAPKIT_STATE", str(tmp_path / "state"))
    return tmp_path / "state"


@pytest.fixture
def board(tmp_path: Path) -> Path:
    return tmp_path / "sources" / "mymap"


def the_file(state: Path) -> Path:
    (file,) = (state / "editor").iterdir()
    return file


def test_doors_are_kept_by_board_the_newest_first(board: Path) -> None:
    other = board.with_name("other")
    for door in (ONE, TWO, ONE):
        store_session(board, door)
    assert read_sessions(board) == (ONE, TWO)
    assert read_sessions(other) == ()
    for number in range(MOST):
        store_session(other, StoredSession(port=50_000 + number, secret=new_secret()))
    store_session(other, ONE)
    assert [door.port for door in read_sessions(other)] == [ONE.port, *(50_000 + n for n in range(MOST - 1, 0, -1))]


@pytest.mark.skipif(os.name != "posix", reason="modes of POSIX")
def test_only_the_user_can_read_it_and_a_file_that_others_can_write_counts_for_nothing(
    state: Path, board: Path
) -> None:
    store_session(board, ONE)
    file = the_file(state)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    for mode in (0o640, 0o604, 0o620):
        file.chmod(mode)
        assert read_sessions(board) == ()
    store_session(board, TWO)
    assert stat.S_IMODE(the_file(state).stat().st_mode) == 0o600
    assert read_sessions(board) == (TWO,)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        '{"folder":"elsewhere","doors":[]}',
        json.dumps({"folder": "/", "doors": [{"port": 0, "secret": "a" * 32}]}),
        json.dumps({"folder": "/", "doors": [{"port": 1, "secret": "short"}]}),
        json.dumps({"folder": "/", "doors": [{"port": 1, "secret": "a" * 32 + "\r\nX: 1"}]}),
        " " * 20_000,
    ],
)
def test_a_file_that_is_broken_counts_for_nothing(state: Path, board: Path, text: str) -> None:
    store_session(board, ONE)
    file = the_file(state)
    file.write_text(text.replace('"/"', json.dumps(str(board))), encoding="utf-8")
    assert read_sessions(board) == ()


def test_where_nothing_can_be_kept_nothing_is(tmp_path: Path, board: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    for place in (str(tmp_path / "file" / "state"), "off"):
        monkeypatch.setenv("MAPKIT_STATE", place)
        store_session(board, ONE)
        assert read_sessions(board) == ()
        assert address_of_running(board, 0) is None


def test_a_board_comes_back_on_its_port(board: Path) -> None:
    with _listen_again(board, 0) as listening:
        first = StoredSession(port=listening.getsockname()[1], secret=new_secret())
        store_session(board, first)
        with _listen_again(board, 0) as elsewhere:  # the port is in use
            assert elsewhere.getsockname()[1] != first.port
    with _listen_again(board, 0) as again:
        assert again.getsockname()[1] == first.port


def test_a_port_where_nobody_listens_keeps_its_secret(board: Path) -> None:
    with listen(0) as listening:
        door = StoredSession(port=listening.getsockname()[1], secret=new_secret())
    store_session(board, door)
    with pytest.raises(ConnectionRefusedError):
        HTTPConnection("127.0.0.1", door.port).connect()
    assert address_of_running(board, 0) is None
    assert read_sessions(board) == (door,)
