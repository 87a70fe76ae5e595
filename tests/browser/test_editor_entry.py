"""How a page gets in, and what it keeps: a ticket that is good once, no cookie, and nothing for the next port."""

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import parse_qs, urlsplit

import pytest
from editing import Editing, Served, serving
from playwright.sync_api import Browser, expect

from mapkit.editor.server.run import HOST

STATE = ".status .state"
KEPT = "({ ...sessionStorage })"


@pytest.fixture
def served(example: Path) -> Iterator[Served]:
    with serving(example) as running:
        yield running


def test_a_page_that_was_let_in_keeps_its_secret_to_itself(editing: Editing, served: Served) -> None:
    heard: list[dict[str, str]] = []

    class Other(BaseHTTPRequestHandler):
        """Another server on this machine, as curious as can be."""

        def do_GET(self) -> None:
            heard.append({name.lower(): value for name, value in self.headers.items()})
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(b"<!doctype html><title>other</title>")

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as the base calls it
            """Say nothing."""

    with editing(served) as page:
        port = served.door.port
        assert page.url == f"http://127.0.0.1:{port}/"
        assert page.evaluate(KEPT) == {"mapkit-secret": served.door.secret}
        assert page.evaluate("document.cookie") == ""
        assert page.context.cookies() == []
        page.reload()
        expect(page.locator(STATE)).to_have_text("Saved, revision 0")
        with page.expect_popup() as another:
            page.keyboard.press("Control+k")
            page.get_by_role("combobox", name="Find a command").fill("another window")
            page.keyboard.press("Enter")
        expect(another.value.locator(STATE)).to_have_text("Saved, revision 0")
        other = HTTPServer((HOST, 0), Other)
        thread = Thread(target=other.serve_forever)
        thread.start()
        try:
            elsewhere = page.context.new_page()
            elsewhere.goto(f"http://127.0.0.1:{other.server_port}/")
            assert elsewhere.evaluate(KEPT) == {}
            elsewhere.close()
        finally:
            other.shutdown()
            thread.join()
            other.server_close()
    assert served.door.secret not in json.dumps(heard)
    assert not {"cookie", "authorization", "referer"} & heard[0].keys()


def test_an_address_that_was_used_lets_nobody_else_in(served: Served, browser: Browser) -> None:
    address = served.door.new_address()
    contexts = [browser.new_context() for _ in range(2)]
    first, second = (context.new_page() for context in contexts)
    first.goto(address)
    expect(first.locator(STATE)).to_have_text("Saved, revision 0")
    second.goto(address)
    expect(second.get_by_role("heading", name="The editor does not know this page")).to_be_visible()
    expect(second.get_by_text("start the editor again as you did before")).to_be_visible()
    expect(second.locator("#board")).to_have_count(0)
    assert second.evaluate(KEPT) == {}
    assert "ticket" not in parse_qs(urlsplit(second.url).query)
    second.goto(served.door.new_address())
    expect(second.locator(STATE)).to_have_text("Saved, revision 0")
    for context in contexts:
        context.close()
