"""Routes of printing and exporting: the commands of mapkit on the open board, as it is now or was."""

import asyncio
import hashlib
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Annotated, Literal, NamedTuple

from pydantic import Field
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from mapkit.console.jobs import Job, JobError, Jobs, keep, option_words, zipped
from mapkit.core.base import Frozen
from mapkit.core.names import board_stem
from mapkit.core.output import write_files
from mapkit.kinds.queries import OpenBoard
from mapkit.kinds.rail.editing.saving import all_files
from mapkit.kinds.rail.queries.moments import document_at
from mapkit.kinds.rail.queries.question import Asked
from mapkit.kinds.rail.queries.versions import Version, variants_in_order, workspace_of
from mapkit.kinds.responses import model_response
from mapkit.kinds.uploads import read_body

_PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; sandbox"
"""What a file that was made may do when it is opened alone: nothing but be seen."""
_TYPES = {".svg": "image/svg+xml", ".png": "image/png", ".pdf": "application/pdf", ".jpg": "image/jpeg"}

Name = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,60}$")]


class JobAsked(Frozen):
    """Output, version of the board, and options of a job."""

    what: Literal["draw", "print", "sheets", "export", "report", "rules"]
    of: Version = Version()
    theme: Name = "board"
    form: Literal["svg", "png", "pdf"] = "svg"
    dpi: float = Field(default=150, ge=20, le=1200)
    fonts: Literal["name", "embed", "paths"] = "name"
    dot_names: bool = True
    contrast: int = Field(default=0, ge=0, le=1)
    paper: Literal["a4", "letter", "a3", "tabloid", "poster"] = "a4"
    only: tuple[Name, ...] = ()
    scale: float = Field(default=100, ge=5, le=1000)
    duplex: bool = False
    booklet: bool = False
    low_ink: bool = False
    formats: tuple[Name, ...] = ()

    def command(self, board: str, folder: Path, workspace: Path) -> list[str]:
        """Return the arguments of `mapkit`.

        Raises:
            JobError: Nothing is asked for.
        """
        out, stem = folder / "out", board_stem(board, self.of.variants)
        source = str(folder / board)
        if self.what == "rules":
            return ["rules", "sheet", source, *option_words(out=out / f"{board}-rules.html")]
        end = option_words(workspace=workspace, variant=self.of.variants)
        only = ",".join(self.only)
        if self.what == "draw":
            look = {name: getattr(self, name) for name in ("theme", "contrast", "dpi", "fonts")}
            words = option_words(**look, no_dot_names=not self.dot_names, out=out / f"{stem}-{self.theme}.{self.form}")
        elif self.what == "report":
            words = option_words(html=out / f"{stem}-report.html")
        elif self.what == "sheets":
            paper = self.paper if self.paper in ("a4", "letter") else "a4"
            words = option_words(paper=paper, theme=self.theme, only=only, out=out)
        elif self.what == "print":
            form = "booklet" if self.booklet else self.paper
            flat = {} if self.booklet else {"scale": self.scale, "duplex": self.duplex}
            look = {"paper": self.paper, "theme": self.theme, "only": only, "low_ink": self.low_ink}
            words = option_words(**look, booklet=self.booklet, **flat, out=out / f"{stem}-{form}.pdf")
        else:
            if not self.formats:
                raise JobError("choose at least one format")
            words = option_words(to=",".join(self.formats), out=out)
        return [self.what, source, *words, *end]


class KeptFiles(Frozen):
    """Folder and names of a job's written files."""

    folder: str
    files: tuple[str, ...]


def export_routes(hub: OpenBoard, jobs: Jobs) -> list[Route]:
    """Return the routes of jobs.

    Args:
        hub: The open board.
        jobs: Its jobs; who makes them closes them.
    """

    async def start(request: Request) -> Response:
        return model_response((await _started(hub, jobs, await read_body(request, JobAsked))).progress(), 201)

    async def progress(request: Request) -> Response:
        return model_response(jobs.get(request.path_params["id"]).progress())

    async def stop(request: Request) -> Response:
        return model_response((await jobs.stop(request.path_params["id"])).progress())

    async def file(request: Request) -> Response:
        at = request.path_params
        return _made_file(jobs.get(at["id"]), at["name"], download="download" in request.query_params)

    async def archive(request: Request) -> Response:
        job = jobs.get(request.path_params["id"])
        data = await asyncio.to_thread(zipped, job.files())
        name = f"{hub.session.board}.zip"
        return Response(
            data, media_type="application/zip", headers={"Content-Disposition": f'attachment; filename="{name}"'}
        )

    async def kept(request: Request) -> Response:
        job = jobs.get(request.path_params["id"])
        asked = hub.asked()
        folder = workspace_of(asked.folder).root / "dist" / hub.session.board
        names = await asyncio.to_thread(keep, job, folder)
        return model_response(KeptFiles(folder=str(folder), files=tuple(names)))

    return [
        Route("/api/jobs", start, methods=["POST"]),
        Route("/api/jobs/{id}", progress, methods=["GET"]),
        Route("/api/jobs/{id}", stop, methods=["DELETE"]),
        Route("/api/jobs/{id}/keep", kept, methods=["POST"]),
        Route("/api/jobs/{id}/all.zip", archive, methods=["GET"]),
        Route("/api/jobs/{id}/files/{name:path}", file, methods=["GET"]),
    ]


async def _started(hub: OpenBoard, jobs: Jobs, wanted: JobAsked) -> Job:
    asked, board = hub.asked(), hub.session.board
    work = await asyncio.to_thread(_planned, wanted, asked)

    def prepare(folder: Path) -> None:
        write_files(folder / board, work.files)

    return jobs.start(prepare, lambda folder: wanted.command(board, folder, work.workspace), key=work.key)


def _made_file(job: Job, name: str, *, download: bool) -> Response:
    path = job.files().get(name)
    if path is None:
        raise JobError(f"there is no file {name!r}")
    kind = _TYPES.get(path.suffix, "application/octet-stream")
    headers = {"Content-Security-Policy": _PICTURE_POLICY}
    if download or kind == "application/octet-stream":
        return FileResponse(path, media_type=kind, filename=path.name, headers=headers)
    return FileResponse(path, media_type=kind, headers=headers)


class _Work(NamedTuple):
    """Input of a job: the files of the board, the workspace, and a key of both with the options."""

    files: Mapping[str, str | bytes]
    workspace: Path
    key: str


def _planned(wanted: JobAsked, asked: Asked) -> _Work:
    """Return the input of a job; unknown variants are refused at once."""
    space = workspace_of(asked.folder)
    variants = variants_in_order(asked, wanted.of.variants)
    wanted.command("board", Path(PurePosixPath("/")), space.root)
    files = all_files(document_at(asked, wanted.of.at))
    said = (wanted.model_dump_json(exclude={"of": {"at"}}), *(repr(variant) for variant in variants))
    # Digest of the request and of the board
    digest = hashlib.sha256()
    for name, content in [*(("", text) for text in said), *sorted(files.items())]:
        data = content.encode() if isinstance(content, str) else content
        digest.update(f"{name}\n{len(data)}\n".encode() + data)
    return _Work(files, space.root, digest.hexdigest())
