"""Writing files so that nothing is ever half there: write beside, then rename, undo on failure."""

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

_WINDOWS: Final = os.name == "nt"
LONGEST_PATH: Final = 259
"""Characters of a whole path on Windows, unless its user allows longer ones."""
_STAGE: Final = Path(".mapkit-12345678", "new")
"""Where new files are at first, as long as its name is."""
_PATIENCE: Final = (0.01, 0.04, 0.15, 0.5)
"""Seconds to wait, on Windows, for a program that has a file open for a moment, such as a virus scanner."""


def write_files(folder: Path, files: Mapping[str, str | bytes], *, remove: Iterable[str] = ()) -> None:
    """Write all files of `folder` and remove some, or change nothing.

    The contents (texts in UTF-8) first go to a hidden folder beside; only when all are on disk do they take their
    places. If that fails midway, the files that were there before come back. Other files in the folder
    are left alone.

    Raises:
        OutputError: The folder may not be written to, the disk is full, another program has a file open (Windows),
            not every system can hold the names (`mapkit.core.outputs.filenames`), or a file belongs to another board
            (`mapkit.core.outputs.owners`).
    """
    files, obsolete = claim_outputs(folder, files)
    remove = [*remove, *obsolete]
    gone = sorted(set(remove) - set(files))
    if why := unholdable(folder, files, leaving=gone):
        raise OutputError(f"{why}; nothing was written")
    made = _missing(folder)
    place: tempfile.TemporaryDirectory[str] | None = None
    try:
        folder.mkdir(parents=True, exist_ok=True)
        place = tempfile.TemporaryDirectory(prefix=".mapkit-", dir=folder, ignore_cleanup_errors=True)
        stage = Path(place.name)
        for name in sorted(files):
            _write(stage / "new" / name, files[name])
        with _uninterrupted():
            _exchange(folder, stage, sorted(files), gone)
    except OSError as error:
        raise OutputError(
            f"{error.filename2 or folder}: cannot be written: {error.strerror or error}; nothing was changed there. "
            f"{_cure(folder, files)}"
        ) from error
    finally:
        if place is not None:
            with _uninterrupted():
                place.cleanup()
        for parent in made:
            if parent.is_dir() and not any(parent.iterdir()):
                parent.rmdir()


def _missing(folder: Path) -> list[Path]:
    """Return the folders that making `folder` would add, deepest first."""
    out: list[Path] = []
    for path in (folder, *folder.parents):
        if path.exists():
            break
        out.append(path)
    return out


def _write(path: Path, content: str | bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as stream:
        stream.write(content.encode("utf-8") if isinstance(content, str) else content)
        stream.flush()
        os.fsync(stream.fileno())


def _cure(folder: Path, files: Iterable[str]) -> str:
    """Return what to do about files that the system does not write."""
    longest = max((len(str(folder.absolute() / _STAGE / name)) for name in files), default=0)
    if _WINDOWS and longest > LONGEST_PATH:
        return (
            f"Its path has {longest} characters, and Windows allows {LONGEST_PATH}: choose a folder with a shorter path"
        )
    return "Close it where it is open, free some space, or choose a folder that you may write to"


def _exchange(folder: Path, stage: Path, names: list[str], gone: list[str]) -> None:
    """Move the new files into place, keeping the old ones until all have arrived; no name is ever without a file.

    Only a file that goes for one of the same name in other capitals goes first: they may be the same file.
    """
    moved: list[tuple[Path, Path | None]] = []
    coming = {one_name(name) for name in names}
    try:
        for name in gone:
            if one_name(name) in coming:
                _take_away(folder / name, stage / "old" / name, moved)
        for name in names:
            target, old = folder / name, stage / "old" / name
            target.parent.mkdir(parents=True, exist_ok=True)
            kept = _second_name(target, old) if target.exists() else None
            _move(stage / "new" / name, target)
            moved.append((target, kept))
        for name in gone:
            if one_name(name) not in coming:
                _take_away(folder / name, stage / "old" / name, moved)
    except OSError:
        _put_back(moved)
        raise


def _take_away(target: Path, old: Path, moved: list[tuple[Path, Path | None]]) -> None:
    if target.exists():
        old.parent.mkdir(parents=True, exist_ok=True)
        _move(target, old)
        moved.append((target, old))


def _put_back(moved: list[tuple[Path, Path | None]]) -> None:
    """Undo what was moved; what cannot come back, because its place is in use, stays beside it.

    Raises:
        OutputError: Something could not come back; the text says where it is.
    """
    beside: list[Path] = []
    for target, kept in reversed(moved):
        try:
            if kept is None:
                target.unlink(missing_ok=True)
            else:
                _move(kept, target)
        except OSError:
            if kept is not None:
                beside.append(kept.replace(target.with_name(f"{target.name}.old")))
    if beside:
        raise OutputError(
            "another program keeps files open, so that writing stopped midway; what was there before is in "
            f"{', '.join(map(str, sorted(beside)))}. Close the files, and rename these back"
        )


def _move(path: Path, target: Path) -> None:
    """Rename a file onto another."""
    for wait in _PATIENCE if _WINDOWS else ():
        try:
            path.replace(target)
        except PermissionError:
            time.sleep(wait)
        else:
            return
    path.replace(target)


def _second_name(path: Path, old: Path) -> Path:
    """Keep a file under a second name, without taking the first from it; a copy where links are not to be had."""
    old.parent.mkdir(parents=True, exist_ok=True)
    try:
        old.hardlink_to(path)
    except OSError:
        shutil.copy2(path, old)
    return old


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Hold Ctrl-C back for the moment in which files change places."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    pressed: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _frame: pressed.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if pressed:
            raise KeyboardInterrupt
