"""The one layer through which lasting files are written: open, write, sync and rename.

Callers use `disk.sync(...)` and not the names alone, so that tests can let the n-th call fail, or end the program there
(`tests/crashes.py`).
"""

import os
import time
from io import FileIO
from pathlib import Path
from typing import Final

_IS_WINDOWS: Final = os.name == "nt"
_RETRY_DELAYS: Final = (0.01, 0.04, 0.15, 0.5)
"""Seconds to wait, on Windows, for a program that has a file open for a moment, such as a virus scanner."""


def open_file(path: Path, mode: str) -> FileIO:
    """Open a file without a buffer; the mode is that of `open`, such as `wb` or `rb+`."""
    return FileIO(path, mode)


def write(stream: FileIO, data: bytes) -> None:
    """Write all bytes."""
    view = memoryview(data)
    while view:
        view = view[stream.write(view) :]


def sync(stream: FileIO) -> None:
    """Return when the content of a file is on the disk."""
    os.fsync(stream.fileno())


def rename(path: Path, target: Path) -> None:
    """Rename a file or folder, onto a file if there is one; with retries on Windows."""
    for wait in _RETRY_DELAYS if _IS_WINDOWS else ():
        try:
            path.replace(target)
        except PermissionError:
            time.sleep(wait)
        else:
            return
    path.replace(target)


def sync_folder(folder: Path) -> None:
    """Return when the names in a folder are on the disk; Windows writes them by itself."""
    if _IS_WINDOWS:
        return
    folder_descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(folder_descriptor)
    finally:
        os.close(folder_descriptor)


def write_synced(path: Path, data: bytes) -> None:
    """Write a file of a new folder; its name is on the disk after `sync_folder`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with open_file(path, "wb") as stream:
        write(stream, data)
        sync(stream)
