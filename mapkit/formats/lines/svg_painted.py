"""Comparison of traced lines with the paint of a renderer (resvg): lines that nobody sees, and paint left over."""

import io
import re
from collections.abc import Collection, Sequence
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element, tostring

import numpy as np
import shapely
from numpy.typing import NDArray

from mapkit.core import heavy
from mapkit.formats.drawn_page import DrawnPage
from mapkit.formats.svg.path import Points
from mapkit.formats.svg.tree import SvgNode, parse_elements

_SIDE_PX: Final = 1200
"""Longer side of the page in pixels while it is compared."""
_MAX_DATA_BYTES: Final = 30_000_000
_MAX_SAMPLES: Final = 2000
_UNSEEN_SHARE: Final = 0.02
_PARTLY_SHARE: Final = 0.7
_MAX_THICKNESS_PX: Final = 8
_MIN_LENGTH_PX: Final = 40
_MAX_COLOURS: Final = 16
_HIDDEN_TAGS: Final = {"text", "image", "foreignObject", "flowRoot", "script", "filter", "animate", "set"}
_FILTER: Final = re.compile(r"(?<![-\w])filter\s*:")
_NAMESPACE: Final = re.compile(r"^\{[^}]*\}")

Mask = NDArray[np.bool_]
Pixels = NDArray[np.uint8]


class PaintComparison(NamedTuple):
    """Result of a comparison.

    Attributes:
        shares: Painted share of the length of each line.
        leftovers: Boxes of paint as thin and long as a line that belongs to no element read, in the drawing's units.
    """

    shares: tuple[float, ...]
    leftovers: tuple[tuple[float, float, float, float], ...]

    @property
    def unseen(self) -> tuple[int, ...]:
        """Lines of which nothing is painted; none if nothing of any line is, for then the renderer failed."""
        unseen = tuple(index for index, share in enumerate(self.shares) if share < _UNSEEN_SHARE)
        return unseen if len(unseen) < len(self.shares) else ()

    @property
    def partly_seen(self) -> tuple[int, ...]:
        """Lines of which only a part is painted."""
        return tuple(index for index, share in enumerate(self.shares) if _UNSEEN_SHARE <= share < _PARTLY_SHARE)


def compare_with_paint(
    data: bytes, page: DrawnPage, lines: Sequence[Points], traced: Collection[SvgNode], other: Collection[SvgNode]
) -> PaintComparison | None:
    """Render a drawing with and without its lines, and compare; None if the renderer cannot draw it.

    Args:
        data: The drawing, unpacked.
        page: Its page.
        lines: Traced lines, in its units.
        traced: Elements that they came from.
        other: Elements that were read or reported otherwise.
    """
    if len(data) > _MAX_DATA_BYTES or not min(page.width, page.height) > 0 or not lines:
        return None
    scale = _SIDE_PX / max(page.width, page.height)
    root = parse_elements(data)
    elements: dict[tuple[str, int], Element] = {}
    counts: dict[str, int] = {}
    for element in root.iter():
        tag = _NAMESPACE.sub("", element.tag) if "svg}" in element.tag or "}" not in element.tag else ""
        counts[tag] = counts.get(tag, 0) + 1
        elements[tag, counts[tag]] = element
        if tag in _HIDDEN_TAGS:
            element.set("style", "display:none")
        element.attrib.pop("filter", None)
        if "style" in element.attrib:
            element.set("style", _FILTER.sub("x-filter:", element.attrib["style"]))
        if tag == "style" and element.text:
            element.text = _FILTER.sub("x-filter:", element.text)
    root.set("viewBox", f"{page.x} {page.y} {page.width} {page.height}")
    root.set("width", f"{page.width * scale}")
    root.set("height", f"{page.height * scale}")
    root.set("shape-rendering", "crispEdges")
    root.attrib.pop("preserveAspectRatio", None)
    painted = _render(root)
    for nodes in (traced, other):
        for node in nodes:
            if (element := elements.get((node.tag, node.ordinal))) is not None:
                element.set("style", "display:none")
        if nodes is traced:
            without_lines = _render(root)
    left_over = _render(root)
    if painted is None or without_lines is None or left_over is None:
        return None
    is_painted = (painted != without_lines).any(axis=2)
    shares = tuple(_measure_share(line, page, scale, is_painted) for line in lines)
    leftovers = [
        (left / scale + page.x, top / scale + page.y, right / scale + page.x, bottom / scale + page.y)
        for left, top, right, bottom in _find_thin_paint(left_over)
    ]
    return PaintComparison(shares, tuple(leftovers))


def _render(root: Element) -> Pixels | None:
    try:
        png_bytes = heavy.resvg_py.svg_to_bytes(svg_string=tostring(root, encoding="unicode"), skip_system_fonts=True)
    except ValueError:
        return None
    return np.array(heavy.pil_image.open(io.BytesIO(bytes(png_bytes))).convert("RGBA"))


def _measure_share(line: Points, page: DrawnPage, scale: float, is_painted: Mask) -> float:
    """Return the share of a line's length on the page with paint within a pixel."""
    shape = shapely.linestrings((line - [page.x, page.y]) * scale)
    samples = int(min(max(shapely.length(shape), 2), _MAX_SAMPLES))
    points = shapely.get_coordinates(
        shapely.line_interpolate_point(shape, (np.arange(samples) + 0.5) / samples, normalized=True)
    )
    columns, rows = np.floor(points).astype(np.int64).T
    seen = np.zeros(samples, dtype=bool)
    height, width = is_painted.shape
    for dx, dy in ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)):
        x, y = columns + dx, rows + dy
        is_inside = (x >= 0) & (x < width) & (y >= 0) & (y < height)
        seen[is_inside] |= is_painted[y[is_inside], x[is_inside]]
    return float(seen.mean())


def _find_thin_paint(picture: Pixels) -> list[tuple[int, int, int, int]]:
    """Return the boxes of long and thin components of one colour, in pixels."""
    colours = picture.astype(np.uint32) @ np.array([1 << 24, 1 << 16, 1 << 8, 1], dtype=np.uint32)
    colours[picture[..., 3] == 0] = 0
    values, counts = np.unique(colours[colours > 0], return_counts=True)
    boxes: list[tuple[int, int, int, int]] = []
    for colour in values[np.argsort(-counts, kind="stable")][:_MAX_COLOURS].tolist():
        labels, count = heavy.ndimage.label(colours == colour, structure=np.ones((3, 3)))
        areas = np.bincount(labels.ravel(), minlength=count + 1)
        for number, slices in enumerate(heavy.ndimage.find_objects(labels), start=1):
            rows, columns = slices
            length = float(np.hypot(rows.stop - rows.start, columns.stop - columns.start))
            if length >= _MIN_LENGTH_PX and areas[number] <= _MAX_THICKNESS_PX * length:
                boxes.append((columns.start, rows.start, columns.stop, rows.stop))
    return sorted(boxes)
