"""The editor as a process of its own, and a page of it that is a script: to be killed, cut off and starved."""

import atexit
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import parse_qs, urlsplit
from urllib.request import Request, urlopen

from edited import ROOT, Json
from patience import HANG_S
from websockets.sync.client import connect
from websockets.typing import Origin

_COUNT = count()
_REQUESTS = count()
"""Numbers of requests: a page that is loaded again has another name, so that no id comes twice."""
_KILL = signal.SIGKILL if sys.platform != "win32" else signal.SIGTERM
_ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+/\?ticket=\S+")


class Line:
    """A page's line to the server.

    Args:
        address: Of the editor.
        name: The page's name.
        secret: What a page knows that was let in.
    """

    def __init__(self, address: str, name: str, secret: str) -> None:
        parts = urlsplit(address)
        self.name = name
        self._open = ExitStack()
        opening = connect(
            f"ws://{parts.netloc}/ws?page={name}",
            origin=Origin(f"http://{parts.netloc}"),
            max_size=None,
            open_timeout=HANG_S,
        )
        self._socket = self._open.enter_context(opening)
        self._socket.send(json.dumps({"type": "enter", "secret": secret}))
        self.hello = self.hear()

    def __enter__(self) -> Self:
        """Take the line."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Hang up."""
        self._open.close()

    def hear(self, *kinds: str) -> Json:
        """Return the next message, or the next of some kinds."""
        while True:
            said: Json = json.loads(self._socket.recv(HANG_S))
            if not kinds or said["type"] in kinds:
                return said

    def say(self, request: Json) -> str:
        """Send a request and return its id."""
        ident = str(request.get("id") or f"{self.name}-{next(_REQUESTS)}")
        self._socket.send(json.dumps(request | {"id": ident}))
        return ident

    def ask(self, request: Json) -> Json:
        """Send a request and return its answer."""
        ident = self.say(request)
        while True:
            said = self.hear("done", "refused")
            if said["id"] == ident:
                return said

    def do(self, command: Json, **more: Any) -> Json:
        """Send a command and return its answer."""
        return self.ask({"type": "do", "command": command, **more})


def secret_of(address: str) -> str:
    """Exchange the ticket in what `mapkit edit` printed for the secret, as a page does."""
    parts = urlsplit(address)
    origin = f"{parts.scheme}://{parts.netloc}"
    body = json.dumps({"ticket": parse_qs(parts.query)["ticket"][0]}).encode()
    asked = Request(f"{origin}/api/enter", body, {"Origin": origin})  # noqa: S310 - our own server
    with urlopen(asked, timeout=HANG_S) as answer:  # noqa: S310 - as above
        said: Json = json.loads(answer.read())
    return str(said["secret"])


_START = """
import os, resource, signal, sys, traceback
from mapkit.cli.app import main
import mapkit.editor.server.run

def start(out, limit, state, *arguments):
    os.environ["MAPKIT_STATE"] = state
    to = os.open(out, os.O_WRONLY)
    os.dup2(to, 1)
    os.dup2(to, 2)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    if limit != "none":
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (int(limit), int(limit)))
    sys.argv = ["mapkit", *arguments]
    main()

signal.signal(signal.SIGCHLD, signal.SIG_IGN)
for line in sys.stdin:
    child = os.fork()
    if child == 0:
        try:
            start(*line.rstrip("\\n").split("\\t"))
        except BaseException:
            traceback.print_exc()
        os._exit(1)
    print(child, flush=True)
"""
"""Runs `mapkit edit` in a process of its own for every line that it reads; what is imported is imported once."""


@cache
def _starter() -> "subprocess.Popen[str]":
    started = subprocess.Popen(
        [sys.executable, "-c", _START],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=os.environ | {"PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"},
        encoding="utf-8",
    )
    atexit.register(started.kill)
    return started


class Editor:
    """A running `mapkit edit`, in a process of its own.

    Args:
        folder: The source package, in `sources/` of its workspace.
        limit: Most bytes that a file may have, as on a disk that is full then.
        state: The folder of what is kept from one run to the next; by default there is none.
        port: Where it listens; 0 for any.
    """

    def __init__(self, folder: Path, *, limit: int | None = None, state: Path | None = None, port: int = 0) -> None:
        starter = _starter()
        assert starter.stdin is not None
        assert starter.stdout is not None
        said = folder.parent.parent.parent / f"said-{folder.parent.parent.name}-{next(_COUNT)}"
        os.mkfifo(said)
        arguments = ["edit", folder.name, "--workspace", str(folder.parent.parent), "--no-open", "--port", str(port)]
        how = [str(said), "none" if limit is None else str(limit), "off" if state is None else str(state)]
        starter.stdin.write("\t".join([*how, *arguments]) + "\n")
        starter.stdin.flush()
        self.number = int(starter.stdout.readline())
        self._said = said.open(encoding="utf-8")  # waits until the other end is open
        said.unlink()
        self.address = self._address()
        self.secret = secret_of(self.address)

    def _address(self) -> str:
        said = ""
        for line in self._said:
            said += line
            found = _ADDRESS.search(line)
            if found:
                return found[0]
        raise AssertionError(said)

    def page(self, name: str = "script") -> Line:
        """Return the line of a new page."""
        return Line(self.address, name, self.secret)

    def end(self, number: int = _KILL) -> None:
        """End it by a signal, and wait: what it says ends with it."""
        if not self._said.closed:
            with suppress(ProcessLookupError):
                os.kill(self.number, number)
            self._said.read()
            self._said.close()


@contextmanager
def editor(folder: Path, *, limit: int | None = None, state: Path | None = None, port: int = 0) -> Iterator[Editor]:
    """Run the editor of a board until the block ends."""
    running = Editor(folder, limit=limit, state=state, port=port)
    try:
        yield running
    finally:
        running.end()
