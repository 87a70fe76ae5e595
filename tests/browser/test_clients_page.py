"""The web page of docs/how-to/clients.md, run where the document says: a click on each city of the picture names it."""

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from textwrap import dedent
from threading import Thread
from typing import TYPE_CHECKING

import pytest
from browsing import watched
from conftest import REPOSITORY
from playwright.sync_api import expect
from svg_client import read_board_svg

from mapkit.core.jsontext import json_text
from mapkit.kinds.rail.exchange.graphs.graph_json import board_to_graph
from mapkit.kinds.rail.model.board import Board

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Dialog


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a folder as `python -m http.server` does, and return its address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(folder))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()


def test_a_click_on_each_city_of_the_picture_names_it(browser: "Browser", usa: Board, tmp_path: Path) -> None:
    text = (REPOSITORY / "docs/how-to/clients.md").read_text(encoding="utf-8")
    [page_text] = re.findall(r"^ *```html\n(.*?)^ *```$", text, re.MULTILINE | re.DOTALL)
    (tmp_path / "index.html").write_text(dedent(page_text), encoding="utf-8")
    for name in ("graph", "svg"):
        (tmp_path / name).mkdir()
    (tmp_path / "graph" / "graph.json").write_text(json_text(board_to_graph(usa)), encoding="utf-8")
    picture = REPOSITORY / "build/usa/board.svg"
    shutil.copy(picture, tmp_path / "svg" / "usa.svg")
    places = read_board_svg(picture.read_text(encoding="utf-8")).places
    named: list[str] = []

    def note(dialog: "Dialog") -> None:
        named.append(dialog.message)
        dialog.accept()

    page = browser.new_page(viewport={"width": 1600, "height": 1250})
    page.on("dialog", note)
    page.route("**/favicon.ico", lambda route: route.fulfill(status=204))
    with served(tmp_path) as address, watched(page):
        page.goto(address)
        expect(page.locator("button")).to_have_count(len(usa.cities))
        box = page.locator("img").bounding_box()
        assert box is not None
        scale = box["width"] / usa.page.width
        for city in usa.cities:
            x, y = places[f"c-{city.id}"]
            button = page.get_by_title(city.name, exact=True).bounding_box()
            assert button is not None
            middle = button["x"] + button["width"] / 2 - box["x"], button["y"] + button["height"] / 2 - box["y"]
            assert middle == pytest.approx((x * scale, y * scale), abs=0.1 * scale + 0.1)
            page.mouse.click(box["x"] + x * scale, box["y"] + y * scale)
    page.close()
    assert named == [city.name for city in usa.cities]
