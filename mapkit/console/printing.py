"""Output of commands: results on stdout, messages on stderr, and lists in arguments."""

import re
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from itertools import zip_longest
from typing import Final, TextIO

from mapkit.console import texts
from mapkit.console.terminal import display_width, wrap_cell, wrap_line
from mapkit.core.characters import escape_characters
from mapkit.core.progress import Progress

_GUTTER = "  "
_JSON: Final = ("{", "[")
_EIGHTHS: Final = ("", "▏", "▎", "▍", "▌", "▋", "▊", "▉")
_BLOCKS: Final = "▁▂▃▄▅▆▇█"
_NUMBER: Final = re.compile(r"\d+(\.\d+)?")
_RULES: Final = re.compile(r" \((?:RB|BA|RW)-[^()]*\)")
_NARROWEST_TEXT: Final = 8
_BAR_COLUMNS: Final = 20
_always_told: Final[list[bool]] = []
_moving_lines: Final[list["texts.MovingLine"]] = []
_output_settings: Final = {"plain": False, "quiet": False, "verbose": False}


def set_output(*, plain: bool, quiet: bool, verbose: bool) -> None:
    """Choose how this run prints.

    Args:
        plain: Without tables, colours and moving lines.
        quiet: Without lines of progress.
        verbose: With the ids of the rows of the rules, such as RB-F03.
    """
    _output_settings.update(plain=plain, quiet=quiet, verbose=verbose)


def names_rules() -> bool:
    """Return whether `--verbose` was given, so that ids of rows of the rules are printed."""
    return _output_settings["verbose"]


def without_rules(text: str) -> str:
    """Return a text without ids of rows of the rules in brackets, unless `--verbose` was given."""
    return text if names_rules() else _RULES.sub("", text)


def is_plain(stream: TextIO) -> bool:
    """Return whether text on a stream is for programs: not a terminal, or `--plain` was given."""
    return _output_settings["plain"] or not stream.isatty()


def print_result(text: str) -> None:
    """Print a result; on a terminal its lines fit, except those of JSON."""
    end_moving_line()
    shown = text if text.startswith(_JSON) else _fit_lines(text, sys.stdout)
    sys.stdout.write(shown if shown.endswith("\n") else shown + "\n")


def print_message(text: str) -> None:
    """Print a message; the moving line takes it over, and must not see control characters."""
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


def ask(text: str) -> str:
    """Print a question, and return the line that is typed behind it; an empty text at the end of input."""
    end_moving_line()
    sys.stderr.write(text)
    sys.stderr.flush()
    return sys.stdin.readline()


def can_ask() -> bool:
    """Return whether there is a terminal to ask on."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def split_commas(text: str) -> list[str]:
    """Return the parts of a text with commas, without space around them; empty ones are left out."""
    return [part.strip() for part in text.split(",") if part.strip()]


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
    if _output_settings["quiet"] or is_plain(sys.stderr):
        progress: Progress = _StageLines(title)
    elif _moving_lines:
        _moving_lines[0].title, progress = title, _moving_lines[0]
    else:
        with _moving_line(title) as progress:
            yield _without_share(progress) if as_json and not _always_told else progress
        return
    yield _without_share(progress) if as_json and not _always_told else progress


def _without_share(progress: Progress) -> Progress:
    return lambda stage: progress(stage)  # noqa: PLW0108 - which, unlike `progress`, is no `ProgressBar`


@contextmanager
def _moving_line(title: str) -> Iterator[Progress]:
    line = texts.MovingLine(title)
    _moving_lines.append(line)
    try:
        yield line
    finally:
        end_moving_line()


def end_moving_line() -> None:
    """Take the moving line away before a result or a question is printed."""
    while _moving_lines:
        _moving_lines.pop().end()


def with_moving_line(function: Callable[..., object], title: str) -> Callable[..., object]:
    """Return the function of a command with a moving line on a terminal, if it takes long."""

    @wraps(function)
    def watched(**values: object) -> object:
        with stages(title):
            return function(**values)

    return watched


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
        narrowed = list(widths)
        while sum(narrowed) > columns:
            _, widest = max((width, i) for i, width in enumerate(narrowed) if width > least[i])
            narrowed[widest] -= 1
        widths = narrowed
    return "\n".join(line for row in cells for line in _format_row(row, widths, right))


def draw_sparkline(values: Iterable[float]) -> str:
    """Return a series as a line of blocks on a terminal, nothing elsewhere; values are 0 or more."""
    series = [] if is_plain(sys.stdout) else list(values)
    most = max(series, default=0.0) or 1.0
    return "".join(_BLOCKS[round((len(_BLOCKS) - 1) * value / most)] for value in series)


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


def _format_row(row: Sequence[str], widths: Sequence[int], right: Sequence[int]) -> Iterator[str]:
    parts = [wrap_cell(cell, width) for cell, width in zip(row, widths, strict=True)]
    for line in zip_longest(*parts, fillvalue=""):
        yield _GUTTER.join(
            _pad_cell(cell, width, right=i in right) for i, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()


def _pad_cell(cell: str, width: int, *, right: bool) -> str:
    space = " " * (width - display_width(cell))
    return space + cell if right else cell + space
