"""Output of commands: results on stdout, messages on stderr, and lists in arguments."""

import atexit
import re
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import zip_longest
from typing import Any, Final, TextIO

from mapkit.console.terminal import display_width, unescaped, wrap_cell, wrap_line
from mapkit.core import heavy
from mapkit.core.characters import escape_characters
from mapkit.core.progress import Progress

_GUTTER = "  "
_JSON: Final = ("{", "[")
_EIGHTHS: Final = ("", "▏", "▎", "▍", "▌", "▋", "▊", "▉")
_NUMBER: Final = re.compile(r"\d+(\.\d+)?")
_NARROWEST_TEXT: Final = 8
_BAR_COLUMNS: Final = 20
_always_told: Final[list[bool]] = []
_output_settings: Final = {"plain": False, "quiet": False}


def set_output(*, plain: bool, quiet: bool) -> None:
    """Choose how this run prints: plain without tables, colours and moving lines, quiet without lines of progress."""
    _output_settings.update(plain=plain, quiet=quiet)


def is_plain(stream: TextIO) -> bool:
    """Return whether text on a stream is for programs: not a terminal, or `--plain` was given."""
    return _output_settings["plain"] or not stream.isatty()


def print_result(text: str) -> None:
    """Print a result; on a terminal its lines fit, except those of JSON."""
    shown = text if text.startswith(_JSON) else _fit_lines(text, sys.stdout)
    sys.stdout.write(shown if shown.endswith("\n") else shown + "\n")


def print_message(text: str) -> None:
    """Print a message; the moving line of `stages` takes it over, and must not see control characters."""
    sys.stderr.write(_fit_lines(escape_characters(text), sys.stderr) + "\n")


def _fit_lines(text: str, stream: TextIO) -> str:
    """Return a text with its lines broken at spaces to the columns of the terminal, if it goes to one."""
    if is_plain(stream):
        return text
    columns = terminal_columns()
    return "\n".join(part for line in text.split("\n") for part in wrap_line(line, columns))


def terminal_columns() -> int:
    """Return how many columns the terminal has."""
    return shutil.get_terminal_size().columns


def ask(text: str) -> None:
    """Print a question; the answer is typed in the same line."""
    sys.stderr.write(text)
    sys.stderr.flush()


def split_commas(text: str) -> list[str]:
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
        if not _output_settings["quiet"]:
            print_message(f"{self._title}: {stage} ...")

    def show_share(self, share: float) -> None:
        """Draw nothing."""


@contextmanager
def stages(title: str, *, as_json: bool = False) -> Iterator[Progress]:
    """Show the stages of a longer command: a moving line on a terminal, otherwise one line per stage.

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
    if _output_settings["quiet"] or is_plain(sys.stderr):
        yield _StageLines(title)
        return
    line = _StatusLine(title)
    with line.status as status:
        atexit.register(status.stop)  # where Ctrl-C ends the program without its main thread, it moves no more
        try:
            yield line
        finally:
            atexit.unregister(status.stop)


def table(
    head: Sequence[str], rows: Iterable[Sequence[object]], *, right: Sequence[int] = (), bars: int | None = None
) -> str:
    """Lay out a table; the columns in `right` are flush right.

    On a terminal with room for them, the numbers of column `bars` are drawn as bars too. On a narrow terminal, texts
    take several lines; on one narrower than the numbers, each cell takes a line.
    """
    cells = [list(head), *([escape_characters(str(cell)) for cell in row] for row in rows)]
    widths = [max(display_width(row[i]) for row in cells) for i in range(len(head))]
    if not is_plain(sys.stdout):
        columns = terminal_columns() - len(_GUTTER) * (len(widths) - 1)
        least = [
            max((display_width(row[i]) for row in cells[1:]), default=0) if i in right else min(width, _NARROWEST_TEXT)
            for i, width in enumerate(widths)
        ]
        if bars is not None and sum(widths) + _BAR_COLUMNS + len(_GUTTER) <= columns:
            cells = [[*row, bar] for row, bar in zip(cells, _draw_bars([row[bars] for row in cells]), strict=True)]
            widths.append(_BAR_COLUMNS)
            least.append(_BAR_COLUMNS)
        if sum(least) > columns:
            return "\n".join(_stack_cells(cells))
        widths = _narrow_columns(widths, least, columns)
    return "\n".join(line for row in cells for line in _format_row(row, widths, right))


def _draw_bars(cells: Sequence[str]) -> list[str]:
    """Return a bar for each cell that begins with a number not below 0, the greatest as long as a bar may be."""
    values = [float(found[0]) if (found := _NUMBER.match(cell)) else 0.0 for cell in cells]
    most = max(values) or 1.0
    eighths = [round(8 * _BAR_COLUMNS * value / most) for value in values]
    return ["█" * (count // 8) + _EIGHTHS[count % 8] for count in eighths]


def _stack_cells(cells: Sequence[Sequence[str]]) -> Iterator[str]:
    head, *rows = cells
    for row in rows:
        yield from (f"{name}: {cell}" for name, cell in zip(head, row, strict=True) if cell)
        yield ""


def _narrow_columns(widths: Sequence[int], least: Sequence[int], columns: int) -> list[int]:
    """Return widths that fit into the columns of a terminal: the widest give way, none below its least."""
    narrowed = list(widths)
    while sum(narrowed) > columns:
        _, widest = max((width, i) for i, width in enumerate(narrowed) if width > least[i])
        narrowed[widest] -= 1
    return narrowed


def _format_row(row: Sequence[str], widths: Sequence[int], right: Sequence[int]) -> Iterator[str]:
    parts = [wrap_cell(cell, width) for cell, width in zip(row, widths, strict=True)]
    for line in zip_longest(*parts, fillvalue=""):
        yield _GUTTER.join(
            _pad_cell(cell, width, right=i in right) for i, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()


def _pad_cell(cell: str, width: int, *, right: bool) -> str:
    space = " " * (width - display_width(cell))
    return space + cell if right else cell + space
