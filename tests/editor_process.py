"""The editor as a process of its own, and a page of it that is a script: to be killed, cut off and starved."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import parse_qs, urlsplit

from edited import ROOT, Json
from websockets.sync.client import connect
from websockets.typing import Origin

WITHIN = 60.0
_ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+/\?token=\S+")


class Line:
    """A page's line to the server.

    Args:
        address: What `mapkit edit` printed.
        name: The page's name.
    """

    def __init__(self, address: str, name: str) -> None:
        parts = urlsplit(address)
        self.name = name
        self._count = 0
        self._open = ExitStack()
        opening = connect(
            f"ws://{parts.netloc}/ws?page={name}",
            origin=Origin(f"http://{parts.netloc}"),
            additional_headers={"Cookie": f"mapkit-{parts.port}={parse_qs(parts.query)['token'][0]}"},
            max_size=None,
            open_timeout=WITHIN,
        )
        self._socket = self._open.enter_context(opening)
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
            said: Json = json.loads(self._socket.recv(WITHIN))
            if not kinds or said["type"] in kinds:
                return said

    def say(self, request: Json) -> str:
        """Send a request and return its id."""
        self._count += 1
        ident = str(request.get("id", f"{self.name}-{self._count}"))
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


class Editor:
    """A running `mapkit edit`.

    Args:
        folder: The source package, in `sources/` of its workspace.
        environment: More variables.
        limit: Most bytes that a file may have, as on a disk that is full then.
    """

    def __init__(self, folder: Path, *, environment: Mapping[str, str] | None = None, limit: int | None = None) -> None:
        code = "from mapkit.cli.app import main; main()"
        if limit is not None:
            code = (
                "import resource, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
                f"resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {limit})); {code}"
            )
        self.process = subprocess.Popen(
            [sys.executable, "-c", code, "edit", folder.name, "--workspace", str(folder.parent.parent), "--no-open"],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=os.environ | {"PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"} | dict(environment or {}),
        )
        self.address = self._address()

    def _address(self) -> str:
        said = ""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            said += line
            found = _ADDRESS.search(line)
            if found:
                return found[0]
        raise AssertionError(said)

    def page(self, name: str = "script") -> Line:
        """Return the line of a new page."""
        return Line(self.address, name)

    def end(self, number: int = signal.SIGKILL) -> None:
        """End it by a signal, and wait."""
        self.process.send_signal(number)
        self.process.communicate(timeout=WITHIN)


@contextmanager
def editor(folder: Path, *, environment: Mapping[str, str] | None = None, limit: int | None = None) -> Iterator[Editor]:
    """Run the editor of a board until the block ends."""
    running = Editor(folder, environment=environment, limit=limit)
    try:
        yield running
    finally:
        if running.process.poll() is None:
            running.end()
