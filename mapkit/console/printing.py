"""What commands print: results on stdout, talk on stderr; and lists in what they are given."""

import atexit
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

from mapkit.console.terminal import display_width, unescaped
from mapkit.core import heavy
from mapkit.core.characters import escape_characters
from mapkit.core.progress import Progress

_GUTTER = "  "
_BAR_COLUMNS: Final = 20
_always_told: Final[list[bool]] = []


def result(text: str) -> None:
    """Print a result."""
    sys.stdout.write(text if text.endswith("\n") else text + "\n")


def talk(text: str) -> None:
    """Print a message; the moving line of `stages` takes it over, and must not see control characters."""
    sys.stderr.write(escape_characters(text) + "\n")


def ask(text: str) -> None:
    """Print a question; the answer is typed in the same line."""
    sys.stderr.write(text)
    sys.stderr.flush()


def listed(text: str) -> list[str]:
    """Return the parts of a text with commas, without space around them; empty ones are left out."""
    return [part.strip() for part in text.split(",") if part.strip()]


class _StatusLine:
    """Moving line of a terminal: title, stage and, where it is known, a bar of the stage's share that is done.

    Titles and stages hold names that users chose, so they are never markup of rich.
    """

    def __init__(self, title: str) -> None:
        self._title, self._stage = title, ""
        self.status: Any = heavy.console.Console(file=unescaped(sys.stderr)).status(self._text(""))

    def __call__(self, stage: str) -> None:
        self._stage = stage
        self.status.update(self._text(""))

    def show_share(self, share: float) -> None:
        """Draw how much of the stage is done, 0 to 1."""
        done = int(share * _BAR_COLUMNS)
        self.status.update(self._text(f" {'━' * done}{'─' * (_BAR_COLUMNS - done)} {share:.0%}"))

    def _text(self, bar: str) -> "heavy.Text":
        said = f"{self._title}: {self._stage}" if self._stage else self._title
        return heavy.Text(f"{escape_characters(said)} ...{bar}")


def always_tell_stages() -> None:
    """Show all stages with `--json` too: the program that began this process reads them."""
    _always_told.append(True)


class _StageLines:
    """A line for each stage, where there is no terminal to draw a bar on."""

    def __init__(self, title: str) -> None:
        self._title = title

    def __call__(self, stage: str) -> None:
        talk(f"{self._title}: {stage} ...")

    def show_share(self, share: float) -> None:
        """Draw nothing."""


@contextmanager
def stages(title: str, *, as_json: bool = False) -> Iterator[Progress]:
    """Show what a longer command is doing: a moving line on a terminal, otherwise one line per stage.

    Args:
        title: The command, in a few words.
        as_json: Whether the result is JSON; then nothing is shown that is for people alone, such as bars.
    """
    with _shown_stages(title) as progress:
        if as_json and not _always_told:
            yield lambda stage: progress(stage)  # noqa: PLW0108 - which, unlike `progress`, is no `ProgressBar`
        else:
            yield progress


@contextmanager
def _shown_stages(title: str) -> Iterator[Progress]:
    if not sys.stderr.isatty():
        yield _StageLines(title)
        return
    line = _StatusLine(title)
    with line.status as status:
        atexit.register(status.stop)  # where Ctrl-C ends the program without its main thread, it moves no more
        try:
            yield line
        finally:
            atexit.unregister(status.stop)


def table(head: Sequence[str], rows: Iterable[Sequence[object]], *, right: Sequence[int] = ()) -> str:
    """Lay out a table in columns; columns whose numbers are in `right` are flush right."""
    cells = [list(head), *([escape_characters(str(cell)) for cell in row] for row in rows)]
    widths = [max(display_width(row[i]) for row in cells) for i in range(len(head))]
    return "\n".join(
        _GUTTER.join(
            _padded(cell, width, right=i in right) for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in cells
    )


def _padded(cell: str, width: int, *, right: bool) -> str:
    space = " " * (width - display_width(cell))
    return space + cell if right else cell + space
