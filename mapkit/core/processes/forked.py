"""Work beside other work, in a process of its own, where the program allows that.

A program that runs one command and ends (`mapkit build`) allows it. Such work begins at once in a copy of the process,
which sends back what came of it. Anywhere else (in the API, the editor, on systems that cannot copy a process, on one
processor) the same work is done when its result is asked for. It makes no difference to results.

To copy a process takes time too, here and there, so works that follow from the same can share a copy (`together`).
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

_SIZE: Final = 8
"""Bytes that say how long a result is; 0 if the work raised."""
_AHEAD: Final = 2**20
"""Bytes of results that may wait to be read while the copy works on; the most that Linux gives anybody."""
_known: set[threading.Thread] = set()
"""The threads of the program when it allowed work beside it; empty if it does not."""
_gathering: list["_ForkedProcess"] = []
"""The copy that is to do the works that are begun now, if they share one."""


def allow_forks() -> None:
    """Let work of this program be done beside it, for as long as it begins no more threads than it has now."""
    if sys.platform == "linux" and processors() > 1:
        _known.update(threading.enumerate())


def _forks_allowed() -> bool:
    """Return whether work that begins now is done beside this: in the main thread, with only threads that wait."""
    in_main = threading.current_thread() is threading.main_thread()
    return in_main and bool(_known) and _known.issuperset(threading.enumerate())


def start_in_fork(work: Callable[[], T]) -> Callable[[], T]:
    """Begin work that needs nothing of what is done meanwhile, and return what waits for its result, once.

    Args:
        work: A function that changes nothing which is seen elsewhere; its result can be pickled. If it raises, or its
            process ends early, it is done again by who asks for the result, and raises there.
    """
    once = cache(work)  # a copy that does several works may need the result of one for the next
    copy = None
    if _forks_allowed():
        copy = _gathering[0] if _gathering else _ForkedProcess()
        copy.works.append(once)
        if not _gathering:
            copy.begin()
    number = len(copy.works) - 1 if copy else 0

    @cache
    def result() -> T:
        data = copy.sent(number) if copy else b""
        with suppress(EOFError, pickle.UnpicklingError):
            found: T = pickle.loads(data)  # noqa: S301 - of this very program
            return found
        return once()

    return result


@contextmanager
def run_in_fork() -> Iterator[None]:
    """Let one process do all works that are begun here, in their order; it begins at the end."""
    if _gathering or not _forks_allowed():
        yield
        return
    copy = _ForkedProcess()
    _gathering.append(copy)
    try:
        yield
    finally:
        _gathering.clear()
        if copy.works:
            copy.begin()


class _ForkedProcess:
    """A copy of this process, which does works in their order and sends each result as soon as it is read."""

    def __init__(self) -> None:
        self.works: list[Callable[[], Any]] = []
        self._results: list[bytes] = []
        self._stream: BinaryIO | None = None
        self._pid = 0
        self._of = os.getpid()

    def begin(self) -> None:
        """Begin; where the system allows no more processes, nothing is sent."""
        ear, mouth = os.pipe()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", DeprecationWarning)  # the only other thread holds no lock: it waits
                self._pid = os.fork()
        except OSError:
            os.close(ear)
            os.close(mouth)
            return
        if self._pid == 0:
            os.close(ear)  # so that writing ends where nobody reads any more
            if sys.platform == "linux":
                with suppress(OSError):
                    fcntl.fcntl(mouth, fcntl.F_SETPIPE_SZ, _AHEAD)
            _run_works(self.works, mouth)
        os.close(mouth)
        self._stream = os.fdopen(ear, "rb")

    def sent(self, number: int) -> bytes:
        """Return what came of a work, pickled; nothing if it is to be done by who asks, also in another copy."""
        while self._stream and self._of == os.getpid() and len(self._results) <= number:
            size = int.from_bytes(self._stream.read(_SIZE), "little")
            self._results.append(self._stream.read(size))
            if len(self._results) == len(self.works):
                self._stream.close()
                self._stream = None
                with suppress(ChildProcessError):
                    os.waitpid(self._pid, 0)
        return self._results[number] if number < len(self._results) else b""


def _run_works(works: list[Callable[[], Any]], mouth: int) -> None:
    """Do works in this copy of the process and end it; nothing that the program does at its end is done here."""
    try:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        _known.clear()
        _gathering.clear()
        gc.disable()
        with os.fdopen(mouth, "wb") as stream:
            for work in works:
                data = b""
                with suppress(Exception):
                    data = pickle.dumps(work(), pickle.HIGHEST_PROTOCOL)
                stream.write(len(data).to_bytes(_SIZE, "little") + data)
                stream.flush()
    finally:
        os._exit(0)
