"""Running the editor: open the board, listen on 127.0.0.1, say where."""

import asyncio
import secrets
import socket
from collections.abc import Callable
from pathlib import Path

import uvicorn
from starlette.types import ASGIApp

from mapkit.core.errors import WorkspaceError
from mapkit.document.workspace import Workspace
from mapkit.editor.server.app import STATIC, make_app
from mapkit.editor.server.beginning import Beginning
from mapkit.editor.server.guard import Door
from mapkit.editor.server.hub import Hub
from mapkit.editor.server.socket import MAX_MESSAGE
from mapkit.kinds.registry import open_session

HOST = "127.0.0.1"
_ALONE: int = getattr(socket, "SO_EXCLUSIVEADDRUSE", socket.SO_REUSEADDR)
"""On Windows `SO_REUSEADDR` would let another program take the port; elsewhere it only lets the editor start again."""


def need_page(page: str) -> None:
    """Refuse to start without the page of a kind; only one of them has to be built.

    Raises:
        WorkspaceError: It was not built.
    """
    if page == "static" and not (STATIC / "editor.js").is_file():
        raise WorkspaceError(
            f"the editor's page is not built in this checkout; with Node 18 or later: "
            f"cd {STATIC.parent / 'web'} && npm ci && npm run build"
        )


def listen(port: int) -> socket.socket:
    """Return a socket that listens on this machine only; port 0 takes a free one.

    Raises:
        WorkspaceError: The port is taken.
    """
    made = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        made.setsockopt(socket.SOL_SOCKET, _ALONE, 1)
        made.bind((HOST, port))
    except OSError as error:
        made.close()
        raise WorkspaceError(
            f"port {port} cannot be used: {error.strerror or error}; choose another, or leave --port away"
        ) from error
    return made


def serve(folder: Path, *, port: int = 0, started: Callable[[str], None], notices: tuple[str, ...] = ()) -> None:
    """Serve the editor of a source package until it is interrupted.

    Args:
        folder: The source package.
        port: The port on 127.0.0.1; 0 for a free one.
        started: Called with the address once it can be opened.
        notices: What every page hears first.

    Raises:
        WorkspaceError: The port is taken; likewise SourceError and JournalError.
    """
    hub = Hub(open_session(folder), notices=notices)
    _listen_and_serve(lambda door: make_app(hub, door), port, started)


def serve_new(space: Workspace, name: str, *, port: int = 0, started: Callable[[str], None]) -> None:
    """Serve a page that asks what a new board begins with, makes it, and is its editor until it is interrupted.

    Args:
        space: Where the board will be.
        name: Its id.
        port: The port on 127.0.0.1; 0 for a free one.
        started: Called with the address once it can be opened.

    Raises:
        WorkspaceError: The port is taken.
    """
    _listen_and_serve(lambda door: Beginning(space, name, door), port, started)


def _listen_and_serve(make: Callable[[Door], ASGIApp], port: int, started: Callable[[str], None]) -> None:
    listening = listen(port)
    door = Door(listening.getsockname()[1], secrets.token_urlsafe(24))

    async def run() -> None:
        config = uvicorn.Config(
            make(door),
            log_level="warning",
            access_log=False,  # it would show the token
            ws="websockets-sansio",
            ws_max_size=MAX_MESSAGE,
            server_header=False,
            timeout_graceful_shutdown=3,
        )
        await _serve(uvicorn.Server(config), listening, lambda: started(door.address))

    with listening:
        asyncio.run(run())


async def _serve(server: uvicorn.Server, listening: socket.socket, started: Callable[[], None]) -> None:
    serving = asyncio.create_task(server.serve(sockets=[listening]))
    while not server.started and not serving.done():  # noqa: ASYNC110 - uvicorn has no event for it
        await asyncio.sleep(0.02)
    if not serving.done():
        started()
    await serving
