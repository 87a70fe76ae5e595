"""Changing a board by commands, undoing and redoing them, and its journal."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final

from mapkit.api.command_text import Given, Placed, read_commands, typed_commands
from mapkit.core.errors import MapkitError
from mapkit.core.progress import Progress, quiet
from mapkit.document.boards import EditedBoard, prepare_board
from mapkit.document.command import Command, CommandError
from mapkit.document.frame_commands import BatchError
from mapkit.document.session import Done, Session
from mapkit.document.workspace import open_workspace
from mapkit.kinds.registry import kind_of, open_session
from mapkit.operations.options import Argument, BoardName, Flag, Workspace

Save = Annotated[
    bool | None,
    Flag(
        "--save/--no-save",
        help="Write the files too, or leave the step in the journal. By default they are written if nothing else waits "
        "to be saved.",
    ),
]
StepCount = Annotated[int, Flag("-n", "N", "How many steps.", 1)]
CLIENT: Final = "command line"
"""Who did a step, in the journal."""


@dataclass(frozen=True)
class Steps:
    """Result of steps on a board.

    Attributes:
        done: The steps, in order.
        saved: The files that were written; None if the steps stay in the journal alone.
        revision: How often the board has changed since its journal began.
        position: The step that the board is at.
        unsaved: Whether there are changes that the files do not have.
    """

    done: tuple[Done, ...]
    saved: tuple[str, ...] | None
    revision: int
    position: int
    unsaved: bool

    def as_json(self) -> dict[str, object]:
        """Return the summary that `--json` prints."""
        return {
            "revision": self.revision,
            "position": self.position,
            "steps": [{"position": one.position, "label": one.label, "rows": len(one.patch)} for one in self.done],
            "saved": list(self.saved or ()),
            "unsaved": self.unsaved,
        }


@dataclass(frozen=True)
class JournalSteps(Steps):
    """Contents of a board's journal, and the result of `journal`.

    Attributes:
        history: The list of steps, with those of other branches.
        unsaved_rows: How many rows the files have otherwise.
    """

    history: Mapping[str, Any]
    unsaved_rows: int

    def as_json(self) -> dict[str, object]:
        """Return the history as `--json` prints it."""
        return {**self.history, "revision": self.revision, "unsaved": self.unsaved}


class StoppedError(MapkitError):
    """Failure of a step after others succeeded; `steps` has those, and is printed before the message."""

    def __init__(self, message: str, steps: Steps) -> None:
        self.steps = self.result = steps
        super().__init__(message)


def do(
    board: BoardName,
    commands: Annotated[Iterable[Given], Argument("", "COMMAND|FILE...", reading="name")],
    *,
    label: Annotated[str | None, Flag("", "TEXT", "Make one step of all commands, called this.")] = None,
    save: Save = None,
    workspace: Workspace = None,
    tell: Progress = quiet,
) -> Steps:
    """Change a board by commands, which can be undone.

    A page of the editor that has the board open shows the change at once. A shipped board is copied to sources/
    first. If a command does not fit, those before it remain done; with --label, all are done or none.

    Args:
        commands: Commands as JSON, such as '{"kind": "edit-city", "id": "miami", "lon": -80.2, "lat": 25.8}', or files
            of them (a list, or one a line); - for standard input.
        save: Write the files too, or leave the steps in the journal; by default the files are written if nothing else
            waits to be saved.
        tell: Called with what there is to know besides, a sentence each.

    Raises:
        CommandError: The first command does not fit, or a text holds no commands; nothing was done. With `label`, none
            is done if any does not fit.
        StoppedError: Another does not fit; those before it are done.
        MapkitError: The board cannot be opened, or its files cannot be written.
    """
    known = kind_of(open_workspace(workspace).board_folder(str(board))).commands
    found = read_commands((typed_commands() if one == "-" else one for one in commands), known)
    if label is None:
        return _run(
            board, lambda session, at: _done(session, found[at]), len(found), save=save, workspace=workspace, tell=tell
        )
    data = [command.model_dump(mode="json") for command, _ in found]
    batch = known.read({"kind": "batch", "label": label, "commands": data})

    def one(session: Session[Any], _: int) -> Done:
        return _done_together(session, batch, found)

    return _run(board, one, 1, save=save, workspace=workspace, tell=tell)


def _done(session: Session[Any], placed: Placed) -> Done:
    try:
        return session.do(placed.command, client=CLIENT)
    except CommandError as error:
        raise CommandError(_at(placed.where, f"{placed.command.kind}: {error}")) from error


def _done_together(session: Session[Any], batch: Command, found: Sequence[Placed]) -> Done:
    try:
        return session.do(batch, client=CLIENT)
    except BatchError as error:
        raise CommandError(_at(found[error.number - 1].where, error.what)) from error


def _at(where: str, what: str) -> str:
    return f"{where}: {what}" if where else what


def undo(
    board: BoardName,
    steps: StepCount = 1,
    *,
    save: Save = None,
    workspace: Workspace = None,
    tell: Progress = quiet,
) -> Steps:
    """Undo steps of a board, the newest first.

    Raises:
        StoppedError: There are fewer steps; those that there are were undone.
        MapkitError: There is nothing to undo; likewise as for `do`.
    """
    return _run(board, lambda session, _: session.undo(client=CLIENT), steps, save=save, workspace=workspace, tell=tell)


def redo(
    board: BoardName,
    steps: StepCount = 1,
    *,
    save: Save = None,
    workspace: Workspace = None,
    tell: Progress = quiet,
) -> Steps:
    """Do undone steps of a board again.

    Raises:
        StoppedError: Fewer steps were undone; these were done again.
        MapkitError: There is nothing to do again; likewise as for `do`.
    """
    return _run(board, lambda session, _: session.redo(client=CLIENT), steps, save=save, workspace=workspace, tell=tell)


def journal(
    board: BoardName,
    *,
    goto: Annotated[int | None, Flag("", "N", "Go to this step, also of another branch.", 0)] = None,
    checkpoint: Annotated[str | None, Flag("", "NAME", "Give the present step a name.")] = None,
    save: Save = None,
    compact: Annotated[
        bool, Flag("", "", "Save, and begin the journal again without its steps; the old one is kept beside it.")
    ] = False,
    workspace: Workspace = None,
    tell: Progress = quiet,
) -> JournalSteps:
    """List the steps of a board, and those not yet saved.

    Steps that you undid before doing something else are other branches. They are listed at the end; --goto goes there.

    Raises:
        MapkitError: There is no such step; likewise as for `do`.
    """
    is_read_only = goto is None and checkpoint is None and not save and not compact
    session, clean = _open(board, workspace, tell, copying=not is_read_only)
    done: tuple[Done, ...] = ()
    saved: tuple[str, ...] | None = None
    if goto is not None:
        done = (session.goto(goto, client=CLIENT),)
        saved = session.save() if (clean if save is None else save) else None
    elif save or compact:
        saved = session.save()
    if compact:
        tell(f"the steps are in {session.compact()}")
    if checkpoint is not None:
        session.checkpoint(checkpoint)
    return JournalSteps(
        done=done,
        saved=saved,
        revision=session.revision,
        position=session.position,
        unsaved=session.unsaved,
        history=session.history(),
        unsaved_rows=len(session.unsaved_changes()),
    )


def _run(
    board: str | Path,
    one: Callable[[Session[Any], int], Done],
    count: int,
    *,
    save: bool | None,
    workspace: str | Path | None,
    tell: Progress,
) -> Steps:
    """Carry out steps in order, and save the successful ones even if one fails."""
    session, clean = _open(board, workspace, tell)
    done: list[Done] = []
    try:
        done.extend(one(session, number) for number in range(count))
    except MapkitError as error:
        if not done:
            raise
        steps = _finished(session, done, save=clean if save is None else save)
        raise StoppedError(str(error), steps) from error
    return _finished(session, done, save=clean if save is None else save)


def _finished(session: Session[Any], done: Sequence[Done], *, save: bool) -> Steps:
    saved = session.save() if save and done else None
    return Steps(tuple(done), saved, session.revision, session.position, session.unsaved)


def _open(
    board: str | Path, workspace: str | Path | None, tell: Progress, *, copying: bool = True
) -> tuple[Session[Any], bool]:
    """Return the session, of a copy if the board is a shipped one and may change, and whether all was saved."""
    space = open_workspace(workspace)
    edited = prepare_board(space, str(board)) if copying else EditedBoard(space.board_folder(str(board)), copied=False)
    if edited.copied:
        tell(f"{board} is shipped with mapkit; its copy {edited.folder} is changed")
    session = open_session(edited.folder)
    session.subscribe(lambda event: _hear(event, tell), notices_only=True)
    return session, not session.unsaved


def _hear(event: Mapping[str, Any], tell: Progress) -> None:
    if event["type"] == "notice":
        tell(str(event["message"]))
    elif event["type"] == "disk":
        tell(f"changed on disk, and here to something else: {', '.join(event['files'])}; decide in the editor")
