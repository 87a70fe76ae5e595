"""A board made from nothing in the page that `mapkit edit` opens, as its author would make it."""

import os
import re
import select
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from xml.etree import ElementTree as ET

import pytest
from board_helpers import open_folder
from browsing import watched
from optional import built_page
from patience import HANG_S

from mapkit.kinds.rail.tables import RailDocument
from mapkit.kinds.registry import open_session

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

if sys.platform != "win32":
    import pty

ROOT = Path(__file__).resolve().parent.parent
PAGE = (900, 600)
"""Millimetres of the page of a board from nothing."""
SVG = "{http://www.w3.org/2000/svg}"


@dataclass(frozen=True)
class Story:
    """A new board and the page in which it is made."""

    page: "Page"
    workspace: Path
    name: str

    @property
    def folder(self) -> Path:
        """Return the source package."""
        return self.workspace / "sources" / self.name

    def document(self) -> RailDocument:
        """Return the board with every step that is kept, as another process reads it."""
        found: RailDocument = open_session(self.folder).document
        return found

    def saved(self) -> RailDocument:
        """Return the board as its files have it."""
        return open_folder(self.folder)


def _environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "dumb", "COLUMNS": "200"}


@contextmanager
def begun(browser: "Browser", workspace: Path, name: str) -> Iterator[Story]:
    """Run `mapkit edit NAME` in a terminal, choose in the browser, and open the page that it names.

    Afterwards no request has left the program, and no script or policy has failed.
    """
    built_page()
    if sys.platform == "win32":
        pytest.skip("Windows has no terminal of Unix")
    own, terminal = pty.openpty()
    command = [sys.executable, "-m", "mapkit", "edit", name, "--no-open"]
    with subprocess.Popen(
        command, cwd=workspace, env=_environment(), stdin=terminal, stdout=terminal, stderr=terminal
    ) as running:
        os.close(terminal)
        try:
            asked = _read_until(own, r"1-\d+, or Enter")
            number = re.search(r"(\d+)  what you choose in the browser", asked)
            assert number is not None, asked
            os.write(own, f"{number[1]}\n".encode())
            said = _read_until(own, r"http://\S+\s")
            address = re.search(r"http://\S+", said)
            assert address is not None
            with _watched(browser, address[0]) as page:
                yield Story(page, workspace, name)
        finally:
            running.terminate()
            os.close(own)


"""Seconds that a program may be silent."""


def _read_until(terminal: int, pattern: str) -> str:
    said = ""
    while not re.search(pattern, said):
        if not select.select([terminal], [], [], HANG_S)[0]:
            raise AssertionError(f"mapkit edit said no {pattern!r} for {HANG_S} s: {said}")
        try:
            got = os.read(terminal, 4096)
        except OSError as error:  # the program has ended
            raise AssertionError(f"mapkit edit said no {pattern!r}: {said}") from error
        said += got.decode()
    return said


@contextmanager
def _watched(browser: "Browser", address: str) -> Iterator["Page"]:
    context = browser.new_context(viewport={"width": 1280, "height": 720}, reduced_motion="reduce")
    page = context.new_page()
    with watched(page) as asked:
        page.goto(address)
        yield page
    assert {urlsplit(url).netloc for url in asked} == {urlsplit(address).netloc}
    context.close()


def drawn_words(file: Path) -> list[str]:
    """Return the texts of an SVG file, in its order."""
    root = ET.fromstring(file.read_text(encoding="utf-8"))  # noqa: S314 - written by the program under test
    return ["".join(element.itertext()) for element in root.iter(f"{SVG}text")]
