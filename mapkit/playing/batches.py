"""Playing many matches on all processors, and adding up; the sums are the same on any number of them.

Matches are played in batches of a fixed size. Batches end in any order and are added in the order of their numbers, so
sums, and when a wanted precision is reached, follow from the seed alone.
"""

from collections import deque
from collections.abc import Callable, Generator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import Final

from mapkit.core.processes.processors import processors
from mapkit.core.processes.worker import process_pool
from mapkit.playing.figures import Totals, together

BATCH: Final = 100
"""Matches."""
_FEW: Final = 8
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
    """Play matches and yield, after each batch in order, how many are played and their totals.

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
    many = workers or processors()
    waiting: deque[tuple[int, Future[Totals]]] = deque()
    pool = _pool(many, processes=processes and matches - done > _FEW * batch)
    try:
        for start in range(done, matches, batch):
            end = min(start + batch, matches)
            waiting.append((end, pool.submit(play, start, end - start)))
            if len(waiting) > 2 * many:
                totals = _added(totals, waiting[0][1])
                yield waiting.popleft()[0], totals
        while waiting:
            totals = _added(totals, waiting[0][1])
            yield waiting.popleft()[0], totals
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _pool(workers: int, *, processes: bool) -> Executor:
    if processes and workers > 1:
        return process_pool(workers)
    return ThreadPoolExecutor(workers)


def _added(totals: Totals | None, future: Future[Totals]) -> Totals:
    found = future.result()
    return found if totals is None else together(totals, found)
