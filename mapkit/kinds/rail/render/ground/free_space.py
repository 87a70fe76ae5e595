"""Raster of the map that tells where there is room for names of water and a compass."""

from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np
import shapely
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from mapkit.kinds.rail.render.layout import Layout
from mapkit.kinds.rail.render.lines.polyline import Array
from mapkit.kinds.rail.render.page_areas import shrink_to_frame
from mapkit.kinds.rail.render.symbols import list_symbol_boxes

_CELL_MM: Final = 1.0
_CELLS_ACROSS: Final = 400
"""On small maps cells are smaller than `_CELL_MM`."""

Mask = NDArray[np.bool_]


class FreeSpace:
    """Cells of the map that are sea, lake or land, and those that track, symbols, names and boxes leave free.

    Args:
        layout: The map, with all names.
    """

    def __init__(self, layout: Layout) -> None:
        left, top, right, bottom = self.area = shrink_to_frame(layout.area)
        self.cell_mm = min(_CELL_MM, (right - left) / _CELLS_ACROSS)
        self._size = (int((right - left) / self.cell_mm), int((bottom - top) / self.cell_mm))
        backdrop = layout.ground.backdrop
        self.sea = ~self._fill_areas([backdrop.land])
        self.lakes = self._fill_areas(backdrop.lakes)
        self._taken = Image.new("1", self._size)
        for line in layout.lines.values():
            self.block(line, layout.sizes.line + 1.0)
        boxes = list_symbol_boxes(layout.board, layout.spots, layout.squares, layout.sizes)
        boxes += [name.box for name in layout.names] + [name.box for name in layout.region_names]
        boxes += layout.boxes.areas.values()
        for x0, y0, x1, y1 in boxes:
            self.block(np.array([(x0, (y0 + y1) / 2), (x1, (y0 + y1) / 2)]), y1 - y0)
        for mark in layout.initials:
            self.block(np.array(mark.corners), 1.0)

    @property
    def free(self) -> Mask:
        """Cells without track, symbols, names and boxes."""
        return ~np.asarray(self._taken)

    def block(self, line: Array, width_mm: float) -> None:
        """Take the cells along a line."""
        pixels = ((line - self.area[:2]) / self.cell_mm).ravel().tolist()
        ImageDraw.Draw(self._taken).line(pixels, fill=1, width=max(1, round(width_mm / self.cell_mm) + 1))

    def shrink(self, mask: Mask, margin_mm: float) -> Mask:
        """Return the cells of a mask that are farther than a margin from all others, and from the frame."""
        shrunken = np.pad(mask, 1)
        for step in range(round(margin_mm / self.cell_mm) + 1):
            before = shrunken
            shrunken = before.copy()
            for axis, shift in ((0, 1), (0, -1), (1, 1), (1, -1)):
                shrunken &= np.roll(before, shift, axis)
            if step % 2:  # squares and diamonds by turns are near to circles
                for shift in (1, -1):
                    shrunken &= np.roll(np.roll(before, 1, 0), shift, 1) & np.roll(np.roll(before, -1, 0), shift, 1)
        return shrunken[1:-1, 1:-1]

    def contains(self, mask: Mask, points: Array) -> Mask:
        """Return which points, shape (..., 2), lie in cells of a mask."""
        column, row = np.moveaxis(np.floor((points - self.area[:2]) / self.cell_mm).astype(np.int64), -1, 0)
        width, height = self._size
        is_inside = (column >= 0) & (column < width) & (row >= 0) & (row < height)
        found: Mask = is_inside & mask[np.clip(row, 0, height - 1), np.clip(column, 0, width - 1)]
        return found

    def _fill_areas(self, shapes: Iterable[shapely.Geometry]) -> Mask:
        image = Image.new("1", self._size)
        draw = ImageDraw.Draw(image)
        polygons: Sequence[shapely.Polygon] = [
            part for shape in shapes for part in shapely.get_parts(shape) if part.geom_type == "Polygon"
        ]
        for polygon in sorted(polygons, key=lambda polygon: -shapely.Polygon(polygon.exterior).area):
            for ring, ink in ((polygon.exterior, 1), *((hole, 0) for hole in polygon.interiors)):
                pixels = (shapely.get_coordinates(ring) - self.area[:2]) / self.cell_mm
                draw.polygon(pixels.ravel().tolist(), fill=ink)
        return np.asarray(image)
