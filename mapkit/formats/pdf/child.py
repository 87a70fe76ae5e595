"""The process that reads a PDF: from its standard input, with limits; it writes the pages as JSON, or as pictures.

Whoever began it holds its standard input open meanwhile. When that one ends, whatever ended it, this ends too.
"""

import os
import sys
import threading
from typing import Final

import msgspec

from mapkit.formats.pdf.glyphs import RefusedError, page_pictures, read_pages
from mapkit.formats.pdf.reading import ALL, LENGTH, PICTURES, REFUSED

if sys.platform == "linux":
    import resource

_MEMORY: Final = 2 * 2**30


def main() -> None:
    """Read a PDF and write its pages, or why it is refused."""
    if sys.platform == "linux":
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    said = sys.argv[1]
    chosen = None if said == ALL else [int(page) for page in said.split(",")]
    data = sys.stdin.buffer.read(int.from_bytes(sys.stdin.buffer.read(LENGTH), "big"))
    threading.Thread(target=_end_with_parent, daemon=True).start()
    try:
        if PICTURES in sys.argv[2:]:
            answer = msgspec.msgpack.encode(page_pictures(data, chosen))
        else:
            answer = msgspec.json.encode(read_pages(data, chosen))
    except RefusedError as error:
        sys.stdout.buffer.write(str(error).encode())
        sys.exit(REFUSED)
    sys.stdout.buffer.write(answer)


def _end_with_parent() -> None:
    os.read(0, 1)
    os._exit(1)  # nobody is there to be told


if __name__ == "__main__":
    main()
