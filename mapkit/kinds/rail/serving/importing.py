"""Routes for importing a file of lines into the open board: a preview, then one step with its lines."""

import asyncio
from typing import Final

from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from mapkit.console.jobs import JobError, Jobs, option_words
from mapkit.core.base import Frozen
from mapkit.core.output import write_files
from mapkit.kinds.queries import OpenBoard
from mapkit.kinds.rail.model.import_report import ImportReport
from mapkit.kinds.rail.serving.copies import CopyJobs, StepTaken
from mapkit.kinds.responses import model_response
from mapkit.kinds.uploads import read_body, uploaded

IMPORTS: Final = "/api/imports"
_PREVIEW: Final = "import-preview"
_IMPORT: Final = "import"
_REPORT: Final = "import.json"
_SENT: Final = "sent"
"""The folder with the file that a page sent."""


class LineImport(Frozen):
    """Choice of the author: the railroad of each key, `""` to leave its lines out; other keys become railroads.

    `gap_mi` is how far apart mileposts are, miles, where the board does not say it yet.
    """

    railroads: dict[str, str] = Field(default_factory=dict, max_length=1000)
    gap_mi: float | None = Field(default=None, ge=1, le=1000)


def import_routes(board: OpenBoard, jobs: Jobs) -> list[Route]:
    """Return the routes of importing lines into the open board.

    Args:
        board: The open board.
        jobs: Its jobs; who makes them closes them.
    """
    previews, imports = CopyJobs(board, jobs, _PREVIEW), CopyJobs(board, jobs, _IMPORT)

    def command(name: str, crs: str, more: list[str]) -> list[str]:
        options = option_words(into=board.session.board, crs=crs, json=True)
        return ["import", f"{_SENT}/{name}", *options, "--workspace=.", *more]

    async def preview(request: Request) -> Response:
        name, crs = (request.query_params.get(key, "")[:300].strip() for key in ("name", "crs"))
        async with uploaded(request, name) as file:
            data, name = await asyncio.to_thread(file.read_bytes), file.name
        job = previews.start(
            lambda _: command(name, crs, ["--dry-run", "--new-railroads"]),
            printed=_REPORT,
            prepare=lambda folder: write_files(folder / _SENT, {name: data}),
        )
        return model_response(job.progress(), 201)

    def read_report(request: Request) -> ImportReport:
        job = jobs.get(request.path_params["id"])
        if job.sort not in (_PREVIEW, _IMPORT) or job.state != "done":
            raise JobError("this file is not read yet; wait until it is read, or choose it again")
        return ImportReport.model_validate_json((job.out / _REPORT).read_bytes())

    async def report(request: Request) -> Response:
        return model_response(await asyncio.to_thread(read_report, request))

    async def start(request: Request) -> Response:
        wanted = await read_body(request, LineImport)
        previewed = jobs.get(request.path_params["id"])
        maps = option_words(map=tuple(f"{key}={railroad}" for key, railroad in wanted.railroads.items()))
        sent = {file.name: file.read_bytes() for file in (previewed.folder / _SENT).iterdir()}
        words = [word for word in previewed.command if word != "--dry-run"]
        job = imports.start(
            lambda _: [*words, *maps],
            printed=_REPORT,
            prepare=lambda folder: write_files(folder / _SENT, sent),
            settings=None if wanted.gap_mi is None else {"spacing.gap_mi": wanted.gap_mi},
        )
        return model_response(job.progress(), 201)

    async def take(request: Request) -> Response:
        report = await asyncio.to_thread(read_report, request)
        label = f"Import {report.files[0].file}"
        taken = await asyncio.to_thread(imports.take, request.path_params["id"], label)
        return model_response(StepTaken(label=taken))

    return [
        Route(IMPORTS, preview, methods=["POST"]),
        Route(IMPORTS + "/{id}", report, methods=["GET"]),
        Route(IMPORTS + "/{id}", start, methods=["POST"]),
        Route(IMPORTS + "/{id}/take", take, methods=["POST"]),
    ]
