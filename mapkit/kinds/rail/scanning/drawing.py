"""Conversion of a scanned board to a drawing in pixels for `mapkit import`, and crops of doubtful links."""

import io
from collections import defaultdict
from collections.abc import Sequence
from typing import Final

import numpy as np
import shapely
from PIL import Image, ImageDraw

from mapkit.core.arrays import Floats
from mapkit.formats.drawn_page import DrawnPage
from mapkit.formats.lines.svg_text import layer_to_svg
from mapkit.formats.pixels import Pixels
from mapkit.formats.traced import TracedLayer
from mapkit.kinds.rail.scanning.scan import ScannedBoard

_CROP_MARGIN: Final = 40
_MAX_SIDE: Final = 1600
_MARK_COLOUR: Final = (255, 0, 255)


def board_to_svg(board: ScannedBoard, names: Sequence[str], *, file: str, least: float) -> str:
    """Return the SVG of a scanned board: lines by railroad, and a named point for each served milepost.

    Args:
        board: What the picture shows.
        names: The name of each of its symbols.
        file: The drawing's name.
        least: Links less sure than this are left out.
    """
    drawn_lines = [line for line in board.lines if line.confidence >= least]
    railroads_by_symbol: dict[int, set[str]] = defaultdict(set)
    for link in board.links:
        if link.confidence >= least:
            railroads_by_symbol[link.a].add(link.railroad)
            railroads_by_symbol[link.b].add(link.railroad)
    served_symbols = sorted(railroads_by_symbol)
    traced_layer = TracedLayer(
        file=file,
        crs=None,
        lines=np.array([shapely.LineString(line.line) for line in drawn_lines], dtype=object),
        line_keys=tuple(line.railroad for line in drawn_lines),
        line_features=tuple(f"{file}#{i}" for i in range(len(drawn_lines))),
        points=np.array([shapely.Point(board.symbols[i].x, board.symbols[i].y) for i in served_symbols], dtype=object),
        point_names=tuple(names[i] for i in served_symbols),
        point_features=tuple(f"{file}#p{i}" for i in served_symbols),
        point_owners=tuple(tuple(sorted(railroads_by_symbol[i])) for i in served_symbols),
        page=DrawnPage(x=0.0, y=0.0, width=float(board.width), height=float(board.height)),
    )
    return layer_to_svg(traced_layer)


def box_around(pixels: Pixels, line: Floats) -> tuple[int, int, int, int]:
    """Return left, top, right and bottom of the part of a picture around a line."""
    height, width = pixels.shape[:2]
    left, top = np.maximum(np.floor(line.min(axis=0)).astype(int) - _CROP_MARGIN, 0).tolist()
    right, bottom = np.minimum(np.ceil(line.max(axis=0)).astype(int) + _CROP_MARGIN, (width, height)).tolist()
    return left, top, right, bottom


def crop_around(pixels: Pixels, line: Floats) -> bytes:
    """Return the part of a picture around a line as PNG, with the line marked."""
    left, top, right, bottom = box_around(pixels, line)
    image = Image.fromarray(np.ascontiguousarray(pixels[top:bottom, left:right]))
    image_draw = ImageDraw.Draw(image)
    image_draw.line([(float(x) - left, float(y) - top) for x, y in line], fill=_MARK_COLOUR, width=1)
    image.thumbnail((_MAX_SIDE, _MAX_SIDE))
    png_buffer = io.BytesIO()
    image.save(png_buffer, "PNG", optimize=False)
    return png_buffer.getvalue()
