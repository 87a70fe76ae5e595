"""Routes of scanned charts: PDFs and pictures that a page sends, read beside the editing."""

import asyncio
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from mapkit.console.jobs import Job, Jobs
from mapkit.core.base import Frozen
from mapkit.core.errors import SourceError
from mapkit.formats.page_files import render_page_files
from mapkit.kinds.queries import OpenBoard
from mapkit.kinds.rail.api.destinations import DestinationsRead
from mapkit.kinds.rail.model.left_out import NameLeftOut
from mapkit.kinds.rail.model.payoffs.chart import PayoffsRead
from mapkit.kinds.rail.serving.scanned_files import READ, asked_scan, pages_of_job, read_job, start_scan
from mapkit.kinds.responses import model_response
from mapkit.kinds.uploads import uploaded

CHART_UPLOADS: Final = "/api/chart-scans"


class ScannedCell(Frozen):
    """Cell of a scanned chart: its reading and its position.

    `a` is the city of its row, `b` that of its column; `value` is in thousands, null if it was not read; `box` is left,
    top, right, bottom, in the unit of its page. `doubt` says why it is in doubt, and is empty if it is not;
    `candidates` are what it may say then, the likeliest first.
    """

    a: str
    b: str
    value: float | None
    page: int
    box: tuple[float, float, float, float]
    doubt: str
    candidates: tuple[str, ...]


class ScannedPage(Frozen):
    """A page that cells stand on: its size in the unit of their boxes, and the file of the job that shows it."""

    page: int
    width: float
    height: float
    file: str


class ChartScan(Frozen):
    """A payoff chart that was read from a PDF or pictures: its pages, its cells, notes, and the unit of candidates.

    `left_out` are names that fit no city of the board.
    """

    pages: tuple[ScannedPage, ...]
    cells: tuple[ScannedCell, ...]
    left_out: tuple[NameLeftOut, ...]
    notes: tuple[str, ...]
    unit: int


def chart_scan_routes(board: OpenBoard, jobs: Jobs) -> list[Route]:
    """Return the routes of scanned charts; how far one is read is asked of its job.

    Args:
        board: The open board.
        jobs: Its jobs; who makes them closes them.
    """

    async def add(request: Request) -> Response:
        async with uploaded(request) as file:
            data = await asyncio.to_thread(file.read_bytes)
        asked = asked_scan(request.query_params.get("asked", ""))
        return model_response(start_scan(board, jobs, asked, data).progress(), 201)

    async def found(request: Request) -> Response:
        job = read_job(jobs, request.path_params["id"], "payoffs")
        return model_response(await asyncio.to_thread(_scan, job))

    async def destinations(request: Request) -> Response:
        job = read_job(jobs, request.path_params["id"], "destinations")
        data = await asyncio.to_thread((job.out / READ).read_bytes)
        return model_response(DestinationsRead.model_validate_json(data))

    return [
        Route(CHART_UPLOADS, add, methods=["POST"]),
        Route(CHART_UPLOADS + "/{id}", found, methods=["GET"]),
        Route(CHART_UPLOADS + "/{id}/destinations", destinations, methods=["GET"]),
    ]


def _scan(job: Job) -> ChartScan:
    """Return the result of a job, and draw its pages into the job's folder."""
    read = PayoffsRead.model_validate_json((job.out / READ).read_bytes())
    placed = [r for r in read.chart.readings if r.spot is not None]
    if not placed:
        raise SourceError("this file has no pages to show; copy its cells and paste them")
    source, *more = pages_of_job(job)
    numbers = sorted({r.spot.page for r in placed if r.spot is not None})
    pages = []
    found = render_page_files(source, numbers, more, file="the chart")
    for number, (width, height, jpeg) in zip(numbers, found, strict=True):
        name = f"page-{number}.jpg"
        (job.out / name).write_bytes(jpeg)
        pages.append(ScannedPage(page=number, width=width, height=height, file=name))
    doubts = {(cell.a, cell.b): cell for cell in read.in_doubt}
    why_not = {(cell.a, cell.b): cell.why for cell in read.not_read}
    cells = []
    for reading in placed:
        assert reading.spot is not None  # noqa: S101 - only those that stand on a page
        pair = read.chart.cities[reading.row], read.chart.cities[reading.col]
        doubt = doubts.get(pair)
        cells.append(
            ScannedCell(
                a=pair[0],
                b=pair[1],
                value=reading.value,
                page=reading.spot.page,
                box=reading.spot.box,
                doubt=doubt.why if doubt else why_not.get(pair, ""),
                candidates=doubt.candidates if doubt else (),
            )
        )
    return ChartScan(pages=tuple(pages), cells=tuple(cells), left_out=read.left_out, notes=read.notes, unit=read.unit)
