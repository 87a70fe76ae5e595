"""Warp of the printed page, held constant while an author works on it.

Print solves the warp again for every board. In the editor this would make the whole page jump, so the page keeps the
warp of one moment, by its digest, until the author asks for a new one.
"""

import hashlib
import threading
from collections import deque
from dataclasses import dataclass
from typing import Final

from mapkit.drawing.theme.sizes import Sizes
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.render.page_areas import page_areas
from mapkit.kinds.rail.render.spread.displace import displace
from mapkit.kinds.rail.render.spread.warps import Steps, WarpStep


@dataclass(frozen=True)
class PageWarp:
    """Warp of the page that was solved for one moment of a board.

    Args:
        digest: Identifier of the warp; empty for the true map.
        steps: One after the other; none where nothing is crowded.
    """

    digest: str
    steps: tuple[WarpStep, ...]


UNMOVED: Final = PageWarp("", ())
"""The true map."""
_CACHE_LOCK: Final = threading.Lock()
_RECENT_WARPS: Final[deque[PageWarp]] = deque(maxlen=8)


def solve_page(board: Board, sizes: Sizes) -> PageWarp:
    """Solve the warp of the printed page for a board as it is now; `known_warp` finds it again."""
    page_warp = displace(board, sizes, page_areas(board)[0]).warp
    warp_steps = page_warp.steps if isinstance(page_warp, Steps) else ()
    step_bytes = b"".join(repr(step.frame).encode() + step.knots.tobytes() for step in warp_steps)
    solved_warp = PageWarp(hashlib.sha256(step_bytes).hexdigest()[:16], warp_steps)
    with _CACHE_LOCK:
        if all(cached_warp.digest != solved_warp.digest for cached_warp in _RECENT_WARPS):
            _RECENT_WARPS.append(solved_warp)
    return solved_warp


def known_warp(digest: str) -> PageWarp | None:
    """Return a warp that was solved before, or the true map; None if it is not cached any more."""
    if not digest:
        return UNMOVED
    with _CACHE_LOCK:
        return next((cached_warp for cached_warp in _RECENT_WARPS if cached_warp.digest == digest), None)
