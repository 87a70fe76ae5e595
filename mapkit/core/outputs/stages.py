"""Hidden folders in which commands prepare files, `.mapkit-xxxxxxxx`, and what to do with those of killed commands.

A stage holds `new/`, the files that were replaced in `old/`, and `renames.json` once all new files are on the disk.
Whoever finds a stage with that list finishes the renames, or undoes them where `undo` is in it; any other stage is
removed. A lock tells the stages of running commands.
"""

import errno
import json
import shutil
import signal
import sys
import tempfile
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from io import FileIO
from pathlib import Path, PurePath
from typing import Final

from mapkit.core.outputs import disk
from mapkit.core.outputs.filenames import case_key

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

PREFIX: Final = ".mapkit-"
_LIST: Final = "renames.json"
_LOCK: Final = "lock"
_CONTENTS: Final = frozenset({"new", "old", _LIST, f"{_LIST}.new", _LOCK})
_PLACES: Final = ("", "*/", "sources/*/", "sources/*.editor/*/", "build/*/")
"""Where in a workspace commands write."""
_TRIES: Final = 3


@dataclass(frozen=True)
class Renames:
    """Files of a folder that change places together.

    Attributes:
        names: Files to move into place, by path in the folder.
        gone: Files to take away.
        fresh: Those of `names` that had no file before.
        undo: Whether the old files return.
    """

    names: tuple[str, ...]
    gone: tuple[str, ...]
    fresh: tuple[str, ...]
    undo: bool = False

    def write(self, folder: Path, stage: Path) -> None:
        """Write the list to a stage, synced; all new files must be there."""
        sync_folders(stage, ((stage / "new" / name).parent for name in self.names))
        new_list = stage / f"{_LIST}.new"
        disk.write_synced(new_list, json.dumps(asdict(self)).encode())
        disk.rename(new_list, stage / _LIST)
        disk.sync_folder(stage)
        disk.sync_folder(folder)

    def carry_out(self, folder: Path, stage: Path) -> None:
        """Move new files into place and keep the old ones; every name always has a file. What is done stays done.

        Only a file that is replaced by one with other capitals is moved away first, since they may be the same file.
        """
        new_names = {case_key(name): name for name in self.names}
        for name in self.gone:
            new_name = new_names.get(case_key(name))
            if new_name is not None and (stage / "new" / new_name).exists():
                _take_away(folder / name, stage / "old" / name)
        for name in self.names:
            target, new_file = folder / name, stage / "new" / name
            if new_file.exists():
                target.parent.mkdir(parents=True, exist_ok=True)
                if target.exists():
                    old = stage / "old" / name
                    # Keep a file under a second name by a hard link, or a copy if links are unavailable.
                    old.parent.mkdir(parents=True, exist_ok=True)
                    old.unlink(missing_ok=True)
                    try:
                        old.hardlink_to(target)
                    except OSError:
                        shutil.copy2(target, old)
                disk.rename(new_file, target)
        for name in self.gone:
            if case_key(name) not in new_names:
                _take_away(folder / name, stage / "old" / name)
        sync_folders(folder, ((folder / name).parent for name in (*self.names, *self.gone)))

    def take_back(self, folder: Path, stage: Path) -> list[Path]:
        """Return the old files to their places; one that cannot return stays beside it, and is returned."""
        stuck_files: list[Path] = []
        for name in (*self.names, *self.gone):
            target, old = folder / name, stage / "old" / name
            if (stage / "new" / name).exists():  # it has not moved
                continue
            try:
                if old.exists():
                    disk.rename(old, target)
                elif name in self.fresh:
                    target.unlink(missing_ok=True)
            except OSError:
                if old.exists():
                    stuck_files.append(old.replace(target.with_name(f"{target.name}.old")))
        return stuck_files

    def undone(self) -> "Renames":
        """Return the list that takes back."""
        return replace(self, undo=True)


@contextmanager
def open_stage(folder: Path) -> Iterator[Path]:
    """Make a stage in a folder, which may be new, and remove it; stages of killed commands are settled first.

    Raises:
        OSError: The folder may not be written to.
    """
    settle_stages(folder)
    folder.mkdir(parents=True, exist_ok=True)
    stage, lock = _make_locked(folder)
    try:
        yield stage
    finally:
        with defer_interrupt():
            lock.close()
            (stage / _LIST).unlink(missing_ok=True)
            shutil.rmtree(stage, ignore_errors=True)


def _make_locked(folder: Path) -> tuple[Path, FileIO]:
    for _ in range(_TRIES):
        stage = Path(tempfile.mkdtemp(prefix=PREFIX, dir=folder))
        with suppress(FileNotFoundError):
            lock = _try_lock(stage / _LOCK)
            if lock is not None and (stage / _LOCK).exists():
                return stage, lock
    raise OSError(f"{folder}: other commands remove what this one prepares")


def _try_lock(path: Path) -> FileIO | None:
    """Return a file that is locked until it is closed; None if another process has locked it.

    A file system without locks locks nothing. The standard library takes a tenth of the time to load that `filelock`
    takes.
    """
    stream = FileIO(path, "ab")
    try:
        if sys.platform == "win32":
            msvcrt.locking(stream.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(stream.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in {errno.EACCES, errno.EAGAIN, errno.EDEADLK}:
            stream.close()
            return None
    return stream


def settle_workspace(root: Path) -> list[Path]:
    """Settle the stages of killed commands in a workspace, and return them."""
    folders = {stage.parent for stage in find_workspace_stages(root)}
    return [stage for folder in sorted(folders) for stage in settle_stages(folder)]


def find_workspace_stages(root: Path) -> list[Path]:
    """Return the stages in a workspace, also those of running commands."""
    with suppress(OSError):
        folders = {path.parent for pattern in _PLACES for path in root.glob(f"{pattern}{PREFIX}*")}
        return [stage for folder in sorted(folders) for stage in find_stages(folder)]
    return []


def find_stages(folder: Path) -> list[Path]:
    """Return the stages in a folder, also those of running commands."""
    return [
        path
        for path in sorted(folder.glob(f"{PREFIX}*"))
        if path.is_dir() and not path.is_symlink() and {child.name for child in path.iterdir()} <= _CONTENTS
    ]


def settle_stages(folder: Path) -> list[Path]:
    """Finish or undo what killed commands began in a folder, remove their stages, and return these.

    A stage that cannot be settled stays for a command that may write there.
    """
    settled_stages: list[Path] = []
    with suppress(OSError):
        settled_stages += [stage for stage in find_stages(folder) if _settle_stage(folder, stage)]
        if settled_stages and not any(folder.iterdir()):
            folder.rmdir()
    return settled_stages


def _settle_stage(folder: Path, stage: Path) -> bool:
    try:
        lock = _try_lock(stage / _LOCK)
    except OSError:  # it belongs to somebody else
        return False
    if lock is None:  # its command runs
        return False
    try:
        renames = _read_list(folder, stage)
        with defer_interrupt():
            if renames is not None and renames.undo:
                renames.take_back(folder, stage)
            elif renames is not None:
                renames.carry_out(folder, stage)
    except OSError:
        return False
    finally:
        lock.close()
    shutil.rmtree(stage, ignore_errors=True)
    return True


def _read_list(folder: Path, stage: Path) -> Renames | None:
    """Return the list of a stage; None if there is none, or if it names anything outside its folder."""
    try:
        data = json.loads((stage / _LIST).read_bytes())
        names, gone, fresh = (tuple(map(str, data[key])) for key in ("names", "gone", "fresh"))
        renames = Renames(names, gone, fresh, undo=bool(data["undo"]))
    except (FileNotFoundError, ValueError, KeyError, TypeError, RecursionError):
        return None
    root = folder.resolve()
    for name in (*renames.names, *renames.gone):
        path = PurePath(name)
        if path.is_absolute() or ".." in path.parts or not (folder / path.parent).resolve().is_relative_to(root):
            return None
    return renames


def sync_folders(root: Path, folders: Iterable[Path]) -> None:
    """Sync folders and all that hold them, up to a root, the deepest first."""
    all_folders = {root}
    for folder in folders:
        all_folders |= {path for path in (folder, *folder.parents) if root in path.parents}
    for path in sorted(all_folders, reverse=True):
        if path.is_dir():
            disk.sync_folder(path)


def _take_away(target: Path, old: Path) -> None:
    if target.exists():
        old.parent.mkdir(parents=True, exist_ok=True)
        disk.rename(target, old)


@contextmanager
def defer_interrupt() -> Iterator[None]:
    """Defer Ctrl-C while files change places."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    interrupts: list[int] = []
    previous_handler = signal.signal(signal.SIGINT, lambda number, _frame: interrupts.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, previous_handler)
        if interrupts:
            raise KeyboardInterrupt
