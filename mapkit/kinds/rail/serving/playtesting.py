"""Routes of play-tests: many matches on the open board as it is now, or on two versions of it, beside the editing."""

import asyncio
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from mapkit.console.jobs import Job, JobError, Jobs, JobState, option_words
from mapkit.core.base import Frozen
from mapkit.core.output import write_files
from mapkit.kinds.queries import OpenBoard, QueryError
from mapkit.kinds.rail.editing.saving import all_files
from mapkit.kinds.rail.queries.moments import Moment, document_at
from mapkit.kinds.rail.queries.playtesting import known_policies
from mapkit.kinds.rail.queries.question import Asked
from mapkit.kinds.rail.queries.versions import Version, version_board, workspace_of
from mapkit.kinds.rail.variants.board_diff import diff_boards
from mapkit.kinds.responses import json_response, model_response
from mapkit.kinds.uploads import read_body
from mapkit.playing.running import RunProgress, parse_progress

SORT: Final = "playtest"
ALONE: Final = 60.0
"""Seconds without an open page after which a play-test ends with what is done."""
LOOK: Final = 2.0
"""Seconds between two looks for pages."""
_SEEDS: Final = 2**53
"""A page cannot tell larger numbers apart."""

Policy = Annotated[str, Field(min_length=1, max_length=200)]


class PlayTestAsked(Frozen):
    """Request for a play-test.

    A `study` is of the board as it is now, with variants; a `comparison` plays that and the board of an earlier moment
    with the same dice. `policies` has one name for all players, or one for each; `until` is half the width of the
    widest interval of a win rate at which to stop, of 1.
    """

    what: Literal["study", "comparison"] = "study"
    variants: tuple[str, ...] = Field(default=(), max_length=50)
    against: Literal["now"] | Moment = "saved"
    players: int = Field(default=4, ge=2, le=6)
    policies: tuple[Policy, ...] = Field(default=("balanced",), min_length=1, max_length=6)
    rules: Literal["board", "ah", "ici", "ah-faq"] = "board"
    matches: int = Field(default=1_000, ge=1, le=1_000_000_000)
    until: float | None = Field(default=None, gt=0, lt=1)
    seed: int = Field(default=1, ge=0, lt=_SEEDS)
    anyway: bool = False

    def command(self, board: str, folder: Path, workspace: Path) -> list[str]:
        """Return the arguments of `mapkit`."""
        now, out = folder / "now" / board, folder / "out"
        how = option_words(
            players=self.players,
            matches=self.matches,
            seed=self.seed,
            json=True,
            policy=self.policies,
            rules=None if self.rules == "board" else self.rules,
            anyway=self.anyway,
            workspace=workspace,
        )
        if self.what == "comparison":
            return ["playtest", "compare", str(folder / "then" / board), "+".join([str(now), *self.variants]), *how]
        until = None if self.until is None else f"{100 * self.until:g}%"
        more = option_words(until=until, variant=self.variants, html=out / f"{board}-study.html")
        return ["playtest", "run", str(now), *how, *more]


class PlayTestState(Frozen):
    """Play-test: its request, the revision of its board, and its progress.

    `far` is null before the first matches are done; `stopping` says that it ends with what is done, `early` that it
    ended so. `result` is the name of the file with its figures.
    """

    asked: PlayTestAsked
    revision: int
    job: JobState
    far: RunProgress | None
    stopping: bool
    early: bool
    result: str


class PlayTestList(Frozen):
    """The play-tests that the server knows, the newest first."""

    tests: tuple[PlayTestState, ...]


class PlayTests:
    """The play-tests of an open board.

    Args:
        board: The open board.
        jobs: Its jobs; who makes them closes them.
    """

    def __init__(self, board: OpenBoard, jobs: Jobs) -> None:
        self._board, self._jobs = board, jobs
        self._of: dict[str, tuple[PlayTestAsked, int]] = {}
        self._guards: set[asyncio.Task[None]] = set()

    async def start(self, wanted: PlayTestAsked) -> Job:
        """Begin a play-test.

        Raises:
            QueryError: One runs already, nothing differs, or somebody cannot play.
            MapkitError: A variant does not fit.
        """
        if any(not job.over for job in self._jobs.of_sort(SORT)):
            raise QueryError("a play-test is running; stop it first, or wait until it is done")
        asked, board = self._board.asked(), self._board.session.board
        root = await asyncio.to_thread(_checked, wanted, asked)

        def prepare(folder: Path) -> None:
            write_files(folder / "now" / board, all_files(asked.document))
            if wanted.what == "comparison":
                write_files(folder / "then" / board, all_files(document_at(asked, wanted.against)))

        job = self._jobs.start(
            prepare,
            lambda folder: wanted.command(board, folder, root),
            sort=SORT,
            printed=f"{board}-{wanted.what}.json",
        )
        self._of[job.id] = wanted, asked.revision
        guard = asyncio.create_task(self._guard(job))
        self._guards.add(guard)
        guard.add_done_callback(self._guards.discard)
        return job

    def state(self, job: Job) -> PlayTestState:
        """Return how far a play-test is."""
        wanted, revision = self._of[job.id]
        return PlayTestState(
            asked=wanted,
            revision=revision,
            job=job.progress(),
            far=parse_progress(job.stage),
            stopping=job.stopping and not job.over,
            early=job.stopping and job.state == "done",
            result=job.printed,
        )

    def listed(self) -> PlayTestList:
        """Return all that are known."""
        known = self._jobs.of_sort(SORT)
        self._of = {job.id: self._of[job.id] for job in known}
        return PlayTestList(tests=tuple(self.state(job) for job in reversed(known)))

    def job(self, ident: str) -> Job:
        """Return the job of a play-test.

        Raises:
            JobError: There is none of this id.
        """
        if ident not in self._of:
            raise JobError("this play-test was discarded; start it again")
        return self._jobs.get(ident)

    async def _guard(self, job: Job) -> None:
        """End a play-test after a while without an open page."""
        alone = 0.0
        while not job.over and alone < ALONE:
            await asyncio.sleep(LOOK)
            alone = 0.0 if self._board.watched else alone + LOOK
        if not job.over:
            with suppress(JobError):
                await self._jobs.finish(job.id)


def playtest_routes(board: OpenBoard, jobs: Jobs) -> list[Route]:
    """Return the routes of play-tests; the files that they make are those of their jobs.

    Args:
        board: The open board.
        jobs: Its jobs; who makes them closes them.
    """
    tests = PlayTests(board, jobs)

    async def start(request: Request) -> Response:
        wanted = await read_body(request, PlayTestAsked)
        return model_response(tests.state(await tests.start(wanted)), 201)

    async def listed(_: Request) -> Response:
        return model_response(tests.listed())

    async def stop(request: Request) -> Response:
        job = tests.job(request.path_params["id"])
        return model_response(tests.state(await jobs.finish(job.id)))

    async def figures(request: Request, what: str) -> Response:
        job = tests.job(request.path_params["id"])
        path = job.files().get(job.printed)
        if path is None or tests.state(job).asked.what != what:
            raise JobError(f"this play-test has no {what} yet; wait until it has ended")
        return json_response(await asyncio.to_thread(path.read_text, "utf-8"))

    return [
        Route("/api/playtests", start, methods=["POST"]),
        Route("/api/playtests", listed, methods=["GET"]),
        Route("/api/playtests/{id}", stop, methods=["DELETE"]),
        Route("/api/playtests/{id}/study", partial(figures, what="study"), methods=["GET"]),
        Route("/api/playtests/{id}/comparison", partial(figures, what="comparison"), methods=["GET"]),
    ]


def _checked(wanted: PlayTestAsked, asked: Asked) -> Path:
    """Return the workspace, after refusing invalid requests."""
    root = workspace_of(asked.folder).root
    if len(wanted.policies) not in (1, wanted.players):
        raise QueryError(
            f"{len(wanted.policies)} policies for {wanted.players} players; give one for all, or one for each"
        )
    known = {policy.name: policy for policy in known_policies(root)}
    for name in wanted.policies:
        if name not in known:
            raise QueryError(f"there is no computer player {name!r}; choose one of the list")
        if known[name].error is not None:
            raise QueryError(str(known[name].error))
    now = version_board(asked, Version(variants=wanted.variants))
    if wanted.what == "comparison" and diff_boards(version_board(asked, Version(at=wanted.against)), now).same:
        raise QueryError("both boards mean the same, so play on them cannot differ; edit something, or choose others")
    return root
