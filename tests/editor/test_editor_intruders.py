"""What other users of the machine try: to hear the secret, to be believed, and to shut the owner out."""

import asyncio
import http.client
import json
import logging
import os
import socket
import tempfile
import threading
import time
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.testclient import TestClient

from mapkit.editor.server import connections
from mapkit.editor.server.access import Guard
from mapkit.editor.server.app import HANDLERS, page_routes
from mapkit.editor.server.connections import BoundedProtocol, OneLineASecond
from mapkit.editor.server.limits import AT_START
from mapkit.editor.server.run import listen
from mapkit.editor.server.session_store import StoredSession, address_of_running, new_secret, store_session
from mapkit.editor.server.tickets import CHALLENGE_SECONDS, ENTRY, PROOF, AccessKeys


@pytest.fixture(autouse=True)
def _state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAPKIT_STATE", str(tmp_path / "state"))


@pytest.fixture
def board(tmp_path: Path) -> Path:
    return tmp_path / "sources" / "mymap"


@contextmanager
def serving(keys: AccessKeys, listening: socket.socket, static: Path) -> Iterator[None]:
    """Serve the way in, as the editor does, in a thread."""
    app = Guard(Starlette(routes=page_routes(static, keys), exception_handlers=HANDLERS), keys, AT_START)
    config = uvicorn.Config(app, log_level="warning", http=BoundedProtocol, lifespan="off", timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=lambda: asyncio.run(server.serve(sockets=[listening])))
    thread.start()
    while not server.started:
        time.sleep(0.01)
    try:
        yield
    finally:
        server.should_exit = True
        thread.join(10)


@pytest.fixture
def keys(board: Path) -> Iterator[AccessKeys]:
    """An editor that runs."""
    with listen(0) as listening:
        keys = AccessKeys(listening.getsockname()[1], new_secret())
        store_session(board, StoredSession(port=keys.port, secret=keys.secret))
        with serving(keys, listening, board):
            yield keys


def test_an_editor_that_runs_is_found_by_proofs_of_both_sides(board: Path, keys: AccessKeys) -> None:
    address = address_of_running(board, 0)
    assert address is not None
    assert keys.takes(address.rpartition("=")[2], ENTRY)
    store_session(board, StoredSession(port=keys.port, secret=new_secret()))  # of an earlier start
    assert address_of_running(board, 0) is None


@pytest.mark.parametrize(
    "answer", [b"hello", b'{"challenge":"x","proof":"","ticket":"evil"}', b'{"ticket":"evil"}', b"{", b"x" * 20_000]
)
def test_who_listens_on_the_port_hears_no_secret_and_is_not_believed(board: Path, answer: bytes) -> None:
    heard: list[bytes] = []
    with listen(0) as listening:
        session = StoredSession(port=listening.getsockname()[1], secret=new_secret())
        store_session(board, session)

        def impersonate() -> None:
            line, _ = listening.accept()
            with line:
                heard.append(line.recv(10_000))
                line.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(answer), answer))

        thread = threading.Thread(target=impersonate)
        thread.start()
        assert address_of_running(board, 0) is None
        thread.join(10)
    assert heard
    assert session.secret.encode() not in heard[0]


def test_a_proof_is_good_for_its_port_its_nonce_and_a_short_time() -> None:
    now = [100.0]
    keys = AccessKeys(8000, "s" * 40, clock=lambda: now[0])
    challenge = keys.new_challenge("n" * 16)
    proof = keys.prove("client", "n" * 16, challenge)
    assert keys.is_proof("n" * 16, challenge, proof)
    assert not keys.is_proof("m" * 16, challenge, proof)
    assert not AccessKeys(8001, "s" * 40).is_proof("n" * 16, challenge, proof)  # passed on to another port
    for wrong in ("", "é", proof[:-1], keys.prove("server", "n" * 16, challenge)):
        assert not keys.is_proof("n" * 16, challenge, wrong)
        assert not keys.is_proof("n" * 16, wrong, proof)
    now[0] += CHALLENGE_SECONDS
    assert not keys.is_proof("n" * 16, challenge, proof)


def ask(keys: AccessKeys, path: str, body: bytes) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", keys.port, timeout=5)
    try:
        connection.request("POST", path, body, {"Origin": f"http://127.0.0.1:{keys.port}"})
        return connection.getresponse().status
    finally:
        connection.close()


def test_who_is_not_known_sends_a_kilobyte_at_most(board: Path) -> None:
    keys = AccessKeys(8124, new_secret())
    app = Guard(Starlette(routes=page_routes(board, keys), exception_handlers=HANDLERS), keys, AT_START)
    client = TestClient(app, base_url="http://127.0.0.1:8124", headers={"origin": "http://127.0.0.1:8124"})
    for path in (ENTRY, PROOF):
        assert client.post(path, content=b" " * 1025).status_code == 413
        assert client.post(path, content=iter([b" " * 600, b" " * 600])).status_code == 413
        assert client.post(path, content=b"{}").status_code == 400


def test_idle_connections_shut_nobody_out(keys: AccessKeys) -> None:
    with ExitStack() as idle:
        for _ in range(connections.MOST + 40):
            idle.enter_context(socket.create_connection(("127.0.0.1", keys.port)))
        body = json.dumps({"nonce": "n" * 16}).encode()
        assert ask(keys, PROOF, body) == 200
        time.sleep(0.05)
        assert len(BoundedProtocol._open) <= connections.MOST


@pytest.mark.parametrize(
    "begun",
    [
        b"",
        b"POST /api/enter HTTP/1.1\r\nHost: ",
        b"POST /api/enter HTTP/1.1\r\nHost: HOST\r\nOrigin: http://HOST\r\nContent-Length: 9\r\n\r\n",
    ],
    ids=["nothing", "half a head", "half a body"],
)
def test_a_request_that_does_not_arrive_ends(keys: AccessKeys, monkeypatch: pytest.MonkeyPatch, begun: bytes) -> None:
    monkeypatch.setattr(connections, "HEADER_SECONDS", 0.2)
    monkeypatch.setattr("mapkit.editor.server.access.BODY_SECONDS", 0.2)
    with socket.create_connection(("127.0.0.1", keys.port), timeout=5) as line:
        line.sendall(begun.replace(b"HOST", f"127.0.0.1:{keys.port}".encode()))
        try:
            answer = line.recv(10_000)
        except ConnectionResetError:
            answer = b""
    assert answer == b"" or b" 408 " in answer.split(b"\r\n")[0]


def test_the_log_has_a_line_a_second() -> None:
    limit = OneLineASecond()
    record = logging.LogRecord("asyncio", logging.ERROR, "", 0, "socket.accept() out of system resource", None, None)
    assert [limit.filter(record) for _ in range(1000)].count(True) == 1


NOBODY = 65_534


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can become another user")
def test_another_user_neither_reads_the_secret_nor_gets_a_ticket(
    monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    with tempfile.TemporaryDirectory() as open_folder:
        Path(open_folder).chmod(0o755)
        monkeypatch.setenv("MAPKIT_STATE", open_folder)
        keys: AccessKeys = request.getfixturevalue("keys")
        (stored,) = Path(open_folder).rglob("*.json")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # the server's thread does not matter to the copy
            child = os.fork()
        if child == 0:
            reached = 1
            with suppress(BaseException):
                os.setgroups([])
                os.setgid(NOBODY)
                os.setuid(NOBODY)
                forged = json.dumps({"nonce": "n" * 16, "challenge": "c" * 16, "proof": "p" * 64}).encode()
                statuses = [ask(keys, PROOF, forged), ask(keys, ENTRY, b'{"ticket":"guess"}')]
                reached = 2 if all(400 <= status < 500 for status in statuses) else 3
                stored.read_bytes()
                reached = 4
            os._exit(reached)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 2  # refused there, and stopped by the file's mode
