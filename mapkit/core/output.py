"""Atomic writing of files: all are staged, then renamed into place, with undo on failure."""

import os
import shutil
import signal
import tempfile
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from mapkit.core.errors import OutputError
from mapkit.core.outputs.filenames import one_name, unholdable
from mapkit.core.outputs.owners import claim_outputs

_IS_WINDOWS: Final = os.name == "nt"
LONGEST_PATH: Final = 259
"""Characters of a whole path on Windows, unless its user allows longer ones."""
_STAGE_PATH: Final = Path(".mapkit-12345678", "new")
"""Where new files are at first, as long as its name is."""
_RETRY_DELAYS: Final = (0.01, 0.04, 0.15, 0.5)
"""Seconds to wait, on Windows, for a program that has a file open for a moment, such as a virus scanner."""


def write_files(folder: Path, files: Mapping[str, str | bytes], *, remove: Iterable[str] = ()) -> None:
    """Write all files of `folder` and remove some, or change nothing.

    The contents (texts in UTF-8) are first written to a hidden folder, and moved into place only when all are on disk.
    If that fails midway, the previous files are restored. Other files in the folder are not touched.

    Raises:
        OutputError: The folder may not be written to, the disk is full, another program has a file open (Windows),
            not every system can hold the names (`mapkit.core.outputs.filenames`), or a file belongs to another board
            (`mapkit.core.outputs.owners`).
    """
    files, obsolete = claim_outputs(folder, files)
    remove = [*remove, *obsolete]
    removed_names = sorted(set(remove) - set(files))
    if reason := unholdable(folder, files, leaving=removed_names):
        raise OutputError(f"{reason}; nothing was written")
    new_folders = _missing_folders(folder)
    staging_folder: tempfile.TemporaryDirectory[str] | None = None
    try:
        folder.mkdir(parents=True, exist_ok=True)
        staging_folder = tempfile.TemporaryDirectory(prefix=".mapkit-", dir=folder, ignore_cleanup_errors=True)
        stage = Path(staging_folder.name)
        for name in sorted(files):
            _write_synced(stage / "new" / name, files[name])
        with _defer_interrupt():
            _exchange_files(folder, stage, sorted(files), removed_names)
    except OSError as error:
        raise OutputError(
            f"{error.filename2 or folder}: cannot be written: {error.strerror or error}; nothing was changed there. "
            f"{_writing_cure(folder, files)}"
        ) from error
    finally:
        if staging_folder is not None:
            with _defer_interrupt():
                staging_folder.cleanup()
        for parent in new_folders:
            if parent.is_dir() and not any(parent.iterdir()):
                parent.rmdir()


def _missing_folders(folder: Path) -> list[Path]:
    """Return the folders that creating `folder` would add, deepest first."""
    missing_folders: list[Path] = []
    for path in (folder, *folder.parents):
        if path.exists():
            break
        missing_folders.append(path)
    return missing_folders


def _write_synced(path: Path, content: str | bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as stream:
        stream.write(content.encode("utf-8") if isinstance(content, str) else content)
        stream.flush()
        os.fsync(stream.fileno())


def _writing_cure(folder: Path, files: Iterable[str]) -> str:
    """Return a cure for files that the system refuses to write."""
    longest_path = max((len(str(folder.absolute() / _STAGE_PATH / name)) for name in files), default=0)
    if _IS_WINDOWS and longest_path > LONGEST_PATH:
        limit = f"Its path has {longest_path} characters, and Windows allows {LONGEST_PATH}"
        return f"{limit}: choose a folder with a shorter path"
    return "Close it where it is open, free some space, or choose a folder that you may write to"


def _exchange_files(folder: Path, stage: Path, names: list[str], gone: list[str]) -> None:
    """Move the new files into place and keep the old ones until all have arrived; every name always has a file.

    Only a file that is replaced by one with other capitals is moved away first, since they may be the same file.
    """
    moved_files: list[tuple[Path, Path | None]] = []
    new_names = {one_name(name) for name in names}
    try:
        for name in gone:
            if one_name(name) in new_names:
                _take_away(folder / name, stage / "old" / name, moved_files)
        for name in names:
            target, old = folder / name, stage / "old" / name
            target.parent.mkdir(parents=True, exist_ok=True)
            kept_path = _keep_copy(target, old) if target.exists() else None
            _move_file(stage / "new" / name, target)
            moved_files.append((target, kept_path))
        for name in gone:
            if one_name(name) not in new_names:
                _take_away(folder / name, stage / "old" / name, moved_files)
    except OSError:
        _undo_moves(moved_files)
        raise


def _take_away(target: Path, old: Path, moved: list[tuple[Path, Path | None]]) -> None:
    if target.exists():
        old.parent.mkdir(parents=True, exist_ok=True)
        _move_file(target, old)
        moved.append((target, old))


def _undo_moves(moved: list[tuple[Path, Path | None]]) -> None:
    """Undo the moves; a file that cannot return, because its place is in use, stays beside it.

    Raises:
        OutputError: Something could not come back; the text says where it is.
    """
    stuck_files: list[Path] = []
    for target, kept in reversed(moved):
        try:
            if kept is None:
                target.unlink(missing_ok=True)
            else:
                _move_file(kept, target)
        except OSError:
            if kept is not None:
                stuck_files.append(kept.replace(target.with_name(f"{target.name}.old")))
    if stuck_files:
        raise OutputError(
            "another program keeps files open, so that writing stopped midway; what was there before is in "
            f"{', '.join(map(str, sorted(stuck_files)))}. Close the files, and rename these back"
        )


def _move_file(path: Path, target: Path) -> None:
    """Rename a file onto another, with retries on Windows."""
    for wait in _RETRY_DELAYS if _IS_WINDOWS else ():
        try:
            path.replace(target)
        except PermissionError:
            time.sleep(wait)
        else:
            return
    path.replace(target)


def _keep_copy(path: Path, old: Path) -> Path:
    """Keep a file under a second name by a hard link, or a copy if links are unavailable."""
    old.parent.mkdir(parents=True, exist_ok=True)
    try:
        old.hardlink_to(path)
    except OSError:
        shutil.copy2(path, old)
    return old


@contextmanager
def _defer_interrupt() -> Iterator[None]:
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
