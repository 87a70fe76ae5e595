"""Editor of a board that is not chosen yet, or does not exist: the page opens one, or creates it and opens it."""

import asyncio
import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import Final

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from mapkit.core.errors import UnknownNameError
from mapkit.document.boards import prepare_board
from mapkit.document.shelf import plain_name
from mapkit.document.workspace import Workspace
from mapkit.editor.server.access import Guard
from mapkit.editor.server.app import HANDLERS, STATIC, body_of, make_app, page_routes
from mapkit.editor.server.board_pictures import read_board_picture
from mapkit.editor.server.hub import Hub
from mapkit.editor.server.limits import AT_START, FILES
from mapkit.editor.server.messages import Alive, Begin, Begun, Choose
from mapkit.editor.server.tickets import AccessKeys
from mapkit.formats.lines.features import NoCrsError
from mapkit.kinds.protocol import NeedsCrs, json_line
from mapkit.kinds.registry import open_session
from mapkit.kinds.responses import model_response
from mapkit.kinds.starting import new_board, new_board_of_file
from mapkit.kinds.uploads import uploaded

OPEN: Final = "open"
"""What a page asks for that wants a board as it is."""
AGAIN: Final = 1012
"""The code with which a WebSocket ends that the page should open again (service restart)."""


class Beginning:
    """ASGI application that asks for a board or the start of a new one, and is its editor afterwards.

    Args:
        space: Where the board is or will be.
        name: Its id; empty to ask for it too.
        door: Where the server listens, and who has a key.
        chosen: Called with the source package once it is known.
    """

    def __init__(
        self, space: Workspace, name: str, door: AccessKeys, *, chosen: Callable[[Path], None] | None = None
    ) -> None:
        self._space = space
        self._name = name
        self._door = door
        self._chosen = chosen
        self._made = asyncio.Event()
        self._one = asyncio.Lock()
        self._hub: Hub | None = None
        routes = [
            *page_routes(STATIC, door),
            Route("/api/alive", self._alive),
            Route("/api/begin", self._begin, methods=["POST"]),
            Route(FILES, self._begin_with_file, methods=["POST"]),
            Route("/api/boards/{board}/picture", self._picture, methods=["GET"]),
            WebSocketRoute("/ws", self._socket),
        ]
        self._app: ASGIApp = Guard(Starlette(routes=routes, exception_handlers=HANDLERS), door, AT_START)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve the question, or the editor once the board exists."""
        if scope["type"] != "lifespan":
            await self._app(scope, receive, send)
            return
        await receive()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        if self._hub is not None:
            await self._hub.stop()
        await send({"type": "lifespan.shutdown.complete"})

    async def _alive(self, _: Request) -> Response:
        return model_response(Alive(board=self._name, revision=0))

    async def _begin(self, request: Request) -> Response:
        wanted = await body_of(Begin, request)
        return await self._open(lambda: self._find_or_make(wanted))

    async def _begin_with_file(self, request: Request) -> Response:
        name, board, crs = (request.query_params.get(key, "")[:300].strip() for key in ("name", "board", "crs"))
        async with uploaded(request, plain_name(name, "lines")) as file:
            try:
                return await self._open(lambda: new_board_of_file(self._space, self._name or board, file, crs=crs))
            except NoCrsError as error:
                return model_response(NeedsCrs(message=str(error), suggested_crs=error.suggested_crs))

    async def _open(self, find_or_make: Callable[[], Path]) -> Response:
        """Open the board that a page chose, unless another page did before."""
        async with self._one:
            if self._hub is None:
                folder = await asyncio.to_thread(find_or_make)
                hub = Hub(await asyncio.to_thread(open_session, folder))
                await hub.start()
                if self._chosen is not None:
                    self._chosen(folder)
                self._app, self._hub = make_app(hub, self._door), hub
                self._name = hub.session.board
                self._made.set()
        return model_response(Begun(board=self._name))

    async def _picture(self, request: Request) -> Response:
        picture, media_type = await asyncio.to_thread(read_board_picture, self._space, request.path_params["board"])
        return Response(picture, media_type=media_type)

    def _find_or_make(self, wanted: Begin) -> Path:
        """Return the source package of the board that a page opens or begins."""
        if wanted.source != OPEN:
            return new_board(self._space, self._name or wanted.board, wanted.source)
        if wanted.board not in self._space.boards():  # a name, not a path
            raise UnknownNameError(f"there is no board {wanted.board!r} here; choose another")
        return prepare_board(self._space, wanted.board).folder

    async def _socket(self, connection: WebSocket) -> None:
        await connection.accept()
        choose: Choose = {
            "type": "choose",
            "board": self._name,
            "boards": list(self._space.boards()),
            "recent": list(self._space.recent_boards()),
            "titles": {name: self._space.board_title(name) for name in self._space.boards()},
        }
        await connection.send_text(json_line(choose))
        waiting = asyncio.create_task(self._made.wait())
        gone = asyncio.create_task(_gone(connection))
        await asyncio.wait((waiting, gone), return_when=asyncio.FIRST_COMPLETED)
        for task in (waiting, gone):
            task.cancel()
        with contextlib.suppress(RuntimeError, WebSocketDisconnect):
            await connection.close(AGAIN)


async def _gone(connection: WebSocket) -> None:
    with contextlib.suppress(WebSocketDisconnect, KeyError):
        while True:
            await connection.receive_text()
