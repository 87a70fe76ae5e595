"""A document that was read from a file of another program, taken into a workspace."""

from collections.abc import Sequence
from typing import Any, TypeVar

from mapkit.core.output import write_files
from mapkit.document.boards import free_folder, make_board
from mapkit.document.command import Commands
from mapkit.document.document import Document, ordered
from mapkit.document.frame_commands import RowChange
from mapkit.document.package import Package
from mapkit.document.session import Session
from mapkit.document.workspace import Workspace

D = TypeVar("D", bound=Document)
CLIENT = "command line"


def session_of(space: Workspace, name: str | None, package: Package[D]) -> Session[D] | None:
    """Return a board of the workspace, opened; None if there is none of that name."""
    if name is None or not (space.root / "sources" / name).is_dir():
        return None
    return Session.open(space.own_board_folder(name), package)


def written_new(space: Workspace, name: str, package: Package[D], document: D) -> tuple[str, ...]:
    """Write a document as a new source package, and return its files.

    Raises:
        WorkspaceError: The name is not valid for a board; or OutputError.
    """
    folder = free_folder(space, name)
    titled = bool(dict(ordered(document.table("settings"))).get("title"))
    plan = package.plan_files(document, type(document)(), {})
    files = {file: data.encode() if isinstance(data, str) else data for file, data in plan.write.items()}
    if titled:
        write_files(folder, files)
    else:
        make_board(folder, name, files)
    return tuple((folder / file).relative_to(space.root).as_posix() for file in sorted(files))


def written_step(session: Session[Any], commands: Commands, rows: Sequence[RowChange], label: str) -> tuple[str, ...]:
    """Set rows as one step of the journal of a board, and return the files that were saved.

    They are saved if nothing else was waiting to be.

    Raises:
        CommandError: The rows do not fit.
    """
    if not rows:
        return ()
    clean = not session.unsaved
    step = {"kind": "set-rows", "label": label[:200], "rows": [row.model_dump() for row in rows]}
    session.do(commands.read(step), client=CLIENT)
    return tuple(session.save()) if clean else ()


def row_changes(before: Document, after: Document) -> tuple[RowChange, ...]:
    """Return the rows to set so that one document becomes another, without accepted findings."""
    out = []
    for table in after.schema.tables:
        if table == "accepted":
            continue
        old, new = before.table(table), after.table(table)
        out += [RowChange(table=table, key=key) for key in sorted(old) if key not in new]
        for key, row in ordered(new):
            if key not in old or old[key].model_dump(exclude={"rank"}) != row.model_dump(exclude={"rank"}):
                out.append(RowChange(table=table, key=key, row=row.model_dump(mode="json", exclude={"rank"})))
    return tuple(out)
