"""The editor as it is used: a real server on this machine, and pages of it in a real browser."""

import asyncio
import secrets
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest
import uvicorn
from browsing import watched
from optional import built_page
from patience import HANG_S
from starlette.types import ASGIApp

from mapkit.document.session import Session
from mapkit.editor.server.app import make_app
from mapkit.editor.server.hub import Hub
from mapkit.editor.server.run import listen
from mapkit.editor.server.tickets import AccessKeys
from mapkit.kinds.rail.tables import RailDocument
from mapkit.kinds.registry import open_session

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


@dataclass(frozen=True)
class Served:
    """A running editor."""

    session: Session[RailDocument]
    door: AccessKeys


@contextmanager
def serving(folder: Path, notices: tuple[str, ...] = ()) -> Iterator[Served]:
    """Serve the editor of a source package as `mapkit edit` does; every page hears the notices first."""
    session = open_session(folder)
    listening = listen(0)
    door = AccessKeys(listening.getsockname()[1], secrets.token_urlsafe(24))
    with serving_app(lambda: make_app(Hub(session, notices=notices), door), listening):
        yield Served(session, door)


@contextmanager
def serving_app(make: Callable[[], ASGIApp], listening: socket.socket) -> Iterator[None]:
    """Run an application on a socket."""
    config = uvicorn.Config(
        make(),
        log_level="warning",
        access_log=False,
        ws="websockets-sansio",
        timeout_graceful_shutdown=1,
    )
    server = uvicorn.Server(config)

    async def serve() -> None:
        await server.serve(sockets=[listening])
        # a browser may still hold connections; left open, they would be warned of when some later test is running
        for connection in [*server.server_state.connections]:
            transport = getattr(connection, "transport", None)
            if isinstance(transport, asyncio.Transport):
                transport.abort()
        await asyncio.sleep(0.01)

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    try:
        ready = threading.Event()
        for _ in range(HANG_S * 50):
            if server.started or ready.wait(0.02):
                break
        assert server.started
        yield
    finally:
        server.should_exit = True
        thread.join(HANG_S)
        listening.close()


WITHIN_SPACE = {
    "Layers": "Map",
    "Background": "Map",
    "Board": "Map",
    "Table": "Railroads",
    "Balance": "Railroads",
    "List": "Variants",
    "Compare": "Variants",
    "Changes": "Variants",
    "History": "Variants",
}
"""Panels of railroad boards that share a work space, and its name; every other panel is a work space of its own."""


def panel(page: "Page", name: str) -> None:
    """Open a panel of a railroad board by its tabs, as a user does."""
    bar = page.get_by_role("tablist", name="Work spaces")
    space = WITHIN_SPACE.get(name, name)
    bar.get_by_role("tab", name=space).click()
    if name in WITHIN_SPACE:
        page.get_by_role("tablist", name=space, exact=True).get_by_role("tab", name=name).click()


Editing = Callable[..., AbstractContextManager["Page"]]


@pytest.fixture(scope="session")
def editing(browser: "Browser") -> Editing:
    """Open the editor in a window; when it is closed, no request has left it, and no script or policy has failed."""
    built_page()

    @contextmanager
    def call(
        served: Served,
        *,
        width: int = 1280,
        height: int = 720,
        dark: bool = False,
        scale: float = 1,
        touch: bool = False,
    ) -> Iterator["Page"]:
        context = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if dark else "light",
            device_scale_factor=scale,
            reduced_motion="reduce",
            has_touch=touch,
        )
        page = context.new_page()
        with watched(page) as asked:
            page.goto(served.door.new_address())
            page.get_by_text("revision").first.wait_for()
            yield page
        assert {urlsplit(url).netloc for url in asked} == {f"127.0.0.1:{served.door.port}"}
        context.close()

    return call
