"""Writing files so that nothing is ever half there: write beside, then rename, undo on failure."""

import os
import shutil
import signal
import tempfile
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from mapkit.core.errors import OutputError


def write_files(folder: Path, files: Mapping[str, str | bytes], *, remove: Iterable[str] = ()) -> None:
    """Write all files of `folder` and remove some, or change nothing.

    The contents (texts in UTF-8) first go to a hidden folder beside; only when all are on disk do they take their
    places. If that fails midway, the files that were there before come back. Other files in the folder
    are left alone.

    Raises:
        OutputError: The folder may not be written to, or the disk is full.
    """
    made = _missing(folder)
    place: tempfile.TemporaryDirectory[str] | None = None
    try:
        folder.mkdir(parents=True, exist_ok=True)
        place = tempfile.TemporaryDirectory(prefix=".mapkit-", dir=folder, ignore_cleanup_errors=True)
        stage = Path(place.name)
        for name in sorted(files):
            _write(stage / "new" / name, files[name])
        with _uninterrupted():
            _exchange(folder, stage, sorted(files), sorted(set(remove) - set(files)))
    except OSError as error:
        raise OutputError(
            f"{folder}: cannot be written: {error.strerror or error}; nothing was changed there. "
            "Free some space or choose a folder that you may write to"
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


def _exchange(folder: Path, stage: Path, names: list[str], gone: list[str]) -> None:
    """Move the new files into place, keeping the old ones until all have arrived; no name is ever without a file."""
    moved: list[tuple[Path, Path | None]] = []
    try:
        for name in names:
            target, old = folder / name, stage / "old" / name
            target.parent.mkdir(parents=True, exist_ok=True)
            kept = _second_name(target, old) if target.exists() else None
            moved.append((target, kept))
            (stage / "new" / name).replace(target)
        for name in gone:
            target, old = folder / name, stage / "old" / name
            if target.exists():
                old.parent.mkdir(parents=True, exist_ok=True)
                moved.append((target, target.replace(old)))
    except OSError:
        for target, kept in reversed(moved):
            if kept is not None:
                kept.replace(target)
            else:
                target.unlink(missing_ok=True)
        raise


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
