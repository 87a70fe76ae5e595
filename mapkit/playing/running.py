"""Long runs of matches: progress, a stop at the wanted precision, Ctrl-C, and checkpoints."""

import re
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from time import monotonic
from typing import Final, NoReturn

from mapkit.console.interrupts import respond_to_first_interrupt
from mapkit.core.base import Frozen
from mapkit.core.errors import OutputError
from mapkit.core.progress import Progress, quiet
from mapkit.playing.batches import BATCH, Play, play_batches
from mapkit.playing.checkpoints import read_checkpoint, save_checkpoint
from mapkit.playing.clusters import play_on_cluster
from mapkit.playing.figures import Totals

SAVE_EVERY: Final = 10.0
"""Seconds between checkpoints."""
_FIRST_REPORT_SECONDS, _LAST_REPORT_SECONDS = 0.5, 10.0
"""Seconds between two words on how far a run is: short at first."""
_PROGRESS_PATTERN: Final = re.compile(r"([\d,]+) of (?:about )?([\d,]+) matches, (?:(\d+):(\d\d) left)?")


class RunProgress(Frozen):
    """Progress of a run: matches played, expected last match, seconds left."""

    done: int
    end: int
    left: int


def parse_progress(said: str) -> RunProgress | None:
    """Parse the progress of a run from its progress message; None for another message."""
    progress_match = _PROGRESS_PATTERN.match(said)
    if progress_match is None:
        return None
    done, last_match, minutes, seconds = (int((part or "0").replace(",", "")) for part in progress_match.groups())
    return RunProgress(done=done, end=last_match, left=60 * minutes + seconds)


class EndedRun:
    """Result of a run of many matches.

    `stopped` if Ctrl-C ended it before all were played; `unsaved` says why the checkpoint was not written at the end,
    and is empty if it was; `notes` are further sentences for the user.
    """

    stopped: bool
    unsaved: str
    notes: tuple[str, ...]

    @property
    def exit_code(self) -> int:
        """Return 1 if the checkpoint was not written."""
        return int(bool(self.unsaved))


@dataclass(frozen=True)
class Run:
    """Length and options of a run.

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
        least: Matches before `until` may end it.
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
    least: int = 1_000


@dataclass(frozen=True)
class RunResult:
    """Sums of a run; `stopped` if Ctrl-C ended it, `unsaved` is the reason if its last checkpoint was not written."""

    totals: Totals
    stopped: bool = False
    unsaved: str = ""


def run_matches(play: Play, run: Run, progress: Progress = quiet) -> RunResult:
    """Play the remaining matches of a run, and return the sums of all its matches.

    If a checkpoint cannot be written, the run continues without it.

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
    checkpoint_writer = _CheckpointWriter(run, progress)
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
    progress_reporter = _ProgressReporter(run, progress, done)
    try:
        with respond_to_first_interrupt(_raise_interrupt), closing(batches):
            if totals is None or not _is_exact_enough(run, done, totals):
                for done, totals in batches:
                    checkpoint_writer.keep(done, totals)
                    if _is_exact_enough(run, done, totals):
                        break
                    progress_reporter.tell(done, totals)
    except KeyboardInterrupt:
        stopped = True
    if totals is None:
        raise KeyboardInterrupt
    checkpoint_writer.keep(done, totals, last=True)
    return RunResult(totals, stopped, checkpoint_writer.trouble)


def _raise_interrupt() -> NoReturn:
    raise KeyboardInterrupt


def _is_exact_enough(run: Run, done: int, totals: Totals) -> bool:
    return run.until is not None and done >= run.least and run.until(totals) <= 1


class _CheckpointWriter:
    """Writer of periodic checkpoints."""

    def __init__(self, run: Run, progress: Progress) -> None:
        self._run, self._progress, self._last = run, progress, monotonic()
        self.trouble = ""

    def keep(self, done: int, totals: Totals, *, last: bool = False) -> None:
        """Write the sums if it is time, or at the end; report a full disk, and continue."""
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


class _ProgressReporter:
    """Reporter of periodic progress messages."""

    def __init__(self, run: Run, progress: Progress, first: int) -> None:
        self._run, self._progress, self._first = run, progress, first
        self._start = self._last_report = monotonic()

    def tell(self, done: int, totals: Totals) -> None:
        now = monotonic()
        spent_seconds = now - self._start
        if now - self._last_report < min(_LAST_REPORT_SECONDS, max(_FIRST_REPORT_SECONDS, spent_seconds / 20)):
            return
        self._last_report = now
        last_match = self._run.matches
        if self._run.until is not None:  # intervals shrink with the root of the number
            last_match = min(last_match, max(self._run.least, ceil(done * self._run.until(totals) ** 2)))
        left_seconds = round((last_match - done) * spent_seconds / (done - self._first))
        rest_text = f"{left_seconds // 60}:{left_seconds % 60:02} left" if left_seconds > 0 else "adding up"
        self._progress(
            f"{done:,} of {'about ' if last_match < self._run.matches else ''}{last_match:,} matches, {rest_text}"
        )
