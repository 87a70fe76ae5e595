"""A long run of matches: progress, an end when it is exact enough, Ctrl-C, and checkpoints."""

import re
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from time import monotonic
from types import FrameType
from typing import Final

from mapkit.console.interrupts import wait_until_looked_at
from mapkit.core.base import Frozen
from mapkit.core.errors import OutputError
from mapkit.core.progress import Progress, quiet
from mapkit.playing.batches import BATCH, Play, play_batches
from mapkit.playing.checkpoints import read_checkpoint, save_checkpoint
from mapkit.playing.clusters import play_on_cluster
from mapkit.playing.figures import Totals

SAVE_EVERY: Final = 10.0
"""Seconds between checkpoints."""
_SAY_FIRST, _SAY_LAST = 0.5, 10.0
"""Seconds between two words on how far a run is: short at first."""
_FIRST_LOOK: Final = 1_000
"""Matches before a wanted precision may end a run."""
_FAR: Final = re.compile(r"([\d,]+) of (?:about )?([\d,]+) matches, (?:(\d+):(\d\d) left)?")


class HowFar(Frozen):
    """How far a run is: matches played, matches at its end as it looks now, seconds left."""

    done: int
    end: int
    left: int


def how_far(said: str) -> HowFar | None:
    """Return how far a run is from what it said of it; None if it said something else."""
    found = _FAR.match(said)
    if found is None:
        return None
    done, end, minutes, seconds = (int((part or "0").replace(",", "")) for part in found.groups())
    return HowFar(done=done, end=end, left=60 * minutes + seconds)


@dataclass(frozen=True)
class Run:
    """How long to play, and what to keep.

    Attributes:
        name: A hash of what the run follows from (`run_id`).
        matches: The number after the last match.
        until: How far from exact enough the sums are: 1 or less ends the run, 2 says half as exact as is wanted.
        workers: Matches played at a time; None takes all processors.
        cluster: The address of a Dask scheduler whose workers play in place of this machine.
        checkpoint: The file that keeps the sums.
        resume: Whether to go on from it.
        save_every: Seconds between two checkpoints.
        batch: Matches of a batch.
        processes: Whether batches are played in processes of their own, see `play_batches`.
    """

    name: str
    matches: int
    until: Callable[[Totals], float] | None = None
    workers: int | None = None
    cluster: str | None = None
    checkpoint: Path | None = None
    resume: bool = False
    save_every: float = SAVE_EVERY
    batch: int = BATCH
    processes: bool = False


@dataclass(frozen=True)
class Ran:
    """The sums of a run; `stopped` if Ctrl-C ended it, `unsaved` why its last checkpoint could not be written."""

    totals: Totals
    stopped: bool = False
    unsaved: str = ""


def carry_out(play: Play, run: Run, progress: Progress = quiet) -> Ran:
    """Play what is left of a run, and return the sums of all its matches.

    Where a checkpoint cannot be written the run goes on without it.

    Args:
        play: Plays a batch.
        run: How long.
        progress: Called with how far it is, and how long it still takes.

    Raises:
        MapkitError: The checkpoint to go on from is of another run; or what `play` raises.
        KeyboardInterrupt: Ctrl-C came before anything was played.
    """
    done, totals, stopped = 0, None, False
    if run.resume and run.checkpoint is not None and run.checkpoint.exists():
        done, totals = read_checkpoint(run.checkpoint, run.name, play(0, 1))
        progress(f"going on after {done:,} matches")
    keeper = _Keeper(run, progress)
    if run.cluster is None:
        batches = play_batches(
            play,
            run.matches,
            done=done,
            totals=totals,
            workers=run.workers,
            batch=run.batch,
            processes=run.processes,
        )
    else:
        batches = play_on_cluster(run.cluster, play, run.matches, done=done, totals=totals)
    teller = _Teller(run, progress, done)
    try:
        with _kept_by_ctrl_c(), closing(batches):
            if totals is None or not _exact(run, done, totals):
                for done, totals in batches:
                    keeper.keep(done, totals)
                    if _exact(run, done, totals):
                        break
                    teller.tell(done, totals)
    except KeyboardInterrupt:
        stopped = True
    if totals is None:
        raise KeyboardInterrupt
    keeper.keep(done, totals, last=True)
    return Ran(totals, stopped, keeper.trouble)


@contextmanager
def _kept_by_ctrl_c() -> Iterator[None]:
    """Let Ctrl-C raise here, where it would end the program at once; a second one does what it always does."""
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield
        return
    heard: list[int] = []

    def answer(number: int, _frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, before if heard else answer)
        heard.append(number)
        raise KeyboardInterrupt

    signal.signal(signal.SIGINT, answer)
    try:
        yield
    finally:
        if heard:  # it stays answered until the thread that hears it too has looked
            wait_until_looked_at()
        signal.signal(signal.SIGINT, before)


def _exact(run: Run, done: int, totals: Totals) -> bool:
    return run.until is not None and done >= _FIRST_LOOK and run.until(totals) <= 1


class _Keeper:
    """Writes checkpoints from time to time."""

    def __init__(self, run: Run, progress: Progress) -> None:
        self._run, self._progress, self._last = run, progress, monotonic()
        self.trouble = ""

    def keep(self, done: int, totals: Totals, *, last: bool = False) -> None:
        """Write the sums if it is time to, or at the end; say if the disk is full, and go on."""
        if self._run.checkpoint is None or not (last or monotonic() - self._last >= self._run.save_every):
            return
        try:
            save_checkpoint(self._run.checkpoint, self._run.name, done, totals)
            self.trouble = ""
        except OutputError as error:
            self.trouble = f"{self._run.checkpoint}: no checkpoint was written: {error}"
            if not last:
                self._progress(f"going on without a checkpoint; {error}")
        self._last = monotonic()


class _Teller:
    """Says from time to time how far a run is."""

    def __init__(self, run: Run, progress: Progress, first: int) -> None:
        self._run, self._progress, self._first = run, progress, first
        self._start = self._said = monotonic()

    def tell(self, done: int, totals: Totals) -> None:
        now = monotonic()
        spent = now - self._start
        if now - self._said < min(_SAY_LAST, max(_SAY_FIRST, spent / 20)):
            return
        self._said = now
        end = self._run.matches
        if self._run.until is not None:  # intervals shrink with the root of the number
            end = min(end, max(_FIRST_LOOK, ceil(done * self._run.until(totals) ** 2)))
        left = round((end - done) * spent / (done - self._first))
        rest = f"{left // 60}:{left % 60:02} left" if left > 0 else "adding up"
        self._progress(f"{done:,} of {'about ' if end < self._run.matches else ''}{end:,} matches, {rest}")
