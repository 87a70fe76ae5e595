"""Documents from files of other programs, written into a workspace."""

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol, TypeVar

from mapkit.core.errors import SourceError, WorkspaceError
from mapkit.core.output import write_files
from mapkit.document.boards import make_board, new_board_folder
from mapkit.document.command import Commands
from mapkit.document.document import Document, sort_rows
from mapkit.document.frame_commands import RowChange
from mapkit.document.journal import JournalError
from mapkit.document.package import Files, Package
from mapkit.document.session import Session
from mapkit.document.workspace import Workspace

D = TypeVar("D", bound=Document)
CLIENT = "command line"
LARGEST_STEP: Final = 32 * 2**20
"""The most that one step writes in files, bytes: every command reads the whole journal."""


def open_session(space: Workspace, name: str | None, package: Package[D]) -> Session[D] | None:
    """Return an open board of the workspace; None if there is none of that name."""
    if name is None or not (space.root / "sources" / name).is_dir():
        return None
    return Session.open(space.own_board_folder(name), package)


def write_new_board(space: Workspace, name: str, package: Package[D], document: D) -> tuple[str, ...]:
    """Write a document as a new source package, and return its files.

    Raises:
        WorkspaceError: The name is not valid for a board; or OutputError.
    """
    folder = new_board_folder(space, name)
    has_title = bool(dict(sort_rows(document.table("settings"))).get("title"))
    save_plan = package.plan_files(document, type(document)(), {})
    content_by_file = {file: data.encode() if isinstance(data, str) else data for file, data in save_plan.write.items()}
    if has_title:
        write_files(folder, content_by_file)
    else:
        make_board(folder, name, content_by_file)
    return tuple((folder / file).relative_to(space.root).as_posix() for file in sorted(content_by_file))


class WrittenFiles(NamedTuple):
    """Whether files that were written became a step that `mapkit undo` takes back, or why not."""

    is_step: bool
    obstacle: str = ""


class FileWriter(Protocol):
    """Writes files of a source package, all or none."""

    def __call__(self, folder: Path, written: Files, /, *, remove: Collection[str] = (), label: str) -> WrittenFiles:
        """Write files, remove others, and return whether that is a step of the board."""


def write_without_step(
    folder: Path,
    written: Files,
    /,
    *,
    remove: Collection[str] = (),
    label: str,  # noqa: ARG001 - of a step
) -> WrittenFiles:
    """Write files of a source package that is new, or is thrown away again."""
    write_files(folder, written, remove=remove)
    return WrittenFiles(is_step=False)


def write_files_as_step(
    folder: Path, written: Files, /, *, package: Package[Any], remove: Collection[str] = (), label: str
) -> WrittenFiles:
    """Write files of a source package, as a step of its journal if possible.

    It is not if the board is new, it or its journal has mistakes, or the files are too large for a journal.

    Raises:
        OutputError: They cannot be written; nothing was changed.
    """
    obstacle, session = "", None
    if sum(len(content) for content in written.values()) > LARGEST_STEP:
        obstacle = f"the files are larger than a step may be ({LARGEST_STEP // 2**20} MB)"
    else:
        try:
            session = Session.open(folder, package)
        except WorkspaceError:
            pass  # the board is new
        except (SourceError, JournalError) as error:
            obstacle = f"the board had mistakes before: {_first_line(error)}"
    if session is None:
        return write_without_step(folder, written, remove=remove, label=label)._replace(obstacle=obstacle)
    try:
        if session.write_files(written, remove=remove, label=label, client=CLIENT):
            return WrittenFiles(is_step=True)
    except SourceError as error:
        return WrittenFiles(is_step=False, obstacle=f"the board has mistakes now: {_first_line(error)}")
    return WrittenFiles(is_step=False, obstacle="unsaved changes of the same rows contradict it; choose in the editor")


def write_step(session: Session[Any], commands: Commands, rows: Sequence[RowChange], label: str) -> tuple[str, ...]:
    """Set rows as one step of the journal of a board, and return the saved files.

    They are saved if there were no other unsaved changes.

    Raises:
        CommandError: The rows do not fit.
    """
    if not rows:
        return ()
    is_saved = not session.unsaved
    set_rows_command = {"kind": "set-rows", "label": label[:200], "rows": [row.model_dump() for row in rows]}
    session.do(commands.read(set_rows_command), client=CLIENT)
    return tuple(session.save()) if is_saved else ()


def row_changes(base: Document, after: Document) -> tuple[RowChange, ...]:
    """Return the rows to set so that one document becomes another, without accepted findings."""
    all_changes = []
    for table in after.schema.tables:
        if table == "accepted":
            continue
        old_rows, new_rows = base.table(table), after.table(table)
        all_changes += [RowChange(table=table, key=key) for key in sorted(old_rows) if key not in new_rows]
        for key, row in sort_rows(new_rows):
            if key not in old_rows or old_rows[key].model_dump(exclude={"rank"}) != row.model_dump(exclude={"rank"}):
                all_changes.append(RowChange(table=table, key=key, row=row.model_dump(mode="json", exclude={"rank"})))
    return tuple(all_changes)


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]
