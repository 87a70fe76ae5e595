"""Work of commands on a copy of the open board, put on the board as one step."""

from collections.abc import Callable, Mapping
from pathlib import Path

from pydantic import JsonValue

from mapkit.console.jobs import Job, JobError, Jobs
from mapkit.core.base import Frozen
from mapkit.core.output import write_files
from mapkit.document.changes import apply, tidy_changes
from mapkit.document.disk import merge
from mapkit.document.frame_commands import rows_command
from mapkit.kinds.queries import OpenBoard
from mapkit.kinds.rail.commands import read_command
from mapkit.kinds.rail.editing.saving import all_files
from mapkit.kinds.rail.package import PACKAGE
from mapkit.kinds.rail.tables import RailDocument


class StepTaken(Frozen):
    """A step that put the work of a job on the board: its label."""

    label: str


class CopyJobs:
    """Jobs of one sort on copies of the open board.

    Args:
        board: The open board.
        jobs: Its jobs; who makes them closes them.
        sort: What the jobs are for.
    """

    def __init__(self, board: OpenBoard, jobs: Jobs, sort: str) -> None:
        self._board, self._jobs, self._sort = board, jobs, sort
        self._copied: dict[str, RailDocument] = {}

    @property
    def is_busy(self) -> bool:
        """Return whether a job is running or waits."""
        return any(not job.over for job in self._jobs.of_sort(self._sort))

    def start(
        self,
        command: Callable[[Path], list[str]],
        *,
        printed: str,
        prepare: Callable[[Path], None] = lambda _: None,
        settings: Mapping[str, JsonValue] | None = None,
    ) -> Job:
        """Start a command in a workspace that holds a copy of the open board.

        Args:
            command: Returns the arguments of `mapkit` for the folder of the workspace.
            printed: The name of the file with what the command prints.
            prepare: Writes other files that the command reads into the workspace.
            settings: Settings of the board to change in the copy first, by dotted keys.

        Raises:
            CommandError: A setting is wrong.
        """
        document, name = self._board.asked().document, self._board.session.board
        changed = document
        if settings:
            command_read = read_command({"kind": "set-settings", "values": dict(settings)})
            changed = apply(document, command_read.plan(document).patch)

        def copy_board(folder: Path) -> None:
            write_files(folder / "sources" / name, all_files(changed))
            prepare(folder)

        job = self._jobs.start(copy_board, command, sort=self._sort, printed=printed)
        self._copied = {job.id: document}
        return job

    def take(self, ident: str, label: str) -> str:
        """Put what a finished job made of its copy on the board, over edits made meanwhile; return the step's label.

        Raises:
            JobError: The job is not done, or a newer one was started.
        """
        job, session = self._jobs.get(ident), self._board.session
        if job.id not in self._copied or job.state != "done":
            raise JobError("this is not ready, or was discarded; wait until it is ready, or start it again")
        copied = self._copied[job.id]
        made = PACKAGE.document_of(PACKAGE.read_files(job.folder / "sources" / session.board))
        merged = merge(copied, session.document, made)
        patch = tidy_changes((*merged.patch, *merged.theirs))
        if not patch:
            return "Change nothing"
        return str(session.do(rows_command(patch, label), client=self._sort).label)
