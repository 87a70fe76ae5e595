"""What `mapkit do`, `undo`, `redo` and `journal` do."""

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from mapkit.cli.printing import result, table, talk
from mapkit.editor.boards import board_to_edit
from mapkit.editor.commands import Command, CommandError, read_command
from mapkit.editor.commands.batch import Batch
from mapkit.editor.session import Done, Session
from mapkit.errors import MapkitError
from mapkit.jsontext import json_text
from mapkit.sources.files import MAX_BYTES, read_text
from mapkit.sources.workspace import open_workspace

CLIENT: Final = "command line"


def do(
    board: str,
    commands: Sequence[str],
    *,
    label: str | None,
    workspace: Path | None,
    save: bool | None,
    as_json: bool,
) -> None:
    """Run `mapkit do`.

    Raises:
        MapkitError: A command does not fit; those before it are done, with `label` none is.
    """
    found = [command for text in commands for command in _commands(text)]
    if label is not None:
        data = tuple(command.model_dump(mode="json") for command in found)
        found = [Batch(label=label, commands=data)]
    session, clean = _open(board, workspace)
    done: list[Done] = []
    try:
        done.extend(_done(session, command, number, len(found)) for number, command in enumerate(found, start=1))
    finally:
        if done:
            _finish(session, done, save=clean if save is None else save, as_json=as_json)


def _done(session: Session, command: Command, number: int, of: int) -> Done:
    try:
        return session.do(command, client=CLIENT)
    except CommandError as error:
        where = f"command {number} of {of}: " if of > 1 else ""
        raise CommandError(f"{where}{command.kind}: {error}") from error


def move(board: str, steps: int, *, workspace: Path | None, save: bool | None, as_json: bool) -> None:
    """Run `mapkit undo` (steps below 0) or `mapkit redo`.

    Raises:
        MapkitError: There is nothing to undo or redo.
    """
    session, clean = _open(board, workspace)
    done: list[Done] = []
    try:
        one = session.undo if steps < 0 else session.redo
        done.extend(one(client=CLIENT) for _ in range(abs(steps)))
    finally:
        if done:
            _finish(session, done, save=clean if save is None else save, as_json=as_json)


def journal(
    board: str,
    *,
    goto: int | None,
    checkpoint: str | None,
    workspace: Path | None,
    save: bool | None,
    as_json: bool,
) -> None:
    """Run `mapkit journal`.

    Raises:
        MapkitError: There is no such step.
    """
    session, clean = _open(board, workspace)
    if goto is not None:
        _told(session, [session.goto(goto, client=CLIENT)], save=clean if save is None else save)
    elif save:
        _told(session, [], save=True)
    if checkpoint is not None:
        session.checkpoint(checkpoint)
    listed = session.history() | {"revision": session.revision, "unsaved": session.unsaved}
    result(json_text(listed) if as_json else _journal_text(listed))
    if session.unsaved:
        rows = len(session.unsaved_changes())
        what = "1 row is" if rows == 1 else f"{rows} rows are"
        talk(f"{what} not saved; save with: mapkit journal {board} --save")


def _open(board: str, workspace: Path | None) -> tuple[Session, bool]:
    """Return the session, and whether all was saved."""
    edited = board_to_edit(open_workspace(workspace), board)
    if edited.copied:
        talk(f"{board} is shipped with mapkit; its copy {edited.folder} is changed")
    session = Session.open(edited.folder)
    session.subscribe(_listen)
    return session, not session.unsaved


def _listen(event: dict[str, Any]) -> None:
    if event["type"] == "notice":
        talk(str(event["message"]))
    elif event["type"] == "disk":
        talk(f"changed on disk, and here to something else: {', '.join(event['files'])}; decide in the editor")


def _finish(session: Session, done: Sequence[Done], *, save: bool, as_json: bool) -> None:
    files = _told(session, done, save=save)
    if as_json:
        result(
            json_text(
                {
                    "revision": session.revision,
                    "position": session.position,
                    "steps": [{"position": d.position, "label": d.label, "rows": len(d.patch)} for d in done],
                    "saved": list(files),
                    "unsaved": session.unsaved,
                }
            )
        )
    else:
        result("\n".join(one.label for one in done))


def _told(session: Session, done: Sequence[Done], *, save: bool) -> tuple[str, ...]:
    if not save:
        if session.unsaved:
            talk("in the journal, not in the files; --save writes them")
        return ()
    files = session.save()
    talk(f"saved: {', '.join(files) or 'no file changes'}" if done or files else "nothing to save")
    return files


def _commands(text: str) -> Iterator[Command]:
    """Return the commands of an argument: JSON, a file of it, or `-`.

    Raises:
        MapkitError: It is neither.
    """
    where = "the command"
    if text == "-":
        where, text = "standard input", sys.stdin.read(MAX_BYTES + 1)
    elif not text.lstrip().startswith(("{", "[")):
        where, text = text, read_text(Path(text), name=text)
    if len(text) > MAX_BYTES:
        raise CommandError(f"{where}: more than {MAX_BYTES} characters; split it")
    for number, data in _values(text, where):
        try:
            yield read_command(data)
        except MapkitError as error:
            raise CommandError(f"{where}{number}: {error}") from error


def _values(text: str, where: str) -> Iterator[tuple[str, Any]]:
    try:
        data = json.loads(text)
    except RecursionError as error:
        raise CommandError(f"{where}: nested too deep") from error
    except ValueError:
        lines = [(n, line) for n, line in enumerate(text.splitlines(), start=1) if line.strip()]
        for number, line in lines:
            try:
                yield f":{number}", json.loads(line)
            except (ValueError, RecursionError) as error:
                raise CommandError(f"{where}:{number}: no JSON: {error}") from error
        return
    rows = data if isinstance(data, list) else [data]
    for number, row in enumerate(rows, start=1):
        yield (f" {number}" if len(rows) > 1 else ""), row


def _journal_text(listed: dict[str, Any]) -> str:
    def row(step: dict[str, Any]) -> tuple[str, ...]:
        marks = ["here"] * (step["n"] == listed["position"]) + ["saved"] * (step["n"] == listed["saved"])
        names = [f"[{name}]" for name in step["checkpoints"]]
        undone = "" if step["done"] else "undone"
        return str(step["n"]), step["label"], step["client"], undone, " ".join([*marks, *names])

    head = ("step", "what", "who", "", "")
    text = table(head, [row(step) for step in listed["steps"]], right=(0,))
    if listed["other"]:
        text += "\n\nOther branches\n" + table(head, [row(step) for step in listed["other"]], right=(0,))
    return text
