"""Limits of requests, sent to pages first, so that they refuse too large files themselves."""

from collections.abc import Mapping
from typing import Any, Final

from typing_extensions import TypedDict

from mapkit.editor.server.pictures import MAX_BYTES
from mapkit.kinds.kind import Kind

STEP: Final = 4 * 2**20
"""The largest message of a page on the socket, bytes; a whole payoff chart pasted is far smaller."""
REQUEST: Final = 4 * 2**20
"""The largest body of a request, bytes, except files."""
PICTURES: Final = "/api/pictures"


class Limits(TypedDict):
    """The most bytes of a step, of any other request, and of the files that addresses take, by their path."""

    step: int
    request: int
    files: Mapping[str, int]


FILES: Final = "/api/begin-file"
AT_START: Final[Limits] = {"step": STEP, "request": REQUEST, "files": {FILES: MAX_BYTES}}
"""The limits while no board is open: a file may become one."""


def limits_of(kind: Kind[Any, Any]) -> Limits:
    """Return the limits for pages of a kind."""
    return {"step": STEP, "request": REQUEST, "files": {PICTURES: MAX_BYTES, **kind.uploads()}}
