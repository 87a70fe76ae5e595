"""Enlargement and reduction of pictures, and of symbols in them."""

from dataclasses import replace

import numpy as np
from PIL import Image

from mapkit.formats.pixels import Pixels
from mapkit.kinds.rail.scanning.symbols import Symbol


def resize_picture(pixels: Pixels, scale: float) -> Pixels:
    """Return a picture that is `scale` times as wide and high: smooth where larger, means of pixels where smaller."""
    if scale == 1.0:
        return pixels
    new_size = max(2, round(pixels.shape[1] * scale)), max(2, round(pixels.shape[0] * scale))
    resampling = Image.Resampling.BOX if scale < 1 else Image.Resampling.BICUBIC
    return np.asarray(Image.fromarray(pixels).resize(new_size, resampling), dtype=np.uint8)


def scale_symbol(symbol: Symbol, scale: float) -> Symbol:
    """Return a symbol as it stands in a picture that is `scale` times as wide and high."""

    def moved(value: float) -> float:
        return (value + 0.5) * scale - 0.5

    spots = tuple((moved(x), moved(y)) for x, y in symbol.spots)
    return replace(symbol, x=moved(symbol.x), y=moved(symbol.y), half=symbol.half * scale, spots=spots)
