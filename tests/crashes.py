"""A laboratory of crashes: the n-th call of the writing layer ends the program, and what was not synced is lost.

`count_calls` counts the calls of a piece of work, `crash_at` does the work in a copy of the process that ends at call n
like a killed one, after a power cut if wished: files lose what was not synced, and names return to where they were
unless their folders were synced. `fail_at` lets call n raise `OSError` instead.
"""

import errno
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from io import FileIO
from pathlib import Path

import pytest

from mapkit.core.outputs import disk

CALLS = ("open_file", "write", "sync", "rename", "sync_folder")


class Disk:
    """The writing layer with a counter, which does something before call `at`, and remembers what is not synced."""

    def __init__(self, at: int, then: Callable[["Disk"], None]) -> None:
        self.count = 0
        self._at = at
        self._then = then
        self._sizes: dict[Path, int] = {}
        self._moves: list[tuple[Path, Path, bytes | None]] = []
        self._real = {name: getattr(disk, name) for name in CALLS}

    def _call(self) -> None:
        self.count += 1
        if self.count == self._at:
            self._then(self)

    def open_file(self, path: Path, mode: str) -> FileIO:
        self._call()
        size = path.stat().st_size if path.exists() else 0
        self._sizes.setdefault(path, 0 if "w" in mode or "x" in mode else size)
        stream: FileIO = self._real["open_file"](path, mode)
        return stream

    def write(self, stream: FileIO, data: bytes) -> None:
        self._real["write"](stream, data[: len(data) // 2])
        self._call()
        self._real["write"](stream, data[len(data) // 2 :])

    def sync(self, stream: FileIO) -> None:
        self._call()
        self._real["sync"](stream)
        self._sizes.pop(Path(str(stream.name)), None)

    def rename(self, path: Path, target: Path) -> None:
        self._call()
        replaced = target.read_bytes() if target.is_file() else None
        self._real["rename"](path, target)
        self._moves.append((path, target, replaced))

    def sync_folder(self, folder: Path) -> None:
        self._call()
        self._real["sync_folder"](folder)
        self._moves = [move for move in self._moves if move[1].parent != folder]

    def lose_unsynced(self) -> None:
        """Do what a power cut does."""
        for path, target, replaced in reversed(self._moves):
            with suppress(OSError):
                path.parent.mkdir(parents=True, exist_ok=True)
                target.replace(path)
                if replaced is not None:
                    target.write_bytes(replaced)
        for path, size in self._sizes.items():
            with suppress(OSError):
                os.truncate(path, size)


@contextmanager
def _watched(at: int, then: Callable[[Disk], None]) -> Iterator[Disk]:
    watched = Disk(at, then)
    with pytest.MonkeyPatch.context() as patch:
        for name in CALLS:
            patch.setattr(disk, name, getattr(watched, name))
        yield watched


def count_calls(work: Callable[[], object]) -> int:
    """Return how often a piece of work calls the layer."""
    with _watched(0, lambda _: None) as watched:
        work()
    return watched.count


def crash_at(n: int, work: Callable[[], object], *, power: bool) -> None:
    """Do the work in a copy of this process that ends before call n; in a power cut, what was not synced is lost."""

    def end(watched: Disk) -> None:
        if power:
            watched.lose_unsynced()
        os._exit(137)

    child = os.fork()
    if child == 0:
        with suppress(BaseException), _watched(n, end):
            work()
        os._exit(0)
    os.waitpid(child, 0)


def fail_at(n: int, work: Callable[[], object]) -> None:
    """Do the work while call n finds a full disk."""

    def refuse(_: Disk) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with _watched(n, refuse):
        work()


def restore(folder: Path, kept: Path) -> None:
    """Make a folder what its copy is."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(kept, folder)


def contents(folder: Path) -> dict[str, bytes]:
    """Return all files of a folder by path, without locks."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.suffix != ".lock"
    }
