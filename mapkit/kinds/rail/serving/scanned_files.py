"""Files of scanned charts that a page sends, and the jobs that read them."""

from pathlib import Path, PurePath
from typing import Final, Literal

from pydantic import Field, ValidationError

from mapkit.console.jobs import Job, JobError, Jobs
from mapkit.core.base import Frozen
from mapkit.core.output import write_files
from mapkit.kinds.queries import OpenBoard
from mapkit.kinds.rail.editing.saving import all_files

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
