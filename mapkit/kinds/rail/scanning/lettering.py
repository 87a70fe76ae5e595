"""Names written in a scanned board, each with its likeliest symbol."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from mapkit.core.progress import Progress, quiet
from mapkit.formats.pixels import Pixels
from mapkit.formats.recognising.engine import FoundText, find_texts
from mapkit.kinds.rail.scanning.symbols import Symbol

_TILE_SIZE: Final = 960
_TILE_OVERLAP: Final = 160
_SURE_CONFIDENCE: Final = 0.8
_NAME_REACH: Final = 4.0
"""Greatest distance of a name from the edge of its symbol, in halves of the symbol."""
_EDGE_PIXELS: Final = 2
_MIN_LETTERS: Final = 3
"""Least number of letters in a name."""
_WORD_BOUNDARY: Final = re.compile(r"(?<=[a-z.])(?=[A-Z])")


@dataclass(frozen=True)
class SymbolName:
    """Name in the picture and the number of the symbol beside it."""

    text: str
    symbol: int


def read_names(pixels: Pixels, symbols: Sequence[Symbol], *, progress: Progress = quiet) -> list[SymbolName]:
    """Return the names beside symbols, the nearest to each, in the order of the symbols.

    Args:
        pixels: The picture.
        symbols: Its dots and squares.
        progress: Called with what is done next.

    Raises:
        ChoiceError: The extra `scan` is not installed.
    """
    nearest_names: dict[int, tuple[float, str]] = {}
    for found_text in read_texts(pixels, progress=progress):
        name_text = _WORD_BOUNDARY.sub(" ", found_text.text.strip())
        if found_text.confidence < _SURE_CONFIDENCE or sum(c.isalpha() for c in name_text) < _MIN_LETTERS:
            continue
        near_symbol = _nearest_symbol(found_text.corners, symbols)
        if near_symbol is not None and near_symbol[0] < nearest_names.get(near_symbol[1], (np.inf, ""))[0]:
            nearest_names[near_symbol[1]] = near_symbol[0], name_text
    return [SymbolName(name_text, symbol) for symbol, (_, name_text) in sorted(nearest_names.items())]


def read_texts(pixels: Pixels, *, progress: Progress = quiet) -> list[FoundText]:
    """Return the texts in a picture of any size, read in overlapping tiles; some of them twice.

    Texts cut by the edge of a tile are left to the next tile.

    Args:
        pixels: The picture.
        progress: Called with what is done next.

    Raises:
        ChoiceError: The extra `scan` is not installed.
    """
    height, width = pixels.shape[:2]
    tile_step = _TILE_SIZE - _TILE_OVERLAP
    tile_corners = [
        (top, left)
        for top in range(0, max(height - _TILE_OVERLAP, 1), tile_step)
        for left in range(0, max(width - _TILE_OVERLAP, 1), tile_step)
    ]
    all_texts: list[FoundText] = []
    for tile_number, (top, left) in enumerate(tile_corners, 1):
        progress(f"reading names, part {tile_number} of {len(tile_corners)}")
        tile = np.ascontiguousarray(pixels[top : top + _TILE_SIZE, left : left + _TILE_SIZE])
        all_texts += [
            found_text._replace(corners=found_text.corners + np.array((left, top), np.float32))
            for found_text in find_texts(tile)
            if not _is_cut(found_text, tile, (top, left), (height, width))
        ]
    return all_texts


def _is_cut(found: FoundText, tile: Pixels, corner: tuple[int, int], size: tuple[int, int]) -> bool:
    """Return whether a text touches an edge of its tile that is not an edge of the picture."""
    top_left, bottom_right = found.corners.min(axis=0), found.corners.max(axis=0)
    tile_height, tile_width = tile.shape[:2]
    return bool(
        (top_left[0] < _EDGE_PIXELS and corner[1] > 0)
        or (top_left[1] < _EDGE_PIXELS and corner[0] > 0)
        or (bottom_right[0] > tile_width - _EDGE_PIXELS and corner[1] + tile_width < size[1])
        or (bottom_right[1] > tile_height - _EDGE_PIXELS and corner[0] + tile_height < size[0])
    )


def _nearest_symbol(corners: np.ndarray, symbols: Sequence[Symbol]) -> tuple[float, int] | None:
    """Return the distance of the nearest symbol from a box, in halves of the symbol, and its number; None if far."""
    top_left, bottom_right = corners.min(axis=0), corners.max(axis=0)
    symbol_xy = np.array([(s.x, s.y) for s in symbols]).reshape(-1, 2)
    half_widths = np.array([s.half for s in symbols])
    distances = np.hypot(*np.maximum(np.maximum(top_left - symbol_xy, symbol_xy - bottom_right), 0).T) / half_widths
    nearest_index = int(distances.argmin()) if len(distances) else -1
    return (
        (float(distances[nearest_index]), nearest_index)
        if nearest_index >= 0 and distances[nearest_index] <= _NAME_REACH + 1
        else None
    )
