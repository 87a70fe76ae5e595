"""Health of a board's files: journal, stages of killed commands, cache and permissions; and how to repair it."""

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Literal, NamedTuple

from mapkit.core.base import Frozen
from mapkit.core.errors import MapkitError
from mapkit.core.kept import damaged_entries
from mapkit.core.outputs import disk
from mapkit.core.outputs.stages import find_workspace_stages, settle_stages
from mapkit.document.journal import Journal, JournalError, journal_path, numbered_path
from mapkit.document.session import Session
from mapkit.document.workspace import Workspace

OpenSession = Callable[[Path], Session[Any]]
_FILE_MODE = stat.S_IRUSR | stat.S_IWUSR
_FOLDER_MODE = stat.S_IRWXU


class Fault(Frozen):
    """A fault of a board's files.

    Args:
        part: The inspected part.
        path: The file or folder.
        text: The fault, as a sentence.
        repaired: Whether it was repaired now.
    """

    part: Literal["journal", "stages", "cache", "permissions"]
    path: str
    text: str
    repaired: bool = False


class _Repair(NamedTuple):
    fault: Fault
    repair: Callable[[], object]


def inspect_board(space: Workspace, folder: Path, open_session: OpenSession, *, repair: bool) -> tuple[Fault, ...]:
    """Return the faults of a board's files, in the order in which they are repaired.

    Args:
        space: The workspace; what killed commands left there is looked for.
        folder: The source package.
        open_session: Opens it.
        repair: Whether to repair what can be repaired.
    """
    faults: list[Fault] = []
    finders: tuple[Callable[[], Iterator[_Repair]], ...] = (
        partial(_find_modes, folder),
        partial(_find_stages, space),
        partial(_find_damage, folder, open_session),
        _find_cache_damage,
    )
    for find_faults in finders:
        for fault, cure in list(find_faults()):
            is_repaired = False
            if repair:
                with suppress(OSError, MapkitError):
                    cure()
                    is_repaired = True
            faults.append(fault.model_copy(update={"repaired": is_repaired}))
    return tuple(faults)


def _find_modes(folder: Path) -> Iterator[_Repair]:
    for path in (folder, *sorted(folder.rglob("*")), journal_path(folder)):
        if path.is_symlink() or not path.exists():
            continue
        status = path.stat()
        needed = _FOLDER_MODE if path.is_dir() else _FILE_MODE
        if status.st_mode & needed != needed or not os.access(path, os.R_OK | os.W_OK):
            fault = Fault(part="permissions", path=str(path), text="you may not read and write it")
            yield _Repair(fault, partial(path.chmod, stat.S_IMODE(status.st_mode | needed)))


def _find_stages(space: Workspace) -> Iterator[_Repair]:
    for stage in find_workspace_stages(space.root):
        fault = Fault(part="stages", path=str(stage), text="a command runs there, or was killed while it wrote files")
        yield _Repair(fault, partial(_settle_stage, stage))


def _settle_stage(stage: Path) -> None:
    settle_stages(stage.parent)
    if stage.exists():
        raise MapkitError(f"{stage}: its command runs")


def _find_damage(folder: Path, open_session: OpenSession) -> Iterator[_Repair]:
    path = journal_path(folder)
    try:
        session = open_session(folder)
    except JournalError as error:
        yield _Repair(
            Fault(part="journal", path=str(path), text=str(error)),
            lambda: disk.rename(path, numbered_path(path, "damaged")),
        )
        return
    for damage in session.damages():
        text = f"{len(damage.repaired)} bytes from byte {damage.start} on are damaged; the other steps are kept"
        yield _Repair(Fault(part="journal", path=str(path), text=text), session.repair)
    if Journal(path).is_torn():
        yield _Repair(Fault(part="journal", path=str(path), text="its last line was cut off"), session.repair)


def _find_cache_damage() -> Iterator[_Repair]:
    for path in damaged_entries():
        yield _Repair(Fault(part="cache", path=str(path), text="it is not as it was written"), path.unlink)
