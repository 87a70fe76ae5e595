"""Worker process that reads a PDF from standard input, with limits, and writes its words and pictures.

The parent process holds its standard input open meanwhile; when the parent ends for any reason, this process ends too.
"""

import os
import sys
import threading
from typing import Final

import msgspec

from mapkit.formats.marks import looks_like_amount
from mapkit.formats.pdf.glyphs import MAX_PICTURES, RefusedError, read_pages, render_pages
from mapkit.formats.pdf.reading import ALL, LENGTH, PICTURES, REFUSED
from mapkit.formats.pdf.word import Page

if sys.platform == "linux":
    import resource

_MEMORY_LIMIT: Final = 2 * 2**30
_FEWEST_AMOUNTS: Final = 6
"""Amounts on a page that is worth looking at."""


def main() -> None:
    """Read a PDF and write its pages, or the reason for refusing it."""
    if sys.platform == "linux":
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_LIMIT, _MEMORY_LIMIT))
    page_argument = sys.argv[1]
    chosen_pages = None if page_argument == ALL else [int(page) for page in page_argument.split(",")]
    data = sys.stdin.buffer.read(int.from_bytes(sys.stdin.buffer.read(LENGTH), "big"))
    threading.Thread(target=_end_with_parent, daemon=True).start()
    try:
        if sys.argv[2] == PICTURES:
            answer = msgspec.msgpack.encode(render_pages(data, chosen_pages))
        else:
            pages = read_pages(data, chosen_pages)
            answer = msgspec.msgpack.encode((pages, _render_tables(data, pages)))
    except RefusedError as error:
        sys.stdout.buffer.write(str(error).encode())
        sys.exit(REFUSED)
    sys.stdout.buffer.write(answer)


def _render_tables(data: bytes, pages: list[Page]) -> list[tuple[int, float, int, int, bytes]]:
    """Return pictures of the pages with several amounts; none if there are more than `MAX_PICTURES` such pages."""
    table_pages = [
        page.number for page in pages if sum(looks_like_amount(word.text) for word in page.words) >= _FEWEST_AMOUNTS
    ]
    return render_pages(data, table_pages) if 0 < len(table_pages) <= MAX_PICTURES else []


def _end_with_parent() -> None:
    os.read(0, 1)
    os._exit(1)  # the parent has ended, so there is no one to report to


if __name__ == "__main__":
    main()
