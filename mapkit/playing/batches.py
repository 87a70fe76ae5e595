"""Playing many matches on all processors, and adding up; the sums are the same on any number of them.

Matches are played in batches of a fixed size. Batches end in any order and are added in the order of their numbers, so
sums, and when a wanted precision is reached, follow from the seed alone.
"""

import os
from collections import deque
from collections.abc import Callable, Generator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Final

from mapkit.playing.figures import Totals, together

BATCH: Final = 100
"""Matches."""

Play = Callable[[int, int], Totals]
"""Plays matches: the number of the first, and how many; returns their totals. Called from several threads."""


def play_batches(
    play: Play, matches: int, *, done: int = 0, totals: Totals | None = None, workers: int | None = None
) -> Generator[tuple[int, Totals]]:
    """Play matches and yield, after each batch in order, how many are played and their totals.

    Closing the iterator, or an exception in the loop over it, ends the run after the batches that are being played.

    Args:
        play: Plays a batch.
        matches: The number after the last match.
        done: How many were played before, from match 0 on.
        totals: Their sums.
        workers: How many batches are played at a time; as many as processors if none is given.
    """
    many = workers or os.cpu_count() or 1
    waiting: deque[tuple[int, Future[Totals]]] = deque()
    pool = ThreadPoolExecutor(many)
    try:
        for start in range(done, matches, BATCH):
            end = min(start + BATCH, matches)
            waiting.append((end, pool.submit(play, start, end - start)))
            if len(waiting) > 2 * many:
                totals = _added(totals, waiting[0][1])
                yield waiting.popleft()[0], totals
        while waiting:
            totals = _added(totals, waiting[0][1])
            yield waiting.popleft()[0], totals
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _added(totals: Totals | None, future: Future[Totals]) -> Totals:
    found = future.result()
    return found if totals is None else together(totals, found)
