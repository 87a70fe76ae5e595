"""Boards of tables read from files of other programs, for every kind that reads them."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from mapkit.document.importing import open_session, write_new_board, write_step
from mapkit.document.workspace import open_workspace
from mapkit.kinds.registry import get_kind, get_operations, kind_of_file
from mapkit.operations.options import Argument, Flag, Hidden, Workspace


@dataclass(frozen=True)
class ImportedBoard:
    """Contents of a file, and the files that were written.

    Attributes:
        file: Name of the file.
        format: Its format.
        title: Title of the board.
        counts: How many elements of each sort it has.
        summary: The same in words.
        changed: How many rows of the board that was there changed; None for a new board.
        written: Files that were written.
        notes: What was left out or made up.
    """

    file: str
    format: str
    title: str
    counts: Mapping[str, int]
    summary: str
    changed: int | None
    written: tuple[str, ...]
    notes: tuple[str, ...]

    def as_json(self) -> dict[str, object]:
        """Return the summary that `--json` prints."""
        head = {"file": self.file, "format": self.format, "title": self.title, **self.counts}
        return {**head, "changed": self.changed, "written": list(self.written), "notes": list(self.notes)}


def import_tables(
    file: Annotated[str | Path, Argument("", "FILE")],
    *,
    into: Annotated[str | None, Flag("--into --board -b", "BOARD")] = None,
    dry_run: bool = False,
    workspace: Workspace = None,
    kind: Annotated[str | None, Hidden] = None,
) -> ImportedBoard:
    """Read a board from a file of another program.

    A board that is there changes by one step, which mapkit undo takes back; what the file does not hold stays as it is.

    Args:
        file: A board file, or a file of another program.
        into: The board, made if it is not there; without it, only look.
        dry_run: Only say what it would change.
        workspace: The folder that holds `sources/`.
        kind: Kind of the board; as the file looks by default.

    Raises:
        SourceError: The file is wrong; its place, the value and the cure are named. Nothing was written.
        BoardError: What it holds does not fit together.
        WorkspaceError: The file is missing, or the name is not valid for a board; likewise OutputError.
    """
    space, path = open_workspace(workspace), Path(file)
    name = kind or kind_of_file(path)
    package = get_kind(name)
    session = open_session(space, into, package)
    found = get_operations(name).read(path, into, session)
    written: tuple[str, ...] = ()
    if into is not None and not dry_run and session is None:
        written = write_new_board(space, into, package, found.document)
    elif session is not None and not dry_run:
        written = write_step(session, package.commands, found.changes, f"Import {path.name}")
    changed = None if session is None else len(found.changes)
    head = (path.name, found.format, found.title, found.counts, found.summary)
    return ImportedBoard(*head, changed, written, found.notes)
