"""The routes of the server."""

import asyncio
import json
import re
import secrets
import threading
from collections.abc import AsyncIterator, Awaitable, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Annotated, Any, Final, TypeVar
from urllib.parse import unquote

import anyio
from pydantic import BaseModel, Field, ValidationError
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp
from starlette.websockets import WebSocket, WebSocketDisconnect

from mapkit.console.jobs import Jobs
from mapkit.core.base import Frozen, JsonObject
from mapkit.core.cancellation import CancelledError
from mapkit.core.errors import MapkitError, MissingError
from mapkit.core.kept import STATE, replace_own
from mapkit.editor.server.access import Guard
from mapkit.editor.server.hub import Client, Hub
from mapkit.editor.server.limits import PICTURES, STEP, limits_of
from mapkit.editor.server.messages import Alive, Enter, Entered, Prove, Proven, Ticket, TicketFor
from mapkit.editor.server.pictures import PictureError, PictureList
from mapkit.editor.server.tickets import ENTRY, PROOF, AccessKeys
from mapkit.kinds.protocol import EmptyResult, Refusal
from mapkit.kinds.responses import json_response, model_response
from mapkit.kinds.uploads import uploaded

# One page on its WebSocket: its requests one after the other, and everything it is sent.

_NAME = re.compile(r"[a-z0-9]{4,32}")


async def serve_page(hub: Hub, connection: WebSocket) -> None:
    """Serve a page until it goes."""
    given = connection.query_params.get("page", "")
    page = Client(given if _NAME.fullmatch(given) else secrets.token_hex(4))
    await connection.accept()
    try:
        await hub.join(page)
        async with anyio.create_task_group() as tasks:

            async def until_over(work: Awaitable[None]) -> None:
                await work
                tasks.cancel_scope.cancel()

            tasks.start_soon(until_over, _send(page, connection))
            await until_over(_receive(hub, page, connection))
    finally:
        hub.leave(page)


async def _send(page: Client, connection: WebSocket) -> None:
    while True:
        text = await page.queue.get()
        if text is None:
            await connection.close(1001)
            return
        try:
            await connection.send_text(text)
        except (WebSocketDisconnect, RuntimeError):  # it went while this was on its way
            return


async def _receive(hub: Hub, page: Client, connection: WebSocket) -> None:
    while True:
        try:
            text = await connection.receive_text()
        except (WebSocketDisconnect, KeyError):  # KeyError: bytes, which no page of ours sends
            return
        data = _object(text) if len(text) <= STEP else None
        if data is None:
            await connection.close(1003)
            return
        await hub.request(page, data)


def _object(text: str) -> JsonObject | None:
    try:
        data = json.loads(text)
        json.dumps(data, ensure_ascii=False, allow_nan=False).encode()  # neither NaN nor half a character
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) else None


# Settings of pages, such as light or dark, stored for every board and port.
#
# A browser keeps such things per port, which is another after a restart. They are kept in a file of the user; where
# nothing can be kept, each page keeps them as long as its port is the same.

MOST: Final = 300
"""Settings that are kept; each board has some of its own, and those that were changed longest ago give way."""
_MOST_TEXT: Final = 500_000
_MOST_BYTES: Final = 5_000_000

Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]{0,60}$")]
Value = Annotated[str, Field(max_length=8_000)]


class Settings(Frozen):
    """Settings of pages by name, each as the text that the page keeps."""

    kept: dict[Name, Value] = Field(default_factory=dict, max_length=MOST)


def kept_settings() -> Settings:
    """Return the stored settings; none if the file is missing or broken."""
    file = _file()
    if file is not None:
        with suppress(OSError, ValidationError), file.open("rb") as stream:
            return Settings.model_validate_json(stream.read(_MOST_BYTES))
    return Settings()


def keep_settings(changed: Settings) -> Settings:
    """Keep settings beside those that are kept already, and return all, those that changed last at the end."""
    now = {name: value for name, value in kept_settings().kept.items() if name not in changed.kept}
    now |= dict(sorted(changed.kept.items()))
    while len(now) > MOST or sum(map(len, now.values())) > _MOST_TEXT:
        del now[next(iter(now))]
    settings = Settings(kept=now)
    file = _file()
    if file is not None:
        with suppress(OSError):
            replace_own(file, f"{settings.model_dump_json(indent=1)}\n".encode())
    return settings


def _file() -> Path | None:
    place = STATE.path()
    return None if place is None else place / "editor" / "settings.json"


PAGES = Path(__file__).resolve().parent.parent
"""Where the pages are; a kind says which of them it has."""
STATIC = PAGES / "static"
"""Where the bundled page is."""
NOBODY: Final = 499
"""What is answered to who is gone, so that nothing takes it for an answer."""
M = TypeVar("M", bound=BaseModel)
_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".woff2": "font/woff2",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
}


def make_app(hub: Hub, door: AccessKeys, *, static: Path | None = None) -> ASGIApp:
    """Return the server as an ASGI application.

    Args:
        hub: The open board.
        door: Where it listens, and who has a key.
        static: The folder of the page; that of the kind by default.
    """
    jobs = Jobs()

    @asynccontextmanager
    async def life(_: Starlette) -> AsyncIterator[None]:
        await hub.start()
        yield
        await jobs.close()
        await hub.stop()

    async def alive(_: Request) -> Response:
        return model_response(Alive(board=hub.session.board, revision=hub.session.revision))

    async def ask(request: Request) -> Response:
        body, gone = await request.body(), threading.Event()
        left = asyncio.ensure_future(_left(request, gone))
        try:
            return json_response((await hub.ask(request.path_params["name"], body, stopped=gone.is_set)).text())
        except CancelledError:
            return PlainTextResponse("Nobody waits for this answer any more.", status_code=NOBODY)
        finally:
            left.cancel()

    async def socket(connection: WebSocket) -> None:
        await serve_page(hub, connection)

    routes = [
        *page_routes(static or PAGES / hub.kind.page, door),
        Route("/api/alive", alive),
        Route("/api/ask/{name}", ask, methods=["POST"]),
        *_settings_routes(),
        *_picture_routes(hub),
        *hub.kind.routes(hub, jobs),
        WebSocketRoute("/ws", socket),
    ]
    app = Starlette(routes=routes, lifespan=life, exception_handlers=HANDLERS)
    return Guard(app, door, limits_of(hub.kind))


async def _left(request: Request, gone: threading.Event) -> None:
    """Note when a page no longer waits for an answer: it has stopped the question, or is closed."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
    gone.set()


def page_routes(static: Path, door: AccessKeys) -> list[Route]:
    """Return the routes of the bundled page, and of its way in."""

    async def page(_: Request) -> Response:
        return _static_file(static, "index.html")

    async def static_file(request: Request) -> Response:
        return _static_file(static, request.path_params["name"])

    async def enter(request: Request) -> Response:
        if door.takes((await body_of(Enter, request)).ticket, ENTRY):
            return model_response(Entered(secret=door.secret))
        text = "This address was used already, or is too old. Run mapkit edit again, and use the page that it opens."
        return model_response(Refusal(message=text), 403)

    async def prove(request: Request) -> Response:
        given = await body_of(Prove, request)
        if not given.challenge:
            challenge = door.new_challenge(given.nonce)
            return model_response(Proven(challenge=challenge, proof=door.prove("server", given.nonce, challenge)))
        if door.is_proof(given.nonce, given.challenge, given.proof):
            return model_response(Proven(ticket=door.new_ticket(ENTRY)), 201)
        return model_response(Refusal(message="This proof is not valid. Run mapkit edit again."), 403)

    async def ticket(request: Request) -> Response:
        path = unquote((await body_of(TicketFor, request)).path)
        return model_response(Ticket(ticket=door.new_ticket(path)), 201)

    return [
        Route("/", page),
        Route("/static/{name}", static_file),
        Route(ENTRY, enter, methods=["POST"]),
        Route(PROOF, prove, methods=["POST"]),
        Route("/api/tickets", ticket, methods=["POST"]),
    ]


async def body_of(model: type[M], request: Request) -> M:
    """Return the JSON body of a page's request.

    Raises:
        MapkitError: It is something else.
    """
    try:
        return model.model_validate_json(await request.body(), strict=True)
    except ValidationError as error:
        raise MapkitError("the server does not know this request; reload the page") from error


def _static_file(folder: Path, name: str) -> Response:
    """Return a file of the page; only names that are there, none with a path."""
    known = {path.name: path for path in folder.iterdir() if path.is_file()} if folder.is_dir() else {}
    path = known.get(name)
    if path is None or path.suffix not in _TYPES:
        return PlainTextResponse("There is no such file.", status_code=404)
    return Response(path.read_bytes(), media_type=_TYPES[path.suffix])


async def _refusal(_: Request, error: Exception) -> Response:
    missing = isinstance(error, MissingError)
    return model_response(Refusal(message=str(error)), 404 if missing else 400)


async def _refused_early(_: Request, error: Exception) -> Response:
    status, text = (error.status_code, error.detail) if isinstance(error, HTTPException) else (500, str(error))
    return model_response(Refusal(message=text), status)


async def _fault(_: Request, error: Exception) -> Response:
    return model_response(Refusal(message=f"the editor has a fault here: {error!r:.200}"), 500)


HANDLERS: Final[Mapping[Any, Any]] = {MapkitError: _refusal, HTTPException: _refused_early, Exception: _fault}
"""What is answered when a route raises."""


def _settings_routes() -> list[Route]:
    async def listed(_: Request) -> Response:
        return model_response(await run_in_threadpool(kept_settings))

    async def keep(request: Request) -> Response:
        return model_response(await run_in_threadpool(keep_settings, await body_of(Settings, request)))

    return [
        Route("/api/settings", listed, methods=["GET"]),
        Route("/api/settings", keep, methods=["POST"]),
    ]


def _picture_routes(hub: Hub) -> list[Route]:
    async def listed(_: Request) -> Response:
        return model_response(PictureList(pictures=await run_in_threadpool(hub.pictures().listed)))

    async def add(request: Request) -> Response:
        async with uploaded(request) as file:
            try:
                about = await run_in_threadpool(hub.pictures().add, file, request.query_params.get("name", ""))
            except PictureError as error:
                return model_response(Refusal(message=str(error)), 422)
        return model_response(about, 201)

    async def remove(request: Request) -> Response:
        await run_in_threadpool(hub.pictures().remove, request.path_params["id"])
        return model_response(EmptyResult())

    async def tile(request: Request) -> Response:
        at = request.path_params
        path = await run_in_threadpool(hub.pictures().tile, at["id"], at["level"], at["column"], at["row"])
        # a picture of an id never changes
        return FileResponse(path, headers={"Cache-Control": "private, max-age=31536000, immutable"})

    return [
        Route(PICTURES, listed, methods=["GET"]),
        Route(PICTURES, add, methods=["POST"]),
        Route(PICTURES + "/{id}", remove, methods=["DELETE"]),
        Route(PICTURES + "/{id}/{level:int}/{column:int}/{row:int}", tile, methods=["GET"]),
    ]
