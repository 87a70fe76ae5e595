"""What is kept of an editor's port: only its owner reads it, and it lets pages of the same board in again."""

import json
import os
import stat
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from threading import Thread

import pytest

from mapkit.editor.server.run import _listen_again, listen
from mapkit.editor.server.session_store import (
    MOST,
    StoredSession,
    address_of_running,
    forget_session,
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
    forget_session(board, ONE.port)
    assert read_sessions(board) == (TWO,)


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


def test_a_board_comes_back_on_its_port_with_its_secret_and_no_other_port_has_it(board: Path) -> None:
    listening, first = _listen_again(board, 0)
    store_session(board, first)
    busy, elsewhere = _listen_again(board, 0)  # the port is in use
    with busy, listening:
        assert elsewhere.port != first.port
        assert elsewhere.secret != first.secret
    again, same = _listen_again(board, 0)
    with again:
        assert same == first
    again, same = _listen_again(board, first.port)
    with again:
        assert same == first
    again, new = _listen_again(board.with_name("other"), first.port)
    with again:
        assert new.port == first.port
        assert new.secret != first.secret


@pytest.fixture
def impostor(board: Path) -> Iterator[StoredSession]:
    """Another program on the port where the board was open last; it answers whatever it is asked."""
    with listen(0) as listening:
        door = StoredSession(port=listening.getsockname()[1], secret=new_secret())
        store_session(board, door)

        def answer() -> None:
            line, _ = listening.accept()
            with line:
                line.recv(10_000)
                line.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")

        thread = Thread(target=answer)
        thread.start()
        yield door
        thread.join(10)


@pytest.mark.usefixtures("impostor")
def test_a_secret_that_another_program_may_have_heard_is_dropped(board: Path) -> None:
    assert address_of_running(board, 0) is None
    assert read_sessions(board) == ()


def test_a_port_where_nobody_listens_keeps_its_secret(board: Path) -> None:
    with listen(0) as listening:
        door = StoredSession(port=listening.getsockname()[1], secret=new_secret())
    store_session(board, door)
    with pytest.raises(ConnectionRefusedError):
        HTTPConnection("127.0.0.1", door.port).connect()
    assert address_of_running(board, 0) is None
    assert read_sessions(board) == (door,)
