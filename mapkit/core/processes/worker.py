"""Work in another process, for programs with threads: a server goes on answering while a second processor works.

The process begins when such work was first asked for, and done here; it takes a second to begin, and nobody waits for
it. Where it is not allowed (in the API), on one processor, or after it was killed, the same work is done here. It makes
no difference to results.
"""

import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from multiprocessing import connection, get_context, parent_process
from typing import Final, ParamSpec, TypeVar

from mapkit.core.processes.processors import processors

P = ParamSpec("P")
T = TypeVar("T")


def process_pool(workers: int) -> ProcessPoolExecutor:
    """Return processes that leave Ctrl-C to this one, and end when it does, however that ends."""
    return ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=_begin)


def _begin() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)  # nobody is there to be told


class _WorkerProcess:
    """The process, and whether it is ready."""

    def __init__(self) -> None:
        self.pool = process_pool(1)
        self._ready: Future[None] | None = None
        self._lock = threading.Lock()

    def ready(self) -> bool:
        return self._ready is not None and self._ready.done()

    def begin(self, work: Callable[..., object]) -> None:
        """Begin the process, and let it import the work, which naming it does."""
        with self._lock, suppress(RuntimeError):  # it has been shut down
            if self._ready is None:
                self._ready = self.pool.submit(_import, work)


def _import(_work: Callable[..., object]) -> None:
    return None


_HELPERS: Final[list[_WorkerProcess]] = []
"""The helper of this program; none if it allows none."""


@contextmanager
def allow_worker() -> Iterator[None]:
    """Let work of this program be done in another process until this ends."""
    if processors() == 1:
        yield
        return
    helper = _WorkerProcess()
    _HELPERS.append(helper)
    try:
        yield
    finally:
        with suppress(ValueError):
            _HELPERS.remove(helper)
        helper.pool.shutdown(cancel_futures=True)


def run_in_worker(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Do work in the other process if there is one that is ready, and here otherwise; return or raise what it does.

    Args:
        work: A function of a module, which changes nothing that is seen elsewhere.
        args: Its arguments, which can be pickled, as its result can.
        kwargs: Likewise.
    """
    helper = _HELPERS[-1] if _HELPERS else None
    if helper is None:
        return work(*args, **kwargs)
    if not helper.ready():
        found = work(*args, **kwargs)
        helper.begin(work)
        return found
    try:
        return helper.pool.submit(work, *args, **kwargs).result()
    except (BrokenProcessPool, CancelledError):  # it was killed, or the program ends
        with suppress(ValueError):
            _HELPERS.remove(helper)
    return work(*args, **kwargs)
