"""Routes of scans of boards that lie under the board: their dots and squares, and control points from their names."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeVar

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from mapkit.console.jobs import Job, JobError, Jobs
from mapkit.core.base import Frozen
from mapkit.core.output import write_files
from mapkit.kinds.queries import OpenBoard
from mapkit.kinds.rail.editing.saving import all_files
from mapkit.kinds.rail.model.board_scan import SymbolsFound
from mapkit.kinds.rail.model.scan_placing import ScanPlacing
from mapkit.kinds.responses import model_response

DOTS: Final = "picture-dots"
PLACES: Final = "picture-places"
_PICTURE: Final = "picture.png"
_FOUND: Final = "found.json"
R = TypeVar("R", bound=Frozen)


def picture_scan_routes(board: OpenBoard, jobs: Jobs) -> list[Route]:
    """Return the routes of scans under the board; how far one is read is asked of its job.

    Args:
        board: The open board.
        jobs: Its jobs; who makes them closes them.
    """

    async def dots(request: Request) -> Response:
        ident = request.path_params["id"]

        def prepare(folder: Path) -> None:
            board.write_picture(ident, folder / _PICTURE)

        def command(folder: Path) -> list[str]:
            return ["find-dots", str(folder / _PICTURE), "--json"]

        return model_response(
            jobs.start(prepare, command, sort=DOTS, printed=_FOUND, key=f"{DOTS} {ident}").progress(), 201
        )

    async def places(request: Request) -> Response:
        ident = request.path_params["id"]
        name, document = board.session.board, board.asked().document

        def prepare(folder: Path) -> None:
            write_files(folder / name, all_files(document))
            board.write_picture(ident, folder / _PICTURE)

        def command(folder: Path) -> list[str]:
            return ["place-scan", str(folder / _PICTURE), "--board", str(folder / name), "--dry-run", "--json"]

        return model_response(jobs.start(prepare, command, sort=PLACES, printed=_FOUND).progress(), 201)

    def found(sort: str, model: type[R]) -> Callable[[Request], object]:
        async def answer(request: Request) -> Response:
            return model_response(await asyncio.to_thread(_read, jobs.get(request.path_params["id"]), sort, model))

        return answer

    return [
        Route(f"/api/{DOTS}/{{id}}", dots, methods=["POST"]),
        Route(f"/api/{DOTS}/{{id}}", found(DOTS, SymbolsFound), methods=["GET"]),
        Route(f"/api/{PLACES}/{{id}}", places, methods=["POST"]),
        Route(f"/api/{PLACES}/{{id}}", found(PLACES, ScanPlacing), methods=["GET"]),
    ]


def _read(job: Job, sort: str, model: type[R]) -> R:
    if job.sort != sort or job.state != "done":
        raise JobError("this picture is not read yet")
    return model.model_validate_json((job.out / _FOUND).read_bytes())
