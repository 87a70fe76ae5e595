"""Work in a worker process, for programs with threads such as servers.

The process starts after the first request for such work, which is still done here; starting takes a second, and no
request waits for it. If it is not allowed (in the API), on one processor, or after it was killed, the work is done here
too. Results are the same.
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
    """Return a pool of processes that ignore Ctrl-C and end with this process in any case."""
    return ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=_initialize_worker)


def _initialize_worker() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent_handle = parent_process()
    if parent_handle is not None:
        connection.wait([parent_handle.sentinel])
        os._exit(1)  # the parent has ended, so there is no one to report to


class _WorkerProcess:
    """The worker process, with its state."""

    def __init__(self) -> None:
        self.pool = process_pool(1)
        self._ready: Future[None] | None = None
        self._lock = threading.Lock()

    def ready(self) -> bool:
        return self._ready is not None and self._ready.done()

    def begin(self, work: Callable[..., object]) -> None:
        """Start the process, and let it import the module of the work."""
        with self._lock, suppress(RuntimeError):  # it has been shut down
            if self._ready is None:
                self._ready = self.pool.submit(_import_work, work)


def _import_work(_work: Callable[..., object]) -> None:
    return None


_WORKERS: Final[list[_WorkerProcess]] = []
"""The helper of this program; none if it allows none."""


@contextmanager
def allow_worker() -> Iterator[None]:
    """Allow work in a worker process until this ends."""
    if processors() == 1:
        yield
        return
    worker_process = _WorkerProcess()
    _WORKERS.append(worker_process)
    try:
        yield
    finally:
        with suppress(ValueError):
            _WORKERS.remove(worker_process)
        worker_process.pool.shutdown(cancel_futures=True)


def run_in_worker(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Do work in the worker process if it is ready, and here otherwise; return its result or raise its error.

    Args:
        work: A function of a module, which changes nothing that is seen elsewhere.
        args: Its arguments, which can be pickled, as its result can.
        kwargs: Likewise.
    """
    worker_process = _WORKERS[-1] if _WORKERS else None
    if worker_process is None:
        return work(*args, **kwargs)
    if not worker_process.ready():
        result = work(*args, **kwargs)
        worker_process.begin(work)
        return result
    try:
        return worker_process.pool.submit(work, *args, **kwargs).result()
    except (BrokenProcessPool, CancelledError):  # it was killed, or the program ends
        with suppress(ValueError):
            _WORKERS.remove(worker_process)
    return work(*args, **kwargs)
