"""Work in a forked child process, if the program allows it.

A program that runs one command and ends (`mapkit build`) allows it. The work starts at once in a forked process, which
sends its result back. Anywhere else (in the API, the editor, on systems without fork, on one processor) the work is
done when its result is requested. Results are the same.

Forking takes time in both processes, so related works can share a fork (`run_in_fork`).
"""

import gc
import os
import pickle
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from typing import Any, BinaryIO, Final, TypeVar

from mapkit.core.processes.processors import processors

if sys.platform == "linux":
    import fcntl

T = TypeVar("T")

_SIZE_BYTES: Final = 8
"""Bytes of the length of a result; the length is 0 if the work raised an error."""
_PIPE_BYTES: Final = 2**20
"""Bytes of results that may be buffered while the fork works on: the default limit of Linux."""
_known_threads: set[threading.Thread] = set()
"""The threads of the program when it allowed forks; empty if it does not."""
_shared_fork: list["_ForkedProcess"] = []
"""The shared fork for the works that are started now, if any."""


def allow_forks() -> None:
    """Allow forked work for as long as the program starts no more threads than it has now."""
    if sys.platform == "linux" and processors() > 1:
        _known_threads.update(threading.enumerate())


def _forks_allowed() -> bool:
    """Return whether work may be forked now: in the main thread, with only threads that wait."""
    in_main = threading.current_thread() is threading.main_thread()
    return in_main and bool(_known_threads) and _known_threads.issuperset(threading.enumerate())


def start_in_fork(work: Callable[[], T]) -> Callable[[], T]:
    """Start independent work in a forked process, and return a function that waits for its result.

    Args:
        work: A function that changes nothing which is seen elsewhere; its result can be pickled. If it raises, or its
            process ends early, it is done again by who asks for the result, and raises there.
    """
    cached_work = cache(work)  # a copy that does several works may need the result of one for the next
    forked = None
    if _forks_allowed():
        forked = _shared_fork[0] if _shared_fork else _ForkedProcess()
        forked.works.append(cached_work)
        if not _shared_fork:
            forked.begin()
    work_number = len(forked.works) - 1 if forked else 0

    @cache
    def result() -> T:
        pickled_result = forked.sent(work_number) if forked else b""
        with suppress(EOFError, pickle.UnpicklingError):
            result_value: T = pickle.loads(pickled_result)  # noqa: S301 - of this very program
            return result_value
        return cached_work()

    return result


@contextmanager
def run_in_fork() -> Iterator[None]:
    """Collect all work started inside into one forked process that starts at the end."""
    if _shared_fork or not _forks_allowed():
        yield
        return
    forked = _ForkedProcess()
    _shared_fork.append(forked)
    try:
        yield
    finally:
        _shared_fork.clear()
        if forked.works:
            forked.begin()


class _ForkedProcess:
    """Forked copy of this process that does works in order and sends each result as soon as it is read."""

    def __init__(self) -> None:
        self.works: list[Callable[[], Any]] = []
        self._results: list[bytes] = []
        self._stream: BinaryIO | None = None
        self._pid = 0
        self._parent_pid = os.getpid()

    def begin(self) -> None:
        """Start the process; if the system allows no more processes, nothing is sent."""
        read_end, write_end = os.pipe()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", DeprecationWarning)  # the only other thread holds no lock: it waits
                self._pid = os.fork()
        except OSError:
            os.close(read_end)
            os.close(write_end)
            return
        if self._pid == 0:
            os.close(read_end)  # so that writing fails once the reader has closed
            if sys.platform == "linux":
                with suppress(OSError):
                    fcntl.fcntl(write_end, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
            _run_works(self.works, write_end)
        os.close(write_end)
        self._stream = os.fdopen(read_end, "rb")

    def sent(self, number: int) -> bytes:
        """Return the pickled result of a work; nothing if the caller, also in another fork, has to do it."""
        while self._stream and self._parent_pid == os.getpid() and len(self._results) <= number:
            result_size = int.from_bytes(self._stream.read(_SIZE_BYTES), "little")
            self._results.append(self._stream.read(result_size))
            if len(self._results) == len(self.works):
                self._stream.close()
                self._stream = None
                with suppress(ChildProcessError):
                    os.waitpid(self._pid, 0)
        return self._results[number] if number < len(self._results) else b""


def _run_works(works: list[Callable[[], Any]], write_end: int) -> None:
    """Do the works in this forked process and exit without the program's exit handlers."""
    try:
        signal.set_wakeup_fd(-1)
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_DFL)
        _known_threads.clear()
        _shared_fork.clear()
        gc.disable()
        with os.fdopen(write_end, "wb") as stream:
            for work in works:
                pickled_result = b""
                with suppress(Exception):
                    pickled_result = pickle.dumps(work(), pickle.HIGHEST_PROTOCOL)
                stream.write(len(pickled_result).to_bytes(_SIZE_BYTES, "little") + pickled_result)
                stream.flush()
    finally:
        os._exit(0)
