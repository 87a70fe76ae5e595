"""Moving line of a terminal: what a command is doing, how much of it is done, and the time left.

The time left follows from the share of the stage that is done, or from how long the same command took last time.
"""

import atexit
import json
import re
import sys
from contextlib import suppress
from threading import Lock, Timer
from time import monotonic
from typing import Any, Final

from mapkit.console.terminal import unescaped
from mapkit.core import heavy
from mapkit.core.characters import escape_characters
from mapkit.core.kept import cache_folder, replace_own

_DELAY_S: Final = 1.0
"""Commands without stages get a line after this time."""
_LONG_S: Final = 2.0
_MOST_KEPT: Final = 200
_BAR_COLUMNS: Final = 20
_COUNTED: Final = re.compile(r"([\d,]+) of ([\d,]+)")
_FILE: Final = "durations.json"


class MovingLine:
    """Line with a title, a stage and, where it is known, a bar of the share that is done and the time left.

    Titles and stages hold names that users chose, so they are never markup of rich.
    """

    def __init__(self, title: str) -> None:
        self.title, self._stage = title, ""
        self._share: float | None = None
        self._began = self._stage_began = monotonic()
        self._expected_s = _read_durations().get(title)
        self._status: Any = None
        self._lock = Lock()
        self._timer = Timer(_DELAY_S, self._show)
        self._timer.daemon = True
        self._timer.start()

    def __call__(self, stage: str) -> None:
        """Begin a stage; one that says `3 of 8` is done to that share."""
        counts = _COUNTED.search(stage)
        done, total = (float(count.replace(",", "") or 0) for count in counts.groups()) if counts else (0.0, 0.0)
        kind = _COUNTED.sub("", stage)
        if kind != _COUNTED.sub("", self._stage):
            self._stage_began = monotonic()
        self._stage, self._share = stage, min(1.0, done / total) if total else None
        self._show()

    def show_share(self, share: float) -> None:
        """Draw how much of the stage is done, 0 to 1."""
        self._share = share

    def end(self) -> None:
        """Take the line away; how long a long command took is kept."""
        self._timer.cancel()
        with self._lock:
            status, self._status = self._status, False
        if status:
            status.stop()
            atexit.unregister(status.stop)
            if (took := monotonic() - self._began) > _LONG_S:
                folder = cache_folder()
                if folder is not None:
                    newest = [*({**_read_durations(), self.title: round(took, 1)}.items())][-_MOST_KEPT:]
                    with suppress(OSError):
                        replace_own(folder / _FILE, json.dumps(dict(newest)).encode())

    def _show(self) -> None:
        self._timer.cancel()
        with self._lock:
            if self._status is not None:
                return
            self._status = heavy.console.Console(file=unescaped(sys.stderr)).status(self)
            atexit.register(
                self._status.stop
            )  # where Ctrl-C ends the program without its main thread, it moves no more
            self._status.start()

    def __rich__(self) -> "heavy.Text":
        """Return the line as it is now."""
        said = f"{self.title}: {self._stage}" if self._stage else self.title
        text = heavy.Text(f"{escape_characters(said)} ...", no_wrap=True, overflow="ellipsis")
        now = monotonic()
        if self._share is not None:
            done = int(self._share * _BAR_COLUMNS)
            text.append(f" {'━' * done}{'─' * (_BAR_COLUMNS - done)} {self._share:.0%}")
        elapsed_s = now - self._began
        if self._share:
            left_s = (now - self._stage_began) * (1 - self._share) / self._share
            text.append(f", {_format_seconds(left_s)} left")
        elif self._expected_s is not None and elapsed_s < self._expected_s:
            text.append(f" {_format_seconds(self._expected_s - elapsed_s)} left")
        elif elapsed_s > _LONG_S:
            text.append(f" {_format_seconds(elapsed_s)}")
        return text


def _format_seconds(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


def _read_durations() -> dict[str, float]:
    """Return how long commands took last time, by their titles."""
    folder = cache_folder()
    with suppress(OSError, ValueError):
        found = json.loads((folder / _FILE).read_bytes()) if folder else {}
        return {str(title): float(took) for title, took in found.items()}
    return {}
