"""Routes of files of lines that lie underneath a board."""

from typing import Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from mapkit.core.base import Frozen
from mapkit.formats.lines.features import NoCrsError
from mapkit.kinds.protocol import EmptyResult, NeedsCrs, Refusal
from mapkit.kinds.queries import OpenBoard
from mapkit.kinds.rail.editing.line_files import KeptLines, LineFileError, LineFiles
from mapkit.kinds.responses import model_response
from mapkit.kinds.uploads import uploaded

LINE_UPLOADS: Final = "/api/line-files"


class LineFileList(Frozen):
    """The files of lines of a board, by name."""

    files: tuple[KeptLines, ...]


def line_file_routes(board: OpenBoard) -> list[Route]:
    """Return the routes of files of lines that lie underneath a board."""

    def files() -> LineFiles:
        folder = board.session.folder
        if folder is None:
            raise LineFileError("this board has no folder that files of lines could be kept beside")
        return LineFiles.of_board(folder)

    async def listed(_: Request) -> Response:
        found = await run_in_threadpool(files().listed)
        return model_response(LineFileList(files=found))

    async def add(request: Request) -> Response:
        name, crs = (request.query_params.get(key, "")[:300] for key in ("name", "crs"))
        async with uploaded(request) as file:
            try:
                about = await run_in_threadpool(files().add, file, name, crs.strip())
            except NoCrsError as error:
                return model_response(NeedsCrs(message=str(error), suggested_crs=error.suggested_crs))
            except LineFileError as error:
                return model_response(Refusal(message=str(error)), 422)
        return model_response(about, 201)

    async def remove(request: Request) -> Response:
        await run_in_threadpool(files().remove, request.path_params["id"])
        return model_response(EmptyResult())

    return [
        Route(LINE_UPLOADS, listed, methods=["GET"]),
        Route(LINE_UPLOADS, add, methods=["POST"]),
        Route(LINE_UPLOADS + "/{id}", remove, methods=["DELETE"]),
    ]
