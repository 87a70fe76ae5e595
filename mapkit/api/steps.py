"""Changing a board by commands, undoing and redoing them, and its journal."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from mapkit.api.command_text import Given, Placed, read_commands
from mapkit.core.errors import MapkitError
from mapkit.core.progress import Progress, quiet
from mapkit.document.boards import board_to_edit
from mapkit.document.command import Command, CommandError
from mapkit.document.frame_commands import BatchError
from mapkit.document.session import Done, Session
from mapkit.document.workspace import open_workspace
from mapkit.kinds.registry import kind_of, open_session

CLIENT: Final = "command line"
"""Who did a step, in the journal."""


@dataclass(frozen=True)
class Steps:
    """What a call did to a board.

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


@dataclass(frozen=True)
class JournalSteps(Steps):
    """What the journal of a board holds, and what `journal` did.

    Attributes:
        history: The list of steps, with those of other branches.
        unsaved_rows: How many rows the files have otherwise.
    """

    history: Mapping[str, Any]
    unsaved_rows: int


class StoppedError(MapkitError):
    """A step failed after others were done; `steps` says which."""

    def __init__(self, message: str, steps: Steps) -> None:
        self.steps = steps
        super().__init__(message)


def do(
    board: str | Path,
    commands: Iterable[Given],
    *,
    label: str | None = None,
    save: bool | None = None,
    workspace: str | Path | None = None,
    tell: Progress = quiet,
) -> Steps:
    """Change a board by commands, as the editor does; each is a step that can be undone.

    A page of the editor that has the board open shows the change at once. A shipped board is copied to `sources/`
    first.

    Args:
        board: A board of the workspace or a shipped one, or the folder of a source package.
        commands: Commands such as `{"kind": "move-city", "id": "miami", "lon": -80.2, "lat": 25.8}`, or texts of them:
            JSON, or the name of a file of it.
        label: Make one step of all commands, called this.
        save: Write the files too, or leave the steps in the journal; by default the files are written if nothing else
            waits to be saved.
        workspace: The folder that holds `sources/`; the current folder by default.
        tell: Called with what there is to know besides, a sentence each.

    Raises:
        CommandError: The first command does not fit, or a text holds no commands; nothing was done. With `label`, none
            is done if any does not fit.
        StoppedError: Another does not fit; those before it are done.
        MapkitError: The board cannot be opened, or its files cannot be written.
    """
    known = kind_of(open_workspace(workspace).board_folder(str(board))).commands
    found = read_commands(commands, known)
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
    board: str | Path,
    steps: int = 1,
    *,
    save: bool | None = None,
    workspace: str | Path | None = None,
    tell: Progress = quiet,
) -> Steps:
    """Undo steps of a board, the newest first.

    Args:
        board: As for `do`.
        steps: How many.
        save: As for `do`.
        workspace: As for `do`.
        tell: As for `do`.

    Raises:
        StoppedError: There are fewer steps; those that there are were undone.
        MapkitError: There is nothing to undo; likewise as for `do`.
    """
    return _run(board, lambda session, _: session.undo(client=CLIENT), steps, save=save, workspace=workspace, tell=tell)


def redo(
    board: str | Path,
    steps: int = 1,
    *,
    save: bool | None = None,
    workspace: str | Path | None = None,
    tell: Progress = quiet,
) -> Steps:
    """Do undone steps of a board again.

    Args:
        board: As for `do`.
        steps: How many.
        save: As for `do`.
        workspace: As for `do`.
        tell: As for `do`.

    Raises:
        StoppedError: Fewer steps were undone; these were done again.
        MapkitError: There is nothing to do again; likewise as for `do`.
    """
    return _run(board, lambda session, _: session.redo(client=CLIENT), steps, save=save, workspace=workspace, tell=tell)


def journal(
    board: str | Path,
    *,
    goto: int | None = None,
    checkpoint: str | None = None,
    save: bool | None = None,
    workspace: str | Path | None = None,
    tell: Progress = quiet,
) -> JournalSteps:
    """Return the steps of a board: what was done, where it stands, what is not saved.

    Args:
        board: As for `do`.
        goto: Go to this step first, also of another branch.
        checkpoint: Give the step that the board is at then a name.
        save: Write the files; by default they are written if `goto` is given and nothing else waits to be saved.
        workspace: As for `do`.
        tell: As for `do`.

    Raises:
        MapkitError: There is no such step; likewise as for `do`.
    """
    session, clean = _open(board, workspace, tell)
    done: tuple[Done, ...] = ()
    saved: tuple[str, ...] | None = None
    if goto is not None:
        done = (session.goto(goto, client=CLIENT),)
        saved = session.save() if (clean if save is None else save) else None
    elif save:
        saved = session.save()
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
    """Do steps one after the other, and save what was done even if one fails."""
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


def _open(board: str | Path, workspace: str | Path | None, tell: Progress) -> tuple[Session[Any], bool]:
    """Return the session, and whether all was saved."""
    edited = board_to_edit(open_workspace(workspace), str(board))
    if edited.copied:
        tell(f"{board} is shipped with mapkit; its copy {edited.folder} is changed")
    session = open_session(edited.folder)
    session.subscribe(lambda event: _hear(event, tell))
    return session, not session.unsaved


def _hear(event: Mapping[str, Any], tell: Progress) -> None:
    if event["type"] == "notice":
        tell(str(event["message"]))
    elif event["type"] == "disk":
        tell(f"changed on disk, and here to something else: {', '.join(event['files'])}; decide in the editor")
