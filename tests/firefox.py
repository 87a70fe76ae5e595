"""Firefox as people have it, driven over WebDriver BiDi, which it speaks itself (www.w3.org/TR/webdriver-bidi).

Debian's own is used, or the one that FIREFOX names. Without one a test is skipped, and fails where CI is set.
"""

import base64
import itertools
import json
import os
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from optional import lacking
from patience import HANG_S
from websockets.sync.client import ClientConnection, connect

STEP: Final = 0.1
KEYS: Final = {"Enter": "\ue007", "Escape": "\ue00c", "Control": "\ue009", "ArrowRight": "\ue014", "Space": " "}
"""Keys without a letter, as WebDriver writes them."""


class Firefox:
    """A page in Firefox."""

    def __init__(self, line: ClientConnection) -> None:
        """Begin a session on a line that is open."""
        self._line = line
        self._numbers = itertools.count(1)
        self.said: list[str] = []
        """Errors of scripts, and what scripts said as an error."""
        self._ask("session.new", capabilities={})
        self._ask("session.subscribe", events=["log.entryAdded"])
        self._page = self._ask("browsingContext.create", type="tab")["context"]

    def _ask(self, method: str, **params: object) -> dict[str, Any]:
        number = next(self._numbers)
        self._line.send(json.dumps({"id": number, "method": method, "params": params}))
        while True:
            heard = json.loads(self._line.recv(timeout=HANG_S))
            if heard.get("method") == "log.entryAdded" and heard["params"]["level"] == "error":
                self.said.append(heard["params"]["text"])
            if heard.get("id") == number:
                assert heard["type"] == "success", heard
                answer: dict[str, Any] = heard["result"]
                return answer

    def open(self, address: str, *, width: int, height: int) -> None:
        """Open an address in a window of that size."""
        self._ask("browsingContext.setViewport", context=self._page, viewport={"width": width, "height": height})
        self._ask("browsingContext.navigate", context=self._page, url=address, wait="complete")

    def print_pdf(self, address: str, *, wide_cm: float, high_cm: float) -> bytes:
        """Return a page as it is printed on paper of a size."""
        self.open(address, width=1600, height=1100)
        paper, margin = {"width": wide_cm, "height": high_cm}, dict.fromkeys(("top", "bottom", "left", "right"), 1.0)
        made = self._ask("browsingContext.print", context=self._page, page=paper, margin=margin, shrinkToFit=False)
        return base64.b64decode(made["data"])

    def screenshot(self) -> bytes:
        """Return what is seen of the page, as PNG."""
        return base64.b64decode(self._ask("browsingContext.captureScreenshot", context=self._page)["data"])

    def value(self, expression: str) -> Any:
        """Return what an expression of the page is worth, through JSON."""
        made = self._ask(
            "script.evaluate",
            expression=f"JSON.stringify({expression})",
            target={"context": self._page},
            awaitPromise=True,
        )
        assert made["type"] == "success", made
        return json.loads(made["result"].get("value", "null"))

    def until(self, expression: str) -> None:
        """Wait until an expression of the page holds."""
        end = time.monotonic() + HANG_S
        while not self.value(f"Boolean({expression})"):
            assert time.monotonic() < end, f"the page did not come to this: {expression}"
            time.sleep(STEP)

    def click(self, find: str, *, twice: bool = False) -> None:
        """Click the middle of an element, which an expression finds, as soon as it is there."""
        self.until(find)
        middle = "(box => [box.x + box.width / 2, box.y + box.height / 2])"
        x, y = (round(place) for place in self.value(f"{middle}(({find}).getBoundingClientRect())"))
        press = [{"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]
        moves = [{"type": "pointerMove", "x": x, "y": y}, *press * (2 if twice else 1)]
        self._act({"type": "pointer", "id": "mouse", "actions": moves})

    def type(self, *keys: str) -> None:
        """Press keys one after the other, `Control+k` together; other words are typed letter by letter."""
        actions: list[dict[str, str]] = []
        for key in keys:
            chord = key.split("+") if key.startswith("Control+") else [key] if key in KEYS else None
            for held in [chord] if chord else [[letter] for letter in key]:
                values = [KEYS.get(one, one) for one in held]
                actions += [{"type": "keyDown", "value": one} for one in values]
                actions += [{"type": "keyUp", "value": one} for one in reversed(values)]
        self._act({"type": "key", "id": "keyboard", "actions": actions})

    def _act(self, source: dict[str, object]) -> None:
        self._ask("input.performActions", context=self._page, actions=[source])


def _program() -> str:
    named = os.environ.get("FIREFOX", "")
    found = named or shutil.which("firefox-esr") or shutil.which("firefox") or ""
    return found or lacking("no Firefox was found: apt-get install firefox-esr, or name yours in the variable FIREFOX")


@contextmanager
def firefox(home: Path) -> Iterator[Firefox]:
    """Start Firefox with a profile of its own in a folder, and end it."""
    said = home / "firefox.log"
    (home / "profile").mkdir()
    command = [_program(), "--headless", "--no-remote", "--profile", str(home / "profile"), "--remote-debugging-port=0"]
    with said.open("w", encoding="utf-8") as log:
        process = subprocess.Popen(
            command, stdout=log, stderr=log, env={**os.environ, "HOME": str(home), "MOZ_HEADLESS": "1"}
        )
    try:
        end = time.monotonic() + HANG_S
        while not (found := re.search(r"WebDriver BiDi listening on (\S+)", said.read_text(encoding="utf-8"))):
            assert process.poll() is None, said.read_text(encoding="utf-8")
            assert time.monotonic() < end, "Firefox did not say where it listens"
            time.sleep(STEP)
        with connect(f"{found[1]}/session", proxy=None, max_size=None) as line:
            yield Firefox(line)
    finally:
        process.terminate()
        process.wait(HANG_S)
