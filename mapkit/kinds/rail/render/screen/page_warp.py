"""How the printed page moves what is crowded, held while an author works on it.

Print solves this for every board that it draws. Under the hand of an author that would make the whole page jump, so the
page keeps the warp of one moment, by its digest, until its author asks for another one.
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
    """What was solved for one moment of a board.

    Args:
        digest: Says which warp it is; empty for the true map.
        steps: One after the other; none where nothing is crowded.
    """

    digest: str
    steps: tuple[WarpStep, ...]


UNMOVED: Final = PageWarp("", ())
"""The true map."""
_LOCK: Final = threading.Lock()
_SOLVED: Final[deque[PageWarp]] = deque(maxlen=8)


def solve_page(board: Board, sizes: Sizes) -> PageWarp:
    """Return how the printed page moves a board as it is now; `known_warp` finds it again."""
    found = displace(board, sizes, page_areas(board)[0]).warp
    steps = found.steps if isinstance(found, Steps) else ()
    parts = b"".join(repr(step.frame).encode() + step.knots.tobytes() for step in steps)
    warp = PageWarp(hashlib.sha256(parts).hexdigest()[:16], steps)
    with _LOCK:
        if all(known.digest != warp.digest for known in _SOLVED):
            _SOLVED.append(warp)
    return warp


def known_warp(digest: str) -> PageWarp | None:
    """Return what was solved before, or the true map; None if it is not known any more."""
    if not digest:
        return UNMOVED
    with _LOCK:
        return next((warp for warp in _SOLVED if warp.digest == digest), None)
