"""Pages of a PDF, read in a worker process with limits on time and memory."""

import os
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from mapkit.core.errors import SourceError
from mapkit.formats.files import read_bytes
from mapkit.formats.pdf.guard import is_pdf, refuse_hostile
from mapkit.formats.pdf.word import Page

Grey = NDArray[np.uint8]
_PackedPicture = tuple[int, float, int, int, bytes]
"""Number of a page, pixels a point, width, height, and pixels row by row."""

_MAX_SECONDS: Final = 60
REFUSED: Final = 3
"""The exit code of the process that refuses a file."""
ALL: Final = "-"
"""Its argument where all pages are read."""
PICTURES: Final = "pictures"
SHOWN: Final = "shown"
"""Requested output: pictures of the pages, or their words and pictures of those with tables."""
LENGTH: Final = 8
"""Bytes before the data that say how long it is."""
_CHILD_MODULE: Final = "mapkit.formats.pdf.child"


def read_pdf_pages(
    path: Path, *, file: str, chosen: Sequence[int] | None = None
) -> tuple[list[Page], dict[int, tuple[float, Grey]]]:
    """Return the words of the pages of a PDF, and pictures of the pages with tables of amounts.

    Args:
        path: The file.
        file: Its name in messages.
        chosen: The pages that are read, from 1; all by default.

    Returns:
        The pages. Number of a page with amounts -> pixels a point, and its picture, shape (height, width); none if
        there are very many such pages.

    Raises:
        SourceError: It is not a PDF, it is encrypted, damaged or too large, or it takes too long.
        WorkspaceError: It is not readable.
    """
    packed_answer = _run_child(_read_checked(path, file), chosen, file, SHOWN)
    pages, pictures = msgspec.msgpack.decode(packed_answer, type=tuple[list[Page], list[_PackedPicture]])
    return pages, {number: (scale, grey) for number, scale, grey in map(_unpack_picture, pictures)}


def render_pdf_pages(path: Path, *, file: str, chosen: Sequence[int] | None = None) -> list[tuple[int, float, Grey]]:
    """Return pages of a PDF as grey pictures: number, pixels a point, and the picture, shape (height, width).

    Args:
        path: The file.
        file: Its name in messages.
        chosen: As for `pdf_pages`.

    Raises:
        SourceError: As for `pdf_pages`, or there are too many pages to be read from pictures.
        WorkspaceError: It is not readable.
    """
    packed_answer = _run_child(_read_checked(path, file), chosen, file, PICTURES)
    return [_unpack_picture(picture) for picture in msgspec.msgpack.decode(packed_answer, type=list[_PackedPicture])]


def _unpack_picture(picture: _PackedPicture) -> tuple[int, float, Grey]:
    number, scale, wide, high, pixels = picture
    return number, scale, np.frombuffer(pixels, dtype=np.uint8).reshape(high, wide)


def _read_checked(path: Path, file: str) -> bytes:
    data = read_bytes(path, name=file)
    if not is_pdf(data):
        raise SourceError(f"{file}: not a PDF; its first bytes are {data[:8]!r}")
    refuse_hostile(data, file=file)
    return data


def _run_child(data: bytes, chosen: Sequence[int] | None, file: str, how: str) -> bytes:
    """Return the output of the worker process that reads the file; a crash or timeout counts as a fault of the file."""
    page_argument = ",".join(map(str, chosen)) if chosen else ALL
    python_path = os.pathsep.join(entry or str(Path.cwd()) for entry in sys.path)
    exit_code, child_output = _send_to_process(
        [sys.executable, "-P", "-m", _CHILD_MODULE, page_argument, how],
        data,
        os.environ | {"PYTHONPATH": python_path, "PYTHONUTF8": "1"},
    )
    if exit_code is None:
        raise SourceError(
            f"{file}: not read after {_MAX_SECONDS} seconds; print the pages of the chart to a PDF of their own"
        )
    if exit_code == REFUSED:
        raise SourceError(f"{file}: {child_output.decode('utf-8', 'replace')}")
    if exit_code:
        raise SourceError(f"{file}: the PDF is damaged; open it in a viewer and print it to a new PDF")
    return child_output


def _send_to_process(command: Sequence[str], data: bytes, environment: dict[str, str]) -> tuple[int | None, bytes]:
    """Return exit code and output of a process that was sent data; no code if it exceeds the time limit.

    Its standard input stays open, which tells the process that its parent is still running.
    """
    process = subprocess.Popen(  # noqa: S603 - this program, and no word of the file among its arguments
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment
    )
    timed_out = threading.Event()

    def kill_late() -> None:
        timed_out.set()
        process.kill()

    kill_timer = threading.Timer(_MAX_SECONDS, kill_late)
    kill_timer.daemon = True
    kill_timer.start()
    try:
        assert process.stdin is not None  # noqa: S101 - they are pipes
        assert process.stdout is not None  # noqa: S101 - see above
        with suppress(OSError):  # it may end before it has read all
            process.stdin.write(len(data).to_bytes(LENGTH, "big") + data)
            process.stdin.flush()
        child_output = process.stdout.read()
        exit_code = process.wait()
    finally:
        kill_timer.cancel()
        process.kill()
        with suppress(OSError):
            process.communicate()
    return (None if timed_out.is_set() else exit_code), child_output
