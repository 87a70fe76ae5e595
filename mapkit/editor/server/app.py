"""The routes of the server."""

import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp
from starlette.websockets import WebSocket

from mapkit.editor import line_files
from mapkit.editor.line_files import LineFileError, LineFiles, UnknownCrsError
from mapkit.editor.server.exporting import export_routes
from mapkit.editor.server.guard import Door, Guard
from mapkit.editor.server.hub import Hub
from mapkit.editor.server.jobs import Jobs
from mapkit.editor.server.pictures import MAX_BYTES, PictureError, Pictures
from mapkit.editor.server.socket import serve_page
from mapkit.editor.server.variants import variant_routes
from mapkit.errors import MapkitError

STATIC = Path(__file__).resolve().parent.parent / "static"
"""Where the bundled page is."""
UPLOADS = "/api/pictures"
LINE_UPLOADS = "/api/line-files"
_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
}


def make_app(hub: Hub, door: Door, *, static: Path = STATIC) -> ASGIApp:
    """Return the server as an ASGI application.

    Args:
        hub: The open board.
        door: Where it listens, and its token.
        static: The folder of the bundled page.
    """
    jobs = Jobs()

    @asynccontextmanager
    async def life(_: Starlette) -> AsyncIterator[None]:
        await hub.start()
        yield
        await jobs.close()
        await hub.stop()

    async def alive(_: Request) -> Response:
        return JSONResponse({"board": hub.session.board, "revision": hub.session.revision})

    async def ask(request: Request) -> Response:
        return JSONResponse(await hub.ask(request.path_params["name"], await request.body()))

    async def socket(connection: WebSocket) -> None:
        await serve_page(hub, connection)

    routes = [
        *page_routes(static),
        Route("/api/alive", alive),
        Route("/api/ask/{name}", ask, methods=["POST"]),
        *_picture_routes(hub),
        *_line_file_routes(hub),
        *export_routes(hub, jobs),
        *variant_routes(hub),
        WebSocketRoute("/ws", socket),
    ]
    app = Starlette(routes=routes, lifespan=life, exception_handlers={MapkitError: _told, Exception: _fault})
    return Guard(app, door, {UPLOADS: MAX_BYTES, LINE_UPLOADS: line_files.MAX_BYTES})


def page_routes(static: Path) -> list[Route]:
    """Return the routes of the bundled page."""

    async def page(_: Request) -> Response:
        return _static_file(static, "index.html")

    async def static_file(request: Request) -> Response:
        return _static_file(static, request.path_params["name"])

    return [Route("/", page), Route("/static/{name}", static_file)]


def _static_file(folder: Path, name: str) -> Response:
    """Return a file of the page; only names that are there, none with a path."""
    known = {path.name: path for path in folder.iterdir() if path.is_file()} if folder.is_dir() else {}
    path = known.get(name)
    if path is None or path.suffix not in _TYPES:
        return PlainTextResponse("There is no such file.", status_code=404)
    return Response(path.read_bytes(), media_type=_TYPES[path.suffix])


async def _told(_: Request, error: Exception) -> Response:
    missing = isinstance(error, (PictureError, LineFileError))
    return JSONResponse({"message": str(error)}, status_code=404 if missing else 400)


async def _fault(_: Request, error: Exception) -> Response:
    return JSONResponse({"message": f"the editor has a fault here: {error!r:.200}"}, status_code=500)


@asynccontextmanager
async def _uploaded(request: Request) -> AsyncIterator[Path]:
    """Write the body of a request to a file, which is deleted afterwards."""
    with tempfile.TemporaryDirectory(prefix="mapkit-") as folder:
        file = Path(folder) / "upload"
        with file.open("wb") as stream:
            async for chunk in request.stream():
                stream.write(chunk)
        yield file


def _picture_routes(hub: Hub) -> list[Route]:
    def pictures() -> Pictures:
        folder = hub.pictures_folder
        if folder is None:
            raise PictureError("this board has no folder that pictures could be kept beside")
        return Pictures(folder)

    async def listed(_: Request) -> Response:
        return JSONResponse({"pictures": await run_in_threadpool(pictures().listed)})

    async def add(request: Request) -> Response:
        async with _uploaded(request) as file:
            try:
                about: Any = await run_in_threadpool(pictures().add, file, request.query_params.get("name", ""))
            except PictureError as error:
                return JSONResponse({"message": str(error)}, status_code=422)
        return JSONResponse(about, status_code=201)

    async def remove(request: Request) -> Response:
        await run_in_threadpool(pictures().remove, request.path_params["id"])
        return JSONResponse({})

    async def tile(request: Request) -> Response:
        at = request.path_params
        path = await run_in_threadpool(pictures().tile, at["id"], at["level"], at["column"], at["row"])
        # a picture of an id never changes
        return FileResponse(path, headers={"Cache-Control": "private, max-age=31536000, immutable"})

    return [
        Route(UPLOADS, listed, methods=["GET"]),
        Route(UPLOADS, add, methods=["POST"]),
        Route(UPLOADS + "/{id}", remove, methods=["DELETE"]),
        Route(UPLOADS + "/{id}/{level:int}/{column:int}/{row:int}", tile, methods=["GET"]),
    ]


def _line_file_routes(hub: Hub) -> list[Route]:
    def files() -> LineFiles:
        folder = hub.session.folder
        if folder is None:
            raise LineFileError("this board has no folder that files of lines could be kept beside")
        return LineFiles.of_board(folder)

    async def listed(_: Request) -> Response:
        found = await run_in_threadpool(files().listed)
        return JSONResponse({"files": found, "most_bytes": line_files.MAX_BYTES})

    async def add(request: Request) -> Response:
        name, crs = (request.query_params.get(key, "")[:300] for key in ("name", "crs"))
        async with _uploaded(request) as file:
            try:
                about: Any = await run_in_threadpool(files().add, file, name, crs.strip())
            except UnknownCrsError as error:
                # no mistake yet: the page asks, and sends it again
                return JSONResponse({"message": str(error), "needs_crs": True}, status_code=200)
            except LineFileError as error:
                return JSONResponse({"message": str(error)}, status_code=422)
        return JSONResponse(about, status_code=201)

    async def remove(request: Request) -> Response:
        await run_in_threadpool(files().remove, request.path_params["id"])
        return JSONResponse({})

    return [
        Route(LINE_UPLOADS, listed, methods=["GET"]),
        Route(LINE_UPLOADS, add, methods=["POST"]),
        Route(LINE_UPLOADS + "/{id}", remove, methods=["DELETE"]),
    ]
