"""The process that reads a PDF: from its standard input, with limits; it writes the pages as JSON, or as pictures."""

import sys
from typing import Final

import msgspec

from mapkit.formats.pdf.glyphs import RefusedError, page_pictures, read_pages
from mapkit.formats.pdf.reading import ALL, PICTURES, REFUSED

if sys.platform == "linux":
    import resource

_MEMORY: Final = 2 * 2**30


def main() -> None:
    """Read a PDF and write its pages, or why it is refused."""
    if sys.platform == "linux":
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    said = sys.argv[1]
    chosen = None if said == ALL else [int(page) for page in said.split(",")]
    data = sys.stdin.buffer.read()
    try:
        if PICTURES in sys.argv[2:]:
            answer = msgspec.msgpack.encode(page_pictures(data, chosen))
        else:
            answer = msgspec.json.encode(read_pages(data, chosen))
    except RefusedError as error:
        sys.stdout.buffer.write(str(error).encode())
        sys.exit(REFUSED)
    sys.stdout.buffer.write(answer)


if __name__ == "__main__":
    main()
