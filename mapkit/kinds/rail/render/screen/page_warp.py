"""Warp of the printed page, held constant while an author works on it.

Printing solves the warp again for every board. In the editor, this would make the whole map jump after each edit, so
the editor's page refers to a cached warp by its digest until the author requests a new one.
"""

import hashlib
import threading
from collections import deque
from dataclasses import dataclass
from typing import Final

from mapkit.drawing.theme.sizes import Sizes
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.render.page_areas import divide_page
from mapkit.kinds.rail.render.spread.displacement import displace_board
from mapkit.kinds.rail.render.spread.warps import Steps, WarpStep


@dataclass(frozen=True)
class PageWarp:
    """Warp of the page, solved for one state of a board.

    Args:
        digest: Identifier of the warp; empty for the map without a warp.
        steps: Steps in order of application; empty if nothing is crowded.
    """

    digest: str
    steps: tuple[WarpStep, ...]


UNMOVED: Final = PageWarp("", ())
"""The map without a warp."""
_CACHE_LOCK: Final = threading.Lock()
_RECENT_WARPS: Final[deque[PageWarp]] = deque(maxlen=8)


def solve_page(board: Board, sizes: Sizes) -> PageWarp:
    """Solve the warp of the printed page for a board, and cache it for `find_cached_warp`."""
    page_warp = displace_board(board, sizes, divide_page(board)[0]).warp
    warp_steps = page_warp.steps if isinstance(page_warp, Steps) else ()
    step_bytes = b"".join(repr(step.frame).encode() + step.knots.tobytes() for step in warp_steps)
    solved_warp = PageWarp(hashlib.sha256(step_bytes).hexdigest()[:16], warp_steps)
    with _CACHE_LOCK:
        if all(cached_warp.digest != solved_warp.digest for cached_warp in _RECENT_WARPS):
            _RECENT_WARPS.append(solved_warp)
    return solved_warp


def find_cached_warp(digest: str) -> PageWarp | None:
    """Return a cached warp by its digest, or `UNMOVED` for an empty digest; None if it is no longer cached."""
    if not digest:
        return UNMOVED
    with _CACHE_LOCK:
        return next((cached_warp for cached_warp in _RECENT_WARPS if cached_warp.digest == digest), None)
