"""Routes of scanned charts: PDFs and pictures that a page sends, read beside the editing."""

import asyncio
from pathlib import Path, PurePath
from typing import Final, Literal

from pydantic import Field, ValidationError
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from mapkit.console.jobs import Job, JobError, Jobs
from mapkit.core.base import Frozen
from mapkit.core.errors import SourceError
from mapkit.core.output import write_files
from mapkit.formats.page_files import render_page_files
from mapkit.kinds.queries import OpenBoard
from mapkit.kinds.rail.api.destinations import DestinationsRead
from mapkit.kinds.rail.editing.saving import all_files
from mapkit.kinds.rail.model.left_out import NameLeftOut
from mapkit.kinds.rail.model.payoffs.chart import PayoffsRead
from mapkit.kinds.responses import model_response
from mapkit.kinds.uploads import uploaded

# Files of scanned charts that a page sends, and the jobs that read them.

MAX_UPLOAD: Final = 64 * 2**20
_MOST: Final = 12
_LONGEST: Final = 200
READ: Final = "read.json"
"""The file with what a job read."""

Charts = Literal["payoffs", "destinations"]


class SentFile(Frozen):
    """A file in the body of a request: its name, and how many bytes of the body are its own."""

    name: str
    bytes: int = Field(ge=0)


class ScanAsked(Frozen):
    """Request of a page to read a scan.

    Attributes:
        what: Which charts.
        files: The files whose bytes follow each other in the body: pages of one chart, in order.
        again: In place of files, the job whose files are read again.
        accept: Names in the files -> ids of what they mean; empty for what is left out.
    """

    what: Charts
    files: tuple[SentFile, ...] = Field(default=(), max_length=_MOST)
    again: str = ""
    accept: dict[str, str] = Field(default_factory=dict, max_length=_LONGEST)


def asked_scan(text: str) -> ScanAsked:
    """Return the request in an address.

    Raises:
        JobError: It says nothing that can be done.
    """
    try:
        return ScanAsked.model_validate_json(text)
    except ValidationError as error:
        raise JobError("the request of the page is wrong; reload the page") from error


def start_scan(board: OpenBoard, jobs: Jobs, asked: ScanAsked, data: bytes) -> Job:
    """Begin to read charts in a process of their own.

    Raises:
        JobError: There are no files, or not as many bytes as they should have.
    """
    files = _again(jobs.get(asked.again)) if asked.again else _parted(asked, data)
    ident, document = board.session.board, board.asked().document

    def prepare(folder: Path) -> None:
        write_files(folder / ident, all_files(document))
        write_files(folder, files)

    def command(folder: Path) -> list[str]:
        # a blank before a name, which may begin with an @ and is no file
        accepted = [part for typed, meant in asked.accept.items() for part in ("--accept", f" {typed}={meant or '-'}")]
        said = ["--board", str(folder / ident), "--leave-out", "--json", *accepted]
        if asked.what == "payoffs":
            said.append("--gaps")
        return [asked.what, "read", *sorted(files), *said]

    return jobs.start(prepare, command, sort=asked.what + "-scan", printed=READ)


def read_job(jobs: Jobs, ident: str, what: Charts) -> Job:
    """Return the finished job of a scan.

    Raises:
        JobError: It is not the job of a scan, or not done.
    """
    job = jobs.get(ident)
    if job.sort != what + "-scan" or job.state != "done":
        raise JobError("this chart is not read yet")
    return job


def pages_of_job(job: Job) -> list[Path]:
    """Return the files that a job reads, in order."""
    return sorted(path for path in job.folder.iterdir() if path.is_file())


def _again(job: Job) -> dict[str, bytes]:
    try:
        return {path.name: path.read_bytes() for path in pages_of_job(job)}
    except OSError as error:
        raise JobError("the files of this chart are gone; choose them again") from error


def _parted(asked: ScanAsked, data: bytes) -> dict[str, bytes]:
    """Return the files of a body, by names that sort as they follow each other."""
    if not asked.files or sum(file.bytes for file in asked.files) != len(data):
        raise JobError("not all bytes of the files have arrived; send them again")
    out: dict[str, bytes] = {}
    at = 0
    for number, file in enumerate(asked.files, start=1):
        which = "chart" if len(asked.files) == 1 else f"chart-{number:02}"
        out[which + _ending(file.name)] = data[at : at + file.bytes]
        at += file.bytes
    return out


def _ending(name: str) -> str:
    """Return the ending of a file's name if it is plain; the content decides on the format."""
    ending = PurePath(name).suffix.casefold()
    return ending if ending[1:].isalnum() and ending.isascii() and len(ending) < 6 else ""  # noqa: PLR2004


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
