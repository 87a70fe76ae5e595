"""What commands print: results on stdout, talk on stderr; and lists in what they are given."""

import atexit
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from mapkit.core import heavy
from mapkit.core.characters import escape_characters
from mapkit.core.progress import Progress

_GUTTER = "  "


def result(text: str) -> None:
    """Print a result, with characters that steer a terminal as escapes."""
    text = escape_characters(text)
    sys.stdout.write(text if text.endswith("\n") else text + "\n")


def talk(text: str) -> None:
    """Print a message, with characters that steer a terminal as escapes."""
    sys.stderr.write(escape_characters(text) + "\n")


def ask(text: str) -> None:
    """Print a question; the answer is typed in the same line."""
    sys.stderr.write(escape_characters(text))
    sys.stderr.flush()


def listed(text: str) -> list[str]:
    """Return the parts of a text with commas, without space around them; empty ones are left out."""
    return [part.strip() for part in text.split(",") if part.strip()]


@contextmanager
def stages(title: str) -> Iterator[Progress]:
    """Show what a longer command is doing: a moving line on a terminal, otherwise one line per stage."""
    if not sys.stderr.isatty():
        yield lambda stage: talk(f"{title}: {stage} ...")
        return
    with heavy.console.Console(stderr=True).status(escape_characters(f"{title} ...")) as status:
        atexit.register(status.stop)  # where Ctrl-C ends the program without its main thread, it moves no more
        try:
            yield lambda stage: status.update(escape_characters(f"{title}: {stage} ..."))
        finally:
            atexit.unregister(status.stop)


def table(head: Sequence[str], rows: Iterable[Sequence[object]], *, right: Sequence[int] = ()) -> str:
    """Lay out a table in columns; columns whose numbers are in `right` are flush right."""
    cells = [list(head), *([str(cell) for cell in row] for row in rows)]
    widths = [max(len(row[i]) for row in cells) for i in range(len(head))]
    lines = (
        _GUTTER.join(
            cell.rjust(width) if i in right else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in cells
    )
    return "\n".join(lines)
