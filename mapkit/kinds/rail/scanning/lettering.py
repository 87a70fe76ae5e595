"""Names written in a scanned board, each with the symbol that it most likely belongs to."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from mapkit.core.progress import Progress, quiet
from mapkit.formats.pixels import Pixels
from mapkit.formats.recognising.engine import TextFound, find_texts
from mapkit.kinds.rail.scanning.symbols import Symbol

_TILE: Final = 960
_OVERLAP: Final = 160
_SURE: Final = 0.8
_BESIDE: Final = 4.0
"""How far from the edge of its symbol a name may stand, in halves of the symbol."""
_EDGE: Final = 2
_LEAST: Final = 3
"""Letters that a name has at least."""
_JOINED: Final = re.compile(r"(?<=[a-z.])(?=[A-Z])")


@dataclass(frozen=True)
class Lettering:
    """A name in the picture and the number of the symbol beside it."""

    text: str
    symbol: int


def read_names(pixels: Pixels, symbols: Sequence[Symbol], *, progress: Progress = quiet) -> list[Lettering]:
    """Return the names beside symbols, the nearest to each, in the order of the symbols.

    Args:
        pixels: The picture.
        symbols: Its dots and squares.
        progress: Called with what is done next.

    Raises:
        ChoiceError: The extra `scan` is not installed.
    """
    nearest: dict[int, tuple[float, str]] = {}
    for found in texts_in(pixels, progress=progress):
        text = _JOINED.sub(" ", found.text.strip())
        if found.confidence < _SURE or sum(c.isalpha() for c in text) < _LEAST:
            continue
        near = _beside(found.corners, symbols)
        if near is not None and near[0] < nearest.get(near[1], (np.inf, ""))[0]:
            nearest[near[1]] = near[0], text
    return [Lettering(text, symbol) for symbol, (_, text) in sorted(nearest.items())]


def texts_in(pixels: Pixels, *, progress: Progress = quiet) -> list[TextFound]:
    """Return what is written in a picture of any size, read in tiles that overlap; some of it twice.

    What a tile's edge cuts is left to the next tile.

    Args:
        pixels: The picture.
        progress: Called with what is done next.

    Raises:
        ChoiceError: The extra `scan` is not installed.
    """
    height, width = pixels.shape[:2]
    step = _TILE - _OVERLAP
    corners = [
        (top, left)
        for top in range(0, max(height - _OVERLAP, 1), step)
        for left in range(0, max(width - _OVERLAP, 1), step)
    ]
    out: list[TextFound] = []
    for number, (top, left) in enumerate(corners, 1):
        progress(f"reading names, part {number} of {len(corners)}")
        tile = np.ascontiguousarray(pixels[top : top + _TILE, left : left + _TILE])
        out += [
            found._replace(corners=found.corners + np.array((left, top), np.float32))
            for found in find_texts(tile)
            if not _is_cut(found, tile, (top, left), (height, width))
        ]
    return out


def _is_cut(found: TextFound, tile: Pixels, corner: tuple[int, int], size: tuple[int, int]) -> bool:
    """Return whether a text touches an edge of its tile that is not an edge of the picture."""
    low, high = found.corners.min(axis=0), found.corners.max(axis=0)
    tall, wide = tile.shape[:2]
    return bool(
        (low[0] < _EDGE and corner[1] > 0)
        or (low[1] < _EDGE and corner[0] > 0)
        or (high[0] > wide - _EDGE and corner[1] + wide < size[1])
        or (high[1] > tall - _EDGE and corner[0] + tall < size[0])
    )


def _beside(corners: np.ndarray, symbols: Sequence[Symbol]) -> tuple[float, int] | None:
    """Return how far the nearest symbol is from a box, in halves of the symbol, and its number; None if far."""
    low, high = corners.min(axis=0), corners.max(axis=0)
    spots = np.array([(s.x, s.y) for s in symbols]).reshape(-1, 2)
    halves = np.array([s.half for s in symbols])
    off = np.hypot(*np.maximum(np.maximum(low - spots, spots - high), 0).T) / halves
    best = int(off.argmin()) if len(off) else -1
    return (float(off[best]), best) if best >= 0 and off[best] <= _BESIDE + 1 else None
