"""Parallel play of many matches, with sums that are equal on any number of processors.

Matches are played in batches of a fixed size. Batches may end in any order but are added in the order of their numbers,
so the sums, and the moment at which a wanted precision is reached, depend only on the seed.
"""

from collections import deque
from collections.abc import Callable, Generator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import Final

from mapkit.core.processes.processors import processors
from mapkit.core.processes.worker import process_pool
from mapkit.playing.figures import Totals, add_totals

BATCH: Final = 100
"""Matches."""
_FEW_BATCHES: Final = 8
"""Batches that are not worth processes of their own, which take a second to begin."""

Play = Callable[[int, int], Totals]
"""Plays matches: the number of the first, and how many; returns their totals. Called from several threads at a time, or
from several processes."""


def play_batches(
    play: Play,
    matches: int,
    *,
    done: int = 0,
    totals: Totals | None = None,
    workers: int | None = None,
    batch: int = BATCH,
    processes: bool = False,
) -> Generator[tuple[int, Totals]]:
    """Play matches and yield, after each batch in order, the number of played matches and their totals.

    Closing the iterator, or an exception in the loop over it, ends the run after the batches that are being played.

    Args:
        play: Plays a batch.
        matches: The number after the last match.
        done: How many were played before, from match 0 on.
        totals: Their sums.
        workers: How many batches are played at a time; as many as processors if none is given.
        batch: How many matches a batch has.
        processes: Whether batches are played in processes of their own: for games in plain Python, which threads do not
            speed up. `play` is then pickled.
    """
    worker_count = workers or processors()
    pending: deque[tuple[int, Future[Totals]]] = deque()
    executor = _make_pool(worker_count, processes=processes and matches - done > _FEW_BATCHES * batch)
    try:
        for start in range(done, matches, batch):
            end = min(start + batch, matches)
            pending.append((end, executor.submit(play, start, end - start)))
            if len(pending) > 2 * worker_count:
                totals = _add_result(totals, pending[0][1])
                yield pending.popleft()[0], totals
        while pending:
            totals = _add_result(totals, pending[0][1])
            yield pending.popleft()[0], totals
    finally:
        executor.shutdown(wait=True, cancel_futures=True)


def _make_pool(workers: int, *, processes: bool) -> Executor:
    if processes and workers > 1:
        return process_pool(workers)
    return ThreadPoolExecutor(workers)


def _add_result(totals: Totals | None, future: Future[Totals]) -> Totals:
    batch_totals = future.result()
    return batch_totals if totals is None else add_totals(totals, batch_totals)
