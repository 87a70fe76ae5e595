"""Running the editor: open the board, listen on 127.0.0.1, say where."""

import asyncio
import socket
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import uvicorn
from starlette.types import ASGIApp

from mapkit.core.errors import WorkspaceError
from mapkit.core.processes.worker import allow_worker
from mapkit.document.boards import new_board_folder
from mapkit.document.workspace import Workspace
from mapkit.editor.server.app import STATIC, make_app
from mapkit.editor.server.beginning import Beginning
from mapkit.editor.server.connections import BoundedProtocol, limit_logs
from mapkit.editor.server.hub import Hub
from mapkit.editor.server.limits import STEP
from mapkit.editor.server.session_store import (
    StoredSession,
    address_of_running,
    new_secret,
    read_sessions,
    store_session,
)
from mapkit.editor.server.tickets import AccessKeys
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
        made.listen()
    except OSError as error:
        made.close()
        raise WorkspaceError(
            f"port {port} cannot be used: {error.strerror or error}; choose another, or leave out --port"
        ) from error
    return made


@dataclass(frozen=True)
class OpenEditor:
    """Running editor, ready to serve pages.

    Args:
        what: What it edits.
        new_address: Returns an address that lets one page in; each call gives another.
        before: Whether it ran already.
    """

    what: str
    new_address: Callable[[], str]
    before: bool = False


Started = Callable[[OpenEditor], None]


def serve(folder: Path, *, port: int = 0, started: Started, notices: tuple[str, ...] = ()) -> None:
    """Serve the editor of a source package until it is interrupted.

    If an editor of it runs already, `started` gets that one, and this returns.

    Args:
        folder: The source package.
        port: The port on 127.0.0.1; 0 for the one of last time, or a free one.
        started: Called once pages can be loaded.
        notices: What every page hears first.

    Raises:
        WorkspaceError: The port is taken; likewise SourceError and JournalError.
    """
    what = str(folder)
    if not _runs(folder, what, port, started):
        hub = Hub(open_session(folder), notices=notices)

        def make(door: AccessKeys) -> ASGIApp:
            _store(folder, door)
            return make_app(hub, door)

        _listen_and_serve(_listen_again(folder, port), what, make, started)


def serve_new(space: Workspace, name: str, *, port: int = 0, started: Started) -> None:
    """Serve a page that creates a new board, and its editor until it is interrupted.

    Args:
        space: Where the board will be.
        name: Its id.
        port: The port on 127.0.0.1; 0 for a free one.
        started: Called once pages can be loaded.

    Raises:
        WorkspaceError: The port is taken, or the board is there already.
    """
    folder = new_board_folder(space, name)
    if not _runs(folder, name, port, started):

        def make(door: AccessKeys) -> ASGIApp:
            _store(folder, door)
            return Beginning(space, name, door)

        _listen_and_serve(_listen_again(folder, port), name, make, started)


def serve_start(space: Workspace, *, port: int = 0, started: Started) -> None:
    """Serve a page that opens a board or creates one, and its editor until it is interrupted.

    Args:
        space: Where the boards are.
        port: The port on 127.0.0.1; 0 for a free one.
        started: Called once pages can be loaded.

    Raises:
        WorkspaceError: The port is taken.
    """

    def make(door: AccessKeys) -> ASGIApp:
        return Beginning(space, "", door, chosen=lambda folder: _store(folder, door))

    _listen_and_serve(listen(port), f"the boards in {space.root}", make, started)


def _store(folder: Path, door: AccessKeys) -> None:
    store_session(folder, StoredSession(port=door.port, secret=door.secret))


def _runs(folder: Path, what: str, port: int, started: Started) -> bool:
    """Return whether an editor of the board runs already; then another page of it can be opened."""
    first = address_of_running(folder, port)
    if first is None:
        return False
    started(OpenEditor(what, lambda: address_of_running(folder, port) or first, before=True))
    return True


def _listen_and_serve(
    listening: socket.socket, what: str, make: Callable[[AccessKeys], ASGIApp], started: Started
) -> None:
    door = AccessKeys(listening.getsockname()[1], new_secret())
    app = make(door)

    async def run() -> None:
        config = uvicorn.Config(
            app,
            log_level="warning",
            http=BoundedProtocol,
            access_log=False,  # it would show tickets
            ws="websockets-sansio",
            ws_max_size=STEP,
            server_header=False,
            timeout_graceful_shutdown=3,
        )
        limit_logs()
        await _serve(uvicorn.Server(config), listening, lambda: started(OpenEditor(what, door.new_address)))

    with listening, allow_worker():
        asyncio.run(run())


def _listen_again(folder: Path, port: int) -> socket.socket:
    """Listen where the board was open last, if that is free.

    Raises:
        WorkspaceError: The port that is wanted is taken.
    """
    for session in read_sessions(folder) if port == 0 else ():
        with suppress(WorkspaceError):
            return listen(session.port)
    return listen(port)


async def _serve(server: uvicorn.Server, listening: socket.socket, started: Callable[[], None]) -> None:
    serving = asyncio.create_task(server.serve(sockets=[listening]))
    while not server.started and not serving.done():  # noqa: ASYNC110 - uvicorn has no event for it
        await asyncio.sleep(0.02)
    if not serving.done():
        started()
    await serving
