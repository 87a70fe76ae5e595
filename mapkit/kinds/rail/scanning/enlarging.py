"""Enlargement and reduction of pictures, and of points and symbols in them."""

from dataclasses import replace

import numpy as np
from PIL import Image

from mapkit.core.base import Point
from mapkit.formats.pixels import Pixels
from mapkit.kinds.rail.scanning.symbols import Symbol


def resize_picture(pixels: Pixels, scale: float) -> Pixels:
    """Return a picture that is `scale` times as wide and high: smooth where larger, means of pixels where smaller."""
    if scale == 1.0:
        return pixels
    new_size = max(2, round(pixels.shape[1] * scale)), max(2, round(pixels.shape[0] * scale))
    resampling = Image.Resampling.BOX if scale < 1 else Image.Resampling.BICUBIC
    return np.asarray(Image.fromarray(pixels).resize(new_size, resampling), dtype=np.uint8)


def scale_point(point: Point, scale: float) -> Point:
    """Return a pixel as it lies in a picture that is `scale` times as wide and high."""
    return (point[0] + 0.5) * scale - 0.5, (point[1] + 0.5) * scale - 0.5


def scale_symbol(symbol: Symbol, scale: float) -> Symbol:
    """Return a symbol as it stands in a picture that is `scale` times as wide and high."""
    x, y = scale_point((symbol.x, symbol.y), scale)
    spots = tuple(scale_point(spot, scale) for spot in symbol.spots)
    return replace(symbol, x=x, y=y, half=symbol.half * scale, spots=spots)
