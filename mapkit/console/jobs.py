"""Background jobs of the editor: mapkit commands that draw, print or export the open board, each in its own process.

A job works on a copy of the board in a temporary folder, so that editing can continue, and can be stopped at any time.
It ends when the server ends, even if the server crashes (`mapkit.console.job`).
"""

import asyncio
import io
import os
import secrets
import shutil
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from mapkit.console.job import ENDED, STOP
from mapkit.core.base import Frozen
from mapkit.core.errors import MapkitError
from mapkit.core.output import write_files
from mapkit.core.outputs.owners import RECORD

AT_ONCE = 2
"""Maximum number of running jobs; further jobs wait."""
KEPT = 12
"""Number of finished jobs per sort to keep, with their files."""
_LAST_LINES = 20

State = Literal["waiting", "running", "done", "failed", "stopped"]


class JobError(MapkitError):
    """Error for a job that does not exist, or is not done."""


def option_words(**values: object) -> list[str]:
    """Return options of a command line by their names, `low_ink=True`.

    A value is `--name=value`, which may begin with a hyphen; a sequence repeats the option, True is a flag, and None,
    False and an empty text leave the option out.
    """
    words = []
    for name, value in values.items():
        flag = f"--{name.replace('_', '-')}"
        for one in value if isinstance(value, tuple) else (value,):
            if one is True:
                words.append(flag)
            elif one is not None and one is not False and one != "":
                words.append(f"{flag}={one:g}" if isinstance(one, float) else f"{flag}={one}")
    return words


class MadeFile(Frozen):
    """A file that a job made: its path in the job's folder, and its size."""

    name: str
    bytes: int


class JobState(Frozen):
    """Progress of a job: its stage, and its messages, such as the reason of a failure."""

    id: str
    state: State
    stage: str
    said: tuple[str, ...]
    files: tuple[MadeFile, ...]


@dataclass(eq=False)
class Job:
    """Run of one mapkit command in the background.

    Args:
        id: Its id in URLs.
        folder: Its own folder; the results are in the subfolder `out`.
        command: The arguments of `mapkit`.
        sort: Its purpose; the newest jobs of each sort are kept.
        printed: The name of a file in `out` for the output of the command; empty to discard the output.
        key: Cache key of command and inputs: jobs with equal keys have identical results. Empty for no caching.
        stopping: Whether it was asked to end with its results so far.
    """

    id: str
    folder: Path
    command: Sequence[str]
    sort: str = ""
    printed: str = ""
    key: str = ""
    stopping: bool = False
    state: State = "waiting"
    stage: str = ""
    said: list[str] = field(default_factory=list)
    task: asyncio.Task[None] | None = None
    process: asyncio.subprocess.Process | None = None

    @property
    def over(self) -> bool:
        """Return whether it has ended."""
        return self.state in ("done", "failed", "stopped")

    @property
    def out(self) -> Path:
        """Return the folder of its results."""
        return self.folder / "out"

    def files(self) -> dict[str, Path]:
        """Return the files of a finished job, by path in `out`."""
        if self.state != "done":
            return {}
        return {
            p.relative_to(self.out).as_posix(): p
            for p in sorted(self.out.rglob("*"))
            if (p.is_file() and p.name != RECORD)
        }

    def progress(self) -> JobState:
        """Return its state, stage, messages and files."""
        files = tuple(MadeFile(name=name, bytes=path.stat().st_size) for name, path in self.files().items())
        return JobState(id=self.id, state=self.state, stage=self.stage, said=tuple(self.said), files=files)


Prepare = Callable[[Path], None]
"""Function that writes the input files of a command into a folder, or raises MapkitError."""


class Jobs:
    """The jobs of an open board."""

    def __init__(self) -> None:
        self._jobs: dict[str, Job] = {}
        self._room = asyncio.Semaphore(AT_ONCE)
        self._root: Path | None = None

    def start(
        self,
        prepare: Prepare,
        command: Callable[[Path], Sequence[str]],
        *,
        sort: str = "",
        printed: str = "",
        key: str = "",
    ) -> Job:
        """Start a job, or return a finished one with the same key.

        Args:
            prepare: Writes the input files of the command into the job's folder.
            command: Returns the arguments of `mapkit` for that folder; results must go to its subfolder `out`.
            sort: The purpose of the job; the newest jobs of each sort are kept.
            printed: The name of a file in `out` for the output of the command; empty to discard the output.
            key: Cache key of command and inputs; empty for no caching.
        """
        made = self._made(key)
        if made is not None:
            return made
        over = [job for job in self.of_sort(sort) if job.over]
        for job in over[: max(0, len(over) - KEPT)]:
            del self._jobs[job.id]
            shutil.rmtree(job.folder, ignore_errors=True)
        if self._root is None:
            self._root = Path(tempfile.mkdtemp(prefix="mapkit-jobs-"))
        ident = secrets.token_hex(8)
        folder = self._root / ident
        job = Job(ident, folder, tuple(command(folder)), sort, printed, key)
        self._jobs[ident] = job
        job.task = asyncio.create_task(self._run(job, prepare))
        return job

    def get(self, ident: str) -> Job:
        """Return a job.

        Raises:
            JobError: No job has this id.
        """
        job = self._jobs.get(ident)
        if job is None:
            raise JobError("this job was discarded; start it again")
        return job

    def of_sort(self, sort: str) -> tuple[Job, ...]:
        """Return the jobs of a sort, discarded ones excepted, the newest last."""
        return tuple(job for job in self._jobs.values() if job.sort == sort)

    async def finish(self, ident: str) -> Job:
        """Ask a job to end with its results so far; stop it if it was asked before or has not begun."""
        job = self.get(ident)
        if job.stopping or job.process is None or job.process.stdin is None or job.over:
            return await self.stop(ident)
        job.stopping = True
        with suppress(ConnectionError):  # the process is already ending
            job.process.stdin.write(STOP)
            await job.process.stdin.drain()
        return job

    async def stop(self, ident: str) -> Job:
        """Stop a job and discard its results."""
        job = self.get(ident)
        if job.task is not None and not job.task.done():
            job.task.cancel()
            await asyncio.wait([job.task])
        return job

    async def close(self) -> None:
        """Stop everything, and remove all files."""
        for ident in list(self._jobs):
            await self.stop(ident)
        if self._root is not None:
            await asyncio.to_thread(shutil.rmtree, self._root, ignore_errors=True)

    def _made(self, key: str) -> Job | None:
        """Return the finished job with a key, if any, and mark it as the newest of its sort."""
        for job in self._jobs.values():
            if key and job.key == key and job.state == "done":
                self._jobs[job.id] = self._jobs.pop(job.id)
                return job
        return None

    async def _run(self, job: Job, prepare: Prepare) -> None:
        try:
            async with self._room:
                job.state, job.stage = "running", "reading the board"
                await asyncio.to_thread(_ready, job, prepare)
                await self._work(job)
        except asyncio.CancelledError:
            job.state = "stopped"
            shutil.rmtree(job.folder, ignore_errors=True)
        except (MapkitError, OSError) as error:
            job.state = "failed"
            job.said.append(str(error))

    async def _work(self, job: Job) -> None:
        with _printed_file(job) as printed:
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-P",
                "-m",
                "mapkit.console.job",
                *job.command,
                cwd=job.folder,
                env=os.environ | {"PYTHONUTF8": "1"},
                stdin=asyncio.subprocess.PIPE,
                stdout=printed,
                stderr=asyncio.subprocess.PIPE,
            )
        job.process = process
        try:
            assert process.stderr is not None  # noqa: S101 - it is a pipe
            async for raw in process.stderr:
                _hear(job, raw.decode("utf-8", "replace").rstrip())
            code = await process.wait()
        except asyncio.CancelledError:
            process.kill()
            await process.wait()
            raise
        job.stage = ""
        if code == ENDED and job.stopping:  # it had no results yet
            job.state = "stopped"
            return
        job.state = "done" if code == 0 else "failed"
        if code != 0 and not job.said:
            job.said.append(f"it ended with code {code} and said nothing; try again")


@contextmanager
def _printed_file(job: Job) -> Iterator[int]:
    """Open the file that captures the output of a command."""
    if not job.printed:
        yield asyncio.subprocess.DEVNULL
        return
    with (job.out / job.printed).open("wb") as file:
        yield file.fileno()


def _ready(job: Job, prepare: Prepare) -> None:
    job.out.mkdir(parents=True)
    prepare(job.folder)


def _hear(job: Job, line: str) -> None:
    """Record a line from the error output of a command: a stage (`draw usa: drawing ...`), or a message."""
    if line.endswith(" ..."):
        job.stage = line.removesuffix(" ...").rpartition(": ")[2]
    elif line.strip():
        said = (
            line.removeprefix("mapkit: ")
            .removeprefix("Error: ")
            .removeprefix("error: ")
            .replace(f"{job.folder}{os.sep}", "")
        )
        job.said = [*job.said, said][-_LAST_LINES:]


def zipped(files: dict[str, Path]) -> bytes:
    """Return files as a ZIP archive."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, path in sorted(files.items()):
            archive.writestr(zipfile.ZipInfo(name), path.read_bytes(), zipfile.ZIP_DEFLATED)
    return out.getvalue()


def keep(job: Job, folder: Path) -> list[str]:
    """Write the results of a job into a folder, all or none, and return their names.

    Raises:
        JobError: It is not done.
        OutputError: The folder cannot be written to.
    """
    files = job.files()
    if not files:
        raise JobError("there is nothing to write yet")
    write_files(folder, {name: path.read_bytes() for name, path in files.items()})
    return sorted(files)
