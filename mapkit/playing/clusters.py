"""Play of many matches on a Dask cluster, with the same sums as on one machine.

Each task plays some batches, and the number of a batch determines its matches. The task of a lost worker is given to
another, and its batches are added once, in the order of their numbers: nothing is lost or counted twice.
"""

from collections import deque
from collections.abc import Generator
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

from mapkit.core.errors import ChoiceError, MapkitError
from mapkit.core.processes.installing import install_command
from mapkit.playing.batches import BATCH, Play
from mapkit.playing.figures import Totals, add_totals
from mapkit.version import __version__

AVAILABLE: Final = find_spec("distributed") is not None
BATCHES: Final = 10
"""Of a task: enough that sending it costs little beside it."""
_TASKS_PER_THREAD: Final = 4
"""Tasks that wait, for each thread of the cluster."""
_CONNECT_TIMEOUT: Final = "10s"
"""For the scheduler to answer."""
_RESULT_TIMEOUT: Final = 30.0
"""Seconds without a result after which the workers are counted."""
_ALLOWED_FAILURES: Final = 5
"""How many workers may be lost under one task."""


def play_on_cluster(
    address: str,
    play: Play,
    matches: int,
    *,
    done: int = 0,
    totals: Totals | None = None,
    batch: int = BATCH,
    batches: int = BATCHES,
) -> Generator[tuple[int, Totals]]:
    """Play matches on a cluster and yield the same as `mapkit.playing.batches.play_batches`.

    Args:
        address: Of the scheduler, as `tcp://10.0.0.1:8786`.
        play: Plays a batch; it is sent to the workers, so it must be possible to pickle it.
        matches: The number after the last match.
        done: How many were played before, from match 0 on.
        totals: Their sums.
        batch: Matches of a batch.
        batches: Batches of a task.

    Raises:
        ChoiceError: Dask is not installed.
        MapkitError: Nobody answers at the address, no worker is there or left, or one has another version of mapkit.
    """
    with _connect(address) as client:
        max_pending = _TASKS_PER_THREAD * _count_threads(client, address)
        pending: deque[tuple[int, Any]] = deque()
        try:
            for start in range(done, matches, batch * batches):
                end = min(start + batch * batches, matches)
                task = client.submit(play_some, play, start, end, batch, pure=False)
                pending.append((end, task))
                if len(pending) > max_pending:
                    totals = _add_task_result(totals, pending[0][1], client)
                    yield pending.popleft()[0], totals
            while pending:
                totals = _add_task_result(totals, pending[0][1], client)
                yield pending.popleft()[0], totals
        finally:
            client.cancel([task for _, task in pending], force=True)


def play_some(play: Play, start: int, end: int, batch: int) -> list[Totals]:
    """Play the batches of a task, on a worker; the client adds them."""
    return [play(first, min(batch, end - first)) for first in range(start, end, batch)]


def _add_task_result(totals: Totals | None, task: Any, client: Any) -> Totals:  # noqa: ANN401 - Dask has no types
    for batch_totals in _wait_for_task(task, client):
        totals = batch_totals if totals is None else add_totals(totals, batch_totals)
    if totals is None:
        raise MapkitError(
            "a worker of the cluster returned no match; start the play-test again, with --resume to keep the "
            "matches so far"
        )
    return totals


def _wait_for_task(task: Any, client: Any) -> list[Totals]:  # noqa: ANN401 - Dask has no types
    """Wait for a task and return its result.

    Raises:
        MapkitError: The scheduler is gone, or all workers are, or the task loses one worker after the other.
    """
    distributed = import_module("distributed")
    cluster_errors = (distributed.KilledWorker, distributed.CancelledError, distributed.comm.CommClosedError)
    while True:
        try:
            batch_results: list[Totals] = task.result(timeout=_RESULT_TIMEOUT)
        except TimeoutError as error:
            if not client.scheduler_info(n_workers=-1)["workers"]:
                raise MapkitError("the cluster has no workers any more; start some, and go on with --resume") from error
        except cluster_errors as error:
            raise MapkitError(
                f"the cluster gave up ({type(error).__name__}): its scheduler or too many workers have stopped; "
                "start them "
                "again, and go on with --resume"
            ) from error
        else:
            return batch_results


def _connect(address: str) -> Any:  # noqa: ANN401 - Dask has no types
    if not AVAILABLE:
        raise ChoiceError(f"Dask is missing; install it here and on the workers: {install_command('cluster')}")
    dask, distributed = import_module("dask"), import_module("distributed")
    dask.config.set({"distributed.scheduler.allowed-failures": _ALLOWED_FAILURES})
    try:
        return distributed.Client(address, timeout=_CONNECT_TIMEOUT, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise MapkitError(
            f"{address}: no scheduler of Dask answers there; start one with dask scheduler, and give its address"
        ) from error


def _count_threads(client: Any, address: str) -> int:  # noqa: ANN401 - Dask has no types
    """Return the number of matches that the workers play at a time.

    Raises:
        MapkitError: There is no worker, or one has another version of mapkit.
    """
    worker_info = client.scheduler_info(n_workers=-1)["workers"]
    if not worker_info:
        raise MapkitError(f"{address}: the scheduler has no workers; start some with dask worker {address}")
    try:
        version_by_worker = client.run(version_here)
    except ImportError as error:  # mapkit itself, or a part that another version lacks
        raise MapkitError(
            f"{address}: mapkit {__version__} is missing on a worker ({error}); install it there"
        ) from error
    for worker, worker_version in sorted(version_by_worker.items()):
        if worker_version != __version__:
            raise MapkitError(
                f"{worker}: it has mapkit {worker_version}, not {__version__}; install the same version everywhere"
            )
    return sum(worker["nthreads"] for worker in worker_info.values())


def version_here() -> str:
    """Return the version of mapkit on a worker."""
    return __version__
