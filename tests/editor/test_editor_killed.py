"""The running server: killed, on a full disk, in a folder that is read-only, with others at work beside it."""

import os
import random
import re
import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from board_helpers import open_folder
from edited import ROOT, Json, small_board
from editor_process import Line, editor, secret_of
from optional import program
from patience import HANG_S
from websockets.exceptions import ConnectionClosed

from mapkit.document.journal import journal_path
from mapkit.kinds.rail.tables import ranked
from mapkit.kinds.registry import open_session

pytestmark = [
    pytest.mark.skipif(os.name != "posix", reason="signals and limits of POSIX"),
    pytest.mark.slow,
]

KILLS = 8


def weight(value: float, city: str = "boston") -> Json:
    return {"kind": "edit-city", "id": city, "weight": value}


SERVERS = """
import os, signal, sys
from pathlib import Path
from urllib.parse import urlsplit
from mapkit.editor.server.run import serve
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
for line in sys.stdin:
    if os.fork() == 0:
        serve(Path(line.strip()), started=lambda opened: print(os.getpid(), opened.new_address(), flush=True))
        os._exit(0)
"""
"""Starts a server for every line that it reads: what is imported is imported once."""


def edit_until_killed(line: Line, steps: int) -> int:
    """Edit, save, undo and redo as fast as it goes; return how many steps were acknowledged."""
    try:
        while True:
            assert line.do(weight(steps + 1))["type"] == "done"
            steps += 1
            if steps % 5 == 0:
                line.ask({"type": "save"})
            if steps % 7 == 0:
                line.ask({"type": "undo"})
                line.ask({"type": "redo"})
    except ConnectionClosed:
        return steps


def kill_at_random(folder: Path, kills: int, seed: int) -> tuple[int, int]:
    """Kill the server while a script edits, again and again; return how many steps were acknowledged, and were lost."""
    chance = random.Random(seed)  # noqa: S311 - no secret
    acknowledged = there = lost = 0
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        [sys.executable, "-c", SERVERS],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=env,
        encoding="utf-8",
    ) as servers:
        assert servers.stdin is not None
        assert servers.stdout is not None
        for _ in range(kills):
            servers.stdin.write(f"{folder}\n")
            servers.stdin.flush()
            number, address = servers.stdout.readline().split()
            with Line(address, "script", secret_of(address)) as line:
                history = line.hello["history"]
                there, before = len(history["steps"]) + len(history["other"]) - 1, there
                lost += max(0, before - there)
                stop = threading.Timer(0.02 + chance.random() * 0.5, os.kill, [int(number), signal.SIGKILL])
                stop.start()
                after = edit_until_killed(line, there)
                stop.join()
                acknowledged, there = acknowledged + after - there, after
        servers.stdin.close()
    session = open_session(folder)
    steps = session.history()["steps"] + session.history()["other"]
    lost += max(0, there - len(steps) + 1)
    for step in steps:
        assert step["n"] == (session.document_at(step["n"]).cities["boston"].weight or 0)
    session.save()
    assert open_folder(folder) == ranked(session.document)
    return acknowledged, lost


@pytest.mark.slow
def test_nothing_acknowledged_is_lost_when_the_server_is_killed(tmp_path: Path) -> None:
    folder = small_board(tmp_path)
    acknowledged, lost = kill_at_random(folder, KILLS, 1)
    assert lost == 0
    assert acknowledged > KILLS
    assert all(line.endswith(b"}") for line in journal_path(folder).read_bytes().splitlines())


def test_a_full_disk_reaches_the_page_at_once(tmp_path: Path) -> None:
    folder = small_board(tmp_path)
    with editor(folder) as running, running.page() as line:
        assert line.do(weight(1))["type"] == "done"
    before = journal_path(folder).read_bytes()
    with editor(folder, limit=len(before) + 10) as running, running.page() as line:
        for answer in (line.do(weight(2)), line.ask({"type": "undo"}), line.do(weight(3))):
            assert answer["type"] == "refused"
            assert "nothing was changed" in answer["message"]
        with running.page("other") as other:
            assert other.hello["tables"]["cities"]["boston"]["weight"] == 1
    assert journal_path(folder).read_bytes() == before


def test_a_read_only_folder_is_reported_and_loses_nothing(tmp_path: Path) -> None:
    """The folder is moved away, for root may write whatever a folder's mode says."""
    folder = small_board(tmp_path)
    with editor(folder) as running, running.page() as line:
        assert line.do(weight(1))["type"] == "done"
        sources, away = folder.parent, tmp_path / "away"
        sources.rename(away)
        for request in ({"type": "do", "command": weight(2)}, {"type": "save"}, {"type": "undo"}):
            assert line.ask(request)["type"] == "refused"
        shutil.rmtree(sources, ignore_errors=True)  # a lock may be there
        away.rename(sources)
        assert line.do(weight(3))["type"] == "done"
        assert line.ask({"type": "save"})["type"] == "done"
    assert open_folder(folder).cities["boston"].weight == 3


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="a read-only mount needs root")
def test_a_read_only_file_system_is_reported_and_loses_nothing(tmp_path: Path) -> None:
    mount = tmp_path / "disk"
    mount.mkdir()
    command = [program("mount", "apt-get install mount"), "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(mount)]
    if subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("no file system may be mounted here")
    try:
        folder = small_board(mount)
        with editor(folder) as running, running.page() as line:
            assert line.do(weight(1))["type"] == "done"
            subprocess.run(["mount", "-o", "remount,ro", str(mount)], check=True)
            answer = line.do(weight(2))
            assert answer["type"] == "refused"
            assert "cannot be written: Read-only file system; nothing was changed" in answer["message"]
            assert line.ask({"type": "save"})["type"] == "refused"
            subprocess.run(["mount", "-o", "remount,rw", str(mount)], check=True)
            with pytest.raises(OSError, match="No space left"):
                (mount / "fill").write_bytes(b"x" * 8 * 2**20)
            answers = [line.do(weight(n)) for n in range(2, 40)]  # the last block has room for some
            done = sum(answer["type"] == "done" for answer in answers)
            assert [answer["type"] for answer in answers] == ["done"] * done + ["refused"] * (38 - done)
            assert "No space left on device; nothing was changed" in answers[-1]["message"]
            (mount / "fill").unlink()
            assert line.do(weight(99))["type"] == "done"
            assert line.ask({"type": "save"})["type"] == "done"
        assert open_folder(folder).cities["boston"].weight == 99
        assert open_session(folder).position == done + 2
    finally:
        subprocess.run(["umount", "-l", str(mount)], check=True)


@pytest.mark.slow
def test_two_pages_the_command_line_and_a_text_editor_at_once(tmp_path: Path) -> None:
    folder = small_board(tmp_path)
    with editor(folder) as running, running.page("aaaa") as one, running.page("bbbb") as two:
        assert one.do(weight(1), seen=0)["type"] == "done"
        assert two.do(weight(2, "albany"), seen=0)["type"] == "done"  # another row: merges
        subprocess.run(
            [
                sys.executable,
                "-m",
                "mapkit",
                "do",
                "mymap",
                '{"kind":"edit-city","id":"portland","weight":3}',
                "--no-save",
            ],
            cwd=tmp_path,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
            check=True,
            capture_output=True,
        )
        while "portland" not in [change["key"] for change in one.hear("changed")["changes"]]:
            pass
        refused = two.do(weight(9, "portland"), seen=2)
        assert refused["type"] == "refused"
        (conflict,) = refused["conflict"]
        assert (conflict["mine"]["weight"], conflict["theirs"]["weight"]) == (9, 3)
        assert two.do(weight(9, "portland"), seen=2, force=True)["type"] == "done"

        table = folder / "cities.csv"
        text = table.read_text(encoding="utf-8")
        table.write_text(text.replace("-71.0598,42.3584,,", "-71.0598,42.3584,,5"), encoding="utf-8")
        asked = one.hear("disk")
        assert asked["files"] == ["cities.csv"]
        assert [(c["key"], c["mine"]["weight"], c["theirs"]["weight"]) for c in asked["conflicts"]] == [
            ("boston", 1, 5)
        ]
        assert "choose which to keep" in one.ask({"type": "save"})["message"]
        assert one.ask({"type": "disk", "take": "mine"})["type"] == "done"
        settled = two.hear("settled")  # so that the other page does not ask any more
        assert (settled["client"], settled["take"]) == ("aaaa", "mine")
        assert "decided already" in two.ask({"type": "disk", "take": "disk"})["message"]
        assert one.ask({"type": "save"})["type"] == "done"
    cities = open_folder(folder).cities
    assert [cities[key].weight for key in ("boston", "albany", "portland")] == [1, 2, 9]


def test_a_request_sent_again_after_a_cut_is_done_once(tmp_path: Path) -> None:
    folder = small_board(tmp_path)
    with editor(folder) as running:
        with running.page("aaaa") as line:
            line.say({"type": "do", "command": weight(7), "id": "aaaa-1"})  # hangs up before the answer
        for _ in range(2):
            with running.page("aaaa") as line:
                assert line.do(weight(7), id="aaaa-1") == {"type": "done", "id": "aaaa-1", "revision": 1}
                assert line.ask({"type": "undo", "id": "aaaa-2"})["revision"] == 2
        with running.page("bbbb") as line:  # the id of another page is another id
            assert line.ask({"type": "redo", "id": "aaaa-2"})["revision"] == 3
    assert [step["label"] for step in open_session(folder).history()["steps"]] == [
        "Opened",
        "Set weight of Boston to 7",
    ]


def test_a_request_sent_again_after_a_restart_is_done_once(tmp_path: Path) -> None:
    folder, state = small_board(tmp_path), tmp_path / "state"
    requests: list[Json] = [
        {"type": "do", "command": weight(7), "id": "aaaa-1"},
        {"type": "do", "command": weight(8), "id": "aaaa-2"},
        {"type": "undo", "id": "aaaa-3"},
    ]
    with editor(folder, state=state) as running, running.page("aaaa") as line:
        assert [line.ask(request)["revision"] for request in requests] == [1, 2, 3]
    waited: Json = {"type": "do", "command": weight(9, "albany"), "id": "aaaa-4", "seen": 3}
    with editor(folder, state=state) as again:
        with again.page("aaaa") as line:  # a page of the same name, which heard no answer, and had a step to send
            assert [line.ask(request)["revision"] for request in [*requests, waited]] == [3, 3, 3, 4]
        with again.page("bbbb") as line:  # the id of another page is another id
            assert line.ask(requests[1])["revision"] == 5
    steps = open_session(folder).history()
    labels = ["Opened", "Set weight of Boston to 7", "Set weight of Albany to 9"]
    assert [step["label"] for step in steps["steps"]] == [*labels, "Set weight of Boston to 8"]


def test_a_board_that_is_opened_again_has_its_port_and_a_new_secret(tmp_path: Path) -> None:
    folder, state = small_board(tmp_path), tmp_path / "state"
    with editor(folder, state=state) as running:
        with running.page() as line:
            assert line.do(weight(1))["type"] == "done"
        with editor(folder, state=state) as another:  # which ends at once: the first gives it an address
            assert urlsplit(another.address).port == urlsplit(running.address).port
            assert another.secret == running.secret
            with another.page("other") as line:
                assert line.do(weight(2))["type"] == "done"
    with editor(folder, state=state) as again:
        assert urlsplit(again.address).port == urlsplit(running.address).port
        assert again.secret != running.secret  # somebody else may have listened there in the meantime
        with again.page() as line:
            assert line.hello["revision"] == 2
            assert line.do(weight(3))["revision"] == 3
        with pytest.raises(ConnectionClosed, match="4403"), running.page():
            pass


def test_ticket_and_secret_are_not_in_the_workspace(tmp_path: Path) -> None:
    folder = small_board(tmp_path)
    with editor(folder) as running, running.page() as line:
        ticket, secret = running.address.rpartition("=")[2].encode(), running.secret.encode()
        line.do(weight(1))
        line.ask({"type": "save"})
        found = [path for path in tmp_path.rglob("*") if path.is_file()]
        assert journal_path(folder) in found
        assert [path for path in found if any(one in path.read_bytes() for one in (ticket, secret))] == []
        assert min(len(ticket), len(secret)) >= 32
        journal = journal_path(folder).read_bytes()
        assert str(tmp_path).encode() not in journal


@pytest.mark.slow
def test_the_editor_starts_as_a_program_and_ends_with_an_interrupt(tmp_path: Path) -> None:
    folder = small_board(tmp_path)
    with subprocess.Popen(
        [sys.executable, "-m", "mapkit", "edit", folder.name, "--no-open"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
    ) as running:
        assert running.stdout is not None
        said = next(line for line in running.stdout if "http://127.0.0.1:" in line)
        address = re.findall(r"http://\S+", said)[0]
        with Line(address, "script", secret_of(address)) as line:
            assert line.do(weight(1))["type"] == "done"
            running.send_signal(signal.SIGINT)
            running.communicate(timeout=HANG_S)
    assert running.returncode in (0, 130, -signal.SIGINT)
    assert open_session(folder).document.cities["boston"].weight == 1
